//! A worker: it follows the announced runs, takes their jobs and plays them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::runner::queue::{self, Lease, Take, Taken};
use agon_arena::runner::{self, RunError, RunOptions, RunStop, Worker};
use agon_catalog::Game;
use agon_referee::agent::Language;
use agon_referee::process::{ProcessorSet, find_program, interrupted};
use agon_referee::signing::PublicKey;
use async_nats::Message;
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::time::timeout;

use crate::connect::Fleet;
use crate::fetch::Fetcher;
use crate::keys::{self, Kind, Trust};
use crate::lease::RunJobs;
use crate::lock::lock;
use crate::machine::{self, Steadiness};
use crate::notice::{Measured, RunStatus, WorkerStatus, now_ms};
use crate::offer::{Abilities, Offer, suits_single};
use crate::programs::Archives;
use crate::publish::heartbeat;
use crate::timing::Timing;
use crate::wire::{DrainAnswer, DrainOrder, GameTerms};
use crate::{identity, programs, subjects, wire};

/// Time for the server to pass on the last status.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

/// Maximum clock difference to a coordinator. An older message may have been recorded.
const MAX_CLOCK_DIFFERENCE: Duration = Duration::from_mins(10);

/// Maximum age of a status relative to the last one of its run.
const MAX_DISORDER: Duration = Duration::from_mins(1);

/// The number of untrusted runs that are kept with the reason.
const MAX_STRANGERS: usize = 64;

/// The most runs whose last status is remembered.
const MAX_CLOCKS: usize = 10_000;

#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// No other worker has this name.
    pub name: String,
    /// Number of games it plays at once, and their processors.
    pub options: RunOptions,
    /// The games that it takes; all if empty.
    pub games: Vec<Game>,
    pub labels: Vec<String>,
    /// The jail of programs, or why it takes no programs.
    pub jail: Result<String, String>,
    /// Coordinators whose runs it plays.
    pub trust: Arc<Trust>,
    /// The memory that one program may use at most, in MiB.
    pub max_memory_mib: u64,
    /// True if it measures its machine at the start and at intervals.
    pub measures: bool,
    /// The share of games by the clock, of the last ones, that its machine may disturb before it stops; 1 if it never
    /// does.
    pub max_disturbed: f64,
    pub timing: Timing,
}

impl WorkerOptions {
    /// A name for a worker of this machine.
    pub fn random_name() -> String {
        format!("{}-{}", identity::host(), &identity::random()[..4])
    }

    /// Returns the name with `-` for invalid characters.
    pub fn clean_name(text: &str) -> String {
        identity::token(text)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkerEvent {
    /// It takes jobs of a run.
    Joined { run: String, what: String },
    /// It takes no jobs of a run.
    Refused { run: String, why: String },
    /// The number of games played since its start.
    Played(u64),
    /// It trusts the first coordinator that it has heard, and no other from now on.
    Trusts(PublicKey),
    /// Operation that the server denies it, in the server's words.
    Denied(String),
    /// Reason why its machine is unfit: it finishes its games and stops.
    Unfit(String),
    /// Number of games whose results no coordinator took before it stopped.
    Undelivered(usize),
}

struct Shared {
    timing: Timing,
    offers: Mutex<BTreeMap<String, Arc<Offer>>>,
    /// Earlier starts of their coordinators, whose games are still being played.
    earlier: Mutex<Vec<Arc<Offer>>>,
    /// Reasons why runs without a trusted coordinator are not played, and when they were last announced.
    strangers: Mutex<BTreeMap<String, (String, Instant)>>,
    /// Time of each run's last status, by the clock of its coordinator.
    clocks: Mutex<BTreeMap<String, u64>>,
    /// Number of strangers reported.
    reported: AtomicU64,
    played: AtomicU64,
    measured: Mutex<Option<(Measured, Instant)>>,
    steadiness: Mutex<Steadiness>,
    trouble: Mutex<Option<String>>,
    archives: Archives,
}

impl Shared {
    fn new(timing: Timing, max_disturbed: f64) -> Self {
        Self {
            timing,
            offers: Mutex::default(),
            earlier: Mutex::default(),
            strangers: Mutex::default(),
            clocks: Mutex::default(),
            reported: AtomicU64::new(0),
            played: AtomicU64::new(0),
            measured: Mutex::default(),
            steadiness: Mutex::new(Steadiness::new(max_disturbed)),
            trouble: Mutex::default(),
            archives: Archives::default(),
        }
    }

    fn offers(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Offer>>> {
        lock(&self.offers)
    }

    /// The runs that may be played.
    fn open(&self) -> Vec<Arc<Offer>> {
        let (offers, max_silence) = (self.offers(), self.timing.max_silence);
        let open = offers.values().filter(|offer| !offer.standing.has_ended() && offer.silence() < max_silence);
        open.cloned().collect()
    }

    /// Takes in the status of a run, if a trusted coordinator has signed it.
    fn hear(&self, message: &Message, trust: &Trust, events: &Mutex<Sender<WorkerEvent>>) {
        let Ok(status) = serde_json::from_slice::<RunStatus>(&message.payload) else { return };
        if *message.subject != *subjects::run(&status.run) {
            return;
        }
        let key = match keys::signer(Kind::Run, message) {
            Ok(key) => key,
            Err(why) => return self.stranger(&status.run, format!("its coordinator is unknown: {why}"), events),
        };
        let (trusted, is_first) = trust.meet(&key);
        if !trusted {
            let why = format!("its coordinator signs with {key}, which this worker does not trust (--trust)");
            return self.stranger(&status.run, why, events);
        }
        if is_first {
            let _ = lock(events).send(WorkerEvent::Trusts(key));
        }
        let apart = Duration::from_millis(status.now_ms.abs_diff(now_ms()));
        if apart > MAX_CLOCK_DIFFERENCE {
            let why =
                format!("its status is {} minutes off; set both clocks by the network (NTP)", apart.as_secs() / 60);
            return self.stranger(&status.run, why, events);
        }
        if self.is_current(&status) {
            lock(&self.strangers).remove(&status.run);
            self.update_offer(&status, key);
        }
    }

    /// Returns true if a status is newer than those sent before.
    fn is_current(&self, status: &RunStatus) -> bool {
        let mut clocks = lock(&self.clocks);
        let oldest = now_ms().saturating_sub(2 * MAX_CLOCK_DIFFERENCE.as_millis() as u64);
        clocks.retain(|_, at| *at >= oldest);
        if !clocks.contains_key(&status.run) && clocks.len() >= MAX_CLOCKS {
            return false;
        }
        let last = clocks.entry(status.run.clone()).or_insert(0);
        let current = status.now_ms.saturating_add(MAX_DISORDER.as_millis() as u64) >= *last;
        *last = (*last).max(status.now_ms);
        current
    }

    /// Records why a run is not played whose coordinator is not trusted.
    fn stranger(&self, run: &str, why: String, events: &Mutex<Sender<WorkerEvent>>) {
        if self.offers().contains_key(run) {
            return;
        }
        let mut strangers = lock(&self.strangers);
        strangers.retain(|_, (_, at)| at.elapsed() < self.timing.max_silence);
        if strangers.len() >= MAX_STRANGERS && !strangers.contains_key(run) {
            return;
        }
        let is_new = strangers.insert(run.to_owned(), (why.clone(), Instant::now())).is_none();
        if is_new && self.reported.fetch_add(1, Ordering::Relaxed) < MAX_STRANGERS as u64 {
            let _ = lock(events).send(WorkerEvent::Refused { run: run.to_owned(), why });
        }
    }

    fn update_offer(&self, status: &RunStatus, key: PublicKey) {
        let mut offers = self.offers();
        if let Some(known) = offers.get(&status.run)
            && known.author.revision == status.revision
            && known.author.key == key
        {
            known.note_status();
            if status.ended {
                known.standing.end();
            }
            return;
        }
        if let Some(earlier) = offers.remove(&status.run) {
            earlier.standing.end();
            lock(&self.earlier).push(earlier);
        }
        if !status.ended {
            offers.insert(status.run.clone(), Arc::new(Offer::new(status, key)));
        }
    }

    /// Measures the machine if it is time to; between two jobs, so that no game is disturbed.
    fn measure(&self, bound: bool) {
        if self.is_due() {
            let found = machine::measure(bound);
            *lock(&self.measured) = Some((found, Instant::now()));
        }
    }

    /// Returns true if it is time to measure the machine.
    fn is_due(&self) -> bool {
        let measured = lock(&self.measured);
        measured.as_ref().is_none_or(|(_, at)| at.elapsed() > machine::MEASURE_INTERVAL)
    }

    /// Removes runs that have no coordinator and are not being played.
    fn forget_ended(&self) {
        self.offers().retain(|_, offer| {
            let left = offer.standing.has_ended() || offer.silence() > self.timing.max_silence;
            !left || !offer.standing.hands().is_empty()
        });
        lock(&self.earlier).retain(|offer| !offer.standing.hands().is_empty());
    }
}

/// Plays jobs until the stop is raised, and finishes those that have begun.
///
/// # Errors
/// [`RunError`] when there are not enough processors.
pub fn work(
    fleet: &Fleet,
    worker: &WorkerOptions,
    run_stop: &RunStop,
    events: &Sender<WorkerEvent>,
) -> Result<(), RunError> {
    let cores = worker.options.processors_of_workers()?;
    let shared = Arc::new(Shared::new(worker.timing.clone(), worker.max_disturbed));
    let (start, session) = (Instant::now(), identity::random());
    let abilities = Abilities {
        games: worker.games.clone(),
        labels: worker.labels.clone(),
        processors: worker.options.threads,
        no_programs: worker.jail.as_ref().err().cloned(),
        max_memory_mib: worker.max_memory_mib,
    };
    let status = WorkerStatus {
        worker: worker.name.clone(),
        user: fleet.identity().user.clone(),
        key: fleet.public_key(),
        session: session.clone(),
        host: identity::host(),
        agon: identity::VERSION.to_owned(),
        data: identity::data_digest().to_owned(),
        slots: worker.options.concurrency,
        processors: worker.options.threads,
        games: worker.games.iter().map(|game| game.name().to_owned()).collect(),
        labels: worker.labels.clone(),
        jail: worker.jail.as_ref().ok().cloned(),
        languages: languages(),
        ..WorkerStatus::default()
    };
    let (reporting, before, raised) = (Arc::clone(&shared), status.clone(), run_stop.clone());
    let (connection, heard) = (fleet.clone(), Mutex::new(events.clone()));
    let mut denied = None;
    let statuses = move || {
        reporting.forget_ended();
        if let Some(what) = connection.take_denied().filter(|what| denied.as_ref() != Some(what)) {
            let _ = lock(&heard).send(WorkerEvent::Denied(what.clone()));
            denied = Some(what);
        }
        vec![signed(&connection, &current_status(&connection, &reporting, &before, start, &raised))]
    };
    let trust = Arc::clone(&worker.trust);
    let drain = Drain { name: worker.name.clone(), session, trust: Arc::clone(&trust), run_stop: run_stop.clone() };
    let tasks = [
        fleet.spawn(listen_to_runs(fleet.clone(), Arc::clone(&shared), trust, Mutex::new(events.clone()))),
        fleet.spawn(heartbeat(fleet.clone(), worker.timing.heartbeat, statuses)),
        fleet.spawn(drain.listen(fleet.clone())),
    ];
    thread::scope(|scope| {
        for number in 0..worker.options.concurrency {
            let (shared, abilities, cores) = (&shared, &abilities, cores.get(number));
            scope.spawn(move || {
                let apart = runner::bind(cores.map(Vec::as_slice), worker.options.threads);
                let (name, timing) = (worker.name.clone(), worker.timing.clone());
                let fetcher = Fetcher { fleet: fleet.clone(), worker: name, timing };
                let mut slot = PlayingSlot { fetcher, worker, shared, abilities, run_stop, events, turn: number };
                while !run_stop.is_raised() {
                    if number == 0 && worker.measures {
                        shared.measure(cores.is_some());
                    }
                    slot.turn(apart.as_ref());
                }
            });
        }
    });
    let undelivered = wait_for_coordinators(fleet, &worker.timing);
    if undelivered > 0 {
        let _ = events.send(WorkerEvent::Undelivered(undelivered));
    }
    tasks.iter().for_each(tokio::task::JoinHandle::abort);
    let last = WorkerStatus { leaving: true, ..current_status(fleet, &shared, &status, start, run_stop) };
    fleet.wait(async {
        let (subject, headers, payload) = signed(fleet, &last);
        let _ = fleet.client().publish_with_headers(subject, headers, payload).await;
        let _ = timeout(SHUTDOWN_GRACE, fleet.client().flush()).await;
    });
    Ok(())
}

/// Waits until coordinators have all results, or there is none. Returns the number of results that none has taken.
fn wait_for_coordinators(fleet: &Fleet, timing: &Timing) -> usize {
    let start = Instant::now();
    while fleet.outbox().is_awaited() && start.elapsed() < timing.max_silence && !interrupted() {
        thread::sleep(timing.poll);
    }
    fleet.outbox().slots().values().map(Vec::len).sum()
}

/// The status of a worker as a message.
fn signed(fleet: &Fleet, status: &WorkerStatus) -> (String, async_nats::HeaderMap, Bytes) {
    let identity = fleet.identity();
    let (subject, payload) = (subjects::worker(&identity.user, &status.worker), wire::json(status));
    let headers = identity.sign(Kind::Worker, &subject, &payload);
    (subject, headers, payload)
}

/// The languages whose programs can be compiled and run here.
fn languages() -> Vec<String> {
    let found = Language::ALL.iter().filter(|language| find_program(language.compiler()).is_some());
    found.map(|language| language.name().to_owned()).collect()
}

/// One of the games that a worker plays at once.
struct PlayingSlot<'a> {
    fetcher: Fetcher,
    worker: &'a WorkerOptions,
    shared: &'a Shared,
    abilities: &'a Abilities,
    run_stop: &'a RunStop,
    events: &'a Sender<WorkerEvent>,
    /// Index of the next run.
    turn: usize,
}

impl PlayingSlot<'_> {
    /// Plays jobs of one run while there are some and it is its turn.
    fn turn(&mut self, apart: Option<&[ProcessorSet; 2]>) {
        let open = self.shared.open();
        self.turn = self.turn.wrapping_add(1);
        let news = |offer: &Offer, found: Result<&agon_arena::Plan, &str>| {
            let run = offer.run.clone();
            let _ = self.events.send(match found {
                Ok(plan) if plan.agents.is_empty() => {
                    WorkerEvent::Joined { run, what: format!("games of a site, {}", plan.game) }
                }
                Ok(plan) => {
                    let names: Vec<&str> = plan.agents.iter().map(|agent| agent.name.as_str()).collect();
                    let what = format!("{} of {}: {}", plan.title(), plan.game, names.join(", "));
                    WorkerEvent::Joined { run, what }
                }
                Err(why) => WorkerEvent::Refused { run, why: why.to_owned() },
            });
        };
        let playable = |offer: &Arc<Offer>| {
            let playable = offer.playable(&self.fetcher, self.abilities, |found| news(offer, found))?;
            Some((Arc::clone(offer), playable))
        };
        let ready: Vec<_> = open.iter().filter_map(playable).collect();
        if ready.is_empty() {
            thread::sleep(self.worker.timing.poll);
            return;
        }
        let (offer, run) = &ready[self.turn % ready.len()];
        let standing = Arc::clone(&offer.standing);
        let agents = if run.single { 2 } else { run.plan.agents.len() };
        let author = Some(offer.author.clone());
        let timing = Timing { lease: run.lease, keep: run.lease / 3, ..self.worker.timing.clone() };
        let (fleet, name) = (&self.fetcher.fleet, &self.worker.name);
        let mut jobs = RunJobs::shared(fleet, &offer.run, name, agents, timing.clone(), standing, author);
        let mut player = Worker::new(&run.plan, &run.roster, None, apart.cloned());
        let since = Instant::now();
        while !self.run_stop.is_raised() && offer.silence() < timing.max_silence {
            match jobs.take(timing.take_wait / ready.len() as u32) {
                Taken::Job(lease) => {
                    let games = lease.job().slots.len() as u64;
                    if run.single {
                        self.play_single(&offer.run, lease, jobs.terms(), run.plan.game, apart);
                    } else {
                        queue::play(&mut player, lease);
                    }
                    let played = self.shared.played.fetch_add(games, Ordering::Relaxed) + games;
                    let _ = self.events.send(WorkerEvent::Played(played));
                    self.check_clocks(offer);
                }
                Taken::Nothing if ready.len() == 1 && self.shared.open().len() == open.len() => {}
                Taken::Nothing | Taken::Ended => return,
            }
            if let Some(why) = offer.standing.take_trouble() {
                news(offer, Err(&why));
                offer.refuse(why, timing.retry_run);
                return;
            }
            if since.elapsed() > timing.turn
                && (self.shared.open().len() > 1 || self.worker.measures && self.shared.is_due())
            {
                return;
            }
        }
    }

    /// Stops a worker whose machine disturbs too many games.
    fn check_clocks(&self, offer: &Offer) {
        let timed = offer.standing.take_timed();
        let found = lock(&self.shared.steadiness).add(&timed);
        if let Some(why) = found
            && !self.run_stop.is_raised()
        {
            self.run_stop.finish();
            *lock(&self.shared.trouble) = Some(why.clone());
            let _ = self.events.send(WorkerEvent::Unfit(why));
        }
    }

    /// Plays a game that brings its own terms, or leaves it to other machines.
    fn play_single(
        &self,
        run: &str,
        lease: Box<dyn Lease>,
        terms: Option<GameTerms>,
        game: Game,
        apart: Option<&[ProcessorSet; 2]>,
    ) {
        let Some(terms) = terms else {
            let slot = lease.job().slots[0].number;
            let reason = "its job does not contain its terms".to_owned();
            return lease.refuse(slot, RunError::Refused { slot, reason });
        };
        let (archives, plan) = (&self.shared.archives, &terms.plan);
        let prepared = suits_single(&terms, game, self.abilities)
            .and_then(|()| programs::prepare(&self.fetcher, run, archives, plan, &terms.agents, terms.check));
        match prepared {
            Ok((roster, _sources)) => queue::play(&mut Worker::new(plan, &roster, None, apart.cloned()), lease),
            Err(why) => {
                let run = format!("game {}", lease.job().slots[0].number);
                let _ = self.events.send(WorkerEvent::Refused { run, why });
                lease.put_back(self.worker.timing.put_back_delay, None);
            }
        }
    }
}

fn current_status(
    fleet: &Fleet,
    shared: &Shared,
    before: &WorkerStatus,
    start: Instant,
    run_stop: &RunStop,
) -> WorkerStatus {
    let offers = shared.offers();
    // First the games in progress: a result is added to the kept ones before its game leaves these.
    let mut hands: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for offer in offers.values().chain(&*lock(&shared.earlier)) {
        hands.entry(offer.run.clone()).or_default().extend(offer.standing.hands());
    }
    hands.retain(|_, slots| !slots.is_empty());
    let kept = fleet.outbox().slots();
    let refused = offers.iter().filter_map(|(run, offer)| Some((run.clone(), offer.refusal()?)));
    let strangers = lock(&shared.strangers).clone();
    let strangers = strangers.into_iter().filter(|(_, (_, at))| at.elapsed() < shared.timing.max_silence);
    let strangers = strangers.map(|(run, (why, _))| (run, why));
    let played = shared.played.load(Ordering::Relaxed);
    let [timed, disturbed] = lock(&shared.steadiness).games;
    let measured = lock(&shared.measured);
    WorkerStatus {
        measured: measured.as_ref().map(|(measured, _)| measured.clone()),
        timed,
        disturbed,
        trouble: lock(&shared.trouble).clone(),
        busy: offers.values().map(|offer| offer.standing.jobs()).sum(),
        hands,
        kept,
        refused: refused.chain(strangers).collect(),
        played,
        per_minute: played as f64 * 60.0 / start.elapsed().as_secs_f64().max(1.0),
        draining: run_stop.is_raised(),
        now_ms: now_ms(),
        ..before.clone()
    }
}

async fn listen_to_runs(fleet: Fleet, shared: Arc<Shared>, trust: Arc<Trust>, events: Mutex<Sender<WorkerEvent>>) {
    let Ok(mut runs) = fleet.client().subscribe(subjects::RUNS).await else { return };
    let _ = fleet.client().publish(subjects::ASK, Bytes::new()).await;
    while let Some(message) = runs.next().await {
        shared.hear(&message, &trust, &events);
    }
}

/// Orders to a worker to finish and stop.
struct Drain {
    name: String,
    /// This start of the worker: orders for earlier starts do not apply.
    session: String,
    trust: Arc<Trust>,
    run_stop: RunStop,
}

impl Drain {
    /// Raises the stop when a trusted coordinator requests it.
    async fn listen(self, fleet: Fleet) {
        let Ok(mut orders) = fleet.client().subscribe(subjects::drain(&self.name)).await else { return };
        while let Some(message) = orders.next().await {
            let answer = async |answer: DrainAnswer| {
                let identity = fleet.identity();
                let (subject, payload) = (subjects::answer(&identity.user, &self.name), wire::json(&answer));
                let headers = identity.sign(Kind::Answer, &subject, &payload);
                let _ = fleet.client().publish_with_headers(subject, headers, payload).await;
            };
            self.obey(&message, answer).await;
        }
    }

    /// Answers an order, and raises the stop if it is valid. The answer comes first: a worker without games exits
    /// immediately, and could not answer afterwards.
    async fn obey(&self, message: &Message, answer: impl AsyncFnOnce(DrainAnswer)) {
        let refused = self.check(message).err();
        let obeys = refused.is_none();
        answer(DrainAnswer { session: self.session.clone(), refused }).await;
        if obeys {
            self.run_stop.finish();
        }
    }

    /// An error says why the order is none.
    fn check(&self, message: &Message) -> Result<(), String> {
        let key = keys::signer(Kind::Drain, message)?;
        if !self.trust.has(&key) {
            return Err(format!("it does not trust the key {key}"));
        }
        let order: DrainOrder = serde_json::from_slice(&message.payload).map_err(|error| error.to_string())?;
        if (order.worker, order.session) != (self.name.clone(), self.session.clone()) {
            return Err("the order was for an earlier start of it".to_owned());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use agon_referee::signing::PrivateKey;
    use async_nats::HeaderMap;

    use super::*;

    fn message(subject: &str, payload: Bytes, headers: Option<HeaderMap>) -> Message {
        Message { subject: subject.into(), reply: None, payload, headers, status: None, description: None, length: 0 }
    }

    fn status(now_ms: u64) -> RunStatus {
        RunStatus { run: "r".to_owned(), revision: "1".to_owned(), now_ms, ..RunStatus::default() }
    }

    #[test]
    fn only_a_trusted_coordinator_is_heard() {
        let [key, other] = [0, 1].map(|_| PrivateKey::generate().unwrap());
        let ten_minutes = MAX_CLOCK_DIFFERENCE.as_millis() as u64;
        let check = |subject: &str, status: &RunStatus, headers: Option<HeaderMap>, wanted: Option<&str>| {
            let (shared, trust) = (Shared::new(Timing::default(), 1.0), Trust::Keys(vec![key.public()]));
            let (sender, events) = mpsc::channel();
            shared.hear(&message(subject, wire::json(status), headers), &trust, &Mutex::new(sender));
            let heard: Vec<WorkerEvent> = events.try_iter().collect();
            match (&heard[..], wanted) {
                ([], None) => assert_eq!(shared.open().len(), 1, "{status:?}"),
                ([WorkerEvent::Refused { why, .. }], Some(part)) => {
                    assert!(why.contains(part) && shared.open().is_empty(), "{why}");
                }
                (found, wanted) => panic!("{found:?} is not {wanted:?}"),
            }
        };
        let signed = |key: &PrivateKey, kind: Kind, status: &RunStatus| {
            Some(keys::sign(key, kind, "agon.run.r", &wire::json(status)))
        };
        let now = status(now_ms());
        check("agon.run.r", &now, signed(&key, Kind::Run, &now), None);
        check("agon.run.r", &now, None, Some("it signs nothing, as agon 0.2 and older: update agon there"));
        check("agon.run.r", &now, signed(&other, Kind::Run, &now), Some("does not trust (--trust)"));
        // A signature of another message.
        check("agon.run.r", &now, signed(&key, Kind::Job, &now), Some("its signature is wrong"));
        check("agon.run.r", &status(now_ms() + 1), signed(&key, Kind::Run, &now), Some("its signature is wrong"));
        // A recorded message that is sent again.
        for old in [status(0), status(now_ms() - ten_minutes - 1000), status(u64::MAX)] {
            check("agon.run.r", &old, signed(&key, Kind::Run, &old), Some("minutes off"));
        }
        let mut headers = signed(&key, Kind::Run, &now).unwrap();
        headers.insert("Agon-Wire", "4");
        check("agon.run.r", &now, Some(headers), Some("update agon here"));
    }

    #[test]
    fn a_run_that_has_ended_does_not_begin_again() {
        let key = PrivateKey::generate().unwrap();
        let (shared, trust) = (Shared::new(Timing::default(), 1.0), Trust::Keys(vec![key.public()]));
        let events = Mutex::new(mpsc::channel().0);
        let hear = |status: &RunStatus| {
            let headers = keys::sign(&key, Kind::Run, "agon.run.r", &wire::json(status));
            shared.hear(&message("agon.run.r", wire::json(status), Some(headers)), &trust, &events);
            shared.open().len()
        };
        let first = status(now_ms() - 2 * MAX_DISORDER.as_millis() as u64);
        assert_eq!(hear(&first), 1);
        assert_eq!(hear(&RunStatus { ended: true, ..status(now_ms()) }), 0);
        shared.forget_ended();
        assert_eq!(hear(&first), 0, "it is from before the end");
    }

    #[test]
    fn strangers_fill_no_memory_and_no_log() {
        let (shared, trust) = (Shared::new(Timing::default(), 1.0), Trust::Keys(Vec::new()));
        let (sender, events) = mpsc::channel();
        let sender = Mutex::new(sender);
        for number in 0..1000 {
            let status = RunStatus { run: format!("r{number}"), ..status(now_ms()) };
            shared.hear(&message(&subjects::run(&status.run), wire::json(&status), None), &trust, &sender);
        }
        assert_eq!((lock(&shared.strangers).len(), events.try_iter().count()), (MAX_STRANGERS, MAX_STRANGERS));
    }

    #[test]
    fn an_order_to_stop_is_for_one_start_of_a_worker() {
        let [key, other] = [0, 1].map(|_| PrivateKey::generate().unwrap());
        let check = |key: &PrivateKey, worker: &str, session: &str, signed: bool, wanted: bool| {
            let run_stop = RunStop::default();
            let trust = Arc::new(Trust::Keys(vec![key.public()]));
            let own = Drain { name: "one".to_owned(), session: "2".to_owned(), trust, run_stop: run_stop.clone() };
            let order = wire::json(&DrainOrder { worker: worker.to_owned(), session: session.to_owned() });
            let by = if signed { key } else { &other };
            let headers = keys::sign(by, Kind::Drain, "agon.drain.one", &order);
            let mut answered = None;
            let order = message("agon.drain.one", order, Some(headers));
            let obeyed =
                own.obey(&order, async |answer| answered = Some((answer.refused.is_none(), run_stop.is_raised())));
            tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(obeyed);
            assert_eq!(
                (answered, run_stop.is_raised()),
                (Some((wanted, false)), wanted),
                "{worker} {session} {signed}"
            );
        };
        check(&key, "one", "2", true, true);
        check(&key, "one", "2", false, false);
        check(&key, "one", "1", true, false);
        check(&key, "other", "2", true, false);
    }
}
