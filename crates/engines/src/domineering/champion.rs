//! The champion: proves who wins, and plays perfectly.

use std::time::{Duration, Instant};

use agon_game::seed::Stream;
use agon_game::{Budget, Position};
use agon_rules::domineering::{Domineering, Move};
use agon_search::{Limits, Stopped};

use super::Solver;
use super::solution::needed;
use super::solver::NO_LIMIT;

/// Memory of the champion's transposition tables, in bytes: half of what the contest allows.
pub const TABLE_BYTES: usize = 256 << 20;

/// What is never spent: the judge's clock runs while its lines are on their way, and a busy machine may take the
/// processor away at any moment.
const RESERVE: Duration = Duration::from_millis(500);

/// Plays perfectly as far as its time allows.
///
/// A won position is proved won, and only a move that is proved to win is played; what time is left goes into the
/// highest score. In a lost one it looks for the move that leaves the opponent the fewest ways to win, and of those
/// for the best score. Where neither is proved in time, it plays what looks best some plies ahead.
///
/// It draws nothing at random: with time enough it always plays the same game.
///
/// Its lower levels prove nothing: they look some plies ahead, and the lowest misjudge what they see.
pub struct Champion {
    table_bytes: usize,
    /// What it sees below the highest level.
    sight: Option<Sight>,
    /// What a lower level draws its errors from.
    stream: Stream,
    /// Kept from move to move: what was proved stays true.
    solver: Option<Solver>,
}

impl Champion {
    /// A champion whose transposition tables take at most this many bytes.
    pub fn new(table_bytes: usize) -> Self {
        Self { table_bytes, sight: None, stream: Stream::new(0, "champion"), solver: None }
    }

    /// A champion of this level, from 1, a beginner, to [`LEVELS`] (and above), the champion itself. The errors of a low
    /// level follow from the seed.
    pub fn at(level: u8, seed: u64) -> Self {
        let sight = SIGHTS.get(usize::from(level).saturating_sub(1)).copied();
        Self { sight, stream: Stream::new(seed, "champion"), ..Self::new(TABLE_BYTES) }
    }
}

impl Default for Champion {
    fn default() -> Self {
        Self::new(TABLE_BYTES)
    }
}

impl crate::Chooser<Domineering> for Champion {
    fn choose(&mut self, position: &Domineering, budget: Budget) -> Move {
        let clock = Clock { end: Instant::now() + budget.mine.saturating_sub(RESERVE) };
        let solver = match &mut self.solver {
            Some(solver) if solver.board() == position.board() => solver,
            // No two solvers at once: each takes half of the memory.
            other => {
                *other = None;
                other.insert(Solver::new(position.board(), self.table_bytes))
            }
        };
        let mut turn = Turn { solver, position, clock };
        match self.sight {
            None => turn.choose(),
            Some(sight) => turn.choose_within(sight, &mut self.stream),
        }
    }
}

/// How many levels there are, the champion itself being the highest.
pub const LEVELS: u8 = SIGHTS.len() as u8 + 1;

/// What a lower level sees.
#[derive(Clone, Copy, Debug)]
struct Sight {
    /// How many plies it looks beyond its own move, at most.
    depth: u32,
    /// How many nodes it visits for a move, at most.
    nodes: u64,
    /// By how many points it may overrate a move; only without a look ahead.
    error: usize,
}

const fn blurred(error: usize) -> Sight {
    Sight { depth: 0, nodes: 0, error }
}

const fn sharp(depth: u32, nodes: u64) -> Sight {
    Sight { depth, nodes, error: 0 }
}

/// From the lowest level to the highest but one.
const SIGHTS: [Sight; 9] = [
    blurred(6),
    blurred(4),
    blurred(2),
    blurred(0),
    sharp(1, 1_000),
    sharp(2, 3_000),
    sharp(3, 10_000),
    sharp(4, 30_000),
    sharp(6, 100_000),
];

/// What is left of the time for the whole game.
struct Clock {
    end: Instant,
}

impl Clock {
    /// A part of it, in percent.
    fn share(&self, percent: u32) -> Limits {
        Limits::time(self.end.saturating_duration_since(Instant::now()) * percent / 100)
    }
}

/// One turn of the champion.
struct Turn<'a> {
    solver: &'a mut Solver,
    position: &'a Domineering,
    clock: Clock,
}

impl Turn<'_> {
    /// The proof comes first and may take the larger part of what is left: all that follows from it is cheap, as every
    /// move makes the game smaller and the table knows the way.
    fn choose(&mut self) -> Move {
        let candidates = self.solver.candidates(self.position);
        let Some(&first) = candidates.first() else { return Move::PASS };
        match self.proof(self.clock.share(60)) {
            Ok(Some(winning)) => self.highest(self.clock.share(20)).unwrap_or(winning),
            Ok(None) => {
                let highest = self.highest(self.clock.share(25)).unwrap_or(first);
                self.hardest(highest, candidates, self.clock.share(20))
            }
            Err(Stopped) => self.promising(first, SIGHT, self.clock.share(10)),
        }
    }

    /// A move that wins, else one that draws.
    fn proof(&mut self, limits: Limits) -> Result<Option<Move>, Stopped> {
        self.solver.ask(self.position, limits);
        let [draw, win] = needed(self.position);
        let winning = self.solver.root_reaches(self.position, win, NO_LIMIT)?.1;
        if winning.is_some() || draw == win {
            return Ok(winning);
        }
        Ok(self.solver.root_reaches(self.position, draw, NO_LIMIT)?.1)
    }

    /// A move with the best score.
    fn highest(&mut self, limits: Limits) -> Result<Move, Stopped> {
        self.solver.ask(self.position, limits);
        self.highest_within(NO_LIMIT)
    }

    fn highest_within(&mut self, depth: u32) -> Result<Move, Stopped> {
        let points = self.solver.find_value(self.position, depth)?;
        Ok(self.solver.root_reaches(self.position, points, depth)?.1.unwrap_or(Move::PASS))
    }

    /// Of all losing moves the one after which the fewest replies win; of equal ones the first tried. That is the one
    /// with the best score, and then those that look best.
    fn hardest(&mut self, highest: Move, candidates: Vec<Move>, limits: Limits) -> Move {
        self.solver.ask(self.position, limits);
        let others = candidates.into_iter().chain([Move::PASS]).filter(|&m| m != highest);
        let (mut hardest, mut fewest) = (highest, usize::MAX);
        for m in [highest].into_iter().chain(others) {
            match self.winning_replies(m, fewest) {
                Ok(replies) if replies < fewest => (hardest, fewest) = (m, replies),
                Ok(_) => {}
                Err(Stopped) => break,
            }
        }
        hardest
    }

    /// How many replies to a move win, counted up to `enough`.
    fn winning_replies(&mut self, m: Move, enough: usize) -> Result<usize, Stopped> {
        let mut next = *self.position;
        next.play(m, &mut ());
        let mut replies = Vec::new();
        next.legal_moves(&mut replies);
        if replies.is_empty() {
            // The game is over, and lost: nothing is easier for the opponent.
            return Ok(usize::MAX);
        }
        let [_, win] = needed(&next);
        let mut winning = 0;
        for reply in replies {
            if winning >= enough {
                break;
            }
            winning += usize::from(self.solver.move_reaches(&next, reply, win, NO_LIMIT)?.reaches(win));
        }
        Ok(winning)
    }

    /// The move of a lower level.
    fn choose_within(&mut self, sight: Sight, stream: &mut Stream) -> Move {
        let [_, win] = needed(self.position);
        if self.position.last_pass() && win <= 0 {
            return Move::PASS;
        }
        if sight.depth == 0 {
            let error = 4 * sight.error + 1;
            let moves = self.solver.estimates(self.position).into_iter();
            let seen = moves.map(|(m, quarters)| (m, quarters + stream.below(error) as i32));
            return seen.max_by_key(|&(_, quarters)| quarters).map_or(Move::PASS, |(m, _)| m);
        }
        let Some(&first) = self.solver.candidates(self.position).first() else { return Move::PASS };
        let limits = Limits { nodes: Some(sight.nodes), ..self.clock.share(10) };
        self.promising(first, sight.depth, limits)
    }

    /// The best move as deep as the limits allow, by the estimates of the strips.
    fn promising(&mut self, first: Move, depth: u32, limits: Limits) -> Move {
        self.solver.ask(self.position, limits);
        let mut best = first;
        for depth in 1..=depth {
            match self.highest_within(depth) {
                Ok(m) => best = m,
                Err(Stopped) => break,
            }
        }
        best
    }
}

/// More plies than any game has dominoes.
const SIGHT: u32 = 32;
