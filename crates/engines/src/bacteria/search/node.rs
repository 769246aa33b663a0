//! The alpha-beta search of one thread.

use std::sync::atomic::AtomicU64;

use agon_game::Position;
use agon_search::correction::Correction;
use agon_search::evaluate::{Evaluate, MAX_EVALUATION};
use agon_search::transposition::{Bound, TableEntry, TranspositionTable};
use agon_search::value::{INFINITY, WIN, from_table, to_table};
use agon_search::{Meter, Stopped};

use super::game::{KnownResult, MAX_PLY, MoveOf, PARTS, SearchGame};
use super::history::{HistoryKey, MoveContext, NULL_MOVE, SearchHistory};
use super::picker::{MovePicker, ScoredMove};
use super::tuning::{Reductions, Tuning};

/// The type of a node, known at compile time.
pub(super) trait NodeType {
    /// The position that was asked about.
    const ROOT: bool = false;
    /// Searched with an open window, for its exact value.
    const PV: bool = false;
}

pub(super) struct Root;
/// A node of the principal variation.
pub(super) struct Pv;
/// A node searched with a null window.
pub(super) struct NonPv;

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeType for Pv {
    const PV: bool = true;
}

impl NodeType for NonPv {}

/// An entry of the search stack, one per ply from the root.
#[derive(Clone, Debug)]
struct StackEntry<M> {
    estimate: i32,
    /// The move that a singular search leaves out.
    excluded: Option<M>,
    /// Whether a null move led here.
    null_move: bool,
    /// The continuation index of the move that led here.
    last: u16,
    /// The principal variation from here, of PV nodes.
    line: Vec<M>,
}

/// The nodes that the current iteration has spent on a move of the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootEffort<M> {
    pub m: M,
    pub nodes: u64,
}

/// What a thread keeps from one search to the next.
#[derive(Clone, Debug)]
pub(super) struct ThreadState<E> {
    pub evaluation: E,
    pub history: SearchHistory,
    pub correction: Correction<PARTS>,
}

/// One thread's search of one position.
pub(super) struct Searcher<'a, G: SearchGame, E> {
    pub position: &'a G::Position,
    pub table: &'a TranspositionTable,
    pub tuning: &'a Tuning,
    reductions: &'a Reductions,
    /// The nodes of all helper threads.
    pub helper_nodes: &'a AtomicU64,
    evaluation: &'a mut E,
    history: &'a mut SearchHistory,
    correction: &'a mut Correction<PARTS>,
    pub meter: Meter,
    /// Generated moves of all nodes from the root to the current one.
    waiting: Vec<ScoredMove<MoveOf<G>>>,
    /// Tried moves of the same nodes.
    tried: Vec<HistoryKey>,
    stack: Vec<StackEntry<MoveOf<G>>>,
    /// Root moves that an earlier line of this iteration begins with (multi-PV).
    pub done: Vec<MoveOf<G>>,
    pub efforts: Vec<RootEffort<MoveOf<G>>>,
    pub seldepth: usize,
}

impl<'a, G: SearchGame, E: Evaluate<G::Position>> Searcher<'a, G, E> {
    pub fn new(
        position: &'a G::Position,
        (table, tuning, reductions): (&'a TranspositionTable, &'a Tuning, &'a Reductions),
        state: &'a mut ThreadState<E>,
        helper_nodes: &'a AtomicU64,
        meter: Meter,
    ) -> Self {
        let entry = StackEntry { estimate: 0, excluded: None, null_move: false, last: 0, line: Vec::new() };
        Self {
            position,
            table,
            tuning,
            reductions,
            helper_nodes,
            evaluation: &mut state.evaluation,
            history: &mut state.history,
            correction: &mut state.correction,
            meter,
            waiting: Vec::with_capacity(1 << 12),
            tried: Vec::with_capacity(1 << 12),
            stack: vec![entry; MAX_PLY + 2],
            done: Vec::new(),
            efforts: Vec::new(),
            seldepth: 0,
        }
    }

    pub fn line(&self) -> &[MoveOf<G>] {
        &self.stack[0].line
    }

    /// Searches the root within a window.
    pub fn root(&mut self, alpha: i32, beta: i32, depth: i32) -> Result<i32, Stopped> {
        let position = self.position;
        self.evaluation.reset(position);
        self.waiting.clear();
        self.tried.clear();
        self.efforts.clear();
        self.stack[0].excluded = None;
        self.node::<Root>(position, alpha, beta, depth, 0, false)
    }

    /// Searches the position after a move; window and value are those of the side that made it.
    #[inline]
    fn child<K: NodeType>(
        &mut self,
        position: &G::Position,
        (alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Result<i32, Stopped> {
        Ok(-self.node::<K>(position, -beta, -alpha, depth, ply + 1, cut)?)
    }

    /// The value of a node, fail-soft. `cut` says that the node is expected to fail high.
    #[allow(clippy::too_many_lines, reason = "the order of the steps is what matters")]
    fn node<K: NodeType>(
        &mut self,
        position: &G::Position,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut: bool,
    ) -> Result<i32, Stopped> {
        self.meter.node()?;
        if K::PV {
            self.stack[ply].line.clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if !K::ROOT {
            if let Some(result) = G::known_result(position) {
                return Ok(known_value(result, ply));
            }
            if depth <= 0 || ply >= MAX_PLY {
                return Ok(self.evaluation.value(position));
            }
            // Mate distance pruning: nothing here is better than winning at once or worse than having lost already.
            alpha = alpha.max(ply as i32 - WIN);
            beta = beta.min(WIN - ply as i32 - 1);
            if alpha >= beta {
                return Ok(alpha);
            }
        }

        let tuning = self.tuning;
        let excluded = self.stack[ply].excluded;
        let key = G::key(position);
        let tabled = excluded.is_none() && depth >= tuning.table_depth;
        let known = if tabled { self.table.probe(key) } else { None };
        if let Some(entry) = known
            && !K::PV
            && i32::from(entry.depth) >= depth
        {
            let value = from_table(entry.value, ply as i32);
            if if value >= beta { entry.bound.is_lower() } else { entry.bound.is_upper() && value <= alpha } {
                return Ok(value);
            }
        }
        let best = known.and_then(|entry| G::unpack(position, entry.best));

        // The static evaluation, and what searches have taught of it. The table keeps the first, as the second changes.
        let correction_key = Correction::key(position.turn().index(), G::part_keys(position));
        let static_value = match known {
            Some(entry) => i32::from(entry.estimate),
            None => self.evaluation.value(position),
        };
        let estimate = match excluded {
            Some(_) => self.stack[ply].estimate,
            None => self.correction.correct(correction_key, static_value, tuning.correction_weight),
        };
        self.stack[ply].estimate = estimate;
        let improving = ply >= 2 && estimate > self.stack[ply - 2].estimate;
        // A bound of the table on the estimate's far side is the better estimate.
        let bounded = known.map_or(estimate, |entry| {
            let value = from_table(entry.value, ply as i32);
            let better = if value > estimate { entry.bound.is_lower() } else { entry.bound.is_upper() };
            if better && value.abs() <= MAX_EVALUATION { value } else { estimate }
        });

        // Internal iterative reduction.
        if best.is_none() && excluded.is_none() && depth >= tuning.reduction_depth && (K::PV || cut) {
            depth -= 1;
        }

        if !K::PV && excluded.is_none() && beta.abs() <= MAX_EVALUATION {
            let margin = tuning.reverse_margin * depth - if improving { tuning.reverse_improving } else { 0 };
            if depth <= tuning.reverse_depth && bounded - margin >= beta {
                return Ok(i32::midpoint(bounded, beta));
            }
            if depth >= tuning.null_depth
                && bounded >= beta + tuning.null_margin
                && !self.stack[ply].null_move
                && let Some(next) = G::null_move(position)
            {
                let reduced = depth - tuning.null_base - depth / tuning.null_divisor;
                self.stack[ply + 1].null_move = true;
                self.stack[ply + 1].last = NULL_MOVE;
                self.stack[ply + 1].excluded = None;
                self.evaluation.push();
                let value = self.child::<NonPv>(&next, (beta - 1, beta), reduced, ply, !cut)?;
                self.evaluation.pop();
                self.stack[ply + 1].null_move = false;
                if value >= beta {
                    // A win after a null move is not proved.
                    return Ok(if value > MAX_EVALUATION { beta } else { value });
                }
            }
        }

        let (waiting, tried) = (self.waiting.len(), self.tried.len());
        let context = MoveContext { side: position.turn().index(), last: self.stack[ply].last };
        let mut picker = G::Picker::new(best, &self.waiting);
        let (mut value, mut chosen, mut count) = (-INFINITY, None, 0);
        let first_alpha = alpha;
        while let Some(picked) = picker.next(position, &mut self.waiting, self.history, context, tuning) {
            let m = picked.m;
            if Some(m) == excluded || (K::ROOT && self.done.contains(&m)) {
                continue;
            }
            count += 1;
            let history_key = G::history_key(m);
            let history = self.history.value(context, history_key, tuning);
            let mut hundredths = self.reductions.of(depth, count) - 100 * history / tuning.late_history;
            if K::PV {
                hundredths -= tuning.late_principal;
            }
            if cut {
                hundredths += tuning.late_cut;
            }
            if !improving {
                hundredths += tuning.late_worsening;
            }
            if !K::ROOT && value >= -MAX_EVALUATION {
                if picked.late && depth <= tuning.minor_depth && count > tuning.minor_count {
                    break;
                }
                if !K::PV {
                    let limit = tuning.count_base + tuning.count_slope * depth * depth;
                    if depth <= tuning.count_depth && count > limit {
                        break;
                    }
                    if depth <= tuning.history_depth && history < -tuning.history_margin * depth {
                        continue;
                    }
                    // The depth left after the reduction, in hundredths of a ply.
                    let left = (100 * depth - tuning.futility_reduced * hundredths.max(0) / 100).max(100);
                    let hope = estimate + picked.gain + tuning.futility_base + tuning.futility_margin * left / 100;
                    if left <= 100 * tuning.futility_depth && hope <= alpha {
                        value = value.max(hope);
                        continue;
                    }
                }
            }

            // Singular extension: is the hash move better than all others?
            let mut extension = 0;
            if !K::ROOT
                && depth >= tuning.singular_depth
                && excluded.is_none()
                && Some(m) == best
                && let Some(entry) = known
                && entry.bound.is_lower()
                && i32::from(entry.depth) >= depth - 3
                && i32::from(entry.value).abs() <= MAX_EVALUATION
                && ply < MAX_PLY / 2
            {
                let seen = from_table(entry.value, ply as i32);
                let bar = seen - tuning.singular_margin * depth;
                self.stack[ply].excluded = Some(m);
                let others = self.node::<NonPv>(position, bar - 1, bar, (depth - 1) / 2, ply, cut);
                self.stack[ply].excluded = None;
                let others = others?;
                if others < bar {
                    extension = 1 + i32::from(!K::PV && others < bar - tuning.double_margin);
                } else if !K::PV && bar >= beta {
                    // Multi-cut: other moves fail high, too.
                    return Ok(bar);
                } else if seen >= beta {
                    extension = -2;
                } else if cut {
                    extension = -1;
                }
            }

            let before = self.meter.nodes();
            let mut next = position.clone();
            self.evaluation.push();
            next.play_unchecked(m, self.evaluation);
            if depth > tuning.table_depth {
                self.table.prefetch(G::key(&next));
            }
            self.evaluation.prefetch(&next);
            let full = depth - 1 + extension;
            self.stack[ply + 1].excluded = None;
            self.stack[ply + 1].last = history_key.continuation;
            let mut found = -INFINITY;
            let mut open = true;
            if count > 1 && depth >= 2 {
                let reduced = (full - hundredths / 100).clamp(full.min(1), full);
                found = self.child::<NonPv>(&next, (alpha, alpha + 1), reduced, ply, true)?;
                open = found > alpha && reduced < full;
                if open {
                    found = self.child::<NonPv>(&next, (alpha, alpha + 1), full, ply, !cut)?;
                }
                open = found > alpha;
            } else if !K::PV || count > 1 {
                found = self.child::<NonPv>(&next, (alpha, alpha + 1), full, ply, !cut)?;
                open = found > alpha;
            }
            let exact = K::PV && (count == 1 || (open && (found < beta || K::ROOT)));
            if exact {
                found = self.child::<Pv>(&next, (alpha, beta), full, ply, false)?;
            }
            self.evaluation.pop();
            if K::ROOT {
                self.efforts.push(RootEffort { m, nodes: self.meter.nodes() - before });
            }

            if found > value {
                value = found;
                if found > alpha {
                    alpha = found;
                    chosen = Some(m);
                }
                if K::PV && (found > first_alpha || (K::ROOT && count == 1)) {
                    let (above, below) = self.stack.split_at_mut(ply + 1);
                    let line = &mut above[ply].line;
                    line.clear();
                    line.push(m);
                    // After a fail-high of the null window the line below is that of an earlier move.
                    if exact {
                        line.extend_from_slice(&below[0].line);
                    }
                }
                if found >= beta {
                    self.learn(context, history_key, tried, depth);
                    break;
                }
            }
            self.tried.push(history_key);
        }
        self.waiting.truncate(waiting);
        self.tried.truncate(tried);

        if count == 0 {
            // Every move was excluded.
            return Ok(alpha);
        }
        let bound = if value >= beta {
            Bound::Lower
        } else if value > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let whole = excluded.is_none() && (!K::ROOT || self.done.is_empty());
        // A bound that the estimate keeps within says nothing against it.
        let differs = if value > estimate { bound.is_lower() } else { bound.is_upper() };
        if whole && differs && value.abs() <= MAX_EVALUATION {
            self.correction.learn(correction_key, value - static_value, depth, tuning.correction_rate);
        }
        if tabled && whole {
            let entry = TableEntry {
                best: chosen.map_or(0, G::pack),
                value: to_table(value, ply as i32),
                estimate: static_value as i16,
                depth: depth.clamp(0, 255) as u8,
                bound,
            };
            self.table.store(key, entry);
        }
        Ok(value)
    }

    /// Updates the history after a cutoff by a move: those tried before it get the negative bonus.
    fn learn(&mut self, context: MoveContext, cutting: HistoryKey, tried: usize, depth: i32) {
        let bonus = (self.tuning.bonus_slope * depth).min(self.tuning.bonus_most);
        self.history.learn(context, cutting, bonus);
        for &key in &self.tried[tried..] {
            self.history.learn(context, key, -bonus);
        }
    }
}

/// The value of a known result at a node `ply` plies from the root.
const fn known_value(result: KnownResult, ply: usize) -> i32 {
    match result {
        KnownResult::Win(plies) => WIN - ply as i32 - plies as i32,
        KnownResult::Loss(plies) => ply as i32 + plies as i32 - WIN,
        KnownResult::Draw => 0,
    }
}
