//! Principal variation search of renju: alpha-beta among threats.
//!
//! The search of Bacteria War ([`crate::bacteria::search`]) plays on copies of positions and generates all moves; here,
//! copying the board costs more than placing a stone, most nodes are decided by fours before any move is made, and a
//! threat leaves only the defences that can matter. So renju has a search of its own, on top of the kit's table, meter
//! and iterative deepening:
//!
//! - straight fours and the threat of them are seen by the classes of points ([`super::class`]);
//! - a node looks for a win by fours where a point that makes a four and a three promises one, the root also for a win
//!   by threats;
//! - where the other side would win by fours after a null move, only the relevant defences ([`super::threats`]) are
//!   tried;
//! - the quiescence search stands on the static evaluation or plays fours near the side's last stone;
//! - elsewhere the points are ordered by what both sides would make there and by history; shallow nodes try the first
//!   only;
//! - several threads may search at once: they share the table; each has its histories and its searches for threats
//!   of its own ([`agon_search::iterate::in_parallel`]);
//! - a PASS is tried where everything else loses, and after a PASS no side needs to lose: passing again is a draw.

mod correction;
mod danger;
mod node;
mod ordering;
mod quiescence;
mod root;
mod stack;
mod state;
mod table;

use agon_game::Position;
use agon_rules::renju::{Move, Renju};
use agon_search::iterate::{SearchResult, first_depth, help, in_parallel, iterate};
use agon_search::{Info, Meter, NodeCounts, SearchLimits, Task};

pub use state::{RenjuSearch, SearchStats, Skill};
use state::{RenjuSearcher, RootMove};

impl RenjuSearch {
    /// Searches a position after the opening's three turns, and reports every finished line to the listener, the best
    /// last. `None` if the game is over. Returns a legal move even if the task allows nothing.
    pub fn start(
        &mut self,
        position: &Renju,
        task: &Task,
        listener: &mut dyn FnMut(&Info<Move>),
    ) -> Option<SearchResult<Move>> {
        if position.outcome().is_some() {
            return None;
        }
        self.tt.age();
        self.state.age();
        let shared = (&self.tt, self.skill, self.tuning);
        let mut counts = NodeCounts::new(1 + self.helpers.len()).into_iter();
        let meter = Meter::new(task.limits).stopped_by(task.stop.clone());
        let meter =
            counts.next().filter(|_| !self.helpers.is_empty()).map_or(meter.clone(), |it| meter.counted_with(it));
        let mut first = RenjuSearcher::new(position, shared, &mut self.state, meter);
        if let Some(found) = first.forced_win(task) {
            listener(&first.info(&found));
            return Some(found);
        }
        first.list_root(position);
        let (moves, any) = (first.root_moves.len(), first.root_moves.first().map_or(Move::Pass, RootMove::as_move));
        let root_moves = first.root_moves.clone();
        let found = in_parallel(
            self.helpers.iter_mut().zip(counts).enumerate(),
            |(number, (state, counts)), finished| {
                state.age();
                let meter = Meter::new(SearchLimits::default()).stopped_by(finished.clone()).counted_with(counts);
                let mut helper = RenjuSearcher::new(position, shared, state, meter);
                helper.root_moves.clone_from(&root_moves);
                help(&mut helper, task.multipv.min(moves), first_depth(number));
            },
            || iterate(&mut first, task, moves, any, listener),
        );
        Some(found)
    }
}
