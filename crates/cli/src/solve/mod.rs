//! `agon solve`: proofs, one JSON line a position, answered by one JSON line each.

mod domineering;
mod renju;

use agon_rules::catalog::Game;

use crate::Answer;
use crate::args::SolveArgs;

/// Answers every line of standard input.
pub fn run(args: &SolveArgs) -> anyhow::Result<Answer> {
    match args.game {
        Game::Renju => renju::run(args),
        _ => domineering::run(args),
    }
}
