//! A move: a domino or a PASS.

use std::fmt;

use agon_game::Side;

use super::cells::{self, SIZE, STEP};

/// A domino, named by its anchor (its direction follows from the player), or a PASS. One byte.
///
/// Written as the arguments of the judge's MOVE: row and column of the anchor, both from 1, or `-1 -1`.
///
/// ```
/// use agon_game::Side;
/// use agon_rules::domineering::Move;
/// let m = Move::at(8 * 1 + 2);
/// assert_eq!(m.to_string(), "2 3");
/// assert_eq!(m.covers(Side::First), Some([(2, 3), (2, 4)]));
/// assert_eq!(m.covers(Side::Second), Some([(2, 3), (3, 3)]));
/// assert_eq!(Move::PASS.to_string(), "-1 -1");
/// assert_eq!(Move::PASS.covers(Side::First), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    /// The anchor, or [`Move::PASS`]'s number, which is not on the board.
    cell: u8,
}

impl Move {
    /// The move without a domino.
    pub const PASS: Self = Self { cell: (SIZE * SIZE) as u8 };

    /// Creates the domino anchored at this cell (see [`cells`]), from 0 to 63; the higher bits of the number are
    /// ignored.
    #[inline]
    pub const fn at(anchor: usize) -> Self {
        Self { cell: (anchor % (SIZE * SIZE)) as u8 }
    }

    /// Returns the anchor of the domino (see [`cells`]), from 0 to 63; `None` for a PASS.
    #[inline]
    pub const fn anchor(self) -> Option<usize> {
        if self.cell == Self::PASS.cell { None } else { Some(self.cell as usize) }
    }

    /// Returns the two cells that the move covers when `side` plays it, as (row, column) from 1; `None` for a PASS.
    pub fn covers(self, side: Side) -> Option<[(usize, usize); 2]> {
        let anchor = self.anchor()?;
        Some([anchor, anchor + STEP[side.index()]].map(row_and_column))
    }
}

/// Returns the row and column of a cell, both from 1, as people and the judge count them.
pub(super) const fn row_and_column(cell: usize) -> (usize, usize) {
    (cell / SIZE + 1, cell % SIZE + 1)
}

/// Returns the cell in this row and column, both from 1.
pub(super) const fn cell_at(row: usize, column: usize) -> usize {
    cells::cell(row - 1, column - 1)
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.anchor().map(row_and_column) {
            Some((row, column)) => write!(f, "{row} {column}"),
            None => f.write_str("-1 -1"),
        }
    }
}
