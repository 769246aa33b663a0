//! The state that all requests and workers share.

use std::fs;
use std::hash::RandomState;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use agon_arena::store::StoreError;
use agon_boards::analysis::{Curves, EngineService};
use agon_boards::board::agents::BoardTable;
use agon_boards::limits::{Boxed, LimitedActor, Place, Places};
use agon_boards::text::read_time;
use agon_catalog::Game;
use agon_queue::{PAUSED, READ_ONLY, SiteQueue};
use agon_site::accounts;
use agon_site::builtins::builtins;
use agon_site::clock::{now, now_ms};
use agon_site::competition::CompetitionError;
use agon_site::error::{FieldError, Refusal};
use agon_site::finals::{self, FinalForm};
use agon_site::own_games::{is_ladder, open_ladders};
use agon_site::programs;
use agon_site::secret;
use agon_site::similarity::{self, SimilarityReports};
use agon_site::store::{Competition, CompetitionPhase, EventKind, Origin, SiteStore};

use crate::error::{RequestError, Scarce, SiteError};
use crate::failures::SignInFailures;
use crate::featured::FeaturedGames;
use crate::limits::{
    ACCOUNT_STREAMS, ANSWER_BYTES, BODY_BYTES, BY_HAND, BY_HAND_TURNS, EXPORTS, NETWORK_STREAMS, STREAMS, SiteRooms,
    Turns,
};
use crate::live::written;
use crate::metrics::Metrics;
use crate::once::AnsweredForms;
use crate::options::SiteOptions;
use crate::own_rules::{keep_versions, restore_rules};
use crate::pending::PendingSignIns;
use crate::rate::{LimitedAction, RateLimits};
use crate::shared::SharedGames;
use crate::visitor::Visitor;

/// How long the answer to a request for a report waits for it.
const REPORT_WAIT: Duration = Duration::from_secs(10);

/// The result of an operation that a site may refuse.
pub(crate) type SiteResult<T> = Result<T, SiteError>;

pub(crate) struct Site {
    pub options: SiteOptions,
    /// What it plays.
    pub queue: Arc<SiteQueue>,
    /// Answers visitors' questions to the engines.
    pub engines: Arc<EngineService>,
    /// The programs that play against people, and the turns of those who ask them.
    pub by_hand: BoardTable,
    pub asked_by_hand: Turns,
    /// The evaluations of games that are being computed.
    pub curves: Arc<Curves>,
    /// The games of two people that are followed.
    pub shared: Arc<SharedGames>,
    /// Hashes openers to numbers that do not identify them.
    pub openers: RandomState,
    pub metrics: Arc<Metrics>,
    pub limits: RateLimits,
    /// Wrong passwords.
    pub failures: SignInFailures,
    /// Sign-ins that wait for a code.
    pub pending: PendingSignIns,
    /// Forms that must not count twice.
    pub forms: AnsweredForms,
    /// The report of sources that are alike.
    pub similarity: SimilarityReports,
    /// The threads of requests.
    pub rooms: Arc<SiteRooms>,
    /// Bytes of bodies and of answers, streams of events and exports.
    pub bodies: Places,
    pub answers: Places,
    pub streams: Places,
    pub network_streams: Places,
    pub account_streams: Places,
    pub exports: Places,
    /// The game most worth watching, as last chosen.
    pub featured: FeaturedGames,
}

/// A job that reads the store.
type ReadJob<T> = Box<dyn FnOnce(&SiteStore) -> Result<T, Refusal> + Send>;

/// A job that changes the store.
type WriteJob<T> = Box<dyn FnOnce(&mut SiteStore) -> Result<T, Refusal> + Send>;

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
        let engines = Arc::new(EngineService::new(processors.pages.len()));
        let rooms = Arc::new(SiteRooms::new(processors.pages.len()));
        Ok(Arc::new(Self {
            queue,
            options,
            engines,
            by_hand: BoardTable::new(BY_HAND),
            asked_by_hand: Turns::new(BY_HAND_TURNS),
            curves: Arc::default(),
            shared: Arc::default(),
            openers: RandomState::new(),
            metrics,
            limits: RateLimits::default(),
            failures: SignInFailures::default(),
            pending: PendingSignIns::default(),
            forms: AnsweredForms::default(),
            similarity: SimilarityReports::default(),
            rooms,
            bodies: Places::new(BODY_BYTES),
            answers: Places::new(ANSWER_BYTES),
            streams: Places::new(STREAMS),
            network_streams: Places::new(NETWORK_STREAMS),
            account_streams: Places::new(ACCOUNT_STREAMS),
            exports: Places::new(EXPORTS),
            featured: FeaturedGames::default(),
        }))
    }

    /// Reads from the store, on a thread that may wait for it.
    ///
    /// # Errors
    /// [`SiteError::Internal`] when the store fails.
    pub(crate) fn read<T: Send + 'static>(
        self: &Arc<Self>,
        job: impl FnOnce(&SiteStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Boxed<'static, SiteResult<T>> {
        self.consult(move |store| Ok(job(store)?))
    }

    /// The same for jobs that may be refused.
    ///
    /// # Errors
    /// The refusal; [`SiteError::Internal`] when the store fails.
    pub(crate) fn consult<T: Send + 'static>(
        self: &Arc<Self>,
        job: impl FnOnce(&SiteStore) -> Result<T, Refusal> + Send + 'static,
    ) -> Boxed<'static, SiteResult<T>> {
        Arc::clone(self).consult_boxed(Box::new(job))
    }

    /// The part that is compiled once for each type of answer, not for each job.
    fn consult_boxed<T: Send + 'static>(self: Arc<Self>, job: ReadJob<T>) -> Boxed<'static, SiteResult<T>> {
        Box::pin(async move {
            let site = Arc::clone(&self);
            let answer = self.rooms.reads.run(move |_| site.look(|store| Ok(job(store))));
            Ok(answer.await???)
        })
    }

    /// Reads from the store; for threads that may wait.
    ///
    /// # Errors
    /// [`StoreError`] when the store fails.
    pub(crate) fn look<T>(&self, job: impl FnOnce(&SiteStore) -> Result<T, StoreError>) -> Result<T, StoreError> {
        self.queue.look(job)
    }

    /// Changes the store, on a thread that may wait for it.
    ///
    /// # Errors
    /// [`SiteError::Internal`] when the store fails.
    pub(crate) fn write<T: Send + 'static>(
        self: &Arc<Self>,
        job: impl FnOnce(&mut SiteStore) -> Result<T, StoreError> + Send + 'static,
    ) -> Boxed<'static, SiteResult<T>> {
        self.change(move |store| Ok(job(store)?))
    }

    /// The same for jobs that may be refused.
    ///
    /// # Errors
    /// The refusal; [`SiteError::Internal`] when the store fails.
    pub(crate) fn change<T: Send + 'static>(
        self: &Arc<Self>,
        job: impl FnOnce(&mut SiteStore) -> Result<T, Refusal> + Send + 'static,
    ) -> Boxed<'static, SiteResult<T>> {
        Arc::clone(self).change_boxed(Box::new(job))
    }

    /// The part that is compiled once for each type of answer, not for each job.
    fn change_boxed<T: Send + 'static>(self: Arc<Self>, job: WriteJob<T>) -> Boxed<'static, SiteResult<T>> {
        Box::pin(async move {
            let site = Arc::clone(&self);
            let answer = self.rooms.writes.run(move |_| job(&mut site.writer()));
            Ok(answer.await??)
        })
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
        let mut wanted = vec![(&self.network_streams, network), (&self.streams, actor)];
        let account = visitor.account.as_ref().map(|account| LimitedActor::Account(account.id));
        wanted.extend(account.map(|account| (&self.account_streams, account)));
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

    /// Makes or changes a competition that was checked, and returns its number.
    ///
    /// # Errors
    /// [`SiteError::Field`] when it was wrong or another one has its address; [`SiteError::Internal`] when the store
    /// fails.
    pub(crate) async fn put_competition(self: &Arc<Self>, checked: Result<Competition, FieldError>) -> SiteResult<i64> {
        let competition = checked?;
        let put = self.write(move |store| {
            let Some(id) = store.put_competition(&competition)? else { return Ok(None) };
            store.enter_builtins(id, &builtins(&competition), now())?;
            Ok(Some(id))
        });
        let id = put.await?;
        self.read_competitions().await?;
        Ok(id.ok_or_else(|| FieldError::new("slug", CompetitionError::SlugTaken))?)
    }

    /// Makes rules that were uploaded a game of the site, and opens its ladder. Returns the ladder's address.
    ///
    /// # Errors
    /// [`SiteError::Internal`] when the rules cannot be loaded or kept, or the store fails.
    pub(crate) async fn open_game(self: &Arc<Self>, file: &str) -> SiteResult<String> {
        let rules = self.options.rules_folder();
        let path = rules.join(file);
        let loaded = self.rooms.boards.dishes.run(move |_| {
            let game = agon_external::load(&path).map_err(|error| error.to_string())?;
            keep_versions(&rules).map_err(|error| error.to_string())?;
            Ok::<Game, String>(game)
        });
        let game = loaded.await?.map_err(SiteError::internal)?;
        self.write(move |store| open_ladders(store, now())).await?;
        self.read_competitions().await?;
        self.queue.announce_change();
        let ladder = self.competitions().iter().find(|one| one.game == game && is_ladder(one)).cloned();
        Ok(ladder.ok_or(SiteError::NotFound)?.slug)
    }

    /// Closes a competition now, if it is open.
    pub(crate) async fn close_competition(self: &Arc<Self>, competition: Competition) -> SiteResult<()> {
        if competition.phase(now()) == CompetitionPhase::Running {
            self.put_competition(Ok(Competition { closes: Some(now()), ..competition })).await?;
        }
        Ok(())
    }

    /// Reopens a closed competition; it has no end until its host sets one.
    pub(crate) async fn reopen_competition(self: &Arc<Self>, competition: Competition) -> SiteResult<()> {
        if competition.phase(now()) == CompetitionPhase::Closed {
            self.put_competition(Ok(Competition { closes: None, ..competition })).await?;
        }
        Ok(())
    }

    /// Pauses the ladder of a competition, or resumes it; checks, requested games and finals are played in any case.
    pub(crate) async fn set_paused(self: &Arc<Self>, competition: i64, paused: bool) -> SiteResult<()> {
        let all = self.queue.competitions.set_paused(competition, paused);
        let all = all.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
        self.write(move |store| store.set_setting(PAUSED, &all)).await?;
        self.queue.announce_change();
        Ok(())
    }

    /// Deletes a competition that no program of a user has entered.
    ///
    /// # Errors
    /// [`SiteError::Forbidden`] of any other; [`SiteError::Internal`] when the store fails.
    pub(crate) async fn delete_competition(self: &Arc<Self>, competition: &Competition) -> SiteResult<()> {
        if competition.game.name().split('@').next() == Some(competition.slug.as_str()) {
            return Err(SiteError::Forbidden(Arc::new(CompetitionError::IsTheGames)));
        }
        let id = competition.id;
        let deleted = self.write(move |store| store.delete_competition(id)).await?;
        self.read_competitions().await?;
        if !deleted {
            return Err(SiteError::Forbidden(Arc::new(CompetitionError::HasPrograms)));
        }
        Ok(())
    }

    /// Begins a final between the best programs of a competition at present, and returns its number; `None` for one
    /// that begins later, between the best programs at that time.
    pub(crate) async fn begin_final(
        self: &Arc<Self>,
        competition: Competition,
        form: FinalForm,
    ) -> SiteResult<Option<i64>> {
        let limits = self.options.limits;
        if form.begins.is_empty() {
            let id = self.change(move |store| finals::begin(store, &competition, &form, limits)).await?;
            self.queue.announce_change();
            return Ok(Some(id));
        }
        let begins = read_time(&form.begins).unwrap_or_default();
        self.change(move |store| finals::put_off(store, &competition, &form, limits, begins)).await?;
        self.queue.note_change();
        Ok(None)
    }

    /// Makes another version of an own program the active one.
    pub(crate) async fn activate(self: &Arc<Self>, visitor: &Visitor, program: i64, number: u32) -> SiteResult<()> {
        let who = visitor.who.clone();
        self.change(move |store| programs::set_active(store, &who, program, number)).await?;
        self.queue.announce_change();
        Ok(())
    }

    /// Lets everyone play against one of the user's programs on a board, or only its author.
    pub(crate) async fn set_by_hand(self: &Arc<Self>, visitor: &Visitor, program: i64, open: bool) -> SiteResult<()> {
        let who = visitor.who.clone();
        self.change(move |store| programs::set_by_hand(store, &who, program, open)).await
    }

    /// Queues games between two programs for an author.
    pub(crate) async fn ask_for_games(
        self: &Arc<Self>,
        visitor: &Visitor,
        account: i64,
        both: [i64; 2],
        games: u32,
    ) -> SiteResult<()> {
        let (who, daily) = (visitor.who.clone(), self.options.asked_daily);
        self.change(move |store| programs::ask_for(store, &who, account, both, games, daily)).await?;
        self.queue.announce_change();
        Ok(())
    }

    /// Makes an invitation, and returns its link, which the store does not keep.
    pub(crate) async fn invite(
        self: &Arc<Self>,
        note: String,
        uses: u32,
        host: bool,
        competition: Option<i64>,
        origin: Origin,
    ) -> SiteResult<String> {
        let make =
            move |store: &mut SiteStore| accounts::make_invitation(store, &note, uses, host, competition, &origin);
        let word = self.change(make).await?;
        Ok(self.options.address(&format!("/join/{word}")))
    }

    /// Admits an account to the competition of an invitation; `None` if there is no such invitation to one.
    pub(crate) async fn enter_competition(
        self: &Arc<Self>,
        account: i64,
        word: &str,
    ) -> SiteResult<Option<Competition>> {
        let digest = secret::digest(word);
        let entered = self.write(move |store| store.enter_by_invitation(&digest, account, now())).await?;
        Ok(entered.and_then(|id| self.competition(id)))
    }

    async fn read_competitions(self: &Arc<Self>) -> SiteResult<()> {
        let site = Arc::clone(self);
        // Through the writer, so that the last value read is the one that is kept.
        let job = move |store: &mut SiteStore| {
            let competitions = store.competitions()?;
            site.queue.competitions.set(competitions);
            Ok(())
        };
        self.write(job).await?;
        self.queue.announce_change();
        Ok(())
    }

    /// Makes the site read-only, or ends that.
    ///
    /// # Errors
    /// [`SiteError::Conflict`] when it was started read-only; [`SiteError::Internal`] when the store fails.
    pub(crate) async fn set_read_only(self: &Arc<Self>, yes: bool, origin: Origin) -> SiteResult<()> {
        if self.options.read_only {
            return Err(SiteError::Conflict(Arc::new(RequestError::StartedReadOnly)));
        }
        let change = move |store: &mut SiteStore| {
            if !yes {
                store.resume_shared_games(now_ms() as i64)?;
            }
            store.set_setting(READ_ONLY, if yes { "yes" } else { "no" })?;
            let detail = if yes { "read-only" } else { "no longer read-only" };
            store.note_event(EventKind::SettingChanged, None, &origin, detail, now())
        };
        self.write(change).await?;
        self.queue.maintenance.set_read_only(yes);
        self.queue.announce_change();
        Ok(())
    }

    /// Removes the games by link that wait for the other player; how many there were.
    pub(crate) async fn clear_unjoined_games(self: &Arc<Self>) -> SiteResult<usize> {
        let removed = self.write(|store| store.drop_unjoined_games(i64::MAX)).await?;
        tracing::info!(removed, "games that waited for another player are removed");
        Ok(removed)
    }

    /// Compares all sources, unless that is being done, and waits a while for the report.
    pub(crate) async fn compare_sources(self: &Arc<Self>) {
        if self.similarity.begin() {
            let site = Arc::clone(self);
            let compared = tokio::spawn(async move {
                let made = site.read(similarity::report).await;
                site.similarity.finish(made.ok());
            });
            // A class is compared before one looks; a thousand programs take seconds.
            let _ = tokio::time::timeout(REPORT_WAIT, compared).await;
        }
    }

    pub(crate) fn stop(&self) {
        self.queue.signals.stop();
        self.engines.stop();
        self.by_hand.end_idle(Duration::ZERO);
        self.queue.announce_change();
    }
}
