//! Wins that the engine's search for threats finds and the verifier confirms: the leaves of the proved book.

use agon_engines::renju::book::LEAF_TABLE_BYTES;
use agon_engines::renju::{PatternBoard, Threats};
use agon_game::{Position as _, Side};
use agon_rules::renju::{Move, Point, Renju, Stones};
use agon_search::SearchLimits;

use crate::verifier::{RelevanceZone, WinPlan, ZoneProver};

/// Nodes of a search for fours in a proof.
const FOUR_NODES: u64 = 2_000;

/// Positions of a proof at most; most have about a hundred.
const MAX_PROOF_POSITIONS: usize = 200_000;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoWin {
    Limit,
    NoThreats,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProvedWin {
    /// Points where one more white stone could matter.
    pub zone: RelevanceZone,
    /// Proof in the format of a certificate ([`crate::verifier::certificate`]).
    pub script: Vec<u8>,
}

/// Searches at most `nodes` nodes for a win by threats of Black, to move, and proves it by the rules.
///
/// # Errors
/// [`NoWin`] when none was found.
pub fn prove_by_threats(stones: &Stones, nodes: u64) -> Result<ProvedWin, NoWin> {
    let mut threats = Threats::new(LEAF_TABLE_BYTES);
    match threats.wins(&mut PatternBoard::new(&stones.board()), Side::First, SearchLimits::nodes(nodes)) {
        Ok(Some(true)) => {}
        Ok(Some(false)) => return Err(NoWin::NoThreats),
        Ok(None) | Err(_) => return Err(NoWin::Limit),
    }
    let mut prover =
        ZoneProver::new(MAX_PROOF_POSITIONS, |stones: &Stones| threat_plan(&mut threats, stones, 4 * nodes));
    let zone = prover.prove(stones).map_err(|_| NoWin::Limit)?;
    Ok(ProvedWin { zone, script: prover.into_script() })
}

/// A move with which the side to move wins by fours, or else by threats, if that is found within limits.
pub fn winning_move(threats: &mut Threats, position: &Renju, limits: SearchLimits) -> Option<Move> {
    let (mut board, side) = (PatternBoard::new(position.board()), position.turn());
    let fours = threats.fours();
    let found = match fours.wins(&mut board, side, limits) {
        Ok(true) => fours.line().next(),
        _ => threats.winning_move(&mut board, side, limits).ok().flatten(),
    };
    found.and_then(|cell| Point::from_index(cell.into())).map(Move::Stone)
}

/// Returns how the search for threats wins a position, if it finds a win within `nodes` nodes.
pub fn threat_plan(threats: &mut Threats, stones: &Stones, nodes: u64) -> Option<WinPlan> {
    let mut board = PatternBoard::new(&stones.board());
    let fours = threats.fours();
    if fours.wins(&mut board, Side::First, SearchLimits::nodes(FOUR_NODES)) == Ok(true) {
        return Some(WinPlan::Fours(fours.line().collect()));
    }
    threats.winning_move(&mut board, Side::First, SearchLimits::nodes(nodes)).ok()?.map(WinPlan::Stone)
}
