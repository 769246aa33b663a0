//! `agon bench`: how fast engines are.

mod args;
mod bacteria;
mod domineering;
mod renju;

use std::time::Duration;

use agon_rules::catalog::Game;
pub use args::BenchArgs;
use nix::time::ClockId;

use crate::exit::Exit;

/// Runs the benchmark of the game.
pub fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    match args.game {
        Game::Bacteria => bacteria::run(args),
        Game::Renju => renju::run(args),
        _ => domineering::run(args),
    }
}

/// What this thread has used of a processor: a busy machine makes it no longer.
fn processor_time() -> anyhow::Result<Duration> {
    Ok(ClockId::CLOCK_THREAD_CPUTIME_ID.now()?.into())
}
