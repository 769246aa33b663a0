//! One node: what decides it without a move, and the loop over its moves.

use agon_game::Side;
use agon_rules::renju::{POINTS, PointSet};
use agon_search::Stopped;
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::transposition::Bound;
use agon_search::value::{WIN, from_table};

use super::state::{Last, MAX_PLY, NodeWindow, RenjuSearcher, win_in};
use super::table::stored_estimate;
use crate::renju::Trait;
use crate::renju::threats::relevant;

/// How many plies a win by threats is taken to need, as its length is not known.
const THREAT_PLIES: i32 = 20;

impl RenjuSearcher<'_> {
    /// The value of a position for the side to move.
    pub(super) fn node(
        &mut self,
        side: Side,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: i32,
        last: Last,
    ) -> Result<i32, Stopped> {
        self.meter.node()?;
        self.seldepth = self.seldepth.max(ply);
        self.stack.enter(ply, last.cell());
        let other = side.other();
        if !self.board.having(side, Trait::Five).is_empty() {
            return Ok(win_in(ply + 1));
        }
        let fives = self.board.having(other, Trait::Five);
        if let Some(block) = fives.first() {
            if fives.len() > 1 || !self.board.may_play(side, block) {
                return Ok(-win_in(ply + 2));
            }
            // The only move costs no depth.
            self.board.place(block, side);
            self.stack[ply + 1].cut = !self.stack[ply].cut;
            let found = self.node(other, -beta, -alpha, depth, ply + 1, Last::Stone { cell: block, calm: false });
            self.board.take_back();
            return found.map(|value| -value);
        }
        if ply >= MAX_PLY {
            return Ok(self.evaluate(side, last));
        }
        let passed = matches!(last, Last::Pass);
        // Passing again would draw.
        if passed {
            alpha = alpha.max(0);
        }
        alpha = alpha.max(-win_in(ply + 2));
        beta = beta.min(win_in(ply + 3));
        if alpha >= beta {
            return Ok(alpha);
        }
        let key = self.key(side, passed);
        let known = self.search.table.probe(key);
        if let Some(entry) = known {
            let value = from_table(entry.value, ply);
            let deep = i32::from(entry.depth) >= depth || value.abs() > MAX_EVALUATION;
            if deep
                && (entry.bound.is_lower() && value >= beta
                    || entry.bound.is_upper() && value <= alpha
                    || entry.bound == Bound::Exact)
            {
                return Ok(value);
            }
        }
        let estimate = known.and_then(stored_estimate);
        let mut node = NodeWindow { side, alpha, beta, depth, ply, last, key, known, estimate, corrected: None };
        if depth <= 0 {
            return self.leaf(node);
        }
        if let Some(value) = self.fours_win(side, depth, ply, last)? {
            return Ok(self.store_win(&node, value));
        }
        let defences = self.defences(side, depth)?;
        if defences.is_none() && beta - alpha == 1 {
            let estimate = self.estimate(&node);
            node.estimate = Some(estimate);
            let key = self.correction_key(side, ply);
            let corrected = self.search.correction.correct(key, estimate, self.tuning.correction_weight);
            node.corrected = Some(corrected);
            self.stack[ply].estimate = Some(corrected);
            if let Some(value) = self.static_pruning(&node)? {
                return Ok(value);
            }
        }
        if self.tuning.threat_nodes > 0 && depth >= self.tuning.threat_depth && self.search.skill.threats {
            // A part of what the node will cost.
            let nodes = (self.tuning.threat_nodes as u64) << depth.min(11);
            let found = self.search.threats.wins_within(&mut self.board, side, self.meter.within(nodes));
            self.meter.add(self.search.threats.all_nodes());
            if found == Ok(Some(true)) {
                return Ok(self.store_win(&node, win_in(ply + THREAT_PLIES)));
            }
        }
        if depth >= self.tuning.reduction_depth && known.is_none_or(|entry| entry.best == 0) {
            node.depth -= 1;
        }
        self.moves(&node, defences)
    }

    /// The value of a position at the end of the depth: the static evaluation, unless fours of either side say otherwise.
    /// Those that could not change on which side of the window it lies are not looked for.
    fn leaf(&mut self, mut node: NodeWindow) -> Result<i32, Stopped> {
        let NodeWindow { side, alpha, beta, depth, ply, last, .. } = node;
        let estimate = self.estimate(&node);
        node.estimate = Some(estimate);
        node.corrected = Some(estimate);
        if estimate < beta
            && let Some(value) = self.fours_win(side, depth, ply, last)?
        {
            return Ok(self.store_win(&node, value));
        }
        // A threat must be answered before the position can be judged; but not threats without end.
        if estimate <= alpha || depth < -self.tuning.defence_plies {
            return Ok(estimate);
        }
        let defences = self.defences(side, depth)?;
        if defences.is_none() {
            return Ok(estimate);
        }
        if estimate >= beta
            && let Some(value) = self.fours_win(side, depth, ply, last)?
        {
            return Ok(self.store_win(&node, value));
        }
        self.moves(&node, defences)
    }

    /// The value of a node without fours of either side, where the static evaluation or a null move is so far outside the
    /// null window that no move need be tried.
    fn static_pruning(&mut self, node: &NodeWindow) -> Result<Option<i32>, Stopped> {
        let NodeWindow { side, alpha, beta, depth, ply, last, .. } = *node;
        let mut estimate = node.corrected.unwrap_or(alpha);
        let tuning = self.tuning;
        if beta.abs() > MAX_EVALUATION {
            return Ok(None);
        }
        // A bound of the table on the estimate's far side is the better estimate.
        if tuning.table_estimate > 0
            && let Some(entry) = node.known
        {
            let value = from_table(entry.value, ply);
            let better = if value > estimate { entry.bound.is_lower() } else { entry.bound.is_upper() };
            if better && value.abs() <= MAX_EVALUATION {
                estimate = value;
            }
        }
        if depth <= tuning.reverse_depth && estimate - tuning.reverse_margin * depth >= beta {
            return Ok(Some(estimate));
        }
        if depth <= tuning.razor_depth && estimate + tuning.razor_margin * depth <= alpha {
            return Ok(Some(estimate));
        }
        if depth >= tuning.null_depth && estimate >= beta && matches!(last, Last::Stone { .. }) {
            let behind = depth - tuning.null_base - depth / tuning.null_divisor;
            self.stack[ply + 1].cut = !self.stack[ply].cut;
            let value = -self.node(side.other(), -beta, 1 - beta, behind, ply + 1, Last::NullMove)?;
            if value >= beta {
                // A win found by doing nothing is not proved.
                return Ok(Some(if value > MAX_EVALUATION { beta } else { value }));
            }
        }
        Ok(None)
    }

    /// Tries the moves of a node that nothing has decided.
    fn moves(&mut self, node: &NodeWindow, defences: Option<PointSet>) -> Result<i32, Stopped> {
        let NodeWindow { side, mut alpha, beta, depth, ply, last, known, .. } = *node;
        let tuning = self.tuning;
        let (other, passed) = (side.other(), matches!(last, Last::Pass));
        let mut ordered = self.candidates(side, defences, last);
        if let Some(best) = known.map(|entry| entry.best).filter(|&best| best > 0)
            && let Some(at) = ordered.iter().position(|&(_, cell)| u16::from(cell) + 1 == best)
        {
            ordered[..=at].rotate_right(1);
        }
        let wide = match defences {
            Some(_) => POINTS,
            None => (tuning.count_base + tuning.count_slope * depth.max(0)) as usize,
        };
        let hopeless = beta - alpha == 1
            && depth <= tuning.futility_depth
            && node.corrected.is_some_and(|estimate| estimate + tuning.futility_margin * depth <= alpha);
        let (first_alpha, mut best, mut best_cell) = (alpha, if passed { 0 } else { -WIN }, None);
        let mut tried: Vec<u8> = Vec::with_capacity(wide.min(32));
        for &(_, cell) in &ordered {
            if tried.len() >= wide && best > -MAX_EVALUATION {
                break;
            }
            let class = self.board.class(side, cell);
            let quiet = !class.has(Trait::Four) && !class.has(Trait::Three) && defences.is_none();
            if quiet && hopeless && !tried.is_empty() && best > -MAX_EVALUATION {
                continue;
            }
            if !self.board.may_play(side, cell) {
                continue;
            }
            let reduction =
                if quiet && depth >= 3 && tried.len() >= 3 { self.reduction(node, cell, tried.len()) } else { 0 };
            self.board.place(cell, side);
            let next = Last::Stone { cell, calm: defences.is_none() };
            let found = self.reply(other, (alpha, beta), depth - 1, ply, (tried.len(), reduction), next);
            self.board.take_back();
            let value = found?;
            if value > best {
                best = value;
                best_cell = Some(cell);
                alpha = alpha.max(value);
                if value >= beta {
                    self.learn(side, last, cell, &tried, depth);
                    break;
                }
            }
            tried.push(cell);
        }
        // Doing nothing is allowed too; it is worth a try where everything else loses.
        if best < -MAX_EVALUATION && depth > 0 && !passed {
            let value = -self.node(other, -beta, -alpha, depth - 1, ply + 1, Last::Pass)?;
            if value > best {
                (best, best_cell) = (value, None);
            }
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // A bound that the estimate keeps within says nothing against it.
        if let (Some(corrected), Some(estimate), None) = (node.corrected, node.estimate, defences)
            && depth > 0
            && best.abs() <= MAX_EVALUATION
            && (if best > corrected { bound.is_lower() } else { bound.is_upper() })
        {
            let key = self.correction_key(side, ply);
            self.search.correction.learn(key, best - estimate, depth, tuning.correction_rate);
        }
        self.store(node, best_cell, best, depth, bound);
        Ok(best)
    }

    /// By how many plies a late quiet move is reduced.
    fn reduction(&self, node: &NodeWindow, cell: u8, tried: usize) -> i32 {
        let tuning = &self.tuning;
        let logs = f64::from(node.depth).ln() * (tried as f64).ln();
        let mut hundredths = tuning.late_base + (f64::from(tuning.late_slope) * logs) as i32;
        if node.beta - node.alpha > 1 {
            hundredths -= tuning.late_principal;
        }
        if self.stack[node.ply].cut {
            hundredths += tuning.late_cut;
        }
        if !self.stack.improving(node.ply) {
            hundredths += tuning.late_worsening;
        }
        hundredths -= self.known_of(node.side, node.last, cell) * tuning.late_history / 100;
        hundredths.max(0) / 100
    }

    /// The value of the position after a move, for the side that made it: late moves reduced at first, and all but the first
    /// with a null window.
    fn reply(
        &mut self,
        other: Side,
        (alpha, beta): (i32, i32),
        full: i32,
        ply: i32,
        (tried, reduction): (usize, i32),
        last: Last,
    ) -> Result<i32, Stopped> {
        let cut = self.stack[ply].cut;
        if tried > 0 {
            let reduced = (full - reduction).max(full.min(0));
            self.stack[ply + 1].cut = reduced < full || !cut;
            let mut value = -self.node(other, -alpha - 1, -alpha, reduced, ply + 1, last)?;
            if value > alpha && reduced < full {
                self.stack[ply + 1].cut = !cut;
                value = -self.node(other, -alpha - 1, -alpha, full, ply + 1, last)?;
            }
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        self.stack[ply + 1].cut = beta - alpha == 1 && !cut;
        Ok(-self.node(other, -beta, -alpha, full, ply + 1, last)?)
    }

    /// The value of a win by fours of the side to move. It is not looked for where a stone of the other side's cannot have
    /// made it: but White may have got it by what is now forbidden to Black.
    fn fours_win(&mut self, side: Side, depth: i32, ply: i32, last: Last) -> Result<Option<i32>, Stopped> {
        let has_fours = !self.board.having(side, Trait::Four).is_empty();
        let forbids = side == Side::Second
            && !self
                .board
                .having(Side::First, Trait::Forbidden)
                .or(self.board.having(Side::First, Trait::MaybeForbidden))
                .is_empty();
        let may_win = has_fours && (forbids || !last.is_calm());
        let wins = may_win && self.wins_by_fours(side, depth)?;
        Ok(wins.then(|| win_in(ply + self.search.fours.line().count() as i32)))
    }

    /// Whether a side, to move, wins by fours, within the nodes that one search for them may visit at this depth.
    fn wins_by_fours(&mut self, side: Side, depth: i32) -> Result<bool, Stopped> {
        let nodes = if depth > 0 { self.tuning.fours } else { self.tuning.leaf_fours };
        let meter = self.meter.within((nodes as u64).min(self.search.skill.fours));
        let found = self.search.fours.wins_within(&mut self.board, side, meter);
        self.meter.add(self.search.fours.nodes());
        // What was not found for want of time is not to be taken for what is not there.
        if found.is_err() && self.meter.is_late() { Err(Stopped) } else { Ok(found == Ok(true)) }
    }

    /// The defences that can matter, if the other side would win by fours were it its turn.
    pub(super) fn defences(&mut self, side: Side, depth: i32) -> Result<Option<PointSet>, Stopped> {
        let other = side.other();
        if self.board.having(other, Trait::Four).is_empty() || !self.wins_by_fours(other, depth)? {
            return Ok(None);
        }
        let line: Vec<u8> = self.search.fours.line().collect();
        Ok(Some(relevant(&mut self.board, other, &line)))
    }
}
