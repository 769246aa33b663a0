//! The history heuristic: which moves have caused cutoffs.

/// A number for every move in every context: it rises when the move causes a cutoff and falls when it is tried in vain
/// (history heuristic: J. Schaeffer, 1983). Each update moves it towards a bound by a share of the distance left, so
/// that new updates outweigh old ones (the "history gravity" of chess programs).
#[derive(Clone, Debug)]
pub struct History {
    values: Box<[i16]>,
}

/// Numbers stay within ± this.
pub const MAX_HISTORY: i32 = 16_384;

/// Moves of a context: a game numbers its moves below this.
pub const MOVES: usize = 4_096;

impl Default for History {
    fn default() -> Self {
        Self::new(2)
    }
}

impl History {
    /// Zeros for a number of contexts (sides, replies to a cell) that is a power of two.
    ///
    /// # Panics
    /// If it is not a power of two.
    pub fn new(contexts: usize) -> Self {
        assert!(contexts.is_power_of_two(), "{contexts} contexts");
        Self { values: vec![0; contexts * MOVES].into_boxed_slice() }
    }

    #[inline]
    fn place(&self, context: usize, number: usize) -> usize {
        (context * MOVES + number) & (self.values.len() - 1)
    }

    /// The number of a move, within ±[`MAX_HISTORY`].
    #[inline]
    pub fn value(&self, context: usize, number: usize) -> i32 {
        i32::from(self.values[self.place(context, number)])
    }

    /// Updates a move: with a positive bonus after a cutoff, with a negative one if it failed to cut.
    ///
    /// ```
    /// use agon_search::History;
    /// let mut history = History::default();
    /// history.update(0, 7, 400);
    /// assert_eq!((history.value(0, 7), history.value(1, 7)), (400, 0));
    /// ```
    #[inline]
    pub fn update(&mut self, context: usize, number: usize, bonus: i32) {
        let value = &mut self.values[(context * MOVES + number) & (self.values.len() - 1)];
        let bonus = bonus.clamp(-MAX_HISTORY, MAX_HISTORY);
        *value += (bonus - i32::from(*value) * bonus.abs() / MAX_HISTORY) as i16;
    }

    pub fn clear(&mut self) {
        self.values.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stay_within_bounds() {
        let mut history = History::default();
        for bonus in [1, 500, 1 << 20, -3, -(1 << 20)] {
            for _ in 0..10_000 {
                history.update(1, MOVES - 1, bonus);
                assert!(history.value(1, MOVES - 1).abs() <= MAX_HISTORY);
            }
            assert!(history.value(1, MOVES - 1) * bonus.signum() > 0, "{bonus}");
        }
        history.clear();
        assert_eq!(history.value(1, MOVES - 1), 0);
    }
}
