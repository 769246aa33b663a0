//! The threads that play. Each is bound to processors of its own, as in a series; a check comes before a game of the
//! ladder, since its author is waiting for it.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use agon_arena::openings;
use agon_arena::runner::cores;
use agon_arena::store::{Quarantine, StoreError};
use agon_arena::transcript::without_cache;
use agon_fleet::{Fleet, FleetError};
use agon_game::seed::Stream;
use agon_message::Stated;
use agon_referee::agent::{AgentError, Language, toolchain};
use agon_referee::process::{self, ProcessorSet};
use agon_referee::record::Record;
use agon_referee::verdict::{AgentVerdict, Headline, Verdict};
use agon_site::builtins;
use agon_site::check_message::CheckMessage;
use agon_site::clock::now;
use agon_site::finals::{self, FinalStep};
use agon_site::ladder::LadderResults;
use agon_site::openings as openings_of;
use agon_site::queue::is_relief_due;
use agon_site::secret;
use agon_site::store::{
    AskedBout, BoutKind, Candidate, Competition, CompetitionPhase, FinalState, LadderPlayer, NewBout, SiteBout,
    SiteProgram, SiteStore, SiteVersion,
};

use super::draw::{self, Due};
use super::game::{BoutNews, BoutPlace, SitePlayer, builtin, keep, play, play_entered, submitted};
use super::rehearsal::{Rehearsed, reads_openings, rehearse, where_it_failed};
use super::slices::Pauses;
use super::terms::{BoutTerms, PlayError, compile_message};
use super::trial;
use crate::checks::CheckStage;
use crate::fleet::FleetLink;
use crate::options::FleetOptions;
use crate::progress::ages;
use crate::ratings::read_trends;
use crate::shares::LadderTurn;
use crate::site_queue::SiteQueue;

/// How long a worker without work waits before it checks again: programs become due as time passes.
const IDLE: Duration = Duration::from_secs(5);

/// How long it waits after a failure of the judge, so that a lasting one does not fill the log.
const AFTER_FAILURE: Duration = Duration::from_secs(5);

/// How long a requested game rests that could not be begun; twice as long after each further failure.
const ASKED_REST: Duration = Duration::from_mins(1);

/// How often that doubles.
const MAX_DOUBLINGS: u32 = 6;

/// How often all programs are rated together.
const RATING: Duration = Duration::from_secs(15);

/// How many times longer the rating pauses than it took: a large ladder takes seconds.
const REST: u32 = 10;

/// The name of this program for the fleet's server.
const NAME: &str = "agon serve";

/// The most games that wait for the fleet at once: each has a thread.
const MAX_AWAY: usize = 4096;

/// The fewest plies of an opening for testing whether a program reads it.
const MIN_TRIED_PLIES: u32 = 3;

/// How long games may continue when the site stops, before they are aborted.
const LAST_GAMES: Duration = Duration::from_secs(20);

pub struct Workers {
    site: Arc<SiteQueue>,
    threads: Vec<JoinHandle<()>>,
}

/// Connects to the fleet; `None` if no server answers at present; it is tried again.
///
/// # Errors
/// [`FleetError`] when a server answers and the set-up is wrong.
pub fn connect(terms: &FleetOptions) -> Result<Option<Fleet>, FleetError> {
    match Fleet::connect(&terms.nats, NAME) {
        Ok(fleet) => Ok(Some(fleet)),
        Err(FleetError::Unreachable { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Starts the threads of a site, including those that wait for a fleet if it has one.
pub fn start(site: &Arc<SiteQueue>, fleet: Option<Fleet>) -> Workers {
    let mut threads = Vec::new();
    for number in 0..site.options.workers {
        let site = Arc::clone(site);
        let share = site.processors.games.as_ref().map(|shares| shares[number].clone());
        threads.push(thread::spawn(move || {
            let apart = share.as_ref().and_then(|share| {
                ProcessorSet::from_numbers(share).bind();
                cores::halves(share)
            });
            Worker::new(site, Table::Here(apart)).work(|| true);
        }));
    }
    if let Some(terms) = site.options.fleet.clone() {
        let site = Arc::clone(site);
        threads.push(thread::spawn(move || {
            site.processors.enter_pages();
            supervise(&site, &terms, fleet);
        }));
    }
    if site.options.workers > 0 {
        let site = Arc::clone(site);
        threads.push(thread::spawn(move || {
            site.processors.enter_pages();
            // Submissions are announced: until then nothing waits, and the store is not queried.
            let mut quiet = None;
            while !site.is_stopping() {
                let announced = *site.signals.checks.borrow();
                if quiet != Some(announced) || site.trials.is_waiting() {
                    match relief(&site) {
                        Relief::Made => continue,
                        Relief::NoneWaits => quiet = Some(announced),
                        Relief::NotDue => {}
                    }
                }
                rest(&site, IDLE);
            }
        }));
    }
    let rated = Arc::clone(site);
    threads.push(thread::spawn(move || {
        rated.processors.enter_pages();
        rate(&rated);
    }));
    Workers { site: Arc::clone(site), threads }
}

/// The result of looking for a check to make beside the games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Relief {
    Made,
    NoneWaits,
    /// Something waits, and a worker will soon be free, or nothing may be played.
    NotDue,
}

/// Makes a check beside the games, if one is due. Returns whether there was one.
pub fn relieve(site: &Arc<SiteQueue>) -> bool {
    relief(site) == Relief::Made
}

/// Makes a check, or tries a source, on the processors of pages, if all workers are playing long games: its author is
/// waiting for it.
fn relief(site: &Arc<SiteQueue>) -> Relief {
    let tried = site.trials.is_waiting();
    // The games in progress matter only when something waits for them.
    let found = site.look(|store| {
        let queue = store.check_queue()?;
        let waits = tried || queue.queued > 0;
        let running = if waits { store.running()? } else { Vec::new() };
        Ok((waits, queue.checking, running))
    });
    let Ok((waits, checking, running)) = found else { return Relief::NotDue };
    if !waits {
        return Relief::NoneWaits;
    }
    if checking > 0 || !is_relief_due(&ages(&running), site.options.workers) || !site.may_play() {
        return Relief::NotDue;
    }
    // It has no processors for other games.
    let worker = Worker { depth: MAX_DEPTH, ..Worker::new(Arc::clone(site), Table::Here(None)) };
    let made = match catch_unwind(AssertUnwindSafe(|| worker.before_games())) {
        Ok(Ok(done)) => done,
        Ok(Err(error)) => {
            tracing::error!("a check was not made: {error}");
            false
        }
        Err(_) => false,
    };
    if made { Relief::Made } else { Relief::NotDue }
}

/// Waits, until the site stops.
fn rest(site: &SiteQueue, time: Duration) {
    let end = Instant::now() + time;
    while Instant::now() < end && !site.is_stopping() {
        thread::sleep(Duration::from_millis(200));
    }
}

/// Keeps as many threads waiting for games of the fleet as it can play, until the site stops.
fn supervise(site: &Arc<SiteQueue>, terms: &FleetOptions, mut reached: Option<Fleet>) {
    let set_idle = |why: Option<String>| {
        if site.fleet.set_idle(why.clone()) {
            match why {
                Some(why) => tracing::warn!("the fleet plays nothing: {why}; games wait"),
                None => tracing::info!("the fleet plays"),
            }
        }
    };
    let fleet = loop {
        if site.is_stopping() {
            return;
        }
        match reached.take().map_or_else(|| Fleet::connect(&terms.nats, NAME), Ok) {
            Ok(fleet) => break fleet,
            Err(error) => set_idle(Some(error.to_string())),
        }
        thread::sleep(terms.timing.heartbeat * 2);
    };
    let known = site.look(SiteStore::quarantined).unwrap_or_else(|error| {
        tracing::error!("it is not known who is in quarantine: {error}");
        Vec::new()
    });
    let known: Vec<Quarantine> = known.into_iter().map(|(quarantine, _)| quarantine).collect();
    let link = match site.fleet.reached(&fleet, &site.options.store, terms, &site.left(), &known) {
        Ok(link) => link,
        Err(error) => return tracing::error!("the fleet plays nothing: {error}"),
    };
    drop(fleet);
    tracing::info!(key = %link.queue.public_key(), "workers of the fleet are started with --trust and this key");
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    let mut found_out: Vec<Quarantine> = Vec::new();
    let start = Instant::now();
    while !site.is_stopping() {
        let slots = link.queue.slots();
        site.fleet.note_languages(link.queue.languages());
        if start.elapsed() > terms.timing.all_heard {
            set_idle(link.queue.why_idle());
        }
        for fault in link.queue.faults() {
            tracing::warn!("{fault}");
        }
        found_out.extend(link.queue.found_out());
        // One that cannot be recorded now is tried again.
        found_out.retain(|worker| !shut_out(site, worker));
        // A spare game is ready when a worker has finished another. Games that wait for a suitable machine hold up
        // nothing.
        let busy = slots + slots / 4 + 1 + link.queue.stuck();
        link.want(if slots > 0 && link.queue.is_connected() { busy.min(MAX_AWAY) } else { 0 });
        threads.retain(|thread| !thread.is_finished());
        for number in threads.len()..link.wanted.load(Ordering::Relaxed) {
            let (site, link) = (Arc::clone(site), Arc::clone(&link));
            threads.push(thread::spawn(move || {
                site.processors.enter_pages();
                let wanted = Arc::clone(&link);
                Worker::new(site, Table::Fleet(link)).work(|| wanted.wants(number));
            }));
        }
        thread::sleep(terms.timing.heartbeat / 2);
    }
    for thread in threads {
        // The panic of a thread is already in the log.
        let _ = thread.join();
    }
    site.fleet.leave();
}

/// Removes the games of a worker from the store, to be played again. Returns whether that is done.
fn shut_out(site: &SiteQueue, worker: &Quarantine) -> bool {
    let again = site.writer().quarantine(worker, now());
    match again {
        Ok(again) => {
            tracing::warn!(worker = worker.worker, games = again.len(), "games of ladders are played again");
            site.leave(again);
            true
        }
        Err(error) => {
            tracing::error!("the games of worker {} are not taken out: {error}", worker.worker);
            false
        }
    }
}

impl Workers {
    /// Waits for the threads of a site that stops. Games that take too long are broken off, and played again after the
    /// next start.
    pub fn join(self) {
        let deadline = Instant::now() + LAST_GAMES;
        while Instant::now() < deadline && self.threads.iter().any(|thread| !thread.is_finished()) {
            thread::sleep(Duration::from_millis(50));
        }
        if self.site.live.count() > 0 {
            process::interrupt();
        }
        for thread in self.threads {
            // The panic of a thread is already in the log.
            let _ = thread.join();
        }
    }
}

/// Where a worker has its games played.
enum Table {
    /// Here, with the processors of each side, if there are enough.
    Here(Option<[ProcessorSet; 2]>),
    Fleet(Arc<FleetLink>),
}

/// How many games one worker has in progress at once: all below the topmost one rest.
const MAX_DEPTH: u32 = 3;

struct Worker {
    site: Arc<SiteQueue>,
    table: Table,
    stream: Stream,
    /// How many games rest below those that it plays.
    depth: u32,
    /// The requested games that could not be begun here.
    resting: Arc<Mutex<HashMap<i64, Rest>>>,
}

/// Does a part of a worker's work; a panic ends only that part.
fn caught<T>(act: impl FnOnce() -> Result<T, PlayError>) -> Result<T, PlayError> {
    let done = catch_unwind(AssertUnwindSafe(act));
    done.unwrap_or_else(|_| Err(PlayError::Interrupted("a worker has panicked".to_owned())))
}

/// A game that could not be begun, and is tried again later: others are played meanwhile.
#[derive(Clone, Copy, Debug)]
struct Rest {
    failures: u32,
    until: Instant,
}

impl Rest {
    fn after(before: Option<Self>, now: Instant) -> Self {
        let failures = before.map_or(0, |rest| rest.failures) + 1;
        Self { failures, until: now + ASKED_REST * (1 << (failures - 1).min(MAX_DOUBLINGS)) }
    }
}

/// A ladder's game that may rest: its used time does not grow meanwhile.
struct LadderPauses<'a> {
    worker: &'a Worker,
    competition: i64,
    turn: &'a LadderTurn<'a>,
}

impl Pauses for LadderPauses<'_> {
    fn pause(&self, kind: BoutKind) {
        self.turn.rest(true, Instant::now());
        self.worker.play_beside(kind, Some(self.competition));
        self.turn.rest(false, Instant::now());
    }
}

impl Pauses for Worker {
    fn pause(&self, kind: BoutKind) {
        self.play_beside(kind, None);
    }
}

impl Worker {
    fn new(site: Arc<SiteQueue>, table: Table) -> Self {
        let stream = Stream::new(secret::number(), "opponents");
        Self { site, table, stream, depth: 0, resting: Arc::default() }
    }

    fn place(&self) -> BoutPlace<'_> {
        self.place_with(self)
    }

    fn place_with<'a>(&'a self, pauses: &'a dyn Pauses) -> BoutPlace<'a> {
        match &self.table {
            Table::Here(apart) => {
                let pauses = Some(pauses).filter(|_| self.depth < MAX_DEPTH);
                BoutPlace::Here { apart: apart.as_ref(), pauses }
            }
            Table::Fleet(link) => BoutPlace::Fleet(&link.queue),
        }
    }

    /// Plays what comes before a resting game of this kind; a ladder's game is of this competition.
    fn play_beside(&self, kind: BoutKind, ladder: Option<i64>) {
        let Table::Here(apart) = &self.table else { return };
        let mut beside = Self::new(Arc::clone(&self.site), Table::Here(apart.clone()));
        beside.depth = self.depth + 1;
        beside.resting = Arc::clone(&self.resting);
        while !self.site.is_stopping() && self.site.may_play() {
            match caught(|| beside.before(kind, ladder)) {
                // Checks and finals take turns; any other resting game continues when both have nothing left.
                Ok(true) if !matches!(kind, BoutKind::Check | BoutKind::Final { .. }) => {}
                Ok(_) => return,
                Err(error) => return tracing::error!("a game was not played: {error}"),
            }
        }
    }

    /// Plays one game that comes before games of this kind, if there is one.
    fn before(&mut self, kind: BoutKind, ladder: Option<i64>) -> Result<bool, PlayError> {
        if kind != BoutKind::Check && self.before_games()? {
            return Ok(true);
        }
        let is_final = matches!(kind, BoutKind::Final { .. });
        if !is_final && self.site.look(SiteStore::has_running_final)? {
            return self.of_final();
        }
        match (kind, ladder) {
            (BoutKind::Ladder, Some(competition)) => Ok(self.asked()? || self.ladder(Some(competition))?),
            _ => Ok(false),
        }
    }

    /// Whether a game between these can be played where this worker plays, as far as is known.
    fn can_play(&self, terms: &BoutTerms, players: [&SitePlayer; 2]) -> bool {
        match (&self.table, players) {
            (Table::Fleet(link), [SitePlayer::Away(first), SitePlayer::Away(second)]) => {
                link.queue.can_play(terms.game, [first, second])
            }
            _ => true,
        }
    }

    fn work(&mut self, wanted: impl Fn() -> bool) {
        while !self.site.is_stopping() && wanted() {
            match caught(|| self.once()) {
                Ok(true) => {}
                Ok(false) => self.site.signals.wait_for_work(IDLE),
                // The fleet has what is missing here.
                Err(PlayError::Agent(AgentError::NoCompiler { .. })) if self.site.options.fleet.is_some() => {
                    self.site.signals.wait_for_work(IDLE);
                }
                Err(_) if self.site.is_stopping() => {}
                Err(error) => {
                    tracing::error!("a game was not played: {error}");
                    thread::sleep(AFTER_FAILURE);
                }
            }
        }
    }

    /// Makes the check that comes next, or tries a source, if there is one.
    fn before_games(&self) -> Result<bool, PlayError> {
        let version = self.site.writer().take_submission()?;
        if let Some(version) = version {
            let begun = Instant::now();
            let done = catch_unwind(AssertUnwindSafe(|| self.check(&version)));
            self.site.set_stage(version.id, None);
            let done = done.unwrap_or_else(|_| Err(PlayError::Interrupted("the check has panicked".to_owned())));
            if done.is_err() {
                self.site.writer().return_submission(version.id)?;
            } else {
                self.site.writer().note_check_time(version.id, begun.elapsed().as_millis() as u64)?;
            }
            self.site.announce_change();
            return done.map(|()| true);
        }
        // Its author is waiting for that, too.
        let pauses: Option<&dyn Pauses> = Some(self as &dyn Pauses).filter(|_| self.depth < MAX_DEPTH);
        Ok(matches!(self.table, Table::Here(_)) && trial::try_next(&self.site, pauses))
    }

    /// Plays what comes next, if there is anything.
    fn once(&mut self) -> Result<bool, PlayError> {
        if !self.site.may_play() {
            return Ok(false);
        }
        if self.before_games()? {
            return Ok(true);
        }
        if let Table::Fleet(_) = self.table
            && let Some((bout, seed)) = self.site.take_left()
        {
            self.left(&bout, seed)?;
            return Ok(true);
        }
        if self.site.look(SiteStore::has_running_final)? {
            // Games of a ladder are not played beside those of a final.
            return self.of_final();
        }
        if self.asked()? {
            return Ok(true);
        }
        self.ladder(None)
    }

    /// The fleet, if a program in this language can be played there but not here.
    fn elsewhere(&self, language: Language) -> Option<Arc<FleetLink>> {
        let here = matches!(self.table, Table::Fleet(_)) || toolchain::compiler(language).is_ok();
        self.site.fleet.link().filter(|_| !here && self.site.fleet.runs(language))
    }

    fn check(&self, version: &SiteVersion) -> Result<(), PlayError> {
        let site = &self.site;
        let (program, source) = {
            let store = site.writer();
            (store.program(version.program)?, store.source(version.id)?)
        };
        // Deleted meanwhile: there is nothing left to settle.
        let (Some(program), Some(source)) = (program, source) else { return Ok(()) };
        let Some(competition) = site.competition(program.competition) else { return Ok(()) };
        let opponent = site.writer().builtin(competition.id, builtins::weakest(competition.game))?;
        let Some(opponent) = opponent else { return Ok(()) };
        let terms = BoutTerms::of_competition(site, &competition, secret::number() >> 1);
        let elsewhere = self.elsewhere(version.language);
        let place = elsewhere.as_ref().map_or_else(|| self.place(), |link| BoutPlace::Fleet(&link.queue));
        let settle =
            |found: Result<(), CheckMessage>, bout| site.writer().settle_submission(version.id, found, bout, now());
        site.set_stage(version.id, Some(CheckStage::Compiling));
        let label = format!("{} v{}", program.name, version.number);
        let own = match submitted(site, place, &terms, version.id, version.language, &source, label) {
            // A language that is not offered here is no failure of the judge.
            Err(PlayError::Agent(error @ AgentError::NoCompiler { .. })) => {
                return Ok(settle(Err(error.to_string().as_str().into()), None)?);
            }
            own => own?,
        };
        if let Some(fault) = own.fault() {
            return Ok(settle(Err(compile_message(&AgentVerdict::from(Some(fault.clone())))), None)?);
        }
        let other = builtin(place, &terms, &opponent.name)?;
        let seats = [(program.id, Some(version.number)), (opponent.id, None)];
        let shown = |news| {
            let stage = match news {
                BoutNews::Entered(_) => CheckStage::HandedOut,
                BoutNews::Begun(bout) => CheckStage::Playing(bout),
            };
            site.set_stage(version.id, Some(stage));
        };
        let (bout, record) = match play(site, place, BoutKind::Check, &terms, seats, [&own, &other], shown) {
            Err(PlayError::DoesNotCompile(message)) => return Ok(settle(Err(message), None)?),
            // It may be what kills the workers, or they were ended one after the other.
            Err(PlayError::GivenUp(why)) => {
                return Ok(site.writer().give_up_check(version.id, &format!("The check: {why}."), None, now())?);
            }
            played => played?,
        };
        let judged = &record.result.verdicts[0];
        let reason = without_cache(&judged.explanation().join("\n"));
        let rehearsed = || match judged.verdict {
            Verdict::Interrupted => Err(PlayError::Undecided(reason)),
            Verdict::Ok => {
                let found = rehearse(&own, &terms)?;
                if found.is_ok() {
                    self.note_reads_openings(version.id, &own, &other, &terms, seats)?;
                }
                Ok(found)
            }
            verdict => {
                let mut lines = judged.lines();
                if let Some(reason) = lines.first_mut() {
                    *reason = Stated::from(&Headline::Fault { verdict, reason: reason.clone() });
                }
                let lines = lines.iter().map(|line| line.map_texts(&without_cache));
                let message = lines.chain(where_it_failed(&own, &terms, &record)).collect();
                Ok(Err(Rehearsed { message, game: None }))
            }
        };
        let Rehearsed { message, game } = match rehearsed() {
            Ok(Ok(())) => return Ok(settle(Ok(()), Some(bout))?),
            Ok(Err(found)) => found,
            // After some tries it is abandoned, and other work continues.
            Err(PlayError::Undecided(why)) => {
                let why = format!("{}: {why}", Verdict::Interrupted);
                return Ok(site.writer().give_up_check(version.id, &why, Some(bout), now())?);
            }
            Err(error) => return Err(error),
        };
        // Its author is shown the game in which it failed, not the one before.
        let failed = match game {
            Some(game) => keep_failed(site, &terms, (&program, version), &opponent, *game)?,
            None => None,
        };
        Ok(settle(Err(message), failed.or(Some(bout)))?)
    }

    /// Finds out whether a version reads OPENING lines: on another machine by a game that begins with some.
    fn note_reads_openings(
        &self,
        version: i64,
        own: &SitePlayer,
        other: &SitePlayer,
        terms: &BoutTerms,
        seats: [(i64, Option<u32>); 2],
    ) -> Result<(), PlayError> {
        let site = &self.site;
        let reads = match own {
            SitePlayer::Here { agent, .. } => reads_openings(agent, terms)?,
            SitePlayer::Away(_) if terms.game.has_openings() => {
                let plies = terms.game.openings.usual_plies.max(MIN_TRIED_PLIES);
                let seed = terms.setup.seed;
                let moves = openings::draw(terms.game, &terms.setup.parameters, plies, seed)?;
                let opening = [(openings::PARAMETER.to_owned(), moves)].into();
                let competition = site.competition(terms.competition).ok_or(PlayError::Stopped)?;
                let opened = BoutTerms::of_competition(site, &competition, seed).opened(opening);
                let elsewhere = site.fleet.link();
                let place = elsewhere.as_ref().map_or_else(|| self.place(), |link| BoutPlace::Fleet(&link.queue));
                let (_, record) = play(site, place, BoutKind::Check, &opened, seats, [own, other], |_| {})?;
                let judged = &record.result.verdicts[0];
                if judged.is_of_machine() {
                    return Err(PlayError::Undecided(judged.explanation().join("\n")));
                }
                judged.verdict == Verdict::Ok
            }
            SitePlayer::Away(_) => false,
        };
        Ok(site.writer().note_reads_openings(version, reads)?)
    }

    /// Plays the next game of the running finals; returns whether there was one to play.
    fn of_final(&self) -> Result<bool, PlayError> {
        let site = &self.site;
        // Held until the game has a row, so that two workers do not choose the same.
        let mut choosing = Some(site.choosing());
        let all = site.writer().running_finals()?;
        let mut found = None;
        // One that waits for the last games of a round holds up no other.
        for one in all.into_iter().filter(|one| !site.competitions.lacks_rules(one.competition)) {
            let bouts = site.writer().final_bouts(one.id)?;
            match finals::next(&one.plan, &bouts) {
                FinalStep::Play(slot) => {
                    found = Some((one, slot));
                    break;
                }
                FinalStep::Wait => {}
                FinalStep::Done => {
                    site.writer().end_final(one.id, FinalState::Complete)?;
                    site.announce_change();
                    return Ok(true);
                }
            }
        }
        let Some((one, slot)) = found else { return Ok(false) };
        let terms = BoutTerms::of_plan(one.competition, &one.plan, &slot)?;
        let entered = |side: usize| -> Result<_, PlayError> {
            let agent = &one.plan.agents[slot.seats[side]].agent;
            let store = site.writer();
            let Ok(id) = agent.parse() else {
                return Ok(store.builtin(one.competition, agent)?.map(|found| (found, None)));
            };
            let Some(version) = store.version(id)? else { return Ok(None) };
            Ok(store.program(version.program)?.map(|program| (program, Some(version))))
        };
        let stop = || -> Result<bool, PlayError> {
            tracing::warn!(id = one.id, "a final is stopped: one of its programs is not known");
            site.writer().end_final(one.id, FinalState::Stopped)?;
            Ok(true)
        };
        let found = [entered(0)?, entered(1)?];
        let gone = found.each_ref().map(Option::is_none);
        if (0..2).any(|side| gone[side] && one.is_builtin(slot.seats[side])) {
            return stop();
        }
        let out = found.each_ref().map(|found| found.as_ref().is_none_or(|(program, _)| !program.may_play()));
        let [Some(first), Some(second)] = found else {
            // The others play on when a participant deletes an account.
            site.writer().forfeit_slot(one.id, slot.number, out)?;
            site.announce_change();
            return Ok(true);
        };
        let kind = BoutKind::Final { id: one.id, slot: slot.number };
        if out != [false; 2] {
            // Frozen or disqualified since it began: the rest of its games is forfeited.
            let number = |version: &SiteVersion| version.number;
            let seats = [&first, &second].map(|(program, version)| (program.id, version.as_ref().map(number)));
            let new = NewBout { competition: one.competition, kind, seed: slot.seed, seats };
            site.writer().forfeit_bout(&new, out, now())?;
            site.announce_change();
            return Ok(true);
        }
        let seated = |(program, version): &(SiteProgram, Option<SiteVersion>)| match (version, &program.builtin) {
            (Some(version), _) => self.version(&terms, version.id),
            (None, Some(name)) => Ok(Some((program.id, 0, builtin(self.place(), &terms, name)?))),
            (None, None) => Ok(None),
        };
        let (Some(first), Some(second)) = (seated(&first)?, seated(&second)?) else { return stop() };
        let numbers = [first.1, second.1].map(|number| Some(number).filter(|number| *number > 0));
        let seats = [(first.0, numbers[0]), (second.0, numbers[1])];
        play(site, self.place(), kind, &terms, seats, [&first.2, &second.2], |_| drop(choosing.take()))?;
        // Others may have waited for this one.
        site.announce_change();
        Ok(true)
    }

    /// Plays the next game that an author has requested, if there is one. One that cannot be begun rests, and the next
    /// one is played.
    fn asked(&self) -> Result<bool, PlayError> {
        let site = &self.site;
        loop {
            let choosing = site.choosing();
            let now = Instant::now();
            let resting: Vec<i64> =
                self.rests().iter().filter(|(_, rest)| rest.until > now).map(|(&id, _)| id).collect();
            let Some(asked) = site.writer().next_asked(&resting)? else { return Ok(false) };
            match caught(|| self.asked_game(&asked, choosing)) {
                Ok(true) => {
                    self.rests().remove(&asked.id);
                    return Ok(true);
                }
                Ok(false) => {}
                Err(error @ (PlayError::Stopped | PlayError::Store(_))) => return Err(error),
                Err(error) if site.is_stopping() => return Err(error),
                // The fleet has what is missing here.
                Err(PlayError::Agent(AgentError::NoCompiler { .. })) if site.options.fleet.is_some() => {}
                Err(error) => tracing::error!(id = asked.id, "a game that was asked for was not played: {error}"),
            }
            let mut rests = self.rests();
            let rest = Rest::after(rests.get(&asked.id).copied(), Instant::now());
            rests.insert(asked.id, rest);
        }
    }

    fn rests(&self) -> MutexGuard<'_, HashMap<i64, Rest>> {
        self.resting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays this game, unless it cannot be played; `choosing` is held until it has a row.
    fn asked_game(&self, asked: &AskedBout, choosing: MutexGuard<'_, ()>) -> Result<bool, PlayError> {
        let site = &self.site;
        let mut choosing = Some(choosing);
        let AskedBout { id, competition, programs, versions } = *asked;
        let competition = site.competition(competition).filter(|competition| !competition.game.is_missing());
        let Some(competition) = competition else { return Ok(false) };
        let terms = BoutTerms::of_competition(site, &competition, secret::number() >> 1);
        let seated = |side: usize| -> Result<_, PlayError> {
            if let Some(version) = versions[side] {
                return self.version(&terms, version);
            }
            let program = site.writer().program(programs[side])?;
            let Some(name) = program.and_then(|program| program.builtin) else { return Ok(None) };
            Ok(Some((programs[side], 0, builtin(self.place(), &terms, &name)?)))
        };
        let (Some(first), Some(second)) = (seated(0)?, seated(1)?) else { return Ok(false) };
        let numbers = [first.1, second.1].map(|number| Some(number).filter(|number| *number > 0));
        let seats = [(first.0, numbers[0]), (second.0, numbers[1])];
        let players = [&first.2, &second.2];
        let known = |side: usize| -> Result<Option<bool>, PlayError> {
            let Some(version) = versions[side] else { return Ok(Some(true)) };
            Ok(site.writer().version(version)?.and_then(|version| version.reads_openings))
        };
        let reads = self.reads(&terms, [(versions[0], known(0)?), (versions[1], known(1)?)], players)?;
        let opening =
            openings_of::opening(&competition, seats.map(|(program, _)| program), id as u32, terms.setup.seed, reads)?;
        let terms = terms.opened(opening);
        play(site, self.place(), BoutKind::Asked { id }, &terms, seats, players, |_| drop(choosing.take()))?;
        Ok(true)
    }

    /// A version, ready to sit down: its program, its number there, and it itself; `None` when it has been deleted.
    fn version(&self, terms: &BoutTerms, id: i64) -> Result<Option<(i64, u32, SitePlayer)>, PlayError> {
        let (version, source) = {
            let store = self.site.writer();
            (store.version(id)?, store.source(id)?)
        };
        let (Some(version), Some(source)) = (version, source) else { return Ok(None) };
        let Some(program) = self.site.writer().program(version.program)? else { return Ok(None) };
        let label = format!("{} v{}", program.name, version.number);
        let player = submitted(&self.site, self.place(), terms, id, version.language, &source, label)?;
        Ok(Some((program.id, version.number, player)))
    }

    /// Plays the next game of a ladder: of the one that has used the least of the workers' time. Beside the resting
    /// game of the ladder `beside`, only ladders that have used less and whose games have a clock are played.
    fn ladder(&mut self, beside: Option<i64>) -> Result<bool, PlayError> {
        let site = Arc::clone(&self.site);
        let (now, at) = (now(), Instant::now());
        let due = |competition: &Competition| match competition.phase(now) {
            CompetitionPhase::Running => Some(Due::All),
            _ => competition.plays_first_games(now).then_some(Due::FirstGames),
        };
        let used = |competition: &Competition| site.shares.used(competition.id, at);
        let limit = beside.map(|competition| site.shares.used(competition, at));
        let mut open: Vec<(Duration, Due, Competition)> = site
            .competitions
            .all()
            .iter()
            .filter(|competition| !site.competitions.is_paused(competition.id))
            .filter(|competition| {
                limit.is_none_or(|limit| competition.game.has_sessions() && used(competition) < limit)
            })
            .filter_map(|competition| Some((used(competition), due(competition)?, competition.clone())))
            .collect();
        // Among those that have used equally much, another one is first each time.
        let from = self.stream.below(open.len().max(1));
        open.rotate_left(from);
        open.sort_by_key(|(used, ..)| *used);
        for (_, due, competition) in &open {
            match self.ladder_game(competition, *due, now) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(error) => {
                    // The pause that follows is time of this ladder: it holds up no other one.
                    site.shares.charge(competition.id, AFTER_FAILURE, Instant::now());
                    return Err(error);
                }
            }
        }
        Ok(false)
    }

    /// Plays the next game of this ladder, if it has one that can be played here.
    fn ladder_game(&mut self, competition: &Competition, due: Due, now: i64) -> Result<bool, PlayError> {
        let site = Arc::clone(&self.site);
        let candidates = site.look(|store| store.candidates(competition.id))?;
        let drawn = site.look(|store| {
            let mut failed = None;
            let drawn = draw::next(&candidates, due, now, &mut self.stream, |seats| {
                let over = is_over(store, competition, seats.map(|seat| &candidates[seat]));
                over.unwrap_or_else(|error| {
                    failed = Some(error);
                    true
                })
            });
            failed.map_or(Ok(drawn), Err)
        })?;
        let Some(seats) = drawn else { return Ok(false) };
        let seats = seats.map(|seat| &candidates[seat]);
        let terms = BoutTerms::of_competition(&site, competition, secret::number() >> 1);
        let players = [self.player(&terms, seats[0])?, self.player(&terms, seats[1])?];
        let [Some(first), Some(second)] = &players else { return Ok(false) };
        if !self.can_play(&terms, [first, second]) {
            return Ok(false);
        }
        let both = seats.map(|seat| (seat.program, seat.version.map(|(_, number)| number)));
        let known = seats.map(|seat| (seat.version.map(|(id, _)| id), seat.reads_openings));
        let reads = self.reads(&terms, known, [first, second])?;
        // Held until the game has a row, so that no two of the same versions begin alike.
        let mut choosing = Some(site.choosing());
        let begun = site.writer().begun_between(both.map(|(program, version)| LadderPlayer { program, version }))?;
        if openings_of::is_over(competition, begun, reads) {
            return Ok(false);
        }
        let programs = seats.map(|seat| seat.program);
        let opening = openings_of::opening(competition, programs, begun.opened, terms.setup.seed, reads)?;
        let terms = terms.opened(opening);
        let turn = site.shares.begin(competition.id, Instant::now());
        let pauses = LadderPauses { worker: self, competition: competition.id, turn: &turn };
        let chosen = |_| drop(choosing.take());
        play(&site, self.place_with(&pauses), BoutKind::Ladder, &terms, both, [first, second], chosen)?;
        Ok(true)
    }

    /// Plays a game that an earlier process had handed to the fleet.
    fn left(&self, bout: &SiteBout, seed: u64) -> Result<(), PlayError> {
        let site = &self.site;
        let terms = match bout.kind {
            BoutKind::Final { id, slot } => {
                let found = site.look(|store| {
                    let Some(one) = store.final_by_id(id)? else { return Ok(None) };
                    let slot = finals::slot(&one.plan, &store.final_bouts(id)?, slot);
                    Ok(slot.map(|slot| (one, slot)))
                })?;
                found.map(|(one, slot)| BoutTerms::of_plan(bout.competition, &one.plan, &slot)).transpose()?
            }
            _ => match (site.competition(bout.competition), site.writer().opening_of(bout.id)?) {
                (Some(competition), Some(opening)) => {
                    Some(BoutTerms::of_competition(site, &competition, seed).opened(opening))
                }
                (Some(competition), None) => {
                    Some(BoutTerms::of_competition(site, &competition, seed).begun_before(&competition)?)
                }
                (None, _) => None,
            },
        };
        let Some(terms) = terms else { return Ok(site.writer().abandon_bout(bout.id)?) };
        for seat in &bout.seats {
            // Frozen or disqualified meanwhile; a final's game is forfeited when it is chosen again.
            if site.writer().program(seat.program)?.is_some_and(|program| !program.may_play()) {
                return Ok(site.writer().abandon_bout(bout.id)?);
            }
        }
        let seated = |side: usize| -> Result<_, PlayError> {
            let seat = &bout.seats[side];
            let Some(number) = seat.version else { return builtin(self.place(), &terms, &seat.name).map(Some) };
            let versions = site.writer().versions(seat.program)?;
            let Some(version) = versions.iter().find(|version| version.number == number) else { return Ok(None) };
            Ok(self.version(&terms, version.id)?.map(|(.., player)| player))
        };
        // Deleted meanwhile.
        let (Some(first), Some(second)) = (seated(0)?, seated(1)?) else {
            return Ok(site.writer().abandon_bout(bout.id)?);
        };
        play_entered(site, self.place(), bout.id, bout.kind, &terms, [&first, &second], &mut |_| {})?;
        site.announce_change();
        Ok(())
    }

    /// Whether both programs read OPENING lines; for a version checked before this was tested, it is tested now.
    fn reads(
        &self,
        terms: &BoutTerms,
        known: [(Option<i64>, Option<bool>); 2],
        players: [&SitePlayer; 2],
    ) -> Result<bool, PlayError> {
        let mut all = true;
        for ((version, known), player) in known.into_iter().zip(players) {
            all &= match (known, version, player) {
                (Some(reads), ..) => reads,
                (None, Some(version), SitePlayer::Here { agent, .. }) => {
                    let reads = reads_openings(agent, terms)?;
                    self.site.writer().note_reads_openings(version, reads)?;
                    reads
                }
                (None, ..) => false,
            };
        }
        Ok(all)
    }

    /// A drawn program, ready to sit down; `None` when it has been deleted meanwhile.
    fn player(&self, terms: &BoutTerms, candidate: &Candidate) -> Result<Option<SitePlayer>, PlayError> {
        if let Some(name) = &candidate.builtin {
            return builtin(self.place(), terms, name).map(Some);
        }
        let Some((id, _)) = candidate.version else { return Ok(None) };
        Ok(self.version(terms, id)?.map(|(.., player)| player))
    }
}

/// Whether these candidates in their seats would only repeat an earlier game, as far as is known.
fn is_over(store: &SiteStore, competition: &Competition, seats: [&Candidate; 2]) -> Result<bool, StoreError> {
    let players =
        seats.map(|seat| LadderPlayer { program: seat.program, version: seat.version.map(|(_, number)| number) });
    // What is not known is tested before the game.
    let reads = seats.iter().all(|seat| seat.reads_openings != Some(false));
    Ok(openings_of::is_over(competition, store.begun_between(players)?, reads))
}

/// Stores the game in which a program failed its check. An opponent of the check's own has the row of the weakest
/// built-in player, and its name.
fn keep_failed(
    site: &Arc<SiteQueue>,
    terms: &BoutTerms,
    (program, version): (&SiteProgram, &SiteVersion),
    weakest: &SiteProgram,
    mut record: Record,
) -> Result<Option<i64>, PlayError> {
    let (mut seats, mut stand_in) = ([(weakest.id, None); 2], None);
    for (agent, seat) in record.header.agents.iter_mut().zip(&mut seats) {
        if agent.is_program() {
            // Against itself it has both seats.
            agent.agent = format!("{} v{}", program.name, version.number);
            *seat = (program.id, Some(version.number));
        } else if let Some(opponent) = site.writer().builtin(terms.competition, &agent.agent)? {
            *seat = (opponent.id, None);
        } else {
            stand_in = Some(agent.agent.clone());
        }
    }
    keep(site, terms, seats, stand_in.as_deref(), record)
}

/// Digests some games at a time from before repetitions were recorded, so that nothing waits for it.
fn digest_older(site: &SiteQueue) -> Result<(), StoreError> {
    while !site.is_stopping() && site.look(SiteStore::is_undigested)? {
        let digests = site.look(SiteStore::digest_older)?;
        site.writer().keep_digests(&digests)?;
    }
    Ok(())
}

/// Rates all programs of each competition together, again and again.
fn rate(site: &SiteQueue) {
    // How many seats the programs of each competition had had the last time.
    let mut last = HashMap::new();
    while !site.is_stopping() {
        let begun = Instant::now();
        // A site that only shows changes nothing.
        let late = if site.plays() { digest_older(site).and_then(|()| site.writer().rate_late()) } else { Ok(false) };
        if let Err(error) = late {
            tracing::error!("games that have ended late are not rated: {error}");
        }
        begin_finals(site);
        for competition in site.competitions.all().iter() {
            let results = site.look(|store| {
                let seats = store.rated_seats(competition.id)?;
                let known = last.insert(competition.id, seats) == Some(seats);
                if known {
                    return Ok(None);
                }
                Ok(Some((LadderResults::read(store, competition.id)?, read_trends(store, competition.id, now())?)))
            });
            match results {
                Ok(Some((results, trends))) => {
                    site.ratings.set_together(competition.id, results.rate());
                    site.ratings.set_trends(competition.id, trends);
                    site.note_change();
                }
                Ok(None) => {}
                Err(error) => tracing::error!("the ladder of {} is not rated: {error}", competition.slug),
            }
        }
        rest(site, RATING.max(begun.elapsed() * REST));
    }
}

/// Begins the finals whose time has come.
fn begin_finals(site: &SiteQueue) {
    // A site that only shows changes nothing.
    if !site.plays() {
        return;
    }
    match finals::begin_due(&mut site.writer(), site.options.limits, now()) {
        Ok(0) => {}
        Ok(_) => site.announce_change(),
        Err(error) => tracing::error!("no final begins by itself: {error}"),
    }
}
