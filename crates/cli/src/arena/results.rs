//! `agon results`: the results of a stored run.

use std::fs::File;
use std::io::{IsTerminal as _, Write};

use agon_arena::stats::sprt::Status;
use agon_arena::{Plan, Store, Summary, Tally};
use agon_referee::text::line;
use anyhow::Context;
use serde_json::json;

use super::args::{ResultsArgs, ResultsFormat};
use super::faults::Faults;
use super::theory::Theory;
use super::why::{Why, WhyProgress, WhyWish};
use super::{export, html, identity, tables};
use crate::exit::Exit;
use crate::left_out::LeftOut;
use crate::show::counted;
use crate::{output, show, signals};

pub(crate) fn run(args: &ResultsArgs) -> anyhow::Result<Exit> {
    if args.list {
        anyhow::ensure!(matches!(args.format, ResultsFormat::Text | ResultsFormat::Json), "--list prints text or json");
        return list(&args.stored.store()?, args.format);
    }
    let (store, run) = export::open(&args.stored)?;
    // A file gets no colours.
    let mut out: Box<dyn Write> = match &args.out {
        Some(path) => {
            output::check(path, "the results")?;
            let file = File::create(path).with_context(|| format!("cannot write `{}`", path.display()))?;
            Box::new(anstream::StripStream::new(file))
        }
        None => Box::new(anstream::stdout()),
    };
    if args.faults {
        let (plan, tally, bouts, left_out) = load(&store, run)?;
        let faults = Faults::new(&store, run, &plan, &tally, &bouts);
        match args.format {
            ResultsFormat::Text => write!(out, "{}", faults.text(&args.stored.db))?,
            ResultsFormat::Json => writeln!(out, "{}", crate::output::json(faults.json()))?,
            ResultsFormat::Csv | ResultsFormat::Html => anyhow::bail!("--faults prints text or json"),
        }
        return Ok(left_out.exit());
    }
    if args.why {
        anyhow::ensure!(matches!(args.format, ResultsFormat::Text | ResultsFormat::Json), "--why prints text or json");
        let (plan, _, bouts, mut left_out) = load(&store, run)?;
        let stop = signals::stop()?;
        let wish = WhyWish { agent: args.agent.as_deref(), games: args.games };
        let mut hear = |line: &str| {
            // Like other progress: for people who wait.
            if std::io::stderr().is_terminal() {
                anstream::eprintln!("{}", show::paint(show::FAINT, line));
            }
        };
        let why =
            Why::new(&store, run, &plan, &bouts, wish, WhyProgress { stop: &stop, hear: &mut hear }, &mut left_out)?;
        match args.format {
            ResultsFormat::Json => writeln!(out, "{}", crate::output::json(why.json()))?,
            _ => write!(out, "{}", why.text(&args.stored.db))?,
        }
        return Ok(if why.stopped { Exit::Stopped } else { left_out.exit() });
    }
    if args.agents {
        let plan = store.run(run)?.plan;
        match args.format {
            ResultsFormat::Text => write!(out, "{}", identity::text(&plan))?,
            ResultsFormat::Json => writeln!(out, "{}", crate::output::json(identity::json(&plan, run)))?,
            ResultsFormat::Csv | ResultsFormat::Html => anyhow::bail!("--agents prints text or json"),
        }
        return Ok(Exit::Done);
    }
    if args.theory {
        let (theory, left_out) = Theory::new(&store, run, &store.run(run)?.plan)?;
        match args.format {
            ResultsFormat::Text => write!(out, "{}", theory.text())?,
            ResultsFormat::Json => writeln!(out, "{}", crate::output::json(theory.json()))?,
            ResultsFormat::Csv | ResultsFormat::Html => anyhow::bail!("--theory prints text or json"),
        }
        return Ok(left_out.exit());
    }
    let (plan, tally, bouts, left_out) = load(&store, run)?;
    match args.format {
        ResultsFormat::Text => write!(out, "{}", tables::text(&plan, &tally, &bouts))?,
        ResultsFormat::Json => {
            writeln!(out, "{}", crate::output::json(tables::json(&plan, run, &tally, &bouts, None)))?;
        }
        ResultsFormat::Csv => write!(out, "{}", tables::csv(&plan, &bouts))?,
        ResultsFormat::Html => {
            let body = html::html(&plan, &tally, &bouts, &store.run(run)?.agon);
            write!(out, "{}", crate::page::page(&html::title(&plan, &bouts), &body))?;
        }
    }
    Ok(left_out.exit())
}

/// A run as it is stored: all its games that can be read and count.
pub(super) fn load(store: &Store, run: i64) -> anyhow::Result<(Plan, Tally, Vec<Summary>, LeftOut)> {
    let plan = store.run(run)?.plan;
    let (mut bouts, damaged) = store.readable(run)?;
    let tally = Tally::of(&plan, &bouts);
    bouts.retain(|bout| tally.counts(bout));
    Ok((plan, tally, bouts, LeftOut::all(damaged)))
}

/// Returns the settings that distinguish a run from others of its agents: the clock, the openings, the bounds of a
/// test, and settings of an agent.
fn settings(plan: &Plan) -> String {
    let limits = crate::page::limits(&plan.limits, html::seats(plan).1).to_string();
    let file = plan.opening_file.as_ref().map(|file| format!("openings of {}", line(&file.name)));
    let openings = file.or((plan.openings > 0).then(|| counted(plan.openings.into(), "opening move")));
    let test = plan.test.map(|test| test.setting());
    let all = [Some(limits), openings, test].into_iter().flatten();
    all.chain(tables::own_settings(plan)).collect::<Vec<_>>().join("; ")
}

fn list(store: &Store, format: ResultsFormat) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout();
    let (runs, damaged) = store.runs()?;
    for run in runs {
        let plan = &run.plan;
        let stored = store.count(run.id)?;
        // A test counts the games that decide it; any other run keeps all played games, even if fewer are requested
        // afterwards.
        let tally = if plan.test.is_some() { Some(Tally::of(plan, &store.readable(run.id)?.0)) } else { None };
        let played = tally.as_ref().map_or(stored, Tally::bouts);
        let all = plan.bouts().max(played);
        let names: Vec<&str> = plan.agents.iter().map(|agent| agent.name.as_str()).collect();
        if format == ResultsFormat::Json {
            let mut entry = json!({
                "run": run.id, "game": plan.game.name(), "kind": plan.title(), "agents": names,
                "played": played, "games": all, "begun": run.begun, "clock_ms": plan.limits.clock_ms,
                "clock": plan.limits.clock_text(), "openings": plan.openings,
                "settings": plan.agents.iter().zip(0..).map(|(agent, at)| json!({
                    "name": agent.name, "agent": agent.agent, "clock": plan.clock_of(at).to_string(),
                })).collect::<Vec<_>>(),
            });
            if let Some(tally) = &tally {
                entry["sprt"] = tables::sprt(tally).unwrap_or_default();
                entry["extra_games"] = tally.extra().into();
            }
            if let Some(file) = tables::openings_json(plan) {
                entry["opening_file"] = file;
            }
            writeln!(out, "{entry}")?;
        } else {
            let columns = show::columns().unwrap_or(usize::MAX);
            let heading = format!("{:>4}  {:<12} {:<12} ", run.id, plan.game, plan.title());
            let most = if plan.test.is_some() { "at most " } else { "" };
            let state = match tally.as_ref().and_then(Tally::test).map(|decision| decision.status) {
                Some(Status::H0) => ", H0 accepted",
                Some(Status::H1) => ", H1 accepted",
                Some(Status::Continue) => ", undecided",
                None => "",
            };
            let names = format!("{}  {played} of {most}{all} games{state}", line(&names.join(", ")));
            writeln!(out, "{}", show::folded_to(columns, &heading, &names))?;
            let indent = " ".repeat(heading.chars().count());
            writeln!(out, "{}", show::paint(show::FAINT, show::folded_to(columns, &indent, &settings(plan))))?;
        }
    }
    Ok(LeftOut::all(damaged).exit())
}
