//! Built-in players: the protocol of a seat as function calls.

use crate::{Evaluation, GameState, Side, TimeControl};

/// A program that plays one seat of one game. Its methods are the commands that a process reads from its pipes, in the
/// judge's notation.
pub trait Player: Send {
    /// READY: starts playing `side`, given the lines that the judge sent before (empty for most games).
    ///
    /// # Errors
    /// The reason why this player cannot take the seat, such as an invalid board in the preamble.
    fn ready(&mut self, side: Side, preamble: &str) -> Result<(), String>;

    /// Called before each TURN with the current state. Players that follow the game by its moves ignore it.
    fn see(&mut self, _state: &dyn GameState) {}

    /// TURN: chooses a move, given both clocks, and returns the arguments of its MOVE.
    ///
    /// # Errors
    /// The reason why it cannot move, such as a call out of the protocol's order.
    fn choose(&mut self, own: TimeControl, opponent: TimeControl) -> Result<String, String>;

    /// OPP: takes the opponent's move, given as the arguments of its MOVE.
    ///
    /// # Errors
    /// The reason why the move cannot be played: judge and player disagree about the position.
    fn opponent(&mut self, arguments: &str) -> Result<(), String>;

    /// INFO: takes a line that the rules send to this side during the game. Players that see the state ignore it.
    fn inform(&mut self, _line: &str) {}

    /// Returns the evaluation behind its last move, if it uses scores.
    fn evaluation(&self) -> Option<Evaluation> {
        None
    }

    /// Returns true if the player resigned in its last TURN, as people do; its answer then is not a move.
    fn has_resigned(&self) -> bool {
        false
    }
}

/// A built-in program of a game played per action. It keeps no state: an answer depends only on the input and the seed.
pub trait Stateless: Send + Sync {
    /// Answers one input: `BEGIN`, or the prompt of an actor. All randomness comes from the seed.
    ///
    /// # Errors
    /// The reason why the input is invalid.
    fn respond(&self, input: &[u8], seed: u64) -> Result<String, String>;
}
