//! State shared by the threads and tasks of a coordinator.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use agon_arena::store::Quarantine;
use agon_game::hash::hex;
use agon_referee::signing::PublicKey;
use agon_referee::text::line;
use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::audit::MAX_REFUSED;
use crate::fetch::ArchiveCache;
use crate::keys;
use crate::notice::{RunStatus, WorkerStatus, now_ms};
use crate::presence::Presence;
use crate::queue::{Due, GivenUp, JobQueue, NotBy, Place};
use crate::roll::{Address, Roll};
use crate::second::SecondPlays;
use crate::timing::Timing;
use crate::wire::{
    self, Began, Content, JobBody, MAX_RECORD_BYTES, MoveNews, RecordPart, ResultAnswer, ResultForm, SignedResult,
    SlotResult,
};

/// Number of workers' audits in a status beyond which it omits those that have gone: messages have a maximum size.
const MAX_AUDITS: usize = 200;

/// The most moves of a slot that are passed on while it waits for its result.
const MAX_MOVES: usize = 50_000;

/// Minimum interval between reports of invalid messages from the same user.
const JUNK_INTERVAL: Duration = Duration::from_mins(1);

/// The most users whose faults are remembered for that.
const MAX_JUNK_USERS: usize = 1000;

/// After this number of quarantined workers of one user none of that user's games counts.
const MAX_QUARANTINED_NAMES: usize = 3;

/// Maximum length of all incomplete records of a user.
const MAX_PARTS_BYTES: usize = 64 << 20;

/// Event of a slot that is handed out.
pub(crate) enum SlotEvent {
    Began(Began),
    Move(MoveNews),
    Result(SlotResult),
    /// Its job was delivered too often; `alone` if that job had no other slot.
    GivenUp {
        slot: u32,
        alone: bool,
    },
    /// A game has been proved here. Wakes a coordinator that waits for the proof.
    Proved,
}

/// The slots whose results an earlier process may have left on the server.
pub(crate) enum Expected {
    Listed(BTreeSet<u32>),
    /// This one and all after it.
    From(u32),
}

/// A waiter for a slot.
struct Waiting {
    events: Sender<SlotEvent>,
    /// The run and the jobs as which it is handed out.
    run: String,
    jobs: Vec<String>,
    moves: usize,
}

pub(crate) struct State {
    pub presence: Presence,
    pub roll: Roll,
    /// Objects that workers fetch.
    pub archives: ArchiveCache,
    timing: Timing,
    /// The coordinator's session, with which the names of its jobs begin.
    session: String,
    /// Secret for creating tickets.
    secret: [u8; 32],
    /// The runs that have been announced, by name.
    pub runs: BTreeMap<String, RunStatus>,
    /// Their jobs.
    queues: BTreeMap<String, JobQueue>,
    /// Waiters, by slot.
    waiting: HashMap<u32, Waiting>,
    expected: Expected,
    /// Results of expected slots that have not been handed out yet.
    early: HashMap<u32, SlotResult>,
    /// The parts of long records that have come, with their users, by job and slot.
    parts: HashMap<(String, u32), (String, Vec<u8>)>,
    /// Number of refused records, by worker.
    refused: HashMap<String, u32>,
    /// Time of the last report of a user's invalid messages.
    junk: HashMap<String, Instant>,
    /// The workers and users whose games no longer count, and why.
    quarantined: BTreeMap<String, String>,
    /// Those not reported yet.
    pub found_out: Vec<Quarantine>,
    /// Faults that have not been reported yet.
    pub faults: Vec<String>,
    pub second: SecondPlays,
    /// Receiver of the results of second plays, until the coordinator is closed.
    pub compared: Option<Sender<SlotResult>>,
    /// True if nothing is handed out any more.
    pub withdrawn: bool,
    /// Slots that are left to the next coordinator, with the results that come yet.
    left: BTreeSet<u32>,
}

impl State {
    pub(crate) fn new(
        timing: Timing,
        expected: Expected,
        second: SecondPlays,
        compared: Sender<SlotResult>,
        roll: Roll,
        session: String,
        secret: [u8; 32],
    ) -> Self {
        Self {
            presence: Presence::new(timing.max_silence),
            roll,
            archives: ArchiveCache::default(),
            timing,
            session,
            secret,
            runs: BTreeMap::new(),
            queues: BTreeMap::new(),
            waiting: HashMap::new(),
            expected,
            early: HashMap::new(),
            parts: HashMap::new(),
            refused: HashMap::new(),
            junk: HashMap::new(),
            quarantined: BTreeMap::new(),
            found_out: Vec::new(),
            faults: Vec::new(),
            second,
            compared: Some(compared),
            withdrawn: false,
            left: BTreeSet::new(),
        }
    }

    /// Opens a run that is announced.
    pub(crate) fn open(&mut self, status: RunStatus) {
        let queue = JobQueue::new(self.timing.lease, self.timing.prefer_others);
        self.queues.insert(status.run.clone(), queue);
        self.runs.insert(status.run.clone(), status);
    }

    pub(crate) fn queue(&mut self, run: &str) -> Option<&mut JobQueue> {
        self.queues.get_mut(run)
    }

    /// Sends the events of a slot to this channel from now on; returns whether its result is already there.
    pub(crate) fn wait_for(&mut self, run: &str, slot: u32, events: &Sender<SlotEvent>) -> bool {
        match &mut self.expected {
            Expected::Listed(slots) => drop(slots.remove(&slot)),
            Expected::From(next) => *next = (*next).max(slot.saturating_add(1)),
        }
        let waiting = Waiting { events: events.clone(), run: run.to_owned(), jobs: Vec::new(), moves: 0 };
        if self.waiting.insert(slot, waiting).is_none()
            && let Some(status) = self.runs.get_mut(run)
        {
            status.out += 1;
        }
        let early = self.early.remove(&slot);
        early.is_some_and(|result| events.send(SlotEvent::Result(result)).is_ok())
    }

    /// Waits for a slot no longer.
    pub(crate) fn settle(&mut self, run: &str, slot: u32) {
        let Some(waiting) = self.waiting.remove(&slot) else { return };
        if let Some(status) = self.runs.get_mut(run) {
            status.out -= 1;
        }
        if let Some(queue) = self.queues.get_mut(run) {
            waiting.jobs.iter().for_each(|job| queue.settle(job, slot));
        }
        self.parts.retain(|(_, other), _| *other != slot);
    }

    /// Leaves a slot, and its possible late result, to the next coordinator.
    pub(crate) fn leave(&mut self, run: &str, slot: u32) {
        self.settle(run, slot);
        self.left.insert(slot);
    }

    pub(crate) fn expects(&self, slot: u32) -> bool {
        match &self.expected {
            Expected::Listed(slots) => slots.contains(&slot),
            Expected::From(next) => slot >= *next,
        }
    }

    /// Hands out a job of this name, to all but some.
    pub(crate) fn hand_out(&mut self, run: &str, job: &str, body: JobBody, not_by: NotBy) {
        for slot in &body.slots {
            if let Some(waiting) = self.waiting.get_mut(&slot.number) {
                waiting.jobs.push(job.to_owned());
            }
        }
        let now = self.timing.clock.now();
        if let Some(queue) = self.queues.get_mut(run) {
            queue.push(job.to_owned(), body, not_by, now);
        }
    }

    /// Returns the status of a slot that is handed out, in the last job that has it.
    pub(crate) fn place(&self, slot: u32) -> Place {
        let waiting = self.waiting.get(&slot);
        let found = waiting.and_then(|waiting| Some((self.queues.get(&waiting.run)?, waiting.jobs.last()?)));
        found.map_or(Place::Nowhere, |(queue, job)| queue.place(job, slot))
    }

    /// Returns the due events of a run's jobs, and the time of the next ones.
    pub(crate) fn tick(&mut self, run: &str) -> (Due, Option<Instant>) {
        let now = self.timing.clock.now();
        let Some(mut queue) = self.queues.remove(run) else { return (Due::default(), None) };
        let may_play = |by: &Address| self.roll.label_of(by).is_some_and(|label| !self.is_shut_out(label));
        let is_there = |one: &dyn Fn(&Address) -> bool| {
            self.willing(run).filter_map(|worker| self.roll.address(&worker.worker)).any(one)
        };
        let due = queue.tick(now, may_play, is_there);
        let next = queue.next(now);
        self.queues.insert(run.to_owned(), queue);
        self.give_up(&due.given_up);
        (due, next)
    }

    /// A worker gives a job back that it holds.
    pub(crate) fn give_back(&mut self, run: &str, job: &str, by: &Address, delay: Duration) {
        let now = self.timing.clock.now();
        let given_up = self.queues.get_mut(run).map(|queue| queue.give_back(job, by, delay, now));
        self.give_up(&given_up.unwrap_or_default());
    }

    fn give_up(&mut self, slots: &[GivenUp]) {
        for &GivenUp { slot, alone } in slots {
            if !self.notify(slot, SlotEvent::GivenUp { slot, alone }) {
                self.second.end(slot);
            }
        }
    }

    /// The ticket of a slot in a job of a run, for the worker to which it is handed.
    pub(crate) fn ticket(&self, run: &str, job: &str, slot: u32, holder: &Address) -> String {
        wire::ticket(&self.secret, run, job, slot, holder)
    }

    /// Returns true if the result of a worker that holds the job is needed.
    fn is_needed(&self, slot: u32, job: &str) -> bool {
        let own = job.split('.').next() == Some(self.session.as_str());
        let waiting = self.waiting.get(&slot);
        let is_wanted = match waiting {
            Some(waiting) if own => waiting.jobs.iter().any(|name| name == job),
            Some(_) => true,
            None => own || self.expects(slot),
        };
        is_wanted && (waiting.is_some() || !self.second.is_open(slot) || self.second.expects(slot, job))
    }

    /// Handles a result, or a part of one, of a worker that was given the job. Returns the answer, if there is one; a
    /// worker keeps the rest for the next coordinator.
    pub(crate) fn take_result(&mut self, run: &str, result: SignedResult) -> Result<Option<ResultAnswer>, String> {
        let SignedResult { form, by, payload } = result;
        if self.left.contains(&form.slot) {
            return Ok(None);
        }
        if !self.is_needed(form.slot, &form.job) {
            return Ok(Some(ResultAnswer::Taken));
        }
        let user = by.user.clone();
        let worker = self.roll.admit(by)?;
        let payload = match &form.part {
            None => payload,
            Some(part) => match self.add_part(user, &form, part, &payload)? {
                Ok(whole) => whole,
                Err(answer) => return Ok(Some(answer)),
            },
        };
        let content = if form.failed { Content::Failed(wire::reason(&payload)) } else { Content::Record(payload) };
        if let Some(queue) = self.queues.get_mut(run) {
            queue.settle(&form.job, form.slot);
        }
        self.deliver(SlotResult { slot: form.slot, worker, content });
        Ok(Some(ResultAnswer::Taken))
    }

    /// Adds a part of a long record; returns the whole, or the answer.
    fn add_part(
        &mut self,
        user: String,
        form: &ResultForm,
        part: &RecordPart,
        payload: &[u8],
    ) -> Result<Result<Bytes, ResultAnswer>, String> {
        if part.bytes > MAX_RECORD_BYTES {
            return Err(format!("its record has more than {} MiB", MAX_RECORD_BYTES >> 20));
        }
        let key = (form.job.clone(), form.slot);
        let mut whole = self.parts.remove(&key).map(|(_, whole)| whole).unwrap_or_default();
        if part.number == 0 {
            whole.clear();
        }
        let others: usize = self.parts.values().filter(|(other, _)| *other == user).map(|(_, part)| part.len()).sum();
        // A part of a message whose beginning this coordinator has not seen, or one too many.
        if (part.number == 0) != whole.is_empty() || others + whole.len() + payload.len() > MAX_PARTS_BYTES {
            return Ok(Err(ResultAnswer::Again));
        }
        whole.extend_from_slice(payload);
        if whole.len() < part.bytes {
            self.parts.insert(key, (user, whole));
            return Ok(Err(ResultAnswer::More));
        }
        let is_whole = whole.len() == part.bytes && hex(&Sha256::digest(&whole)) == part.sha256;
        Ok(if is_whole { Ok(whole.into()) } else { Err(ResultAnswer::Again) })
    }

    /// Passes a result on.
    fn deliver(&mut self, result: SlotResult) {
        let slot = result.slot;
        if let Some(waiting) = self.waiting.get(&slot) {
            let _ = waiting.events.send(SlotEvent::Result(result));
        } else if let Some(compared) = self.compared.as_ref().filter(|_| self.second.is_open(slot)) {
            let _ = compared.send(result);
        } else if self.expects(slot) {
            self.early.insert(slot, result);
        }
    }

    /// Sends an event of a slot, if it is handed out; returns whether it is.
    pub(crate) fn notify(&self, slot: u32, event: SlotEvent) -> bool {
        self.waiting.get(&slot).is_some_and(|waiting| waiting.events.send(event).is_ok())
    }

    /// A worker says that it begins a slot.
    pub(crate) fn begins(&self, run: &str, by: &Address, began: Began) {
        let waiting = self.waiting.get(&began.slot);
        if waiting.is_some_and(|waiting| waiting.jobs.contains(&began.job))
            && self.queues.get(run).is_some_and(|queue| queue.is_held(&began.job, by))
            && let Some(label) = self.roll.label_of(by)
        {
            let worker = label.to_owned();
            self.notify(began.slot, SlotEvent::Began(Began { worker, ..began }));
        }
    }

    /// A worker of this user reports a move of a slot.
    pub(crate) fn moves(&mut self, run: &str, user: &str, played: MoveNews) {
        let holder = self.queues.get(run).and_then(|queue| queue.holder(&played.job)).filter(|by| by.user == user);
        let Some(holder) = holder.cloned() else { return };
        if played.ticket == self.ticket(run, &played.job, played.slot, &holder)
            && let Some(waiting) = self.waiting.get_mut(&played.slot)
            && waiting.moves < MAX_MOVES
        {
            waiting.moves += 1;
            let _ = waiting.events.send(SlotEvent::Move(played));
        }
    }

    /// Records an invalid message of a user; reports are rate-limited.
    pub(crate) fn junk(&mut self, run: &str, user: &str, what: &str) {
        if self.junk.len() >= MAX_JUNK_USERS {
            self.junk.retain(|_, at| at.elapsed() < JUNK_INTERVAL);
        }
        let is_new = self.junk.get(user).is_none_or(|at| at.elapsed() >= JUNK_INTERVAL);
        if is_new && self.junk.len() < MAX_JUNK_USERS {
            self.junk.insert(user.to_owned(), Instant::now());
            let text = format!("a message of user {user} is refused: {what}");
            self.fault(run, line(&text));
        }
    }

    /// Whom to leave out so that a game of a run is played by others than these workers: all workers of their users if
    /// another user has one that could play it, else these workers. `None` if no other worker could.
    pub(crate) fn elsewhere(&self, run: &str, workers: &[&str]) -> Option<Vec<String>> {
        let users: BTreeSet<&str> = workers.iter().map(|worker| self.roll.user(worker)).collect();
        if self.willing(run).any(|worker| !users.contains(self.roll.user(&worker.worker))) {
            return Some(users.into_iter().map(str::to_owned).collect());
        }
        self.others(run, workers).then(|| self.addresses(workers))
    }

    /// These workers in the form in which jobs name those that must not play them.
    pub(crate) fn addresses(&self, workers: &[&str]) -> Vec<String> {
        let address = |worker: &&str| self.roll.address(worker).map(|found| format!("{} {}", found.name, found.user));
        workers.iter().filter_map(address).collect()
    }

    /// Returns true if two workers are certainly distinct: of two users, or, if there is only one, with two names.
    pub(crate) fn independent(&self, run: &str, one: &str, other: &str) -> bool {
        let users = [one, other].map(|worker| self.roll.user(worker));
        let is_third = |user: &str| !users.contains(&user);
        users[0] != users[1]
            || one != other && !self.willing(run).any(|worker| is_third(self.roll.user(&worker.worker)))
    }

    /// The workers whose games count and that are not draining.
    pub(crate) fn workers(&self) -> impl Iterator<Item = &WorkerStatus> {
        self.presence.present().filter(|worker| !worker.draining && !self.is_shut_out(&worker.worker))
    }

    /// Those that do not refuse a run.
    pub(crate) fn willing(&self, run: &str) -> impl Iterator<Item = &WorkerStatus> {
        self.workers().filter(move |worker| !worker.refused.contains_key(run))
    }

    /// Returns true if a worker other than these could play a game of a run.
    pub(crate) fn others(&self, run: &str, workers: &[&str]) -> bool {
        self.willing(run).any(|worker| !workers.contains(&worker.worker.as_str()))
    }

    /// Returns why a run with slots handed out is not being played, or why none is.
    pub(crate) fn why_idle(&self, at: &str, key: &PublicKey) -> Option<String> {
        if self.presence.present().all(|worker| self.is_shut_out(&worker.worker)) {
            return Some(format!("no worker is there; start some with `agon worker --nats {at} --trust {key}`"));
        }
        let idle = |status: &&RunStatus| status.out > 0 && self.willing(&status.run).next().is_none();
        let status = self.runs.values().find(idle)?;
        let why = |worker: &WorkerStatus| {
            let why = match worker.refused.get(&status.run) {
                Some(why) => why,
                None if self.is_shut_out(&worker.worker) => "it is in quarantine",
                None => "it finishes its games and stops",
            };
            format!("{}: {why}", worker.worker)
        };
        let mut reasons: Vec<String> = self.presence.present().map(why).collect();
        reasons.sort();
        Some(format!("no worker can play {} ({}): {}", status.game, status.title, reasons.join("; ")))
    }

    /// Records a fault of a run.
    pub(crate) fn fault(&mut self, run: &str, what: String) {
        if let Some(status) = self.runs.get_mut(run) {
            status.fault(what.clone());
        }
        self.faults.push(what);
    }

    /// Records that a game of a worker was replayed.
    pub(crate) fn count_audit(&mut self, run: &str, worker: &str, differed: bool) {
        if let Some(status) = self.runs.get_mut(run) {
            status.audits.entry(worker.to_owned()).or_default().add(differed);
        }
    }

    /// Returns true if games of a worker no longer count.
    pub(crate) fn is_shut_out(&self, worker: &str) -> bool {
        self.quarantined.contains_key(worker) || self.quarantined.contains_key(self.roll.user(worker))
    }

    /// Excludes all games of a worker, or of a user, from now on; returns whether that is new.
    pub(crate) fn shut_out(&mut self, worker: &str, why: &str) -> bool {
        self.second.forget(worker);
        self.quarantined.insert(worker.to_owned(), why.to_owned()).is_none()
    }

    /// Records a refused record of a worker; returns the reason if the worker now goes into quarantine.
    pub(crate) fn distrust(&mut self, run: &str, worker: &str, slot: u32, problem: &str) -> Option<String> {
        if self.is_shut_out(worker) {
            return None;
        }
        self.fault(run, format!("the record of game {slot} from worker {worker} is refused: {problem}"));
        self.second.suspect(worker);
        let count = self.refused.entry(worker.to_owned()).or_insert(0);
        *count += 1;
        (*count >= MAX_REFUSED).then(|| format!("{MAX_REFUSED} of its records were refused"))
    }

    /// Puts a worker into quarantine, and its user if that is a key or already has several workers there. Returns the
    /// newly added workers.
    pub(crate) fn quarantine(&mut self, run: &str, worker: &str, why: &str) -> Vec<String> {
        if self.is_shut_out(worker) {
            return Vec::new();
        }
        let user = self.roll.user(worker).to_owned();
        self.shut_out(worker, why);
        let text = format!("worker {worker} is in quarantine: {why}; it must stop, and others replay its games");
        self.fault(run, text);
        self.found_out.push(Quarantine { worker: worker.to_owned(), why: why.to_owned() });
        let mut new = vec![worker.to_owned()];
        let names = self.roll.of_user(&user).filter(|worker| self.quarantined.contains_key(*worker)).count();
        if user != worker && (keys::public_key(&user).is_some() || names >= MAX_QUARANTINED_NAMES) {
            new.extend(self.quarantine_user(run, &user, &format!("it is the user of worker {worker}")));
        }
        new
    }

    /// Puts a user with all its workers into quarantine. Returns the newly added workers.
    pub(crate) fn quarantine_user(&mut self, run: &str, user: &str, why: &str) -> Vec<String> {
        let workers: Vec<String> = self.roll.of_user(user).map(str::to_owned).collect();
        let new: Vec<String> = workers.into_iter().filter(|worker| !self.quarantined.contains_key(worker)).collect();
        if self.shut_out(user, why) {
            self.found_out.push(Quarantine { worker: user.to_owned(), why: why.to_owned() });
        }
        for worker in &new {
            let why = format!("its user {user}: {why}");
            self.shut_out(worker, &why);
            let text = format!("worker {worker} is in quarantine: {why}; it must stop, and others replay its games");
            self.fault(run, text);
            self.found_out.push(Quarantine { worker: worker.clone(), why });
        }
        new
    }

    /// The status of every run, `elapsed` after the coordinator has started.
    pub(crate) fn statuses(&mut self, elapsed: Duration) -> Vec<RunStatus> {
        let listed = |(worker, why): (&String, &String)| Quarantine { worker: worker.clone(), why: why.clone() };
        let quarantined: Vec<Quarantine> = self.quarantined.iter().map(listed).collect();
        for status in self.runs.values_mut() {
            status.now_ms = now_ms();
            status.per_minute = status.played as f64 * 60.0 / elapsed.as_secs_f64().max(1.0);
            status.quarantined.clone_from(&quarantined);
            if status.agents.is_empty() {
                // A ladder has no end: its games are those played and those handed out.
                status.games = status.played + status.out as u64;
            }
            if status.audits.len() > MAX_AUDITS {
                let present: BTreeSet<&str> = self.presence.present().map(|worker| &*worker.worker).collect();
                status
                    .audits
                    .retain(|worker, _| present.contains(worker.as_str()) || self.quarantined.contains_key(worker));
            }
        }
        self.runs.values().cloned().collect()
    }
}
