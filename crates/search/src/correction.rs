//! Correction history: learns the difference between search results and static evaluations.
//!
//! If the search of a position returns a different value than its static evaluation, the evaluation is wrong about some
//! feature of the board, and will be wrong about the same feature in the next position. So the mean of these
//! differences is stored for each part of a position, such as the pattern on a part of the board, and added to static
//! evaluations. Chess programs do this by pawn structure ("correction history": Caissa and Stockfish, 2023).
//!
//! Values returned at depth 0 are not corrected: otherwise corrections would be learnt from values that contain them,
//! and grow without bound.

use crate::evaluate::MAX_EVALUATION;

/// Numbers for each part and each side to move.
const SLOTS: usize = 1 << 13;

/// Units of a hundredth: means are finer than values.
const GRAIN: i32 = 32;

/// Means stay within ± this many hundredths.
const MAX_MEAN: i32 = 1_000;

/// The highest rate at which a mean follows, in thousandths.
const MAX_RATE: i32 = 250;

/// Index of each part of a position in the table.
pub type CorrectionKey<const PARTS: usize> = [u32; PARTS];

/// Mean differences between search results and static evaluations, by side to move, part, and pattern.
#[derive(Clone, Debug)]
pub struct Correction<const PARTS: usize> {
    means: Box<[i16]>,
}

impl<const PARTS: usize> Default for Correction<PARTS> {
    fn default() -> Self {
        Self { means: vec![0; 2 * PARTS * SLOTS].into_boxed_slice() }
    }
}

impl<const PARTS: usize> Correction<PARTS> {
    /// The key of a position with these parts and this side to move; of a part the 13 highest bits count.
    #[inline]
    pub fn key(side: usize, parts: [u32; PARTS]) -> CorrectionKey<PARTS> {
        let mut first = (SLOTS * PARTS * side) as u32;
        parts.map(|part| {
            let place = first + (part >> (u32::BITS - SLOTS.ilog2()));
            first += SLOTS as u32;
            place
        })
    }

    /// A static evaluation, corrected with this weight, in hundredths; within ±[`MAX_EVALUATION`].
    #[inline]
    pub fn correct(&self, key: CorrectionKey<PARTS>, static_eval: i32, weight: i32) -> i32 {
        let sum: i32 = key.iter().map(|&at| i32::from(self.means[at as usize])).sum();
        let correction = sum * weight / (PARTS as i32 * GRAIN * 100);
        (static_eval + correction).clamp(-MAX_EVALUATION, MAX_EVALUATION)
    }

    /// Updates the means after a search of `depth` plies came to a value this far above the static evaluation; they
    /// follow by `rate` thousandths for each ply.
    #[inline]
    pub fn update(&mut self, key: CorrectionKey<PARTS>, difference: i32, depth: i32, rate: i32) {
        let difference = GRAIN * difference.clamp(-MAX_MEAN, MAX_MEAN);
        let rate = (rate * depth).min(MAX_RATE);
        for at in key {
            let mean = &mut self.means[at as usize];
            *mean += ((difference - i32::from(*mean)) * rate / 1_000) as i16;
        }
    }

    pub fn clear(&mut self) {
        self.means.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corrections_follow_what_searches_find() {
        let mut correction = Correction::<4>::default();
        let key = |side, parts: [u32; 4]| Correction::<4>::key(side, parts.map(|part| part << 28));
        let seen = key(1, [1, 2, 3, 15]);
        assert_eq!(correction.correct(seen, 50, 100), 50);
        for _ in 0..1_000 {
            correction.update(seen, 80, 9, 10);
        }
        let corrected = correction.correct(seen, 50, 100);
        assert!((50 + 75..=50 + 80).contains(&corrected), "{corrected}");
        // The other side, and other parts, are unaffected; one part has a quarter of the total weight.
        for key in [key(0, [1, 2, 3, 15]), key(1, [2, 3, 1, 0])] {
            assert_eq!(correction.correct(key, 50, 100), 50);
        }
        let part = correction.correct(key(1, [1, 0, 0, 0]), 0, 100);
        assert!((18..=20).contains(&part), "{part}");
        for _ in 0..1_000 {
            correction.update(seen, -1_000_000, 100, 10);
        }
        let lowest = correction.correct(seen, -19_500, 100);
        assert_eq!(lowest, -MAX_EVALUATION);
        correction.clear();
        assert_eq!(correction.correct(seen, 50, 100), 50);
    }
}
