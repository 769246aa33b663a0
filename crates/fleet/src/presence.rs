//! The workers of a fleet, by the statuses that they publish.

use std::collections::{BTreeMap, HashMap};
use std::time::{Duration, Instant};

use crate::notice::WorkerStatus;

/// The last status of each worker, and when it came.
pub(crate) struct Presence {
    /// Time after its last status at which a worker counts as gone.
    max_silence: Duration,
    workers: HashMap<String, (WorkerStatus, Instant)>,
}

impl Presence {
    pub(crate) fn new(max_silence: Duration) -> Self {
        Self { max_silence, workers: HashMap::new() }
    }

    /// Takes in the status of a worker.
    pub(crate) fn update(&mut self, status: WorkerStatus) {
        // Removes those that are gone: a worker may have a different name each time it starts.
        self.workers.retain(|_, (_, at)| at.elapsed() < self.max_silence);
        if status.leaving {
            self.workers.remove(&status.worker);
        } else {
            self.workers.insert(status.worker.clone(), (status, Instant::now()));
        }
    }

    pub(crate) fn present(&self) -> impl Iterator<Item = &WorkerStatus> {
        self.workers.values().filter(|(_, at)| at.elapsed() < self.max_silence).map(|(status, _)| status)
    }

    /// Returns the number of games of a run that the present workers play at once.
    pub(crate) fn slots(&self, run: &str) -> usize {
        self.present().filter(|status| !status.refused.contains_key(run)).map(|status| status.slots).sum()
    }

    /// Returns true if a worker claims that it is playing a slot of the run, or has its result.
    pub(crate) fn is_held(&self, run: &str, slot: u32) -> bool {
        let has = |slots: &BTreeMap<String, Vec<u32>>| slots.get(run).is_some_and(|slots| slots.contains(&slot));
        self.present().any(|status| has(&status.hands) || has(&status.kept))
    }
}
