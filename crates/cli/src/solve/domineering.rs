//! Domineering: perfect play.

use std::time::{Duration, Instant};

use agon_engines::domineering::Solver;
use agon_engines::domineering::champion::TABLE_BYTES;
use agon_search::SearchLimits;
use serde_json::{Value, json};

use super::args::SolveArgs;
use crate::exit::Exit;
use crate::inspect::domineering;
use crate::json_lines::{answer_lines, numbers};

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<Exit> {
    let limits = SearchLimits { time: args.time.map(Duration::from), ..SearchLimits::default() };
    // Proofs for a board help with its next position.
    let mut last: Option<Solver> = None;
    answer_lines(|line| {
        let position = domineering::position(line)?;
        let start = Instant::now();
        let mut solver = match last.take() {
            Some(solver) if solver.board() == position.board() => solver,
            _ => Solver::new(position.board(), TABLE_BYTES),
        };
        let solution = solver.solve(&position, args.goal.into(), limits).ok();
        let proved = solution.is_some();
        let (value, winner, best) = solution.map_or((None, None, Vec::new()), |solution| {
            (solution.value, Some(solution.outcome.to_string()), solution.best.iter().map(numbers).collect())
        });
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        let nodes = solver.nodes();
        last = Some(solver);
        Ok::<Value, String>(json!({
            "value": value, "winner": winner, "best": best, "nodes": nodes, "ms": ms, "proved": proved,
        }))
    })
}
