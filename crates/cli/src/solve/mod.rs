//! `agon solve`: proofs, one JSON line a position, answered by one JSON line each.

mod args;
mod domineering;
mod renju;

pub(crate) use args::{GoalArg, SolveArgs};

use agon_catalog::Capability;

use crate::exit::Exit;

pub(crate) fn run(args: &SolveArgs) -> anyhow::Result<Exit> {
    if args.game.can(Capability::Solving) { domineering::run(args) } else { renju::run(args) }
}
