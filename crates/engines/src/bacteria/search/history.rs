//! The histories of a search, which order its moves and control reductions and pruning.

use agon_search::history::{History, MOVES};

use super::tuning::Tuning;

pub const CONTINUATIONS: usize = 128;

/// The continuation index of a null move; moves of the game use the numbers below it or share it.
pub(super) const NULL_MOVE: u16 = CONTINUATIONS as u16 - 1;

/// The indices of a move in a [`SearchHistory`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct HistoryKey {
    /// In the main history, below [`MOVES`].
    pub main: u16,
    /// In the continuation history, both as the last move and as the reply to it, below [`CONTINUATIONS`].
    pub continuation: u16,
}

/// Cutoff statistics of moves: by side to move (main history), and as replies to the last move (continuation history).
#[derive(Clone, Debug)]
pub struct SearchHistory {
    main: History,
    cont_hist: History,
}

impl Default for SearchHistory {
    fn default() -> Self {
        Self { main: History::new(2), cont_hist: History::new((2 * CONTINUATIONS * CONTINUATIONS).div_ceil(MOVES)) }
    }
}

/// The context of a move at a node, on which its history depends.
#[derive(Clone, Copy, Debug, Default)]
pub struct MoveContext {
    /// The side to move, 0 or 1.
    pub side: usize,
    /// The continuation index of the last move.
    pub last: u16,
}

impl SearchHistory {
    /// The weighted sum of both histories of a move; each is within
    /// ±[`MAX_HISTORY`](agon_search::history::MAX_HISTORY).
    #[inline]
    pub fn value(&self, context: MoveContext, key: HistoryKey, tuning: &Tuning) -> i32 {
        let cont_hist = self.cont_hist.value(0, Self::reply(context, key));
        self.main.value(context.side, key.main.into()) + cont_hist * tuning.cont_hist_weight / 100
    }

    /// Updates both histories of a move: a positive bonus after a cutoff, a negative one if it failed to cut.
    #[inline]
    pub fn update(&mut self, context: MoveContext, key: HistoryKey, bonus: i32) {
        self.main.update(context.side, key.main.into(), bonus);
        self.cont_hist.update(0, Self::reply(context, key), bonus);
    }

    #[inline]
    fn reply(context: MoveContext, key: HistoryKey) -> usize {
        (context.side * CONTINUATIONS + usize::from(context.last)) * CONTINUATIONS + usize::from(key.continuation)
    }

    pub fn clear(&mut self) {
        self.main.clear();
        self.cont_hist.clear();
    }
}
