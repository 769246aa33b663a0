//! The workers of a fleet, by the statuses that they publish.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::notice::WorkerStatus;

/// A worker is taken to be gone this long after its last status. It publishes one every second.
pub const MAX_SILENCE: Duration = Duration::from_secs(10);

/// The last status of each worker, and when it came.
#[derive(Default)]
pub struct Presence {
    workers: HashMap<String, (WorkerStatus, Instant)>,
}

impl Presence {
    /// Takes in the status of a worker.
    pub fn update(&mut self, status: WorkerStatus) {
        // Forgets those that are gone: a worker may have another name each time it starts.
        self.workers.retain(|_, (_, at)| at.elapsed() < MAX_SILENCE);
        if status.leaving {
            self.workers.remove(&status.worker);
        } else {
            self.workers.insert(status.worker.clone(), (status, Instant::now()));
        }
    }

    pub fn present(&self) -> impl Iterator<Item = &WorkerStatus> {
        self.workers.values().filter(|(_, at)| at.elapsed() < MAX_SILENCE).map(|(status, _)| status)
    }

    /// How many games of a run the present workers play at once.
    pub fn slots(&self, run: &str) -> usize {
        self.present().filter(|status| !status.refused.contains_key(run)).map(|status| status.slots).sum()
    }

    /// Whether some worker has reported that it holds a slot of the run.
    pub fn is_held(&self, run: &str, slot: u32) -> bool {
        self.present().any(|status| status.hands.get(run).is_some_and(|hands| hands.contains(&slot)))
    }

    /// Whether a worker holds a slot of the run; `None` if it is present and has published nothing since this moment.
    pub fn holds(&self, worker: &str, run: &str, slot: u32, since: Instant) -> Option<bool> {
        let Some((status, at)) = self.workers.get(worker) else { return Some(false) };
        if at.elapsed() >= MAX_SILENCE {
            return Some(false);
        }
        (*at > since).then(|| status.hands.get(run).is_some_and(|hands| hands.contains(&slot)))
    }
}
