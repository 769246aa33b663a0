//! How long a submission waits for its check.

use agon_message::messages;

use crate::store::{CheckQueue, RecentTimes};

/// How many seconds every game must have been played before a check runs beside them.
pub const RELIEF_SECONDS: f64 = 30.0;

/// Whether all workers have been playing their games for that long.
pub fn is_relief_due(running: &[f64], workers: usize) -> bool {
    workers > 0 && running.len() >= workers && running.iter().all(|&age| age >= RELIEF_SECONDS)
}

/// The expected waiting time, in seconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Until a worker takes it.
    pub wait: f64,
    /// From then until it is settled.
    pub check: f64,
}

impl Estimate {
    /// What a submission can expect with `before` submissions ahead of it, while games are in progress that began
    /// `running` seconds ago; `None` without workers, or before the first check. `has_relief` says whether checks run
    /// beside games that have been played for [`RELIEF_SECONDS`].
    pub fn new(before: u32, running: &[f64], workers: usize, has_relief: bool, times: RecentTimes) -> Option<Self> {
        let check = times.check.filter(|_| workers > 0)?;
        let (usual, checks) = (times.game.unwrap_or(check), check * f64::from(before));
        let youngest = running.iter().copied().reduce(f64::min).filter(|_| running.len() >= workers);
        // If all are busy, one must finish first: on average it is halfway through, and the first of several finishes
        // sooner. A game that is longer than usual is also halfway through, as far as anyone knows.
        let busy = youngest.map_or(0.0, |age| usual.max(2.0 * age) / (workers + 1) as f64);
        let relief = youngest.filter(|_| has_relief).map_or(f64::INFINITY, |age| (RELIEF_SECONDS - age).max(2.0));
        Some(Self { wait: (busy + checks / workers as f64).min(relief + checks), check })
    }
}

/// The versions that are not settled, in words.
pub fn describe(queue: CheckQueue) -> String {
    let CheckQueue { queued, checking, .. } = queue;
    let are = |count: u32| if count == 1 { "submission is" } else { "submissions are" };
    format!("{queued} {} waiting, {checking} being checked", are(queued))
}

messages! {
    /// A length of time in a few words.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum RoughTime {
        Moments = "a few seconds",
        Seconds { count: u64 } = "about {count} s",
        Minutes { count: u64 } = "about {count} min",
        Hours { count: u64 } = "about {count} h",
    }
}

/// A length of time in a few words.
pub fn about(seconds: f64) -> RoughTime {
    let count = |of: f64| (seconds / of).round() as u64;
    match seconds {
        ..5.0 => RoughTime::Moments,
        5.0..100.0 => RoughTime::Seconds { count: count(5.0) * 5 },
        100.0..5400.0 => RoughTime::Minutes { count: count(60.0) },
        _ => RoughTime::Hours { count: count(3600.0) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_grows_with_the_queue_and_shrinks_with_the_workers() {
        let times = RecentTimes { check: Some(6.0), game: Some(12.0) };
        let wait = |before, running: usize, workers| {
            Estimate::new(before, &vec![1.0; running], workers, true, times).map(|found| found.wait)
        };
        assert_eq!(wait(0, 0, 1), Some(0.0));
        assert_eq!(wait(0, 1, 1), Some(6.0), "half a game");
        assert_eq!(wait(4, 1, 1), Some(30.0));
        assert_eq!(wait(4, 2, 2), Some(16.0));
        assert_eq!(wait(4, 1, 2), Some(12.0), "a worker has nothing to do");
        assert_eq!(wait(4, 0, 0), None, "no workers");
        assert_eq!(Estimate::new(1, &[], 1, true, RecentTimes::default()), None);
        // A game that has been played for five minutes does not end in six seconds.
        let long =
            |ages: &[f64], workers, relief| Estimate::new(0, ages, workers, relief, times).map(|found| found.wait);
        assert_eq!((long(&[300.0], 1, false), long(&[300.0, 3.0], 2, false)), (Some(300.0), Some(4.0)));
        assert_eq!((long(&[300.0], 1, true), long(&[20.0], 1, true)), (Some(2.0), Some(10.0)), "beside it");
    }

    #[test]
    fn checks_are_made_beside_games_that_are_all_long() {
        let due = is_relief_due;
        assert!(due(&[31.0], 1) && due(&[31.0, 90.0], 2));
        assert!(!due(&[29.0], 1) && !due(&[31.0, 9.0], 2) && !due(&[31.0], 2) && !due(&[], 0) && !due(&[99.0], 0));
    }

    #[test]
    fn times_are_rounded() {
        let all = [1.0, 12.0, 99.0, 100.0, 3600.0, 20_000.0].map(|seconds| about(seconds).to_string());
        assert_eq!(all, ["a few seconds", "about 10 s", "about 100 s", "about 2 min", "about 60 min", "about 6 h"]);
    }
}
