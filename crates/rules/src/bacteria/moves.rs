//! A move: a division, a leap or a PASS.

use std::fmt;

use super::board::{WIDTH, bit, ring};

/// A division, a leap or PASS. Its `Display` is the judge's notation: `x1 y1 x2 y2`, row and column of the source and
/// of the destination from 1, or `-1 -1 -1 -1`.
///
/// Divisions from different sources to the same destination are different moves but lead to the same position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move {
    from: u8,
    to: u8,
}

impl Move {
    /// The move of a side without any other. Its [`from`](Self::from) and [`to`](Self::to) are not on the board.
    pub const PASS: Self = Self { from: 63, to: 63 };

    /// Creates the move between two cells, each from 0 to 48.
    ///
    /// ```
    /// use agon_rules::bacteria::Move;
    /// assert_eq!(Move::new(0, 8).to_string(), "1 1 2 2");
    /// assert_eq!(Move::PASS.to_string(), "-1 -1 -1 -1");
    /// ```
    #[inline]
    pub const fn new(from: usize, to: usize) -> Self {
        Self { from: from as u8, to: to as u8 }
    }

    /// Returns the cell that divides or leaps.
    #[inline]
    pub const fn from(self) -> usize {
        self.from as usize
    }

    /// Returns the target cell.
    #[inline]
    pub const fn to(self) -> usize {
        self.to as usize
    }

    /// Returns true for PASS.
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.to == Self::PASS.to
    }

    /// Returns true if the move empties its source.
    ///
    /// ```
    /// use agon_rules::bacteria::Move;
    /// assert!(Move::new(0, 2).is_leap());
    /// assert!(!Move::new(0, 1).is_leap());
    /// assert!(!Move::PASS.is_leap());
    /// ```
    #[inline]
    pub const fn is_leap(self) -> bool {
        ring(self.from()) & bit(self.to()) != 0
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pass() {
            return f.pad("-1 -1 -1 -1");
        }
        let digit = |place: usize| b'0' + place as u8;
        let ([x1, y1], [x2, y2]) = (place(self.from()).map(digit), place(self.to()).map(digit));
        let text = [x1, b' ', y1, b' ', x2, b' ', y2];
        f.pad(str::from_utf8(&text).expect("digits and blanks"))
    }
}

/// Returns the row and column of a cell, from 1.
const fn place(cell: usize) -> [usize; 2] {
    [cell / WIDTH + 1, cell % WIDTH + 1]
}
