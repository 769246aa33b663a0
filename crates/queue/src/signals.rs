//! What wakes whoever waits: workers, followers of checks, pages that update themselves.

use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

pub struct Signals {
    /// Counts changes of versions, for those who follow a check.
    pub checks: watch::Sender<u64>,
    /// Counts changes that pages show which all visitors see alike: games that begin and end, versions, ladders.
    pub changed: watch::Sender<u64>,
    /// True from the moment when the site should stop.
    pub stopping: watch::Sender<bool>,
    /// Raised when there may be something to play.
    work: (Mutex<bool>, Condvar),
}

impl Default for Signals {
    fn default() -> Self {
        let (checks, changed, stopping) = (watch::Sender::new(0), watch::Sender::new(0), watch::Sender::new(false));
        Self { checks, changed, stopping, work: (Mutex::new(false), Condvar::new()) }
    }
}

impl Signals {
    /// Makes pages that update themselves look again.
    pub fn note_change(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Makes those who follow checks look again.
    pub(crate) fn note_check(&self) {
        self.checks.send_modify(|count| *count += 1);
    }

    /// Wakes the workers, since there may be something to play, and those who follow checks.
    pub fn announce_change(&self) {
        self.note_check();
        self.note_change();
        let (raised, condition) = &self.work;
        *raised.lock().unwrap_or_else(PoisonError::into_inner) = true;
        condition.notify_all();
    }

    /// Waits until there may be something to play, or for so long.
    pub(crate) fn wait_for_work(&self, longest: Duration) {
        let (raised, condition) = &self.work;
        let guard = raised.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = condition.wait_timeout_while(guard, longest, |raised| !*raised);
        *waited.unwrap_or_else(PoisonError::into_inner).0 = false;
    }

    /// Begins to stop.
    pub fn stop(&self) {
        self.stopping.send_replace(true);
    }

    /// Whether the site should stop.
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }
}
