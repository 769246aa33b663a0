//! Sets of cells in one word, of boards of two sizes.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

use agon_game::Side;
use agon_rules::domineering::cells::places;
use agon_search::ProofKey;

/// A set of cells: bit `SIZE` · row + column is a cell, both from 0. 64 bits hold the boards of the game, with at most
/// 8 rows and columns (see [`agon_rules::domineering::cells`]), 128 bits those with at most 10.
pub trait CellSet:
    Copy
    + Eq
    + Debug
    + ProofKey
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<usize, Output = Self>
    + Shr<usize, Output = Self>
{
    /// The most rows, and the most columns, that a board has.
    const SIZE: usize;
    const EMPTY: Self;
    /// All cells of the first column, and of the last one.
    const EDGES: [Self; 2];

    /// The set of one cell.
    fn of(cell: usize) -> Self;

    /// The anchors of every place that `side` has on these empty cells.
    fn places(self, side: Side) -> Self;

    /// Rows and columns swapped.
    fn transposed(self) -> Self;

    /// The lowest `SIZE` · `rows` cells, the lowest bit first.
    fn low_rows(self, rows: usize) -> usize;

    /// The lowest cell; of an empty set any number.
    fn lowest(self) -> usize;

    /// The set without its lowest cell.
    fn without_lowest(self) -> Self;

    fn count(self) -> u32;

    /// The two cells of every domino of `side` anchored at one of these.
    #[inline]
    fn dominoes(self, side: Side) -> Self {
        self | (self << Self::step(side))
    }

    /// From a domino's anchor to its other cell.
    #[inline]
    fn step(side: Side) -> usize {
        match side {
            Side::First => 1,
            Side::Second => Self::SIZE,
        }
    }

    /// Returns the cells as seen by `side`: transposed so that its own dominoes lie along rows.
    #[inline]
    fn seen_by(self, side: Side) -> Self {
        match side {
            Side::First => self,
            Side::Second => self.transposed(),
        }
    }

    /// The cells, lowest first.
    #[inline]
    fn each(self) -> impl Iterator<Item = usize> {
        let mut set = self;
        std::iter::from_fn(move || {
            let cell = (set != Self::EMPTY).then(|| set.lowest());
            set = set.without_lowest();
            cell
        })
    }

    /// The cells of these rows, the first of them from 0, as the lowest ones.
    #[inline]
    fn rows(self, first: usize, rows: usize) -> usize {
        (self >> (Self::SIZE * first)).low_rows(rows)
    }
}

/// Operations that are the same for integers of any width.
macro_rules! bits {
    () => {
        #[inline]
        fn of(cell: usize) -> Self {
            1 << cell
        }

        #[inline]
        fn low_rows(self, rows: usize) -> usize {
            (self & ((1 << (Self::SIZE * rows)) - 1)) as usize
        }

        #[inline]
        fn lowest(self) -> usize {
            self.trailing_zeros() as usize
        }

        #[inline]
        fn without_lowest(self) -> Self {
            self & self.wrapping_sub(1)
        }

        #[inline]
        fn count(self) -> u32 {
            self.count_ones()
        }
    };
}

impl CellSet for u64 {
    const SIZE: usize = 8;
    const EMPTY: Self = 0;
    const EDGES: [Self; 2] = [0x0101_0101_0101_0101, 0x8080_8080_8080_8080];

    #[inline]
    fn places(self, side: Side) -> Self {
        places(self, side)
    }

    /// *Hacker's Delight*, 7-3: three exchanges of ever larger blocks.
    #[inline]
    fn transposed(self) -> Self {
        const fn swap(cells: u64, shift: u32, mask: u64) -> u64 {
            let changed = (cells ^ (cells >> shift)) & mask;
            cells ^ changed ^ (changed << shift)
        }
        swap(swap(swap(self, 7, 0x00aa_00aa_00aa_00aa), 14, 0x0000_cccc_0000_cccc), 28, 0x0000_0000_f0f0_f0f0)
    }

    bits!();
}

/// Rows and columns of a large board.
const LARGE: usize = 10;

/// For each set of cells of a row, the same cells of the first column.
static COLUMNS: [u128; 1 << LARGE] = {
    let mut columns = [0; 1 << LARGE];
    let mut set = 1;
    while set < columns.len() {
        let lowest = set.trailing_zeros() as usize;
        columns[set] = columns[set & (set - 1)] | 1 << (LARGE * lowest);
        set += 1;
    }
    columns
};

const FIRST_COLUMN: u128 = {
    let mut column = 0;
    let mut row = 0;
    while row < LARGE {
        column |= 1 << (LARGE * row);
        row += 1;
    }
    column
};

impl CellSet for u128 {
    const SIZE: usize = LARGE;
    const EMPTY: Self = 0;
    const EDGES: [Self; 2] = [FIRST_COLUMN, FIRST_COLUMN << (LARGE - 1)];

    #[inline]
    fn places(self, side: Side) -> Self {
        match side {
            Side::First => self & (self >> 1) & !Self::EDGES[1],
            Side::Second => self & (self >> LARGE),
        }
    }

    #[inline]
    fn transposed(self) -> Self {
        (0..LARGE).fold(0, |set, row| set | COLUMNS[self.rows(row, 1)] << row)
    }

    bits!();
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The set behaves like a list of cells.
    fn check<S: CellSet>(mut word: impl FnMut() -> u64) {
        let size = S::SIZE;
        let mut drawn = |share: u64| {
            let cells = (0..size * size).filter(|_| word().is_multiple_of(share));
            cells.fold(S::EMPTY, |set, cell| set | S::of(cell))
        };
        for share in [1, 2, 2, 3, 9] {
            let set = drawn(share);
            let cells: Vec<usize> = set.each().collect();
            assert_eq!(cells.len(), set.count() as usize);
            let has = |row: usize, column: usize| row < size && column < size && cells.contains(&(size * row + column));
            for (side, [down, right]) in Side::BOTH.into_iter().zip([[0, 1], [1, 0]]) {
                let places: Vec<usize> = set.places(side).each().collect();
                let all = (0..size).flat_map(|row| (0..size).map(move |column| (row, column)));
                let fits = |&(row, column): &(usize, usize)| has(row, column) && has(row + down, column + right);
                let expected: Vec<usize> = all.filter(fits).map(|(row, column)| size * row + column).collect();
                assert_eq!(places, expected, "{set:?}");
            }
            let turned = set.transposed();
            assert_eq!(turned.transposed(), set);
            assert!(turned.each().all(|cell| has(cell % size, cell / size)) && turned.count() == set.count());
            for row in 0..size {
                let expected = (0..size).filter(|&column| has(row, column)).map(|column| 1 << column).sum::<usize>();
                assert_eq!(set.rows(row, 1), expected);
            }
        }
    }

    #[test]
    fn sets_of_both_sizes_are_sets_of_cells() {
        let mut stream = agon_game::seed::Stream::new(1, "cells");
        check::<u64>(|| stream.next() >> 8);
        check::<u128>(|| stream.next() >> 8);
    }
}
