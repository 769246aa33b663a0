//! The clock of a game.

use std::time::Duration;

/// What one side's clock says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// What is left for the whole rest of the game.
    pub left: Duration,
    /// What is added for every move; zero under ALPHANO's judge.
    pub increment: Duration,
}

impl TimeControl {
    /// A clock without an increment.
    pub const fn sudden_death(left: Duration) -> Self {
        Self { left, increment: Duration::ZERO }
    }
}
