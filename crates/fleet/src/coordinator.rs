//! Coordination of runs, whether their slots are numbered by a plan or by a site: announces them, hands out jobs,
//! passes results on, has games replayed, and puts workers into quarantine that report games they did not play.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use agon_arena::Plan;
use agon_arena::runner::{Arrivals, PlayedSlot};
use agon_arena::slot::Slot;
use agon_referee::agent::PortableAgent;
use agon_referee::record::Record;
use agon_referee::signing::{PrivateKey, PublicKey};
use async_nats::{HeaderMap, Message, Subscriber};
use bytes::Bytes;
use futures_util::{FutureExt as _, StreamExt as _};
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};

use crate::archive::ProgramArchive;
use crate::connect::Fleet;
use crate::error::FleetError;
use crate::fetch::part_message;
use crate::identity;
use crate::keys::{self, Kind};
use crate::lock::lock;
use crate::notice::{DeadJob, RunNotice, RunStatus, WorkerStatus, now_ms};
use crate::publish::heartbeat;
use crate::queue::{Grant, NotBy, Taker};
use crate::roll::Roll;
use crate::second::{SecondPlay, SecondPlays, points};
use crate::state::{Expected, State};
use crate::subjects::{self, Verb};
use crate::terms::RunTerms;
use crate::wire::{
    self, Began, Content, EndForm, FetchForm, JobBody, JobForm, KeepForm, ResultAnswer, SlotForm, SlotResult, TakeForm,
};

/// Maximum time that a worker may wait for a job without asking again.
const MAX_JOB_WAIT: Duration = Duration::from_secs(30);

/// Number of messages read before jobs are handed out.
const MESSAGE_BATCH: usize = 64;

/// Time for the server to end the runs.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(3);

pub(crate) struct Coordinator {
    pub fleet: Fleet,
    pub terms: RunTerms,
    /// The key that signs runs, jobs and orders.
    key: PrivateKey,
    /// Secret for creating tickets.
    secret: [u8; 32],
    session: String,
    start: Instant,
    /// Number of jobs sent.
    sent: AtomicU64,
    state: Mutex<State>,
    /// Wakes the task of each run.
    wakes: Mutex<BTreeMap<String, Arc<Notify>>>,
    tasks: Mutex<Vec<JoinHandle<()>>>,
}

impl Coordinator {
    /// Starts a coordinator without runs.
    ///
    /// # Errors
    /// [`FleetError`] if no key is given and none can be created.
    pub(crate) fn start(
        fleet: &Fleet,
        terms: RunTerms,
        expected: Expected,
        second: SecondPlays,
    ) -> Result<Arc<Self>, FleetError> {
        let (compared, results) = mpsc::channel();
        let key = terms.key.map_or_else(PrivateKey::generate, Ok)?;
        let (session, roll) = (identity::random(), Roll::new(terms.workers.clone()));
        let (timing, secret) = (terms.timing.clone(), key.secret("agon fleet tickets"));
        let interval = timing.heartbeat;
        let state = State::new(timing, expected, second, compared, roll, session.clone(), secret);
        let coordinator = Arc::new(Self {
            fleet: fleet.clone(),
            terms,
            key,
            secret,
            session,
            start: Instant::now(),
            sent: AtomicU64::new(0),
            state: Mutex::new(state),
            wakes: Mutex::default(),
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
            fleet.spawn(heartbeat(fleet.clone(), interval, statuses)),
        ]);
        Ok(coordinator)
    }

    /// Returns the key by which workers know its runs.
    pub(crate) fn public_key(&self) -> PublicKey {
        self.key.public()
    }

    /// The status of a run as a message.
    fn signed(&self, status: &RunStatus) -> (String, HeaderMap, Bytes) {
        let (subject, payload) = (subjects::run(&status.run), wire::json(status));
        let headers = keys::sign(&self.key, Kind::Run, &subject, &payload);
        (subject, headers, payload)
    }

    /// Waits until all workers have been heard from: before that, the first one's message would count for all. Call
    /// this without the state's lock.
    pub(crate) fn hear_all(&self) {
        thread::sleep(self.terms.timing.all_heard.saturating_sub(self.start.elapsed()));
    }

    /// Returns true if it has heard from all workers.
    pub(crate) fn has_heard_all(&self) -> bool {
        self.start.elapsed() >= self.terms.timing.all_heard
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.fleet.is_connected()
    }

    /// Keeps the sources of a program for workers as long as the returned handle exists.
    pub(crate) fn keep_program(&self, archive: ProgramArchive) -> Arc<ProgramArchive> {
        self.state().archives.put_program(archive)
    }

    /// Announces a run to all workers. `languages` are those of the programs if each job brings its own agents.
    pub(crate) fn open_run(
        self: &Arc<Self>,
        run: &str,
        plan: &Plan,
        agents: Vec<PortableAgent>,
        languages: Option<Vec<String>>,
    ) -> Result<(), FleetError> {
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
            lease_ms: self.terms.timing.lease.as_millis() as u64,
        };
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
        // Workers answer immediately with their status.
        let messages = self.fleet.wait(self.fleet.client().subscribe(subjects::of_run(run)));
        let messages = messages.map_err(|error| self.fleet.refused("pass on what workers send", &error))?;
        {
            let mut state = self.state();
            state.archives.put_notice(run, notice.write(&self.key));
            state.open(status.clone());
        }
        let wake = Arc::new(Notify::new());
        lock(&self.wakes).insert(run.to_owned(), Arc::clone(&wake));
        lock(&self.tasks).push(self.fleet.spawn(Arc::clone(self).serve(run.to_owned(), messages, wake)));
        self.fleet.wait(self.publish_status(&status));
        Ok(())
    }

    /// Hands out a job to all workers, or to all but some if others are there.
    pub(crate) fn send(&self, run: &str, body: JobBody, not_by: Vec<String>) {
        let job = self.new_job();
        self.send_as(run, &job, body, NotBy { whom: not_by, ever: false });
    }

    fn new_job(&self) -> String {
        format!("{}.{}", self.session, self.sent.fetch_add(1, Ordering::Relaxed))
    }

    fn send_as(&self, run: &str, job: &str, body: JobBody, not_by: NotBy) {
        self.state().hand_out(run, job, body, not_by);
        if let Some(wake) = lock(&self.wakes).get(run) {
            wake.notify_one();
        }
    }

    /// The game in a result of a worker, if the rules prove it. A record that they refuse counts against the worker.
    pub(crate) fn prove(
        &self,
        run: &str,
        worker: &str,
        arrivals: &mut Arrivals,
        slot: &Slot,
        content: Content,
    ) -> Option<(PlayedSlot, Record)> {
        let record = match content {
            Content::Record(record) => Ok(record),
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

    /// Excludes all games of a worker from now on, and stops it.
    pub(crate) fn quarantine(&self, run: &str, worker: &str, why: &str) {
        let new = self.state().quarantine(run, worker, why);
        for worker in &new {
            self.drain(worker);
        }
    }

    /// Orders a worker to finish its games and stop, if it is present.
    pub(crate) fn drain(&self, worker: &str) {
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

    /// Records that a worker saw something that no other one has seen.
    pub(crate) fn suspect(&self, worker: &str) {
        self.state().second.suspect(worker);
    }

    /// Has a stored game replayed by another worker, if it is drawn and there is one.
    pub(crate) fn audit(&self, play: &SecondPlay) {
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
        self.send_as(&play.run, &job, play.body.clone(), NotBy { whom: not_by, ever: true });
    }

    /// Compares games that were played again with the first ones, until the coordinator is closed.
    fn compare(&self, results: &Receiver<SlotResult>) {
        for SlotResult { slot, worker, content } in results {
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
            let proved = self.prove(&play.run, &worker, &mut lock(&play.arrivals), &play.slot, content);
            let Some(points) = proved.as_ref().and_then(|(game, _)| points(game)) else { continue };
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

    /// Keeps an abandoned slot, for display.
    pub(crate) fn dead_letter(&self, run: &str, slot: u32, why: String) {
        if let Some(status) = self.state().runs.get_mut(run) {
            let (run, game) = (run.to_owned(), status.game.clone());
            status.dead_letter(DeadJob { run, game, slots: vec![slot], why, now_ms: now_ms() });
        }
    }

    /// Returns why nothing is being played: the server is away, there is no worker, or all workers refuse a run.
    pub(crate) fn why_idle(&self) -> Option<String> {
        if !self.is_connected() {
            return Some(format!("the NATS server at {} is away; games wait until it is back", self.fleet.at()));
        }
        self.state().why_idle(self.fleet.at(), &self.public_key())
    }

    /// Hands out no more, and leaves late results to the next coordinator.
    pub(crate) fn withdraw(&self, run: &str) {
        let status = {
            let mut state = self.state();
            state.withdrawn = true;
            state.second.clear();
            if let Some(queue) = state.queue(run) {
                queue.close();
            }
            let Some(status) = state.runs.get_mut(run) else { return };
            status.ended = true;
            status.clone()
        };
        self.fleet.wait(self.publish_status(&status));
    }

    /// Ends all runs.
    pub(crate) fn close(&self) {
        lock(&self.tasks).iter().for_each(JoinHandle::abort);
        let (runs, takers) = {
            let mut state = self.state();
            state.compared = None;
            let runs = std::mem::take(&mut state.runs);
            let takers: Vec<Taker> =
                runs.keys().filter_map(|run| Some(state.queue(run)?.take_takers())).flatten().collect();
            (runs, takers)
        };
        let end = async {
            for taker in takers {
                self.fleet.answer(&taker.by.user, &taker.reply, HeaderMap::new(), Bytes::new()).await;
            }
            for (_, mut status) in runs {
                (status.ended, status.now_ms) = (true, now_ms());
                self.publish_status(&status).await;
            }
            let _ = self.fleet.client().flush().await;
        };
        let _ = self.fleet.wait(async { timeout(SHUTDOWN_GRACE, end).await });
    }

    async fn publish_status(&self, status: &RunStatus) {
        let (subject, headers, payload) = self.signed(status);
        let _ = self.fleet.client().publish_with_headers(subject, headers, payload).await;
    }

    /// Answers to the workers of a run.
    async fn serve(self: Arc<Self>, run: String, mut messages: Subscriber, wake: Arc<Notify>) {
        loop {
            let (due, next) = self.state().tick(&run);
            for grant in due.grants {
                self.grant(&run, grant).await;
            }
            for taker in due.empty {
                self.fleet.answer(&taker.by.user, &taker.reply, HeaderMap::new(), Bytes::new()).await;
            }
            // Presence changes with every heartbeat.
            let until = next.map(|next| next.saturating_duration_since(self.terms.timing.clock.now()));
            let pause = until.map_or(self.terms.timing.heartbeat, |until| until.min(self.terms.timing.heartbeat));
            tokio::select! {
                message = messages.next() => {
                    let mut read = message;
                    for _ in 0..MESSAGE_BATCH {
                        let Some(message) = read else { return };
                        self.hear_of_run(&run, message).await;
                        let Some(next) = messages.next().now_or_never() else { break };
                        read = next;
                    }
                }
                () = wake.notified() => {}
                () = sleep(pause) => {}
            }
        }
    }

    /// Hands a job to a worker.
    async fn grant(&self, run: &str, grant: Grant) {
        let Grant { job, body, deliveries, to } = grant;
        let slots = {
            let state = self.state();
            let form = |slot: &Slot| SlotForm {
                number: slot.number,
                seats: slot.seats,
                seed: slot.seed,
                ticket: state.ticket(run, &job, slot.number, &to.by),
            };
            body.slots.iter().map(form).collect()
        };
        let (run, revision) = (run.to_owned(), self.session.clone());
        let payload = wire::json(&JobForm { run, revision, job, deliveries, slots, game: body.game });
        // The subject belongs to this one request: a recorded job cannot answer another one.
        let headers = keys::sign(&self.key, Kind::Job, &to.reply, &payload);
        self.fleet.answer(&to.by.user, &to.reply, headers, payload).await;
    }

    /// Handles a worker's message to a run.
    async fn hear_of_run(&self, run: &str, message: Message) {
        let Some((verb, user)) = subjects::verb(&message.subject).zip(subjects::user(&message.subject)) else { return };
        let (user, reply) = (user.to_owned(), message.reply.as_ref().map(ToString::to_string).unwrap_or_default());
        let answer = match self.take_in(run, verb, &user, &reply, &message) {
            Ok(answer) => answer,
            Err(why) => {
                self.state().junk(run, &user, &why);
                // A worker would send such a result for ever.
                (verb == Verb::Result).then(|| (HeaderMap::new(), wire::json(&ResultAnswer::Refused)))
            }
        };
        if let Some((headers, payload)) = answer {
            self.fleet.answer(&user, &reply, headers, payload).await;
        }
    }

    /// Returns the answer to a worker's message, if there is one now; an error says why it is refused.
    fn take_in(
        &self,
        run: &str,
        verb: Verb,
        user: &str,
        reply: &str,
        message: &Message,
    ) -> Result<Option<(HeaderMap, Bytes)>, String> {
        let clock = &self.terms.timing.clock;
        let empty = || Some((HeaderMap::new(), Bytes::new()));
        match verb {
            Verb::Take => {
                let (form, by) = wire::read_request(message, |form: &TakeForm| &form.worker)?;
                if !subjects::is_reply(user, reply) {
                    return Err("it asks for a job to be sent elsewhere".to_owned());
                }
                let mut state = self.state();
                let label = state.roll.admit(by.clone())?;
                let until = clock.now() + Duration::from_millis(form.wait_ms).min(MAX_JOB_WAIT);
                let is_shut_out = state.is_shut_out(&label);
                let Some(queue) = state.queue(run).filter(|_| !is_shut_out) else { return Ok(empty()) };
                let asked = queue.ask(Taker { by, reply: reply.to_owned(), until });
                Ok(if asked { None } else { empty() })
            }
            Verb::Keep => {
                let (form, by) = wire::read_request(message, |form: &KeepForm| &form.worker)?;
                if let Some(queue) = self.state().queue(run) {
                    queue.keep(&form.job, &by, clock.now());
                }
                Ok(None)
            }
            Verb::Began => {
                let (form, by) = wire::read_request(message, |form: &Began| &form.worker)?;
                self.state().begins(run, &by, form);
                Ok(None)
            }
            Verb::Move => {
                if let Ok(played) = serde_json::from_slice(&message.payload) {
                    self.state().moves(run, user, played);
                }
                Ok(None)
            }
            Verb::Result => {
                let result = wire::read_result(message, |form, by| {
                    form.ticket == wire::ticket(&self.secret, run, &form.job, form.slot, by)
                })?;
                let answer = self.state().take_result(run, result)?;
                Ok(answer.map(|answer| (HeaderMap::new(), wire::json(&answer))))
            }
            Verb::End => {
                let (form, by) = wire::read_request(message, |form: &EndForm| &form.worker)?;
                let delay = Duration::from_millis(form.delay_ms).min(MAX_JOB_WAIT);
                self.state().give_back(run, &form.job, &by, delay);
                Ok(empty())
            }
            Verb::Fetch => {
                let (form, by) = wire::read_request(message, |form: &FetchForm| &form.worker)?;
                let mut state = self.state();
                state.roll.admit(by)?;
                Ok(Some(part_message(state.archives.part(run, &form.name, form.offset))))
            }
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

    /// Accepts the status of a worker. Returns the order to stop, if it was restarted although none of its games would
    /// count.
    fn hear(&self, message: &Message) -> Option<(String, HeaderMap, Bytes)> {
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
}
