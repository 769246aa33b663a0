//! A worker: it follows the announced runs, takes their jobs and plays them.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::runner::queue::{self, Lease, Take, Taken};
use agon_arena::runner::{self, Brake, RunError, RunOptions, Worker};
use agon_catalog::Game;
use agon_referee::agent::Language;
use agon_referee::process::{ProcessorSet, find_program};
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::time::timeout;

use crate::connect::Fleet;
use crate::lease::RunJobs;
use crate::lock::lock;
use crate::machine::{self, Steadiness};
use crate::notice::{Measured, RunStatus, WorkerStatus, now_ms};
use crate::offer::{Abilities, Offer};
use crate::programs::Archives;
use crate::publish::heartbeat;
use crate::wire::GameTerms;
use crate::{identity, programs, subjects, wire};

/// How long the server may take to pass on the last status.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(1);

/// A run whose coordinator is silent for longer is not played.
const MAX_COORDINATOR_SILENCE: Duration = Duration::from_secs(10);

/// How long a slot waits for a job of one run before it tries the others.
const TURN_WAIT: Duration = Duration::from_millis(500);

/// How long a slot plays jobs of one run while other runs are open.
const TURN_TIME: Duration = Duration::from_secs(2);

/// After this time a game that this machine cannot play is delivered again, to another one.
const PUT_BACK_DELAY: Duration = Duration::from_secs(2);

/// The pause of a slot without a run.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

#[derive(Clone, Debug)]
pub struct WorkerOptions {
    /// No other worker has this name.
    pub name: String,
    /// How many games it plays at once, on which processors.
    pub options: RunOptions,
    /// The games that it takes; all if empty.
    pub games: Vec<Game>,
    pub labels: Vec<String>,
    /// The jail of programs, or why it takes no programs.
    pub jail: Result<String, String>,
}

impl WorkerOptions {
    /// A name for a worker of this machine.
    pub fn random_name() -> String {
        format!("{}-{}", identity::host(), &identity::random()[..4])
    }

    /// A given name, with `-` for characters that a name cannot have.
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
    /// Why its machine is not fit: it finishes its games and stops.
    Unfit(String),
}

#[derive(Default)]
struct Shared {
    offers: Mutex<BTreeMap<String, Arc<Offer>>>,
    played: AtomicU64,
    measured: Mutex<Option<(Measured, Instant)>>,
    steadiness: Mutex<Steadiness>,
    trouble: Mutex<Option<String>>,
    archives: Archives,
}

impl Shared {
    fn offers(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Offer>>> {
        lock(&self.offers)
    }

    /// The runs that may be played.
    fn open(&self) -> Vec<Arc<Offer>> {
        let offers = self.offers();
        let open =
            offers.values().filter(|offer| !offer.standing.has_ended() && offer.silence() < MAX_COORDINATOR_SILENCE);
        open.cloned().collect()
    }

    fn update_offer(&self, status: &RunStatus) {
        let mut offers = self.offers();
        if let Some(known) = offers.get(&status.run)
            && known.revision == status.revision
        {
            known.note_status();
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
            *lock(&self.measured) = Some((found, Instant::now()));
        }
    }

    /// Whether it is time to measure the machine.
    fn is_due(&self) -> bool {
        let measured = lock(&self.measured);
        measured.as_ref().is_none_or(|(_, at)| at.elapsed() > machine::MEASURE_INTERVAL)
    }

    /// Forgets runs that have no coordinator and are not being played.
    fn forget_ended(&self) {
        self.offers().retain(|_, offer| {
            let left = offer.standing.has_ended() || offer.silence() > MAX_COORDINATOR_SILENCE;
            !left || !offer.standing.hands().is_empty()
        });
    }
}

/// Plays jobs until the brake is raised, and finishes those that have begun.
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
    let (shared, start) = (Arc::new(Shared::default()), Instant::now());
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
        ..WorkerStatus::default()
    };
    let (reporting, before, raised) = (Arc::clone(&shared), status.clone(), brake.clone());
    let statuses = move || {
        reporting.forget_ended();
        let status = current_status(&reporting, &before, start, &raised);
        vec![(subjects::worker(&status.worker), wire::json(&status))]
    };
    let tasks = [
        fleet.spawn(listen_to_runs(fleet.clone(), Arc::clone(&shared))),
        fleet.spawn(heartbeat(fleet.clone(), statuses)),
        fleet.spawn(listen_to_drain(fleet.clone(), worker.name.clone(), brake.clone())),
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
    let last = WorkerStatus { leaving: true, ..current_status(&shared, &status, start, brake) };
    fleet.wait(async {
        let _ = fleet.client().publish(subjects::worker(&last.worker), wire::json(&last)).await;
        let _ = timeout(SHUTDOWN_GRACE, fleet.client().flush()).await;
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
                    let what = format!("{} of {}: {}", plan.title(), plan.game, names.join(", "));
                    WorkerEvent::Joined { run, what }
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
            thread::sleep(POLL_INTERVAL);
            return;
        }
        let (offer, run) = &ready[self.turn % ready.len()];
        let standing = Arc::clone(&offer.standing);
        let agents = if run.single { 2 } else { run.plan.agents.len() };
        let mut jobs = RunJobs::shared(self.fleet, &offer.run, &self.worker.name, agents, run.ack_wait, standing);
        let mut player = Worker::new(&run.plan, &run.roster, None, apart.cloned());
        let since = Instant::now();
        while !self.brake.is_raised() && offer.silence() < MAX_COORDINATOR_SILENCE {
            match jobs.take(TURN_WAIT / ready.len() as u32) {
                Taken::Job(lease) => {
                    let games = lease.job().slots.len() as u64;
                    if run.single {
                        self.play_single(lease, jobs.terms(), apart);
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
                offer.refuse(why);
                return;
            }
            if since.elapsed() > TURN_TIME && (self.shared.open().len() > 1 || self.shared.is_due()) {
                return;
            }
        }
    }

    /// Stops a worker whose machine disturbs too many games.
    fn check_clocks(&self, offer: &Offer) {
        let timed = offer.standing.take_timed();
        let found = lock(&self.shared.steadiness).add(&timed);
        if let Some(why) = found
            && !self.brake.is_raised()
        {
            self.brake.finish();
            *lock(&self.shared.trouble) = Some(why.clone());
            let _ = self.events.send(WorkerEvent::Unfit(why));
        }
    }

    /// Plays a game that brings its own terms, or leaves it to other machines.
    fn play_single(&self, lease: Box<dyn Lease>, terms: Option<GameTerms>, apart: Option<&[ProcessorSet; 2]>) {
        let Some(terms) = terms else {
            let slot = lease.job().slots[0].number;
            let reason = "its job does not contain its terms".to_owned();
            return lease.refuse(slot, RunError::Refused { slot, reason });
        };
        let (archives, plan) = (&self.shared.archives, &terms.plan);
        match programs::prepare(self.fleet, archives, plan, &terms.agents, terms.check) {
            Ok((roster, _sources)) => queue::play(&mut Worker::new(plan, &roster, None, apart.cloned()), lease),
            Err(why) => {
                let run = format!("game {}", lease.job().slots[0].number);
                let _ = self.events.send(WorkerEvent::Refused { run, why });
                lease.put_back(PUT_BACK_DELAY, None);
            }
        }
    }
}

fn current_status(shared: &Shared, before: &WorkerStatus, start: Instant, brake: &Brake) -> WorkerStatus {
    let offers = shared.offers();
    let hands = offers.iter().map(|(run, offer)| (run.clone(), offer.standing.hands()));
    let played = shared.played.load(Ordering::Relaxed);
    let [timed, disturbed] = lock(&shared.steadiness).games;
    let measured = lock(&shared.measured);
    WorkerStatus {
        measured: measured.as_ref().map(|(measured, _)| measured.clone()),
        timed,
        disturbed,
        trouble: lock(&shared.trouble).clone(),
        busy: offers.values().map(|offer| offer.standing.jobs()).sum(),
        hands: hands.filter(|(_, hands)| !hands.is_empty()).collect(),
        refused: offers.iter().filter_map(|(run, offer)| Some((run.clone(), offer.refusal()?))).collect(),
        played,
        per_minute: played as f64 * 60.0 / start.elapsed().as_secs_f64().max(1.0),
        draining: brake.is_raised(),
        now_ms: now_ms(),
        ..before.clone()
    }
}

async fn listen_to_runs(fleet: Fleet, shared: Arc<Shared>) {
    let Ok(mut runs) = fleet.client().subscribe(subjects::RUNS).await else { return };
    let _ = fleet.client().publish(subjects::ASK, Bytes::new()).await;
    while let Some(message) = runs.next().await {
        if let Ok(status) = serde_json::from_slice(&message.payload) {
            shared.update_offer(&status);
        }
    }
}

/// Raises the brake when the worker is asked to drain.
async fn listen_to_drain(fleet: Fleet, name: String, brake: Brake) {
    let Ok(mut orders) = fleet.client().subscribe(subjects::drain(&name)).await else { return };
    while let Some(message) = orders.next().await {
        brake.finish();
        if let Some(reply) = message.reply {
            let _ = fleet.client().publish(reply, Bytes::from_static(b"draining")).await;
        }
    }
}
