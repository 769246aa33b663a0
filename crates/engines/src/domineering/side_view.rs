//! The board turned so that a side's own dominoes lie along rows: one code serves both sides.

use agon_game::Side;
use agon_rules::domineering::WeightedBoard;
use agon_rules::domineering::cells::{SIZE, each};

/// Swaps rows and columns (*Hacker's Delight*, 7-3: three exchanges of ever larger blocks).
#[inline]
pub const fn transposed(cells: u64) -> u64 {
    const fn swap(cells: u64, shift: u32, mask: u64) -> u64 {
        let changed = (cells ^ (cells >> shift)) & mask;
        cells ^ changed ^ (changed << shift)
    }
    swap(swap(swap(cells, 7, 0x00aa_00aa_00aa_00aa), 14, 0x0000_cccc_0000_cccc), 28, 0x0000_0000_f0f0_f0f0)
}

/// Cells as `side` sees them: turned so that its own dominoes lie along rows.
#[inline]
pub const fn seen_by(side: Side, cells: u64) -> u64 {
    match side {
        Side::First => cells,
        Side::Second => transposed(cells),
    }
}

/// A board turned for one side, with the most points that it can get from each row by itself.
#[derive(Clone, Debug)]
pub struct SideView {
    weights: [u8; SIZE * SIZE],
    cells: u64,
    /// By row and set of empty cells in it: the most points of dominoes that fit into them, at most 8 × 99.
    packing: [[u16; 1 << SIZE]; SIZE],
}

impl SideView {
    pub fn new(board: &WeightedBoard, side: Side) -> Self {
        let mut weights = *board.weights();
        if side == Side::Second {
            for (cell, weight) in weights.iter_mut().enumerate() {
                *weight = board.weights()[cell % SIZE * SIZE + cell / SIZE];
            }
        }
        let mut packing = [[0; 1 << SIZE]; SIZE];
        for (row, packing) in packing.iter_mut().enumerate() {
            let weight = |column: usize| u16::from(weights[SIZE * row + column]);
            for set in 1..packing.len() {
                // The first cell is left alone, or covered together with its neighbour.
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
        Self { weights, cells: seen_by(side, board.cells()), packing }
    }

    pub const fn cells(&self) -> u64 {
        self.cells
    }

    #[inline]
    pub const fn weight(&self, cell: usize) -> u8 {
        self.weights[cell]
    }

    /// The most points of dominoes that fit into these cells of this row, whose bits above the eighth must be 0.
    #[inline]
    pub const fn row_packing(&self, row: usize, cells: u64) -> u16 {
        self.packing[row][cells as usize]
    }

    /// The most points of own dominoes that fit into these cells when the opponent places none.
    pub fn packing(&self, cells: u64) -> i32 {
        let rows = (0..SIZE).map(|row| i32::from(self.row_packing(row, cells >> (SIZE * row) & 0xff)));
        rows.sum()
    }

    pub fn sum(&self, cells: u64) -> i32 {
        each(cells).map(|cell| i32::from(self.weights[cell])).sum()
    }
}
