//! The squares of a dish.

use agon_game::Side;

use super::{Direction, Directions};

/// Maximum length of a side of a dish.
pub const MAX_SIDE: usize = 255;

/// Coordinates of a square: columns from the left and rows from the top, both from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Column, from 0 at the left.
    pub x: u8,
    /// Row, from 0 at the top.
    pub y: u8,
}

impl Place {
    /// Returns the neighbouring place; beyond the left and upper edges it becomes 255, which is outside every dish.
    #[inline]
    pub const fn step(self, direction: Direction) -> Self {
        Self { x: self.x.wrapping_add_signed(direction.dx()), y: self.y.wrapping_add_signed(direction.dy()) }
    }
}

/// Content of a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Square {
    Empty,
    Corpse,
    First,
    Second,
    /// The frame around the dish, which saves tests for the edge when looking at neighbours.
    Wall,
}

impl Square {
    /// Number of kinds.
    const KINDS: usize = 5;

    #[inline]
    pub(super) const fn from_side(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }

    /// Returns the owner of the living cell.
    #[inline]
    pub(super) const fn side(self) -> Option<Side> {
        match self {
            Self::First => Some(Side::First),
            Self::Second => Some(Side::Second),
            Self::Empty | Self::Corpse | Self::Wall => None,
        }
    }
}

/// All squares of one kind, summed up: the cells of a colony, or the corpses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SquareSum {
    /// Number of squares.
    pub count: u32,
    /// Sum of their columns.
    pub x: u32,
    /// Sum of their rows.
    pub y: u32,
}

/// The squares row by row with a frame of wall around them, and their sums.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    pub(super) width: usize,
    pub(super) height: usize,
    squares: Vec<Square>,
    /// The cells of each colony as bits, row by row; each row has an extra word, so that 64 columns from any column on
    /// are in two adjacent words.
    colonies: [Vec<u64>; 2],
    sums: [SquareSum; Square::KINDS],
}

impl Grid {
    /// Creates an empty dish of at most [`MAX_SIDE`] × [`MAX_SIDE`].
    pub(super) fn new(width: usize, height: usize) -> Self {
        debug_assert!(width <= MAX_SIDE && height <= MAX_SIDE);
        let mut squares = vec![Square::Wall; (width + 2) * (height + 2)];
        for row in squares.chunks_exact_mut(width + 2).skip(1).take(height) {
            row[1..=width].fill(Square::Empty);
        }
        let bits = vec![0; words(width) * height];
        Self { width, height, squares, colonies: [bits.clone(), bits], sums: [SquareSum::default(); Square::KINDS] }
    }

    /// Returns the index of a place on the dish or next to it, which also numbers all other data of the place.
    #[inline]
    pub(super) const fn index(&self, place: Place) -> usize {
        // A step beyond the left or upper edge wraps to 255 and lands in the frame; on the longest dish a step beyond
        // the right or lower edge wraps as well, into a frame that works as a wall just the same.
        place.y.wrapping_add(1) as usize * (self.width + 2) + place.x.wrapping_add(1) as usize
    }

    /// Returns the number of squares with the frame: the bound of [`Self::index`].
    pub(super) const fn len(&self) -> usize {
        self.squares.len()
    }

    /// Returns the content of a place inside.
    #[inline]
    pub(super) fn at(&self, index: usize) -> Square {
        self.squares[index]
    }

    /// Returns the content of any place; a wall outside the dish.
    #[inline]
    pub(super) fn look(&self, place: Place) -> Square {
        if usize::from(place.x) < self.width && usize::from(place.y) < self.height {
            self.squares[self.index(place)]
        } else {
            Square::Wall
        }
    }

    /// Returns a whole row.
    #[inline]
    pub(super) fn row(&self, y: usize) -> &[Square] {
        let start = (y + 1) * (self.width + 2) + 1;
        &self.squares[start..start + self.width]
    }

    /// Returns a side's cells of a row inside, from a column inside on: bit `i` is column `from + i`.
    #[inline]
    pub(super) fn colony(&self, side: Side, y: usize, from: usize) -> u64 {
        let first = y * words(self.width) + from / 64;
        let bits = &self.colonies[side.index()][first..first + 2];
        let shift = from % 64;
        // Two shifts, since one by 64 is none.
        bits[0] >> shift | bits[1] << 1 << (63 - shift)
    }

    /// Puts something on a square of the dish.
    #[inline]
    pub(super) fn put(&mut self, place: Place, square: Square) {
        let index = self.index(place);
        let before = std::mem::replace(&mut self.squares[index], square);
        let (x, y) = (u32::from(place.x), u32::from(place.y));
        // The sum over empty squares starts out wrong and is never read; wrapping keeps it harmless.
        let old = &mut self.sums[before as usize];
        old.count = old.count.wrapping_sub(1);
        old.x = old.x.wrapping_sub(x);
        old.y = old.y.wrapping_sub(y);
        let new = &mut self.sums[square as usize];
        new.count = new.count.wrapping_add(1);
        new.x = new.x.wrapping_add(x);
        new.y = new.y.wrapping_add(y);
        let word = usize::from(place.y) * words(self.width) + usize::from(place.x) / 64;
        let bit = 1 << (place.x % 64);
        if let Some(side) = before.side() {
            self.colonies[side.index()][word] &= !bit;
        }
        if let Some(side) = square.side() {
            self.colonies[side.index()][word] |= bit;
        }
    }

    /// Returns the sums of the squares of a kind.
    #[inline]
    pub(super) fn sum_of(&self, square: Square) -> SquareSum {
        debug_assert!(!matches!(square, Square::Empty | Square::Wall));
        self.sums[square as usize]
    }

    /// Returns the eight neighbours of a place inside.
    #[inline]
    pub(super) fn around(&self, place: Place) -> Ring {
        let stride = self.width + 2;
        let centre = self.index(place);
        let mut kinds = 0;
        // Nine squares in three slices of three: one bounds check a row.
        for (row, base) in [centre - stride - 1, centre - 1, centre + stride - 1].into_iter().enumerate() {
            let squares = &self.squares[base..base + 3];
            for (column, &square) in squares.iter().enumerate() {
                if let Some(direction) = const { ROWS }[row][column] {
                    kinds |= 1_u64 << (square as u32 * 8 + direction as u32);
                }
            }
        }
        Ring { kinds }
    }
}

/// Returns the number of words for a row of bits.
#[inline]
const fn words(width: usize) -> usize {
    width / 64 + 2
}

/// The directions in their positions on the dish.
const ROWS: [[Option<Direction>; 3]; 3] = [
    [Some(Direction::NorthWest), Some(Direction::North), Some(Direction::NorthEast)],
    [Some(Direction::West), None, Some(Direction::East)],
    [Some(Direction::SouthWest), Some(Direction::South), Some(Direction::SouthEast)],
];

/// The neighbourhood of a place: one byte for every kind of square, with one bit for every direction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ring {
    kinds: u64,
}

impl Ring {
    /// Returns the directions of neighbours of this kind.
    #[inline]
    pub(super) const fn of(self, square: Square) -> Directions {
        Directions::from_bits((self.kinds >> (square as u32 * 8)) as u8)
    }
}
