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
use agon_referee::agent::PortableAgent;
use async_nats::HeaderMap;
use async_nats::connection::State as ConnectionState;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::stream::ConsumerError;
use bytes::Bytes;
use futures_util::StreamExt as _;
use serde::Deserialize;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::connect::Fleet;
use crate::error::FleetError;
use crate::lock::lock;
use crate::notice::{RunNotice, RunStatus, WorkerStatus, now_ms};
use crate::overview::DeadJob;
use crate::publish::{heartbeat, object_until_kept, until_kept};
use crate::second::{SecondPlay, SecondPlays, points};
use crate::state::{Expected, SlotEvent, State};
use crate::terms::RunTerms;
use crate::wire::{self, Content, SlotResult};
use crate::{identity, subjects};

/// How many results may be delivered and not yet acknowledged.
const MAX_RESULTS_PENDING: i64 = 100_000;

/// How many results are requested at once.
const RESULTS_BATCH: usize = 256;

/// After this time a result that is not acknowledged is delivered again.
const RESULT_ACK_WAIT: Duration = Duration::from_secs(30);

/// How long the server may take to end the runs.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(3);

/// The pause before the queue of results is opened again.
const RETRY_DELAY: Duration = Duration::from_millis(250);

pub struct Coordinator {
    pub fleet: Fleet,
    pub terms: RunTerms,
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
    pub fn start(fleet: &Fleet, terms: RunTerms, expected: Expected, second: SecondPlays) -> Arc<Self> {
        let (compared, results) = mpsc::channel();
        let coordinator = Arc::new(Self {
            fleet: fleet.clone(),
            terms,
            session: identity::random(),
            start: Instant::now(),
            sent: AtomicU64::new(0),
            state: Mutex::new(State::new(expected, second, compared)),
            tasks: Mutex::default(),
        });
        let (comparing, reporting) = (Arc::clone(&coordinator), Arc::clone(&coordinator));
        thread::spawn(move || comparing.compare(&results));
        let statuses = move || {
            let statuses = reporting.state().statuses(reporting.start.elapsed());
            statuses.iter().map(|status| (subjects::run(&status.run), wire::json(status))).collect()
        };
        lock(&coordinator.tasks).extend([
            fleet.spawn(Arc::clone(&coordinator).listen_to_workers()),
            fleet.spawn(heartbeat(fleet.clone(), statuses)),
        ]);
        coordinator
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
        object_until_kept(&fleet.objects().await?, &subjects::notice(run), &wire::json(notice), || true).await;
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
            // Every worker may wait at the same time.
            max_waiting: 10_000,
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
    pub fn send<'a>(
        &self,
        run: &str,
        payload: Bytes,
        not_by: impl IntoIterator<Item = &'a str>,
        stop: impl Fn() -> bool,
    ) -> bool {
        let name = format!("{run}.{}.{}", self.session, self.sent.fetch_add(1, Ordering::Relaxed));
        let headers = wire::job_headers(not_by);
        self.fleet.wait(until_kept(self.fleet.context(), &subjects::jobs(run), headers, &name, payload, stop))
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
            Content::Object(name) => self.fleet.wait(async {
                let record = self.fleet.read_object(&name).await?;
                self.fleet.delete_object(&name).await;
                Ok(record.into())
            }),
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
        if new {
            self.drain(worker);
        }
    }

    /// Has a worker finish its games and stop.
    pub fn drain(&self, worker: &str) {
        let _ = self.fleet.wait(self.fleet.client().publish(subjects::drain(worker), Bytes::new()));
    }

    /// Has a stored game played again by another worker, if it is drawn and there is one.
    pub fn audit(&self, play: &SecondPlay) {
        let begun = {
            let mut state = self.state();
            let worker = play.players().next().unwrap_or_default();
            state.others(&play.run, &[worker]) && state.second.draws(worker) && state.second.begin(play.clone())
        };
        if begun {
            self.play_again(play);
        }
    }

    fn play_again(&self, play: &SecondPlay) {
        // Does not wait for a server that is away: a game that is not played again is not compared.
        self.send(&play.run, play.payload.clone(), play.players(), || true);
    }

    /// Compares games that were played again with the first ones, until the coordinator is closed.
    fn compare(&self, results: &Receiver<(SlotResult, Box<Message>)>) {
        for (SlotResult { slot, worker, content }, message) in results {
            self.acknowledge(&message);
            let play = {
                let mut state = self.state();
                let Some(play) = state.second.end(slot) else { continue };
                // Delivered twice, or from a worker whose games do not count.
                if state.is_shut_out(&worker) || play.players().any(|player| player == worker) {
                    state.second.begin(play);
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
            let (third, outlier) = {
                let mut state = self.state();
                let players: Vec<String> = play.players().map(str::to_owned).collect();
                let (differed, third) = state.second.compare(play, &worker, points);
                if let [first] = &*players {
                    state.count_audit(&run, first, differed);
                }
                let third = third.filter(|play| {
                    let players: Vec<&str> = play.players().collect();
                    state.others(&run, &players) && state.second.begin(play.clone())
                });
                (third, state.second.outlier())
            };
            if let Some(play) = third {
                self.play_again(&play);
            }
            if let Some((worker, games)) = outlier {
                let why = format!("in {games} games its results differ from those of the rest of the fleet");
                self.quarantine(&run, &worker, &why);
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

    /// Why nothing is played that should be: the server is away, no worker is there, or all refuse a run.
    pub fn why_idle(&self) -> Option<String> {
        if !self.is_connected() {
            return Some(format!("the NATS server at {} is away; games wait until it is back", self.fleet.at()));
        }
        self.state().why_idle(self.fleet.at())
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
                    purge(fleet, subjects::RESULTS, subjects::results(&run)).await;
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
        let _ = self.fleet.client().publish(subjects::run(&status.run), wire::json(status)).await;
    }

    async fn take_results(self: Arc<Self>, run: String) {
        loop {
            if let Ok(consumer) = results_queue(&self.fleet, &run).await
                && let stream = consumer.stream().max_messages_per_batch(RESULTS_BATCH)
                && let Ok(mut messages) = stream.heartbeat(Duration::from_secs(5)).messages().await
            {
                while let Some(Ok(message)) = messages.next().await {
                    let late = match wire::read_result(&message) {
                        Some(result) => self.state().deliver(result, Box::new(message)),
                        None => {
                            self.state().fault(&run, "a message among the results cannot be read".to_owned());
                            Some(Box::new(message))
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
        let Ok(mut workers) = client.subscribe(subjects::WORKERS).await else { return };
        let _ = client.publish(subjects::ASK, Bytes::new()).await;
        while let Some(message) = workers.next().await {
            let Ok(status) = serde_json::from_slice::<WorkerStatus>(&message.payload) else { continue };
            let worker = status.worker.clone();
            let is_back = {
                let mut state = self.state();
                let is_back = !status.draining && state.is_shut_out(&worker);
                state.presence.update(status);
                is_back
            };
            // Started again under its name: none of its games would count.
            if is_back {
                let _ = client.publish(subjects::drain(&worker), Bytes::new()).await;
            }
        }
    }

    async fn listen_to_run(self: Arc<Self>, run: String) {
        let client = self.fleet.client();
        let (Ok(mut began), Ok(mut moves), Ok(mut given_up)) = (
            client.subscribe(subjects::began(&run)).await,
            client.subscribe(subjects::moves(&run)).await,
            client.subscribe(subjects::given_up(&run)).await,
        ) else {
            return self.state().fault(&run, "no messages of the workers can be received".to_owned());
        };
        loop {
            tokio::select! {
                Some(message) = began.next() => {
                    if let Ok(began) = serde_json::from_slice::<wire::Began>(&message.payload) {
                        self.state().notify(began.slot, SlotEvent::Began(began));
                    }
                }
                Some(message) = moves.next() => {
                    if let Ok(played) = serde_json::from_slice::<wire::MoveNews>(&message.payload) {
                        self.state().notify(played.slot, SlotEvent::Move(played));
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
        let Some(job) = wire::read_job(&message.payload, usize::MAX) else { return };
        let (mut state, alone) = (self.state(), job.slots.len() == 1);
        for slot in &job.slots {
            if !state.notify(slot.number, SlotEvent::GivenUp { slot: slot.number, alone }) {
                state.second.end(slot.number);
            }
        }
    }
}

async fn results_queue(fleet: &Fleet, run: &str) -> Result<PullConsumer, ConsumerError> {
    let config = pull::Config {
        durable_name: Some(run.to_owned()),
        filter_subject: subjects::results(run),
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
