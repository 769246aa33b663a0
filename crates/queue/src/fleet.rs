//! The fleet that plays games for a site.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use agon_arena::store::Quarantine;
use agon_fleet::{Fleet, FleetError, FleetWatch, GameQueue, Overview, RunTerms};
use agon_referee::agent::Language;

use crate::options::FleetOptions;

/// A fleet that has been reached.
pub struct FleetLink {
    /// Where its games are queued.
    pub queue: GameQueue,
    /// The address of its server, without credentials.
    pub at: String,
    watch: FleetWatch,
    /// How many games should be played there at once.
    pub wanted: AtomicUsize,
}

/// What a site knows about its fleet.
#[derive(Default)]
pub struct SiteFleet {
    link: RwLock<Option<Arc<FleetLink>>>,
    /// Why no games are played there at the moment, if none are.
    idle: Mutex<Option<String>>,
    /// The languages that its workers have been able to run since the start.
    languages: Mutex<BTreeSet<String>>,
}

impl SiteFleet {
    /// A fleet has been reached; `left` are the games that an earlier process has handed out. Nothing counts of those
    /// in quarantine.
    ///
    /// # Errors
    /// As [`GameQueue::open`].
    pub fn reached(
        &self,
        fleet: &Fleet,
        store: &Path,
        terms: &FleetOptions,
        left: &[u32],
        quarantined: &[Quarantine],
    ) -> Result<Arc<FleetLink>, FleetError> {
        let max_silence = terms.timing.max_silence;
        let terms = RunTerms {
            labels: terms.labels.clone(),
            audit: terms.audit,
            key: Some(terms.key),
            workers: terms.workers.clone(),
            timing: terms.timing.clone(),
            ..RunTerms::default()
        };
        let queue = GameQueue::open(fleet, store, terms, left, quarantined)?;
        let link = Arc::new(FleetLink {
            queue,
            at: fleet.at().to_owned(),
            watch: FleetWatch::new(fleet, max_silence),
            wanted: AtomicUsize::new(0),
        });
        *self.link.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&link));
        Ok(link)
    }

    /// The fleet, once it has been reached. Drop it on a thread that may wait.
    pub fn link(&self) -> Option<Arc<FleetLink>> {
        self.link.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub fn leave(&self) {
        let link = self.link.write().unwrap_or_else(PoisonError::into_inner).take();
        drop(link);
    }

    /// Why no games are played there at the moment, if none are.
    pub fn idle(&self) -> Option<String> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Records it. Returns whether it is new.
    pub(crate) fn set_idle(&self, why: Option<String>) -> bool {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let news = *idle != why;
        *idle = why;
        news
    }

    /// Records what its workers can run now.
    pub(crate) fn note_languages(&self, now: BTreeSet<String>) {
        self.languages.lock().unwrap_or_else(PoisonError::into_inner).extend(now);
    }

    /// Whether one of its workers could run programs in this language.
    pub fn runs(&self, language: Language) -> bool {
        self.languages.lock().unwrap_or_else(PoisonError::into_inner).contains(language.name())
    }

    /// How many games its workers play at once.
    pub fn slots(&self) -> usize {
        let link = self.link.read().unwrap_or_else(PoisonError::into_inner);
        link.as_ref().map_or(0, |link| link.queue.slots())
    }
}

impl FleetLink {
    /// Its state.
    pub fn overview(&self) -> Overview {
        self.watch.overview()
    }

    /// Sets how many games should be played there at once.
    pub fn want(&self, games: usize) {
        self.wanted.store(games, Ordering::Relaxed);
    }

    /// Whether the thread with this number has something to do.
    pub fn wants(&self, number: usize) -> bool {
        number < self.wanted.load(Ordering::Relaxed)
    }
}
