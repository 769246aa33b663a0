//! Renju: the best lines, what is forbidden, and a forced win drawn move by move.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use agon_engines::registry;
use agon_engines::renju::{Threats, champion, threats};
use agon_game::{Cell, Mark, Position as _, Show as _, View};
use agon_proof::solution::{ThreatMode, solve};
use agon_rules::renju::{Move, Point, Renju};
use agon_search::{Info, Score, SearchLimits};
use anyhow::Context;
use serde_json::json;

use super::args::AnalyzeArgs;
use super::search::LiveAnalysis;
use super::start;
use crate::exit::Exit;
use crate::json_lines::numbers;
use crate::options::Format;
use crate::show::{self, paint};
use crate::{convert, draw, picture};

/// How long to look for a forced win when nothing says how long.
const USUAL: Duration = Duration::from_secs(2);

/// Looks for a win by fours and threes, and where there is none thinks about the position, or the start of the game.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let position = start::position(args, || Ok(Renju::default()), position)?;
    if let Some(path) = &args.out {
        crate::output::check(path, "the picture", false)?;
    }
    let mut analysis = LiveAnalysis::new(args, &position)?;
    let begin = Instant::now();
    // A win that is proved is the best line, so it must be known before others are shown.
    let share = analysis.limits.time.map_or(USUAL, |time| time / 4);
    let limits = SearchLimits { nodes: args.nodes, ..SearchLimits::time(share) };
    let solution = solve(&mut Threats::new(threats::TABLE_BYTES), &position, ThreatMode::Any, limits)?;
    let mut win = Some(solution.line).filter(|line| solution.win == Some(true) && !line.is_empty());
    let best = match &win {
        Some(line) => {
            let plies = line.len() as u32;
            analysis.hear(&Info {
                depth: plies,
                seldepth: plies,
                multipv: 1,
                score: Score::Win(plies),
                nodes: solution.nodes,
                elapsed: begin.elapsed(),
                pv: line.clone(),
            });
            line.first().copied()
        }
        None => {
            let time = analysis.limits.time.map(|time| time.saturating_sub(begin.elapsed()));
            let limits = SearchLimits { time, ..analysis.limits };
            analysis.search(registry::renju("champion")?.make(0).as_mut(), limits)?
        }
    };
    let known = champion::opening(&position).is_some();
    let answer = analysis.finish(best, known.then_some("the champion's opening, not searched"))?;
    if answer != Exit::Done {
        return Ok(answer);
    }
    // The search has its own ways to find a win.
    win = win.or_else(|| {
        let info = analysis.best()?;
        (info.score == Score::Win(info.pv.len() as u32)).then(|| info.pv.clone())
    });
    let forbidden: Vec<Point> = position.forbidden_points().iter().collect();
    let view = numbered(&position, win.as_deref().unwrap_or_default());
    if let Some(path) = &args.out {
        fs::write(path, picture::svg(&view)).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => {
            let forbidden: Vec<[u8; 2]> = forbidden.iter().map(|point| [point.row(), point.column()]).collect();
            let line = win.map(|line| line.iter().map(numbers).collect::<Vec<_>>());
            writeln!(out, "{}", json!({ "forbidden": forbidden, "win": line }))?;
        }
        Format::Text => {
            if !forbidden.is_empty() {
                let letters: Vec<String> = forbidden.iter().map(|point| point.letters()).collect();
                writeln!(out, "{}", show::folded("forbidden to Black   ", &letters.join(" ")))?;
            }
            if let Some(line) = win {
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
fn position(text: &str) -> anyhow::Result<Renju> {
    let named = text.split_whitespace().next().is_some_and(|word| Move::from_letters(word).is_ok());
    if named || text.parse::<Renju>().is_ok() || !Path::new(text).exists() {
        let told = || format!("`{text}` is neither a position, nor moves, nor a file");
        let position = start::position_or_moves(text);
        return if named { position } else { position.with_context(told) };
    }
    let moves = convert::moves_of(Path::new(text))?;
    Renju::after(&moves).map_err(|(at, error)| anyhow::anyhow!("move {}, {}: {error}", at + 1, moves[at].letters()))
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
