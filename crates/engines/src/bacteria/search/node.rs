//! The alpha-beta search of one thread.

use std::ops::ControlFlow;

use agon_game::Position;
use agon_search::correction::{Correction, CorrectionKey};
use agon_search::evaluate::{Evaluate, MAX_EVALUATION};
use agon_search::transposition::{Bound, TableEntry, TranspositionTable};
use agon_search::value::{INFINITY, WIN, from_table, to_table};
use agon_search::{Meter, Stopped};

use super::game::{KnownResult, MAX_PLY, MoveOf, PARTS, SearchGame};
use super::history::{HistoryKey, MoveContext, NULL_MOVE, SearchHistory};
use super::picker::{MovePicker, PickedMove, ScoredMove};
use super::tuning::{Reductions, Tuning};

/// The type of a node, known at compile time.
pub(super) trait NodeType {
    /// The position of the search.
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
    /// The static evaluation, corrected.
    eval: i32,
    /// The move that a singular search leaves out.
    excluded: Option<M>,
    /// True if a null move led here.
    null_move: bool,
    /// The continuation index of the move that led here.
    last: u16,
    /// The principal variation from here, of PV nodes.
    pv: Vec<M>,
}

/// A node before its moves are tried.
#[derive(Clone, Copy, Debug)]
struct AssessedNode<M> {
    ply: usize,
    /// The depth left, in plies.
    depth: i32,
    /// Expected to fail high.
    cut_node: bool,
    /// The move that a singular search leaves out.
    excluded: Option<M>,
    key: u64,
    /// Whether the table is used here.
    uses_tt: bool,
    tt_entry: Option<TableEntry>,
    tt_move: Option<M>,
    correction_key: CorrectionKey<PARTS>,
    static_eval: i32,
    /// The static evaluation, corrected.
    eval: i32,
    /// The evaluation, or a bound of the table that is better.
    tt_eval: i32,
    /// Whether the side to move stands better than at its last turn.
    improving: bool,
}

/// A move that is searched.
#[derive(Clone, Copy, Debug)]
struct TriedMove<M> {
    m: M,
    key: HistoryKey,
    /// From 1, in the order of the moves.
    number: i32,
    /// The depth below it, in plies, before its reduction.
    depth: i32,
    /// In hundredths of a ply.
    reduction: i32,
}

/// What a node leaves out at one of its moves.
enum Pruning {
    None,
    /// This move, whose value is at most this bound.
    Move(i32),
    /// This move and all that follow.
    Rest,
}

/// The nodes that the current iteration has spent on a move of the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootEffort<M> {
    pub m: M,
    pub nodes: u64,
}

/// Data that a thread keeps between searches.
#[derive(Clone, Debug)]
pub(super) struct ThreadState<E> {
    pub evaluation: E,
    pub history: SearchHistory,
    pub correction: Correction<PARTS>,
}

pub(super) struct Searcher<'a, G: SearchGame, E> {
    position: &'a G::Position,
    pub tt: &'a TranspositionTable,
    pub tuning: &'a Tuning,
    reductions: &'a Reductions,
    evaluation: &'a mut E,
    history: &'a mut SearchHistory,
    correction: &'a mut Correction<PARTS>,
    pub meter: Meter,
    /// Generated moves of all nodes from the root to the current one.
    move_list: Vec<ScoredMove<MoveOf<G>>>,
    /// Tried moves of the same nodes.
    tried: Vec<HistoryKey>,
    stack: Vec<StackEntry<MoveOf<G>>>,
    /// Root moves that an earlier line of this iteration begins with (multi-PV).
    pub earlier_pv_moves: Vec<MoveOf<G>>,
    pub efforts: Vec<RootEffort<MoveOf<G>>>,
    pub seldepth: usize,
}

impl<'a, G: SearchGame, E: Evaluate<G::Position>> Searcher<'a, G, E> {
    pub(super) fn new(
        position: &'a G::Position,
        (tt, tuning, reductions): (&'a TranspositionTable, &'a Tuning, &'a Reductions),
        state: &'a mut ThreadState<E>,
        meter: Meter,
    ) -> Self {
        let entry = StackEntry { eval: 0, excluded: None, null_move: false, last: 0, pv: Vec::new() };
        Self {
            position,
            tt,
            tuning,
            reductions,
            evaluation: &mut state.evaluation,
            history: &mut state.history,
            correction: &mut state.correction,
            meter,
            move_list: Vec::with_capacity(1 << 12),
            tried: Vec::with_capacity(1 << 12),
            stack: vec![entry; MAX_PLY + 2],
            earlier_pv_moves: Vec::new(),
            efforts: Vec::new(),
            seldepth: 0,
        }
    }

    pub(super) fn root_pv(&self) -> &[MoveOf<G>] {
        &self.stack[0].pv
    }

    pub(super) fn root(&mut self, alpha: i32, beta: i32, depth: i32) -> Result<i32, Stopped> {
        let position = self.position;
        self.evaluation.reset(position);
        self.move_list.clear();
        self.tried.clear();
        self.efforts.clear();
        self.stack[0].excluded = None;
        self.node::<Root>(position, alpha, beta, depth, 0, false)
    }

    /// Searches the position after a move; window and value are from the point of view of the side that made it.
    #[inline]
    fn child<K: NodeType>(
        &mut self,
        position: &G::Position,
        (alpha, beta): (i32, i32),
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Result<i32, Stopped> {
        Ok(-self.node::<K>(position, -beta, -alpha, depth, ply + 1, cut_node)?)
    }

    /// The value of a node, fail-soft. A `cut_node` is expected to fail high.
    fn node<K: NodeType>(
        &mut self,
        position: &G::Position,
        mut alpha: i32,
        mut beta: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Result<i32, Stopped> {
        self.meter.node()?;
        if K::PV {
            self.stack[ply].pv.clear();
            self.seldepth = self.seldepth.max(ply);
        }
        if !K::ROOT {
            if let Some(result) = G::known_result(position) {
                return Ok(result_value(result, ply));
            }
            if depth <= 0 || ply >= MAX_PLY {
                return Ok(self.evaluation.value(position));
            }
            // Mate distance pruning: no value here is better than winning immediately or worse than having lost
            // already.
            alpha = alpha.max(ply as i32 - WIN);
            beta = beta.min(WIN - ply as i32 - 1);
            if alpha >= beta {
                return Ok(alpha);
            }
        }
        let node = match self.assess::<K>(position, (alpha, beta), depth, ply, cut_node) {
            ControlFlow::Continue(node) => node,
            ControlFlow::Break(value) => return Ok(value),
        };
        if !K::PV
            && node.excluded.is_none()
            && beta.abs() <= MAX_EVALUATION
            && let Some(value) = self.prune_node(position, &node, beta)?
        {
            return Ok(value);
        }

        let (list_start, tried_start) = (self.move_list.len(), self.tried.len());
        let context = MoveContext { side: position.turn().index(), last: self.stack[ply].last };
        let mut picker = G::Picker::new(node.tt_move, &self.move_list);
        let (mut best_value, mut best_move, mut move_count) = (-INFINITY, None, 0);
        let original_alpha = alpha;
        while let Some(picked) = picker.next(position, &mut self.move_list, self.history, context, self.tuning) {
            let m = picked.m;
            if Some(m) == node.excluded || (K::ROOT && self.earlier_pv_moves.contains(&m)) {
                continue;
            }
            move_count += 1;
            let key = G::history_key(m);
            let history = self.history.value(context, key, self.tuning);
            let reduction = self.reduction::<K>(&node, move_count, history);
            if !K::ROOT && best_value >= -MAX_EVALUATION {
                match self.prune_move::<K>(&node, &picked, move_count, (history, reduction), alpha) {
                    Pruning::None => {}
                    Pruning::Move(bound) => {
                        best_value = best_value.max(bound);
                        continue;
                    }
                    Pruning::Rest => break,
                }
            }
            let extension = match self.singular_extension::<K>(position, &node, m, beta)? {
                ControlFlow::Continue(extension) => extension,
                ControlFlow::Break(value) => return Ok(value),
            };

            let nodes_before = self.meter.nodes();
            let tried = TriedMove { m, key, number: move_count, depth: node.depth - 1 + extension, reduction };
            let (value, is_exact) = self.search_move::<K>(position, &node, tried, (alpha, beta))?;
            if K::ROOT {
                self.efforts.push(RootEffort { m, nodes: self.meter.nodes() - nodes_before });
            }

            if value > best_value {
                best_value = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(m);
                }
                if K::PV && (value > original_alpha || (K::ROOT && move_count == 1)) {
                    self.update_pv(ply, m, is_exact);
                }
                if value >= beta {
                    self.update_history(context, key, tried_start, node.depth);
                    break;
                }
            }
            self.tried.push(key);
        }
        self.move_list.truncate(list_start);
        self.tried.truncate(tried_start);

        if move_count == 0 {
            // Every move was excluded.
            return Ok(alpha);
        }
        self.learn::<K>(&node, best_value, best_move, (original_alpha, beta));
        Ok(best_value)
    }

    /// What the table and the evaluation say of a node; breaks with its value if the entry decides the window.
    #[inline]
    fn assess<K: NodeType>(
        &mut self,
        position: &G::Position,
        (alpha, beta): (i32, i32),
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> ControlFlow<i32, AssessedNode<MoveOf<G>>> {
        let tuning = self.tuning;
        let excluded = self.stack[ply].excluded;
        let key = G::key(position);
        let uses_tt = excluded.is_none() && depth >= tuning.tt_depth;
        let tt_entry = if uses_tt { self.tt.probe(key) } else { None };
        if let Some(entry) = tt_entry
            && !K::PV
            && i32::from(entry.depth) >= depth
        {
            let tt_value = from_table(entry.value, ply as i32);
            if if tt_value >= beta { entry.bound.is_lower() } else { entry.bound.is_upper() && tt_value <= alpha } {
                return ControlFlow::Break(tt_value);
            }
        }
        let tt_move = tt_entry.and_then(|entry| G::unpack(position, entry.best_move));

        // Static evaluation and its correction by history. The table keeps the uncorrected one, as corrections change.
        let correction_key = Correction::key(position.turn().index(), G::part_keys(position));
        let static_eval = match tt_entry {
            Some(entry) => i32::from(entry.static_eval),
            None => self.evaluation.value(position),
        };
        let eval = match excluded {
            Some(_) => self.stack[ply].eval,
            None => self.correction.correct(correction_key, static_eval, tuning.correction_weight),
        };
        self.stack[ply].eval = eval;
        let improving = ply >= 2 && eval > self.stack[ply - 2].eval;
        // A bound of the table on the far side of the evaluation is the better evaluation.
        let tt_eval = tt_entry.map_or(eval, |entry| {
            let tt_value = from_table(entry.value, ply as i32);
            let better = if tt_value > eval { entry.bound.is_lower() } else { entry.bound.is_upper() };
            if better && tt_value.abs() <= MAX_EVALUATION { tt_value } else { eval }
        });

        // Internal iterative reduction: without a move of the table, a search less deep finds one.
        if tt_move.is_none() && excluded.is_none() && depth >= tuning.iir_depth && (K::PV || cut_node) {
            depth -= 1;
        }
        ControlFlow::Continue(AssessedNode {
            ply,
            depth,
            cut_node,
            excluded,
            key,
            uses_tt,
            tt_entry,
            tt_move,
            correction_key,
            static_eval,
            eval,
            tt_eval,
            improving,
        })
    }

    /// The value of a node that is so far above beta that its moves need no search.
    #[inline]
    fn prune_node(
        &mut self,
        position: &G::Position,
        node: &AssessedNode<MoveOf<G>>,
        beta: i32,
    ) -> Result<Option<i32>, Stopped> {
        let tuning = self.tuning;
        let (depth, ply) = (node.depth, node.ply);
        // Reverse futility pruning: the evaluation is so far above beta that no shallow search brings it below.
        let margin = tuning.rfp_margin * depth - if node.improving { tuning.rfp_improving } else { 0 };
        if depth <= tuning.rfp_depth && node.tt_eval - margin >= beta {
            return Ok(Some(i32::midpoint(node.tt_eval, beta)));
        }
        // Null move pruning: the node fails high even if the side to move does nothing.
        if depth >= tuning.nmp_depth
            && node.tt_eval >= beta + tuning.nmp_margin
            && !self.stack[ply].null_move
            && let Some(next) = G::null_move(position)
        {
            let reduced = depth - tuning.nmp_base - depth / tuning.nmp_divisor;
            self.stack[ply + 1].null_move = true;
            self.stack[ply + 1].last = NULL_MOVE;
            self.stack[ply + 1].excluded = None;
            self.evaluation.push();
            let value = self.child::<NonPv>(&next, (beta - 1, beta), reduced, ply, !node.cut_node)?;
            self.evaluation.pop();
            self.stack[ply + 1].null_move = false;
            if value >= beta {
                // A win after a null move is not proved.
                return Ok(Some(if value > MAX_EVALUATION { beta } else { value }));
            }
        }
        Ok(None)
    }

    /// Late move reduction of the `number`th move, in hundredths of a ply.
    #[inline]
    fn reduction<K: NodeType>(&self, node: &AssessedNode<MoveOf<G>>, number: i32, history: i32) -> i32 {
        let tuning = self.tuning;
        let mut reduction = self.reductions.of(node.depth, number) - 100 * history / tuning.lmr_history;
        if K::PV {
            reduction -= tuning.lmr_pv;
        }
        if node.cut_node {
            reduction += tuning.lmr_cut_node;
        }
        if !node.improving {
            reduction += tuning.lmr_not_improving;
        }
        reduction
    }

    /// Whether a shallow node searches its `number`th move, which has this history and this reduction.
    #[inline]
    fn prune_move<K: NodeType>(
        &self,
        node: &AssessedNode<MoveOf<G>>,
        picked: &PickedMove<MoveOf<G>>,
        number: i32,
        (history, reduction): (i32, i32),
        alpha: i32,
    ) -> Pruning {
        let tuning = self.tuning;
        let depth = node.depth;
        // Late move pruning of moves that are hardly ever best.
        if picked.late && depth <= tuning.lmp_minor_depth && number > tuning.lmp_minor_count {
            return Pruning::Rest;
        }
        if K::PV {
            return Pruning::None;
        }
        // Late move pruning: shallow nodes try the first moves only.
        let lmp_count = tuning.lmp_base + tuning.lmp_slope * depth * depth;
        if depth <= tuning.lmp_depth && number > lmp_count {
            return Pruning::Rest;
        }
        // History pruning: moves with a bad history are left out near the leaves.
        if depth <= tuning.history_pruning_depth && history < -tuning.history_pruning_margin * depth {
            return Pruning::Move(-INFINITY);
        }
        // Futility pruning: the evaluation plus the move's gain stays below alpha by a margin. The depth is the one
        // after reduction, in hundredths of a ply.
        let lmr_depth = (100 * depth - tuning.futility_lmr * reduction.max(0) / 100).max(100);
        let futility_value = node.eval + picked.gain + tuning.futility_base + tuning.futility_margin * lmr_depth / 100;
        if lmr_depth <= 100 * tuning.futility_depth && futility_value <= alpha {
            return Pruning::Move(futility_value);
        }
        Pruning::None
    }

    /// By how many plies a move is searched deeper: the move of the table if it is better than all others (singular
    /// extension). Breaks with the node's value if others fail high as well (multi-cut).
    #[inline]
    fn singular_extension<K: NodeType>(
        &mut self,
        position: &G::Position,
        node: &AssessedNode<MoveOf<G>>,
        m: MoveOf<G>,
        beta: i32,
    ) -> Result<ControlFlow<i32, i32>, Stopped> {
        let tuning = self.tuning;
        let (depth, ply) = (node.depth, node.ply);
        let entry = match node.tt_entry {
            Some(entry)
                if !K::ROOT
                    && depth >= tuning.singular_depth
                    && node.excluded.is_none()
                    && Some(m) == node.tt_move
                    && entry.bound.is_lower()
                    && i32::from(entry.depth) >= depth - 3
                    && i32::from(entry.value).abs() <= MAX_EVALUATION
                    && ply < MAX_PLY / 2 =>
            {
                entry
            }
            _ => return Ok(ControlFlow::Continue(0)),
        };
        let tt_value = from_table(entry.value, ply as i32);
        let singular_beta = tt_value - tuning.singular_margin * depth;
        self.stack[ply].excluded = Some(m);
        let others =
            self.node::<NonPv>(position, singular_beta - 1, singular_beta, (depth - 1) / 2, ply, node.cut_node);
        self.stack[ply].excluded = None;
        let singular_value = others?;
        Ok(if singular_value < singular_beta {
            let double_beta = singular_beta - tuning.singular_double_margin;
            ControlFlow::Continue(1 + i32::from(!K::PV && singular_value < double_beta))
        } else if !K::PV && singular_beta >= beta {
            ControlFlow::Break(singular_beta)
        } else if tt_value >= beta {
            // Negative extensions: another move may be as good.
            ControlFlow::Continue(-2)
        } else {
            ControlFlow::Continue(-i32::from(node.cut_node))
        })
    }

    /// Principal variation search of a move: a reduced null window, a null window, the open window. Returns its value,
    /// and whether that of the open window.
    #[inline]
    fn search_move<K: NodeType>(
        &mut self,
        position: &G::Position,
        node: &AssessedNode<MoveOf<G>>,
        tried: TriedMove<MoveOf<G>>,
        (alpha, beta): (i32, i32),
    ) -> Result<(i32, bool), Stopped> {
        let ply = node.ply;
        let mut next = position.clone();
        self.evaluation.push();
        next.play_unchecked(tried.m, self.evaluation);
        if node.depth > self.tuning.tt_depth {
            self.tt.prefetch(G::key(&next));
        }
        self.evaluation.prefetch(&next);
        self.stack[ply + 1].excluded = None;
        self.stack[ply + 1].last = tried.key.continuation;
        let (mut value, mut is_open) = (-INFINITY, true);
        let null_window = (alpha, alpha + 1);
        if tried.number > 1 && node.depth >= 2 {
            let reduced = (tried.depth - tried.reduction / 100).clamp(tried.depth.min(1), tried.depth);
            value = self.child::<NonPv>(&next, null_window, reduced, ply, true)?;
            if value > alpha && reduced < tried.depth {
                value = self.child::<NonPv>(&next, null_window, tried.depth, ply, !node.cut_node)?;
            }
            is_open = value > alpha;
        } else if !K::PV || tried.number > 1 {
            value = self.child::<NonPv>(&next, null_window, tried.depth, ply, !node.cut_node)?;
            is_open = value > alpha;
        }
        let is_exact = K::PV && (tried.number == 1 || (is_open && (value < beta || K::ROOT)));
        if is_exact {
            value = self.child::<Pv>(&next, (alpha, beta), tried.depth, ply, false)?;
        }
        self.evaluation.pop();
        Ok((value, is_exact))
    }

    /// Makes a move the first of the principal variation. After a fail-high of the null window the line below is that
    /// of an earlier move, and does not follow.
    fn update_pv(&mut self, ply: usize, m: MoveOf<G>, is_exact: bool) {
        let (above, below) = self.stack.split_at_mut(ply + 1);
        let pv = &mut above[ply].pv;
        pv.clear();
        pv.push(m);
        if is_exact {
            pv.extend_from_slice(&below[0].pv);
        }
    }

    /// Keeps the value of a node in the correction history and in the table.
    #[inline]
    fn learn<K: NodeType>(
        &mut self,
        node: &AssessedNode<MoveOf<G>>,
        value: i32,
        best_move: Option<MoveOf<G>>,
        (alpha, beta): (i32, i32),
    ) {
        let bound = if value >= beta {
            Bound::Lower
        } else if value > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // Correction history: a bound on the near side of the evaluation does not contradict it.
        let all_moves = node.excluded.is_none() && (!K::ROOT || self.earlier_pv_moves.is_empty());
        let differs = if value > node.eval { bound.is_lower() } else { bound.is_upper() };
        if all_moves && differs && value.abs() <= MAX_EVALUATION {
            let error = value - node.static_eval;
            self.correction.update(node.correction_key, error, node.depth, self.tuning.correction_rate);
        }
        if node.uses_tt && all_moves {
            let entry = TableEntry {
                best_move: best_move.map_or(0, G::pack),
                value: to_table(value, node.ply as i32),
                static_eval: node.static_eval as i16,
                depth: node.depth.clamp(0, 255) as u8,
                bound,
            };
            self.tt.store(node.key, entry);
        }
    }

    /// Updates the history after a beta cutoff: a bonus for the move, a malus for those tried before it.
    fn update_history(&mut self, context: MoveContext, cutting: HistoryKey, tried_start: usize, depth: i32) {
        let bonus = (self.tuning.history_bonus_slope * depth).min(self.tuning.history_bonus_max);
        self.history.update(context, cutting, bonus);
        for &key in &self.tried[tried_start..] {
            self.history.update(context, key, -bonus);
        }
    }
}

/// The value of a known result at a node `ply` plies from the root.
const fn result_value(result: KnownResult, ply: usize) -> i32 {
    match result {
        KnownResult::Win(plies) => WIN - ply as i32 - plies as i32,
        KnownResult::Loss(plies) => ply as i32 + plies as i32 - WIN,
        KnownResult::Draw => 0,
    }
}
