//! `agon analyze`: one position, looked at closely.

mod args;
mod domineering;
mod heat;
mod large;
mod lines;
mod renju;
mod search;
mod start;

use agon_catalog::Capability;
use anyhow::bail;

use crate::exit::Exit;
pub(crate) use args::AnalyzeArgs;

pub(crate) fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let game = args.game()?;
    if !game.has_turns() && game.has_sessions() {
        bail!("{game} cannot be analyzed: its rules list no moves that both sides may see");
    }
    if !game.has_turns() {
        bail!(
            "{game} cannot be analyzed: there is no line of best moves where every cell of a colony acts in every \
             turn; `agon replay FILE` shows a recorded game"
        );
    }
    if !args.parameters.is_empty() && game.can(Capability::Solving) {
        bail!("{game} is analyzed from a position: --set is for games that begin at their start");
    }
    if game.can(Capability::Solving) {
        domineering::run(args)
    } else if game.can(Capability::Threats) {
        renju::run(args)
    } else {
        lines::run(args, game)
    }
}
