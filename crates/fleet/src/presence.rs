//! The workers that a coordinator hears of.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::notice::WorkerStatus;

/// How long after its last sign a worker is taken to be gone. It gives one every second.
pub const SILENCE: Duration = Duration::from_secs(10);

/// The workers that have been heard of, and when.
#[derive(Default)]
pub struct Presence {
    workers: HashMap<String, (WorkerStatus, Instant)>,
}

impl Presence {
    /// A worker has told how it stands.
    pub fn heard(&mut self, status: WorkerStatus) {
        // Those that are gone are forgotten: a worker may have another name each time that it is started.
        self.workers.retain(|_, (_, heard)| heard.elapsed() < SILENCE);
        if status.leaving {
            self.workers.remove(&status.worker);
        } else {
            self.workers.insert(status.worker.clone(), (status, Instant::now()));
        }
    }

    pub fn present(&self) -> impl Iterator<Item = &WorkerStatus> {
        self.workers.values().filter(|(_, heard)| heard.elapsed() < SILENCE).map(|(status, _)| status)
    }

    /// How many games of a run all of them play at once.
    pub fn slots(&self, run: &str) -> usize {
        self.present().filter(|status| !status.refused.contains_key(run)).map(|status| status.slots).sum()
    }

    /// Whether some worker has said last that a slot of the run is in its hands.
    pub fn holder(&self, run: &str, slot: u32) -> bool {
        self.present().any(|status| status.hands.get(run).is_some_and(|hands| hands.contains(&slot)))
    }

    /// What the worker has said since this moment, if it is there: whether a slot of the run is in its hands. `None` when
    /// it has said nothing since then.
    pub fn holds(&self, worker: &str, run: &str, slot: u32, since: Instant) -> Option<bool> {
        let Some((status, heard)) = self.workers.get(worker) else { return Some(false) };
        if heard.elapsed() >= SILENCE {
            return Some(false);
        }
        (*heard > since).then(|| status.hands.get(run).is_some_and(|hands| hands.contains(&slot)))
    }
}
