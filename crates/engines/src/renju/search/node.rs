//! One node: what decides it without a move, and the loop over its moves.

use agon_game::Side;
use agon_rules::renju::{POINTS, PointSet};
use agon_search::Stopped;
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::transposition::Bound;
use agon_search::value::{WIN, from_table};

use super::state::{Last, MAX_PLY, NodeWindow, RenjuSearcher, win_in};
use super::table::tt_static_eval;
use crate::renju::Trait;
use crate::renju::threats::relevant;

/// How many plies a win by threats is taken to need, since its length is not known.
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
            self.stack[ply + 1].cut_node = !self.stack[ply].cut_node;
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
        // Mate distance pruning: without a five in sight, a win takes three plies and a loss two.
        alpha = alpha.max(-win_in(ply + 2));
        beta = beta.min(win_in(ply + 3));
        if alpha >= beta {
            return Ok(alpha);
        }
        let key = self.key(side, passed);
        // Transposition table: probe, and cut off where the entry decides the window.
        let tt_entry = self.search.tt.probe(key);
        if let Some(entry) = tt_entry {
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
        let static_eval = tt_entry.and_then(tt_static_eval);
        let mut node = NodeWindow { side, alpha, beta, depth, ply, last, key, tt_entry, static_eval, eval: None };
        if depth <= 0 {
            return self.qsearch(node);
        }
        // A win by fours.
        if let Some(value) = self.fours_win(side, depth, ply, last)? {
            return Ok(self.store_win(&node, value));
        }
        // Static evaluation and its correction by history, where no threat of fours makes it void.
        let defences = self.defences(side, depth)?;
        if defences.is_none() && beta - alpha == 1 {
            let static_eval = self.static_eval(&node);
            node.static_eval = Some(static_eval);
            let key = self.correction_key(side, ply);
            let eval = self.search.correction.correct(key, static_eval, self.tuning.correction_weight);
            node.eval = Some(eval);
            self.stack[ply].eval = Some(eval);
            if let Some(value) = self.static_pruning(&node)? {
                return Ok(value);
            }
        }
        // A win by threats.
        if self.tuning.threat_nodes > 0 && depth >= self.tuning.threat_depth && self.search.skill.threats {
            // A part of what the node will cost.
            let nodes = (self.tuning.threat_nodes as u64) << depth.min(11);
            let found = self.search.threats.wins_within(&mut self.board, side, self.meter.within(nodes));
            self.meter.add(self.search.threats.all_nodes());
            if found == Ok(Some(true)) {
                return Ok(self.store_win(&node, win_in(ply + THREAT_PLIES)));
            }
        }
        // Internal iterative reduction: without a move of the table, a search less deep finds one.
        if depth >= self.tuning.iir_depth && tt_entry.is_none_or(|entry| entry.best_move == 0) {
            node.depth -= 1;
        }
        self.search_moves(&node, defences)
    }

    /// Quiescence search, at the end of the depth: the static evaluation, unless fours of either side say otherwise.
    /// Those that could not change on which side of the window it lies are not looked for.
    fn qsearch(&mut self, mut node: NodeWindow) -> Result<i32, Stopped> {
        let NodeWindow { side, alpha, beta, depth, ply, last, .. } = node;
        let static_eval = self.static_eval(&node);
        node.static_eval = Some(static_eval);
        node.eval = Some(static_eval);
        if static_eval < beta
            && let Some(value) = self.fours_win(side, depth, ply, last)?
        {
            return Ok(self.store_win(&node, value));
        }
        // A threat must be answered before the position can be judged; but not threats without end.
        if static_eval <= alpha || depth < -self.tuning.defence_plies {
            return Ok(static_eval);
        }
        let defences = self.defences(side, depth)?;
        if defences.is_none() {
            return Ok(static_eval);
        }
        if static_eval >= beta
            && let Some(value) = self.fours_win(side, depth, ply, last)?
        {
            return Ok(self.store_win(&node, value));
        }
        self.search_moves(&node, defences)
    }

    /// The value of a node without fours of either side, where the static evaluation or a null move is so far outside
    /// the null window that no move need be tried.
    fn static_pruning(&mut self, node: &NodeWindow) -> Result<Option<i32>, Stopped> {
        let NodeWindow { side, alpha, beta, depth, ply, last, .. } = *node;
        let mut eval = node.eval.unwrap_or(alpha);
        let tuning = self.tuning;
        if beta.abs() > MAX_EVALUATION {
            return Ok(None);
        }
        // A bound of the table on the far side of the evaluation is the better evaluation.
        if tuning.tt_eval > 0
            && let Some(entry) = node.tt_entry
        {
            let value = from_table(entry.value, ply);
            let better = if value > eval { entry.bound.is_lower() } else { entry.bound.is_upper() };
            if better && value.abs() <= MAX_EVALUATION {
                eval = value;
            }
        }
        // Reverse futility pruning: the evaluation is so far above beta that no shallow search brings it below.
        if depth <= tuning.rfp_depth && eval - tuning.rfp_margin * depth >= beta {
            return Ok(Some(eval));
        }
        // Razoring: the evaluation is so far below alpha that, without fours, no shallow search brings it above.
        if depth <= tuning.razoring_depth && eval + tuning.razoring_margin * depth <= alpha {
            return Ok(Some(eval));
        }
        // Null move pruning: the node fails high even if the side to move does nothing.
        if depth >= tuning.nmp_depth && eval >= beta && matches!(last, Last::Stone { .. }) {
            let reduced = depth - tuning.nmp_base - depth / tuning.nmp_divisor;
            self.stack[ply + 1].cut_node = !self.stack[ply].cut_node;
            let value = -self.node(side.other(), -beta, 1 - beta, reduced, ply + 1, Last::NullMove)?;
            if value >= beta {
                // A win found by doing nothing is not proved.
                return Ok(Some(if value > MAX_EVALUATION { beta } else { value }));
            }
        }
        Ok(None)
    }

    /// Tries the moves of a node that nothing has decided.
    fn search_moves(&mut self, node: &NodeWindow, defences: Option<PointSet>) -> Result<i32, Stopped> {
        let NodeWindow { side, mut alpha, beta, depth, ply, last, tt_entry, .. } = *node;
        let tuning = self.tuning;
        let (other, passed) = (side.other(), matches!(last, Last::Pass));
        let mut ordered = self.candidates(side, defences, last);
        // The move of the table first.
        if let Some(tt_move) = tt_entry.map(|entry| entry.best_move).filter(|&tt_move| tt_move > 0)
            && let Some(at) = ordered.iter().position(|&(_, cell)| u16::from(cell) + 1 == tt_move)
        {
            ordered[..=at].rotate_right(1);
        }
        let lmp_count = match defences {
            Some(_) => POINTS,
            None => (tuning.lmp_base + tuning.lmp_slope * depth.max(0)) as usize,
        };
        let futile = beta - alpha == 1
            && depth <= tuning.futility_depth
            && node.eval.is_some_and(|eval| eval + tuning.futility_margin * depth <= alpha);
        let (original_alpha, mut best_value, mut best_cell) = (alpha, if passed { 0 } else { -WIN }, None);
        let mut tried: Vec<u8> = Vec::with_capacity(lmp_count.min(32));
        for &(_, cell) in &ordered {
            // Late move pruning: nodes without a threat try the first moves only.
            if tried.len() >= lmp_count && best_value > -MAX_EVALUATION {
                break;
            }
            let class = self.board.class(side, cell);
            let quiet = !class.has(Trait::Four) && !class.has(Trait::Three) && defences.is_none();
            // Futility pruning: a quiet move does not bring the evaluation near alpha.
            if quiet && futile && !tried.is_empty() && best_value > -MAX_EVALUATION {
                continue;
            }
            if !self.board.may_play(side, cell) {
                continue;
            }
            // Late move reduction.
            let reduction =
                if quiet && depth >= 3 && tried.len() >= 3 { self.reduction(node, cell, tried.len()) } else { 0 };
            self.board.place(cell, side);
            let next = Last::Stone { cell, calm: defences.is_none() };
            let found = self.search_move(other, (alpha, beta), depth - 1, ply, (tried.len(), reduction), next);
            self.board.take_back();
            let value = found?;
            if value > best_value {
                best_value = value;
                best_cell = Some(cell);
                alpha = alpha.max(value);
                if value >= beta {
                    self.update_history(side, last, cell, &tried, depth);
                    break;
                }
            }
            tried.push(cell);
        }
        // Doing nothing is allowed too; it is worth a try where everything else loses.
        if best_value < -MAX_EVALUATION && depth > 0 && !passed {
            let value = -self.node(other, -beta, -alpha, depth - 1, ply + 1, Last::Pass)?;
            if value > best_value {
                (best_value, best_cell) = (value, None);
            }
        }
        let bound = if best_value >= beta {
            Bound::Lower
        } else if best_value > original_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // Correction history: a bound on the near side of the evaluation does not contradict it.
        if let (Some(eval), Some(static_eval), None) = (node.eval, node.static_eval, defences)
            && depth > 0
            && best_value.abs() <= MAX_EVALUATION
            && (if best_value > eval { bound.is_lower() } else { bound.is_upper() })
        {
            let key = self.correction_key(side, ply);
            self.search.correction.update(key, best_value - static_eval, depth, tuning.correction_rate);
        }
        self.store(node, best_cell, best_value, depth, bound);
        Ok(best_value)
    }

    /// By how many plies a late quiet move is reduced.
    fn reduction(&self, node: &NodeWindow, cell: u8, tried: usize) -> i32 {
        let tuning = &self.tuning;
        let logs = f64::from(node.depth).ln() * (tried as f64).ln();
        let mut reduction = tuning.lmr_base + (f64::from(tuning.lmr_slope) * logs) as i32;
        if node.beta - node.alpha > 1 {
            reduction -= tuning.lmr_pv;
        }
        if self.stack[node.ply].cut_node {
            reduction += tuning.lmr_cut_node;
        }
        if !self.stack.improving(node.ply) {
            reduction += tuning.lmr_not_improving;
        }
        reduction -= self.history_score(node.side, node.last, cell) * tuning.lmr_history / 100;
        reduction.max(0) / 100
    }

    /// Principal variation search of the position after a move: its value for the side that made it. Late moves are
    /// reduced at first, and all but the first searched with a null window.
    fn search_move(
        &mut self,
        other: Side,
        (alpha, beta): (i32, i32),
        full: i32,
        ply: i32,
        (tried, reduction): (usize, i32),
        last: Last,
    ) -> Result<i32, Stopped> {
        let cut_node = self.stack[ply].cut_node;
        if tried > 0 {
            let reduced = (full - reduction).max(full.min(0));
            self.stack[ply + 1].cut_node = reduced < full || !cut_node;
            let mut value = -self.node(other, -alpha - 1, -alpha, reduced, ply + 1, last)?;
            if value > alpha && reduced < full {
                self.stack[ply + 1].cut_node = !cut_node;
                value = -self.node(other, -alpha - 1, -alpha, full, ply + 1, last)?;
            }
            if value <= alpha || value >= beta {
                return Ok(value);
            }
        }
        self.stack[ply + 1].cut_node = beta - alpha == 1 && !cut_node;
        Ok(-self.node(other, -beta, -alpha, full, ply + 1, last)?)
    }

    /// The value of a win by fours of the side to move. It is not looked for where a stone of the other side's cannot
    /// have made it: but White may have got it by what is now forbidden to Black.
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
        let nodes = if depth > 0 { self.tuning.fours_nodes } else { self.tuning.fours_leaf_nodes };
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
