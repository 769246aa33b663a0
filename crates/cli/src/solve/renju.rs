//! Renju: wins by fours and by threats.

use std::time::{Duration, Instant};

use agon_engines::renju::{Threats, threats};
use agon_game::Position as _;
use agon_proof::solution::{ThreatMode, solve, verify};
use agon_search::{SearchLimits, Stop};
use serde_json::json;

use super::args::SolveArgs;
use crate::exit::Exit;
use crate::inspect::renju;
use crate::json_lines::{answer_lines, numbers};

/// Moves of the winner that `--verify` checks of one win, at most.
const MAX_VERIFIED_MOVES: u64 = 1_000_000;

pub(super) fn run(args: &SolveArgs) -> anyhow::Result<Exit> {
    let limits = SearchLimits { time: args.time.map(Duration::from), ..SearchLimits::default() };
    let mode: ThreatMode = args.mode.into();
    // Results for one position may help with the next.
    let mut threats = Threats::new(threats::TABLE_BYTES);
    answer_lines(|line| {
        let position = renju::position(line)?;
        let start = Instant::now();
        let solution =
            solve(&mut threats, &position, mode, limits, &Stop::default()).map_err(|error| error.to_string())?;
        let ms = start.elapsed().as_secs_f64() * 1000.0;
        let line: Vec<Vec<i32>> = solution.line.iter().map(numbers).collect();
        let mut answer = json!({ "win": solution.win, "line": line, "nodes": solution.nodes, "ms": ms });
        if args.verify && solution.win == Some(true) && position.outcome().is_none() {
            answer["verified"] = json!(verify(&mut threats, &position, MAX_VERIFIED_MOVES).ok());
        }
        Ok(answer)
    })
}
