//! The state that the threads which play share with pages.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::store::StoreError;
use agon_catalog::Game;
use agon_referee::agent::{Language, toolchain};
use agon_site::builtins::builtins;
use agon_site::clock::now;
use agon_site::store::{BoutKind, Competition, Connections, SiteBout, SiteStore};

use crate::checks::{CheckFollowers, CheckStage, CheckStages};
use crate::competitions::Competitions;
use crate::fleet::SiteFleet;
use crate::live::{LiveGames, WriteEvent};
use crate::options::QueueOptions;
use crate::processors::Division;
use crate::ratings::Ratings;
use crate::shares::LadderShares;
use crate::signals::Signals;
use crate::storage::Maintenance;
use crate::trials::Trials;

/// The setting for whether everything may be read and nothing changed.
pub const READ_ONLY: &str = "read_only";

/// The setting with the numbers of the competitions whose ladders rest.
pub const PAUSED: &str = "paused_contests";

/// How long before a scheduled final nothing else begins, in seconds: most games and checks have ended by then.
const CLEAR_SECONDS: i64 = 30;

/// What is done when a game has ended, whole or aborted.
pub type OnEnd = Box<dyn Fn(Game, BoutKind, bool) + Send + Sync>;

/// The queue of a site's games, and what belongs to it.
pub struct SiteQueue {
    pub options: QueueOptions,
    pub processors: Division,
    pub store: Connections,
    pub competitions: Competitions,
    pub signals: Signals,
    pub maintenance: Maintenance,
    /// The games that are being played.
    pub live: LiveGames,
    /// The fleet that plays for it.
    pub fleet: SiteFleet,
    /// How the ladders share the workers.
    pub(crate) shares: LadderShares,
    pub ratings: Ratings,
    /// Sources that are tried without being submitted.
    pub trials: Trials,
    /// What running checks are doing.
    pub stages: CheckStages,
    /// The versions whose checks are watched.
    pub check_followers: CheckFollowers,
    pub(crate) on_end: OnEnd,
    /// Games that an earlier process had handed to the fleet, or that a worker in quarantine has played, with their
    /// seeds, until they are requested again.
    left: Mutex<Vec<(SiteBout, u64)>>,
    /// Held while a worker chooses the next game of a final, or a requested one.
    choosing: Mutex<()>,
}

impl SiteQueue {
    /// Takes up what an earlier process left undone. `write` writes the events of live games, `on_end` is called for
    /// each game that has ended.
    ///
    /// # Errors
    /// [`StoreError`] when the store cannot be used.
    pub fn open(
        options: QueueOptions,
        mut store: SiteStore,
        write: WriteEvent,
        on_end: OnEnd,
    ) -> Result<Self, StoreError> {
        let competitions = store.competitions()?;
        for competition in &competitions {
            store.enter_builtins(competition.id, &builtins(competition), now())?;
        }
        // The fleet's games are awaited again.
        let (games, checks) = store.recover(options.fleet.is_some())?;
        let left = store.unended()?;
        if games + checks > 0 {
            tracing::info!(games, checks, "taking up what was broken off");
        }
        let read_only = store.setting(READ_ONLY)?.as_deref() == Some("yes");
        let paused = store.setting(PAUSED)?.unwrap_or_default();
        let paused: BTreeSet<i64> = paused.split(' ').filter_map(|number| number.parse().ok()).collect();
        Ok(Self {
            processors: Division::of_thread(options.workers),
            store: Connections::new(options.store.clone(), store),
            competitions: Competitions::new(competitions, paused),
            signals: Signals::default(),
            maintenance: Maintenance::new(options.read_only, read_only),
            live: LiveGames::new(write),
            fleet: SiteFleet::default(),
            shares: LadderShares::default(),
            ratings: Ratings::default(),
            trials: Trials::default(),
            stages: CheckStages::default(),
            check_followers: CheckFollowers::default(),
            on_end,
            left: Mutex::new(left),
            choosing: Mutex::default(),
            options,
        })
    }

    /// The connection that writes; for threads that may wait.
    pub fn writer(&self) -> MutexGuard<'_, SiteStore> {
        self.store.writer()
    }

    /// Reads from the store, as [`Connections::look`].
    ///
    /// # Errors
    /// [`StoreError`] when the store fails.
    pub fn look<T>(&self, job: impl FnOnce(&SiteStore) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.store.look(job)
    }

    pub fn competition(&self, id: i64) -> Option<Competition> {
        self.competitions.find(id)
    }

    /// The right to choose the next game of a final, or a requested one.
    pub(crate) fn choosing(&self) -> MutexGuard<'_, ()> {
        self.choosing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the workers are kept for a final: one is running, or begins within seconds.
    ///
    /// # Errors
    /// [`StoreError`].
    pub(crate) fn is_final_near(&self) -> Result<bool, StoreError> {
        let now = now();
        // One that should have begun long ago holds up nothing.
        self.look(|store| {
            Ok(store.has_running_final()? || store.has_final_in(now - CLEAR_SECONDS..=now + CLEAR_SECONDS)?)
        })
    }

    /// Whether games may begin.
    pub fn may_play(&self) -> bool {
        self.maintenance.may_play()
    }

    pub fn is_stopping(&self) -> bool {
        self.signals.is_stopping()
    }

    /// Makes pages that update themselves look again.
    pub fn note_change(&self) {
        self.signals.note_change();
    }

    /// Wakes the workers, since there may be something to play, and those who follow checks.
    pub fn announce_change(&self) {
        self.signals.announce_change();
    }

    /// Waits for so long, or until the site stops.
    pub(crate) fn rest(&self, time: Duration) {
        let end = Instant::now() + time;
        while Instant::now() < end && !self.is_stopping() {
            thread::sleep(Duration::from_millis(200));
        }
    }

    /// How many games can be played at once, here and by the fleet.
    pub fn capacity(&self) -> usize {
        self.options.workers + self.fleet.slots()
    }

    /// Whether programs in this language can be played.
    pub fn offers(&self, language: Language) -> bool {
        let here = self.options.workers > 0 || self.options.fleet.is_none();
        here && toolchain::compiler(language).is_ok() || self.fleet.runs(language)
    }

    /// The languages whose programs can be played.
    pub fn languages(&self) -> Vec<Language> {
        Language::ALL.into_iter().filter(|language| self.offers(*language)).collect()
    }

    /// Whether the site plays at all.
    pub fn plays(&self) -> bool {
        self.options.workers > 0 || self.options.fleet.is_some()
    }

    /// A game that an earlier process had handed to the fleet, with its seed, to be requested again.
    pub(crate) fn take_left(&self) -> Option<(SiteBout, u64)> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    /// Games for the fleet to play again, under their numbers.
    pub fn leave(&self, bouts: Vec<(SiteBout, u64)>) {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).extend(bouts);
        self.announce_change();
    }

    /// The numbers of these games.
    pub fn left(&self) -> Vec<u32> {
        let left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        left.iter().filter_map(|(bout, _)| u32::try_from(bout.id).ok()).collect()
    }

    /// Sets what the check of a version is doing; `None` when it is over.
    pub(crate) fn set_stage(&self, version: i64, stage: Option<CheckStage>) {
        self.stages.set(version, stage);
        self.signals.note_check();
    }
}
