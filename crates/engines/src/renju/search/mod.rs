//! Principal variation search of renju: alpha-beta among threats.
//!
//! The search of Bacteria War ([`crate::bacteria::search`]) plays on copies of positions and generates all moves; here
//! a copy of the board costs more than a stone, most nodes are decided by fours before any move is made, and a threat
//! leaves only the defences that can matter to it. So renju has a search of its own, on the kit's table, meter and
//! iterative deepening:
//!
//! - straight fours and the threat of them are seen by the classes of points ([`super::class`]);
//! - a node looks for a win by fours where a point that makes a four and a three promises one, the root also for a win
//!   by threats;
//! - where the other side would win by fours after a null move, only the relevant defences ([`super::threats`]) are
//!   tried;
//! - the quiescence search stands on the static evaluation or plays fours near the side's last stone;
//! - elsewhere the points are ordered by what both sides would make there and by history; shallow nodes try the first
//!   only;
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
use agon_search::iterate::{SearchResult, iterate};
use agon_search::{Info, Meter, Task};

use super::PatternBoard;
use stack::Stack;
pub use state::{RenjuSearch, Skill};
use state::{RenjuSearcher, RootMove};

impl RenjuSearch {
    /// Searches a position after the opening's three turns, and reports every line that it finishes to the listener,
    /// the best last. `None` when the game is over. A task that allows nothing gets a legal move all the same.
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
        for count in self.history.as_flattened_mut() {
            *count /= 8;
        }
        for count in self.cont_hist.iter_mut().flatten().flatten() {
            *count /= 2;
        }
        let mut searcher = RenjuSearcher {
            board: PatternBoard::new(position.board()),
            tuning: self.tuning,
            meter: Meter::new(task.limits).stopped_by(task.stop.clone()),
            side: position.turn(),
            passed: position.passes() == 1,
            root_moves: Vec::new(),
            seldepth: 0,
            stack: Stack::default(),
            search: self,
        };
        if let Some(found) = searcher.forced_win(task) {
            listener(&searcher.info(&found));
            return Some(found);
        }
        searcher.list_root(position);
        let (moves, first) = (searcher.root_moves.len(), searcher.root_moves.first());
        let first = first.map_or(Move::Pass, RootMove::as_move);
        Some(iterate(&mut searcher, task, moves, first, listener))
    }
}
