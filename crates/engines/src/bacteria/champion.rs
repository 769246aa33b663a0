//! The champion: a deep search.

use std::time::{Duration, Instant};

use agon_game::{Budget, Position};
use agon_rules::bacteria::board::size;
use agon_rules::bacteria::{Bacteria, Move, PLY_LIMIT};
use agon_search::clock::{Allowance, Lag, Pace};
use agon_search::pvs::{PvSearch, Request, Tuning};
use agon_search::{Analyst, Clock, Evaluate, Info, Limits, Task};

use super::classic::Classic;
use super::evaluation::{self, NetworkEvaluation};
use super::game::{BacteriaGame, filling};

/// The most memory that the transposition table takes unless it is told otherwise, in bytes.
pub const TABLE_BYTES: usize = 128 << 20;

/// Of a table, bytes for every second of the clock of the whole game. A move takes some hundredths of it, whose nodes such
/// a table still holds; and the more of it fits in the processor's caches, the faster the search: it waits for memory at
/// every node that is not a leaf.
const BYTES_PER_SECOND: f64 = (2 << 20) as f64;

/// The least of it.
const LEAST_BYTES: usize = 1 << 20;

/// A deep search with the evaluation given: the network that is built in, when none is named.
#[derive(Debug)]
pub struct Champion<E = NetworkEvaluation> {
    search: PvSearch<BacteriaGame, E>,
    /// The most memory of the table.
    bytes: usize,
    /// Whether the table has its size yet: that follows from the first clock seen.
    sized: bool,
    /// What a move may take whatever the clock says.
    limits: Limits,
    lag: Lag,
}

impl Default for Champion {
    fn default() -> Self {
        Self::tuned(Tuning::default())
    }
}

impl Champion {
    /// The champion with other parameters.
    pub fn tuned(tuning: Tuning) -> Self {
        Self::new(evaluation::built_in(), tuning)
    }
}

impl Default for Champion<Classic> {
    fn default() -> Self {
        Self::new(Classic::default(), Tuning::default())
    }
}

impl<E: Evaluate<Bacteria>> Champion<E> {
    /// A champion that believes this evaluation.
    pub fn new(evaluation: E, tuning: Tuning) -> Self {
        Self {
            search: PvSearch::new(evaluation, tuning, 0),
            bytes: TABLE_BYTES,
            sized: false,
            limits: Limits::default(),
            lag: Lag::default(),
        }
    }

    /// The same champion, never doing more than this for a move.
    pub const fn limited(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Gives the table a size on the first question: what can be filled in so many seconds, if that is known.
    fn size(&mut self, seconds: Option<f64>) {
        if !self.sized {
            let wanted = seconds.map_or(self.bytes, |seconds| (seconds * BYTES_PER_SECOND) as usize);
            self.set_table(wanted.max(LEAST_BYTES).min(self.bytes));
        }
    }

    /// Takes a table of at most this many bytes.
    pub(super) fn set_table(&mut self, bytes: usize) {
        self.search.set_memory(bytes);
        self.sized = true;
    }

    /// How many moves of its own are probably left.
    fn pace(position: &Bacteria, lag: Duration) -> Pace {
        let left = u32::from(PLY_LIMIT).saturating_sub(position.ply());
        let empty = f64::from(size(position.empty()));
        Pace { moves: (6.0 + 0.5 * empty).min(f64::from(left.div_ceil(2))).max(1.0), lag }
    }

    /// Forgets everything learnt: the next question is of another game.
    pub fn forget(&mut self) {
        self.search.forget();
    }

    /// Searches within a request of the kit's own kind.
    pub fn search(
        &mut self,
        position: &Bacteria,
        request: &Request,
        listener: &mut dyn FnMut(&Info<Move>),
    ) -> Option<agon_search::pvs::SearchResult<Move>> {
        let Limits { time, nodes, .. } = request.limits;
        // Of searches like this one a whole game.
        let by_time = time.map(|time| 20.0 * time.as_secs_f64());
        let by_nodes = nodes.map(|nodes| 20.0 * nodes as f64 / 1e6);
        self.size(by_time.into_iter().chain(by_nodes).reduce(f64::min));
        self.search.think(position, request, listener)
    }
}

impl<E: Evaluate<Bacteria>> crate::Chooser<Bacteria> for Champion<E> {
    fn choose(&mut self, position: &Bacteria, budget: Budget) -> Move {
        let start = Instant::now();
        let lag = self.lag.asked(budget.mine);
        let clock = Clock { left: budget.mine, increment: Duration::ZERO };
        let seconds = budget.mine.as_secs_f64();
        self.size(Some(self.limits.nodes.map_or(seconds, |nodes| seconds.min(20.0 * nodes as f64 / 1e6))));
        let allowance = Allowance::of(clock, Self::pace(position, lag));
        let mut request = Request::within(allowance);
        request.limits = Limits { time: Some(allowance.hard), ..self.limits };
        let mut instant = None;
        if allowance.hard.is_zero() {
            request.limits = Limits::nodes(INSTANT_NODES);
            // Who cannot win by filling would leap to and fro to the end of the game, for which there is no time.
            instant = filling(position);
        }
        let m = instant.or_else(|| self.search.think(position, &request, &mut |_| {}).map(|found| found.line[0]));
        self.lag.answered(budget.mine, start.elapsed(), allowance.hard);
        m.unwrap_or(Move::PASS)
    }
}

/// What a move of a dialogue costs besides the search, where the clock does not tell.
const LAG: Duration = Duration::from_millis(1);

/// What is searched when there is no time: a fraction of a millisecond.
const INSTANT_NODES: u64 = 500;

impl<E: Evaluate<Bacteria>> Analyst<Bacteria> for Champion<E> {
    fn analyze(&mut self, position: &Bacteria, task: &Task, listener: &mut dyn FnMut(&Info<Move>)) -> Option<Move> {
        self.size(task.clock.map(|clock| clock.left.as_secs_f64()));
        let request = Request::of(task, Self::pace(position, LAG));
        self.search.think(position, &request, listener).map(|found| found.line[0])
    }

    fn forget(&mut self) {
        self.search.forget();
    }

    fn set_memory(&mut self, bytes: usize) {
        self.bytes = bytes;
        self.set_table(bytes);
    }

    fn set_threads(&mut self, threads: usize) {
        self.search.set_threads(threads);
    }
}
