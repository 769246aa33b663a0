//! The fleet that plays games for a site.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use agon_arena::store::Quarantine;
use agon_fleet::{Fleet, FleetError, FleetWatch, GameQueue, Overview, RunTerms};
use agon_referee::agent::Language;

use crate::options::{FleetOptions, SiteOptions};

/// A fleet that has been reached.
pub(crate) struct FleetLink {
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
pub(crate) struct SiteFleet {
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
    pub(crate) fn reached(
        &self,
        fleet: &Fleet,
        options: &SiteOptions,
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
        let queue = GameQueue::open(fleet, &options.store(), terms, left, quarantined)?;
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
    pub(crate) fn link(&self) -> Option<Arc<FleetLink>> {
        self.link.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(crate) fn leave(&self) {
        let link = self.link.write().unwrap_or_else(PoisonError::into_inner).take();
        drop(link);
    }

    /// Why no games are played there at the moment, if none are.
    pub(crate) fn idle(&self) -> Option<String> {
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
    pub(crate) fn runs(&self, language: Language) -> bool {
        self.languages.lock().unwrap_or_else(PoisonError::into_inner).contains(language.name())
    }

    /// How many games its workers play at once.
    pub(crate) fn slots(&self) -> usize {
        let link = self.link.read().unwrap_or_else(PoisonError::into_inner);
        link.as_ref().map_or(0, |link| link.queue.slots())
    }
}

impl FleetLink {
    /// Its state.
    pub(crate) fn overview(&self) -> Overview {
        self.watch.overview()
    }

    /// Sets how many games should be played there at once.
    pub(crate) fn want(&self, games: usize) {
        self.wanted.store(games, Ordering::Relaxed);
    }

    /// Whether the thread with this number has something to do.
    pub(crate) fn wants(&self, number: usize) -> bool {
        number < self.wanted.load(Ordering::Relaxed)
    }
}
