//! The eight ways of turning and mirroring the board.

use agon_rules::renju::{POINTS, PointSet, SIZE, Stones};

/// A symmetry of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All eight; the first leaves everything in place.
    pub const ALL: [Self; 8] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Returns the image of a point.
    #[inline]
    pub const fn cell(self, cell: u8) -> u8 {
        CELLS[self.0 as usize][cell as usize]
    }

    /// Bit 2 swaps rows and columns, then bit 0 mirrors the rows, bit 1 the columns.
    const fn turn(self, cell: u8) -> u8 {
        let size = SIZE as u8;
        let (mut row, mut column) = (cell / size, cell % size);
        if self.0 & 4 != 0 {
            (row, column) = (column, row);
        }
        if self.0 & 1 != 0 {
            row = size - 1 - row;
        }
        if self.0 & 2 != 0 {
            column = size - 1 - column;
        }
        row * size + column
    }

    pub const fn inverse(self) -> Self {
        // If rows and columns are swapped, so are the mirrors.
        if self.0 & 4 == 0 { self } else { Self(4 | (self.0 & 1) << 1 | (self.0 & 2) >> 1) }
    }

    /// Returns the image of a set of points.
    pub fn cells(self, cells: PointSet) -> PointSet {
        cells.iter().map(|cell| self.cell(cell)).collect()
    }

    /// Returns the image of stones.
    pub fn stones(self, stones: &Stones) -> Stones {
        Stones { black: self.cells(stones.black), white: self.cells(stones.white) }
    }

    /// Returns the first of the eight images in their order, and its symmetry.
    pub fn canonical(stones: &Stones) -> (Stones, Self) {
        let turned = Self::ALL.map(|symmetry| (symmetry.stones(stones), symmetry));
        turned.into_iter().min_by_key(|&(turned, _)| turned).unwrap_or((*stones, Self::ALL[0]))
    }
}

static CELLS: [[u8; POINTS]; 8] = {
    let mut cells = [[0; POINTS]; 8];
    let mut number = 0;
    while number < 8 * POINTS {
        cells[number / POINTS][number % POINTS] = Symmetry((number / POINTS) as u8).turn((number % POINTS) as u8);
        number += 1;
    }
    cells
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_are_undone_by_their_inverses() {
        for (number, symmetry) in Symmetry::ALL.into_iter().enumerate() {
            let all: PointSet = (0..POINTS as u8).map(|cell| symmetry.cell(cell)).collect();
            assert_eq!(all, PointSet::ALL, "{symmetry:?}");
            assert_eq!(symmetry.cell(112), 112, "the centre stays, {symmetry:?}");
            for cell in 0..POINTS as u8 {
                assert_eq!(symmetry.inverse().cell(symmetry.cell(cell)), cell, "{symmetry:?}");
            }
            // No two are the same: they send A14 to eight different points.
            let same = Symmetry::ALL.iter().filter(|other| other.cell(15) == symmetry.cell(15)).count();
            assert_eq!(same, 1, "{number}");
        }
    }
}
