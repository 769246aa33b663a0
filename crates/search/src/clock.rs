//! How long to think about a move, when the clock is for the whole game.

use std::time::Duration;

use crate::Clock;

/// What a time manager must know of the game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Pace {
    /// How many moves of its own the side to move probably still has to think about; 1 at least.
    pub moves: f64,
    /// How many it has at most.
    pub most: u32,
}

/// How long one move may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allowance {
    /// When a search that is sure of its move should end.
    pub soft: Duration,
    /// When any search must end.
    pub hard: Duration,
}

/// Kept from the clock for what happens outside the search: the judge's clock runs while lines are on their way, and a
/// busy machine takes the processor away.
const RESERVE: Duration = Duration::from_millis(60);

/// What a move costs outside the search: two lines through pipes, and waking up.
const OVERHEAD: Duration = Duration::from_micros(300);

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
    /// let allowance = Allowance::of(clock, Pace { moves: 40.0, most: 200 });
    /// assert!(allowance.soft > Duration::from_millis(100) && allowance.hard < Duration::from_secs(3));
    /// ```
    pub fn of(clock: Clock, pace: Pace) -> Self {
        // When no more than this is left every move is answered at once, so it must last for all of them.
        let reserve = RESERVE + OVERHEAD * pace.most;
        let free = clock.left.saturating_sub(reserve);
        let soft = free.div_f64(pace.moves.max(1.0)) + clock.increment * 3 / 4;
        let soft = soft.saturating_sub(OVERHEAD).min(free / MOST_SHARE);
        Self { soft, hard: (soft * 4).min(free / MOST_SHARE) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of so many moves, each of which takes as long as it may and some more, ends in time.
    fn check(clock_ms: u64, moves: u32, late: Duration) {
        let mut left = Duration::from_millis(clock_ms);
        for m in 0..moves {
            let clock = Clock { left, increment: Duration::ZERO };
            let most = moves - m;
            let allowance = Allowance::of(clock, Pace { moves: f64::from(most).clamp(1.0, 30.0), most });
            assert!(allowance.soft <= allowance.hard, "{allowance:?}");
            let spent = allowance.hard + late;
            assert!(spent < left, "{clock_ms} ms: move {m} of {moves} takes {spent:?} of {left:?}");
            left -= spent;
        }
    }

    #[test]
    fn a_game_ends_in_time() {
        for clock in [200, 1_000, 10_000] {
            for moves in [1, 20, 50, 200] {
                check(clock, moves, Duration::from_micros(200));
            }
        }
        check(10_000, 200, Duration::from_millis(1));
    }

    #[test]
    fn without_time_there_is_no_search() {
        let none = Clock { left: Duration::ZERO, increment: Duration::ZERO };
        let allowance = Allowance::of(none, Pace { moves: 30.0, most: 200 });
        assert_eq!(allowance, Allowance { soft: Duration::ZERO, hard: Duration::ZERO });
    }
}
