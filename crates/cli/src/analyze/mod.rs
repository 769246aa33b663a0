//! `agon analyze`: one position, looked at closely.

mod args;
mod bacteria;
mod domineering;
mod heat;
mod renju;
mod search;
mod start;

use anyhow::bail;

use crate::exit::Exit;
pub use args::AnalyzeArgs;

pub fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    match args.game()?.name() {
        "bacteria" => bacteria::run(args),
        "domineering" => domineering::run(args),
        "renju" => renju::run(args),
        _ => bail!(
            "petri cannot be analyzed: there is no line of best moves where every cell of a colony acts in every turn; \
             `agon replay FILE` shows a recorded game"
        ),
    }
}
