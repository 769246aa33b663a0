//! The whole of a worker: it hears of runs, takes jobs and plays them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::runner::queue::{self, Lease, Take, Taken};
use agon_arena::runner::{self, Brake, Roster, RunError, RunOptions, Worker};
use agon_catalog::Game;
use agon_referee::agent::Language;
use agon_referee::process::{ProcessorSet, find_program};
use bytes::Bytes;
use futures_util::StreamExt as _;
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use crate::connect::Fleet;
use crate::lease::RunJobs;
use crate::machine::{self, Steadiness};
use crate::notice::{Measured, RunStatus, WorkerStatus, now_ms};
use crate::offer::{Abilities, Offer};
use crate::programs::Archives;
use crate::wire::GameTerms;
use crate::{identity, programs, subjects};

/// How often a worker tells how it stands.
const BEAT: Duration = Duration::from_secs(1);

/// The pause after an answer to somebody who asks.
const ASKED: Duration = Duration::from_millis(20);

/// How long the coordinator of a run may be silent before its jobs are left alone.
const COORDINATOR_SILENCE: Duration = Duration::from_secs(10);

/// How long a slot waits for a job of one run before it looks at the others.
const TURN: Duration = Duration::from_millis(500);

/// How long a slot stays with a run that has jobs while others have some too.
const STAY: Duration = Duration::from_secs(2);

/// How long a game rests that this machine cannot play, so that another one takes it.
const ELSEWHERE: Duration = Duration::from_secs(2);

/// The pause of a slot for which there is nothing to do.
const NOTHING: Duration = Duration::from_millis(100);

#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// Its name, which no other worker has.
    pub name: String,
    /// How many games it plays at once, on which processors.
    pub options: RunOptions,
    /// The games that it takes; all if there are none named.
    pub games: Vec<Game>,
    pub labels: Vec<String>,
    /// The jail of programs, or why it takes none.
    pub jail: Result<String, String>,
}

impl WorkerOptions {
    /// A name for a worker of this machine that has been given none.
    pub fn some_name() -> String {
        format!("{}-{}", identity::host(), &identity::random()[..4])
    }

    /// A given name, without what may not stand in one.
    pub fn name_of(text: &str) -> String {
        identity::token(text)
    }
}

/// What happens to a worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WorkerEvent {
    /// It takes jobs of a run.
    Joined { run: String, what: String },
    /// It takes none of it.
    Refused { run: String, why: String },
    /// So many games have been played in all.
    Played(u64),
    /// It finishes its games and goes, for this reason.
    Unfit(String),
}

/// What the threads of a worker share.
struct Shared {
    offers: Mutex<BTreeMap<String, Arc<Offer>>>,
    played: AtomicU64,
    start: Instant,
    measured: Mutex<Option<(Measured, Instant)>>,
    steadiness: Mutex<Steadiness>,
    trouble: Mutex<Option<String>>,
    archives: Archives,
}

impl Shared {
    fn offers(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Offer>>> {
        self.offers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The runs that are to be played.
    fn open(&self) -> Vec<Arc<Offer>> {
        let offers = self.offers();
        let open = offers.values().filter(|offer| !offer.standing.has_ended() && offer.silent() < COORDINATOR_SILENCE);
        open.cloned().collect()
    }

    /// A run has told how it stands.
    fn hear(&self, status: &RunStatus) {
        let mut offers = self.offers();
        if let Some(known) = offers.get(&status.run)
            && known.revision == status.revision
        {
            known.hear();
            if status.ended {
                known.standing.ended.store(true, Ordering::Relaxed);
            }
            return;
        }
        if let Some(earlier) = offers.remove(&status.run) {
            earlier.standing.ended.store(true, Ordering::Relaxed);
        }
        if !status.ended {
            offers.insert(status.run.clone(), Arc::new(Offer::new(status)));
        }
    }

    /// Measures the machine if it is time to; between two jobs, so that no game is disturbed.
    fn measure(&self, bound: bool) {
        if self.is_due() {
            let found = machine::measure(bound);
            *self.measured.lock().unwrap_or_else(PoisonError::into_inner) = Some((found, Instant::now()));
        }
    }

    /// Whether it is time to measure the machine.
    fn is_due(&self) -> bool {
        let measured = self.measured.lock().unwrap_or_else(PoisonError::into_inner);
        measured.as_ref().is_none_or(|(_, at)| at.elapsed() > machine::EVERY)
    }

    /// Forgets runs that nobody coordinates and nobody plays.
    fn forget(&self) {
        self.offers().retain(|_, offer| {
            let left = offer.standing.has_ended() || offer.silent() > COORDINATOR_SILENCE;
            !left || !offer.standing.hands().is_empty()
        });
    }
}

/// Plays jobs until the brake is raised: finishes those being played then, and goes.
///
/// # Errors
/// [`RunError`] when there are not enough processors.
pub fn work(
    fleet: &Fleet,
    worker: &WorkerOptions,
    brake: &Brake,
    events: &Sender<WorkerEvent>,
) -> Result<(), RunError> {
    let cores = worker.options.processors_of_workers()?;
    let shared = Arc::new(Shared {
        offers: Mutex::default(),
        played: AtomicU64::new(0),
        start: Instant::now(),
        measured: Mutex::default(),
        steadiness: Mutex::default(),
        trouble: Mutex::default(),
        archives: Archives::default(),
    });
    let abilities = Abilities {
        games: worker.games.clone(),
        labels: worker.labels.clone(),
        processors: worker.options.threads,
        no_programs: worker.jail.as_ref().err().cloned(),
    };
    let status = WorkerStatus {
        worker: worker.name.clone(),
        host: identity::host(),
        agon: identity::VERSION.to_owned(),
        data: identity::data_digest().to_owned(),
        slots: worker.options.concurrency,
        processors: worker.options.threads,
        games: worker.games.iter().map(|game| game.name().to_owned()).collect(),
        labels: worker.labels.clone(),
        jail: worker.jail.as_ref().ok().cloned(),
        languages: languages(),
        busy: 0,
        hands: BTreeMap::new(),
        played: 0,
        per_minute: 0.0,
        refused: BTreeMap::new(),
        measured: None,
        timed: 0,
        disturbed: 0,
        trouble: None,
        draining: false,
        leaving: false,
        now_ms: 0,
    };
    let tasks = [
        fleet.spawn(hear(fleet.clone(), Arc::clone(&shared))),
        fleet.spawn(tell(fleet.clone(), Arc::clone(&shared), status.clone(), brake.clone())),
        fleet.spawn(obey(fleet.clone(), worker.name.clone(), brake.clone())),
    ];
    thread::scope(|scope| {
        for number in 0..worker.options.concurrency {
            let (shared, abilities, cores) = (&shared, &abilities, cores.get(number));
            scope.spawn(move || {
                let apart = runner::bind(cores.map(Vec::as_slice), worker.options.threads);
                let mut slot = PlayingSlot { fleet, worker, shared, abilities, brake, events, turn: number };
                while !brake.is_raised() {
                    if number == 0 {
                        shared.measure(cores.is_some());
                    }
                    slot.turn(apart.as_ref());
                }
            });
        }
    });
    tasks.iter().for_each(tokio::task::JoinHandle::abort);
    let farewell = WorkerStatus { leaving: true, ..stand(&shared, &status, brake) };
    fleet.wait(async {
        publish_status(fleet, &farewell).await;
        let _ = timeout(BEAT, fleet.client().flush()).await;
    });
    Ok(())
}

/// The languages whose programs can be compiled and run here.
fn languages() -> Vec<String> {
    let found = Language::ALL.iter().filter(|language| find_program(language.compiler()).is_some());
    found.map(|language| language.name().to_owned()).collect()
}

/// One of the games that a worker plays at once.
struct PlayingSlot<'a> {
    fleet: &'a Fleet,
    worker: &'a WorkerOptions,
    shared: &'a Shared,
    abilities: &'a Abilities,
    brake: &'a Brake,
    events: &'a Sender<WorkerEvent>,
    /// Which of the runs is next.
    turn: usize,
}

impl PlayingSlot<'_> {
    /// Plays jobs of one run, as long as there are some and it is its turn.
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
                    WorkerEvent::Joined {
                        run,
                        what: format!("{} of {}: {}", plan.title(), plan.game, names.join(", ")),
                    }
                }
                Err(why) => WorkerEvent::Refused { run, why: why.to_owned() },
            });
        };
        let playable = |offer: &Arc<Offer>| {
            let playable = offer.playable(self.fleet, self.abilities, |found| news(offer, found))?;
            Some((Arc::clone(offer), playable))
        };
        let ready: Vec<_> = open.iter().filter_map(playable).collect();
        if ready.is_empty() {
            thread::sleep(NOTHING);
            return;
        }
        let (offer, run) = &ready[self.turn % ready.len()];
        let standing = Arc::clone(&offer.standing);
        let agents = if run.single { 2 } else { run.plan.agents.len() };
        let mut jobs = RunJobs::shared(self.fleet, &offer.run, &self.worker.name, agents, run.ack_wait, standing);
        let mut player = Worker::new(&run.plan, &run.roster, None, apart.cloned());
        let since = Instant::now();
        while !self.brake.is_raised() && offer.silent() < COORDINATOR_SILENCE {
            match jobs.take(TURN / ready.len() as u32) {
                Taken::Job(lease) => {
                    let games = lease.job().slots.len() as u64;
                    if run.single {
                        self.single(lease, jobs.terms(), apart);
                    } else {
                        queue::play(&mut player, lease);
                    }
                    let played = self.shared.played.fetch_add(games, Ordering::Relaxed) + games;
                    let _ = self.events.send(WorkerEvent::Played(played));
                    self.look_at_clocks(offer);
                }
                Taken::Nothing if ready.len() == 1 && self.shared.open().len() == open.len() => {}
                Taken::Nothing | Taken::Ended => return,
            }
            if let Some(why) = offer.standing.take_trouble() {
                news(offer, Err(&why));
                offer.rest(why);
                return;
            }
            if since.elapsed() > STAY && (self.shared.open().len() > 1 || self.shared.is_due()) {
                return;
            }
        }
    }

    /// Plays no more on a machine that disturbs too many games.
    fn look_at_clocks(&self, offer: &Offer) {
        let timed = offer.standing.take_timed();
        let found = self.shared.steadiness.lock().unwrap_or_else(PoisonError::into_inner).add(&timed);
        if let Some(why) = found
            && !self.brake.is_raised()
        {
            self.brake.finish();
            *self.shared.trouble.lock().unwrap_or_else(PoisonError::into_inner) = Some(why.clone());
            let _ = self.events.send(WorkerEvent::Unfit(why));
        }
    }
}

impl PlayingSlot<'_> {
    /// Plays a game that brings its own terms. One that this machine cannot play is left to others.
    fn single(&self, lease: Box<dyn Lease>, terms: Option<GameTerms>, apart: Option<&[ProcessorSet; 2]>) {
        let Some(terms) = terms else {
            let slot = lease.job().slots[0].number;
            let reason = "its job does not say what is played".to_owned();
            return lease.refuse(slot, RunError::Refused { slot, reason });
        };
        match pair(self.fleet, &self.shared.archives, &terms) {
            Ok((roster, _sources)) => queue::play(&mut Worker::new(&terms.plan, &roster, None, apart.cloned()), lease),
            Err(why) => {
                let run = format!("game {}", lease.job().slots[0].number);
                let _ = self.events.send(WorkerEvent::Refused { run, why });
                lease.put_back(ELSEWHERE, None);
            }
        }
    }
}

/// The two agents of a single game, compiled here.
fn pair(fleet: &Fleet, archives: &Archives, terms: &GameTerms) -> Result<(Roster, TempDir), String> {
    let (here, sources) = programs::fetch_pair(fleet, archives, &terms.agents)?;
    let roster = Roster::from_elsewhere(&terms.plan, &here).map_err(|error| error.to_string())?;
    if !terms.check
        && let Some((at, fault)) = roster.broken().next()
    {
        let why = fault.reason.lines().next().unwrap_or_default();
        return Err(format!("{} does not compile here: {why}", terms.agents[at].known_as));
    }
    Ok((roster, sources))
}

/// How the worker stands now.
fn stand(shared: &Shared, before: &WorkerStatus, brake: &Brake) -> WorkerStatus {
    let offers = shared.offers();
    let hands = offers.iter().map(|(run, offer)| (run.clone(), offer.standing.hands()));
    let played = shared.played.load(Ordering::Relaxed);
    let [timed, disturbed] = shared.steadiness.lock().unwrap_or_else(PoisonError::into_inner).games;
    let measured = shared.measured.lock().unwrap_or_else(PoisonError::into_inner);
    WorkerStatus {
        measured: measured.as_ref().map(|(measured, _)| measured.clone()),
        timed,
        disturbed,
        trouble: shared.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        busy: offers.values().map(|offer| offer.standing.jobs()).sum(),
        hands: hands.filter(|(_, hands)| !hands.is_empty()).collect(),
        refused: offers.iter().filter_map(|(run, offer)| Some((run.clone(), offer.refusal()?))).collect(),
        played,
        per_minute: played as f64 * 60.0 / shared.start.elapsed().as_secs_f64().max(1.0),
        draining: brake.is_raised(),
        now_ms: now_ms(),
        ..before.clone()
    }
}

async fn publish_status(fleet: &Fleet, status: &WorkerStatus) {
    let text = serde_json::to_vec(status).expect("a status can be written as JSON");
    let _ = fleet.client().publish(subjects::worker(&status.worker), text.into()).await;
}

/// Hears of runs, for ever.
async fn hear(fleet: Fleet, shared: Arc<Shared>) {
    let Ok(mut runs) = fleet.client().subscribe(subjects::RUNS).await else { return };
    let _ = fleet.client().publish(subjects::ASK, Bytes::new()).await;
    while let Some(message) = runs.next().await {
        if let Ok(status) = serde_json::from_slice(&message.payload) {
            shared.hear(&status);
        }
    }
}

/// Tells how the worker stands, every second and whenever somebody asks.
async fn tell(fleet: Fleet, shared: Arc<Shared>, status: WorkerStatus, brake: Brake) {
    let Ok(mut asked) = fleet.client().subscribe(subjects::ASK).await else { return };
    loop {
        shared.forget();
        publish_status(&fleet, &stand(&shared, &status, &brake)).await;
        match timeout(BEAT, asked.next()).await {
            // Many may ask at once.
            Ok(Some(_)) => sleep(ASKED).await,
            Ok(None) => return,
            Err(_) => {}
        }
    }
}

/// Finishes when it is told to.
async fn obey(fleet: Fleet, name: String, brake: Brake) {
    let Ok(mut told) = fleet.client().subscribe(subjects::drain(&name)).await else { return };
    while let Some(message) = told.next().await {
        brake.finish();
        if let Some(reply) = message.reply {
            let _ = fleet.client().publish(reply, Bytes::from_static(b"draining")).await;
        }
    }
}
