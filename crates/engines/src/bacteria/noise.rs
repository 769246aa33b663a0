//! Noise on an evaluation, for weak levels.

use agon_game::hash::{MIX_FACTORS, fibonacci};
use agon_game::seed::Stream;
use agon_game::{Observer, Position, Side};
use agon_rules::bacteria::Bacteria;
use agon_search::Evaluate;

/// Another evaluation plus noise that depends on the position and a seed: the same position always gets the same value.
#[derive(Clone, Debug)]
pub struct Noise<E> {
    evaluation: E,
    /// At most so wrong, in hundredths of a cell, and half of that on the average.
    most: i32,
    seed: u64,
}

impl<E> Noise<E> {
    /// An evaluation that is wrong by at most `most` hundredths of a cell.
    pub const fn new(evaluation: E, most: i32, seed: u64) -> Self {
        Self { evaluation, most, seed }
    }
}

impl<E: Observer> Observer for Noise<E> {
    #[inline]
    fn change(&mut self, cell: usize, before: Option<Side>, after: Option<Side>) {
        self.evaluation.change(cell, before, after);
    }
}

impl<E: Evaluate<Bacteria>> Evaluate<Bacteria> for Noise<E> {
    fn reset(&mut self, position: &Bacteria) {
        self.evaluation.reset(position);
    }

    #[inline]
    fn push(&mut self) {
        self.evaluation.push();
    }

    #[inline]
    fn pop(&mut self) {
        self.evaluation.pop();
    }

    fn set_seed(&mut self, seed: u64) {
        self.seed = Stream::new(seed, "noise").next();
    }

    #[inline]
    fn value(&mut self, position: &Bacteria) -> i32 {
        let mixed = fibonacci(position.hash() ^ self.seed);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(MIX_FACTORS[0]);
        // From -1 to 1 in units of 2⁻³¹.
        let drawn = i64::from((mixed >> 32) as u32 as i32);
        self.evaluation.value(position) + ((drawn * i64::from(self.most)) >> 31) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bacteria::Classic;
    use agon_rules::bacteria::board::bit;

    #[test]
    fn it_is_wrong_both_ways_within_its_bounds() {
        let mut noise = Noise::new(Classic::default(), 300, 5);
        let mut other = Noise::new(Classic::default(), 300, 6);
        let errors = (1..49).map(|cell| {
            let position = Bacteria::from_cells([1, bit(cell)], 0).expect("a position");
            let value = Classic::default().value(&position);
            assert_eq!(noise.value(&position), noise.value(&position));
            assert_ne!(noise.value(&position), other.value(&position));
            noise.value(&position) - value
        });
        let errors: Vec<i32> = errors.collect();
        assert!(errors.iter().all(|error| error.abs() <= 300), "{errors:?}");
        assert!(errors.iter().any(|&error| error > 150) && errors.iter().any(|&error| error < -150), "{errors:?}");
    }
}
