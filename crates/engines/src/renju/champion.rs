//! The champion: an opening that is known to win, then threats and a deep search.

use std::time::Duration;

use agon_game::hash::fibonacci;
use agon_game::seed::Stream;
use agon_game::{Position, Side};
use agon_rules::renju::{Move, Point, Renju, RuleSet};
use agon_search::iterate::SearchResult;
use agon_search::{Info, SearchLimits, Task};

use super::book::{LEAF_NODES, LEAF_TABLE_BYTES, PractisedBook, ProvedBook};
use super::greedy::neighbourhood;
use super::search::{RenjuSearch, SearchStats, Skill};
use super::{Evaluation, PatternBoard, Threats, Tuning, threats};
use crate::timed::{TableSize, TimedEngine, TimedSearch};

/// The champion, or one of its levels.
pub type Champion = TimedEngine<RenjuRoot>;

/// The opening books, and the search for positions outside them.
#[derive(Debug)]
pub struct RenjuRoot {
    /// `None` before its tables have a size.
    search: Option<RenjuSearch>,
    skill: Skill,
    /// Percentage of moves played without a search.
    careless: u8,
    tuning: Tuning,
    evaluation: Evaluation,
    /// A book of practised moves instead of the program's own.
    practised: Option<PractisedBook>,
    /// The search for threats that has led out of the book and knows the win.
    following: Option<Threats>,
    threads: usize,
}

#[derive(Clone, Copy)]
struct Level {
    nodes: u64,
    depth: u32,
    fours: u64,
    threats: bool,
    noise: i32,
    careless: u8,
}

const fn level(nodes: u64, depth: u32, fours: u64, threats: bool, noise: i32) -> Level {
    Level { nodes, depth, fours, threats, noise, careless: 0 }
}

impl Level {
    /// Sets the percentage of moves played without a search.
    const fn careless(self, careless: u8) -> Self {
        Self { careless, ..self }
    }
}

/// All levels but the highest, which plays at full strength. They use the hand-made evaluation; their noise is in its
/// hundredths.
const WEAKER: [Level; 9] = [
    level(1_000, 1, 1, false, 2_500).careless(30),
    level(1_000, 1, 1, false, 700).careless(13),
    level(1_500, 1, 1, false, 250).careless(1),
    level(5_000, 2, 4, false, 200),
    level(15_000, 3, 60, false, 20),
    level(20_000, 5, 300, false, 10),
    level(40_000, 7, 600, false, 5),
    level(60_000, 99, 600, true, 5),
    level(200_000, 99, 600, true, 0),
];

/// The highest level, and the champion itself.
pub const LEVELS: u8 = WEAKER.len() as u8 + 1;

impl Default for Champion {
    fn default() -> Self {
        Self::new(Evaluation::built_in(), Tuning::default())
    }
}

impl Champion {
    pub fn new(evaluation: Evaluation, tuning: Tuning) -> Self {
        Self::skilled(Skill::FULL, 0, evaluation, tuning)
    }

    fn skilled(skill: Skill, careless: u8, evaluation: Evaluation, tuning: Tuning) -> Self {
        let (search, practised, following, threads) = (None, None, None, 1);
        Self::with_search(RenjuRoot { search, skill, careless, tuning, evaluation, practised, following, threads })
    }

    pub fn classic() -> Self {
        Self::new(Evaluation::Classic, Tuning::default())
    }

    /// Creates a champion of this level, from 1, a beginner, to [`LEVELS`] (and above), full strength. The errors of a
    /// low level follow from the engine's seed.
    pub fn at(level: u8) -> Self {
        match WEAKER.get(usize::from(level).saturating_sub(1)) {
            None => Self::default(),
            Some(&Level { nodes, depth, fours, threats, noise, careless }) => {
                let skill = Skill { threats, fours, noise, seed: 0 };
                let limits = SearchLimits { depth: Some(depth), ..SearchLimits::nodes(nodes) };
                Self::skilled(skill, careless, Evaluation::Classic, Tuning::default()).weakened(limits)
            }
        }
    }

    /// Returns the statistics of its searches since the start of the game.
    pub(super) fn stats(&mut self) -> SearchStats {
        self.search_mut().search.as_ref().map_or(SearchStats::default(), RenjuSearch::stats)
    }

    /// Uses these practised moves instead of the built-in ones.
    pub fn practised(mut self, book: PractisedBook) -> Self {
        self.search_mut().practised = Some(book);
        self
    }
}

impl RenjuRoot {
    /// Returns the books' move: a proved one, or else one that held in practice.
    fn by_book(&mut self, position: &Renju, limits: SearchLimits) -> Option<Move> {
        if self.skill != Skill::FULL {
            return None;
        }
        self.by_proof(position, limits).or_else(|| {
            let book = self.practised.as_ref().or_else(|| PractisedBook::own().ok())?;
            book.reply(position)
        })
    }

    /// Black's move in a proved position, and behind the book's last one the win by threats; White's second move, and
    /// its fourth, once enough is known.
    fn by_proof(&mut self, position: &Renju, limits: SearchLimits) -> Option<Move> {
        let book = ProvedBook::own().ok()?;
        if position.turn() == Side::Second {
            let is_second = position.ply() == 1 && position.rules() == RuleSet::Alphano;
            return if is_second { book.second() } else { book.hardest(position) };
        }
        if let Some(m) = book.reply(position) {
            return Some(m);
        }
        if self.following.is_none() && !book.ends_at(position) {
            return None;
        }
        let mut threats = self.following.take().unwrap_or_else(|| Threats::new(LEAF_TABLE_BYTES));
        let nodes = limits.nodes.map_or(LEAF_NODES, |nodes| (nodes / threats::FOURS).min(LEAF_NODES));
        let limits = SearchLimits { nodes: Some(nodes), ..limits };
        let won = threats.winning_move(&mut PatternBoard::new(position.board()), Side::First, limits);
        let cell = won.ok().flatten()?;
        self.following = Some(threats);
        Point::from_index(cell.into()).map(Move::Stone)
    }

    /// Returns a beginner's move now and then: it makes or stops a five, and is otherwise anywhere near the stones. It
    /// follows from the position and the engine's seed.
    fn careless_move(&self, position: &Renju) -> Option<Move> {
        let drawn = fibonacci(position.hash() ^ self.skill.seed) >> 16;
        if drawn % 100 >= self.careless.into() {
            return None;
        }
        let (board, side) = (position.board(), position.turn());
        let near = neighbourhood(board);
        let points: Vec<Point> = position.stone_moves().filter(|&point| near.contains(point)).collect();
        let five = |side| points.iter().copied().find(|&point| board.wins(side, point));
        let anywhere = || points.get((drawn / 100) as usize % points.len().max(1)).copied();
        five(side).or_else(|| five(side.other())).or_else(anywhere).map(Move::Stone)
    }
}

impl TimedSearch for RenjuRoot {
    type Position = Renju;

    /// More than a search could fill.
    const TABLES: TableSize = TableSize { max: 128 << 20, min: 2 << 20, per_second: 4 << 20, exact: false };

    /// A busy machine may take the processor away at any moment, and a search for threats looks at the clock rarely.
    const RESERVE: Duration = Duration::from_millis(400);
    const INSTANT_NODES: u64 = 1_000;

    /// Most games are decided by the thirtieth stone, though they may last longer, and the sooner it is known how, the
    /// better.
    fn moves_to_go(position: &Renju) -> f64 {
        let played = f64::from(position.ply()) / 2.0;
        (17.0 - played).max(12.0)
    }

    /// The books answer first, if they may, then the known first moves of the opening.
    fn start(
        &mut self,
        position: &Renju,
        task: &Task,
        listener: &mut dyn FnMut(&Info<Move>),
    ) -> Option<SearchResult<Move>> {
        let by_book = if task.book { self.by_book(position, task.limits) } else { None };
        if let Some(m) = by_book.or_else(|| opening(position)) {
            return Some(SearchResult::known(m));
        }
        if let Some(m) = self.careless_move(position) {
            return Some(SearchResult::known(m));
        }
        self.search.as_mut()?.start(position, task, listener)
    }

    fn new_game(&mut self) {
        self.search = None;
        self.following = None;
    }

    fn set_memory(&mut self, bytes: usize) {
        // Frees the old search before allocating the new one.
        self.search = None;
        let evaluation = self.evaluation.clone();
        self.search = Some(RenjuSearch::tuned(bytes, self.skill, self.tuning, evaluation, self.threads));
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    fn set_seed(&mut self, seed: u64) {
        if self.skill != Skill::FULL {
            self.skill.seed = Stream::new(seed, "champion").next();
        }
    }
}

/// The move of the first three turns, which is the same in all games except for symmetry.
///
/// Black's third move makes one of two openings in which its win is known: Kagetsu if the white stone is beside the
/// first, Hogetsu if it is on a corner (J. Wágner and I. Virág, "Solving Renju", ICGA Journal 24, 2001). White plays
/// beside the first stone, which makes Black's win harder to find.
///
/// Under other rules only the first stone is known: the centre.
pub fn opening(position: &Renju) -> Option<Move> {
    let point = |rows: i8, columns: i8| {
        let (row, column) = (8_u8.checked_add_signed(rows)?, 8_u8.checked_add_signed(columns)?);
        Point::new(row, column).map(Move::Stone)
    };
    if position.rules() != RuleSet::Alphano {
        let is_first = position.ply() == 0 && position.outcome().is_none();
        return is_first.then_some(Move::Stone(Point::CENTRE));
    }
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
