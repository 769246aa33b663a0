//! The hand-made evaluation: what a position seems to be worth by rules of thumb.

use agon_game::{Observer, Position, Side};
use agon_rules::bacteria::Bacteria;
use agon_rules::bacteria::board::{BOARD, dilate, size};
use agon_search::Evaluate;

use super::field::reach;

agon_search::parameters! {
    /// What the hand-made evaluation counts, in hundredths of a cell.
    pub struct Weights {
        /// A cell.
        cell: 100 in 0..=400 step 5,
        /// Having the move.
        tempo: 80 in 0..=400 step 10,
        /// An empty cell that one can divide into.
        room: 8 in -100..=100 step 2,
        /// An own cell that the opponent could infect with its next move.
        exposed: -18 in -150..=100 step 3,
        /// An own cell without an empty neighbour.
        safe: 12 in -100..=150 step 3,
        /// An own cell at the edge.
        edge: 6 in -100..=100 step 2,
        /// An own cell in a corner.
        corner: 10 in -100..=100 step 3,
    }
}

/// The cells at the edge.
const EDGE: u64 = BOARD & !0x0000_01f3_e7cf_9f00;

/// The four corners.
const CORNERS: u64 = 1 | 1 << 6 | 1 << 42 | 1 << 48;

/// Looks at the position alone: cells, room to divide, cells in danger and cells out of it, the edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Classic {
    /// What it counts.
    pub weights: Weights,
}

impl Classic {
    /// What one side has.
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
    fn set(&mut self, _: &Bacteria) {}

    #[inline]
    fn descend(&mut self) {}

    #[inline]
    fn ascend(&mut self) {}

    #[inline]
    fn value(&mut self, position: &Bacteria) -> i32 {
        let side = position.turn();
        let (own, opponent, empty) = (position.cells(side), position.cells(side.other()), position.empty());
        self.side(own, opponent, empty) - self.side(opponent, own, empty) + self.weights.tempo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_and_corners_lie_where_they_should() {
        let at_edge = |cell: &usize| [0, 6].contains(&(cell % 7)) || [0, 6].contains(&(cell / 7));
        let edge = (0..49).filter(at_edge).fold(0, |set, cell| set | 1_u64 << cell);
        assert_eq!((EDGE, CORNERS & !EDGE, size(CORNERS)), (edge, 0, 4));
    }
}
