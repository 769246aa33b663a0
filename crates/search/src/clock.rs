//! How long to think about a move, when the clock is for the whole game.

use std::time::Duration;

use crate::Clock;

/// What a time manager must know of the game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pace {
    /// How many moves of its own the side to move probably still has to think about; 1 at least.
    pub moves: f64,
    /// What a move costs besides the search.
    pub lag: Duration,
}

/// How long one move may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// When a search that is sure of its move should end.
    pub soft: Duration,
    /// When any search must end.
    pub hard: Duration,
}

/// Kept from the clock for what happens outside the search: a busy machine takes the processor away for tens of
/// milliseconds now and then.
const RESERVE: Duration = Duration::from_millis(90);

/// A game may take this many times the moves that are expected, and its last ones must be answered, too.
const LONGER: f64 = 6.0;

/// No move takes more than this share of what is left, as a divisor.
const MOST_SHARE: u32 = 5;

impl Allowance {
    /// What a clock allows. Nothing at all (both are zero) when what is left must be kept to answer at once.
    ///
    /// ```
    /// use agon_search::Clock;
    /// use agon_search::clock::{Allowance, Pace};
    /// use std::time::Duration;
    /// let clock = Clock { left: Duration::from_secs(10), increment: Duration::ZERO };
    /// let allowance = Allowance::of(clock, Pace { moves: 40.0, lag: Duration::ZERO });
    /// assert!(allowance.soft > Duration::from_millis(100) && allowance.hard < Duration::from_secs(3));
    /// ```
    pub fn of(clock: Clock, pace: Pace) -> Self {
        // When no more than this is left every move is answered at once.
        let moves = pace.moves.max(1.0);
        let reserve = RESERVE + pace.lag.mul_f64(LONGER * moves);
        let free = clock.left.saturating_sub(reserve);
        let soft = (free.div_f64(moves) + clock.increment * 3 / 4).min(free / MOST_SHARE);
        Self { soft, hard: (soft * 4).min(free / MOST_SHARE) }
    }
}

/// What moves cost besides the search, learnt from the clock: lines on their way, waking up, waiting for a processor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lag {
    /// What should be left when the next move is asked for.
    expected: Option<Duration>,
    mean: Duration,
}

impl Default for Lag {
    /// A guess, until something is known.
    fn default() -> Self {
        Self { expected: None, mean: Duration::from_micros(300) }
    }
}

/// How many moves the mean goes back.
const REMEMBERED: u32 = 6;

impl Lag {
    /// A move is asked for, with so much left on the clock. Returns what a move costs besides the search.
    ///
    /// ```
    /// use agon_search::clock::Lag;
    /// use std::time::Duration;
    /// let ms = Duration::from_millis;
    /// let mut lag = Lag::default();
    /// lag.asked(ms(1_000));
    /// lag.answered(ms(1_000), ms(100), ms(200));
    /// // 100 ms were used, 112 are gone.
    /// assert!(lag.asked(ms(888)) > ms(2));
    /// ```
    pub fn asked(&mut self, left: Duration) -> Duration {
        if let Some(lost) = self.expected.take().and_then(|expected| expected.checked_sub(left)) {
            self.mean = (self.mean * (REMEMBERED - 1) + lost) / REMEMBERED;
        }
        self.mean
    }

    /// A move that was asked for with `left` on the clock has taken so long, and was allowed so much. What it took beyond
    /// that was not the search's: others had the processor.
    pub fn answered(&mut self, left: Duration, taken: Duration, allowed: Duration) {
        self.expected = Some(left.saturating_sub(taken.min(allowed)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of so many moves, each of which takes as long as `spent` says and some more, ends in time.
    fn check(clock_ms: u64, moves: u32, spent: fn(Allowance) -> Duration, late: Duration) {
        let mut left = Duration::from_millis(clock_ms);
        let mut lag = Lag::default();
        for m in 0..moves {
            let clock = Clock { left, increment: Duration::ZERO };
            let pace = Pace { moves: f64::from(moves - m).clamp(1.0, 30.0), lag: lag.asked(left) };
            let allowance = Allowance::of(clock, pace);
            assert!(allowance.soft <= allowance.hard, "{allowance:?}");
            let taken = spent(allowance);
            assert!(taken + late < left, "{clock_ms} ms: move {m} of {moves} takes {taken:?} of {left:?}");
            lag.answered(left, taken, allowance.hard);
            left = left.saturating_sub(taken + late);
        }
    }

    #[test]
    fn a_game_ends_in_time() {
        let (soft, hard) = (|allowance: Allowance| allowance.soft, |allowance: Allowance| allowance.hard);
        for clock in [200, 1_000, 10_000] {
            for moves in [1, 20, 50, 200] {
                check(clock, moves, soft, Duration::from_micros(400));
                check(clock, moves, hard, Duration::from_micros(400));
            }
            check(clock, 50, soft, Duration::from_millis(2));
        }
        check(1_000, 50, hard, Duration::from_millis(4));
        check(10_000, 200, soft, Duration::from_millis(2));
    }

    #[test]
    fn a_spike_is_survived() {
        // Whenever it comes, the reserve holds.
        let clock = Clock { left: Duration::from_millis(200), increment: Duration::ZERO };
        let allowance = Allowance::of(clock, Pace { moves: 30.0, lag: Duration::from_millis(1) });
        assert!(allowance.hard < Duration::from_millis(20), "{allowance:?}");
        assert!(clock.left.saturating_sub(allowance.hard) > RESERVE + Duration::from_millis(60));
    }

    #[test]
    fn without_time_there_is_no_search() {
        let none = Clock { left: Duration::ZERO, increment: Duration::ZERO };
        let allowance = Allowance::of(none, Pace { moves: 30.0, lag: Duration::ZERO });
        assert_eq!(allowance, Allowance { soft: Duration::ZERO, hard: Duration::ZERO });
    }
}
