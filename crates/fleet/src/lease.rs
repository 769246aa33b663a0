//! A worker's side of a run's queue.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agon_arena::runner::queue::{GameJob, Lease, Take, Taken};
use agon_arena::runner::{PlayedSlot, RunError};
use agon_arena::slot::Slot;
use agon_game::{GameState, Interaction, Side};
use agon_referee::bout::{Played, Spectator};
use agon_referee::process::interrupted;
use agon_referee::signing::PublicKey;
use async_nats::{HeaderMap, Message};
use bytes::Bytes;
use futures_util::FutureExt as _;
use serde::Serialize;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::connect::Fleet;
use crate::delivery;
use crate::keys::{self, Kind};
use crate::lock::lock;
use crate::subjects::{self, Verb};
use crate::timing::Timing;
use crate::wire::{self, Began, EndForm, GameTerms, JobForm, KeepForm, MoveNews, ResultForm, TakeForm};

/// Number of times a job is returned to a coordinator that does not answer. After that it waits until the lease ends.
const END_ATTEMPTS: usize = 3;

/// The state of a run at a worker that plays for it; shared by the worker's slots.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    /// True if no further job may start.
    ended: AtomicBool,
    /// Reason why this machine could not play a job.
    trouble: Mutex<Option<String>>,
    hands: Mutex<Vec<u32>>,
    /// The number of jobs with these slots.
    jobs: AtomicUsize,
    /// For each game by the clock, whether the machine has disturbed it.
    timed: Mutex<Vec<bool>>,
}

impl Standing {
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.load(Ordering::SeqCst)
    }

    /// No further job may begin.
    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::SeqCst);
    }

    pub(crate) fn hands(&self) -> Vec<u32> {
        lock(&self.hands).clone()
    }

    pub(crate) fn jobs(&self) -> usize {
        self.jobs.load(Ordering::Relaxed)
    }

    pub(crate) fn take_trouble(&self) -> Option<String> {
        lock(&self.trouble).take()
    }

    /// For each game by the clock since the last call, whether the machine has disturbed it.
    pub(crate) fn take_timed(&self) -> Vec<bool> {
        std::mem::take(&mut *lock(&self.timed))
    }

    fn set_trouble(&self, why: String) {
        *lock(&self.trouble) = Some(why);
    }

    fn hold(&self, job: &GameJob) {
        let mut hands = lock(&self.hands);
        self.jobs.fetch_add(1, Ordering::Relaxed);
        hands.extend(job.slots.iter().map(|slot| slot.number));
    }

    fn let_go(&self, job: &GameJob) {
        let mut hands = lock(&self.hands);
        self.jobs.fetch_sub(1, Ordering::Relaxed);
        hands.retain(|number| job.slots.iter().all(|slot| slot.number != *number));
    }
}

/// Owner of the jobs a worker plays.
#[derive(Clone, Debug)]
pub(crate) struct Author {
    pub key: PublicKey,
    /// The coordinator's session.
    pub revision: String,
}

/// The jobs of one run, as one slot of a worker takes them.
pub struct RunJobs {
    side: RunSide,
    agents: usize,
    standing: Arc<Standing>,
    /// Signer of the jobs; not checked if `None`.
    author: Option<Author>,
    /// Terms of the last job taken.
    terms: Option<GameTerms>,
}

/// A worker, as it speaks to the coordinator of a run.
#[derive(Clone)]
struct RunSide {
    fleet: Fleet,
    run: String,
    worker: String,
    timing: Timing,
}

impl RunSide {
    /// A request that this worker has signed: its subject, headers and content.
    fn signed(&self, verb: Verb, form: &impl Serialize) -> (String, HeaderMap, Bytes) {
        let identity = self.fleet.identity();
        let (subject, payload) = (subjects::to_run(&identity.user, verb, &self.run), wire::json(form));
        let headers = identity.sign(Kind::Request, &subject, &payload);
        (subject, headers, payload)
    }

    /// Publishes a message without an answer.
    async fn publish(&self, verb: Verb, form: &impl Serialize) {
        // While the server is away, the client would buffer messages and send them all at once later.
        if self.fleet.is_connected() {
            let (subject, headers, payload) = self.signed(verb, form);
            let _ = self.fleet.client().publish_with_headers(subject, headers, payload).await;
        }
    }

    /// Reports from time to time that a job is being played.
    fn keep(&self, job: &str) -> JoinHandle<()> {
        let (side, form) = (self.clone(), KeepForm { worker: self.worker.clone(), job: job.to_owned() });
        self.fleet.spawn(async move {
            let mut ticks = interval(side.timing.keep);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            // The first tick fires immediately.
            ticks.tick().await;
            loop {
                ticks.tick().await;
                side.publish(Verb::Keep, &form).await;
            }
        })
    }
}

impl RunJobs {
    /// Returns the jobs of this run, for this worker; `agents` is the number in the plan. It accepts jobs whoever has
    /// signed them, so it is meant for observers that do not play programs.
    pub fn new(fleet: &Fleet, run: &str, worker: &str, agents: usize, timing: &Timing) -> Self {
        Self::shared(fleet, run, worker, agents, timing.clone(), Arc::default(), None)
    }

    pub(crate) fn shared(
        fleet: &Fleet,
        run: &str,
        worker: &str,
        agents: usize,
        timing: Timing,
        standing: Arc<Standing>,
        author: Option<Author>,
    ) -> Self {
        let (run, worker) = (run.to_owned(), worker.to_owned());
        let side = RunSide { fleet: fleet.clone(), run, worker, timing };
        Self { side, agents, standing, author, terms: None }
    }

    /// A job in a message, if it belongs to this run and to this start of its coordinator.
    fn read(&self, message: &Message) -> Option<(GameJob, JobForm)> {
        if let Some(author) = &self.author
            && keys::signer(Kind::Job, message) != Ok(author.key)
        {
            return None;
        }
        let (job, form) = wire::read_job(&message.payload, self.agents)?;
        let is_current = self.author.as_ref().is_none_or(|author| author.revision == form.revision);
        (form.run == self.side.run && is_current).then_some((job, form))
    }

    /// Returns the terms of the last job taken, if its run has no plan.
    pub(crate) fn terms(&mut self) -> Option<GameTerms> {
        self.terms.take()
    }
}

impl Take for RunJobs {
    fn take(&mut self, wait: Duration) -> Taken {
        if self.standing.has_ended() {
            return Taken::Ended;
        }
        let side = &self.side;
        let form = TakeForm { worker: side.worker.clone(), wait_ms: wait.as_millis() as u64 };
        let (subject, headers, payload) = side.signed(Verb::Take, &form);
        // Even if the run ends meanwhile: its coordinator may just have handed out a job, and would wait for it until
        // its lease ends.
        let answer = side.fleet.wait(side.fleet.request(subject, headers, payload, wait + side.timing.answer));
        let Ok(message) = answer else {
            // Its coordinator may be about to come back.
            std::thread::sleep(wait.min(side.timing.retry));
            return Taken::Nothing;
        };
        let Some((job, form)) = self.read(&message) else { return Taken::Nothing };
        self.terms.clone_from(&form.game);
        self.standing.hold(&job);
        Taken::Job(Box::new(NatsLease {
            heartbeat: self.side.keep(&form.job),
            side: self.side.clone(),
            standing: Arc::clone(&self.standing),
            shown: form.game.is_some(),
            job,
            form,
            reported: 0,
            sent: Vec::new(),
        }))
    }
}

struct NatsLease {
    side: RunSide,
    standing: Arc<Standing>,
    job: GameJob,
    form: JobForm,
    heartbeat: JoinHandle<()>,
    /// True if its moves are published as they are played.
    shown: bool,
    /// Number of slots whose results have been sent.
    reported: usize,
    /// Whether the coordinator has each result.
    sent: Vec<oneshot::Receiver<bool>>,
}

impl NatsLease {
    /// The ticket of a slot of the job.
    fn ticket(&self, slot: u32) -> String {
        let found = self.form.slots.iter().find(|form| form.number == slot);
        found.map(|form| form.ticket.clone()).unwrap_or_default()
    }

    fn send(&mut self, slot: u32, payload: Vec<u8>, failed: bool) {
        let RunSide { fleet, run, worker, timing } = &self.side;
        let (job, ticket) = (self.form.job.clone(), self.ticket(slot));
        let form = ResultForm { worker: worker.clone(), slot, job, ticket, part: None, failed };
        let standing = Arc::clone(&self.standing);
        self.sent.push(delivery::send(fleet, timing, run, form, payload, move || standing.has_ended()));
        self.reported += 1;
    }

    /// Waits until the coordinator has every result, or has been away for a while. Whether it has all.
    fn arrived(&mut self) -> bool {
        let sent = std::mem::take(&mut self.sent);
        self.side.fleet.wait(async {
            let mut all = true;
            for sent in sent {
                all &= sent.await.unwrap_or(false);
            }
            all
        })
    }

    /// Returns the rest of the job.
    fn end(&self, delay: Duration) {
        let RunSide { fleet, worker, timing, .. } = &self.side;
        let delay_ms = delay.as_millis() as u64;
        let form = EndForm { worker: worker.clone(), job: self.form.job.clone(), delay_ms };
        fleet.wait(async {
            for _ in 0..END_ATTEMPTS {
                let (subject, headers, payload) = self.side.signed(Verb::End, &form);
                let answer = fleet.request(subject, headers, payload, timing.answer).await;
                if answer.is_ok() || interrupted() {
                    return;
                }
                sleep(timing.retry).await;
            }
        });
    }
}

impl Lease for NatsLease {
    fn job(&self) -> &GameJob {
        &self.job
    }

    fn deliveries(&self) -> u32 {
        self.form.deliveries
    }

    fn elsewhere(&self) -> bool {
        true
    }

    fn withdrawn(&self) -> bool {
        self.standing.has_ended()
    }

    fn began(&mut self, slot: &Slot) {
        let began = Began { worker: self.side.worker.clone(), slot: slot.number, job: self.form.job.clone() };
        // The message may be lost: it names the slot's other candidates if this worker does not end it.
        self.side.fleet.wait(self.side.publish(Verb::Began, &began));
    }

    fn spectator(&self, slot: &Slot) -> Box<dyn Spectator> {
        if !self.shown {
            return Box::new(());
        }
        let fleet = self.side.fleet.clone();
        let subject = subjects::to_run(&fleet.identity().user, Verb::Move, &self.side.run);
        let (job, ticket) = (self.form.job.clone(), self.ticket(slot.number));
        Box::new(MovePublisher { fleet, subject, slot: slot.number, job, ticket, number: 0, silent: false })
    }

    fn played(&mut self, game: PlayedSlot) {
        if !game.alike {
            let mut timed = lock(&self.standing.timed);
            timed.push(game.summary.disturbed != [0; 2]);
        }
        self.send(game.summary.slot, game.record, false);
    }

    fn done(mut self: Box<Self>) {
        // A job ends with its last result; one without results is handed out again.
        if self.arrived() && self.reported < self.job.slots.len() {
            self.end(Duration::ZERO);
        }
    }

    fn put_back(mut self: Box<Self>, delay: Duration, why: Option<RunError>) {
        if let Some(error) = why {
            self.standing.set_trouble(error.to_string());
        }
        self.arrived();
        self.end(delay);
    }

    fn refuse(mut self: Box<Self>, slot: u32, error: RunError) {
        self.send(slot, error.to_string().into_bytes(), true);
        if self.arrived() && self.reported < self.job.slots.len() {
            self.end(Duration::ZERO);
        }
    }
}

/// Publishes the moves of a game as they are played, only for spectators.
struct MovePublisher {
    fleet: Fleet,
    subject: String,
    slot: u32,
    job: String,
    ticket: String,
    number: u32,
    /// True if the game is played per action: such moves cannot be replayed from the published data.
    silent: bool,
}

impl MovePublisher {
    fn publish(&mut self, side: Side, arguments: &str, wall: Duration, clocks: [Duration; 2]) {
        if self.silent {
            return;
        }
        let us = |time: Duration| time.as_micros() as u64;
        let news = MoveNews {
            slot: self.slot,
            job: self.job.clone(),
            ticket: self.ticket.clone(),
            number: self.number,
            side: side.index(),
            arguments: arguments.to_owned(),
            wall_us: us(wall),
            clocks_us: clocks.map(us),
        };
        self.number += 1;
        // The client has a buffer: the judge, whose clock runs, does not wait for the network.
        let _ = self.fleet.client().publish(self.subject.clone(), wire::json(&news)).now_or_never();
    }
}

impl Spectator for MovePublisher {
    fn started(&mut self, state: &dyn GameState, clocks: [Duration; 2]) {
        self.silent = state.interaction() != Interaction::Session;
        self.publish(Side::First, "", Duration::ZERO, clocks);
    }

    fn moved(&mut self, _state: &dyn GameState, played: &Played) {
        self.publish(played.side, &played.arguments, played.moment.wall, played.clocks);
    }
}

impl Drop for NatsLease {
    fn drop(&mut self) {
        self.heartbeat.abort();
        self.standing.let_go(&self.job);
    }
}
