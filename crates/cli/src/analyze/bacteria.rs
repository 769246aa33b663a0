//! Bacteria War: the best lines of the champion.

use agon_rules::bacteria::Bacteria;

use super::args::AnalyzeArgs;
use super::search::LiveAnalysis;
use super::start;
use crate::exit::Exit;

/// Thinks about the position, or the start of the game.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let position = start::position(args, || Ok(Bacteria::start()), start::position_or_moves)?;
    let mut analysis = LiveAnalysis::new(args, &position)?;
    let mut engine = agon_catalog::engine::<Bacteria>("champion", 0)?;
    let task = analysis.task(engine.as_mut())?;
    let best = engine.search(&position, &task, &mut |info| analysis.hear(info));
    analysis.finish(best, None)
}
