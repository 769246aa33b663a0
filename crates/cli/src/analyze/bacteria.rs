//! Bacteria War: the best lines of the champion.

use agon_engines::registry;
use agon_rules::bacteria::Bacteria;
use anyhow::Context;

use super::args::AnalyzeArgs;
use super::search;
use crate::exit::Exit;

/// Thinks about the position, or the start of the game.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let position: Bacteria = match &args.position {
        None => Bacteria::start(),
        Some(text) => text.parse().with_context(|| format!("`{text}` is no position"))?,
    };
    search::run(args, &position, registry::bacteria("champion")?.make(0).as_mut())
}
