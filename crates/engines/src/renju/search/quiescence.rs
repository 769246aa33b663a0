//! Quiescence search, at the end of the depth: fours only, and answers to threats.

use agon_rules::renju::PointSet;
use agon_search::Stopped;
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::transposition::Bound;

use super::stack::NO_CELL;
use super::state::{Last, NodeWindow, RenjuSearcher};
use crate::renju::{PatternBoard, Trait};

impl RenjuSearcher<'_> {
    /// Stands on the static evaluation, or plays fours, which have one answer each; a threat of the other side's is
    /// answered for some plies before the position is judged.
    pub(super) fn qsearch(&mut self, mut node: NodeWindow) -> Result<i32, Stopped> {
        let NodeWindow { side, alpha, beta, depth, .. } = node;
        let static_eval = self.static_eval(&node);
        (node.static_eval, node.eval) = (Some(static_eval), Some(static_eval));
        // A threat must be answered before the position can be judged; but not threats without end.
        if static_eval > alpha
            && depth >= -self.tuning.defence_plies
            && let Some(defences) = self.defences_of_threes(side)
        {
            return self.search_moves(&node, Some(defences));
        }
        if static_eval >= beta {
            return Ok(static_eval);
        }
        let fours = self.quiet_fours(&node);
        if fours.is_empty() {
            return Ok(static_eval);
        }
        self.search_fours(&node, static_eval, fours)
    }

    /// The fours that a quiescence search tries: all of them at first, then those on the lines of the side's last
    /// stone.
    fn quiet_fours(&self, node: &NodeWindow) -> PointSet {
        // A level with few nodes for fours also sees few of them here.
        let plies = u64::from(node.depth.unsigned_abs());
        if plies >= self.skill.fours.min(self.tuning.q_fours as u64) {
            return PointSet::EMPTY;
        }
        let fours = self.board.having(node.side, Trait::Four);
        let own = self.stack.before(node.ply);
        if node.depth < 0 && own != NO_CELL { fours.and(PatternBoard::touched(own)) } else { fours }
    }

    fn search_fours(&mut self, node: &NodeWindow, static_eval: i32, fours: PointSet) -> Result<i32, Stopped> {
        let NodeWindow { side, beta, depth, ply, .. } = *node;
        let (mut best_value, mut best_cell) = (static_eval, None);
        let mut alpha = node.alpha.max(static_eval);
        let mut ordered: [(u8, u8); 32] = [(0, 0); 32];
        let mut count = 0;
        for cell in fours.iter().take(ordered.len()) {
            ordered[count] = (self.board.class(side, cell).kind(), cell);
            count += 1;
        }
        let ordered = &mut ordered[..count];
        ordered.sort_unstable_by_key(|&(kind, cell)| (std::cmp::Reverse(kind), cell));
        for &(_, cell) in ordered.iter() {
            if !self.board.may_play(side, cell) {
                continue;
            }
            self.board.place(cell, side);
            let next = Last::Stone { cell, calm: false };
            let found = self.node(side.other(), -beta, -alpha, depth - 1, ply + 1, next);
            self.board.take_back();
            let value = -found?;
            if value > best_value {
                (best_value, best_cell) = (value, Some(cell));
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        if depth == 0 || best_value > MAX_EVALUATION {
            let bound = if best_value >= beta {
                Bound::Lower
            } else if best_value > node.alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            self.store(node, best_cell, best_value, 0, bound);
        }
        Ok(best_value)
    }
}
