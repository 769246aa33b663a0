//! The best lines of the strongest built-in, in any game of moves in turn.

use agon_analysis::ending;
use agon_catalog::{Capability, Game, Setup};
use agon_game::{GameState, MoveError};
use anyhow::{Context, anyhow};

use super::args::AnalyzeArgs;
use super::search::LiveAnalysis;
use super::start;
use crate::exit::Exit;
use crate::{moves, options};

/// Thinks about the position, or the start of the game.
pub(super) fn run(args: &AnalyzeArgs, game: Game) -> anyhow::Result<Exit> {
    let setup = Setup { parameters: options::parameters(&args.parameters)?, ..Setup::default() };
    if args.record.is_none() {
        start::refuse_number(args)?;
    }
    let mut state = match (&args.position, &args.record) {
        (Some(text), _) => position_or_moves(game, &setup, text)?,
        (None, Some(record)) => game.state_at(&start::recorded(args, record)?)?,
        (None, None) => game.initial_state(&setup)?,
    };
    play(state.as_mut(), args.moves.as_deref().unwrap_or_default()).context("--moves")?;
    let position = state.position();
    let mut analysis = LiveAnalysis::new(args, state)?;
    let name = game.builtins.last().map_or("", |builtin| builtin.name);
    let mut engine = game.find(name)?.engine(0).with_context(|| format!("{game} has no engine that searches"))?;
    if let Some(bytes) = analysis.memory()? {
        engine.set_memory(bytes);
    }
    engine.set_threads(analysis.threads());
    let task = analysis.task();
    if game.can(Capability::Endings) {
        let proved = ending::prove(&position, task.limits, &task.stop).map_err(anyhow::Error::msg)?;
        analysis.prove(proved);
    }
    let best = engine.search(&position, &task, &mut |info| analysis.hear(info)).map_err(anyhow::Error::msg)?;
    analysis.finish(best, None)
}

/// Reads a position, or moves from the start of a game.
fn position_or_moves(game: Game, setup: &Setup, text: &str) -> anyhow::Result<Box<dyn GameState>> {
    let mut state = game.initial_state(setup)?;
    match moves::split(text).first().map(|word| state.read_any(word)) {
        Some(Ok(_)) => {}
        // Both a position and an illegal move can begin with these words.
        Some(Err(MoveError::Illegal { .. } | MoveError::Over { .. })) => {
            if let Ok(found) = game.state_at(text) {
                return Ok(found);
            }
        }
        Some(Err(MoveError::Malformed { .. })) | None => return Ok(game.state_at(text)?),
    }
    play(state.as_mut(), text).with_context(|| format!("`{text}`"))?;
    Ok(state)
}

fn play(state: &mut dyn GameState, text: &str) -> anyhow::Result<()> {
    for (at, word) in moves::split(text).into_iter().enumerate() {
        let played = state.read_any(word).and_then(|arguments| state.answer(&arguments));
        played.map_err(|error| anyhow!("move {}, {word}: {error}", at + 1))?;
    }
    Ok(())
}
