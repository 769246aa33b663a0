//! A worker's side of a run's queue.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agon_arena::runner::queue::{GameJob, Lease, Take, Taken};
use agon_arena::runner::{PlayedSlot, RunError};
use agon_arena::slot::Slot;
use agon_game::hash::hex;
use agon_game::{GameState, Interaction, Side};
use agon_referee::bout::{Played, Spectator};
use agon_referee::process::interrupted;
use agon_referee::signing::PublicKey;
use async_nats::HeaderMap;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::{FutureExt as _, StreamExt as _};
use sha2::{Digest, Sha256};
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use crate::connect::Fleet;
use crate::keys::{self, Kind};
use crate::lock::lock;
use crate::publish::until_kept;
use crate::wire::{self, Began, GameTerms, JobForm, LongRecord, MoveNews, ResultForm};
use crate::{identity, subjects};

/// Room for the headers of a result in a message of maximal size.
const HEADER_BYTES: usize = 4096;

/// How often a job is acknowledged to a server that does not answer.
const ACK_ATTEMPTS: usize = 20;

/// The same after another connection: a server that answers only whom it gave the job does not know this one.
const ACK_ATTEMPTS_ELSEWHERE: usize = 2;

const RETRY_DELAY: Duration = Duration::from_millis(250);

/// After this time a job that is meant for other workers is delivered again.
const NOT_BY_DELAY: Duration = Duration::from_secs(3);

/// How long the server may answer after a request has expired.
const ANSWER_GRACE: Duration = Duration::from_secs(2);

/// The state of a run at a worker that plays for it; shared by its slots.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    /// Whether no further job is to begin.
    pub ended: AtomicBool,
    /// Why this machine could not play a job.
    trouble: Mutex<Option<String>>,
    hands: Mutex<Vec<u32>>,
    /// The number of jobs with these slots.
    jobs: AtomicUsize,
    /// For each game by the clock, whether the machine has disturbed it.
    timed: Mutex<Vec<bool>>,
}

impl Standing {
    pub fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }

    pub fn hands(&self) -> Vec<u32> {
        lock(&self.hands).clone()
    }

    pub fn jobs(&self) -> usize {
        self.jobs.load(Ordering::Relaxed)
    }

    pub fn take_trouble(&self) -> Option<String> {
        lock(&self.trouble).take()
    }

    /// For each game by the clock since the last call, whether the machine has disturbed it.
    pub fn take_timed(&self) -> Vec<bool> {
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

/// Whose jobs a worker plays.
#[derive(Clone, Debug)]
pub(crate) struct Author {
    pub key: PublicKey,
    /// The coordinator's session.
    pub revision: String,
}

/// The jobs of one run, as one slot of a worker takes them.
pub struct RunJobs {
    fleet: Fleet,
    run: String,
    worker: String,
    agents: usize,
    ack_wait: Duration,
    standing: Arc<Standing>,
    /// Who signs the jobs; no one is asked if `None`.
    author: Option<Author>,
    consumer: Option<PullConsumer>,
    /// The terms in the job that was taken last.
    terms: Option<GameTerms>,
}

impl RunJobs {
    /// The jobs of this run, for this worker; `agents` is how many the plan has. It takes jobs whoever has signed them,
    /// so it is for those who look at jobs and play no programs.
    pub fn new(fleet: &Fleet, run: &str, worker: &str, agents: usize, ack_wait: Duration) -> Self {
        Self::shared(fleet, run, worker, agents, ack_wait, Arc::default(), None)
    }

    pub(crate) fn shared(
        fleet: &Fleet,
        run: &str,
        worker: &str,
        agents: usize,
        ack_wait: Duration,
        standing: Arc<Standing>,
        author: Option<Author>,
    ) -> Self {
        let (run, worker) = (run.to_owned(), worker.to_owned());
        Self { fleet: fleet.clone(), run, worker, agents, ack_wait, standing, author, consumer: None, terms: None }
    }

    /// A job in a message, if it is one of this run, of this start of its coordinator.
    fn read(&self, message: &Message) -> Option<(GameJob, JobForm)> {
        if let Some(author) = &self.author
            && keys::signer(Kind::Job, message) != Ok(author.key)
        {
            return None;
        }
        let (job, form) = wire::read_job(&message.payload, self.agents)?;
        let is_current = self.author.as_ref().is_none_or(|author| author.revision == form.revision);
        (form.run == self.run && is_current).then_some((job, form))
    }

    /// The terms in the job that was taken last, if its run has no plan.
    pub(crate) fn terms(&mut self) -> Option<GameTerms> {
        self.terms.take()
    }

    /// One job, if there is one within this time. `Err` if the server has no such queue, or does not answer.
    async fn next(&mut self, wait: Duration) -> Result<Option<Message>, ()> {
        let consumer = match &self.consumer {
            Some(consumer) => consumer,
            None => {
                let found = self.fleet.context().get_consumer_from_stream(&self.run, subjects::JOBS).await;
                self.consumer.insert(found.map_err(drop)?)
            }
        };
        // Only one: from its delivery on the time of a job runs, whether or not it is being played.
        let asked = consumer.batch().max_messages(1).expires(wait).messages();
        let mut messages = asked.await.map_err(drop)?;
        match timeout(wait + ANSWER_GRACE, messages.next()).await {
            Ok(Some(Ok(message))) => Ok(Some(message)),
            Ok(Some(Err(_))) => Err(()),
            Ok(None) | Err(_) => Ok(None),
        }
    }
}

impl Take for RunJobs {
    fn take(&mut self, wait: Duration) -> Taken {
        if self.standing.has_ended() {
            return Taken::Ended;
        }
        let fleet = self.fleet.clone();
        let message = match fleet.wait(self.next(wait)) {
            Ok(Some(message)) => message,
            Ok(None) => return Taken::Nothing,
            Err(()) => {
                // Its coordinator may be about to make it again.
                self.consumer = None;
                std::thread::sleep(wait.min(RETRY_DELAY));
                return Taken::Nothing;
            }
        };
        let Some((job, form)) = self.read(&message) else {
            let _ = fleet.wait(message.ack_with(AckKind::Term));
            return Taken::Nothing;
        };
        let deliveries = message.info().map_or(1, |info| info.delivered as u32);
        if wire::is_excluded(&form.not_by, &self.worker, &fleet.identity().user) {
            let _ = fleet.wait(message.ack_with(AckKind::Nak(Some(NOT_BY_DELAY))));
            return Taken::Nothing;
        }
        self.terms.clone_from(&form.game);
        let message = Arc::new(message);
        self.standing.hold(&job);
        Taken::Job(Box::new(NatsLease {
            heartbeat: report_progress(&fleet, Arc::clone(&message), self.ack_wait / 3),
            fleet: fleet.clone(),
            run: self.run.clone(),
            worker: self.worker.clone(),
            standing: Arc::clone(&self.standing),
            message,
            shown: form.game.is_some(),
            job,
            form,
            deliveries,
            connects: fleet.connects(),
            sent: Vec::new(),
        }))
    }
}

/// Reports to the server from time to time that a job is being played.
fn report_progress(fleet: &Fleet, message: Arc<Message>, every: Duration) -> JoinHandle<()> {
    fleet.spawn(async move {
        let mut ticks = interval(every);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first one is due at once.
        ticks.tick().await;
        loop {
            ticks.tick().await;
            let _ = message.ack_with(AckKind::Progress).await;
        }
    })
}

struct NatsLease {
    fleet: Fleet,
    run: String,
    worker: String,
    standing: Arc<Standing>,
    message: Arc<Message>,
    job: GameJob,
    form: JobForm,
    deliveries: u32,
    /// The number of the connection by which it was taken.
    connects: u64,
    heartbeat: JoinHandle<()>,
    /// Whether its moves are published as they are played.
    shown: bool,
    sent: Vec<JoinHandle<bool>>,
}

impl NatsLease {
    /// The ticket of a slot of the job.
    fn ticket(&self, slot: u32) -> String {
        let found = self.form.slots.iter().find(|form| form.number == slot);
        found.map(|form| form.ticket.clone()).unwrap_or_default()
    }

    fn send(&mut self, slot: u32, payload: Vec<u8>, failed: bool) {
        let (fleet, run, ticket, delivery) = (self.fleet.clone(), self.run.clone(), self.ticket(slot), self.deliveries);
        let (worker, job) = (self.worker.clone(), self.form.job.clone());
        let sent = self.fleet.spawn(async move {
            let user = fleet.identity().user.clone();
            let subject = subjects::results(&user, &run);
            // No one else knows the name, by which the server knows what was sent twice.
            let name = format!("{run}.{job}.{slot}.{worker}.{delivery}.{ticket}");
            let mut form = ResultForm { worker, slot, job, ticket, long: None, failed };
            let mut payload = payload;
            let most = fleet.client().server_info().max_payload.saturating_sub(HEADER_BYTES).max(HEADER_BYTES);
            if payload.len() > most {
                let token = identity::secret();
                let sha256 = hex(&Sha256::digest(&payload));
                let mut parts = 0;
                for part in payload.chunks(most) {
                    let subject = subjects::record(&user, &token, &parts.to_string());
                    let (name, content) = (format!("{token}.{parts}"), part.to_vec().into());
                    if !until_kept(fleet.context(), &subject, HeaderMap::new(), &name, content, interrupted).await {
                        return false;
                    }
                    parts += 1;
                }
                form.long = Some(LongRecord { user: String::new(), token, parts, sha256 });
                payload = Vec::new();
            }
            let headers = wire::write_result(fleet.identity(), &subject, &form, &payload);
            until_kept(fleet.context(), &subject, headers, &name, payload.into(), interrupted).await
        });
        self.sent.push(sent);
    }

    /// Waits until every result has arrived. Whether all have.
    fn arrived(&mut self) -> bool {
        let sent = std::mem::take(&mut self.sent);
        self.fleet.wait(async {
            let mut all = true;
            for sent in sent {
                all &= sent.await.unwrap_or(false);
            }
            all
        })
    }

    fn acknowledge(&self, kind: AckKind) {
        self.fleet.wait(async {
            for attempt in 0..ACK_ATTEMPTS {
                if attempt >= ACK_ATTEMPTS_ELSEWHERE && self.fleet.connects() != self.connects {
                    return;
                }
                if self.message.double_ack_with(kind).await.is_ok() || interrupted() || self.standing.has_ended() {
                    return;
                }
                sleep(RETRY_DELAY).await;
            }
        });
    }
}

impl Lease for NatsLease {
    fn job(&self) -> &GameJob {
        &self.job
    }

    fn deliveries(&self) -> u32 {
        self.deliveries
    }

    fn elsewhere(&self) -> bool {
        true
    }

    fn withdrawn(&self) -> bool {
        self.standing.has_ended()
    }

    fn began(&mut self, slot: &Slot) {
        let (worker, job, ticket) = (self.worker.clone(), self.form.job.clone(), self.ticket(slot.number));
        let began = Began { worker, slot: slot.number, job, ticket };
        let subject = subjects::began(&self.fleet.identity().user, &self.run);
        // It is only shown: a message may be lost.
        let _ = self.fleet.wait(self.fleet.client().publish(subject, wire::json(&began)));
    }

    fn spectator(&self, slot: &Slot) -> Box<dyn Spectator> {
        if !self.shown {
            return Box::new(());
        }
        let (fleet, subject) = (self.fleet.clone(), subjects::moves(&self.fleet.identity().user, &self.run));
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
        // A job without its results is handed out again.
        if self.arrived() {
            self.acknowledge(AckKind::Ack);
        }
    }

    fn put_back(mut self: Box<Self>, delay: Duration, why: Option<RunError>) {
        if let Some(error) = why {
            self.standing.set_trouble(error.to_string());
        }
        self.arrived();
        let delay = (!delay.is_zero()).then_some(delay);
        let _ = self.fleet.wait(self.message.ack_with(AckKind::Nak(delay)));
    }

    fn refuse(mut self: Box<Self>, slot: u32, error: RunError) {
        self.send(slot, error.to_string().into_bytes(), true);
        if self.arrived() {
            self.acknowledge(AckKind::Term);
        }
    }
}

/// Publishes the moves of a game as they are played, for its spectators alone.
struct MovePublisher {
    fleet: Fleet,
    subject: String,
    slot: u32,
    job: String,
    ticket: String,
    number: u32,
    /// Whether the game is played per action: such moves cannot be replayed from what is published.
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

    fn moved(&mut self, _contest: &dyn GameState, played: &Played) {
        self.publish(played.side, &played.arguments, played.moment.wall, played.clocks);
    }
}

impl Drop for NatsLease {
    fn drop(&mut self) {
        self.heartbeat.abort();
        self.standing.let_go(&self.job);
    }
}
