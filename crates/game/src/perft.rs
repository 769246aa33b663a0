//! Counting lines of play: the standard test of a move generator.
//!
//! `perft(d)` is the number of sequences of `d` legal plies from a position. A forced pass is one ply; a finished
//! game has no moves and counts nothing below it. See <https://www.chessprogramming.org/Perft>.

use crate::{MoveError, Position, Show};

/// The count below each legal move, in the order of generation. Their sum is `perft(depth)`.
///
/// # Panics
/// If `depth` is 0: there is no move to divide by.
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(P::Move, u64)> {
    assert!(depth > 0, "divide needs a depth of at least 1");
    position.successors().into_iter().map(|(m, next)| (m, next.perft(depth - 1))).collect()
}

/// The count below a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DividedCount {
    /// The move in the judge's notation.
    pub arguments: String,
    /// The move as people write it.
    pub letters: String,
    /// The count.
    pub nodes: u64,
}

/// Counting from a position whose game is only known at run time.
pub trait PerftPosition {
    /// See [`Position::perft`].
    fn count(&self, depth: u32) -> u64;

    /// See [`divide`].
    ///
    /// # Panics
    /// If `depth` is 0.
    fn count_divided(&self, depth: u32) -> Vec<DividedCount>;

    /// Plays a move in the judge's notation or in that of people.
    ///
    /// # Errors
    /// [`MoveError`] when it is no move, or the rules refuse it.
    fn play(&mut self, text: &str) -> Result<(), MoveError>;

    /// The position in the game's own notation.
    fn text(&self) -> String;

    /// Why the counts so far mean nothing: the rules failed. `None` where rules cannot fail.
    fn failure(&self) -> Option<String> {
        None
    }
}

impl<P: Show> PerftPosition for P {
    fn count(&self, depth: u32) -> u64 {
        self.perft(depth)
    }

    fn count_divided(&self, depth: u32) -> Vec<DividedCount> {
        let named =
            |(m, nodes): (P::Move, u64)| DividedCount { arguments: m.to_string(), letters: P::letters(m), nodes };
        divide(self, depth).into_iter().map(named).collect()
    }

    fn play(&mut self, text: &str) -> Result<(), MoveError> {
        let m = self.read_any(text)?;
        self.play_unchecked(m, &mut ());
        Ok(())
    }

    fn text(&self) -> String {
        self.to_string()
    }
}
