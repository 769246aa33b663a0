//! What the search knows of the nodes between the root and the present one.

use super::state::{Last, RenjuSearcher};

/// A node of the line being searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct StackEntry {
    /// The static evaluation, corrected, where it was needed.
    pub estimate: Option<i32>,
    /// The stone that led here, or [`NO_CELL`].
    pub cell: u8,
    /// Whether the node is expected to fail high: by turns in nodes searched with a null window, and where a reduction is
    /// to be justified.
    pub cut: bool,
}

/// No point.
pub(super) const NO_CELL: u8 = u8::MAX;

/// How many entries there are: answers to fours cost no depth and go on until the board is full.
const LEVELS: usize = 256;

/// The entries by plies from the root.
pub(super) type Stack = [StackEntry; LEVELS];

/// The stack of a search that begins.
pub(super) const EMPTY: Stack = [StackEntry { estimate: None, cell: NO_CELL, cut: false }; LEVELS];

/// The place of a ply in the stack.
pub(super) const fn level(ply: i32) -> usize {
    ply as usize % LEVELS
}

impl RenjuSearcher<'_> {
    /// A node at this ply begins, reached by this move.
    pub(super) fn enter(&mut self, ply: i32, last: Last) {
        let entry = &mut self.stack[level(ply)];
        entry.estimate = None;
        entry.cell = match last {
            Last::Stone { cell, .. } => cell,
            Last::Pass | Last::NullMove => NO_CELL,
        };
    }

    /// Says whether the node at this ply, searched next, is expected to fail high.
    pub(super) fn expect_cut(&mut self, ply: i32, cut: bool) {
        self.stack[level(ply)].cut = cut;
    }

    /// The last stone of the side to move at this ply, or [`NO_CELL`].
    pub(super) fn before(&self, ply: i32) -> u8 {
        if ply < 1 { NO_CELL } else { self.stack[level(ply - 1)].cell }
    }

    /// Whether the static evaluation is higher than at this side's last turn; where one of them is not known, it counts as
    /// higher.
    pub(super) fn improving(&self, ply: i32) -> bool {
        let before = if ply < 2 { None } else { self.stack[level(ply - 2)].estimate };
        match (self.stack[level(ply)].estimate, before) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        }
    }
}
