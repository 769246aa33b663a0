//! `agon solve`: proofs, one JSON line a position, answered by one JSON line each.

mod args;
mod domineering;
mod renju;

pub use args::{GoalArg, SolveArgs};

use crate::exit::Exit;

pub fn run(args: &SolveArgs) -> anyhow::Result<Exit> {
    match args.game.name() {
        "renju" => renju::run(args),
        _ => domineering::run(args),
    }
}
