//! A search of positions as an engine that plays by the clock: the common frame of the champions.

use std::time::Duration;

use agon_game::Position;
use agon_search::iterate::SearchResult;
use agon_search::time::TimeManager;
use agon_search::{Engine, Info, Instant, SearchLimits, Task};

/// Sizes of the tables of a search. Smaller ones are faster, because they fit in the processor's caches, so a short
/// game gets no more than its searches can fill.
#[derive(Clone, Copy, Debug)]
pub struct TableSize {
    /// In bytes, unless [`Engine::set_memory`] says otherwise.
    pub max: usize,
    /// In bytes.
    pub min: usize,
    /// Bytes for every second of the clock of the whole game.
    pub per_second: usize,
    /// True if [`Engine::set_memory`] sets the size itself instead of its maximum.
    pub exact: bool,
}

/// Approximate number of searches in a game, all with the same limits.
const SEARCHES_PER_GAME: f64 = 20.0;

/// Nodes that a search visits in a second, roughly.
const NODES_PER_SECOND: f64 = 1e6;

type MoveOf<S> = <<S as TimedSearch>::Position as Position>::Move;

/// A search that a [`TimedEngine`] gives time and tables.
pub trait TimedSearch: Send {
    type Position: Position;

    const TABLES: TableSize;

    /// The time kept in reserve, but at most a third of a clock.
    const RESERVE: Duration;

    /// Nodes of the search when no time is left: about a millisecond of work.
    const INSTANT_NODES: u64;

    /// Returns the expected number of further moves of the side to move.
    fn moves_to_go(position: &Self::Position) -> f64;

    /// Returns the move to play when no time is left, if it needs no search.
    fn instant_move(_position: &Self::Position) -> Option<MoveOf<Self>> {
        None
    }

    /// Searches a position within the task's limits, which already include its clock, and reports every finished line
    /// to the listener, the best last. `None` if the game is over; returns a legal move even if the task allows
    /// nothing.
    fn start(
        &mut self,
        position: &Self::Position,
        task: &Task,
        listener: &mut dyn FnMut(&Info<MoveOf<Self>>),
    ) -> Option<SearchResult<MoveOf<Self>>>;

    /// Clears data learnt in the last game.
    fn new_game(&mut self);

    /// Allocates new tables of at most this many bytes. It is called before the first search.
    fn set_memory(&mut self, bytes: usize);

    /// Sets the number of threads that search in parallel, at least 1. Tables whose size depends on the task are then
    /// recreated.
    fn set_threads(&mut self, _threads: usize) {}

    /// Sets the seed of all random choices. Tables whose size depends on the task are then recreated.
    fn set_seed(&mut self, _seed: u64) {}
}

/// A search that plays: it manages its time, sizes its tables by the clock, and moves immediately when no time is left.
#[derive(Debug)]
pub struct TimedEngine<S> {
    search: S,
    /// The maximum size of the tables, in bytes.
    memory: usize,
    /// True if the tables have their size; otherwise it follows from the next task.
    sized: bool,
    /// Limits per move, regardless of the task.
    limits: SearchLimits,
    /// True for a weaker level: it keeps its own memory and thread, so that no setting changes its strength.
    weaker: bool,
    time: TimeManager,
}

impl<S: TimedSearch> TimedEngine<S> {
    pub fn with_search(search: S) -> Self {
        let (limits, time) = (SearchLimits::default(), TimeManager::default());
        Self { search, memory: S::TABLES.max, sized: false, limits, weaker: false, time }
    }

    /// Sets limits per move.
    pub const fn limited(mut self, limits: SearchLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Turns it into a weaker level, with limits per move that no setting changes.
    pub(crate) const fn weakened(mut self, limits: SearchLimits) -> Self {
        self.weaker = true;
        self.limited(limits)
    }

    pub(crate) const fn search_mut(&mut self) -> &mut S {
        &mut self.search
    }

    /// Sizes the tables on the first task, for what a game of such tasks can fill.
    fn size(&mut self, task: &Task, limits: SearchLimits) {
        if self.sized {
            return;
        }
        let by_clock = task.clock.map(|clock| {
            let searches = if clock.moves_to_go == Some(1) { SEARCHES_PER_GAME } else { 1.0 };
            searches * clock.left.as_secs_f64()
        });
        let by_time = limits.time.map(|time| SEARCHES_PER_GAME * time.as_secs_f64());
        let by_nodes = limits.nodes.map(|nodes| SEARCHES_PER_GAME * nodes as f64 / NODES_PER_SECOND);
        let seconds = [by_clock, by_time, by_nodes].into_iter().flatten().reduce(f64::min);
        let TableSize { min, per_second, .. } = S::TABLES;
        let max = self.memory.max(min);
        let by_seconds = |seconds: f64| ((seconds * per_second as f64) as usize).clamp(min, max);
        self.search.set_memory(seconds.map_or(max, by_seconds));
        self.sized = true;
    }

    /// Searches as [`Engine::search`] does, and returns everything that was found.
    pub fn start(
        &mut self,
        position: &S::Position,
        task: &Task,
        listener: &mut dyn FnMut(&Info<MoveOf<S>>),
    ) -> Option<SearchResult<MoveOf<S>>> {
        if position.outcome().is_some() {
            return None;
        }
        let start = Instant::now();
        let limits = task.limits.and(self.limits);
        self.size(task, limits);
        let mut task = Task { limits, ..task.clone() };
        let Some(clock) = task.clock else { return self.search.start(position, &task, listener) };
        let reserve = S::RESERVE.min(clock.left / 3);
        let allowed = self.time.limits(clock, reserve, S::moves_to_go(position));
        let hard = allowed.time.unwrap_or_default();
        let mut instant = None;
        if hard.is_zero() {
            let nodes = Some(S::INSTANT_NODES);
            task.limits = SearchLimits { soft: allowed.soft, nodes, ..SearchLimits::default() };
            instant = S::instant_move(position);
        } else {
            task.limits = task.limits.and(allowed);
        }
        let found = instant.map(SearchResult::known).or_else(|| self.search.start(position, &task, listener));
        self.time.moved(clock, start.elapsed(), hard);
        found
    }
}

impl<S: TimedSearch> Engine<S::Position> for TimedEngine<S> {
    fn search(
        &mut self,
        position: &S::Position,
        task: &Task,
        listener: &mut dyn FnMut(&Info<MoveOf<S>>),
    ) -> Option<MoveOf<S>> {
        self.start(position, task, listener).map(|found| found.line[0])
    }

    fn new_game(&mut self) {
        self.search.new_game();
        self.time.new_game();
        self.sized &= S::TABLES.exact;
    }

    fn set_memory(&mut self, bytes: usize) {
        if !self.weaker {
            self.memory = bytes;
            self.sized = S::TABLES.exact;
            if self.sized {
                self.search.set_memory(bytes);
            }
        }
    }

    fn set_threads(&mut self, threads: usize) {
        if !self.weaker {
            self.search.set_threads(threads);
            self.sized &= S::TABLES.exact;
        }
    }

    fn set_seed(&mut self, seed: u64) {
        self.search.set_seed(seed);
        self.sized &= S::TABLES.exact;
    }
}
