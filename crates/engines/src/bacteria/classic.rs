//! The hand-made static evaluation: a weighted sum of counts.

use agon_game::{Observer, Position, Side};
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::{BOARD, dilate, size};
use agon_search::Evaluate;

use super::moves::reach;

agon_search::parameters! {
    /// The weights of the hand-made evaluation, in hundredths of a cell.
    pub struct Weights {
        cell: 100 in 0..=400 step 5,
        tempo: 100 in 0..=400 step 10,
        /// Each cell that the best move of the side to move infects.
        strike: 70 in -100..=300 step 8,
        /// An empty cell that one can divide into.
        room: 4 in -100..=100 step 2,
        /// An own cell that the opponent could infect with its next move.
        exposed: -50 in -150..=100 step 3,
        /// An own cell without an empty neighbour.
        safe: 6 in -100..=150 step 3,
        /// An own cell at the edge.
        edge: 35 in -100..=100 step 2,
        /// Additional weight of a corner.
        corner: -25 in -100..=100 step 3,
    }
}

/// The cells at the edge.
const EDGE: u64 = BOARD & !0x0000_01f3_e7cf_9f00;

const CORNERS: u64 = 1 | 1 << 6 | 1 << 42 | 1 << 48;

/// The cells of column 1.
const LEFT: u64 = 0x0000_0408_1020_4081;

/// The cells of column 7.
const RIGHT: u64 = LEFT << 6;

/// Number of these cells around each cell of the board, in binary: the ones, twos, fours and eights of all cells.
/// Counting all of them at once takes less time than counting two of them one by one.
pub(super) const fn around(cells: u64) -> [u64; 4] {
    let (left, right) = ((cells & !RIGHT) << 1, (cells & !LEFT) >> 1);
    // Two next to a cell; three in the row above and in the row below it.
    let (beside, beside2) = (left ^ right, left & right);
    let (three, three2) = (beside ^ cells, beside2 | beside & cells);
    let (above, above2) = (three << 7 & BOARD, three2 << 7 & BOARD);
    let (below, below2) = (three >> 7, three2 >> 7);
    let ones = beside ^ above ^ below;
    let carry = beside & above | below & (beside ^ above);
    // Four sets of twos.
    let (a, b) = (beside2 ^ above2, beside2 & above2);
    let (c, d) = (below2 ^ carry, below2 & carry);
    let (twos, e) = (a ^ c, a & c);
    // At most two of these are set, except for all eight around.
    [ones, twos, b ^ d ^ e, b & d | e & (b ^ d)]
}

/// The most of these cells that any cell of `places` has around it.
#[inline]
pub(super) fn most(planes: [u64; 4], mut places: u64) -> i32 {
    let mut most = 0;
    for (i, plane) in planes.into_iter().enumerate().rev() {
        if places & plane != 0 {
            places &= plane;
            most |= 1 << i;
        }
    }
    most
}

/// Uses only the position: cells, room to divide, cells in danger and safe cells, the edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Classic {
    pub weights: Weights,
}

impl Classic {
    fn side(&self, own: u64, opponent: u64, empty: u64) -> i32 {
        let Weights { cell, room, exposed, safe, edge, corner, .. } = self.weights;
        let count = |weight: i32, cells: u64| weight * size(cells) as i32;
        let by_opponent = reach(opponent) & empty;
        count(cell, own)
            + count(room, dilate(own) & empty)
            + count(exposed, dilate(by_opponent) & own)
            + count(safe, own & !dilate(empty))
            + count(edge, own & EDGE)
            + count(corner, own & CORNERS)
    }
}

impl Observer for Classic {
    #[inline]
    fn change(&mut self, _: usize, _: Option<Side>, _: Option<Side>) {}
}

impl Evaluate<Bacteria> for Classic {
    fn reset(&mut self, _: &Bacteria) {}

    #[inline]
    fn push(&mut self) {}

    #[inline]
    fn pop(&mut self) {}

    #[inline]
    fn value(&mut self, position: &Bacteria) -> i32 {
        let side = position.turn();
        let (own, opponent, empty) = (position.cells(side), position.cells(side.other()), position.empty());
        let strike = most(around(opponent), reach(own) & empty);
        self.side(own, opponent, empty) - self.side(opponent, own, empty)
            + self.weights.tempo
            + self.weights.strike * strike
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use agon_rules::bacteria::board::{Cells, neighbours};

    #[test]
    fn counting_all_cells_is_counting_each() {
        let mut stream = agon_game::seed::Stream::new(1, "sets");
        for i in 0..2_000 {
            let full = if i % 3 == 0 { stream.next() | stream.next() } else { stream.next() };
            let cells = full & BOARD;
            let planes = around(cells);
            for cell in 0..49 {
                let counted = (0..4).map(|i| (planes[i] >> cell & 1) << i).sum::<u64>();
                assert_eq!(counted, u64::from(size(neighbours(cell) & cells)), "cell {cell} in {cells:#x}");
            }
            let places = stream.next() & stream.next() & BOARD;
            let expected = Cells(places).map(|cell| size(neighbours(cell) & cells)).max().unwrap_or(0);
            assert_eq!(most(planes, places), expected as i32);
        }
    }

    #[test]
    fn edges_and_corners_lie_where_they_should() {
        let at_edge = |cell: &usize| [0, 6].contains(&(cell % 7)) || [0, 6].contains(&(cell / 7));
        let edge = (0..49).filter(at_edge).fold(0, |set, cell| set | 1_u64 << cell);
        assert_eq!((EDGE, CORNERS & !EDGE, size(CORNERS)), (edge, 0, 4));
    }
}
