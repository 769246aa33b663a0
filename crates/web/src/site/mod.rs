//! The state that all requests and workers share.

mod boards;
mod competitions;
mod maintenance;
mod programs;
mod sign_ins;
mod store;
mod traffic;

use std::fs;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use agon_arena::store::StoreError;
use agon_boards::limits::{LimitedActor, Place};
use agon_queue::SiteQueue;
use agon_site::clock::{now, now_ms};
use agon_site::own_games::open_ladders;
use agon_site::similarity::SimilarityReports;
use agon_site::store::{Competition, SiteStore};

use self::boards::SiteBoards;
use self::sign_ins::SignIns;
use self::traffic::Traffic;
use crate::error::{Scarce, SiteError};
use crate::featured::FeaturedGames;
use crate::limits::SiteRooms;
use crate::live::written;
use crate::metrics::Metrics;
use crate::once::AnsweredForms;
use crate::options::SiteOptions;
use crate::own_rules::{keep_versions, restore_rules};
use crate::rate::{LimitedAction, RateLimits};
use crate::shared::SharedGames;
use crate::visitor::Visitor;

/// The result of an operation that a site may refuse.
pub(crate) type SiteResult<T> = Result<T, SiteError>;

pub(crate) struct Site {
    pub options: SiteOptions,
    /// What it plays.
    pub queue: Arc<SiteQueue>,
    /// What boards ask.
    pub boards: SiteBoards,
    /// The games of two people that are followed.
    pub shared: Arc<SharedGames>,
    pub metrics: Arc<Metrics>,
    pub limits: RateLimits,
    pub sign_ins: SignIns,
    /// Forms that must not count twice.
    pub forms: AnsweredForms,
    /// The report of sources that are alike.
    pub similarity: SimilarityReports,
    /// The threads of requests.
    pub rooms: Arc<SiteRooms>,
    pub traffic: Traffic,
    /// The game most worth watching, as last chosen.
    pub featured: FeaturedGames,
}

impl Site {
    /// Opens the store, and resumes what an earlier process left undone.
    ///
    /// # Errors
    /// [`StoreError`] when the folder or the store cannot be used.
    pub(crate) fn open(options: SiteOptions) -> Result<Arc<Self>, StoreError> {
        let io = |source| StoreError::Io { path: options.data.clone(), source };
        fs::create_dir_all(&options.data).map_err(io)?;
        let mut store = SiteStore::open(&options.store())?;
        let rules = options.rules_folder();
        for wrong in restore_rules(&rules, &store.games()?) {
            tracing::warn!("{wrong}");
        }
        keep_versions(&rules).map_err(|source| StoreError::Io { path: rules.clone(), source })?;
        open_ladders(&mut store, now())?;
        store.resume_shared_games(now_ms() as i64)?;
        let metrics = Arc::new(Metrics::default());
        let counted = Arc::clone(&metrics);
        let on_end = Box::new(move |game, kind, whole| counted.game_ended(game, kind, whole));
        let queue = Arc::new(SiteQueue::open(options.queue(), store, written, on_end)?);
        let processors = &queue.processors;
        let boards = SiteBoards::new(processors.pages.len());
        let rooms = Arc::new(SiteRooms::new(processors.pages.len()));
        Ok(Arc::new(Self {
            queue,
            options,
            boards,
            shared: Arc::default(),
            metrics,
            limits: RateLimits::default(),
            sign_ins: SignIns::default(),
            traffic: Traffic::default(),
            forms: AnsweredForms::default(),
            similarity: SimilarityReports::default(),
            rooms,
            featured: FeaturedGames::default(),
        }))
    }

    /// Reads from the store; for threads that may wait.
    ///
    /// # Errors
    /// [`StoreError`] when the store fails.
    pub(crate) fn look<T>(&self, job: impl FnOnce(&SiteStore) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.queue.look(job)
    }

    /// Counts one more of these acts.
    ///
    /// # Errors
    /// [`SiteError::TooMany`].
    pub(crate) fn take(&self, action: LimitedAction, actor: LimitedActor) -> SiteResult<()> {
        self.limits.take(action, actor).map_err(|wait| SiteError::TooMany(action, wait))
    }

    /// The places of a stream of events for a visitor, which it keeps while it is open.
    ///
    /// # Errors
    /// [`SiteError`] where too many are open or were opened lately.
    pub(crate) fn watch(&self, visitor: &Visitor) -> SiteResult<Vec<Place>> {
        let actor = LimitedActor::at(visitor.address);
        self.take(LimitedAction::Watch, actor)?;
        let network = LimitedActor::network_of(visitor.address);
        let Traffic { streams, network_streams, account_streams, .. } = &self.traffic;
        let mut wanted = vec![(network_streams, network), (streams, actor)];
        let account = visitor.account.as_ref().map(|account| LimitedActor::Account(account.id));
        wanted.extend(account.map(|account| (account_streams, account)));
        let places = wanted.into_iter().map(|(places, actor)| places.take(actor, 1));
        places.collect::<Result<_, _>>().map_err(|full| SiteError::full(full, Scarce::Streams))
    }

    /// The connection that writes; for threads that may wait.
    pub(crate) fn writer(&self) -> MutexGuard<'_, SiteStore> {
        self.queue.writer()
    }

    /// All competitions, in the order of their creation.
    pub(crate) fn competitions(&self) -> Arc<Vec<Competition>> {
        self.queue.competitions.all()
    }

    pub(crate) fn competition(&self, id: i64) -> Option<Competition> {
        self.queue.competition(id)
    }

    /// The competition with this address; every site has one with the name of each game.
    pub(crate) fn competition_at(&self, slug: &str) -> Option<Competition> {
        self.queue.competitions.find_at(slug)
    }

    pub(crate) fn stop(&self) {
        self.queue.signals.stop();
        self.boards.engines.stop();
        self.boards.by_hand.end_idle(Duration::ZERO);
        self.queue.announce_change();
    }
}
