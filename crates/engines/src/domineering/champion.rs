//! The champion: proves the winner, and plays perfectly.

use std::time::Duration;

use agon_game::seed::Stream;
use agon_game::{Position, Side};
use agon_rules::domineering::{Domineering, Move};
use agon_search::time::Shares;
use agon_search::{Engine, Info, Instant, Score, SearchLimits, Stopped, Task};

use super::Solver;
use super::search::{BoundedMove, NO_LIMIT};
use super::solution::needed;

/// Memory of the champion's transposition tables, in bytes: half of ALPHANO's limit.
pub const TABLE_BYTES: usize = 256 << 20;

/// Plays perfectly as far as its time allows.
///
/// In a won position, it plays only moves that are proved to win; the remaining time goes into the highest score. In a
/// lost position it plays for mistakes: regardless of the score, it chooses a move after which an opponent that looks a
/// few plies ahead is most likely to give away the win. If neither is proved in time, it plays the move that looks best
/// a few plies ahead, among those not refuted yet.
///
/// It uses no random numbers: given enough time, it always plays the same game.
///
/// Its lower levels do not prove their moves: they look a few plies ahead, and the lowest make random errors.
pub struct Champion {
    table_bytes: usize,
    /// The settings of a lower level; `None` for the highest.
    level: Option<LowerLevel>,
    /// Source of a lower level's errors.
    stream: Stream,
    /// Kept from move to move: proofs remain valid.
    solver: Option<Solver>,
    /// Looks ahead like an opponent, without the champion's proofs. Created when a position is lost.
    bounded: Option<Solver>,
}

impl Champion {
    /// A champion whose transposition tables take at most this many bytes.
    pub fn new(table_bytes: usize) -> Self {
        Self { table_bytes, level: None, stream: Stream::new(0, "champion"), solver: None, bounded: None }
    }

    /// A champion of this level, from 1, a beginner, to [`LEVELS`] (and above), the champion itself. The errors of a
    /// low level follow from the engine's seed.
    pub fn at(level: u8) -> Self {
        Self { level: LOWER_LEVELS.get(usize::from(level).saturating_sub(1)).copied(), ..Self::default() }
    }
}

impl Default for Champion {
    fn default() -> Self {
        Self::new(TABLE_BYTES)
    }
}

impl Engine<Domineering> for Champion {
    fn search(&mut self, position: &Domineering, task: &Task, listener: &mut dyn FnMut(&Info<Move>)) -> Option<Move> {
        if position.outcome().is_some() {
            return None;
        }
        let shares = Shares::new(task, RESERVE);
        let solver = match &mut self.solver {
            Some(solver) if solver.board() == position.board() => solver,
            // Frees the other solver first: each takes half of the memory.
            other => {
                *other = None;
                self.bounded = None;
                other.insert(Solver::new(position.board(), self.table_bytes))
            }
        };
        solver.stop_by(task.stop.clone());
        let bounded = &mut self.bounded;
        let mut turn = MoveChoice { solver, bounded, position, shares, begun: Instant::now(), listener };
        Some(match self.level {
            None => turn.choose(),
            Some(level) => turn.choose_within(level, &mut self.stream),
        })
    }

    fn new_game(&mut self) {
        (self.solver, self.bounded) = (None, None);
    }

    fn set_memory(&mut self, bytes: usize) {
        self.table_bytes = bytes;
        self.solver = None;
    }

    fn set_seed(&mut self, seed: u64) {
        self.stream = Stream::new(seed, "champion");
    }
}

/// Kept from the clock: the judge's clock runs while its lines are on their way, and a busy machine may take the
/// processor away at any moment. With eight programs on each processor it was seen to stay away for 1.2 seconds.
pub(super) const RESERVE: Duration = Duration::from_secs(1);

/// Number of levels; the highest is the champion itself.
pub const LEVELS: u8 = LOWER_LEVELS.len() as u8 + 1;

#[derive(Clone, Copy, Debug)]
struct LowerLevel {
    /// Maximum number of plies it looks beyond its own move.
    depth: u32,
    /// Maximum number of nodes per move.
    nodes: u64,
    /// Maximum overestimate of a move, in points; only without looking ahead.
    error: usize,
}

const fn blurred(error: usize) -> LowerLevel {
    LowerLevel { depth: 0, nodes: 0, error }
}

const fn sharp(depth: u32, nodes: u64) -> LowerLevel {
    LowerLevel { depth, nodes, error: 0 }
}

/// From the lowest level to the highest but one.
const LOWER_LEVELS: [LowerLevel; 9] = [
    blurred(20),
    blurred(14),
    blurred(10),
    blurred(7),
    blurred(5),
    blurred(3),
    blurred(1),
    sharp(1, 1_000),
    sharp(6, 100_000),
];

/// Maximum number of nodes for the choice among losing moves, whatever the clock allows: more nodes hardly improve it.
const LOST_NODES: u64 = 3_000_000;

/// Number of moves, the most promising ones, that are tried on an opponent's search.
const FINALISTS: usize = 8;

/// Depths of an opponent's search, in plies: each is tried.
const LOOKS: [u32; 6] = [0, 1, 2, 3, 4, 6];

/// Nodes of each such search.
const LOOK_NODES: u64 = 30_000;

/// Bytes of its table.
const LOOK_BYTES: usize = 1 << 20;

struct MoveChoice<'a> {
    solver: &'a mut Solver,
    bounded: &'a mut Option<Solver>,
    position: &'a Domineering,
    shares: Shares,
    begun: Instant,
    listener: &'a mut dyn FnMut(&Info<Move>),
}

impl MoveChoice<'_> {
    /// The proof comes first and may take most of the time left: everything after it is cheap, because each move makes
    /// the game smaller and the table knows the way, and nothing can recover a win given away by an unproved move.
    fn choose(&mut self) -> Move {
        let mut candidates = self.solver.candidates(self.position);
        let Some(&first) = candidates.first() else { return Move::PASS };
        match self.proof(self.shares.share(80)) {
            Ok(Some(winning)) => self.highest(self.shares.share(20)).map_or(winning, |(m, _)| m),
            Ok(None) => {
                // The score is found for the report.
                let highest = self.highest(self.shares.share(10)).ok();
                self.hardest(&candidates)
                    .or(highest.map(|(m, _)| m))
                    .unwrap_or_else(|| self.promising(&candidates, MAX_DEPTH, self.shares.share(10)))
            }
            Err(Stopped) => {
                // Excludes moves that are already refuted.
                let [draw, _] = needed(self.position);
                candidates.retain(|&m| self.solver.most(self.position, m).is_some_and(|most| most >= draw));
                if candidates.is_empty() {
                    candidates.push(first);
                }
                self.promising(&candidates, MAX_DEPTH, self.shares.share(10))
            }
        }
    }

    /// A winning move, or else a drawing one.
    fn proof(&mut self, limits: SearchLimits) -> Result<Option<Move>, Stopped> {
        self.solver.ask(self.position, limits);
        let [draw, win] = needed(self.position);
        let winning = self.solver.root_reaches(self.position, win)?.1;
        if winning.is_some() || draw == win {
            return Ok(winning);
        }
        Ok(self.solver.root_reaches(self.position, draw)?.1)
    }

    /// A move with the best score, and that score.
    fn highest(&mut self, limits: SearchLimits) -> Result<(Move, i32), Stopped> {
        self.solver.ask(self.position, limits);
        let points = self.solver.find_value(self.position)?;
        let m = self.solver.root_reaches(self.position, points)?.1.unwrap_or(Move::PASS);
        // Each domino takes two cells.
        self.report(self.position.empty().count_ones() / 2, m, points);
        Ok((m, points))
    }

    /// Chooses among the moves of a lost position the one after which most opponents give away their win: among those
    /// after which an opponent in a hurry is most likely to, the one after which most depth-limited searches do. `None`
    /// if there was no time for any.
    fn hardest(&mut self, moves: &[Move]) -> Option<Move> {
        self.solver.ask(self.position, self.shares.share(20).and(SearchLimits::nodes(LOST_NODES)));
        let mut finalists: Vec<(f32, Move)> = Vec::new();
        for &m in moves {
            let enough = if finalists.len() < FINALISTS { f32::INFINITY } else { finalists[FINALISTS - 1].0 };
            match self.kept(m, enough) {
                Ok(kept) if kept < enough => {
                    let at = finalists.partition_point(|&(other, _)| other <= kept);
                    finalists.insert(at, (kept, m));
                    finalists.truncate(FINALISTS);
                }
                Ok(_) => {}
                Err(Stopped) => break,
            }
        }
        let limits = self.shares.share(15);
        let until = limits.time.and_then(|time| Instant::now().checked_add(time));
        self.solver.ask(self.position, limits.and(SearchLimits::nodes(LOST_NODES)));
        let mut hardest = finalists.first()?.1;
        let mut most = 0;
        for (_, m) in finalists {
            match self.misled(m, until) {
                Ok(misled) if misled > most => (hardest, most) = (m, misled),
                Ok(_) => {}
                Err(Stopped) => break,
            }
        }
        Some(hardest)
    }

    /// Returns the probability that an opponent in a hurry keeps its win after a move, counted up to `enough`. It is
    /// assumed to prefer replies that look better two plies deep: one that looks a point better is e times as likely.
    fn kept(&mut self, m: Move, enough: f32) -> Result<f32, Stopped> {
        let next = self.after(m);
        if next.outcome().is_some() {
            return Ok(f32::INFINITY);
        }
        let mut replies = self.solver.replies(&next);
        replies.sort_by_key(|&(_, quarters)| -quarters);
        let Some(&(_, best)) = replies.first() else { return Ok(1.0) };
        let weight = |quarters: i32| ((quarters - best) as f32 / 4.0).exp();
        let all: f32 = replies.iter().map(|&(_, quarters)| weight(quarters)).sum();
        let mut kept = 0.0;
        for (reply, quarters) in replies {
            if self.wins(&next, reply)? {
                kept += weight(quarters) / all;
                if kept >= enough {
                    break;
                }
            }
        }
        Ok(kept)
    }

    /// Returns the number of opponents, with the depths of [`LOOKS`], that give away their win after a move.
    fn misled(&mut self, m: Move, until: Option<Instant>) -> Result<u32, Stopped> {
        let next = self.after(m);
        let bounded = self.bounded.get_or_insert_with(|| Solver::new(next.board(), LOOK_BYTES));
        bounded.stop_by(self.solver.search.stop.clone());
        let replies = bounded.candidates(&next);
        if replies.is_empty() {
            return Ok(0);
        }
        let mut chosen = Vec::new();
        for depth in LOOKS {
            let time = until.map(|until| until.saturating_duration_since(Instant::now()));
            if time == Some(Duration::ZERO) {
                return Err(Stopped);
            }
            bounded.ask(&next, SearchLimits { time, ..SearchLimits::nodes(LOOK_NODES) });
            match bounded.best_within(&next, &replies, depth) {
                Ok((reply, _)) => chosen.push(reply),
                Err(Stopped) => break,
            }
        }
        let mut misled = 0;
        for reply in chosen {
            misled += u32::from(!self.wins(&next, reply)?);
        }
        Ok(misled)
    }

    fn after(&self, m: Move) -> Domineering {
        let mut next = *self.position;
        next.play_unchecked(m, &mut ());
        next
    }

    /// Returns true if a reply is proved to win.
    fn wins(&mut self, position: &Domineering, reply: Move) -> Result<bool, Stopped> {
        let [_, win] = needed(position);
        Ok(self.solver.move_reaches(position, reply, win, NO_LIMIT)?.reaches(win))
    }

    fn choose_within(&mut self, level: LowerLevel, stream: &mut Stream) -> Move {
        let [_, win] = needed(self.position);
        if self.position.last_pass() && win <= 0 {
            return Move::PASS;
        }
        if level.depth == 0 {
            let moves = self.solver.moves(self.position.empty(), self.position.turn());
            let seen = |child: &BoundedMove| child.estimate() + stream.below(4 * level.error + 1) as i32;
            return moves.max_by_key(seen).map_or(Move::PASS, |child| Move::at(child.anchor));
        }
        let candidates = self.solver.candidates(self.position);
        if candidates.is_empty() {
            return Move::PASS;
        }
        let limits = self.shares.share(10).and(SearchLimits::nodes(level.nodes));
        self.promising(&candidates, level.depth, limits)
    }

    /// Returns the best of some moves, given the most promising first, at the depth that the limits allow, by the
    /// estimates of the strips.
    fn promising(&mut self, moves: &[Move], depth: u32, limits: SearchLimits) -> Move {
        self.solver.ask(self.position, limits);
        let mut best = moves[0];
        for depth in 1..=depth {
            match self.solver.best_within(self.position, moves, depth) {
                Ok((m, points)) => {
                    best = m;
                    self.report(depth, m, points);
                }
                Err(Stopped) => break,
            }
        }
        best
    }

    /// Reports a move, and the future lead of the side to move.
    fn report(&mut self, depth: u32, m: Move, points: i32) {
        let lead = self.position.lead().halves();
        let lead = if self.position.turn() == Side::First { lead } else { -lead };
        (self.listener)(&Info {
            depth,
            seldepth: depth,
            multipv: 1,
            score: Score::Centi(50 * lead + 100 * points),
            nodes: self.solver.nodes(),
            hashfull: None,
            elapsed: self.begun.elapsed(),
            pv: vec![m],
        });
    }
}

const MAX_DEPTH: u32 = 32;
