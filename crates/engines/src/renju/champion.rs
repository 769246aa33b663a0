//! The champion: an opening that is known to win, then threats and a deep search.

use std::time::{Duration, Instant};

use agon_game::seed::Stream;
use agon_game::{Budget, Position, Side};
use agon_rules::renju::{Move, Point, Renju};
use agon_search::clock::{Allowance, Lag, Pace};
use agon_search::pvs::{Request, SearchResult};
use agon_search::{Analyst, Clock, Info, Limits, Task};

use super::book::{LEAF_NODES, LEAF_TABLE_BYTES, PractisedBook, ProvedBook};
use super::search::{RenjuSearch, Skill};
use super::{Evaluation, PatternBoard, Threats, Tuning, threats};

/// Memory of the tables unless the champion is told otherwise, in bytes.
pub const TABLE_BYTES: usize = 128 << 20;

/// Of the tables, bytes for every second of the clock: more than a search could fill, and smaller ones are faster.
const BYTES_PER_SECOND: f64 = (4 << 20) as f64;

/// The least of them.
const LEAST_BYTES: usize = 2 << 20;

/// The champion, or one of its levels.
#[derive(Debug)]
pub struct Champion {
    search: Option<RenjuSearch>,
    bytes: usize,
    skill: Skill,
    tuning: Tuning,
    evaluation: Evaluation,
    limits: Limits,
    lag: Lag,
    /// A book of practised moves instead of the program's own.
    practised: Option<PractisedBook>,
    /// The search for threats that has led out of the book and knows the win.
    following: Option<Threats>,
}

/// What is not spent, but for a third of the clock at most.
const RESERVE: Duration = Duration::from_millis(400);

/// What a level may do.
#[derive(Clone, Copy)]
struct Level {
    nodes: u64,
    depth: u32,
    fours: u64,
    threats: bool,
    noise: i32,
}

const fn level(nodes: u64, depth: u32, fours: u64, threats: bool, noise: i32) -> Level {
    Level { nodes, depth, fours, threats, noise }
}

/// All but the highest, which does what it can. They believe the evaluation written by hand, of whose hundredths their
/// noise is.
const WEAKER: [Level; 9] = [
    level(1_000, 1, 1, false, 2_500),
    level(1_500, 1, 1, false, 700),
    level(2_500, 1, 2, false, 120),
    level(5_000, 2, 4, false, 60),
    level(15_000, 3, 60, false, 20),
    level(20_000, 4, 300, false, 10),
    level(25_000, 6, 600, false, 5),
    level(60_000, 99, 600, true, 5),
    level(300_000, 99, 600, true, 0),
];

/// The highest level, and the champion itself.
pub const LEVELS: u8 = WEAKER.len() as u8 + 1;

impl Default for Champion {
    fn default() -> Self {
        Self::new(Evaluation::built_in(), Tuning::default())
    }
}

impl Champion {
    /// The champion with this evaluation and these parameters.
    pub fn new(evaluation: Evaluation, tuning: Tuning) -> Self {
        Self {
            search: None,
            bytes: TABLE_BYTES,
            skill: Skill::FULL,
            tuning,
            evaluation,
            limits: Limits::default(),
            lag: Lag::default(),
            practised: None,
            following: None,
        }
    }

    /// The champion with the evaluation written by hand.
    pub fn classic() -> Self {
        Self::new(Evaluation::Classic, Tuning::default())
    }

    /// A champion of this level, from 1, a beginner, to [`LEVELS`] (and above), the champion itself. What a low level
    /// misjudges follows from the seed.
    pub fn at(level: u8, seed: u64) -> Self {
        let seed = Stream::new(seed, "champion").next();
        match WEAKER.get(usize::from(level).saturating_sub(1)) {
            None => Self::default(),
            Some(&Level { nodes, depth, fours, threats, noise }) => {
                let skill = Skill { threats, fours, noise, seed };
                Self { skill, ..Self::classic().limited(Limits { time: None, nodes: Some(nodes), depth: Some(depth) }) }
            }
        }
    }

    /// The same champion, never doing more than this for a move.
    pub const fn limited(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// The same champion, playing by these practised moves instead of the program's own.
    pub fn practised(mut self, book: PractisedBook) -> Self {
        self.practised = Some(book);
        self
    }

    /// The search, with tables of a size that can be filled in so many seconds when it is first asked for.
    fn search(&mut self, seconds: Option<f64>) -> &mut RenjuSearch {
        let most = self.bytes.max(LEAST_BYTES);
        let bytes = seconds.map_or(most, |seconds| ((seconds * BYTES_PER_SECOND) as usize).clamp(LEAST_BYTES, most));
        self.search.get_or_insert_with(|| {
            RenjuSearch::tuned(bytes, self.skill, self.tuning).believing(self.evaluation.clone())
        })
    }

    /// How many moves of its own are probably left to think about: most games are decided by the thirtieth stone, though
    /// they may last longer, and the sooner it is known how, the better.
    fn pace(position: &Renju, lag: Duration) -> Pace {
        let played = f64::from(position.ply()) / 2.0;
        Pace { moves: (17.0 - played).max(12.0), lag }
    }

    /// What the books say: what is proved, else what has held in practice.
    fn by_book(&mut self, position: &Renju, limits: Limits) -> Option<Move> {
        if self.skill != Skill::FULL {
            return None;
        }
        self.by_proof(position, limits).or_else(|| {
            let book = self.practised.as_ref().or_else(|| PractisedBook::own().ok())?;
            book.reply(position)
        })
    }

    /// Black's move in a proved position, and behind the book's last one the win by threats; White's second move, and its
    /// fourth, once enough is known.
    fn by_proof(&mut self, position: &Renju, limits: Limits) -> Option<Move> {
        let book = ProvedBook::own().ok()?;
        if position.turn() == Side::Second {
            return if position.ply() == 1 { book.second() } else { book.hardest(position) };
        }
        if let Some(m) = book.reply(position) {
            return Some(m);
        }
        if self.following.is_none() && !book.ends_at(position) {
            return None;
        }
        let mut threats = self.following.take().unwrap_or_else(|| Threats::new(LEAF_TABLE_BYTES));
        let nodes = limits.nodes.map_or(LEAF_NODES, |nodes| (nodes / threats::FOURS).min(LEAF_NODES));
        let limits = Limits { nodes: Some(nodes), ..limits };
        let won = threats.winning_move(&mut PatternBoard::new(position.board()), Side::First, limits);
        let cell = won.ok().flatten()?;
        self.following = Some(threats);
        Point::from_index(cell.into()).map(Move::Stone)
    }

    /// Searches within a request of the kit's own kind; the opening's moves are known.
    pub fn think(
        &mut self,
        position: &Renju,
        request: &Request,
        listener: &mut dyn FnMut(&Info<Move>),
    ) -> Option<SearchResult<Move>> {
        if position.outcome().is_none()
            && let Some(m) = opening(position)
        {
            return Some(SearchResult { line: vec![m], value: 0, depth: 0, nodes: 0 });
        }
        let Limits { time, nodes, .. } = request.limits;
        // Of searches like this one a whole game.
        let by_time = time.map(|time| 20.0 * time.as_secs_f64());
        let by_nodes = nodes.map(|nodes| 20.0 * nodes as f64 / 1e6);
        self.search(by_time.into_iter().chain(by_nodes).reduce(f64::min)).think(position, request, listener)
    }
}

/// The move of the first three turns, which is the same in all games but for symmetry.
///
/// Black's third move makes one of two openings in which its win is known: Kagetsu after a white stone on a side of the
/// first, Hogetsu after one on a corner (J. Wágner and I. Virág, "Solving Renju", ICGA Journal 24, 2001). White plays on a
/// side: there Black's win is the harder to find.
pub fn opening(position: &Renju) -> Option<Move> {
    let point = |rows: i8, columns: i8| {
        let (row, column) = (8_u8.checked_add_signed(rows)?, 8_u8.checked_add_signed(columns)?);
        Point::new(row, column).map(Move::Stone)
    };
    if position.may_pass() {
        return None;
    }
    match position.ply() {
        0 => point(0, 0),
        1 => point(-1, 0),
        _ => {
            let white = position.board().stones(Side::Second).iter().next()?;
            let (rows, columns) = (white.row() as i8 - 8, white.column() as i8 - 8);
            match (rows, columns) {
                // Kagetsu: beside the white stone, on a corner of the first.
                (_, 0) => point(rows, 1),
                (0, _) => point(1, columns),
                // Hogetsu: on another corner, next to the white stone's.
                _ => point(-rows, columns),
            }
        }
    }
}

impl crate::Chooser<Renju> for Champion {
    fn choose(&mut self, position: &Renju, budget: Budget) -> Move {
        let start = Instant::now();
        let lag = self.lag.asked(budget.mine);
        // A busy machine may take the processor away at any moment, and a search for threats looks at the clock rarely.
        let left = budget.mine.saturating_sub(RESERVE.min(budget.mine / 3));
        let clock = Clock { left, increment: Duration::ZERO };
        let seconds = budget.mine.as_secs_f64();
        let by_nodes = self.limits.nodes.map_or(f64::MAX, |nodes| 20.0 * nodes as f64 / 1e6);
        self.search(Some(seconds.min(by_nodes)));
        let allowance = Allowance::of(clock, Self::pace(position, lag));
        let mut request = Request::within(allowance);
        request.limits = Limits { time: Some(allowance.hard), ..self.limits };
        if allowance.hard.is_zero() {
            request.limits = Limits::nodes(INSTANT_NODES);
        }
        let m = self.by_book(position, request.limits).unwrap_or_else(|| {
            let found = self.think(position, &request, &mut |_| {});
            found.map_or(Move::Pass, |found| found.line[0])
        });
        self.lag.answered(budget.mine, start.elapsed(), allowance.hard);
        m
    }
}

/// What a move of a dialogue costs besides the search, where the clock does not tell.
const LAG: Duration = Duration::from_millis(1);

/// What is searched when there is no time: some milliseconds.
const INSTANT_NODES: u64 = 1_000;

impl Analyst<Renju> for Champion {
    fn analyze(&mut self, position: &Renju, task: &Task, listener: &mut dyn FnMut(&Info<Move>)) -> Option<Move> {
        let request = Request::of(task, Self::pace(position, LAG));
        if task.plays
            && position.outcome().is_none()
            && let Some(m) = self.by_book(position, request.limits)
        {
            return Some(m);
        }
        self.think(position, &request, listener).map(|found| found.line[0])
    }

    fn forget(&mut self) {
        self.search = None;
        self.following = None;
    }

    fn set_memory(&mut self, bytes: usize) {
        self.bytes = bytes;
        self.search = None;
    }

    /// One thread is all it uses.
    fn set_threads(&mut self, _threads: usize) {}
}
