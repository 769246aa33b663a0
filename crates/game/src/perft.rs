//! Counting lines of play: the standard test of a move generator.
//!
//! `perft(d)` is the number of sequences of `d` legal plies from a position. A forced pass is one ply; lines end with a
//! finished game, which has no moves. See <https://www.chessprogramming.org/Perft>.

use crate::{MoveError, Position, Show};

/// Returns the count below each legal move, in the order of generation. Their sum is `perft(depth)`.
///
/// # Panics
/// If `depth` is 0.
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(P::Move, u64)> {
    assert!(depth > 0, "divide needs a depth of at least 1");
    position.successors().into_iter().map(|(m, next)| (m, next.perft(depth - 1))).collect()
}

/// The count below a move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DividedCount {
    /// Move in the judge's notation.
    pub arguments: String,
    /// Move in people's notation.
    pub letters: String,
    /// Number of lines below the move.
    pub nodes: u64,
}

/// Counts lines from a position whose game is only known at run time.
pub trait PerftPosition {
    /// See [`Position::perft`].
    fn count(&self, depth: u32) -> u64;

    /// See [`divide`].
    ///
    /// # Panics
    /// If `depth` is 0.
    fn count_divided(&self, depth: u32) -> Vec<DividedCount>;

    /// Plays a move, in the judge's or people's notation.
    ///
    /// # Errors
    /// [`MoveError`] if the text is not a move or the rules refuse it.
    fn play(&mut self, text: &str) -> Result<(), MoveError>;

    /// Returns the position in the game's notation.
    fn text(&self) -> String;

    /// Returns why the rules failed, which makes all counts so far invalid. `None` if rules cannot fail.
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
