//! What a search must be told of a game beyond its rules.

use agon_game::Position;

use super::Tuning;
use crate::History;

/// The moves of a [`Game`].
pub type MoveOf<G> = <<G as Game>::Position as Position>::Move;

/// A value that is known without a search, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Settled {
    /// It wins in at most so many plies, whatever the other side does.
    Win(u32),
    /// It loses in at most so many plies, whatever it does.
    Loss(u32),
    /// A draw.
    Draw,
}

/// A game as a search sees it.
pub trait Game: Send + Sync + 'static {
    /// Its positions.
    type Position: Position;
    /// Its moves in the order to try them.
    type Picker: Picker<Self>;

    /// The result of a game that is over, and of one whose end is certain. Asked at every node: it must be cheap.
    fn settled(position: &Self::Position) -> Option<Settled>;

    /// The key of a position for the transposition table: its hash, and whatever else its value depends on here.
    fn key(position: &Self::Position) -> u64;

    /// A move as 16 bits, never 0; moves that lead to the same position should be one.
    fn pack(m: MoveOf<Self>) -> u16;

    /// The move of 16 bits, if it is legal here: tables give false answers now and then.
    fn unpack(position: &Self::Position, word: u16) -> Option<MoveOf<Self>>;

    /// The number of a move in a [`History`], below [`crate::history::MOVES`].
    fn number(m: MoveOf<Self>) -> usize;

    /// The same position with the other side to move, where doing nothing is surely worse than the best move; `None` where
    /// that is not so.
    fn skipped(position: &Self::Position) -> Option<Self::Position>;
}

/// A move waiting to be tried.
#[derive(Clone, Copy, Debug)]
pub struct Scored<M> {
    /// The higher the earlier.
    pub score: i32,
    /// What it changes at once, in hundredths of the game's unit.
    pub gain: i32,
    /// The move.
    pub m: M,
}

/// A move to be tried now.
#[derive(Clone, Copy, Debug)]
pub struct Picked<M> {
    /// The move.
    pub m: M,
    /// What it changes at once, in hundredths of the game's unit.
    pub gain: i32,
    /// Whether it and all that follow are of the kind that is hardly ever best, so that a shallow search leaves them
    /// out.
    pub late: bool,
}

/// Hands out the moves of one node, likely good ones first, and makes no more of them than are asked for. The moves
/// waiting lie at the end of a list that all nodes on the way from the root share, so that nothing is allocated.
pub trait Picker<G: Game + ?Sized>: Sized {
    /// The moves of a position; `best` is legal and comes first.
    fn new(best: Option<MoveOf<G>>, waiting: &[Scored<MoveOf<G>>]) -> Self;

    /// The next move; `None` after the last. The history and the tuning say how to order them.
    fn next(
        &mut self,
        position: &G::Position,
        waiting: &mut Vec<Scored<MoveOf<G>>>,
        history: &History,
        tuning: &Tuning,
    ) -> Option<Picked<MoveOf<G>>>;
}

/// Takes the best of the moves waiting from place `from` on to that place.
#[inline]
pub fn take_best<M: Copy>(waiting: &mut [Scored<M>], from: usize) -> Option<Scored<M>> {
    let rest = &mut waiting[from..];
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
