//! A move: a division, a leap or a PASS.

use std::fmt;

use super::board::{WIDTH, bit, ring};

/// A division, a leap or PASS. Its `Display` is the judge's notation: `x1 y1 x2 y2`, row and column of the source and
/// of the destination from 1, or `-1 -1 -1 -1`.
///
/// Two divisions from different sources to the same destination differ as moves but lead to the same position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Move {
    from: u8,
    to: u8,
}

impl Move {
    /// The move of a side that can do nothing else. Its [`from`](Self::from) and [`to`](Self::to) are no cells.
    pub const PASS: Self = Self { from: 63, to: 63 };

    /// The move between two cells, each from 0 to 48.
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

    /// The cell that divides or leaps.
    #[inline]
    pub const fn from(self) -> usize {
        self.from as usize
    }

    /// The cell that is filled.
    #[inline]
    pub const fn to(self) -> usize {
        self.to as usize
    }

    /// Whether this is PASS.
    #[inline]
    pub const fn is_pass(self) -> bool {
        self.to == Self::PASS.to
    }

    /// Whether the source is emptied.
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

/// Row and column of a cell, from 1.
const fn place(cell: usize) -> [usize; 2] {
    [cell / WIDTH + 1, cell % WIDTH + 1]
}
