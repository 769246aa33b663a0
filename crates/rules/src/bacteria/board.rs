//! The 7 × 7 board as sets of cells: bit `row × 7 + column` of a word, rows and columns from 0.

/// Number of rows, and of columns, of the board.
pub const WIDTH: usize = 7;

/// Number of cells of the board.
pub const CELLS: usize = WIDTH * WIDTH;

/// The set of all cells.
pub const BOARD: u64 = (1 << CELLS) - 1;

/// Column 0, whose cells have no left neighbour.
const LEFT: u64 = 0x0000_0408_1020_4081;

/// Column 6, whose cells have no right neighbour.
const RIGHT: u64 = LEFT << (WIDTH - 1);

/// Size of the tables below: a power of two above [`CELLS`], so that a masked index needs no bounds check, and numbers
/// beyond the board map to the empty set.
pub(super) const SLOTS: usize = 64;

static NEIGHBOURS: [u64; SLOTS] = table(1);
static RING: [u64; SLOTS] = table(2);

/// Computes the cells at exactly `distance` from each cell, straight from the definition of the distance.
const fn table(distance: usize) -> [u64; SLOTS] {
    let mut sets = [0; SLOTS];
    let mut from = 0;
    while from < CELLS {
        let mut to = 0;
        while to < CELLS {
            if self::distance(from, to) == distance {
                sets[from] |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    sets
}

/// Returns the distance between two cells in king's steps: the larger of the row and the column distance.
///
/// ```
/// use agon_rules::bacteria::board::distance;
/// assert_eq!(distance(0, 9), 2); // (1,1) to (2,3)
/// ```
pub const fn distance(a: usize, b: usize) -> usize {
    let rows = (a / WIDTH).abs_diff(b / WIDTH);
    let columns = (a % WIDTH).abs_diff(b % WIDTH);
    if rows > columns { rows } else { columns }
}

/// Returns the set of one cell.
#[inline]
pub const fn bit(cell: usize) -> u64 {
    1 << (cell % SLOTS)
}

/// Returns the up to 8 cells at distance 1 from `cell`: the targets of its divisions, and the cells that a move to it
/// infects. Empty if `cell` is not on the board.
#[inline]
pub const fn neighbours(cell: usize) -> u64 {
    NEIGHBOURS[cell % SLOTS]
}

/// Returns the up to 16 cells at distance 2 from `cell`: the targets, and the sources, of its leaps. Empty if `cell` is
/// not on the board.
#[inline]
pub const fn ring(cell: usize) -> u64 {
    RING[cell % SLOTS]
}

/// Returns the cells of the set and all their neighbours.
///
/// ```
/// use agon_rules::bacteria::board::{bit, dilate, neighbours};
/// assert_eq!(dilate(bit(8)), bit(8) | neighbours(8));
/// ```
#[inline]
pub const fn dilate(cells: u64) -> u64 {
    let wide = cells | (cells & !RIGHT) << 1 | (cells & !LEFT) >> 1;
    (wide | wide << WIDTH | wide >> WIDTH) & BOARD
}

/// Returns the number of cells in a set.
#[inline]
pub const fn size(cells: u64) -> u32 {
    cells.count_ones()
}

/// Iterates over the cells of a set, lowest number first.
///
/// ```
/// use agon_rules::bacteria::board::Cells;
/// assert_eq!(Cells(0b1001).collect::<Vec<_>>(), [0, 3]);
/// ```
#[derive(Clone, Debug)]
pub struct Cells(pub u64);

impl Iterator for Cells {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let cell = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(cell)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (size(self.0) as usize, Some(size(self.0) as usize))
    }
}

impl ExactSizeIterator for Cells {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dilating_one_cell_gives_it_and_its_neighbours() {
        for cell in 0..CELLS {
            assert_eq!(dilate(bit(cell)), bit(cell) | neighbours(cell), "cell {cell}");
            assert_eq!(dilate(dilate(bit(cell))), bit(cell) | neighbours(cell) | ring(cell), "cell {cell}");
        }
        assert_eq!(dilate(0), 0);
        assert_eq!(dilate(BOARD), BOARD);
    }

    #[test]
    fn corners_edges_and_the_middle_have_their_numbers_of_neighbours() {
        for (cell, near, far) in [(0, 3, 5), (6, 3, 5), (48, 3, 5), (3, 5, 9), (8, 8, 7), (24, 8, 16)] {
            assert_eq!((size(neighbours(cell)), size(ring(cell))), (near, far), "cell {cell}");
        }
    }

    #[test]
    fn what_is_no_cell_has_no_neighbours() {
        for cell in CELLS..SLOTS {
            assert_eq!((neighbours(cell), ring(cell)), (0, 0), "cell {cell}");
        }
    }
}
