//! One node: the steps that decide it without a move, and the loop over its moves.

use agon_game::Side;
use agon_rules::renju::{POINTS, PointSet};
use agon_search::Stopped;
use agon_search::evaluate::MAX_EVALUATION;
use agon_search::transposition::Bound;
use agon_search::value::from_table;

use super::state::{Last, MAX_PLY, NodeWindow, RenjuSearcher, win_in};
use super::table::tt_static_eval;
use crate::renju::Trait;

/// The verdict of the search that leaves out the move of the table.
enum Singular {
    /// Others fail high as well.
    MultiCut(i32),
    /// Number of plies by which the table's move is extended.
    Extension(i32),
}

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
        // A straight four wins, whatever the other side does.
        if self.winning_point(side).is_some() {
            return Ok(win_in(ply + 3));
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
        // Transposition table: probe, and cut off if the entry decides the window.
        let tt_entry = self.tt.probe(key);
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
        let mut node =
            NodeWindow { side, alpha, beta, depth, ply, last, key, tt_entry, static_eval, eval: None, excluded: None };
        if depth <= 0 {
            self.search.stats.leaves += 1;
            return self.qsearch(node);
        }
        // A win by fours.
        if let Some(value) = self.fours_win(&node)? {
            return Ok(self.store_win(&node, value));
        }
        // Static evaluation and its correction by history, unless a threat of fours makes it meaningless.
        let defences = self.defences(side)?;
        if defences.is_none() {
            let static_eval = self.static_eval(&node);
            node.static_eval = Some(static_eval);
            let key = self.correction_key(side, ply);
            let eval = self.search.correction.correct(key, static_eval, self.tuning.correction_weight);
            node.eval = Some(eval);
            self.stack[ply].eval = Some(eval);
            if !node.is_pv()
                && let Some(value) = self.static_pruning(&node)?
            {
                return Ok(value);
            }
        }
        // Internal iterative reduction: without a move of the table, a search less deep finds one.
        if depth >= self.tuning.iir_depth && node.tt_move().is_none() {
            node.depth -= 1;
        }
        self.search_moves(&node, defences)
    }

    /// The value of a node without fours of either side, if the static evaluation or a null move is so far outside the
    /// null window that no move need be tried.
    fn static_pruning(&mut self, node: &NodeWindow) -> Result<Option<i32>, Stopped> {
        let NodeWindow { side, alpha, beta, depth, ply, last, .. } = *node;
        let mut eval = node.eval.unwrap_or(alpha);
        let tuning = self.tuning;
        if beta.abs() > MAX_EVALUATION {
            return Ok(None);
        }
        // A bound of the table on the far side of the evaluation is the better evaluation.
        if let Some(entry) = node.tt_entry {
            let value = from_table(entry.value, ply);
            let better = if value > eval { entry.bound.is_lower() } else { entry.bound.is_upper() };
            if better && value.abs() <= MAX_EVALUATION {
                eval = value;
            }
        }
        // Reverse futility pruning: the evaluation is so far above beta that no search of this depth brings it below.
        if depth <= tuning.rfp_depth && eval - tuning.rfp_margin * depth >= beta {
            return Ok(Some(eval));
        }
        // Razoring: the evaluation is so far below alpha that only fours could bring it above.
        if depth <= tuning.razoring_depth && eval + tuning.razoring_margin * depth <= alpha {
            let value = self.qsearch(NodeWindow { depth: 0, beta: alpha + 1, ..*node })?;
            if value <= alpha || depth == 1 {
                return Ok(Some(value));
            }
        }
        // Null move pruning: the node fails high even if the side to move does nothing.
        if depth >= tuning.nmp_depth && eval >= beta && matches!(last, Last::Stone { .. }) {
            let reduced = depth - tuning.nmp_base - depth / tuning.nmp_divisor;
            self.stack[ply + 1].cut_node = !self.stack[ply].cut_node;
            let value = -self.node(side.other(), -beta, 1 - beta, reduced, ply + 1, Last::NullMove)?;
            if value >= beta {
                // A win found after a null move is not proved.
                return Ok(Some(if value > MAX_EVALUATION { beta } else { value }));
            }
        }
        Ok(None)
    }

    /// Searches the moves of a node that no earlier step has decided.
    pub(super) fn search_moves(&mut self, node: &NodeWindow, defences: Option<PointSet>) -> Result<i32, Stopped> {
        let NodeWindow { side, mut alpha, beta, depth, ply, last, excluded, .. } = *node;
        let tuning = self.tuning;
        let (other, passed) = (side.other(), matches!(last, Last::Pass));
        let tt_extension = match self.singular(node, defences)? {
            Singular::MultiCut(value) => return Ok(value),
            Singular::Extension(extension) => extension,
        };
        let ordered = self.candidates(side, defences, last, node.tt_move());
        let lmp_count = match defences {
            Some(_) => POINTS,
            None => (tuning.lmp_base + tuning.lmp_slope * depth.max(0)) as usize,
        };
        let futile = !node.is_pv()
            && depth <= tuning.futility_depth
            && node.eval.is_some_and(|eval| eval + tuning.futility_margin * depth <= alpha);
        // Worse than any move, and yet a loss that is counted from the root, as the table wants it.
        let worst = -win_in(ply + 1);
        let (original_alpha, mut best_value, mut best_cell) = (alpha, if passed { 0 } else { worst }, None);
        let mut tried = Tried::default();
        // Above the quiescence search.
        let counted = u64::from(depth > 0);
        self.search.stats.expanded += counted;
        self.search.stats.answering += if defences.is_some() { counted } else { 0 };
        for cell in ordered {
            if Some(cell) == excluded {
                continue;
            }
            // Late move pruning: nodes without a threat try the first moves only.
            if tried.count >= lmp_count && best_value > -MAX_EVALUATION {
                break;
            }
            let class = self.board.class(side, cell);
            let quiet = !class.has(Trait::Four) && !class.has(Trait::Three) && defences.is_none();
            // Futility pruning: a quiet move does not bring the evaluation near alpha.
            if quiet && futile && tried.count > 0 && best_value > -MAX_EVALUATION {
                continue;
            }
            if !self.board.may_play(side, cell) {
                continue;
            }
            // Late move reduction.
            let reduction =
                if quiet && depth >= 3 && tried.count >= 3 { self.reduction(node, cell, tried.count) } else { 0 };
            let full = depth - 1 + if Some(cell) == node.tt_move() { tt_extension } else { 0 };
            self.board.place(cell, side);
            let next = Last::Stone { cell, calm: defences.is_none() };
            let found = self.search_move(other, (alpha, beta), full, ply, (tried.count, reduction), next);
            self.board.take_back();
            let value = found?;
            self.search.stats.moves += counted;
            if value > best_value {
                best_value = value;
                best_cell = Some(cell);
                alpha = alpha.max(value);
                if value >= beta {
                    self.search.stats.cutoffs += counted;
                    self.search.stats.first_cutoffs += if tried.count == 0 { counted } else { 0 };
                    if excluded.is_none() {
                        self.update_history(side, last, cell, tried.as_slice(), depth);
                    }
                    break;
                }
            }
            tried.push(cell);
        }
        if excluded.is_some() {
            return Ok(best_value);
        }
        // PASS is legal too, and worth a try if everything else loses.
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

    /// Singular extension: searches the other moves of the node to half the depth. If they are worse than the table's
    /// move by a margin, it is extended; if they fail high as well, so does the node.
    fn singular(&mut self, node: &NodeWindow, defences: Option<PointSet>) -> Result<Singular, Stopped> {
        let NodeWindow { beta, depth, ply, .. } = *node;
        let tuning = self.tuning;
        let (Some(entry), Some(cell)) = (node.tt_entry, node.tt_move()) else { return Ok(Singular::Extension(0)) };
        let value = from_table(entry.value, ply);
        if depth < tuning.singular_depth
            || node.excluded.is_some()
            || !entry.bound.is_lower()
            || i32::from(entry.depth) < depth - 3
            || value.abs() > MAX_EVALUATION
        {
            return Ok(Singular::Extension(0));
        }
        let below = value - tuning.singular_margin * depth;
        let without = NodeWindow { alpha: below - 1, beta: below, depth: depth / 2, excluded: Some(cell), ..*node };
        let found = self.search_moves(&without, defences)?;
        Ok(if found < below {
            let twice = !node.is_pv() && found < below - tuning.singular_double;
            Singular::Extension(if twice { 2 } else { 1 })
        } else if below >= beta {
            Singular::MultiCut(below)
        } else {
            Singular::Extension(0)
        })
    }

    /// Returns the reduction of a late quiet move, in plies.
    fn reduction(&self, node: &NodeWindow, cell: u8, tried: usize) -> i32 {
        let tuning = &self.tuning;
        let logs = f64::from(node.depth).ln() * (tried as f64).ln();
        let mut reduction = tuning.lmr_base + (f64::from(tuning.lmr_slope) * logs) as i32;
        if node.is_pv() {
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
    /// reduced at first, and all but the first are searched with a null window.
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
}

/// The moves of a node that have been tried.
struct Tried {
    cells: [u8; POINTS],
    count: usize,
}

impl Default for Tried {
    fn default() -> Self {
        Self { cells: [0; POINTS], count: 0 }
    }
}

impl Tried {
    fn push(&mut self, cell: u8) {
        self.cells[self.count] = cell;
        self.count += 1;
    }

    fn as_slice(&self) -> &[u8] {
        &self.cells[..self.count]
    }
}
