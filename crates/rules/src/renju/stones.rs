//! The stones of a position, as a key independent of the order of moves.

use std::fmt;

use agon_game::Side;

use super::{Board, Point, PointSet, Renju};

/// The stones of a position; written in the rules' notation with Black to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Stones {
    /// Points with a black stone.
    pub black: PointSet,
    /// Points with a white stone.
    pub white: PointSet,
}

impl Stones {
    /// Creates the stones of a board.
    pub fn from_board(board: &Board) -> Self {
        Self { black: board.stones(Side::First).iter().collect(), white: board.stones(Side::Second).iter().collect() }
    }

    /// Returns the board with these stones.
    pub fn board(&self) -> Board {
        let mut board = Board::EMPTY;
        for (side, cells) in [(Side::First, self.black), (Side::Second, self.white)] {
            for point in cells.iter().filter_map(|cell| Point::from_index(cell.into())) {
                board.place(point, side);
            }
        }
        board
    }

    /// Returns the position with this side to move and no PASS just made; `None` if two stones share a point or both
    /// sides have won.
    pub fn position(&self, turn: Side) -> Option<Renju> {
        let is_free = self.black.and(self.white).is_empty();
        is_free.then(|| Renju::new(self.board(), turn, 0, self.len()).ok()).flatten()
    }

    /// Returns the side to move if neither has passed; `None` if one must have.
    pub fn turn(&self) -> Option<Side> {
        match self.black.len().checked_sub(self.white.len())? {
            0 => Some(Side::First),
            1 => Some(Side::Second),
            _ => None,
        }
    }

    /// Returns the number of stones.
    #[allow(clippy::len_without_is_empty, reason = "no caller asks whether there are any")]
    pub const fn len(&self) -> u32 {
        self.black.len() + self.white.len()
    }

    /// Returns the empty points.
    pub fn empties(&self) -> PointSet {
        PointSet::ALL.without(self.black.or(self.white))
    }

    /// Returns true if these stones include all of the others.
    pub fn has(&self, stones: &Self) -> bool {
        stones.black.without(self.black).is_empty() && stones.white.without(self.white).is_empty()
    }

    /// Returns the stones of one side.
    pub const fn of_side(&self, side: Side) -> PointSet {
        match side {
            Side::First => self.black,
            Side::Second => self.white,
        }
    }

    /// Returns the position after this stone.
    pub fn with(mut self, side: Side, cell: u8) -> Self {
        match side {
            Side::First => self.black.insert(cell),
            Side::Second => self.white.insert(cell),
        }
        self
    }

    /// Returns the position without this stone.
    pub const fn remove(mut self, cell: u8) -> Self {
        self.black.remove(cell);
        self.white.remove(cell);
        self
    }
}

impl fmt::Display for Stones {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position(Side::First) {
            Some(position) => position.fmt(f),
            None => f.write_str("stones that are no position"),
        }
    }
}
