//! Counting lines of play: the standard test of a move generator.
//!
//! `perft(d)` is the number of sequences of `d` legal plies from a position. A forced pass is one ply; a finished
//! game has no moves and counts nothing below it. See <https://www.chessprogramming.org/Perft>.

use crate::Position;

/// The count below each legal move, in the order of generation. Their sum is `perft(depth)`.
///
/// # Panics
/// If `depth` is 0: there is no move to divide by.
pub fn divide<P: Position>(position: &P, depth: u32) -> Vec<(P::Move, u64)> {
    assert!(depth > 0, "divide needs a depth of at least 1");
    position.successors().into_iter().map(|(m, next)| (m, next.perft(depth - 1))).collect()
}

/// Counting from a position whose game is only known at run time.
pub trait PerftPosition {
    /// See [`Position::perft`].
    fn count(&self, depth: u32) -> u64;

    /// See [`divide`]; moves in the judge's notation.
    ///
    /// # Panics
    /// If `depth` is 0.
    fn count_divided(&self, depth: u32) -> Vec<(String, u64)>;

    /// The position in the game's own notation.
    fn text(&self) -> String;
}

impl<P: Position> PerftPosition for P {
    fn count(&self, depth: u32) -> u64 {
        self.perft(depth)
    }

    fn count_divided(&self, depth: u32) -> Vec<(String, u64)> {
        divide(self, depth).into_iter().map(|(m, nodes)| (m.to_string(), nodes)).collect()
    }

    fn text(&self) -> String {
        self.to_string()
    }
}
