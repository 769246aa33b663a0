//! Observers of a move: they see every cell that it changes.

use crate::Side;

/// Sees every cell that a move changes: an evaluation's accumulator, a list of changes to draw, or nothing (`()`).
pub trait Observer {
    /// The owner of `cell` was `before` and is now `after`. Cells are numbered row by row from 0.
    ///
    /// A move reports each cell at most once, and only cells whose owner really changed.
    fn change(&mut self, cell: usize, before: Option<Side>, after: Option<Side>);
}

/// Observes nothing; compiles to nothing.
impl Observer for () {
    #[inline(always)]
    fn change(&mut self, _: usize, _: Option<Side>, _: Option<Side>) {}
}

/// A cell whose owner a move has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Change {
    /// The cell, row by row from 0.
    pub cell: usize,
    /// The owner before; `None` of an empty cell.
    pub before: Option<Side>,
    /// The owner after; `None` of an empty cell.
    pub after: Option<Side>,
}

/// Keeps the changes, in the order they were reported.
impl Observer for Vec<Change> {
    fn change(&mut self, cell: usize, before: Option<Side>, after: Option<Side>) {
        self.push(Change { cell, before, after });
    }
}
