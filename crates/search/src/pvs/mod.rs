//! Principal variation search: alpha-beta for games that must be estimated.
//!
//! [Iterative deepening](crate::deepening) with aspiration windows; nodes are typed as root, PV and non-PV nodes, and
//! compiled for each. A [`SearchGame`] adds to the rules what is special: ordered moves ([`MovePicker`]), known results,
//! null moves. An [`Evaluate`] is the static evaluation. Several threads may search at once and share the transposition
//! table, each going its own way ("lazy SMP").
//!
//! The parts are those of chess programs of the last decades: T. Marsland and M. Campbell (principal variation search,
//! 1982), C. Donninger (null move, 1993), and the open testing of Stockfish for the rest. What each is worth in a game
//! stands on that game's page of the documentation.

pub mod game;
pub mod history;
pub mod picker;
mod reduction;
mod searcher;
pub mod tuning;

use std::sync::atomic::{AtomicU64, Ordering};

use agon_game::Position;

pub use game::{KnownResult, MAX_PLY, MoveOf, PARTS, SearchGame};
pub use history::{HistoryKey, MoveContext, SearchHistory};
pub use picker::{MovePicker, PickedMove, ScoredMove, take_best};
pub use tuning::Tuning;

use crate::correction::Correction;
use crate::deepening::{AspirationWindow, PvLine, RootSearcher, SearchResult, deepen};
use crate::evaluate::{Evaluate, MAX_EVALUATION};
use crate::transposition::TranspositionTable;
use crate::value::{INFINITY, WIN};
use crate::{Info, Meter, SearchLimits, Stop, Stopped, Task};
use reduction::Reductions;
use searcher::{Searcher, ThreadState};

const MAX_DEPTH: i32 = 120;

/// A wider aspiration window than this is left open.
const WIDEST: i32 = 2_000;

/// A search with all that it learns.
#[derive(Debug)]
pub struct PvSearch<G: SearchGame, E> {
    table: TranspositionTable,
    tuning: Tuning,
    reductions: Reductions,
    /// Of the thread that answers.
    state: ThreadState<E>,
    helpers: Vec<ThreadState<E>>,
    game: std::marker::PhantomData<G>,
}

impl<G: SearchGame, E: Evaluate<G::Position>> PvSearch<G, E> {
    /// A search on one thread whose table takes at most this many bytes.
    pub fn new(evaluation: E, tuning: Tuning, table_bytes: usize) -> Self {
        Self {
            table: TranspositionTable::new(table_bytes),
            reductions: Reductions::new(&tuning),
            tuning,
            state: ThreadState { evaluation, history: SearchHistory::default(), correction: Correction::default() },
            helpers: Vec::new(),
            game: std::marker::PhantomData,
        }
    }

    pub fn forget(&mut self) {
        self.table.clear();
        for state in self.helpers.iter_mut().chain([&mut self.state]) {
            state.history.clear();
            state.correction.clear();
        }
    }

    /// Takes a table of at most this many bytes, and forgets what was in the last one.
    pub fn set_memory(&mut self, bytes: usize) {
        // Not both at once.
        self.table = TranspositionTable::new(0);
        self.table = TranspositionTable::new(bytes);
    }

    /// How much the table takes, in bytes.
    pub const fn memory(&self) -> usize {
        self.table.bytes()
    }

    /// Has the evaluation draw what is random from this seed.
    pub fn set_seed(&mut self, seed: u64) {
        for state in self.helpers.iter_mut().chain([&mut self.state]) {
            state.evaluation.set_seed(seed);
        }
    }

    /// Searches on so many threads, 1 at least.
    pub fn set_threads(&mut self, threads: usize) {
        self.helpers.resize(threads.max(1) - 1, self.state.clone());
    }

    /// Searches a position and reports every line it finishes to the listener; of several, the best last. `None` when the
    /// game is over. A task that allows nothing gets a legal move all the same.
    pub fn think(
        &mut self,
        position: &G::Position,
        task: &Task,
        listener: &mut dyn FnMut(&Info<MoveOf<G>>),
    ) -> Option<SearchResult<MoveOf<G>>> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        let &any = moves.first()?;
        self.table.age();
        let (table, tuning, reductions) = (&self.table, &self.tuning, &self.reductions);
        let helped = AtomicU64::new(0);
        let finished = Stop::default();
        std::thread::scope(|scope| {
            for (i, state) in self.helpers.iter_mut().enumerate() {
                let (helped, finished, position) = (&helped, finished.clone(), position.clone());
                scope.spawn(move || {
                    let meter = Meter::new(SearchLimits::default()).stopped_by(finished);
                    let searcher = Searcher::<G, E>::new(table, tuning, reductions, state, meter);
                    // Odd helpers are a ply ahead, so that not all do the same.
                    help(searcher, &position, 1 + (i as i32 + 1) % 2, helped);
                });
            }
            let meter = Meter::new(task.limits).stopped_by(task.stop.clone());
            let searcher = Searcher::new(table, tuning, reductions, &mut self.state, meter);
            let mut root = PvRoot::<G, E> { searcher, position, helped: &helped, tuning };
            let found = deepen(&mut root, task, moves.len(), any, listener);
            finished.raise();
            Some(found)
        })
    }
}

/// Searches deeper and deeper until it is stopped.
fn help<G: SearchGame, E: Evaluate<G::Position>>(
    mut searcher: Searcher<G, E>,
    position: &G::Position,
    first: i32,
    helped: &AtomicU64,
) {
    let mut counted = 0;
    for depth in first..MAX_DEPTH {
        let stopped = searcher.root(position, -INFINITY, INFINITY, depth).is_err();
        helped.fetch_add(searcher.meter.nodes() - counted, Ordering::Relaxed);
        counted = searcher.meter.nodes();
        if stopped {
            break;
        }
    }
}

/// The root of the thread that answers.
struct PvRoot<'a, G: SearchGame, E> {
    searcher: Searcher<'a, G, E>,
    position: &'a G::Position,
    helped: &'a AtomicU64,
    tuning: &'a Tuning,
}

impl<G: SearchGame, E: Evaluate<G::Position>> RootSearcher for PvRoot<'_, G, E> {
    type Move = MoveOf<G>;

    const MAX_DEPTH: i32 = MAX_DEPTH;

    fn meter(&self) -> &Meter {
        &self.searcher.meter
    }

    fn nodes(&self) -> u64 {
        self.searcher.meter.nodes() + self.helped.load(Ordering::Relaxed)
    }

    fn seldepth(&self) -> i32 {
        self.searcher.seldepth as i32
    }

    fn aspiration(&self) -> i32 {
        self.tuning.aspiration
    }

    /// Around the value that was found, twice as wide with every failure.
    fn widen(&self, (alpha, beta): AspirationWindow, _guess: i32, value: i32, failures: u32) -> AspirationWindow {
        let reach = self.tuning.aspiration << (failures - 1);
        if 2 * reach > WIDEST {
            (-INFINITY, INFINITY)
        } else if value <= alpha {
            ((value - reach).max(-INFINITY), i32::midpoint(alpha, beta))
        } else {
            (alpha, (value + reach).min(INFINITY))
        }
    }

    fn begin(&mut self) {
        self.searcher.done.clear();
    }

    fn search(&mut self, _rank: usize, (alpha, beta): AspirationWindow, depth: i32) -> Result<i32, Stopped> {
        self.searcher.root(self.position, alpha, beta, depth)
    }

    fn line(&mut self, _rank: usize, value: i32) -> Option<PvLine<MoveOf<G>>> {
        let moves = self.searcher.line().to_vec();
        self.searcher.done.push(*moves.first()?);
        Some(PvLine { moves, value })
    }

    fn interrupted(&mut self, last: Option<&PvLine<MoveOf<G>>>) -> Option<PvLine<MoveOf<G>>> {
        let moves = self.searcher.line().to_vec();
        (!moves.is_empty()).then(|| PvLine { moves, value: last.map_or(0, |line| line.value) })
    }

    fn is_decided(&self, value: i32, depth: i32) -> bool {
        value.abs() > MAX_EVALUATION && depth > 4 && WIN - value.abs() <= depth
    }

    /// Less when most of the nodes went into the best move, when it has been best for long, and when its value has not
    /// fallen.
    fn patience(&self, best: MoveOf<G>, stable: i32, fallen: i32) -> f64 {
        let efforts = &self.searcher.efforts;
        let all: u64 = efforts.iter().map(|effort| effort.nodes).sum();
        let into_best: u64 = efforts.iter().filter(|effort| effort.m == best).map(|effort| effort.nodes).sum();
        let share = into_best as f64 / all.max(1) as f64;
        let by_share = 1.9 - 1.5 * share;
        let by_stability = (1.25 - 0.06 * f64::from(stable)).max(0.85);
        let by_fall = 1.0 + (f64::from(fallen) / 200.0).clamp(-0.15, 0.6);
        by_share * by_stability * by_fall
    }
}
