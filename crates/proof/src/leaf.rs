//! The leaves of the book: positions that the search for threats wins by itself.

use agon_engines::renju::book::LEAF_TABLE_BYTES;
use agon_engines::renju::{PatternBoard, Threats};
use agon_game::Side;
use agon_rules::renju::Stones;
use agon_search::SearchLimits;

use crate::relevance_zone::{Prover, RelevanceZone, WinPlan};

/// Nodes of a search for fours in a proof.
const FOUR_NODES: u64 = 2_000;

/// Positions of a proof at most; most have about a hundred.
const LONGEST: usize = 200_000;

/// Why no win was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoWin {
    /// The limit was reached.
    Limit,
    /// There is no win by threats alone.
    NoThreats,
}

/// Looks for a win of Black, to move, by threats, with so many nodes at most, proves it by the rules, and tells what it
/// relies on.
///
/// # Errors
/// [`NoWin`] when none was found.
pub fn examine(stones: &Stones, nodes: u64) -> Result<RelevanceZone, NoWin> {
    let mut threats = Threats::new(LEAF_TABLE_BYTES);
    match threats.wins(&mut PatternBoard::new(&stones.board()), Side::First, SearchLimits::nodes(nodes)) {
        Ok(Some(true)) => {}
        Ok(Some(false)) => return Err(NoWin::NoThreats),
        Ok(None) | Err(_) => return Err(NoWin::Limit),
    }
    let mut prover = Prover::new(LONGEST, |stones: &Stones| plan(&mut threats, stones, 4 * nodes));
    prover.prove(stones).map_err(|_| NoWin::Limit)
}

/// How the search for threats wins a position.
pub fn plan(threats: &mut Threats, stones: &Stones, nodes: u64) -> Option<WinPlan> {
    let mut board = PatternBoard::new(&stones.board());
    let fours = threats.fours();
    if fours.wins(&mut board, Side::First, SearchLimits::nodes(FOUR_NODES)) == Ok(true) {
        return Some(WinPlan::Fours(fours.line().collect()));
    }
    threats.winning_move(&mut board, Side::First, SearchLimits::nodes(nodes)).ok()?.map(WinPlan::Stone)
}
