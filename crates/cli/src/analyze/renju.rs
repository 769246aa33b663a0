//! Renju: the best lines, what is forbidden, and a forced win drawn move by move.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use agon_engines::registry;
use agon_engines::renju::{Threats, threats};
use agon_game::{Cell, Mark, Position as _, Show as _, View};
use agon_proof::solution::{ThreatMode, solve};
use agon_rules::renju::{Move, Point, Renju};
use agon_search::SearchLimits;
use anyhow::Context;
use serde_json::json;

use super::args::AnalyzeArgs;
use super::search;
use crate::exit::Exit;
use crate::json_lines::numbers;
use crate::options::Format;
use crate::show::{self, paint};
use crate::{convert, draw, picture};

/// How long to look for a forced win when nothing says how long.
const USUAL: Duration = Duration::from_secs(2);

/// Thinks about the position, or the start of the game.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let position = args.position.as_deref().map_or_else(|| Ok(Renju::default()), position)?;
    if let Some(path) = &args.out {
        crate::output::check(path, "the picture", false)?;
    }
    let answer = search::run(args, &position, registry::renju("champion")?.make(0).as_mut())?;
    if answer != Exit::Done {
        return Ok(answer);
    }
    let time = SearchLimits::time(args.time.map_or(USUAL, Duration::from));
    let limits = SearchLimits { nodes: args.nodes, ..time };
    let solution = solve(&mut Threats::new(threats::TABLE_BYTES), &position, ThreatMode::Any, limits)?;
    let forbidden: Vec<Point> = position.forbidden_points().iter().collect();
    let view = numbered(&position, &solution.line);
    if let Some(path) = &args.out {
        fs::write(path, picture::svg(&view)).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    let mut out = anstream::stdout();
    let won = solution.win == Some(true) && !solution.line.is_empty();
    match args.output.format {
        Format::Json => {
            let forbidden: Vec<[u8; 2]> = forbidden.iter().map(|point| [point.row(), point.column()]).collect();
            let line: Vec<Vec<i32>> = solution.line.iter().map(numbers).collect();
            writeln!(out, "{}", json!({ "forbidden": forbidden, "win": won.then_some(line) }))?;
        }
        Format::Text => {
            if !forbidden.is_empty() {
                let letters: Vec<String> = forbidden.iter().map(|point| point.letters()).collect();
                writeln!(out, "forbidden to Black   {}", letters.join(" "))?;
            }
            if won {
                let letters: Vec<String> = solution.line.iter().map(|m| m.letters()).collect();
                let turn = position.turn();
                let winner = paint(show::side(turn), Renju::SEATS[turn.index()]);
                writeln!(out, "{winner} wins by force   {}\n{}", letters.join(" "), draw::board(&view))?;
            }
        }
    }
    Ok(Exit::Done)
}

/// Reads moves, a position, or the end of a game in a file.
fn position(text: &str) -> anyhow::Result<Renju> {
    if let Ok(position) = text.parse() {
        return Ok(position);
    }
    let words: Result<Vec<Move>, _> = text.split_whitespace().map(Move::from_letters).collect();
    let moves = match words {
        Ok(moves) => moves,
        Err(_) if Path::new(text).exists() => convert::moves_of(Path::new(text))?,
        Err(error) => {
            return Err(error).with_context(|| format!("`{text}` is neither a position, nor moves, nor a file"));
        }
    };
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
