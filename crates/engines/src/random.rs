//! The weakest opponent: any legal move.

use agon_game::Position;
use agon_game::seed::Stream;
use agon_search::{Engine, Info, Task};

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

impl<P: Position> Engine<P> for Random {
    fn search(&mut self, position: &P, _: &Task, _: &mut dyn FnMut(&Info<P::Move>)) -> Option<P::Move> {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() { None } else { Some(moves[self.stream.below(moves.len())]) }
    }

    fn set_seed(&mut self, seed: u64) {
        *self = Self::new(seed);
    }
}
