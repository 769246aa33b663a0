//! How long a submission waits for its check.

use crate::store::{CheckQueue, RecentTimes};

/// What is to be expected, in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Until a worker takes it.
    pub wait: f64,
    /// From then until it is settled.
    pub check: f64,
}

impl Estimate {
    /// What a submission may expect with `before` submissions ahead of it; none without workers, or before the first
    /// check.
    pub fn new(before: u32, running: usize, workers: usize, times: RecentTimes) -> Option<Self> {
        let check = times.check.filter(|_| workers > 0)?;
        // Where all are busy, one must end what it does: on average it is halfway through, and the first of several is
        // sooner.
        let busy = if running >= workers { times.game.unwrap_or(check) / (workers + 1) as f64 } else { 0.0 };
        Some(Self { wait: busy + check * f64::from(before) / workers as f64, check })
    }
}

/// The versions that are not settled, in words.
pub fn describe(queue: CheckQueue) -> String {
    let CheckQueue { queued, checking, .. } = queue;
    let are = |count: u32| if count == 1 { "submission is" } else { "submissions are" };
    format!("{queued} {} waiting, {checking} being checked", are(queued))
}

/// A length of time in a few words.
pub fn about(seconds: f64) -> String {
    match seconds {
        ..5.0 => "a few seconds".to_owned(),
        5.0..100.0 => format!("about {:.0} s", (seconds / 5.0).round() * 5.0),
        100.0..5400.0 => format!("about {:.0} min", seconds / 60.0),
        _ => format!("about {:.0} h", seconds / 3600.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_grows_with_the_queue_and_shrinks_with_the_workers() {
        let times = RecentTimes { check: Some(6.0), game: Some(12.0) };
        let wait = |before, running, workers| Estimate::new(before, running, workers, times).map(|found| found.wait);
        assert_eq!(wait(0, 0, 1), Some(0.0));
        assert_eq!(wait(0, 1, 1), Some(6.0), "half a game");
        assert_eq!(wait(4, 1, 1), Some(30.0));
        assert_eq!(wait(4, 2, 2), Some(16.0));
        assert_eq!(wait(4, 1, 2), Some(12.0), "a worker has nothing to do");
        assert_eq!(wait(4, 0, 0), None, "no workers");
        assert_eq!(Estimate::new(1, 0, 1, RecentTimes::default()), None);
    }

    #[test]
    fn times_are_rounded() {
        let all = [1.0, 12.0, 99.0, 100.0, 3600.0, 20_000.0].map(about);
        assert_eq!(all, ["a few seconds", "about 10 s", "about 100 s", "about 2 min", "about 60 min", "about 6 h"]);
    }
}
