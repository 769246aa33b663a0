//! Timeouts between the coordinators and workers of a fleet.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Timeouts between coordinators and workers. [`Timing::default`] has those of real fleets.
///
/// Tests use [`Timing::scaled`], which divides every time by the same number, so that their proportions stay. Both
/// sides of a fleet need the same scale.
#[derive(Clone, Debug)]
pub struct Timing {
    /// Interval between two statuses of a worker or coordinator.
    pub heartbeat: Duration,
    /// Time after its last status at which a worker or coordinator counts as gone.
    pub max_silence: Duration,
    /// Time after which a coordinator has heard of all workers.
    pub all_heard: Duration,
    /// Time after the last sign of life of a job's holder at which the job is handed out again.
    pub lease: Duration,
    /// Interval between two signs of life of a job's holder, far shorter than `lease`.
    pub keep: Duration,
    /// Time that a slot waits for a job of one run before it tries the others.
    pub take_wait: Duration,
    /// Time that a slot plays jobs of one run while other runs are open.
    pub turn: Duration,
    /// Time before a game that a machine cannot play is handed out again.
    pub put_back_delay: Duration,
    /// Time for which a returned job waits for another worker.
    pub prefer_others: Duration,
    /// Time before a machine examines a run again that it could not play.
    pub retry_run: Duration,
    /// Pause before a message is sent again that no one has answered.
    pub retry: Duration,
    /// Timeout for an answer.
    pub answer: Duration,
    /// Interval between two pings of the server. A network that drops everything is noticed within three of these.
    pub ping: Duration,
    /// Interval between two looks for slots that someone holds for too long.
    pub check: Duration,
    /// Interval between two looks for news, orders to stop, or runs.
    pub poll: Duration,
    /// Time without events after which the user is shown the reason.
    pub idle: Duration,
    /// Clock that ends leases.
    pub clock: LeaseClock,
}

impl Default for Timing {
    fn default() -> Self {
        Self {
            heartbeat: Duration::from_secs(1),
            max_silence: Duration::from_secs(10),
            all_heard: Duration::from_secs(3),
            lease: Duration::from_secs(15),
            keep: Duration::from_secs(5),
            take_wait: Duration::from_millis(500),
            turn: Duration::from_secs(2),
            put_back_delay: Duration::from_secs(2),
            prefer_others: Duration::from_secs(10),
            retry_run: Duration::from_mins(1),
            retry: Duration::from_millis(250),
            answer: Duration::from_secs(5),
            ping: Duration::from_secs(5),
            check: Duration::from_secs(5),
            poll: Duration::from_millis(100),
            idle: Duration::from_secs(3),
            clock: LeaseClock::default(),
        }
    }
}

impl Timing {
    /// Returns the default times, each divided by this number, from 1. `answer` is not divided: it allows for a busy
    /// machine, and delays nothing that works.
    pub fn scaled(divisor: u32) -> Self {
        let whole = Self::default();
        let divisor = divisor.max(1);
        Self {
            heartbeat: whole.heartbeat / divisor,
            max_silence: whole.max_silence / divisor,
            all_heard: whole.all_heard / divisor,
            lease: whole.lease / divisor,
            keep: whole.keep / divisor,
            take_wait: whole.take_wait / divisor,
            turn: whole.turn / divisor,
            put_back_delay: whole.put_back_delay / divisor,
            prefer_others: whole.prefer_others / divisor,
            retry_run: whole.retry_run / divisor,
            retry: whole.retry / divisor,
            answer: whole.answer,
            ping: whole.ping / divisor,
            check: whole.check / divisor,
            poll: whole.poll / divisor,
            idle: whole.idle / divisor,
            clock: whole.clock,
        }
    }
}

/// The clock that ends leases: the machine's, advanced by its copies. A test can end a lease by advancing it, however
/// slow or busy the machine is.
#[derive(Clone, Debug, Default)]
pub struct LeaseClock(Arc<AtomicU64>);

impl LeaseClock {
    pub(crate) fn now(&self) -> Instant {
        Instant::now() + Duration::from_millis(self.0.load(Ordering::SeqCst))
    }

    /// Sets this clock and its copies forward.
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(by.as_millis() as u64, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_times_keep_their_proportions() {
        let (whole, part) = (Timing::default(), Timing::scaled(20));
        assert_eq!((part.heartbeat * 20, part.lease * 20), (whole.heartbeat, whole.lease));
        assert_eq!(Timing::scaled(0).lease, whole.lease);
        let copy = part.clock.clone();
        let before = part.clock.now();
        copy.advance(Duration::from_hours(1));
        assert!(part.clock.now() - before >= Duration::from_hours(1));
    }
}
