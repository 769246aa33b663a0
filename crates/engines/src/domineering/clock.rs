//! What is left of the time for the whole game.

use std::time::{Duration, Instant};

use agon_game::Budget;
use agon_search::Limits;

/// What is never spent: the judge's clock runs while its lines are on their way, and a busy machine may take the
/// processor away at any moment. With eight programs on each processor it was seen to stay away for 1.2 seconds.
const RESERVE: Duration = Duration::from_secs(1);

/// The time that a player may still spend on its game.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    end: Instant,
}

impl Clock {
    /// The clock at the beginning of a turn: all but a second.
    pub fn new(budget: Budget) -> Self {
        Self { end: Instant::now() + budget.mine.saturating_sub(RESERVE) }
    }

    /// A part of what is left now, in percent.
    pub fn share(&self, percent: u32) -> Limits {
        Limits::time(self.end.saturating_duration_since(Instant::now()) * percent / 100)
    }
}
