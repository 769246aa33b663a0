//! The winner of a position, as far as threats decide it.

use agon_engines::renju::fours::PASS;
use agon_engines::renju::{PatternBoard, Threats};
use agon_game::{Outcome, Position, Side};
use agon_rules::renju::{Move, Point, Renju};
use agon_search::{Instant, Meter, SearchLimits, Stop, Stopped};

use crate::verifier::exhaustive::{self, ExhaustiveError};
use crate::verifier::{LineError, check_fours, check_line};

/// Kinds of wins to look for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreatMode {
    Fours,
    /// By fours and threes (VCT).
    Threats,
    /// By fours, or else by fours and threes, or else by any stones that threaten a win by fours; finding no such win
    /// then decides nothing.
    Any,
}

/// Nodes of the first search by fours and threes; each later one, and each wide search, has a multiple of this number.
const FIRST_NODES: u64 = 4_000;

/// Nodes of a search for the move of a win that is known: most is in the tables.
const VERIFYING_NODES: u64 = 400_000;

/// Growth factor from one search to the next.
const GROWTH: u64 = 4;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreatSolution {
    /// Whether the side to move wins in the requested way; `None` if undecided.
    pub win: Option<bool>,
    /// For a win, a line that ends with the winning stone. For fours, the answers are forced (PASS if none is legal);
    /// for threats, they are those that took longest to refute.
    pub line: Vec<Move>,
    pub nodes: u64,
}

/// Looks for a win of the side to move, within limits and until it is stopped. Learnt tables serve the next question.
///
/// # Errors
/// [`LineError`] if the rules refuse the line that was found: then a search is wrong.
pub fn solve(
    threats: &mut Threats,
    position: &Renju,
    mode: ThreatMode,
    limits: SearchLimits,
    stop: &Stop,
) -> Result<ThreatSolution, LineError> {
    let side = position.turn();
    if let Some(outcome) = position.outcome() {
        return Ok(ThreatSolution { win: Some(outcome == Outcome::Win(side)), line: Vec::new(), nodes: 0 });
    }
    let start = Instant::now();
    let mut board = PatternBoard::new(position.board());
    let fours = threats.fours();
    let meter = |limits| Meter::new(limits).stopped_by(stop.clone());
    let by_fours = fours.wins_within(&mut board, side, meter(limits));
    let mut nodes = fours.nodes();
    if mode == ThreatMode::Fours || by_fours == Ok(true) {
        let line: Vec<Move> = if by_fours == Ok(true) { moves(fours.line()) } else { Vec::new() };
        if by_fours == Ok(true) {
            check_fours(position, &line)?;
        }
        return Ok(ThreatSolution { win: by_fours.ok(), line, nodes });
    }
    let rest = SearchLimits {
        time: limits.time.map(|time| time.saturating_sub(start.elapsed())),
        nodes: limits.nodes.map(|most| most.saturating_sub(nodes)),
        ..limits
    };
    let by_threats = match mode {
        ThreatMode::Any => any_threats(threats, &mut board, side, &meter(rest), rest, stop, &mut nodes),
        ThreatMode::Fours | ThreatMode::Threats => {
            let found = threats.wins_within(&mut board, side, meter(rest)).ok().flatten();
            nodes += threats.nodes();
            found
        }
    };
    let line = match by_threats {
        Some(true) => threats.line(&mut board, SearchLimits::default()),
        _ => Ok(Vec::new()),
    };
    threats.widen(false);
    // A line that the tables have forgotten is left out; the win stays proved.
    let line = moves(line.unwrap_or_else(|Stopped| Vec::new()).into_iter());
    check_line(position, &line)?;
    let win = by_threats.filter(|&win| win || mode == ThreatMode::Threats);
    Ok(ThreatSolution { win, line, nodes })
}

/// Alternates between the search by fours and threes and the wide one, each for longer than before: most wins are found
/// by the first, and some only by the second. The one that has found a win stays selected.
fn any_threats(
    threats: &mut Threats,
    board: &mut PatternBoard,
    side: Side,
    meter: &Meter,
    limits: SearchLimits,
    stop: &Stop,
    nodes: &mut u64,
) -> Option<bool> {
    let begun = (Instant::now(), *nodes);
    let mut most = FIRST_NODES;
    let mut decided = [false; 2];
    loop {
        for (at, wide) in [false, true].into_iter().enumerate() {
            let spent = *nodes - begun.1;
            let left = limits.nodes.map_or(most, |limit| most.min(limit.saturating_sub(spent)));
            let late = limits.time.is_some_and(|time| begun.0.elapsed() >= time);
            if late || left == 0 || stop.is_raised() {
                return None;
            }
            if decided[at] {
                continue;
            }
            threats.widen(wide);
            let found = threats.wins_within(board, side, meter.within(left));
            *nodes += threats.nodes();
            match found {
                Ok(Some(true)) => return Some(true),
                Ok(_) => decided[at] = true,
                Err(Stopped) => {}
            }
        }
        if decided[1] {
            return Some(false);
        }
        most = most.saturating_mul(GROWTH);
    }
}

/// Proves a win again, using only the rules: every answer to every move of the search is tried. Returns the number of
/// its moves that were checked.
///
/// # Errors
/// [`ExhaustiveError`] with the first position in which no winning move is found, or after `limit` moves.
pub fn verify(threats: &mut Threats, position: &Renju, limit: u64) -> Result<u64, ExhaustiveError> {
    let stop = Stop::default();
    let checked = exhaustive::verify(position, limit, &mut |at| {
        let found = solve(threats, at, ThreatMode::Any, SearchLimits::nodes(VERIFYING_NODES), &stop).ok()?;
        found.line.first().copied().filter(|_| found.win == Some(true))
    });
    threats.widen(false);
    checked
}

/// A line of the searches as moves.
fn moves(line: impl Iterator<Item = u8>) -> Vec<Move> {
    line.map(|cell| if cell == PASS { None } else { Point::from_index(cell.into()) })
        .map(|point| point.map_or(Move::Pass, Move::Stone))
        .collect()
}
