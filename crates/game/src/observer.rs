//! Observers of moves, which see every changed cell.

use crate::Side;

/// Receives every cell that a move changes: an evaluation's accumulator, a list of changes to draw, or `()` for
/// nothing.
pub trait Observer {
    /// Reports that the owner of `cell` changed from `before` to `after`. Cells are numbered row by row from 0.
    ///
    /// A move reports each cell at most once, and only if its owner changed.
    fn change(&mut self, cell: usize, before: Option<Side>, after: Option<Side>);
}

/// Ignores all changes, at no cost.
impl Observer for () {
    #[inline(always)]
    fn change(&mut self, _: usize, _: Option<Side>, _: Option<Side>) {}
}

/// A change of a cell's owner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// Cell, numbered row by row from 0.
    pub cell: usize,
    /// Owner before; `None` for an empty cell.
    pub before: Option<Side>,
    /// Owner after; `None` for an empty cell.
    pub after: Option<Side>,
}

/// Collects the changes in the order of their reports.
impl Observer for Vec<Change> {
    fn change(&mut self, cell: usize, before: Option<Side>, after: Option<Side>) {
        self.push(Change { cell, before, after });
    }
}
