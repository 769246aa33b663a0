//! `agon results`: the results of a stored run.

use std::fs::File;
use std::io::Write;

use agon_arena::{Plan, Store, Summary, Tally};
use agon_referee::text::line;
use anyhow::Context;
use serde_json::json;

use super::args::{ResultsArgs, ResultsFormat};
use super::theory::Theory;
use super::{export, html, tables};
use crate::exit::Exit;
use crate::left_out::LeftOut;
use crate::{output, show};

pub fn run(args: &ResultsArgs) -> anyhow::Result<Exit> {
    if args.list {
        anyhow::ensure!(matches!(args.format, ResultsFormat::Text | ResultsFormat::Json), "--list prints text or json");
        return list(&Store::read(&args.stored.db)?, args.format);
    }
    let (store, run) = export::open(&args.stored)?;
    // A file gets no colours.
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => {
            output::check(path, "the results", false)?;
            let file = File::create(path).with_context(|| format!("cannot write `{}`", path.display()))?;
            Box::new(anstream::StripStream::new(file))
        }
        None => Box::new(anstream::stdout()),
    };
    if args.theory {
        let (theory, left_out) = Theory::new(&store, run, &store.run(run)?.plan)?;
        match args.format {
            ResultsFormat::Text => write!(out, "{}", theory.text())?,
            ResultsFormat::Json => writeln!(out, "{}", theory.json())?,
            ResultsFormat::Csv | ResultsFormat::Html => anyhow::bail!("--theory prints text or json"),
        }
        return Ok(left_out.exit());
    }
    let (plan, tally, bouts, left_out) = load(&store, run)?;
    match args.format {
        ResultsFormat::Text => write!(out, "{}", tables::text(&plan, &tally, &bouts))?,
        ResultsFormat::Json => writeln!(out, "{}", tables::json(&plan, run, &tally, &bouts, None))?,
        ResultsFormat::Csv => write!(out, "{}", tables::csv(&plan, &bouts))?,
        ResultsFormat::Html => {
            let body = html::html(&plan, &tally, &bouts, &store.run(run)?.agon);
            write!(out, "{}", crate::page::page(&html::title(&plan, &bouts), &body))?;
        }
    }
    Ok(left_out.exit())
}

/// A run as it is stored: all its games that can be read.
pub fn load(store: &Store, run: i64) -> anyhow::Result<(Plan, Tally, Vec<Summary>, LeftOut)> {
    let plan = store.run(run)?.plan;
    let (bouts, damaged) = store.readable(run)?;
    let tally = Tally::of(&plan, &bouts);
    Ok((plan, tally, bouts, LeftOut::all(damaged)))
}

fn list(store: &Store, format: ResultsFormat) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout();
    let (runs, damaged) = store.runs()?;
    for run in runs {
        let played = store.count(run.id)?;
        // A run keeps what it has played also when less is asked of it afterwards.
        let all = run.plan.bouts().max(played);
        let names: Vec<&str> = run.plan.agents.iter().map(|agent| agent.name.as_str()).collect();
        if format == ResultsFormat::Json {
            let entry = json!({
                "run": run.id, "game": run.plan.game.name(), "kind": run.plan.title(), "agents": names,
                "played": played, "games": all, "begun": run.begun,
            });
            writeln!(out, "{entry}")?;
        } else {
            let heading = format!("{:>4}  {:<12} {:<12} ", run.id, run.plan.game, run.plan.title());
            let names = format!("{}  {played} of {all} games", line(&names.join(", ")));
            let text = show::folded_to(show::columns().unwrap_or(usize::MAX), &heading, &names);
            writeln!(out, "{text}")?;
        }
    }
    Ok(LeftOut::all(damaged).exit())
}
