//! Static evaluation, updated incrementally by the moves of a search.

use agon_game::{Observer, Position};

/// A static evaluation with incremental updates.
///
/// It is an [`Observer`] of the moves that the search plays, so that it can update sums, or the accumulator of a
/// network, instead of looking at the whole board at every node. The search calls [`push`] before it plays a move and
/// [`pop`] when it takes that back. Nothing is virtual: a search is compiled for the evaluation that it uses. An
/// evaluation of the position alone implements [`value`] and leaves the rest empty.
///
/// [`push`]: Self::push
/// [`pop`]: Self::pop
/// [`value`]: Self::value
pub trait Evaluate<P: Position>: Observer + Clone + Send {
    /// Starts at this position, the root of a search.
    fn reset(&mut self, position: &P);

    /// A move is about to be played: changes from now on belong to the next position. Also called before moves that
    /// change no cell (PASS, null moves).
    fn push(&mut self);

    /// Returns to the position before the last [`push`](Self::push).
    fn pop(&mut self);

    /// The static evaluation of the current position, which is also given, for the side to move, in hundredths of the
    /// game's unit (a cell); within ±[`MAX_EVALUATION`], as larger values are those of decided games. The game is not
    /// over. It depends on the position alone, not on how it was reached.
    fn value(&mut self, position: &P) -> i32;

    /// A hint that the value of this position will soon be asked for.
    fn prefetch(&self, _position: &P) {}

    /// Draws what is random from this seed; most evaluations draw nothing.
    fn set_seed(&mut self, _seed: u64) {}
}

/// The largest value of an undecided position, in hundredths of the game's unit.
pub const MAX_EVALUATION: i32 = 20_000;
