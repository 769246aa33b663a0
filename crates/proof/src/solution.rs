//! Who wins a position, as far as threats decide it.

use std::time::Instant;

use agon_engines::renju::fours::PASS;
use agon_engines::renju::{PatternBoard, Threats};
use agon_game::{Outcome, Position};
use agon_rules::renju::{Move, Point, Renju};
use agon_search::{Meter, SearchLimits, Stop, Stopped};

use crate::verifier::{LineError, check_fours, check_line};

/// Which wins are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ThreatMode {
    Fours,
    /// By fours and threes (VCT).
    Threats,
    /// By fours, else by threats; that there is no such win decides nothing then.
    Any,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreatSolution {
    /// Whether the side to move wins in the way asked for; `None` when that was not decided.
    pub win: Option<bool>,
    /// Of a win, a line that ends with the winning stone. By fours the answers are forced (PASS where none is legal);
    /// by threats they are those that took longest to refute.
    pub line: Vec<Move>,
    pub nodes: u64,
}

/// Looks for a win of the side to move, within limits and until it is stopped. What the tables have learnt serves the
/// next question.
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
    let by_threats = threats.wins_within(&mut board, side, meter(rest)).ok().flatten();
    nodes += threats.nodes();
    let line = match by_threats {
        Some(true) => threats.line(&mut board, SearchLimits::default()),
        _ => Ok(Vec::new()),
    };
    // A line that the tables have forgotten is left out; the win stays proved.
    let line = moves(line.unwrap_or_else(|Stopped| Vec::new()).into_iter());
    check_line(position, &line)?;
    let win = by_threats.filter(|&win| win || mode == ThreatMode::Threats);
    Ok(ThreatSolution { win, line, nodes })
}

/// A line of the searches as moves.
fn moves(line: impl Iterator<Item = u8>) -> Vec<Move> {
    line.map(|cell| if cell == PASS { None } else { Point::from_index(cell.into()) })
        .map(|point| point.map_or(Move::Pass, Move::Stone))
        .collect()
}
