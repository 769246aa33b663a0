//! Built-in players: the interface of a seat as function calls.

use crate::{Evaluation, GameState, Side, TimeControl};

/// A program that plays one seat of one game, asked in the judge's notation: the commands that a process reads
/// from its pipes, as function calls.
pub trait Player: Send {
    /// READY: which side to play, and the lines that the judge sent before (empty for most games).
    ///
    /// # Errors
    /// A text that says why this player cannot take the seat (a preamble that is no board).
    fn ready(&mut self, side: Side, preamble: &str) -> Result<(), String>;

    /// Before each TURN: the game as it stands. Players that follow the game by its moves alone do not look at it.
    fn see(&mut self, _state: &dyn GameState) {}

    /// TURN: chooses a move by its own clock and the opponent's, and returns the arguments of its MOVE.
    ///
    /// # Errors
    /// A text that says why it cannot: it was not asked in the order of the protocol.
    fn choose(&mut self, own: TimeControl, opponent: TimeControl) -> Result<String, String>;

    /// OPP: the opponent has played a move, given as the arguments of its MOVE.
    ///
    /// # Errors
    /// A text that says why the move cannot be played: the judge and this player disagree about the position.
    fn opponent(&mut self, arguments: &str) -> Result<(), String>;

    /// What it thought of the position in which it chose its last move, if it thinks in scores.
    fn evaluation(&self) -> Option<Evaluation> {
        None
    }

    /// Whether it gave the game up when it was asked for a move last, as people do; what it returned is no move then.
    fn has_resigned(&self) -> bool {
        false
    }
}

/// A built-in program of a game played per action: it keeps no state, so an answer follows from the input and the seed
/// alone.
pub trait Stateless: Send + Sync {
    /// Answers one input, `BEGIN` or what an actor is shown. Chance follows from the seed.
    ///
    /// # Errors
    /// A text that says why the input cannot be understood.
    fn respond(&self, input: &[u8], seed: u64) -> Result<String, String>;
}
