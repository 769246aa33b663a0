//! Staged move generation.

use agon_game::Position;

use super::history::{MoveContext, SearchHistory};
use super::tuning::Tuning;

/// A generated move that has not been tried yet.
#[derive(Clone, Copy, Debug)]
pub struct ScoredMove<M> {
    pub score: i32,
    /// Immediate gain of material, in hundredths of the game's unit.
    pub gain: i32,
    pub m: M,
}

#[derive(Clone, Copy, Debug)]
pub struct PickedMove<M> {
    pub m: M,
    /// Immediate gain of material, in hundredths of the game's unit.
    pub gain: i32,
    /// True if this move and all that follow belong to the last stage, whose moves are hardly ever best: shallow nodes
    /// prune them.
    pub late: bool,
}

/// Returns the moves of one node, most promising first, and generates only those that are requested. All nodes on the
/// path from the root keep their generated moves in one list, so that nothing is allocated; those of this node are at
/// its end.
pub trait MovePicker<P: Position>: Sized {
    /// A picker for a node; the hash move `tt_move` is legal and comes first.
    fn new(tt_move: Option<P::Move>, move_list: &[ScoredMove<P::Move>]) -> Self;

    /// The next move, ordered by history and tuning; `None` after the last.
    fn next(
        &mut self,
        position: &P,
        move_list: &mut Vec<ScoredMove<P::Move>>,
        history: &SearchHistory,
        context: MoveContext,
        tuning: &Tuning,
    ) -> Option<PickedMove<P::Move>>;
}

/// Swaps the best of the moves from index `from` on to that index (a step of selection sort).
#[inline]
pub fn take_best<M: Copy>(move_list: &mut [ScoredMove<M>], from: usize) -> Option<ScoredMove<M>> {
    let rest = &mut move_list[from..];
    let mut best = 0;
    let mut score = rest.first()?.score;
    for (i, scored) in rest.iter().enumerate().skip(1) {
        if scored.score > score {
            (best, score) = (i, scored.score);
        }
    }
    rest.swap(0, best);
    Some(rest[0])
}
