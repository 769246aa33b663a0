//! The weakest opponent: any legal move.

use agon_game::seed::Stream;
use agon_game::{Budget, Position};

use crate::Chooser;

/// Plays every legal move with equal probability.
#[derive(Clone, Debug)]
pub struct Random {
    stream: Stream,
}

impl Random {
    /// A random player whose choices all follow from the seed.
    pub fn new(seed: u64) -> Self {
        Self { stream: Stream::new(seed, "random") }
    }
}

impl<P: Position> Chooser<P> for Random {
    fn choose(&mut self, position: &P, _: Budget) -> P::Move {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        moves[self.stream.below(moves.len())]
    }
}
