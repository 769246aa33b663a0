//! Principal variation search: alpha-beta for games that must be estimated.
//!
//! Iterative deepening with aspiration windows; nodes are typed as root, principal variation and cut nodes, and compiled
//! for each. A [`SearchGame`] says what is special: its moves in a good order ([`MovePicker`]), what is certain without a search,
//! what may be skipped. An [`Evaluate`] says what a position seems to be worth. Several threads may search at once and
//! share the table, each going its own way ("lazy SMP").
//!
//! The parts are those of chess programs of the last decades; T. Marsland and M. Campbell (principal variation search,
//! 1982), C. Donninger (null move, 1993), and the open testing of Stockfish for the rest of the numbers' names. What each
//! is worth in a game stands on that game's page of the documentation.

pub mod game;
pub mod history;
pub mod picker;
mod reduction;
mod searcher;
pub mod tuning;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use agon_game::Position;

pub use game::{KnownResult, MoveOf, SearchGame};
pub use history::{HistoryKey, MoveContext, SearchHistory};
pub use picker::{MovePicker, PickedMove, ScoredMove, take_best};
pub use tuning::Tuning;

use crate::evaluate::{Evaluate, LARGEST};
use crate::transposition::TranspositionTable;
use crate::{Info, Meter, Score, SearchLimits, Stop, Stopped, Task};
use reduction::Reductions;
use searcher::{INFINITY, Searcher, ThreadState};

/// The value of having won; a win in n plies is worth n less.
pub const WIN: i32 = 32_000;

/// The most plies from the root.
pub const MAX_PLY: usize = 192;

/// The deepest iteration.
const MAX_DEPTH: i32 = 120;

/// What a value means to people.
pub const fn score(value: i32) -> Score {
    if value > LARGEST {
        Score::Win((WIN - value) as u32)
    } else if value < -LARGEST {
        Score::Loss((WIN + value) as u32)
    } else {
        Score::Centi(value)
    }
}

/// A value as the table keeps it: the searches tell a win from the root, and find it from anywhere, so in the table it is
/// so many plies from its own node, which is `ply` plies from the root.
#[inline]
pub const fn to_table(value: i32, ply: i32) -> i16 {
    (if value > LARGEST {
        value + ply
    } else if value < -LARGEST {
        value - ply
    } else {
        value
    }) as i16
}

/// What [`to_table`] was given, at a node `ply` plies from the root.
///
/// ```
/// use agon_search::pvs::{WIN, from_table, to_table};
/// assert_eq!(from_table(to_table(WIN - 9, 4), 2), WIN - 7);
/// assert_eq!(from_table(to_table(-WIN + 9, 4), 4), -WIN + 9);
/// assert_eq!(from_table(to_table(150, 4), 2), 150);
/// ```
#[inline]
pub const fn from_table(value: i16, ply: i32) -> i32 {
    let value = value as i32;
    if value > LARGEST {
        value - ply
    } else if value < -LARGEST {
        value + ply
    } else {
        value
    }
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct SearchResult<M> {
    /// The best move and what should follow it.
    pub line: Vec<M>,
    /// What that is worth to the side to move.
    pub value: i32,
    /// The last iteration that was finished, in plies.
    pub depth: u32,
    /// How many nodes were visited.
    pub nodes: u64,
}

impl<M> SearchResult<M> {
    /// A move that was known without a search.
    pub fn known(m: M) -> Self {
        Self { line: vec![m], value: 0, depth: 0, nodes: 0 }
    }
}

/// A search with all that it learns.
#[derive(Debug)]
pub struct PvSearch<G: SearchGame, E> {
    table: TranspositionTable,
    tuning: Tuning,
    reductions: Reductions,
    /// Of the thread that answers.
    memory: ThreadState<E>,
    /// Of the others.
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
            memory: ThreadState { evaluation, history: SearchHistory::default() },
            helpers: Vec::new(),
            game: std::marker::PhantomData,
        }
    }

    /// Forgets everything learnt.
    pub fn forget(&mut self) {
        self.table.clear();
        for memory in self.helpers.iter_mut().chain([&mut self.memory]) {
            memory.history.clear();
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
        for state in self.helpers.iter_mut().chain([&mut self.memory]) {
            state.evaluation.set_seed(seed);
        }
    }

    /// Searches on so many threads, 1 at least.
    pub fn set_threads(&mut self, threads: usize) {
        self.helpers.resize(threads.max(1) - 1, self.memory.clone());
    }

    /// Searches a position and tells the listener of every line it finishes; of several, the best last. `None` when the
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
            for (i, memory) in self.helpers.iter_mut().enumerate() {
                let (helped, finished, position) = (&helped, finished.clone(), position.clone());
                scope.spawn(move || {
                    let meter = Meter::new(SearchLimits::default()).stopped_by(finished);
                    let searcher = Searcher::<G, E>::new(table, tuning, reductions, memory, meter);
                    // Odd helpers are a ply ahead, so that not all do the same.
                    help(searcher, &position, 1 + (i as i32 + 1) % 2, helped);
                });
            }
            let meter = Meter::new(task.limits).stopped_by(task.stop.clone());
            let searcher = Searcher::<G, E>::new(table, tuning, reductions, &mut self.memory, meter);
            let lines = task.multipv.clamp(1, moves.len());
            let mut deepening =
                Deepening { searcher, helped: &helped, lines: Vec::new(), soft: task.limits.soft, tuning };
            let found = deepening.run(position, lines, moves.len() == 1, any, listener);
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

/// One line of the last iteration.
#[derive(Clone, Debug)]
struct PvLine<M> {
    moves: Vec<M>,
    value: i32,
}

/// The iterations of the thread that answers.
struct Deepening<'a, G: SearchGame, E> {
    searcher: Searcher<'a, G, E>,
    helped: &'a AtomicU64,
    /// The best of the last iteration, the best first.
    lines: Vec<PvLine<MoveOf<G>>>,
    soft: Option<Duration>,
    tuning: &'a Tuning,
}

impl<G: SearchGame, E: Evaluate<G::Position>> Deepening<'_, G, E> {
    fn run(
        &mut self,
        position: &G::Position,
        lines: usize,
        forced: bool,
        any: MoveOf<G>,
        listener: &mut dyn FnMut(&Info<MoveOf<G>>),
    ) -> SearchResult<MoveOf<G>> {
        let (mut depth, mut stable, mut last) = (0, 0, None);
        while depth < MAX_DEPTH && self.searcher.meter.allows_depth(depth as u32 + 1) {
            let before = self.lines.first().map(|line| (line.moves[0], line.value));
            if self.iteration(position, lines, depth + 1, listener).is_err() {
                break;
            }
            depth += 1;
            let Some(line) = self.lines.first() else { break };
            let best = line.moves[0];
            stable = if last == Some(best) { stable + 1 } else { 0 };
            last = Some(best);
            let fallen = before.map_or(0, |(_, value)| value - line.value);
            if let Some(soft) = self.soft {
                let decided = line.value.abs() > LARGEST && depth > 4 && WIN - line.value.abs() <= depth;
                let elapsed = self.searcher.meter.elapsed();
                if forced || decided || elapsed >= soft.mul_f64(self.patience(best, stable, fallen)) {
                    break;
                }
            }
        }
        let nodes = self.searcher.meter.nodes() + self.helped.load(Ordering::Relaxed);
        let (line, value) = self.lines.first().map_or_else(|| (vec![any], 0), |line| (line.moves.clone(), line.value));
        SearchResult { line, value, depth: depth as u32, nodes }
    }

    /// How many times the usual time to take: less when most of the nodes went into the best move, when it has been best
    /// for long, and when its value has not fallen.
    fn patience(&self, best: MoveOf<G>, stable: i32, fallen: i32) -> f64 {
        let all: u64 = self.searcher.efforts.iter().map(|effort| effort.nodes).sum();
        let into_best: u64 =
            self.searcher.efforts.iter().filter(|effort| effort.m == best).map(|effort| effort.nodes).sum();
        let share = into_best as f64 / all.max(1) as f64;
        let by_share = 1.9 - 1.5 * share;
        let by_stability = (1.25 - 0.06 * f64::from(stable)).max(0.85);
        let by_fall = 1.0 + (f64::from(fallen) / 200.0).clamp(-0.15, 0.6);
        by_share * by_stability * by_fall
    }

    /// Finds the best lines at one depth. Stopped in the middle of the first one, it keeps the best move found so far.
    fn iteration(
        &mut self,
        position: &G::Position,
        lines: usize,
        depth: i32,
        listener: &mut dyn FnMut(&Info<MoveOf<G>>),
    ) -> Result<(), Stopped> {
        self.searcher.done.clear();
        let mut found: Vec<PvLine<MoveOf<G>>> = Vec::new();
        for rank in 0..lines {
            let guess = self.lines.get(rank).map(|line| line.value);
            match self.line(position, depth, guess) {
                Ok(value) => {
                    let line = PvLine { moves: self.searcher.line().to_vec(), value };
                    if line.moves.is_empty() {
                        break;
                    }
                    self.searcher.done.push(line.moves[0]);
                    found.push(line);
                }
                Err(Stopped) => {
                    // The first move searched is the last iteration's best, so whatever stands here is no worse.
                    if rank == 0
                        && let Some(line) = Some(self.searcher.line()).filter(|line| !line.is_empty())
                    {
                        let moves = line.to_vec();
                        let value = self.lines.first().map_or(0, |line| line.value);
                        self.lines.truncate(0);
                        self.lines.push(PvLine { moves, value });
                    }
                    return Err(Stopped);
                }
            }
        }
        // A later line may have turned out better; of equal ones the earlier stays before.
        found.sort_by_key(|line| std::cmp::Reverse(line.value));
        self.lines = found;
        let nodes = self.searcher.meter.nodes() + self.helped.load(Ordering::Relaxed);
        for (i, line) in self.lines.iter().enumerate().rev() {
            listener(&Info {
                depth: depth as u32,
                seldepth: self.searcher.seldepth as u32,
                multipv: i + 1,
                score: score(line.value),
                nodes,
                elapsed: self.searcher.meter.elapsed(),
                pv: line.moves.clone(),
            });
        }
        Ok(())
    }

    /// Searches the root with a window around what is expected, and a wider one while that is wrong.
    fn line(&mut self, position: &G::Position, depth: i32, guess: Option<i32>) -> Result<i32, Stopped> {
        let mut reach = self.tuning.aspiration;
        let (mut alpha, mut beta) = match guess {
            Some(value) if depth >= 4 && value.abs() <= LARGEST => (value - reach, value + reach),
            _ => (-INFINITY, INFINITY),
        };
        loop {
            let value = self.searcher.root(position, alpha, beta, depth)?;
            if value <= alpha {
                beta = i32::midpoint(alpha, beta);
                alpha = (value - reach).max(-INFINITY);
            } else if value >= beta {
                beta = (value + reach).min(INFINITY);
            } else {
                return Ok(value);
            }
            reach *= 2;
            if reach > 2_000 {
                (alpha, beta) = (-INFINITY, INFINITY);
            }
        }
    }
}
