//! The clock of a game.

use std::time::Duration;

/// What one side's clock says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeControl {
    /// What is left.
    pub left: Duration,
    /// What is added for every move; zero under ALPHANO's judge.
    pub increment: Duration,
    /// How many moves, the next one among them, must be made before more time is added; `None` when what is left is
    /// for the whole rest of the game.
    pub moves_to_go: Option<u32>,
}

impl TimeControl {
    /// A clock without an increment.
    pub const fn sudden_death(left: Duration) -> Self {
        Self::with_increment(left, Duration::ZERO)
    }

    /// A clock to which something is added for every move.
    pub const fn with_increment(left: Duration, increment: Duration) -> Self {
        Self { left, increment, moves_to_go: None }
    }
}
