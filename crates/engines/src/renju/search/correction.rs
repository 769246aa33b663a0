//! Patterns for the correction history: see [`agon_search::correction`].

use agon_game::Side;
use agon_game::hash::fibonacci;
use agon_search::correction::{Correction, CorrectionKey};

use super::stack::NO_CELL;
use super::state::{PARTS, RenjuSearcher};
use crate::renju::Trait;
use crate::renju::lines::CODES;

/// Counts of points with threats are capped here.
const MAX_THREATS: u32 = 7;

impl RenjuSearcher<'_> {
    /// Returns the key of the node at this ply: the places of the last two stones, the surroundings of each when it was
    /// placed, and the number of promising points of either side.
    pub(super) fn correction_key(&self, side: Side, ply: i32) -> CorrectionKey<PARTS> {
        let (last, before) = (self.stack[ply].cell, self.stack.before(ply));
        let cells = u64::from(last) << 8 | u64::from(before);
        let parts = [cells, self.surroundings(last), self.surroundings(before), self.promises(side)];
        Correction::key(side.index(), parts.map(|part| (fibonacci(part + 1) >> 32) as u32))
    }

    /// The lines through a stone, as they were when it was placed; the same in all symmetries.
    fn surroundings(&self, cell: u8) -> u64 {
        if cell == NO_CELL {
            return 0;
        }
        let mut codes = self.board.line_codes(cell);
        codes.sort_unstable();
        codes.into_iter().fold(0, |sum, code| sum * CODES as u64 + u64::from(code))
    }

    /// Returns the number of points where either side would make a three, a four, or the start of one.
    fn promises(&self, side: Side) -> u64 {
        [side, side.other()].into_iter().fold(0, |sum, side| {
            let count = |a_trait| self.board.having(side, a_trait).len();
            let threats = [Trait::Three, Trait::Four].map(|a_trait| u64::from(count(a_trait).min(MAX_THREATS)));
            (sum << 3 | threats[0]) << 7 | threats[1] << 4 | u64::from(count(Trait::Quiet).min(15))
        })
    }
}
