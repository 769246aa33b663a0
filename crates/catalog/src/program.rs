//! Games whose rules are only known at run time, as a program has them.

use std::fmt::Debug;

use agon_game::GameState;
use agon_game::perft::PerftPosition;
use agon_message::Reason;

use crate::builtin::TextEngine;
use crate::setup::{Setup, SetupError};

/// A clock that has a name in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameClock {
    pub name: &'static str,
    /// Clock as on the command line: `10s`, `10+0.1`.
    pub clock: &'static str,
    pub meaning: &'static str,
}

/// The functions of a game whose rules are a program.
pub trait RulesProgram: Debug + Sync {
    /// Returns true if two sides move in turn and see everything.
    fn has_turns(&self) -> bool;

    /// Returns true if its rules list the moves of the side to move.
    fn lists_moves(&self) -> bool;

    /// Whether its rules are not given: its stored data can be shown, but it cannot be played.
    fn is_missing(&self) -> bool {
        false
    }

    /// The clocks that its rules name.
    fn clocks(&self) -> &'static [GameClock] {
        &[]
    }

    /// The game's start under a set-up, after the moves of its opening.
    ///
    /// # Errors
    /// [`SetupError`] names the invalid parameter, or describes the error of the rules.
    fn start(&self, setup: &Setup) -> Result<Box<dyn GameState>, SetupError>;

    /// Starts a game from the position in a text.
    ///
    /// # Errors
    /// The reason why the text is invalid.
    fn state_at(&self, text: &str) -> Result<Box<dyn GameState>, Reason>;

    /// A position to count from: that of a text, or else the start under a set-up.
    ///
    /// # Errors
    /// [`SetupError`] when the text does not read, the set-up is wrong, or the rules list no moves.
    fn count(&self, text: Option<&str>, setup: &Setup) -> Result<Box<dyn PerftPosition>, SetupError>;

    /// The built-in player with this name, one of the row's, at this level.
    fn engine(&self, name: &str, level: u8) -> Box<dyn TextEngine>;
}
