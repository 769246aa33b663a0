//! What coordinates runs, whether their slots are numbered by a plan or by a site: it announces them, hands out jobs,
//! passes results on, has games played again, and puts workers into quarantine that report games they did not play.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::Plan;
use agon_arena::runner::queue::MAX_DELIVERIES;
use agon_arena::runner::{Arrivals, PlayedSlot};
use agon_arena::slot::Slot;
use agon_game::hash::hex;
use agon_referee::agent::PortableAgent;
use agon_referee::signing::{PrivateKey, PublicKey};
use async_nats::HeaderMap;
use async_nats::connection::State as ConnectionState;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::ConsumerError;
use bytes::Bytes;
use futures_util::StreamExt as _;
use serde::Deserialize;
use sha2::{Digest, Sha256};
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::connect::Fleet;
use crate::error::FleetError;
use crate::keys::{self, Kind};
use crate::lock::lock;
use crate::notice::{RunNotice, RunStatus, WorkerStatus, now_ms};
use crate::overview::DeadJob;
use crate::publish::{heartbeat, object_until_kept, until_kept};
use crate::roll::Roll;
use crate::second::{SecondPlay, SecondPlays, points};
use crate::state::{Expected, SlotEvent, State, Untaken};
use crate::terms::RunTerms;
use crate::wire::{self, Content, JobBody, JobForm, LongRecord, SlotForm, SlotResult};
use crate::{identity, subjects};

/// How many results may be delivered and not yet acknowledged.
const MAX_RESULTS_PENDING: i64 = 100_000;

/// How long a worker may wait for a job without asking again.
const MAX_JOB_WAIT: Duration = Duration::from_secs(30);

/// How many results are requested at once.
const RESULTS_BATCH: usize = 256;

/// After this time a result that is not acknowledged is delivered again.
const RESULT_ACK_WAIT: Duration = Duration::from_secs(30);

/// How long the server may take to end the runs.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(3);

/// The longest packed record that is read from its parts.
const MAX_RECORD_BYTES: usize = 64 << 20;

/// The pause before the queue of results is opened again.
const RETRY_DELAY: Duration = Duration::from_millis(250);

/// After so long a coordinator has heard of all workers: each says every second that it is there.
const ALL_HEARD: Duration = Duration::from_secs(3);

pub struct Coordinator {
    pub fleet: Fleet,
    pub terms: RunTerms,
    /// The key that signs runs, jobs and orders.
    key: PrivateKey,
    session: String,
    start: Instant,
    /// How many jobs have been sent.
    sent: AtomicU64,
    state: Mutex<State>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

/// The server's message about a job that was delivered too often.
#[derive(Deserialize)]
struct Advisory {
    stream_seq: u64,
}

impl Coordinator {
    /// Starts a coordinator without runs.
    ///
    /// # Errors
    /// [`FleetError`] when it is given no key, and none can be made.
    pub fn start(
        fleet: &Fleet,
        terms: RunTerms,
        expected: Expected,
        second: SecondPlays,
    ) -> Result<Arc<Self>, FleetError> {
        let (compared, results) = mpsc::channel();
        let key = terms.key.map_or_else(PrivateKey::generate, Ok)?;
        let (session, roll) = (identity::random(), Roll::new(terms.workers.clone()));
        let state = State::new(expected, second, compared, roll, session.clone(), key.secret("agon fleet tickets"));
        let coordinator = Arc::new(Self {
            fleet: fleet.clone(),
            terms,
            key,
            session,
            start: Instant::now(),
            sent: AtomicU64::new(0),
            state: Mutex::new(state),
            tasks: Mutex::default(),
        });
        let (comparing, reporting) = (Arc::clone(&coordinator), Arc::clone(&coordinator));
        thread::spawn(move || comparing.compare(&results));
        let statuses = move || {
            let statuses = reporting.state().statuses(reporting.start.elapsed());
            statuses.iter().map(|status| reporting.signed(status)).collect()
        };
        lock(&coordinator.tasks).extend([
            fleet.spawn(Arc::clone(&coordinator).listen_to_workers()),
            fleet.spawn(heartbeat(fleet.clone(), statuses)),
        ]);
        Ok(coordinator)
    }

    /// The key by which workers know its runs.
    pub fn public_key(&self) -> PublicKey {
        self.key.public()
    }

    /// The status of a run as a message.
    fn signed(&self, status: &RunStatus) -> (String, HeaderMap, Bytes) {
        let (subject, payload) = (subjects::run(&status.run), wire::json(status));
        let headers = keys::sign(&self.key, Kind::Run, &subject, &payload);
        (subject, headers, payload)
    }

    /// Waits until all workers have been heard of: before, the word of the first one would be that of all. To be called
    /// without the state's lock.
    pub fn hear_all(&self) {
        thread::sleep(ALL_HEARD.saturating_sub(self.start.elapsed()));
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    pub fn is_connected(&self) -> bool {
        self.fleet.client().connection_state() == ConnectionState::Connected
    }

    /// Announces a run to all workers, and takes back what an earlier coordinator of it had handed out. `languages` are
    /// those of the programs where each job brings its own agents. Returns how many results of it are on the server.
    pub fn open_run(
        self: &Arc<Self>,
        run: &str,
        plan: &Plan,
        agents: Vec<PortableAgent>,
        languages: Option<Vec<String>>,
    ) -> Result<u64, FleetError> {
        let title = match &languages {
            None => plan.title().to_owned(),
            Some(languages) if languages.is_empty() => "site".to_owned(),
            Some(languages) => format!("site, {}", languages.join(" and ")),
        };
        let notice = RunNotice {
            run: run.to_owned(),
            revision: self.session.clone(),
            plan: plan.clone(),
            agents,
            agon: identity::VERSION.to_owned(),
            data: identity::data_digest().to_owned(),
            processors: self.terms.processors,
            labels: self.terms.labels.clone(),
            languages,
            ack_wait_ms: self.terms.ack_wait.as_millis() as u64,
        };
        let left = self.fleet.wait(self.announce(&notice))?;
        let status = RunStatus {
            run: run.to_owned(),
            revision: self.session.clone(),
            host: identity::host(),
            title,
            game: plan.game.name().to_owned(),
            agents: plan.agents.iter().map(|agent| agent.name.clone()).collect(),
            games: if plan.agents.is_empty() { 0 } else { plan.bouts() },
            now_ms: now_ms(),
            ..RunStatus::default()
        };
        self.fleet.wait(self.publish_status(&status));
        self.state().runs.insert(run.to_owned(), status);
        lock(&self.tasks).extend([
            self.fleet.spawn(Arc::clone(self).take_results(run.to_owned())),
            self.fleet.spawn(Arc::clone(self).listen_to_run(run.to_owned())),
        ]);
        Ok(left)
    }

    /// Puts the notice of a run where workers find it, and makes its queues, empty of jobs.
    async fn announce(&self, notice: &RunNotice) -> Result<u64, FleetError> {
        let (fleet, run) = (&self.fleet, &notice.run);
        let signed = notice.write(&self.key);
        object_until_kept(&fleet.objects().await?, &subjects::notice(run), &signed, || true).await;
        // A queue of an earlier coordinator may have other limits, and keeps back for a while what it has delivered.
        for stream in [subjects::JOBS, subjects::RESULTS] {
            delete_consumer(fleet, stream, run).await;
        }
        purge(fleet, subjects::JOBS, subjects::jobs(run)).await;
        let jobs = pull::Config {
            durable_name: Some(run.clone()),
            filter_subject: subjects::jobs(run),
            ack_policy: AckPolicy::Explicit,
            ack_wait: self.terms.ack_wait,
            max_deliver: i64::from(MAX_DELIVERIES),
            max_ack_pending: MAX_RESULTS_PENDING,
            // Every worker may wait at the same time, each slot for one job, and asks again soon.
            max_waiting: 10_000,
            max_batch: 1,
            max_expires: MAX_JOB_WAIT,
            ..pull::Config::default()
        };
        let made = fleet.context().create_consumer_on_stream(jobs, subjects::JOBS).await;
        made.map_err(|error| fleet.refused("make a queue of jobs", &error))?;
        let results = results_queue(fleet, run).await;
        let results = results.map_err(|error| fleet.refused("make a queue of results", &error))?;
        Ok(results.cached_info().num_pending)
    }

    /// Sends a job, for all workers or for all but some, until the server has it or `stop` returns true. Whether it has
    /// it.
    pub fn send(&self, run: &str, body: &JobBody, not_by: Vec<String>, stop: impl Fn() -> bool) -> bool {
        let job = self.new_job();
        {
            let mut state = self.state();
            body.slots.iter().for_each(|slot| state.hand_out(slot.number, &job, &not_by));
        }
        self.send_as(run, job, body, not_by, stop)
    }

    fn new_job(&self) -> String {
        format!("{}.{}", self.session, self.sent.fetch_add(1, Ordering::Relaxed))
    }

    fn send_as(&self, run: &str, job: String, body: &JobBody, not_by: Vec<String>, stop: impl Fn() -> bool) -> bool {
        let slots = {
            let state = self.state();
            let form = |slot: &Slot| SlotForm {
                number: slot.number,
                seats: slot.seats,
                seed: slot.seed,
                ticket: state.ticket(run, &job, slot.number),
            };
            body.slots.iter().map(form).collect()
        };
        let (subject, name) = (subjects::jobs(run), format!("{run}.{job}"));
        let revision = self.session.clone();
        let form = JobForm { run: run.to_owned(), revision, job, not_by, slots, game: body.game.clone() };
        let payload = wire::json(&form);
        let headers = keys::sign(&self.key, Kind::Job, &subject, &payload);
        self.fleet.wait(until_kept(self.fleet.context(), &subject, headers, &name, payload, stop))
    }

    pub fn acknowledge(&self, message: &Message) {
        // An acknowledgement that is lost costs one more delivery, which is known to be stored.
        let _ = self.fleet.wait(message.ack());
    }

    /// The game in a result of a worker, if the rules prove it. A record that they refuse counts against the worker.
    pub fn prove(
        &self,
        run: &str,
        worker: &str,
        arrivals: &mut Arrivals,
        slot: &Slot,
        content: Content,
    ) -> Option<PlayedSlot> {
        let record = match content {
            Content::Record(record) => Ok(record),
            Content::Long(long) => match self.fleet.wait(read_long(&self.fleet, &long)) {
                Ok(record) => Ok(record),
                // Its server may have lost it: that is not its worker's fault.
                Err(why) => {
                    self.state().junk(run, &long.user, &why);
                    return None;
                }
            },
            Content::Failed(reason) => Err(reason),
        };
        let proved = record.and_then(|record| arrivals.take(slot, &record).map_err(|error| error.to_string()));
        let distrust = |problem: String| {
            let why = self.state().distrust(run, worker, slot.number, &problem);
            if let Some(why) = why {
                self.quarantine(run, worker, &why);
            }
        };
        proved.map_err(distrust).ok()
    }

    /// Lets no game of a worker count any more, and has it stop.
    pub fn quarantine(&self, run: &str, worker: &str, why: &str) {
        let new = self.state().quarantine(run, worker, why);
        for worker in &new {
            self.drain(worker);
        }
    }

    /// Has a worker finish its games and stop, if it is there.
    pub fn drain(&self, worker: &str) {
        let order = {
            let state = self.state();
            let present = state.presence.present().find(|status| status.worker == worker);
            present.and_then(|status| Some((state.roll.address(worker)?.name.clone(), status.session.clone())))
        };
        if let Some((name, session)) = order {
            let (subject, headers, payload) = wire::drain_order(&self.key, name, session);
            let _ = self.fleet.wait(self.fleet.client().publish_with_headers(subject, headers, payload));
        }
    }

    /// Notes that a worker saw what no other one has seen.
    pub fn suspect(&self, worker: &str) {
        self.state().second.suspect(worker);
    }

    /// Has a stored game played again by another worker, if it is drawn and there is one.
    pub fn audit(&self, play: &SecondPlay) {
        let drawn = {
            let mut state = self.state();
            let worker = play.players().next().unwrap_or_default();
            state.others(&play.run, &[worker]) && state.second.draws(worker)
        };
        if drawn {
            self.play_again(play);
        }
    }

    fn play_again(&self, play: &SecondPlay) {
        let job = self.new_job();
        let not_by = {
            let mut state = self.state();
            let players: Vec<&str> = play.players().collect();
            let Some(not_by) = state.elsewhere(&play.run, &players) else { return };
            if !state.second.begin(play.clone(), &job) {
                return;
            }
            not_by
        };
        // Does not wait for a server that is away: a game that is not played again is not compared.
        self.send_as(&play.run, job, &play.body, not_by, || true);
    }

    /// Compares games that were played again with the first ones, until the coordinator is closed.
    fn compare(&self, results: &Receiver<(SlotResult, Box<Message>)>) {
        for (SlotResult { slot, worker, content }, message) in results {
            self.acknowledge(&message);
            let play = {
                let mut state = self.state();
                let Some((play, job)) = state.second.end(slot) else { continue };
                // Delivered twice, or from a worker whose games do not count.
                if state.is_shut_out(&worker) || play.players().any(|player| player == worker) {
                    state.second.begin(play, &job);
                    continue;
                }
                play
            };
            if matches!(content, Content::Failed(_)) {
                continue;
            }
            let game = self.prove(&play.run, &worker, &mut lock(&play.arrivals), &play.slot, content);
            let Some(points) = game.as_ref().and_then(points) else { continue };
            let run = play.run.clone();
            let (third, outlier, user) = {
                let state = &mut *self.state();
                let players: Vec<String> = play.players().map(str::to_owned).collect();
                let roll = &state.roll;
                let (differed, third) =
                    state.second.compare(play, &worker, points, |worker| roll.user(worker).to_owned());
                if let [first] = &*players {
                    state.count_audit(&run, first, differed);
                    if differed {
                        state.second.suspect(first);
                        state.second.suspect(&worker);
                    }
                }
                (third, state.second.outlier(), state.second.outlying_user())
            };
            if let Some(play) = third {
                self.play_again(&play);
            }
            let why = |games: usize| format!("in {games} games its results differ from those of the rest of the fleet");
            if let Some((worker, games)) = outlier {
                self.quarantine(&run, &worker, &why(games));
            }
            if let Some((user, games)) = user {
                let new = self.state().quarantine_user(&run, &user, &why(games));
                for worker in &new {
                    self.drain(worker);
                }
            }
        }
    }

    /// Keeps slots that are given up, to be shown.
    pub fn dead_letter(&self, run: &str, slot: u32, why: String, stop: impl Fn() -> bool) {
        let game = self.state().runs.get(run).map_or_else(String::new, |status| status.game.clone());
        let dead = DeadJob { run: run.to_owned(), game, slots: vec![slot], why, now_ms: now_ms() };
        let (subject, name) = (subjects::dead(run), identity::random());
        let payload = wire::json(&dead);
        self.fleet.wait(until_kept(self.fleet.context(), &subject, HeaderMap::new(), &name, payload, stop));
    }

    /// How many jobs of a run wait on the server, and how many are handed out; `None` if it does not say.
    pub fn jobs_left(&self, run: &str) -> Option<(u64, usize)> {
        if !self.is_connected() {
            return None;
        }
        self.fleet.wait(async {
            let stream = self.fleet.context().get_stream(subjects::JOBS).await.ok()?;
            let found = stream.consumer_info(run).await.ok()?;
            Some((found.num_pending, found.num_ack_pending))
        })
    }

    /// Why nothing is played that should be: the server is away, no worker is there, or all refuse a run.
    pub fn why_idle(&self) -> Option<String> {
        if !self.is_connected() {
            return Some(format!("the NATS server at {} is away; games wait until it is back", self.fleet.at()));
        }
        self.state().why_idle(self.fleet.at(), &self.public_key())
    }

    /// Hands out no more: purges the jobs of a run, and leaves late results to the next coordinator.
    pub fn withdraw(&self, run: &str) {
        let status = {
            let mut state = self.state();
            state.withdrawn = true;
            state.second.clear();
            let Some(status) = state.runs.get_mut(run) else { return };
            status.ended = true;
            status.clone()
        };
        self.fleet.wait(async {
            self.publish_status(&status).await;
            let _ = timeout(SHUTDOWN_GRACE, purge(&self.fleet, subjects::JOBS, subjects::jobs(run))).await;
        });
    }

    /// Ends all runs; `complete` if nothing of them need be kept for a later start.
    pub fn close(&self, complete: bool) {
        lock(&self.tasks).iter().for_each(JoinHandle::abort);
        let runs = {
            let mut state = self.state();
            state.compared = None;
            std::mem::take(&mut state.runs)
        };
        let fleet = &self.fleet;
        let end = async {
            for (run, mut status) in runs {
                (status.ended, status.now_ms) = (true, now_ms());
                self.publish_status(&status).await;
                purge(fleet, subjects::JOBS, subjects::jobs(&run)).await;
                delete_consumer(fleet, subjects::JOBS, &run).await;
                if complete {
                    purge(fleet, subjects::RESULTS, subjects::results("*", &run)).await;
                    delete_consumer(fleet, subjects::RESULTS, &run).await;
                    fleet.delete_object(&subjects::notice(&run)).await;
                }
            }
            let _ = fleet.client().flush().await;
        };
        // The next start finds what is left, or it expires on the server.
        let _ = fleet.wait(async { timeout(SHUTDOWN_GRACE, end).await });
    }

    async fn publish_status(&self, status: &RunStatus) {
        let (subject, headers, payload) = self.signed(status);
        let _ = self.fleet.client().publish_with_headers(subject, headers, payload).await;
    }

    async fn take_results(self: Arc<Self>, run: String) {
        loop {
            if let Ok(consumer) = results_queue(&self.fleet, &run).await
                && let stream = consumer.stream().max_messages_per_batch(RESULTS_BATCH)
                && let Ok(mut messages) = stream.heartbeat(Duration::from_secs(5)).messages().await
            {
                while let Some(Ok(message)) = messages.next().await {
                    let read = wire::read_result(&message);
                    let late = {
                        let mut state = self.state();
                        let user = subjects::user(&message.subject).unwrap_or_default().to_owned();
                        match read.map_err(Untaken::Junk).and_then(|result| state.accept(&run, result)) {
                            Ok(result) => state.deliver(result, Box::new(message)),
                            Err(untaken) => {
                                if let Untaken::Junk(why) = untaken {
                                    state.junk(&run, &user, &why);
                                }
                                Some(Box::new(message))
                            }
                        }
                    };
                    if let Some(message) = late {
                        let _ = message.ack().await;
                    }
                }
            }
            // The server was away, or has lost the queue.
            sleep(RETRY_DELAY).await;
        }
    }

    async fn listen_to_workers(self: Arc<Self>) {
        let client = self.fleet.client();
        let (Ok(mut workers), Ok(mut old)) =
            (client.subscribe(subjects::WORKERS).await, client.subscribe(subjects::OLD_WORKERS).await)
        else {
            return;
        };
        let _ = client.publish(subjects::ASK, Bytes::new()).await;
        loop {
            tokio::select! {
                Some(message) = workers.next() => {
                    if let Some((subject, headers, payload)) = self.hear(&message) {
                        let _ = client.publish_with_headers(subject, headers, payload).await;
                    }
                }
                Some(message) = old.next() => {
                    if let Ok(WorkerStatus { worker, agon, .. }) = serde_json::from_slice(&message.payload) {
                        let why = format!("worker {worker} is agon {agon}, which signs nothing; update it");
                        self.state().junk("", subjects::OLD_WORKERS, &why);
                    }
                }
                else => return,
            }
        }
    }

    /// Takes in the status of a worker. The order to stop, if it was started again although none of its games would
    /// count.
    fn hear(&self, message: &async_nats::Message) -> Option<(String, HeaderMap, Bytes)> {
        let mut state = self.state();
        let status = match state.roll.status(message) {
            Ok(status) => status,
            Err(why) => {
                state.junk("", subjects::user(&message.subject).unwrap_or_default(), &why);
                return None;
            }
        };
        let (worker, session) = (status.worker.clone(), status.session.clone());
        let is_back = !status.draining && state.is_shut_out(&worker);
        state.presence.update(status);
        let name = state.roll.address(&worker).filter(|_| is_back)?.name.clone();
        drop(state);
        Some(wire::drain_order(&self.key, name, session))
    }

    async fn listen_to_run(self: Arc<Self>, run: String) {
        let client = self.fleet.client();
        let (Ok(mut began), Ok(mut moves), Ok(mut given_up)) = (
            client.subscribe(subjects::began("*", &run)).await,
            client.subscribe(subjects::moves("*", &run)).await,
            client.subscribe(subjects::given_up(&run)).await,
        ) else {
            return self.state().fault(&run, "no messages of the workers can be received".to_owned());
        };
        loop {
            tokio::select! {
                Some(message) = began.next() => {
                    if let Ok(began) = serde_json::from_slice(&message.payload)
                        && let Some(user) = subjects::user(&message.subject)
                    {
                        self.state().begins(&run, user, began);
                    }
                }
                Some(message) = moves.next() => {
                    if let Ok(played) = serde_json::from_slice(&message.payload) {
                        self.state().moves(&run, played);
                    }
                }
                Some(message) = given_up.next() => {
                    if let Ok(Advisory { stream_seq }) = serde_json::from_slice(&message.payload) {
                        self.give_up(stream_seq).await;
                    }
                }
                else => return,
            }
        }
    }

    /// Takes a job out of the queue that was delivered too often: it may be what ends the workers.
    async fn give_up(&self, stream_seq: u64) {
        let Ok(stream) = self.fleet.context().get_stream(subjects::JOBS).await else { return };
        let Ok(message) = stream.get_raw_message(stream_seq).await else { return };
        let _ = stream.delete_message(stream_seq).await;
        let Some((job, _)) = wire::read_job(&message.payload, usize::MAX) else { return };
        let (mut state, alone) = (self.state(), job.slots.len() == 1);
        for slot in &job.slots {
            if !state.notify(slot.number, SlotEvent::GivenUp { slot: slot.number, alone }) {
                state.second.end(slot.number);
            }
        }
    }
}

/// Puts a long record together, and deletes its parts: those of its own user, and no other ones.
async fn read_long(fleet: &Fleet, long: &LongRecord) -> Result<Bytes, String> {
    let found = fleet.context().get_stream_no_info(subjects::RECORDS).await;
    let stream = found.map_err(|error| error.to_string())?;
    let mut record = Vec::new();
    for part in 0..long.parts {
        let subject = subjects::record(&long.user, &long.token, &part.to_string());
        let found = stream.get_last_raw_message_by_subject(&subject).await;
        let found = found.map_err(|error| format!("a part of a long record is missing: {error}"))?;
        record.extend_from_slice(&found.payload);
        if record.len() > MAX_RECORD_BYTES {
            return Err(format!("a record has more than {} MiB", MAX_RECORD_BYTES >> 20));
        }
    }
    let _ = stream.purge().filter(subjects::record(&long.user, &long.token, "*")).await;
    let is_whole = hex(&Sha256::digest(&record)) == long.sha256;
    if is_whole { Ok(record.into()) } else { Err("a long record has another digest than its result says".to_owned()) }
}

async fn results_queue(fleet: &Fleet, run: &str) -> Result<PullConsumer, ConsumerError> {
    let config = pull::Config {
        durable_name: Some(run.to_owned()),
        filter_subject: subjects::results("*", run),
        ack_policy: AckPolicy::Explicit,
        ack_wait: RESULT_ACK_WAIT,
        max_ack_pending: MAX_RESULTS_PENDING,
        ..pull::Config::default()
    };
    fleet.context().create_consumer_on_stream(config, subjects::RESULTS).await
}

async fn delete_consumer(fleet: &Fleet, stream: &str, run: &str) {
    if let Ok(stream) = fleet.context().get_stream(stream).await {
        let _ = stream.delete_consumer(run).await;
    }
}

async fn purge(fleet: &Fleet, stream: &str, subject: String) {
    if let Ok(stream) = fleet.context().get_stream(stream).await {
        let _ = stream.purge().filter(subject).await;
    }
}
