//! Random numbers that are the same on every machine and in every release.
//!
//! A record names only a seed, from which the board, built-in players' choices and openings are drawn. So the
//! generator, and the way numbers are taken from it, are part of Agon's formats and pinned by the tests below.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::hash::fnv1a;
use crate::side::Side;

/// A stream of random numbers drawn from a seed for one purpose.
#[derive(Clone, Debug)]
pub struct Stream {
    generator: Xoshiro256PlusPlus,
}

impl Stream {
    /// Creates the stream of `seed` for `purpose`. Different purposes give unrelated streams, so drawing more numbers
    /// for one never changes another.
    ///
    /// ```
    /// use agon_game::seed::Stream;
    /// let (mut a, mut b) = (Stream::new(1, "board"), Stream::new(1, "first"));
    /// assert_ne!(a.next(), b.next());
    /// ```
    pub fn new(seed: u64, purpose: &str) -> Self {
        // Any stable hash of a short name is enough; the generator's own seeding mixes it further.
        Self { generator: Xoshiro256PlusPlus::seed_from_u64(seed ^ fnv1a(purpose).rotate_left(17)) }
    }

    /// Returns the next 64 random bits.
    #[inline]
    #[allow(clippy::should_implement_trait, reason = "an endless stream, not an iterator")]
    pub fn next(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// Returns a number from 0 to `n` − 1, by multiply and shift. The bias is below n / 2⁶⁴.
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    pub fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "nothing to choose from");
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

/// Returns the seed of one seat's agent: unrelated to the other's and to the game's, and small enough for any JSON
/// reader.
pub fn seat_seed(seed: u64, side: Side) -> u64 {
    invocation_seed(seed, &side.to_string())
}

/// Returns the seed of one invocation of an agent with this seed: unrelated to all others, and small enough for any
/// JSON reader. The purpose is `begin`, or the number of the action.
pub fn invocation_seed(seed: u64, purpose: &str) -> u64 {
    Stream::new(seed, purpose).next() >> 11
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If this fails, old records no longer replay: change the record version, not the numbers.
    #[test]
    fn the_stream_is_pinned() {
        let mut stream = Stream::new(42, "board");
        let drawn: Vec<usize> = (0..12).map(|_| stream.below(100)).collect();
        assert_eq!(drawn, PINNED);
    }

    const PINNED: [usize; 12] = [18, 1, 67, 67, 62, 32, 14, 0, 0, 18, 40, 67];
}
