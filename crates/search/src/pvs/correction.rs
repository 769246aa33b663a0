//! What searches found beyond the static evaluation.
//!
//! Where a search of a position comes to another value than its static evaluation, the evaluation is wrong about something
//! on the board, and it will be wrong about the same thing in the next position. So the mean of these differences is kept
//! for what stands on each part of the board, and added to static evaluations. Chess programs do so by the structure of
//! pawns ("correction history": Caissa and Stockfish, 2023).
//!
//! What a search returns without going on, at depth 0, is the evaluation as it is: else corrections would be part of the
//! values that they are learnt from, and grow by themselves.

use super::game::PARTS;
use super::tuning::Tuning;
use crate::evaluate::MAX_EVALUATION;

/// Numbers for each part of the board and each side to move.
const SLOTS: usize = 1 << 13;

/// Units of a hundredth: means are finer than values.
const GRAIN: i32 = 32;

/// Means stay within ± this many hundredths.
const MOST: i32 = 1_000;

/// Faster than this a mean does not follow, in thousandths.
const FASTEST: i32 = 250;

/// Where the numbers of a position's parts are.
pub(super) type CorrectionKey = [u32; PARTS];

/// The mean differences between what searches found and the static evaluation: by side to move, part, and what is on it.
#[derive(Clone, Debug)]
pub(super) struct Correction {
    means: Box<[i16]>,
}

impl Default for Correction {
    /// Zeros.
    fn default() -> Self {
        Self { means: vec![0; 2 * PARTS * SLOTS].into_boxed_slice() }
    }
}

impl Correction {
    /// The key of a position with these parts and this side to move.
    #[inline]
    pub fn key(side: usize, parts: [u32; PARTS]) -> CorrectionKey {
        let mut first = (SLOTS * PARTS * side) as u32;
        parts.map(|part| {
            let place = first + (part >> (u32::BITS - SLOTS.ilog2()));
            first += SLOTS as u32;
            place
        })
    }

    /// A static evaluation, corrected; within ±[`MAX_EVALUATION`].
    #[inline]
    pub fn correct(&self, key: CorrectionKey, estimate: i32, tuning: &Tuning) -> i32 {
        let sum: i32 = key.iter().map(|&at| i32::from(self.means[at as usize])).sum();
        let correction = sum * tuning.correction_weight / (PARTS as i32 * GRAIN * 100);
        (estimate + correction).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// Learns that a search of so many plies came to a value this far above the static evaluation.
    #[inline]
    pub fn learn(&mut self, key: CorrectionKey, difference: i32, depth: i32, tuning: &Tuning) {
        let difference = GRAIN * difference.clamp(-MOST, MOST);
        let rate = (tuning.correction_rate * depth).min(FASTEST);
        for at in key {
            let mean = &mut self.means[at as usize];
            *mean += ((difference - i32::from(*mean)) * rate / 1_000) as i16;
        }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.means.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_follow_what_searches_find() {
        let tuning = Tuning { correction_weight: 100, correction_rate: 10, ..Tuning::default() };
        let mut correction = Correction::default();
        let key = |side, parts: [u32; PARTS]| Correction::key(side, parts.map(|part| part << 28));
        let seen = key(1, [1, 2, 3, 15]);
        assert_eq!(correction.correct(seen, 50, &tuning), 50);
        for _ in 0..1_000 {
            correction.learn(seen, 80, 9, &tuning);
        }
        let corrected = correction.correct(seen, 50, &tuning);
        assert!((50 + 75..=50 + 80).contains(&corrected), "{corrected}");
        // The other side, or other parts, know nothing of it; one part has a quarter of the weight of all.
        for key in [key(0, [1, 2, 3, 15]), key(1, [2, 3, 1, 0])] {
            assert_eq!(correction.correct(key, 50, &tuning), 50);
        }
        let part = correction.correct(key(1, [1, 0, 0, 0]), 0, &tuning);
        assert!((18..=20).contains(&part), "{part}");
        for _ in 0..1_000 {
            correction.learn(seen, -1_000_000, 100, &tuning);
        }
        let lowest = correction.correct(seen, -19_500, &tuning);
        assert_eq!(lowest, -MAX_EVALUATION);
        correction.clear();
        assert_eq!(correction.correct(seen, 50, &tuning), 50);
    }
}
