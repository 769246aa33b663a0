//! Bacteria War: the best lines of the champion.

use agon_engines::bacteria::Champion;
use agon_rules::bacteria::Bacteria;
use anyhow::Context;

use super::search;
use crate::Answer;
use crate::args::AnalyzeArgs;

/// Thinks about the position, or the start of the game.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<Answer> {
    let position: Bacteria = match &args.position {
        None => Bacteria::start(),
        Some(text) => text.parse().with_context(|| format!("`{text}` is no position"))?,
    };
    search::run(args, &position, &mut <Champion>::default())
}
