//! Recorded games that the rules have proved.

use agon_catalog::{Game, Setup};
use agon_game::GameState;
use agon_referee::bout::Played;
use agon_referee::record::Record;
use agon_referee::replay::{begin, prove};
use anyhow::Context;

/// The text of a record, and what to call it.
pub(crate) struct Source {
    pub name: String,
    pub text: String,
}

/// A recorded game that the rules have proved.
pub(crate) struct RecordedGame {
    /// What to call it.
    pub name: String,
    pub record: Record,
    pub game: Game,
    /// Before anything was asked.
    pub start: Box<dyn GameState>,
    /// Where the first move is asked for.
    pub begun: Box<dyn GameState>,
    pub moves: Vec<Played>,
}

impl RecordedGame {
    /// Reads a record and proves it.
    ///
    /// # Errors
    /// If it is none, or breaks the rules.
    pub(crate) fn read(source: Source) -> anyhow::Result<Self> {
        let Source { name, text } = source;
        let record = Record::read(&text).with_context(|| format!("`{name}` is not a record of a game"))?;
        let header = &record.header;
        let game = Game::recorded(&header.game).with_context(|| format!("`{name}`"))?;
        let setup = Setup { seed: header.seed, parameters: header.parameters.clone() };
        let start = game.initial_state(&setup).with_context(|| format!("`{name}`"))?;
        let moves =
            prove(&record, start.boxed_clone().as_mut()).with_context(|| format!("`{name}` breaks the rules"))?;
        let mut begun = start.boxed_clone();
        begin(&record, begun.as_mut());
        Ok(Self { name, record, game, start, begun, moves })
    }

    /// How the game was set up.
    pub(crate) fn setup(&self) -> Setup {
        Setup { seed: self.record.header.seed, parameters: self.record.header.parameters.clone() }
    }
}
