//! Clocks of a game.

use std::time::Duration;

/// State of one side's clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// Time left.
    pub left: Duration,
    /// Increment per move; zero under ALPHANO's judge.
    pub increment: Duration,
    /// Number of moves until more time is added, including the next one; `None` if the time is for the rest of the
    /// game.
    pub moves_to_go: Option<u32>,
}

impl TimeControl {
    /// Creates a clock without increment.
    pub const fn sudden_death(left: Duration) -> Self {
        Self::with_increment(left, Duration::ZERO)
    }

    /// Creates a clock with an increment per move.
    pub const fn with_increment(left: Duration, increment: Duration) -> Self {
        Self { left, increment, moves_to_go: None }
    }
}
