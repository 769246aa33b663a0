//! The search stack: data of the nodes between the root and the current one.

use std::ops::{Index, IndexMut};

#[derive(Clone, Copy, Debug)]
pub(super) struct StackEntry {
    /// The static evaluation, corrected, if it was needed.
    pub eval: Option<i32>,
    /// The stone that led here, or [`NO_CELL`].
    pub cell: u8,
    /// True if the node is expected to fail high: alternating in nodes searched with a null window, and true where a
    /// reduction is verified.
    pub cut_node: bool,
}

pub(super) const NO_CELL: u8 = u8::MAX;

/// Number of entries: answers to fours cost no depth and can go on until the board is full.
const LEVELS: usize = 256;

/// The entries by plies from the root.
#[derive(Clone, Debug)]
pub(super) struct Stack([StackEntry; LEVELS]);

/// The entry at the start of a search.
impl Default for Stack {
    fn default() -> Self {
        Self([StackEntry { eval: None, cell: NO_CELL, cut_node: false }; LEVELS])
    }
}

impl Index<i32> for Stack {
    type Output = StackEntry;

    fn index(&self, ply: i32) -> &StackEntry {
        &self.0[ply as usize % LEVELS]
    }
}

impl IndexMut<i32> for Stack {
    fn index_mut(&mut self, ply: i32) -> &mut StackEntry {
        &mut self.0[ply as usize % LEVELS]
    }
}

impl Stack {
    /// Enters a node at this ply, which was reached by this stone or by a pass.
    pub(super) fn enter(&mut self, ply: i32, stone: Option<u8>) {
        self[ply].eval = None;
        self[ply].cell = stone.unwrap_or(NO_CELL);
    }

    /// The last stone of the side to move at this ply, or [`NO_CELL`].
    pub(super) fn before(&self, ply: i32) -> u8 {
        if ply < 1 { NO_CELL } else { self[ply - 1].cell }
    }

    /// Returns true if the static evaluation is higher than at this side's last turn, or if one of them is unknown.
    pub(super) fn improving(&self, ply: i32) -> bool {
        let before = if ply < 2 { None } else { self[ply - 2].eval };
        match (self[ply].eval, before) {
            (Some(now), Some(before)) => now > before,
            _ => true,
        }
    }
}
