//! Boards to draw, independent of game and medium.
//!
//! The terminal, pictures and the browser all draw a [`View`], so a game describes its board once.

use agon_message::messages;

use crate::Side;

mod geometry;

pub use geometry::{CARD_HEIGHT, CardSpot, CardTable, Outline};

/// A board to draw, place by place.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct View {
    /// Names of the seats.
    pub seats: [&'static str; 2],
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// Number of the first row and column in programs' counting: 1 or 0.
    pub origin: usize,
    /// Letter of the first column, in games that write places as `h8`: letters for columns from the left, numbers for
    /// rows from the bottom.
    pub first_letter: Option<char>,
    /// Style of the places: squares, or crossings of lines.
    pub grid: GridStyle,
    /// Places, row by row: `rows × columns` of them; those of a graph are one row.
    pub cells: Vec<Cell>,
    /// Names and points of the places of a graph, and its edges; empty for other grids.
    pub graph: Graph,
    /// Cards, in rows beside the board.
    pub hands: Vec<Hand>,
    /// Quantities of both sides to draw as bars: cells, points, energy.
    pub gauges: Vec<Gauge>,
}

messages! {
    /// Name of a seat. Games by others have names of their own, which are the same in every language.
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum SeatName {
        Black = "Black",
        White = "White",
        Own { name: String } = "{name}",
    }

    /// Name of a quantity in a [`Gauge`].
    #[derive(Clone, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum GaugeName {
        Cells = "cells",
        Points = "points",
        Energy = "energy",
        Own { name: String } = "{name}",
    }
}

impl From<&str> for SeatName {
    fn from(name: &str) -> Self {
        match name {
            "Black" => Self::Black,
            "White" => Self::White,
            _ => Self::Own { name: name.to_owned() },
        }
    }
}

impl From<&str> for GaugeName {
    fn from(name: &str) -> Self {
        match name {
            "cells" => Self::Cells,
            "points" => Self::Points,
            "energy" => Self::Energy,
            _ => Self::Own { name: name.to_owned() },
        }
    }
}

impl View {
    /// Returns the letter of a column (from 0), or `None` if columns have no letters.
    pub fn letter(&self, column: usize) -> Option<char> {
        let first = u32::from(self.first_letter?);
        char::from_u32(first + column as u32 % 26)
    }

    /// Returns the indices in [`cells`](Self::cells) where the board has no place.
    pub fn holes(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&at| self.cells[at].is_hole()).collect()
    }

    /// Returns the index in [`cells`](Self::cells) of a place, given its row and column in the judge's counting; `None`
    /// outside the board.
    pub fn place(&self, row: usize, column: usize) -> Option<usize> {
        let (row, column) = (row.checked_sub(self.origin)?, column.checked_sub(self.origin)?);
        (row < self.rows && column < self.columns).then(|| row * self.columns + column)
    }
}

/// Kinds of places on a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum GridStyle {
    /// Squares, numbered in both directions as in `MOVE x y`.
    #[default]
    Squares,
    /// Crossings of lines, as in renju.
    Crossings,
    /// Hexagons with a point at the top: each row lies half a place further right than the one above it, so a place
    /// touches the ones beside it, those at its column and the next one in the row above, and those at its column and
    /// the one before in the row below.
    Hexagons,
    /// Triangles with their tips at the top and at the bottom in turn, along rows and columns.
    Triangles {
        /// Whether the place in the first row and column has its tip at the top.
        up: bool,
    },
    /// Points anywhere, with names, and lines between some of them.
    Graph,
}

/// Where the places of a board are that is no grid.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Graph {
    /// Its points, as many as the board has places.
    pub places: Vec<GraphPlace>,
    /// Pairs of places, as indices, with a line between them.
    pub edges: Vec<[usize; 2]>,
}

/// A point of a graph.
#[derive(Clone, PartialEq, Debug)]
pub struct GraphPlace {
    /// Name, one word.
    pub name: String,
    /// Right and down, in widths of a square.
    pub at: (f32, f32),
}

/// A row of cards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hand {
    /// Whose they are; `None` for those on the table.
    pub owner: Option<Side>,
    /// What they are, such as `bids`; empty for the hand itself.
    pub name: String,
    /// What is written on each; [`FACE_DOWN`] for one that may not be seen.
    pub cards: Vec<String>,
}

impl Hand {
    /// Returns what to write above it: whose it is, and what.
    pub fn label(&self, seats: [&str; 2]) -> String {
        match (self.owner.map(|side| seats[side.index()]), self.name.as_str()) {
            (None, name) => name.to_owned(),
            (Some(seat), "") => seat.to_owned(),
            (Some(seat), name) => format!("{seat}: {name}"),
        }
    }
}

/// A card that may not be seen.
pub const FACE_DOWN: &str = "?";

/// One place of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cell {
    /// Owner of the piece here.
    pub owner: Option<Side>,
    /// One character for plain text: `O`, `X`, `.`, a digit; a blank where the board has no place.
    pub glyph: char,
    /// A number printed on the cell itself, under any piece.
    pub weight: Option<u8>,
    /// Step (rows, columns) to the other half of a piece that covers two cells.
    pub joins: Option<(i8, i8)>,
    /// Current marks of this place.
    pub mark: Option<Mark>,
    /// Pieces that lie on each other here, if there are several; the owner of the place has the uppermost.
    pub stack: Option<Stack>,
}

/// Pieces on each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stack {
    height: u8,
    /// A bit for each piece, that of the undermost first: 1 for the second side.
    seconds: u32,
}

impl Stack {
    /// The most pieces of one stack.
    pub const MAX_HEIGHT: usize = 32;

    /// Returns the stack of these pieces, the undermost first; `None` for none, or for more than
    /// [`MAX_HEIGHT`](Self::MAX_HEIGHT).
    pub fn new(pieces: &[Side]) -> Option<Self> {
        let height = u8::try_from(pieces.len()).ok().filter(|&height| height > 0)?;
        let bit = |(at, side): (usize, &Side)| (side.index() as u32) << at;
        (pieces.len() <= Self::MAX_HEIGHT).then(|| Self { height, seconds: pieces.iter().enumerate().map(bit).sum() })
    }

    /// Returns the owners of its pieces, that of the undermost first.
    pub fn pieces(self) -> impl ExactSizeIterator<Item = Side> {
        (0..self.height).map(move |at| Side::BOTH[(self.seconds >> at & 1) as usize])
    }
}

impl Cell {
    /// Returns true where the board has no place.
    pub fn is_hole(&self) -> bool {
        self.glyph == ' ' && self.owner.is_none()
    }

    /// Returns the character in a place without a piece or number, as any game's rules may set it.
    pub fn lettering(&self) -> Option<char> {
        let drawn = matches!(self.mark, Some(Mark::Corpse | Mark::Burst | Mark::Star));
        let empty = self.owner.is_none() && self.weight.is_none() && !drawn;
        Some(self.glyph).filter(|glyph| empty && !matches!(glyph, '.' | ' ' | '\0'))
    }
}

/// A mark of a place.
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
    /// A corpse lies here.
    Corpse,
    /// An explosion happened here.
    Burst,
    /// The piece here belongs to the winning row.
    Won,
}

/// One quantity of both sides.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gauge {
    /// Name of the quantity, such as "cells".
    pub name: &'static str,
    /// Amount of each side, in halves so that half points fit.
    pub amounts: [crate::GameScore; 2],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stacks_keep_their_pieces() {
        let pieces = [Side::First, Side::Second, Side::Second];
        assert!(Stack::new(&pieces).unwrap().pieces().eq(pieces));
        assert_eq!(Stack::new(&[]), None);
        assert!(Stack::new(&[Side::First; Stack::MAX_HEIGHT]).is_some());
        assert_eq!(Stack::new(&[Side::First; Stack::MAX_HEIGHT + 1]), None);
    }
}
