//! A board to be drawn, whatever the game and wherever it is drawn.
//!
//! The terminal, pictures and the browser all draw a [`View`], so a game describes its board once.

use crate::Side;

/// A board to be drawn, place by place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// What the seats are called.
    pub seats: [&'static str; 2],
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// The number of the first row and of the first column, as programs count: 1, or 0.
    pub origin: usize,
    /// The letter of the first column, where people write places as `h8`: columns by letters from the left, rows by
    /// numbers from the bottom, both from the lower left corner.
    pub first_letter: Option<char>,
    /// Cells, or points where lines cross.
    pub grid: GridStyle,
    /// Row by row, `rows × columns` of them.
    pub cells: Vec<Cell>,
    /// Quantities of both sides to be drawn as bars: cells, points, energy.
    pub gauges: Vec<Gauge>,
}

impl View {
    /// The letter of a column, from 0, where columns have letters.
    pub fn letter(&self, column: usize) -> Option<char> {
        let first = u32::from(self.first_letter?);
        char::from_u32(first + column as u32 % 26)
    }

    /// The number of a place in [`cells`](Self::cells) by its row and column as the judge counts them; `None` outside
    /// the board.
    pub fn place(&self, row: usize, column: usize) -> Option<usize> {
        let (row, column) = (row.checked_sub(self.origin)?, column.checked_sub(self.origin)?);
        (row < self.rows && column < self.columns).then(|| row * self.columns + column)
    }
}

/// What the places of a board are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GridStyle {
    /// Squares, numbered in both directions as in `MOVE x y`.
    Squares,
    /// Crossings of lines, as in renju.
    Crossings,
}

/// One place of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// Whose piece stands here.
    pub owner: Option<Side>,
    /// One character for plain text: `O`, `X`, `.`, a digit.
    pub glyph: char,
    /// A number printed on the cell itself, under any piece.
    pub weight: Option<u8>,
    /// The step (rows, columns) to the other half of a piece that covers two cells.
    pub joins: Option<(i8, i8)>,
    /// What is special about it now.
    pub mark: Option<Mark>,
}

impl Cell {
    /// The character that stands in a place without a piece or a number, as rules of any game may write it there.
    pub fn lettering(&self) -> Option<char> {
        let drawn = matches!(self.mark, Some(Mark::Corpse | Mark::Burst | Mark::Star));
        let empty = self.owner.is_none() && self.weight.is_none() && !drawn;
        Some(self.glyph).filter(|glyph| empty && !matches!(glyph, '.' | ' ' | '\0'))
    }
}

/// What can be special about a place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The last move put a piece here.
    Placed,
    /// The last move turned the piece here to the other side.
    Captured,
    /// The last move took the piece away from here.
    Vacated,
    /// The side to move may not play here.
    Forbidden,
    /// A star point printed on the board.
    Star,
    /// Something dead lies here.
    Corpse,
    /// Something burst here.
    Burst,
    /// The piece here is one of those that have won the game.
    Won,
}

/// One quantity of both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gauge {
    /// What is measured: "cells".
    pub name: &'static str,
    /// Each side's amount, in halves so that half points fit.
    pub amounts: [crate::GameScore; 2],
}
