//! The transposition table's keys and entries, and the static evaluation.

use agon_game::Side;
use agon_game::hash::fibonacci;
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::transposition::{Bound, TableEntry};
use agon_search::value::to_table;

use super::state::{Last, MAX_DEPTH, NodeWindow, RenjuSearcher, Skill};

/// Keys for data that a board does not hold.
const TURN_KEY: u64 = 0x510e_527f_ade6_82d1;
const PASSED_KEY: u64 = 0x9b05_688c_2b3e_6c1f;

/// The table's value if no static evaluation was needed.
const NO_STATIC_EVAL: i16 = i16::MIN;

/// The static evaluation that the table holds, if any.
pub(super) fn tt_static_eval(entry: TableEntry) -> Option<i32> {
    (entry.static_eval != NO_STATIC_EVAL).then_some(entry.static_eval.into())
}

impl RenjuSearcher<'_> {
    /// The static evaluation for the side to move; after a PASS not less than a draw.
    pub(super) fn evaluate(&mut self, side: Side, last: Last) -> i32 {
        let Skill { noise, seed, .. } = self.skill;
        let hash = self.key(side, false);
        let mut value = self.search.eval_cache.value(hash).unwrap_or_else(|| {
            let value = self.search.evaluation.value(&mut self.board, side);
            self.search.eval_cache.store(hash, value);
            value
        });
        if noise > 0 {
            let drawn = fibonacci(self.board.hash() ^ seed) >> 40;
            value += (drawn % (2 * noise as u64 + 1)) as i32 - noise;
        }
        value.clamp(if matches!(last, Last::Pass) { 0 } else { -MAX_EVALUATION }, MAX_EVALUATION)
    }

    /// The static evaluation of a node: the table's, or else computed.
    pub(super) fn static_eval(&mut self, node: &NodeWindow) -> i32 {
        node.static_eval.unwrap_or_else(|| self.evaluate(node.side, node.last))
    }

    pub(super) const fn key(&self, side: Side, passed: bool) -> u64 {
        let turn = match side {
            Side::First => 0,
            Side::Second => TURN_KEY,
        };
        self.board.hash() ^ turn ^ if passed { PASSED_KEY } else { 0 }
    }

    pub(super) fn store(&self, node: &NodeWindow, best_move: Option<u8>, value: i32, depth: i32, bound: Bound) {
        let entry = TableEntry {
            best_move: best_move.map_or(0, |cell| u16::from(cell) + 1),
            value: to_table(value, node.ply),
            static_eval: node.static_eval.map_or(NO_STATIC_EVAL, |static_eval| static_eval as i16),
            depth: depth.clamp(0, 255) as u8,
            bound,
        };
        self.tt.store(node.key, entry);
    }

    /// Stores a proved win, which no deeper search can change, and returns it.
    pub(super) fn store_win(&self, node: &NodeWindow, value: i32) -> i32 {
        self.store(node, None, value, MAX_DEPTH, Bound::Exact);
        value
    }
}
