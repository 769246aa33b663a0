//! The board transposed so that a side's own dominoes lie along rows: the same code serves both sides.

use agon_game::Side;

use super::cell_set::CellSet;

/// A board turned for one side, with the most points that it can get from each row by itself.
#[derive(Clone, Debug)]
pub struct SideView<S> {
    /// Indexed by cell (see [`CellSet`]).
    weights: Vec<u8>,
    cells: S,
    /// Maximum points of dominoes that fit into a row's set of empty cells, indexed by row and set; at most 10 × 99.
    packing: Vec<u16>,
}

impl<S: CellSet> SideView<S> {
    /// A view of the board with these cells, and weights by cell.
    pub fn new(cells: S, weights: &[u8], side: Side) -> Self {
        let size = S::SIZE;
        let turned = |cell: usize| match side {
            Side::First => cell,
            Side::Second => cell % size * size + cell / size,
        };
        let weights: Vec<u8> = (0..size * size).map(|cell| weights[turned(cell)]).collect();
        let mut packing = vec![0; size << size];
        for (row, packing) in packing.chunks_exact_mut(1 << size).enumerate() {
            let weight = |column: usize| u16::from(weights[size * row + column]);
            for set in 1..packing.len() {
                // The first cell stays empty, or is covered together with its neighbour.
                let first = set.trailing_zeros() as usize;
                let rest = set & (set - 1);
                let pair = if rest >> first & 0b10 == 0 {
                    0
                } else {
                    weight(first) + weight(first + 1) + packing[rest & (rest - 1)]
                };
                packing[set] = pair.max(packing[rest]);
            }
        }
        Self { weights, cells: cells.seen_by(side), packing }
    }

    pub const fn cells(&self) -> S {
        self.cells
    }

    #[inline]
    pub fn weight(&self, cell: usize) -> u8 {
        self.weights[cell]
    }

    /// The most points of dominoes that fit into this set of cells of this row.
    #[inline]
    pub fn row_packing(&self, row: usize, cells: usize) -> u16 {
        self.packing[row << S::SIZE | cells]
    }

    /// The most points of own dominoes that fit into these cells when the opponent places none.
    pub fn packing(&self, cells: S) -> i32 {
        (0..S::SIZE).map(|row| i32::from(self.row_packing(row, cells.rows(row, 1)))).sum()
    }
}
