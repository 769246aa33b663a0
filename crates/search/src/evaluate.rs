//! Static evaluation, updated incrementally by the moves of a search.

use agon_game::{Observer, Position};

/// An evaluation that follows a search down and up the tree.
///
/// It is an [`Observer`]: what a move changes is told to it while the move is played, so that it can keep sums, or the
/// accumulator of a network, and need not look at the whole board at every node. The search says [`push`] before it
/// plays a move, and [`pop`] when it takes that back; in between the evaluation stands at the position behind it.
/// Nothing is virtual: a search is compiled for the evaluation that it uses.
///
/// An evaluation that looks at the position alone has nothing to do but [`value`].
///
/// [`push`]: Self::push
/// [`pop`]: Self::pop
/// [`value`]: Self::value
pub trait Evaluate<P: Position>: Observer + Clone + Send {
    /// Stands at this position, the root of a search, and forgets every other.
    fn reset(&mut self, position: &P);

    /// A move is about to be played: what is heard from now on belongs to the next position. A move that changes no cell
    /// (a PASS) is announced like any other.
    fn push(&mut self);

    /// Stands where it stood before the last [`push`](Self::push) that was not taken back.
    fn pop(&mut self);

    /// What the position it stands at, which is also given, seems to be worth to the side to move, in hundredths of the
    /// game's unit (a cell). The game is not over. Always the same for the same position, however it was reached.
    ///
    /// It must stay within ±[`LARGEST`]: beyond are the values of games that are decided.
    fn value(&mut self, position: &P) -> i32;

    /// Draws what is random from this seed; most evaluations draw nothing.
    fn set_seed(&mut self, _seed: u64) {}
}

/// The largest value of an undecided position, in hundredths of the game's unit.
pub const LARGEST: i32 = 20_000;
