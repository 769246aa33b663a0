//! Knowledge about positions: forbidden points, solutions, proofs.

use std::path::PathBuf;

use agon_analysis::judge::TABLE_BYTES;
use agon_catalog::{Builtin, Capability, Game};
use agon_engines::domineering::Solver;
use agon_engines::domineering::analysis::Analysis;
use agon_engines::renju::Threats;
use agon_engines::renju::book::{FourthStatus, ProvedBook, notation};
use agon_game::{GameScore, Position as _, Side};
use agon_jobs::Stop;
use agon_proof::solution::{ThreatMode, solve};
use agon_rules::domineering::Domineering;
use agon_rules::renju::{Point, PointSet, Renju};
use agon_search::SearchLimits;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::failure::refused;
use crate::interrupt::interruptible;
use crate::typed::{Placed, Typed};

/// Lists the games, with their properties.
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let games = PyList::empty(py);
    for game in Game::all() {
        let row = PyDict::new(py);
        row.set_item("name", game.name())?;
        row.set_item("title", game.title())?;
        row.set_item("summary", game.summary)?;
        row.set_item("seats", game.seats)?;
        row.set_item("engines", game.builtin_names())?;
        row.set_item("levels", game.builtins.iter().filter_map(Builtin::levels).max())?;
        row.set_item("turns", game.can(Capability::Turns))?;
        let parameters = PyDict::new(py);
        for parameter in game.parameters {
            parameters.set_item(parameter.name, format!("{} ({})", parameter.meaning, parameter.values))?;
        }
        row.set_item("parameters", parameters)?;
        games.append(row)?;
    }
    Ok(games)
}

/// Loads a game from a rules program and returns its name.
#[pyfunction]
pub(crate) fn load_rules(py: Python<'_>, path: PathBuf) -> PyResult<&'static str> {
    py.detach(|| agon_external::load(&path)).map(Game::name).map_err(refused)
}

/// Returns the proved openings of renju: for each, Black's win against each fourth move of White.
#[pyfunction]
pub(crate) fn renju_proof(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let book = ProvedBook::own().map_err(refused)?;
    let openings = PyList::empty(py);
    for opening in &book.openings {
        let row = PyDict::new(py);
        let list = |cells: PointSet| cells.iter().map(notation::cell).collect::<Vec<_>>();
        row.set_item("black", list(opening.stones.black))?;
        row.set_item("white", list(opening.stones.white))?;
        let fourths = PyDict::new(py);
        for fourth in &opening.fourths {
            let name = fourth.cell.map_or_else(|| "PASS".to_owned(), notation::cell);
            fourths.set_item(name, fourth.status == FourthStatus::Refuted)?;
        }
        row.set_item("refuted", fourths)?;
        openings.append(row)?;
    }
    Ok(openings)
}

fn renju<'a>(position: &'a Typed, what: &str) -> PyResult<&'a Renju> {
    match position {
        Typed::Renju(placed) => Ok(&placed.now),
        _ => Err(refused(format!("there are no {what} here: they are renju's"))),
    }
}

/// The points that are forbidden to Black, and why.
///
/// # Errors
/// If it is another game.
pub(crate) fn forbidden<'py>(py: Python<'py>, position: &Typed) -> PyResult<Bound<'py, PyDict>> {
    let position = renju(position, "forbidden points")?;
    let forbidden = PyDict::new(py);
    for point in position.forbidden_points().iter() {
        let reason = position.forbidden(point).map_or_else(String::new, |reason| reason.to_string());
        forbidden.set_item(point.letters(), reason)?;
    }
    Ok(forbidden)
}

/// Returns Black's winning move in the proved book; `None` if it has none.
///
/// # Errors
/// If it is another game.
pub(crate) fn proved(position: &Typed) -> PyResult<Option<String>> {
    let position = renju(position, "proved openings")?;
    let book = ProvedBook::own().map_err(refused)?;
    Ok(book.reply(position).and_then(|m| m.point().map(Point::letters)))
}

/// Solves a position, as far as the limits allow.
///
/// # Errors
/// If the game cannot be solved, and on Ctrl-C.
pub(crate) fn solution(py: Python<'_>, position: Typed, limits: SearchLimits) -> PyResult<Bound<'_, PyDict>> {
    let stop = Stop::default();
    let solution = PyDict::new(py);
    let raised = stop.clone();
    match position {
        Typed::Renju(Placed { now: position, .. }) => {
            let found = interruptible(py, &stop, move || {
                solve(&mut Threats::new(TABLE_BYTES), &position, ThreatMode::Any, limits, &raised)
            })?;
            let found = found.map_err(refused)?;
            solution.set_item("wins", found.win)?;
            solution.set_item("line", found.line.iter().map(|m| m.letters()).collect::<Vec<_>>())?;
            solution.set_item("nodes", found.nodes)?;
        }
        Typed::Domineering(Placed { now: position, .. }) => {
            let analysis = interruptible(py, &stop, move || {
                let mut solver = Solver::new(position.board(), TABLE_BYTES);
                solver.stop_by(raised);
                solver.analyse(&position, limits, &mut |_, _| {})
            })?;
            domineering(&solution, &position, &analysis)?;
        }
        Typed::Bacteria(_) => return Err(refused("bacteria is not solved: ask an Engine")),
    }
    Ok(solution)
}

/// Values are leads of the first seat at the end of the game, in points.
fn domineering(solution: &Bound<'_, PyDict>, position: &Domineering, analysis: &Analysis) -> PyResult<()> {
    let lead = |points: i32| (position.lead() + GameScore::from(points)).as_f64();
    let (low, high) = if position.outcome().is_some() { (0, 0) } else { analysis.bounds(position) };
    let exact = low == high;
    let (low, high) = (lead(low), lead(high));
    solution.set_item("low", low)?;
    solution.set_item("high", high)?;
    solution.set_item("value", exact.then_some(low))?;
    let winner = |side: Side| Some(side.index());
    let known = if low > 0.0 {
        winner(Side::First)
    } else if high < 0.0 {
        winner(Side::Second)
    } else {
        None
    };
    solution.set_item("winner", known)?;
    let moves = PyDict::new(solution.py());
    for bounds in &analysis.moves {
        moves.set_item(bounds.m.to_string(), (lead(bounds.low), lead(bounds.high)))?;
    }
    solution.set_item("moves", moves)?;
    solution.set_item("line", analysis.line.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    Ok(())
}
