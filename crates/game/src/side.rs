//! The two sides of a game, and its outcome.

use std::fmt;

/// One of the two seats: the first or the second to move.
///
/// [`crate::Show::SEATS`] has a game's own names for them (O and X, Black and White).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
pub enum Side {
    /// The seat that makes the game's first move.
    First = 0,
    /// The seat that makes the second move.
    Second = 1,
}

impl Side {
    /// Both sides, in the order of their moves.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// Returns the opponent.
    ///
    /// ```
    /// use agon_game::Side;
    /// assert_eq!(Side::First.other(), Side::Second);
    /// ```
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// Returns 0 for the first side, 1 for the second: the index into a pair.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::First => "first",
            Self::Second => "second",
        })
    }
}

/// Result of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// This side has won.
    Win(Side),
    /// Neither side has won.
    Draw,
}

impl Outcome {
    /// Compares the first side's score with the second's: the higher wins, equal scores draw.
    ///
    /// ```
    /// use agon_game::{Outcome, Side};
    /// assert_eq!(Outcome::by_score(3, 5), Outcome::Win(Side::Second));
    /// assert_eq!(Outcome::by_score(4, 4), Outcome::Draw);
    /// ```
    pub fn by_score<T: Ord + Copy>(first: T, second: T) -> Self {
        match first.cmp(&second) {
            std::cmp::Ordering::Greater => Self::Win(Side::First),
            std::cmp::Ordering::Less => Self::Win(Side::Second),
            std::cmp::Ordering::Equal => Self::Draw,
        }
    }

    /// Returns the side that won, if any.
    pub const fn winner(self) -> Option<Side> {
        match self {
            Self::Win(side) => Some(side),
            Self::Draw => None,
        }
    }
}

/// Writes `first`, `second` or `draw`, as in results and records.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(side) => side.fmt(f),
            Self::Draw => f.pad("draw"),
        }
    }
}
