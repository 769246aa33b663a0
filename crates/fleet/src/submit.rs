//! The coordinator's side of a run's queue.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agon_arena::Plan;
use agon_arena::runner::queue::{GameJob, MOST_DELIVERIES, SlotReply, Submit};
use agon_arena::runner::{Arrivals, Brake, PlayedSlot, RunError, RunEvent};
use agon_arena::slot::Slot;
use agon_arena::store::Quarantine;
use agon_referee::process::interrupted;
use agon_referee::signing::PrivateKey;
use async_nats::HeaderMap;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use bytes::Bytes;
use futures_util::StreamExt as _;
use serde::Deserialize;
use tokio::io::AsyncReadExt as _;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::audit::{AuditResult, AuditSample, Comparisons, FALSE_ALARM, MOST_REFUSED, MOST_TRIES, Prover};
use crate::connect::Fleet;
use crate::error::FleetError;
use crate::notice::{RunNotice, RunStatus, WorkerStatus, now_ms};
use crate::overview::DeadJob;
use crate::presence::{Presence, SILENCE};
use crate::publish::{object_until_kept, until_kept};
use crate::wire::{self, Began, Content, SlotResult};
use crate::{identity, programs, subjects};

/// How long the coordinator waits for news before it looks whether it is to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// How often a run tells how it stands.
const BEAT: Duration = Duration::from_secs(1);

/// The pause after an answer to somebody who asks.
const ASKED: Duration = Duration::from_millis(20);

/// How long nothing may happen before the user is told why.
const IDLE: Duration = Duration::from_secs(3);

/// How long a result may be on its way after its worker has let go of the job.
const ON_ITS_WAY: Duration = Duration::from_secs(2);

/// How long a job should take: long beside what handing it out costs, short beside what is lost with a worker.
const JOB_TIME: Duration = Duration::from_millis(250);

/// What a game costs at least, whatever its agents do.
const LEAST_GAME_MS: f64 = 0.3;

/// The most slots of a job.
const MOST_SLOTS: usize = 64;

/// The fewest slots that are handed out at once: as many as some workers have that have not been heard of yet.
const FEWEST_OUT: usize = 32;

/// The most results that are delivered and not stored.
const RESULTS_PENDING: i64 = 100_000;

/// How many results are asked for at once.
const RESULTS_BATCH: usize = 256;

/// How long the results that an earlier coordinator has left may take to arrive.
const LEFT_WAIT: Duration = Duration::from_secs(3);

/// How long the server may take to end a run.
const FAREWELL: Duration = Duration::from_secs(3);

/// The pause before something is tried again.
const AGAIN: Duration = Duration::from_millis(250);

/// What a run asks of the workers who play it.
#[derive(Clone, Debug)]
pub struct RunTerms {
    pub processors: usize,
    /// Labels that a worker must have.
    pub labels: Vec<String>,
    /// How long a worker may be silent before its job is handed out again.
    pub ack_wait: Duration,
    /// The key by which records are signed when they have been proved, if any.
    pub sign: Option<PrivateKey>,
    /// Which share of the games is played again, to find out workers whose games are others than they say.
    pub audit: f64,
}

/// The share of games that is usually played again.
pub const USUAL_AUDIT: f64 = 0.02;

impl Default for RunTerms {
    fn default() -> Self {
        Self { processors: 1, labels: Vec::new(), ack_wait: Duration::from_secs(15), sign: None, audit: USUAL_AUDIT }
    }
}

/// The coordinator's side of a run's queue.
pub struct FleetQueue {
    fleet: Fleet,
    plan: Plan,
    run: String,
    session: String,
    brake: Brake,
    events: Sender<RunEvent>,
    news: Receiver<News>,
    shared: Arc<Mutex<Shared>>,
    tasks: Vec<JoinHandle<()>>,
    arrivals: Arrivals,
    out: HashMap<u32, Out>,
    /// Results of slots that have not been handed out since the coordinator was started.
    early: HashMap<u32, (SlotResult, Message)>,
    /// The highest slot that has been handed out.
    highest: Option<u32>,
    /// Replies that wait to be taken.
    ready: VecDeque<SlotReply>,
    /// Results that are not stored yet.
    unstored: HashMap<u32, Message>,
    workers: BTreeMap<String, usize>,
    /// How many records of each worker have been refused.
    refused: HashMap<String, u32>,
    sample: AuditSample,
    prover: Prover,
    /// Games that are stored and played again elsewhere.
    second: HashMap<u32, Second>,
    comparisons: Comparisons,
    /// Disturbed games that are played again elsewhere.
    held: HashMap<u32, Held>,
    /// The workers whose games count no longer, and why.
    quarantined: BTreeMap<String, String>,
    /// Those among them of whom the coordinator has not been told.
    found_out: Vec<Quarantine>,
    /// How many jobs have been handed out.
    submitted: u64,
    /// The mean time of a game, in milliseconds.
    game_ms: Option<f64>,
    withdrawn: Option<Instant>,
    last_news: Instant,
    /// What the user was told last of why nothing happens.
    told: Option<String>,
    complete: bool,
}

/// A slot that is handed out.
struct Out {
    slot: Slot,
    job: u64,
    worker: Option<String>,
    /// Since when that worker is known not to hold it any longer.
    let_go: Option<Instant>,
}

/// A game by the clock that is played again elsewhere, to be compared.
struct Second {
    slot: Slot,
    worker: String,
    /// Points of the agent that has the lower place in the plan.
    points: f64,
}

/// A game whose clocks were disturbed. It counts if no better one comes.
struct Held {
    worker: String,
    game: PlayedSlot,
    /// How often the slot has been played.
    tries: u32,
}

/// What the tasks that speak with the server share with the coordinator.
struct Shared {
    presence: Presence,
    status: RunStatus,
}

/// What the server has told.
enum News {
    Result(SlotResult, Box<Message>),
    Began(Began),
    /// A game of a worker has been played again here.
    Proved(AuditResult),
    /// A job has been handed out too often; its place in the stream.
    GivenUp(u64),
    Trouble(String),
}

/// What the server says of a job that was handed out too often.
#[derive(Deserialize)]
pub(crate) struct Advisory {
    pub stream_seq: u64,
}

impl FleetQueue {
    /// Opens the queue of a plan whose games are kept in this store, and announces the run to all workers. What was handed
    /// out by a coordinator that is gone is taken back; what was played for it counts.
    ///
    /// # Errors
    /// [`FleetError`] when the server refuses something, or other machines cannot play one of the agents.
    pub fn open(
        fleet: &Fleet,
        plan: &Plan,
        store: &Path,
        terms: RunTerms,
        brake: &Brake,
        events: &Sender<RunEvent>,
    ) -> Result<Self, FleetError> {
        let RunTerms { processors, labels, ack_wait, sign, audit } = terms;
        let arrivals = Arrivals::new(plan, sign).map_err(|error| fleet.refused("get a plan", &error))?;
        let (run, session) = (identity::run(&plan.digest(), store), identity::random());
        let notice = RunNotice {
            run: run.clone(),
            revision: session.clone(),
            plan: plan.clone(),
            agents: programs::send(fleet, plan)?,
            agon: identity::VERSION.to_owned(),
            data: identity::data_digest().to_owned(),
            processors,
            labels,
            languages: None,
            ack_wait_ms: ack_wait.as_millis() as u64,
        };
        let left = fleet.wait(announce(fleet, &notice, ack_wait))?;
        let status = RunStatus {
            run: run.clone(),
            revision: session.clone(),
            host: identity::host(),
            title: plan.title().to_owned(),
            game: plan.game.name().to_owned(),
            agents: plan.agents.iter().map(|agent| agent.name.clone()).collect(),
            played: 0,
            games: plan.bouts(),
            out: 0,
            per_minute: 0.0,
            faults: Vec::new(),
            quarantined: Vec::new(),
            audits: BTreeMap::new(),
            ended: false,
            now_ms: now_ms(),
        };
        let shared = Arc::new(Mutex::new(Shared { presence: Presence::default(), status }));
        let (sender, news) = mpsc::channel();
        let proofs = sender.clone();
        let prover = Prover::new(plan, audit, move |proof| drop(proofs.send(News::Proved(proof))));
        let tasks = vec![
            fleet.spawn(results(fleet.clone(), run.clone(), sender.clone())),
            fleet.spawn(hear(fleet.clone(), run.clone(), Arc::clone(&shared), sender)),
            fleet.spawn(tell(fleet.clone(), run.clone(), Arc::clone(&shared))),
        ];
        let mut queue = Self {
            fleet: fleet.clone(),
            plan: plan.clone(),
            run,
            session,
            brake: brake.clone(),
            events: events.clone(),
            news,
            shared,
            tasks,
            arrivals,
            out: HashMap::new(),
            early: HashMap::new(),
            highest: None,
            ready: VecDeque::new(),
            unstored: HashMap::new(),
            workers: BTreeMap::new(),
            refused: HashMap::new(),
            sample: AuditSample::new(audit),
            prover,
            second: HashMap::new(),
            comparisons: Comparisons::new(FALSE_ALARM, usize::MAX),
            held: HashMap::new(),
            quarantined: BTreeMap::new(),
            found_out: Vec::new(),
            submitted: 0,
            game_ms: None,
            withdrawn: None,
            last_news: Instant::now(),
            told: None,
            complete: false,
        };
        queue.take_left(left);
        Ok(queue)
    }

    /// Takes in so many results that were left by an earlier coordinator, so that they are not played again.
    fn take_left(&mut self, left: u64) {
        let until = Instant::now() + LEFT_WAIT;
        while (self.early.len() as u64) < left
            && let Ok(news) = self.news.recv_timeout(until.saturating_duration_since(Instant::now()))
        {
            self.take(news);
        }
    }

    /// The name of the run.
    pub fn run(&self) -> &str {
        &self.run
    }

    /// Says that all has been played, so that nothing need be kept for a later start.
    pub fn complete(&mut self) {
        self.complete = true;
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remark(&self, text: String) {
        self.shared().status.fault(text.clone());
        let _ = self.events.send(RunEvent::Remark(text));
    }

    /// Sends a job, for all workers or for all but one. Whether the server has it.
    fn send(&mut self, job: &GameJob, not_by: Option<&str>) -> bool {
        self.submitted += 1;
        let name = format!("{}.{}.{}", self.run, self.session, self.submitted);
        let (payload, brake) = (wire::write_job(job), &self.brake);
        self.fleet.wait(until_kept(
            self.fleet.context(),
            &subjects::jobs(&self.run),
            wire::job_headers(not_by),
            &name,
            payload,
            || brake.is_raised(),
        ))
    }

    /// Hands out slots as a job; what the server has not got is answered at once.
    fn hand_out(&mut self, slots: Vec<Slot>, not_by: Option<&str>) {
        let job = GameJob { slots };
        let sent = self.withdrawn.is_none() && self.send(&job, not_by);
        for slot in job.slots {
            if sent {
                self.out.insert(slot.number, Out { slot, job: self.submitted, worker: None, let_go: None });
            } else {
                self.give_back(slot.number);
            }
        }
    }

    /// A slot is not going to be played any more: answers by the disturbed game of it, if there is one.
    fn give_back(&mut self, slot: u32) {
        self.out.remove(&slot);
        let reply = match self.held.remove(&slot) {
            Some(Held { worker, game, .. }) if !self.is_shut_out(&worker) => {
                SlotReply::Played { worker: self.worker(&worker), game }
            }
            _ => SlotReply::Dropped { slot },
        };
        self.ready.push_back(reply);
    }

    fn worker(&mut self, name: &str) -> usize {
        let next = self.workers.len();
        *self.workers.entry(name.to_owned()).or_insert(next)
    }

    fn take(&mut self, news: News) {
        match news {
            News::Result(result, message) if self.out.contains_key(&result.slot) => self.result(result, *message),
            News::Result(result, message) if self.second.contains_key(&result.slot) => self.compare(result, &message),
            // It was handed out by an earlier coordinator; slots are handed out in their order.
            News::Result(result, message) if self.highest.is_none_or(|highest| result.slot > highest) => {
                self.early.insert(result.slot, (result, *message));
            }
            // Played twice: the first result counts. What is on its way when the run is stopped is left to the next start.
            News::Result(_, message) if self.withdrawn.is_none() => self.acknowledge(&message),
            News::Result(..) => {}
            News::Began(Began { worker, slot }) => {
                let number = self.worker(&worker);
                let Some(out) = self.out.get(&slot) else { return };
                let (slot, job) = (out.slot, out.job);
                let _ = self.events.send(RunEvent::Started { worker: number, slot });
                for other in self.out.values_mut().filter(|other| other.job == job) {
                    other.worker = Some(worker.clone());
                }
            }
            News::Proved(proof) => {
                self.prover.proved();
                self.count_audit(&proof.worker, proof.differs.is_some());
                if let Some(differs) = proof.differs {
                    self.quarantine(&proof.worker, differs);
                }
            }
            News::GivenUp(place) => self.give_up(place),
            News::Trouble(text) => self.remark(text),
        }
    }

    /// The result of a slot that is handed out.
    fn result(&mut self, result: SlotResult, message: Message) {
        let number = result.slot;
        let slot = self.out[&number].slot;
        let packed = match result.content {
            Content::Failed(_) if self.is_shut_out(&result.worker) => {
                self.acknowledge(&message);
                return self.hand_out(vec![slot], None);
            }
            Content::Failed(reason) => {
                self.acknowledge(&message);
                self.out.remove(&number);
                self.bury(vec![number], reason.clone());
                let error = RunError::Refused { slot: number, reason };
                return self.ready.push_back(SlotReply::Failed { slot: number, error });
            }
            Content::Record(record) => Some(record),
            Content::Object(name) => self.fleet.wait(fetch(&self.fleet, &name)),
        };
        let taken = match &packed {
            Some(_) if self.is_shut_out(&result.worker) => Err("its worker is shut out".to_owned()),
            Some(packed) => self.arrivals.take(&slot, packed).map_err(|error| error.to_string()),
            None => Err("it cannot be found in the object store".to_owned()),
        };
        match taken {
            Ok(game) => {
                self.learn(&game);
                if self.is_to_be_played_better(&result.worker, &game) {
                    self.acknowledge(&message);
                    return self.play_elsewhere(slot, &result.worker, game);
                }
                self.out.remove(&number);
                self.held.remove(&number);
                self.unstored.insert(number, message);
                self.audit(slot, &result.worker, &game);
                let worker = self.worker(&result.worker);
                self.ready.push_back(SlotReply::Played { worker, game });
            }
            Err(problem) => {
                self.acknowledge(&message);
                self.distrust(&result.worker, number, &problem);
                self.hand_out(vec![slot], None);
            }
        }
    }

    /// A worker has sent a record that does not hold. After some of them none of its games counts: a machine that is broken, or
    /// lies, is to play no more.
    fn distrust(&mut self, worker: &str, slot: u32, problem: &str) {
        if self.is_shut_out(worker) {
            return;
        }
        let count = self.refused.entry(worker.to_owned()).or_insert(0);
        *count += 1;
        let enough = *count >= MOST_REFUSED;
        self.remark(format!("the record of game {slot} from worker {worker} is refused: {problem}"));
        if enough {
            self.quarantine(worker, format!("{MOST_REFUSED} of its records were refused"));
        }
    }

    /// None of a worker's games counts any longer, and it is told to go.
    fn quarantine(&mut self, worker: &str, why: String) {
        if self.is_shut_out(worker) {
            return;
        }
        self.remark(format!(
            "worker {worker} is in quarantine: {why}; it is told to go, and its games are played again by others"
        ));
        self.found_out.push(Quarantine { worker: worker.to_owned(), why: why.clone() });
        self.shut_out(worker, why);
        self.comparisons.forget(worker);
        self.second.retain(|_, second| second.worker != worker);
    }

    fn shut_out(&mut self, worker: &str, why: String) {
        let told = self.fleet.client().publish(subjects::drain(worker), Bytes::new());
        let _ = self.fleet.wait(told);
        self.shared().status.quarantined.push(Quarantine { worker: worker.to_owned(), why: why.clone() });
        self.quarantined.insert(worker.to_owned(), why);
    }

    /// Whether no game of a worker counts any longer.
    fn is_shut_out(&self, worker: &str) -> bool {
        self.quarantined.contains_key(worker)
    }

    /// Whether somebody else than this worker could play a game of the run.
    fn others(&self, worker: &str) -> bool {
        let shared = self.shared();
        let willing = |status: &&WorkerStatus| {
            status.worker != worker
                && !status.draining
                && !status.refused.contains_key(&self.run)
                && !self.is_shut_out(&status.worker)
        };
        shared.presence.present().any(|status| willing(&status))
    }

    /// Whether a game is to be played once more: its machine has falsified its clocks, and another one may not.
    fn is_to_be_played_better(&self, worker: &str, game: &PlayedSlot) -> bool {
        let tries = self.held.get(&game.summary.slot).map_or(0, |held| held.tries) + 1;
        !game.alike
            && game.summary.disturbed != [0; 2]
            && tries < MOST_TRIES
            && self.withdrawn.is_none()
            && self.others(worker)
    }

    /// Has a disturbed game played again by others.
    fn play_elsewhere(&mut self, slot: Slot, worker: &str, game: PlayedSlot) {
        let tries = self.held.get(&slot.number).map_or(0, |held| held.tries) + 1;
        self.held.insert(slot.number, Held { worker: worker.to_owned(), game, tries });
        self.hand_out(vec![slot], Some(worker));
    }

    /// Has a game played again if it is drawn: here if every machine plays it alike, else by another worker.
    fn audit(&mut self, slot: Slot, worker: &str, game: &PlayedSlot) {
        if self.withdrawn.is_some() || !self.sample.draws(worker) {
            return;
        }
        if game.alike {
            self.prover.prove(worker, slot, game);
        } else if let Some(points) = points(game)
            && self.others(worker)
            && self.send(&GameJob { slots: vec![slot] }, Some(worker))
        {
            self.second.insert(slot.number, Second { slot, worker: worker.to_owned(), points });
        }
    }

    /// A game has been played again elsewhere: compares its result with the one that is stored.
    fn compare(&mut self, result: SlotResult, message: &Message) {
        self.acknowledge(message);
        let Some(Second { slot, worker, points: first }) = self.second.remove(&result.slot) else { return };
        if result.worker == worker || self.is_shut_out(&result.worker) {
            return;
        }
        let packed = match result.content {
            Content::Record(record) => Some(record),
            Content::Object(name) => self.fleet.wait(fetch(&self.fleet, &name)),
            Content::Failed(_) => None,
        };
        let Some(packed) = packed else { return };
        match self.arrivals.take(&slot, &packed) {
            Ok(game) => {
                if let Some(second) = points(&game) {
                    self.count_audit(&worker, first.to_bits() != second.to_bits());
                    self.comparisons.add(&worker, first, &result.worker, second);
                }
            }
            Err(error) => return self.distrust(&result.worker, slot.number, &error.to_string()),
        }
        if let Some((outlier, games)) = self.comparisons.outlier() {
            let (outlier, games) = (outlier.to_owned(), games);
            let why =
                format!("its results are others than those of the rest of the fleet in {games} games that both played");
            self.quarantine(&outlier, why);
        }
    }

    /// A game of a worker has been played again.
    fn count_audit(&self, worker: &str, differed: bool) {
        self.shared().status.audits.entry(worker.to_owned()).or_default().add(differed);
    }

    fn learn(&mut self, game: &PlayedSlot) {
        let took = game.summary.time_ms.iter().sum::<f64>() + LEAST_GAME_MS;
        self.game_ms = Some(self.game_ms.map_or(took, |mean| mean + (took - mean) / 16.0));
    }

    /// A job has been handed out too often. Several slots get another chance, each alone: one of them may be to blame.
    fn give_up(&mut self, place: u64) {
        let found = self.fleet.wait(async {
            let stream = self.fleet.context().get_stream(subjects::JOBS).await.ok()?;
            let message = stream.get_raw_message(place).await.ok()?;
            let _ = stream.delete_message(place).await;
            wire::read_job(&message.payload, self.plan.agents.len())
        });
        let Some(job) = found else { return };
        let mut slots = job.slots;
        // What is played twice need not be, and a disturbed game is better than none.
        for slot in &slots {
            self.second.remove(&slot.number);
            if self.held.get(&slot.number).is_some_and(|held| !self.is_shut_out(&held.worker)) {
                self.give_back(slot.number);
            }
        }
        slots.retain(|slot| self.out.contains_key(&slot.number));
        if slots.len() > 1 {
            return slots.into_iter().for_each(|slot| self.hand_out(vec![slot], None));
        }
        for slot in slots {
            let slot = slot.number;
            let error = RunError::GivenUp { slot, deliveries: MOST_DELIVERIES };
            self.out.remove(&slot);
            self.bury(vec![slot], error.to_string());
            self.ready.push_back(SlotReply::Failed { slot, error });
        }
    }

    /// Keeps a job that was given up, to be shown.
    fn bury(&self, slots: Vec<u32>, why: String) {
        let (run, game) = (self.run.clone(), self.plan.game.name().to_owned());
        let dead = DeadJob { run, game, slots, why, now_ms: now_ms() };
        let payload = Bytes::from(serde_json::to_vec(&dead).expect("a job can be written as JSON"));
        let subject = subjects::dead(&self.run);
        let name = identity::random();
        let kept = until_kept(self.fleet.context(), &subject, HeaderMap::new(), &name, payload, || true);
        self.fleet.wait(kept);
    }

    fn acknowledge(&self, message: &Message) {
        // One that is lost is delivered again, and known to be stored.
        let _ = self.fleet.wait(message.ack());
    }

    /// What is never going to be played any more once the queue is withdrawn.
    fn abandon(&mut self, withdrawn: Instant) {
        let mut gone = Vec::new();
        let shared = Arc::clone(&self.shared);
        let shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
        for (number, out) in &mut self.out {
            let held = match &out.worker {
                None => Some(false),
                Some(worker) => shared.presence.holds(worker, &self.run, *number, withdrawn),
            };
            let over = match held {
                Some(true) => {
                    out.let_go = None;
                    false
                }
                // A beginning may be on its way, too.
                Some(false) => out.let_go.get_or_insert_with(Instant::now).elapsed() >= ON_ITS_WAY,
                None => withdrawn.elapsed() > SILENCE,
            };
            if over || interrupted() {
                gone.push(*number);
            }
        }
        drop(shared);
        for slot in gone {
            if self.out.contains_key(&slot) {
                self.give_back(slot);
            }
        }
    }

    /// Tells the user why nothing happens, once for each reason.
    fn explain(&mut self) {
        if self.last_news.elapsed() < IDLE || self.withdrawn.is_some() {
            return;
        }
        let why = self.why_idle();
        if why.is_some() && why != self.told {
            self.told.clone_from(&why);
            let _ = self.events.send(RunEvent::Remark(why.unwrap_or_default()));
        }
    }

    fn why_idle(&self) -> Option<String> {
        if self.fleet.client().connection_state() != async_nats::connection::State::Connected {
            return Some(format!("the NATS server at {} is away; the run goes on when it is back", self.fleet.at()));
        }
        let shared = self.shared();
        let mut refusals: Vec<String> = Vec::new();
        let mut willing = false;
        for status in shared.presence.present() {
            match status.refused.get(&self.run) {
                Some(why) => refusals.push(format!("{}: {why}", status.worker)),
                None => willing |= !status.draining,
            }
        }
        refusals.sort();
        match (willing, refusals.is_empty()) {
            (true, _) => None,
            (false, true) => {
                Some(format!("no worker is there; start some with `agon worker --nats {}`", self.fleet.at()))
            }
            (false, false) => Some(format!("no worker can play this run: {}", refusals.join("; "))),
        }
    }
}

impl Submit for FleetQueue {
    fn submit(&mut self, job: GameJob) -> Result<(), RunError> {
        let mut missing = Vec::new();
        for slot in job.slots {
            self.highest = self.highest.max(Some(slot.number));
            match self.early.remove(&slot.number) {
                Some((result, message)) => {
                    self.out.insert(slot.number, Out { slot, job: 0, worker: None, let_go: None });
                    self.result(result, message);
                }
                None => missing.push(slot),
            }
        }
        if !missing.is_empty() {
            self.hand_out(missing, None);
        }
        self.shared().status.out = self.out.len();
        Ok(())
    }

    fn replies(&mut self) -> Vec<SlotReply> {
        if self.ready.is_empty() {
            match self.news.recv_timeout(PATIENCE) {
                Ok(news) => {
                    self.last_news = Instant::now();
                    self.told = None;
                    self.take(news);
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => self.explain(),
            }
        }
        while let Ok(news) = self.news.try_recv() {
            self.take(news);
        }
        if let Some(withdrawn) = self.withdrawn {
            self.abandon(withdrawn);
        }
        self.shared().status.out = self.out.len();
        self.ready.drain(..).collect()
    }

    fn stored(&mut self, slots: &[u32]) {
        for slot in slots {
            if let Some(message) = self.unstored.remove(slot) {
                self.acknowledge(&message);
            }
        }
        self.shared().status.played += slots.len() as u64;
    }

    fn withdraw(&mut self) {
        self.withdrawn = Some(Instant::now());
        self.second.clear();
        self.shared().status.ended = true;
        let run = self.run.clone();
        let told = serde_json::to_vec(&self.shared().status).expect("a status can be written as JSON");
        self.fleet.wait(async {
            let _ = self.fleet.client().publish(subjects::run(&run), told.into()).await;
            let _ = timeout(FAREWELL, purge(&self.fleet, subjects::JOBS, subjects::jobs(&run))).await;
        });
    }

    fn most(&self) -> usize {
        let slots = self.shared().presence.slots(&self.run);
        // What is being played, and as much again to be taken at once.
        (3 * slots * self.job_size()).max(FEWEST_OUT)
    }

    fn job_size(&self) -> usize {
        let Some(game_ms) = self.game_ms else { return 2 };
        let games = (JOB_TIME.as_secs_f64() * 1000.0 / game_ms) as usize;
        // Whole pairs.
        (games.min(MOST_SLOTS) / 2 * 2).max(2)
    }

    fn machine(&self, worker: usize) -> Option<String> {
        self.workers.iter().find(|(_, number)| **number == worker).map(|(name, _)| name.clone())
    }

    fn begin_with(&mut self, quarantined: Vec<Quarantine>) {
        for Quarantine { worker, why } in quarantined {
            self.shut_out(&worker, why);
        }
    }

    fn found_out(&mut self) -> Vec<Quarantine> {
        std::mem::take(&mut self.found_out)
    }

    fn unsettled(&self) -> bool {
        self.prover.pending() > 0 || !self.found_out.is_empty()
    }
}

/// Points of the agent that has the lower place in the plan; `None` of a void game.
fn points(game: &PlayedSlot) -> Option<f64> {
    let seat = usize::from(game.summary.seats[0] > game.summary.seats[1]);
    game.summary.halves().map(|halves| f64::from(halves[seat]) / 2.0)
}

impl Drop for FleetQueue {
    fn drop(&mut self) {
        self.tasks.iter().for_each(JoinHandle::abort);
        let mut status = self.shared().status.clone();
        (status.ended, status.now_ms) = (true, now_ms());
        let told = serde_json::to_vec(&status).expect("a status can be written as JSON");
        let farewell = async {
            let _ = self.fleet.client().publish(subjects::run(&self.run), told.into()).await;
            purge(&self.fleet, subjects::JOBS, subjects::jobs(&self.run)).await;
            if let Ok(stream) = self.fleet.context().get_stream(subjects::JOBS).await {
                let _ = stream.delete_consumer(&self.run).await;
            }
            if self.complete {
                purge(&self.fleet, subjects::RESULTS, subjects::results(&self.run)).await;
                if let Ok(stream) = self.fleet.context().get_stream(subjects::RESULTS).await {
                    let _ = stream.delete_consumer(&self.run).await;
                }
                if let Ok(objects) = self.fleet.objects().await {
                    let _ = objects.delete(subjects::notice(&self.run)).await;
                }
            }
            let _ = self.fleet.client().flush().await;
        };
        // What is left is found by the next start, or is too old one day.
        let _ = self.fleet.wait(async { timeout(FAREWELL, farewell).await });
    }
}

/// Puts the notice of a run where workers find it, and makes its queues, empty of jobs. How many results are left there.
pub(crate) async fn announce(fleet: &Fleet, notice: &RunNotice, ack_wait: Duration) -> Result<u64, FleetError> {
    let run = &notice.run;
    let text = serde_json::to_vec(notice).expect("a plan can be written as JSON");
    object_until_kept(&fleet.objects().await?, &subjects::notice(run), &text, || true).await;
    let queue = |subject: String, max_deliver: i64, ack_wait: Duration| pull::Config {
        durable_name: Some(run.clone()),
        filter_subject: subject,
        ack_policy: AckPolicy::Explicit,
        ack_wait,
        max_deliver,
        max_ack_pending: RESULTS_PENDING,
        // As many as there are workers may wait at the same time.
        max_waiting: 10_000,
        ..pull::Config::default()
    };
    let streams = fleet.context();
    // A queue of an earlier coordinator may have other limits, and keeps back for a while what it had delivered.
    for stream in [subjects::JOBS, subjects::RESULTS] {
        if let Ok(stream) = streams.get_stream(stream).await {
            let _ = stream.delete_consumer(run).await;
        }
    }
    purge(fleet, subjects::JOBS, subjects::jobs(run)).await;
    let config = queue(subjects::jobs(run), i64::from(MOST_DELIVERIES), ack_wait);
    let made = streams.create_consumer_on_stream(config, subjects::JOBS).await;
    made.map_err(|error| fleet.refused("make a queue of jobs", &error))?;
    let results = results_queue(fleet, run).await.map_err(|error| fleet.refused("make a queue of results", &error))?;
    Ok(results.cached_info().num_pending)
}

/// The queue of a run's results.
pub(crate) async fn results_queue(
    fleet: &Fleet,
    run: &str,
) -> Result<PullConsumer, async_nats::jetstream::stream::ConsumerError> {
    let config = pull::Config {
        durable_name: Some(run.to_owned()),
        filter_subject: subjects::results(run),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_secs(30),
        max_ack_pending: RESULTS_PENDING,
        ..pull::Config::default()
    };
    fleet.context().create_consumer_on_stream(config, subjects::RESULTS).await
}

pub(crate) async fn purge(fleet: &Fleet, stream: &str, subject: String) {
    if let Ok(stream) = fleet.context().get_stream(stream).await {
        let _ = stream.purge().filter(subject).await;
    }
}

/// The content of an object, which is then needed no longer.
pub(crate) async fn fetch(fleet: &Fleet, name: &str) -> Option<Bytes> {
    let objects = fleet.objects().await.ok()?;
    let mut content = Vec::new();
    objects.get(name).await.ok()?.read_to_end(&mut content).await.ok()?;
    let _ = objects.delete(name).await;
    Some(content.into())
}

/// Takes results from the server, for ever.
async fn results(fleet: Fleet, run: String, news: Sender<News>) {
    loop {
        if let Ok(consumer) = results_queue(&fleet, &run).await
            && let Ok(mut messages) = consumer
                .stream()
                .max_messages_per_batch(RESULTS_BATCH)
                .heartbeat(Duration::from_secs(5))
                .messages()
                .await
        {
            while let Some(Ok(message)) = messages.next().await {
                match wire::read_result(&message) {
                    Some(result) => {
                        if news.send(News::Result(result, Box::new(message))).is_err() {
                            return;
                        }
                    }
                    None => {
                        let _ = message.ack().await;
                        let _ = news.send(News::Trouble("a message among the results is none".to_owned()));
                    }
                }
            }
        }
        // The server was away, or has lost the queue.
        sleep(AGAIN).await;
    }
}

/// Hears what workers and the server tell, for ever.
async fn hear(fleet: Fleet, run: String, shared: Arc<Mutex<Shared>>, news: Sender<News>) {
    let client = fleet.client();
    let (Ok(mut workers), Ok(mut began), Ok(mut given_up)) = (
        client.subscribe(subjects::WORKERS).await,
        client.subscribe(subjects::began(&run)).await,
        client.subscribe(subjects::given_up(&run)).await,
    ) else {
        let _ = news.send(News::Trouble("nothing can be heard of the workers".to_owned()));
        return;
    };
    let _ = client.publish(subjects::ASK, Bytes::new()).await;
    loop {
        tokio::select! {
            Some(message) = workers.next() => {
                if let Ok(status) = serde_json::from_slice::<WorkerStatus>(&message.payload) {
                    let worker = status.worker.clone();
                    let is_back = {
                        let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
                        let known = |quarantine: &Quarantine| quarantine.worker == worker;
                        let is_back = !status.draining && shared.status.quarantined.iter().any(known);
                        shared.presence.heard(status);
                        is_back
                    };
                    // Started again under its name: nothing that it plays would count.
                    if is_back {
                        let _ = client.publish(subjects::drain(&worker), Bytes::new()).await;
                    }
                }
            }
            Some(message) = began.next() => {
                if let Ok(began) = serde_json::from_slice(&message.payload) {
                    let _ = news.send(News::Began(began));
                }
            }
            Some(message) = given_up.next() => {
                if let Ok(Advisory { stream_seq }) = serde_json::from_slice(&message.payload) {
                    let _ = news.send(News::GivenUp(stream_seq));
                }
            }
            else => return,
        }
    }
}

/// Tells how the run stands, every second and whenever somebody asks.
async fn tell(fleet: Fleet, run: String, shared: Arc<Mutex<Shared>>) {
    let client = fleet.client();
    let start = Instant::now();
    let Ok(mut asked) = client.subscribe(subjects::ASK).await else { return };
    loop {
        let status = {
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let status = &mut shared.status;
            status.now_ms = now_ms();
            status.per_minute = status.played as f64 * 60.0 / start.elapsed().as_secs_f64().max(1.0);
            status.clone()
        };
        let text = serde_json::to_vec(&status).expect("a status can be written as JSON");
        let _ = client.publish(subjects::run(&run), text.into()).await;
        match timeout(BEAT, asked.next()).await {
            // Many may ask at once.
            Ok(Some(_)) => sleep(ASKED).await,
            Ok(None) => return,
            Err(_) => {}
        }
    }
}
