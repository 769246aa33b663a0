//! The stones on the board, kept as lines of bits.

use agon_game::Side;

use super::point::Points;
use super::{Axis, POINTS, Point, RuleSet, SIZE, Window};

/// Number of lines of the board: 15 rows, 15 columns, 29 diagonals of each kind.
const LINES: usize = 2 * SIZE + 2 * (2 * SIZE - 1);

/// Position of a point on a line.
#[derive(Clone, Copy)]
struct LineBit {
    line: u8,
    bit: u8,
}

/// The bits of a point on its four lines, in the order of [`Axis::ALL`]. A point's bit on a diagonal is its
/// column, so that short diagonals need no shifting; their unused bits are never on the board.
const LINE_BITS: [[LineBit; 4]; POINTS] = {
    let mut bits = [[LineBit { line: 0, bit: 0 }; 4]; POINTS];
    let mut index = 0;
    while index < POINTS {
        let (row, column) = (index / SIZE, index % SIZE);
        let diagonals = 2 * SIZE;
        bits[index] = [
            LineBit { line: row as u8, bit: column as u8 },
            LineBit { line: (SIZE + column) as u8, bit: row as u8 },
            LineBit { line: (diagonals + SIZE - 1 + column - row) as u8, bit: column as u8 },
            LineBit { line: (diagonals + 2 * SIZE - 1 + column + row) as u8, bit: column as u8 },
        ];
        index += 1;
    }
    bits
};

/// The bits of each line that are points of the board.
const ON_BOARD: [u16; LINES] = {
    let mut on_board = [0; LINES];
    let mut index = 0;
    while index < POINTS {
        let mut direction = 0;
        while direction < 4 {
            let place = LINE_BITS[index][direction];
            on_board[place.line as usize] |= 1 << place.bit;
            direction += 1;
        }
        index += 1;
    }
    on_board
};

/// The stones of both sides. Every line of the board is kept as 15 bits for each side, so that the surroundings of a
/// point in any direction are two shifts away. The board knows its rule set, so that every question about a row has one
/// answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    lines: [[u16; LINES]; 2],
    rules: RuleSet,
}

impl Board {
    /// The board without stones, under the usual rules.
    pub const EMPTY: Self = Self::empty(RuleSet::Alphano);

    /// Returns the board without stones.
    pub const fn empty(rules: RuleSet) -> Self {
        Self { lines: [[0; LINES]; 2], rules }
    }

    /// Returns the same stones under another rule set.
    #[must_use]
    pub const fn under(mut self, rules: RuleSet) -> Self {
        self.rules = rules;
        self
    }

    /// Returns the rule set.
    #[inline]
    pub const fn rules(&self) -> RuleSet {
        self.rules
    }

    /// Returns the owner of the stone on a point.
    #[inline]
    pub const fn owner(&self, point: Point) -> Option<Side> {
        let LineBit { line, bit } = LINE_BITS[point.index()][Axis::Row as usize];
        if self.lines[0][line as usize] >> bit & 1 == 1 {
            Some(Side::First)
        } else if self.lines[1][line as usize] >> bit & 1 == 1 {
            Some(Side::Second)
        } else {
            None
        }
    }

    /// Puts a stone on an empty point.
    #[inline]
    pub fn place(&mut self, point: Point, side: Side) {
        debug_assert!(self.owner(point).is_none(), "{point} is taken");
        for LineBit { line, bit } in LINE_BITS[point.index()] {
            self.lines[side.index()][line as usize] |= 1 << bit;
        }
    }

    /// Returns the stones of a side.
    pub fn stones(&self, side: Side) -> Points {
        let mut rows = [0; SIZE];
        rows.copy_from_slice(&self.lines[side.index()][..SIZE]);
        Points::from_rows(rows)
    }

    /// Returns the points without a stone.
    pub fn empties(&self) -> Points {
        Points::from_rows(std::array::from_fn(|row| ON_BOARD[row] & !self.lines[0][row] & !self.lines[1][row]))
    }

    /// Returns the surroundings of a point on one line: the stones of `side`, and the empty points.
    #[inline]
    pub const fn window(&self, side: Side, point: Point, direction: Axis) -> Window {
        let LineBit { line, bit } = LINE_BITS[point.index()][direction as usize];
        let own = self.lines[side.index()][line as usize];
        let other = self.lines[side.other().index()][line as usize];
        Window { own: cut(own, bit), empty: cut(ON_BOARD[line as usize] & !own & !other, bit) }
    }

    /// Returns true if a stone of `side` on a point makes its winning row: in renju for Black a FIVE, for White a FIVE
    /// or an OVERLINE (statement, section 3).
    #[inline]
    pub fn wins(&self, side: Side, point: Point) -> bool {
        Axis::ALL.into_iter().any(|direction| self.rules.row_wins(side, self.window(side, point, direction).row()))
    }

    /// Returns the winning row of `side`, if it has one.
    pub fn winning_row(&self, side: Side) -> Option<WinningRow> {
        self.stones(side).iter().find_map(|first| {
            Axis::ALL.into_iter().find_map(|direction| {
                let place = LINE_BITS[first.index()][direction as usize];
                let line = self.lines[side.index()][place.line as usize];
                let starts = line << 1 >> place.bit & 1 == 0;
                let length = (line >> place.bit).trailing_ones() as u8;
                let won = starts && self.rules.row_wins(side, length.into());
                let last = won.then(|| first.along(direction, length as i8 - 1))??;
                Some(WinningRow { direction, first, last, length })
            })
        })
    }
}

/// Returns the eleven bits of a line around one of them, which becomes [`Window::CENTRE`].
#[inline]
const fn cut(line: u16, bit: u8) -> u16 {
    ((line as u32) << Window::CENTRE >> bit & 0x7ff) as u16
}

/// An unbroken row of stones, bounded by the edge, the other colour or empty points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WinningRow {
    /// Axis of the row.
    pub direction: Axis,
    /// First stone: the leftmost, or the uppermost of a column.
    pub first: Point,
    /// Last stone.
    pub last: Point,
    /// Number of stones, 5 to 15.
    pub length: u8,
}

impl WinningRow {
    /// Returns true if one of the stones is on this point.
    pub fn contains(&self, point: Point) -> bool {
        (0..self.length as i8).any(|steps| self.first.along(self.direction, steps) == Some(point))
    }
}
