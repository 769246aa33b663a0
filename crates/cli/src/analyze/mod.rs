//! `agon analyze`: one position, looked at closely.

mod bacteria;
mod search;

use agon_rules::catalog::Game;
use anyhow::bail;

use crate::Answer;
use crate::args::AnalyzeArgs;

/// Analyzes the position.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<Answer> {
    match args.game {
        Game::Bacteria => bacteria::run(args),
        game => bail!("{game} cannot be analyzed yet"),
    }
}
