//! Renju: the best lines, the forbidden points, and a forced win drawn move by move.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use agon_analysis::renju;
use agon_arena::picture;
use agon_catalog::{TextMove, text_info};
use agon_engines::renju::{Threats, champion, threats};
use agon_game::{Alternating, Cell, Mark, Position as _, Show as _, View};
use agon_rules::renju::{Move, Renju, RuleSet};
use agon_search::Info;
use anyhow::{Context, bail};

use super::args::AnalyzeArgs;
use super::search::LiveAnalysis;
use super::start;
use crate::exit::Exit;
use crate::options::Format;
use crate::show::{self, paint};
use crate::{convert, draw};

/// Default time to look for a forced win.
const USUAL: Duration = Duration::from_secs(2);

/// Looks for a win by fours and threes, and thinks about the position, or the start of the game, if there is none.
pub(super) fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let rules = start::rules(args)?;
    let position =
        start::position(args, || Ok(Renju::start(rules.unwrap_or_default())), |text| position(args, rules, text))?;
    if let Some(path) = &args.out {
        crate::output::check(path, "the picture")?;
    }
    let mut analysis = LiveAnalysis::new(args, Box::new(Alternating::new(position.clone())))?;
    let share = analysis.limits.time.map_or(USUAL, |time| time / 4);
    let mut engine = agon_catalog::engine::<Renju>("champion", 0)?;
    if let Some(bytes) = analysis.memory()? {
        engine.set_memory(bytes);
    }
    engine.set_threads(analysis.threads());
    let task = analysis.task();
    let mut threats = Threats::new(threats::TABLE_BYTES);
    let known = champion::opening(&position).is_some();
    if args.search && !known {
        bail!("--search: every position after the first three moves is searched: leave it out");
    }
    let mut hear = |info: &Info<Move>| analysis.hear(&text_info::<Renju>(info));
    let findings = if known && args.search {
        renju::analyse_opening(&position, &task, engine.as_mut(), &mut hear)
    } else {
        renju::analyse(&position, &task, &mut threats, share, engine.as_mut(), &mut hear)?
    };
    let best = findings.best.map(TextMove::new::<Renju>);
    let unsearched = "the champion's opening, not searched; --search searches it";
    let answer = analysis.finish(best, known.then_some(unsearched))?;
    if answer != Exit::Done {
        return Ok(answer);
    }
    let view = numbered(&position, findings.win.as_deref().unwrap_or_default());
    if let Some(path) = &args.out {
        fs::write(path, picture::svg(&view)).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => writeln!(out, "{}", crate::output::json(findings.json()))?,
        Format::Text => {
            if !findings.forbidden.is_empty() {
                let letters: Vec<String> = findings.forbidden.iter().map(|point| point.letters()).collect();
                writeln!(out, "{}", show::folded("forbidden to Black   ", &letters.join(" ")))?;
            }
            if let Some(line) = findings.win {
                let letters: Vec<String> = line.iter().map(|m| m.letters()).collect();
                let turn = position.turn();
                let winner = Renju::SEATS[turn.index()];
                let text = show::folded(&format!("{winner} wins by force   "), &letters.join(" "));
                let text = text.replacen(winner, &paint(show::side(turn), winner), 1);
                writeln!(out, "{text}\n{}", draw::board(&view))?;
            }
        }
    }
    Ok(Exit::Done)
}

/// Reads moves, a position, or the end of a game in a file.
fn position(args: &AnalyzeArgs, rules: Option<RuleSet>, text: &str) -> anyhow::Result<Renju> {
    let named = text.split_whitespace().next().is_some_and(|word| Move::from_letters(word).is_ok());
    if named || text.parse::<Renju>().is_ok() || !Path::new(text).exists() {
        start::refuse_number(args)?;
        let refusal = || format!("`{text}` is neither a position, nor moves, nor a file");
        let position = if named { start::moves_anywhere(rules, text) } else { start::under(rules, text) };
        return if named { position } else { position.with_context(refusal) };
    }
    let moves = convert::moves_of(Path::new(text), args.number)?;
    let after = match rules {
        Some(rules) => Renju::after_under(rules, &moves),
        None => Renju::after_anywhere(&moves),
    };
    after.map_err(|(at, error)| anyhow::anyhow!("move {}, {}: {error}", at + 1, moves[at].letters()))
}

/// The board with the stones of a line on it, each with the number of its move.
fn numbered(position: &Renju, line: &[Move]) -> View {
    let mut view = position.view();
    let mut turn = position.turn();
    for (number, m) in line.iter().enumerate() {
        if let Some(point) = m.point() {
            let glyph = Renju::SEATS[turn.index()].chars().next().unwrap_or('?');
            let last = number + 1 == line.len();
            let weight = u8::try_from(number + 1).ok();
            let mark = last.then_some(Mark::Placed).filter(|_| weight.is_none());
            view.cells[point.index()] = Cell { owner: Some(turn), glyph, weight, mark, ..Cell::default() };
        }
        turn = turn.other();
    }
    view
}
