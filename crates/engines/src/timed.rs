//! A search of positions as an engine that plays by the clock: the common frame of the champions.

use std::time::{Duration, Instant};

use agon_game::Position;
use agon_search::deepening::SearchResult;
use agon_search::time::TimeManager;
use agon_search::{Engine, Info, SearchLimits, Task};

/// How large the tables of a search are. Smaller ones are faster, as they fit in the processor's caches, so a short game
/// gets no more than its searches can fill.
#[derive(Clone, Copy, Debug)]
pub struct TableSize {
    /// The most, in bytes, unless the engine is told otherwise.
    pub most: usize,
    /// The least, in bytes.
    pub least: usize,
    /// Bytes for every second of the clock of the whole game.
    pub per_second: usize,
    /// Whether [`Engine::set_memory`] sets the size itself, instead of the most.
    pub exact: bool,
}

/// A game has about so many searches like the one that limits are given for.
const SEARCHES: f64 = 20.0;

/// Nodes that a search visits in a second, roughly.
const NODES_PER_SECOND: f64 = 1e6;

type MoveOf<R> = <<R as RootSearch>::Position as Position>::Move;

/// A search from the root: all that a [`TimedEngine`] needs to know of a game.
pub trait RootSearch: Send {
    type Position: Position;

    /// How large its tables are.
    const TABLES: TableSize;

    /// Time that is kept from a clock, but for a third of it at most.
    const RESERVE: Duration;

    /// Nodes of the search when there is no time left: the work of about a millisecond.
    const INSTANT_NODES: u64;

    /// How many moves of its own the side to move probably still has to make.
    fn moves_to_go(position: &Self::Position) -> f64;

    /// The move when there is no time left, where that needs no search.
    fn instant(_position: &Self::Position) -> Option<MoveOf<Self>> {
        None
    }

    /// Searches a position within the task's limits, which its clock is already part of.
    fn search(
        &mut self,
        position: &Self::Position,
        task: &Task,
        listener: &mut dyn FnMut(&Info<MoveOf<Self>>),
    ) -> Option<SearchResult<MoveOf<Self>>>;

    fn forget(&mut self);

    /// Takes tables of so many bytes, and forgets what was in the last ones. It is called before the first search.
    fn set_memory(&mut self, bytes: usize);

    /// Searches on so many threads, where it can.
    fn set_threads(&mut self, _threads: usize) {}

    /// Draws what is random from this seed. Tables whose size follows from the task are made anew afterwards.
    fn set_seed(&mut self, _seed: u64) {}
}

/// A root search that plays: it manages its time, sizes its tables by the clock, and moves at once when there is no time.
#[derive(Debug)]
pub struct TimedEngine<R> {
    root: R,
    /// The memory for tables that it was given, or else the most there may be.
    memory: usize,
    /// Whether the tables have their size; if not, it follows from the next task.
    sized: bool,
    /// What a move may take whatever the task says.
    limits: SearchLimits,
    /// Whether this is a weaker level: it keeps to its own memory and thread, so that no setting changes its strength.
    weaker: bool,
    time: TimeManager,
}

impl<R: RootSearch> TimedEngine<R> {
    /// An engine that plays by this search.
    pub fn of(root: R) -> Self {
        let (limits, time) = (SearchLimits::default(), TimeManager::default());
        Self { root, memory: R::TABLES.most, sized: false, limits, weaker: false, time }
    }

    /// The same engine, never doing more than this for a move.
    pub const fn limited(mut self, limits: SearchLimits) -> Self {
        self.limits = limits;
        self
    }

    /// A weaker level: never doing more than this for a move, whatever its settings.
    pub(crate) const fn weakened(mut self, limits: SearchLimits) -> Self {
        self.weaker = true;
        self.limited(limits)
    }

    pub(crate) const fn root_mut(&mut self) -> &mut R {
        &mut self.root
    }

    /// Gives the tables their size on the first task: what a game of such tasks can fill.
    fn size(&mut self, task: &Task, limits: SearchLimits) {
        if self.sized {
            return;
        }
        let by_clock = task.clock.map(|clock| clock.left.as_secs_f64());
        let by_time = limits.time.map(|time| SEARCHES * time.as_secs_f64());
        let by_nodes = limits.nodes.map(|nodes| SEARCHES * nodes as f64 / NODES_PER_SECOND);
        let seconds = [by_clock, by_time, by_nodes].into_iter().flatten().reduce(f64::min);
        let TableSize { least, per_second, .. } = R::TABLES;
        let most = self.memory.max(least);
        self.root
            .set_memory(seconds.map_or(most, |seconds| ((seconds * per_second as f64) as usize).clamp(least, most)));
        self.sized = true;
    }

    /// Searches as [`Engine::search`] does, and returns all that was found.
    pub fn think(
        &mut self,
        position: &R::Position,
        task: &Task,
        listener: &mut dyn FnMut(&Info<MoveOf<R>>),
    ) -> Option<SearchResult<MoveOf<R>>> {
        if position.outcome().is_some() {
            return None;
        }
        let start = Instant::now();
        let limits = task.limits.and(self.limits);
        self.size(task, limits);
        let mut task = Task { limits, ..task.clone() };
        let Some(clock) = task.clock else { return self.root.search(position, &task, listener) };
        let reserve = R::RESERVE.min(clock.left / 3);
        let allowed = self.time.limits(clock, reserve, R::moves_to_go(position));
        let hard = allowed.time.unwrap_or_default();
        let mut instant = None;
        if hard.is_zero() {
            let nodes = Some(R::INSTANT_NODES);
            task.limits = SearchLimits { soft: allowed.soft, nodes, ..SearchLimits::default() };
            instant = R::instant(position);
        } else {
            task.limits = task.limits.and(allowed);
        }
        let found = instant.map(SearchResult::known).or_else(|| self.root.search(position, &task, listener));
        self.time.moved(clock, start.elapsed(), hard);
        found
    }
}

impl<R: RootSearch> Engine<R::Position> for TimedEngine<R> {
    fn search(
        &mut self,
        position: &R::Position,
        task: &Task,
        listener: &mut dyn FnMut(&Info<MoveOf<R>>),
    ) -> Option<MoveOf<R>> {
        self.think(position, task, listener).map(|found| found.line[0])
    }

    fn forget(&mut self) {
        self.root.forget();
        self.time.forget();
        self.sized &= R::TABLES.exact;
    }

    fn set_memory(&mut self, bytes: usize) {
        if !self.weaker {
            self.memory = bytes;
            self.sized = R::TABLES.exact;
            if self.sized {
                self.root.set_memory(bytes);
            }
        }
    }

    fn set_threads(&mut self, threads: usize) {
        if !self.weaker {
            self.root.set_threads(threads);
        }
    }

    fn set_seed(&mut self, seed: u64) {
        self.root.set_seed(seed);
        self.sized &= R::TABLES.exact;
    }
}
