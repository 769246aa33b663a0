//! `agon lab bench`: how fast engines are.

mod args;
mod bacteria;
mod domineering;
mod renju;
mod threads;
mod time;

pub(crate) use args::BenchArgs;

use crate::exit::Exit;

pub(crate) fn run(args: &BenchArgs) -> anyhow::Result<Exit> {
    if let Some(threads) = args.threads {
        return threads::run(args, threads.into());
    }
    match args.game.name() {
        "bacteria" => bacteria::run(args),
        "renju" => renju::run(args),
        _ => domineering::run(args),
    }
}
