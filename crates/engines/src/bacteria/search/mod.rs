//! Principal variation search: alpha-beta on copies of positions, for games whose positions are cheap to copy.
//!
//! [Iterative deepening](agon_search::iterate) with aspiration windows; nodes are typed as root, PV and non-PV nodes,
//! and compiled for each. A [`SearchGame`] adds knowledge beyond the rules: ordered moves ([`MovePicker`]), known
//! results, null moves. An [`Evaluate`] is the static evaluation. Several threads can search at once, independently but
//! sharing the transposition table ("lazy SMP").
//!
//! The techniques are those of chess programs of the last decades: T. Marsland and M. Campbell (principal variation
//! search, 1982), C. Donninger (null move, 1993), and the open testing of Stockfish for the rest.
//! docs/engines/bacteria.md has the measured effect of each.

pub mod game;
pub mod history;
mod node;
pub mod picker;
pub mod tuning;

use std::time::Duration;

use agon_game::Position;
use agon_search::correction::Correction;
use agon_search::evaluate::{Evaluate, MAX_EVALUATION};
use agon_search::iterate::{
    AspirationWindow, PvLine, RootSearch, SearchResult, first_depth, help, in_parallel, iterate,
};
use agon_search::transposition::TranspositionTable;
use agon_search::value::{INFINITY, WIN};
use agon_search::{Info, Meter, NodeCounts, SearchLimits, Stopped, Task};

pub use game::{KnownResult, MAX_PLY, MoveOf, PARTS, SearchGame};
pub use history::{HistoryKey, MoveContext, SearchHistory};
use node::{Searcher, ThreadState};
pub use picker::{MovePicker, PickedMove, ScoredMove, take_best};
use tuning::Reductions;
pub use tuning::Tuning;

use crate::timed::{TableSize, TimedSearch};

/// An aspiration window wider than this is opened to both sides.
const MAX_WINDOW: i32 = 2_000;

/// A search with everything it has learnt.
#[derive(Debug)]
pub struct PvSearch<G: SearchGame, E> {
    tt: TranspositionTable,
    tuning: Tuning,
    reductions: Reductions,
    /// State of the main thread.
    state: ThreadState<E>,
    helpers: Vec<ThreadState<E>>,
    game: std::marker::PhantomData<G>,
}

impl<G: SearchGame, E: Evaluate<G::Position>> PvSearch<G, E> {
    /// A search on one thread whose table takes at most this many bytes.
    pub fn new(evaluation: E, tuning: Tuning, table_bytes: usize) -> Self {
        Self {
            tt: TranspositionTable::new(table_bytes),
            reductions: Reductions::new(&tuning),
            tuning,
            state: ThreadState { evaluation, history: SearchHistory::default(), correction: Correction::default() },
            helpers: Vec::new(),
            game: std::marker::PhantomData,
        }
    }
}

impl<G: SearchGame, E: Evaluate<G::Position>> TimedSearch for PvSearch<G, E> {
    type Position = G::Position;

    const TABLES: TableSize = G::TABLES;
    const RESERVE: Duration = Duration::ZERO;
    const INSTANT_NODES: u64 = 500;

    fn moves_to_go(position: &G::Position) -> f64 {
        G::moves_to_go(position)
    }

    fn instant_move(position: &G::Position) -> Option<MoveOf<G>> {
        G::instant_move(position)
    }

    fn start(
        &mut self,
        position: &G::Position,
        task: &Task,
        listener: &mut dyn FnMut(&Info<MoveOf<G>>),
    ) -> Option<SearchResult<MoveOf<G>>> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let &any = moves.first()?;
        self.tt.age();
        let shared = (&self.tt, &self.tuning, &self.reductions);
        let mut counts = NodeCounts::new(1 + self.helpers.len()).into_iter();
        let meter = Meter::new(task.limits).stopped_by(task.stop.clone());
        let meter =
            counts.next().filter(|_| !self.helpers.is_empty()).map_or(meter.clone(), |it| meter.counted_with(it));
        let mut searcher = Searcher::<G, E>::new(position, shared, &mut self.state, meter);
        let found = in_parallel(
            self.helpers.iter_mut().zip(counts).enumerate(),
            |(number, (state, counts)), finished| {
                let meter = Meter::new(SearchLimits::default()).stopped_by(finished.clone()).counted_with(counts);
                let mut searcher = Searcher::<G, E>::new(position, shared, state, meter);
                help(&mut searcher, task.multipv, first_depth(number));
            },
            || iterate(&mut searcher, task, moves.len(), any, listener),
        );
        Some(found)
    }

    fn new_game(&mut self) {
        self.tt.clear();
        for state in self.helpers.iter_mut().chain([&mut self.state]) {
            state.history.clear();
            state.correction.clear();
        }
    }

    fn set_memory(&mut self, bytes: usize) {
        // Frees the old table before allocating the new one.
        self.tt = TranspositionTable::new(0);
        self.tt = TranspositionTable::new(bytes);
    }

    fn set_threads(&mut self, threads: usize) {
        self.helpers.resize(threads.max(1) - 1, self.state.clone());
    }

    fn set_seed(&mut self, seed: u64) {
        for state in self.helpers.iter_mut().chain([&mut self.state]) {
            state.evaluation.set_seed(seed);
        }
    }
}

impl<G: SearchGame, E: Evaluate<G::Position>> RootSearch for Searcher<'_, G, E> {
    type Move = MoveOf<G>;

    const MAX_DEPTH: i32 = 120;

    fn meter(&self) -> &Meter {
        &self.meter
    }

    fn seldepth(&self) -> i32 {
        self.seldepth as i32
    }

    fn hashfull(&self) -> u32 {
        self.tt.hashfull()
    }

    fn aspiration_delta(&self) -> i32 {
        self.tuning.aspiration_delta
    }

    /// Around the value that was found, twice as wide with every failure.
    fn widen(&self, (alpha, beta): AspirationWindow, _guess: i32, value: i32, failures: u32) -> AspirationWindow {
        let delta = self.tuning.aspiration_delta << (failures - 1);
        if 2 * delta > MAX_WINDOW {
            (-INFINITY, INFINITY)
        } else if value <= alpha {
            ((value - delta).max(-INFINITY), i32::midpoint(alpha, beta))
        } else {
            (alpha, (value + delta).min(INFINITY))
        }
    }

    fn start_iteration(&mut self) {
        self.earlier_pv_moves.clear();
    }

    fn search_root(&mut self, _rank: usize, (alpha, beta): AspirationWindow, depth: i32) -> Result<i32, Stopped> {
        self.root(alpha, beta, depth)
    }

    fn pv(&mut self, _rank: usize, value: i32) -> Option<PvLine<MoveOf<G>>> {
        let moves = self.root_pv().to_vec();
        self.earlier_pv_moves.push(*moves.first()?);
        Some(PvLine { moves, value })
    }

    fn interrupted_pv(&mut self, last: Option<&PvLine<MoveOf<G>>>) -> Option<PvLine<MoveOf<G>>> {
        let moves = self.root_pv().to_vec();
        (!moves.is_empty()).then(|| PvLine { moves, value: last.map_or(0, |line| line.value) })
    }

    fn is_solved(&self, value: i32, depth: i32) -> bool {
        value.abs() > MAX_EVALUATION && depth > 4 && WIN - value.abs() <= depth
    }

    /// Less when most of the nodes went into the best move, when it has been best for long, and when its value has not
    /// fallen.
    fn time_scale(&self, best: MoveOf<G>, stability: i32, fall: i32) -> f64 {
        let all: u64 = self.efforts.iter().map(|effort| effort.nodes).sum();
        let into_best: u64 = self.efforts.iter().filter(|effort| effort.m == best).map(|effort| effort.nodes).sum();
        let share = into_best as f64 / all.max(1) as f64;
        let by_share = 1.9 - 1.5 * share;
        let by_stability = (1.25 - 0.06 * f64::from(stability)).max(0.85);
        let by_fall = 1.0 + (f64::from(fall) / 200.0).clamp(-0.15, 0.6);
        by_share * by_stability * by_fall
    }
}
