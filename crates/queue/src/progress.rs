//! How far the check of a version has come, and how long it still waits.

use agon_arena::store::StoreError;
use agon_site::clock::now;
use agon_site::queue::{Estimate, about};
use agon_site::store::{CheckState, RecentTimes, SiteBout, SiteStore, SiteVersion};

use crate::checks::{CheckProgress, CheckStage};
use crate::site_queue::SiteQueue;

/// For how many seconds games have been played.
pub fn ages(running: &[SiteBout]) -> Vec<f64> {
    let now = now();
    running.iter().map(|bout| (now - bout.begun).max(0) as f64).collect()
}

/// The place of a version in the queue, and the expected waiting time.
#[derive(Clone)]
pub struct QueuePlace {
    before: u32,
    running: Vec<f64>,
    times: RecentTimes,
}

impl QueuePlace {
    /// Reads the place of a version.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn read(store: &SiteStore, version: i64) -> Result<Self, StoreError> {
        let running = ages(&store.running()?);
        Ok(Self { before: store.waiting(Some(version))?, running, times: store.recent_times()? })
    }

    fn progress(self, site: &SiteQueue) -> CheckProgress {
        let (before, capacity) = (self.before, site.capacity());
        let found = Estimate::new(before, &self.running, capacity, site.options.workers > 0, self.times);
        match (before, found.map(|found| about(found.wait))) {
            (0, None) => CheckProgress::Next,
            (0, Some(time)) => CheckProgress::NextIn { time },
            (before, None) => CheckProgress::Behind { before },
            (before, Some(time)) => CheckProgress::BehindFor { before, time },
        }
    }
}

/// What the check of a version is doing, and the game that it plays.
pub fn progress(site: &SiteQueue, version: &SiteVersion, place: QueuePlace) -> (CheckProgress, Option<i64>) {
    match (version.state, site.stages.stage(version.id)) {
        (CheckState::Queued, _) => (place.progress(site), None),
        (CheckState::Checking, Some(CheckStage::Playing(bout))) => (CheckProgress::Playing, Some(bout)),
        (CheckState::Checking, Some(CheckStage::HandedOut)) => (CheckProgress::HandedOut, None),
        (CheckState::Checking, _) => (CheckProgress::Compiling, None),
        (CheckState::Failed, _) => (CheckProgress::Failed, version.bout),
        (CheckState::Passed, _) => (CheckProgress::Passed, version.bout),
    }
}
