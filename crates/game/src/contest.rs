//! What a referee sees of a game.

use crate::{MoveError, Outcome, Score, Side, View};

/// How and why a game has ended by its own rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The result.
    pub outcome: Outcome,
    /// In words: "no empty cell is left".
    pub reason: String,
}

/// A game in progress, as a referee handles it: who must answer now, what they are shown, what their answer does.
///
/// Object-safe, so that a referee never needs to know which game it judges.
pub trait Contest: Send {
    /// What the game calls its two seats.
    fn seats(&self) -> [&'static str; 2];

    /// Lines sent to both agents before READY, each ending in a newline.
    fn preamble(&self) -> String;

    /// Who must answer now; `None` exactly when the game is over.
    fn turn(&self) -> Option<Side>;

    /// Plays the answer of the side to move, given as the arguments of its MOVE, and returns the arguments by which
    /// the opponent is told of it.
    ///
    /// # Errors
    /// [`MoveError`] when the rules refuse it; the game is then as it was.
    fn answer(&mut self, arguments: &str) -> Result<String, MoveError>;

    /// The last move as people write it, where that is not the judge's notation: `H8`.
    fn spoken(&self) -> Option<String> {
        None
    }

    /// How the game has ended, or `None` while it goes on.
    fn ending(&self) -> Option<Ending>;

    /// Both sides' points so far, where the game has any.
    fn score(&self) -> Option<[Score; 2]>;

    /// Moves played so far, passes included.
    fn ply(&self) -> u32;

    /// The position in the game's own notation.
    fn position(&self) -> String;

    /// The board to be drawn, with the last move marked.
    fn view(&self) -> View;

    /// The state of play, to go back to.
    fn boxed_clone(&self) -> Box<dyn Contest>;
}
