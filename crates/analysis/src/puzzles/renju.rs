//! Puzzles of renju: positions in which every move but one is proved to lose.
//!
//! The other side threatens to win by fours, so any move that does not answer this loses; after each answer, a win of
//! the other side by fours and threes is searched. One move is left when the proof has gone through all legal ones,
//! including PASS. If that move wins, the puzzle is to win; if it holds, the puzzle is to defend.

use std::collections::VecDeque;

use agon_engines::renju::fours::PASS;
use agon_engines::renju::{Fours, PatternBoard, Threats, Trait};
use agon_game::{Outcome, Position as _, Side};
use agon_proof::solution::{ThreatMode, solve};
use agon_proof::verifier::line::fives;
use agon_proof::verifier::{check_fours, check_line};
use agon_rules::renju::{Move, Point, Renju};
use agon_search::{Meter, SearchLimits, Stop};

use super::puzzle::PuzzleKind;
use super::verdict::{Answer, Verdict};

/// Memory of the tables of a proof, in bytes.
const TABLE_BYTES: usize = 8 << 20;

/// Nodes of one search for a win by fours.
const FOUR_NODES: u64 = 20_000;

/// Nodes of one search for a win by fours and threes; a move that needs more is not proved to lose.
const THREAT_NODES: u64 = 400;

/// Nodes of the search that refutes a try if the small search has no line for it.
const REFUTING_NODES: u64 = 200_000;

/// Moves that stop the fours, at most: each is searched for threats.
const MAX_ANSWERS: usize = 16;

/// Minimum length of a win, whether to find or to prevent: three stones, with their answers.
const MIN_WIN_PLIES: usize = 5;

/// More nodes than any search of a puzzle needs.
const ANY_COST: u64 = 1 << 40;

/// Search results for a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct RenjuPuzzle {
    pub kind: PuzzleKind,
    /// The only move that does not lose; of a win the line to its end.
    pub line: Vec<Move>,
    /// Plies of the win, or of the win that the move wards off.
    pub plies: usize,
    /// Nodes of the proof with empty tables.
    pub nodes: u64,
    /// Nodes of the search that finds the win, or refutes the other moves that stop the fours.
    pub find_nodes: u64,
}

impl RenjuPuzzle {
    /// Returns the difficulty: the logarithm of the nodes that find it, the stones of the win, and the moves that are
    /// not fours.
    pub(super) fn difficulty(&self) -> u64 {
        let quiet = match self.kind {
            PuzzleKind::Quiet => 4,
            PuzzleKind::Threats | PuzzleKind::Defence => 2,
            PuzzleKind::Fours | PuzzleKind::Exact | PuzzleKind::Race => 0,
        };
        u64::from((self.find_nodes + 1).ilog2()) + self.plies as u64 / 2 + quiet
    }
}

/// The searches for wins, with their tables.
struct Searches {
    fours: Fours,
    threats: Threats,
    stop: Stop,
    nodes: u64,
}

/// The position after a legal move.
fn after(position: &Renju, m: Move) -> Renju {
    let mut next = position.clone();
    next.play_unchecked(m, &mut ());
    next
}

fn moves(line: impl Iterator<Item = u8>) -> Vec<Move> {
    line.map(|cell| if cell == PASS { None } else { Point::from_index(cell.into()) })
        .map(|point| point.map_or(Move::Pass, Move::Stone))
        .collect()
}

impl Searches {
    fn new(stop: &Stop) -> Self {
        Self { fours: Fours::new(TABLE_BYTES), threats: Threats::new(TABLE_BYTES), stop: stop.clone(), nodes: 0 }
    }

    fn meter(&self, nodes: u64) -> Meter {
        Meter::new(SearchLimits::nodes(nodes)).stopped_by(self.stop.clone())
    }

    /// Returns true if this side, to move, is proved to win by fours. Neither side has won yet.
    fn wins_by_fours(&mut self, board: &mut PatternBoard, side: Side) -> bool {
        let meter = self.meter(FOUR_NODES);
        let found = self.fours.wins_within(board, side, meter);
        self.nodes += self.fours.nodes();
        found == Ok(true)
    }

    /// Returns whether this side, to move, wins by fours and threes; `None` if undecided. Neither side has won.
    fn wins(&mut self, board: &mut PatternBoard, side: Side) -> Option<bool> {
        if self.wins_by_fours(board, side) {
            return Some(true);
        }
        let meter = self.meter(THREAT_NODES);
        let found = self.threats.wins_within(board, side, meter);
        self.nodes += self.threats.all_nodes();
        found.ok().flatten()
    }

    /// The line of a win by fours or threats of the side to move, if there is one and the rules confirm it.
    fn line(&mut self, position: &Renju) -> Option<(PuzzleKind, Vec<Move>)> {
        let mut board = PatternBoard::new(position.board());
        if self.wins_by_fours(&mut board, position.turn()) {
            let line = moves(self.fours.line());
            return check_fours(position, &line).is_ok().then_some((PuzzleKind::Fours, line));
        }
        if self.wins(&mut board, position.turn()) != Some(true) {
            return None;
        }
        let line = self.threats.line(&mut board, SearchLimits::nodes(10 * THREAT_NODES)).ok()?;
        let line = moves(line.into_iter());
        (!line.is_empty() && check_line(position, &line).is_ok()).then_some((PuzzleKind::Threats, line))
    }

    /// A win of the side to move, looked for with far more nodes than a puzzle takes; with its line.
    fn deep_win(&mut self, position: &Renju) -> Option<Vec<Move>> {
        let limits = SearchLimits::nodes(REFUTING_NODES);
        let found = solve(&mut self.threats, position, ThreatMode::Any, limits, &self.stop).ok()?;
        (found.win == Some(true) && !found.line.is_empty()).then_some(found.line)
    }

    /// The stones with which the other side can answer a side that wins, those that take most nodes to refute first.
    fn defences(&mut self, made: &Renju, side: Side) -> Vec<Move> {
        let mut costs = Vec::new();
        for m in made.stone_moves().map(Move::Stone) {
            let next = after(made, m);
            let before = self.nodes;
            let wins = next.outcome().is_none() && self.wins(&mut PatternBoard::new(next.board()), side) == Some(true);
            if wins {
                costs.push((self.nodes - before, m));
            }
        }
        costs.sort_by_key(|&(cost, _)| std::cmp::Reverse(cost));
        costs.into_iter().map(|(_, m)| m).collect()
    }

    /// The line of a win with a stone in place of each PASS of the other side, as far as one can answer.
    fn with_defences(&mut self, position: &Renju, line: Vec<Move>) -> Vec<Move> {
        let side = position.turn();
        let (mut at, mut made, mut rest) = (position.clone(), Vec::new(), VecDeque::from(line));
        while let Some(mut m) = rest.pop_front() {
            // A five that only a forbidden stone would stop has no answer.
            if m == Move::Pass && at.turn() != side && fives(&at, side).is_empty() {
                let answers = self.defences(&at, side);
                let found = answers.into_iter().find_map(|answer| Some((answer, self.line(&after(&at, answer))?.1)));
                if let Some((answer, line)) = found {
                    (m, rest) = (answer, line.into());
                }
            }
            made.push(m);
            at = after(&at, m);
            if at.outcome().is_some() {
                break;
            }
        }
        made
    }

    /// The only move that is not proved to lose, the plies of the win by fours that a PASS would allow, and the nodes
    /// that refuted the other moves that stop it.
    fn only_move(&mut self, position: &Renju) -> Option<(Move, usize, u64)> {
        if position.passes() > 0 || !position.may_pass() || !position.wins().is_empty() {
            return None;
        }
        let (side, other) = (position.turn(), position.turn().other());
        let mut board = PatternBoard::new(position.board());
        if !self.wins_by_fours(&mut board, other) {
            return None;
        }
        let threatened = self.fours.line().count();
        if threatened < MIN_WIN_PLIES {
            return None;
        }
        // PASS has just been proved to lose.
        let mut left: Vec<Point> = Vec::new();
        for stone in position.stone_moves() {
            board.place(stone.index() as u8, side);
            let loses = self.wins_by_fours(&mut board, other);
            board.take_back();
            if !loses {
                left.push(stone);
                if left.len() > MAX_ANSWERS {
                    return None;
                }
            }
        }
        // A move that threatens something itself is the likeliest to hold, and two such moves end the proof.
        left.sort_by_key(|stone| {
            let class = board.class(side, stone.index() as u8);
            !class.has(Trait::Four) && !class.has(Trait::Three)
        });
        let before = self.nodes;
        let mut only = None;
        for stone in left {
            board.place(stone.index() as u8, side);
            let loses = self.wins(&mut board, other) == Some(true);
            board.take_back();
            if !loses && only.replace(stone).is_some() {
                return None;
            }
        }
        only.map(|stone| (Move::Stone(stone), threatened, self.nodes - before))
    }

    /// Returns a win of the side that has just made a quiet move: whatever the other side answers, it wins by fours and
    /// threes. The line has the answer that takes most nodes to refute.
    fn quiet_win(&mut self, next: &Renju) -> Option<Vec<Move>> {
        let (side, other) = (next.turn().other(), next.turn());
        let mut board = PatternBoard::new(next.board());
        // Most moves threaten nothing, which a PASS reveals.
        if !next.wins().is_empty() || self.wins(&mut board, side) != Some(true) {
            return None;
        }
        let (mut hardest, mut most) = (Move::Pass, 0);
        for answer in next.stone_moves() {
            let before = self.nodes;
            board.place(answer.index() as u8, other);
            let wins = self.wins(&mut board, side);
            board.take_back();
            if wins != Some(true) {
                return None;
            }
            if self.nodes - before > most {
                (hardest, most) = (Move::Stone(answer), self.nodes - before);
            }
        }
        let (_, rest) = self.line(&after(next, hardest))?;
        Some([vec![hardest], rest].concat())
    }
}

/// Returns the value of the move that led to this position in a puzzle: whether the side that made it still wins
/// whatever the other side does, or has stopped the other side's win. The toughest answer is the one that holds out
/// longest.
pub(super) fn answer(made: &Renju, kind: PuzzleKind, stop: &Stop) -> Answer {
    let side = made.turn().other();
    if let Some(outcome) = made.outcome() {
        let verdict = if outcome == Outcome::Win(side) { Verdict::Solved } else { Verdict::Wrong };
        return Answer { verdict, line: Vec::new() };
    }
    let mut searches = Searches::new(stop);
    if let Some((_, line)) = searches.line(made) {
        return Answer::new::<Renju>(Verdict::Wrong, &line);
    }
    let mut board = PatternBoard::new(made.board());
    if kind == PuzzleKind::Defence {
        let verdict = match searches.wins(&mut board, made.turn()) {
            Some(false) => Verdict::Solved,
            _ => return refuted(&mut searches, made, &[]),
        };
        return Answer { verdict, line: Vec::new() };
    }
    let fives = fives(made, side);
    let (mut hardest, mut most) = (None, 0);
    let stones = made.stone_moves().map(Move::Stone);
    let answers: Vec<Move> = stones.chain(made.may_pass().then_some(Move::Pass)).collect();
    for m in answers {
        let next = after(made, m);
        let wins = match next.outcome() {
            Some(outcome) => outcome == Outcome::Win(side),
            None => {
                let before = searches.nodes;
                let wins = searches.wins(&mut PatternBoard::new(next.board()), side) == Some(true);
                // A move that stops a five is an answer, whatever its refutation costs.
                let cost = searches.nodes - before + if fives.contains(&m) { ANY_COST } else { 1 };
                if wins && cost > most {
                    (hardest, most) = (Some(m), cost);
                }
                wins
            }
        };
        if !wins && (next.outcome().is_some() || searches.deep_win(&next).is_none()) {
            return refuted(&mut searches, made, &[m]);
        }
    }
    Answer::new::<Renju>(Verdict::Right, hardest.as_slice())
}

/// A move that is not proved to be right: its refutation, if a long search finds one; otherwise what may refute it.
fn refuted(searches: &mut Searches, made: &Renju, open: &[Move]) -> Answer {
    match searches.deep_win(made) {
        Some(line) => Answer::new::<Renju>(Verdict::Wrong, &line),
        None => Answer::new::<Renju>(Verdict::Unshown, open),
    }
}

/// Whether a stone makes a four or a three.
fn is_threat(position: &Renju, m: Move) -> bool {
    let board = PatternBoard::new(position.board());
    m.point().is_some_and(|point| {
        let class = board.class(position.turn(), point.index() as u8);
        class.has(Trait::Four) || class.has(Trait::Three)
    })
}

/// The puzzle of a position, if it is one: proved with empty tables, so that the position alone decides.
pub(super) fn puzzle_at(position: &Renju, stop: &Stop) -> Option<RenjuPuzzle> {
    let mut searches = Searches::new(stop);
    let (only, threatened, refuted) = searches.only_move(position)?;
    let mut fresh = Searches::new(stop);
    let (kind, line) = match fresh.line(position) {
        Some((kind, line)) if line.first() == Some(&only) => (kind, line),
        // Another move, which is proved to lose, would win.
        Some(_) => return None,
        None => {
            let next = after(position, only);
            match fresh.quiet_win(&next) {
                Some(rest) if is_threat(position, only) => (PuzzleKind::Threats, [vec![only], rest].concat()),
                Some(rest) => (PuzzleKind::Quiet, [vec![only], rest].concat()),
                None => {
                    let holds = searches.wins(&mut PatternBoard::new(next.board()), next.turn()) == Some(false);
                    holds.then_some((PuzzleKind::Defence, vec![only]))?
                }
            }
        }
    };
    let find_nodes = fresh.nodes;
    let line = if kind == PuzzleKind::Defence { line } else { fresh.with_defences(position, line) };
    let (plies, find_nodes) = match kind {
        PuzzleKind::Defence => (threatened, refuted),
        _ => (line.len(), find_nodes),
    };
    if plies < MIN_WIN_PLIES || stop.is_raised() {
        return None;
    }
    Some(RenjuPuzzle { kind, line, plies, nodes: searches.nodes, find_nodes })
}
