//! Static evaluation, updated incrementally by the moves of a search.

use agon_game::{Observer, Position};

/// A static evaluation with incremental updates.
///
/// As an [`Observer`] of the moves that the search plays, it can update sums, or the accumulator of a network, instead
/// of scanning the whole board at every node. The search calls [`push`] before it plays a move and [`pop`] when it
/// takes the move back. There is no dynamic dispatch: a search is compiled for its evaluation. An evaluation that
/// depends only on the position implements [`value`] and keeps the defaults of the rest.
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

    /// Returns the static evaluation of the current position, which is passed as well, for the side to move, in
    /// hundredths of the game's unit (a cell), within ±[`MAX_EVALUATION`]; larger values are reserved for decided
    /// games. The game is not over. The value depends only on the position, not on how it was reached.
    fn value(&mut self, position: &P) -> i32;

    /// A hint that the value of this position will soon be needed.
    fn prefetch(&self, _position: &P) {}

    /// Sets the seed of all random choices; most evaluations make none.
    fn set_seed(&mut self, _seed: u64) {}
}

/// The largest value of an undecided position, in hundredths of the game's unit.
pub const MAX_EVALUATION: i32 = 20_000;
