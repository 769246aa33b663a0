//! What the threads and tasks of a coordinator share.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use agon_arena::store::Quarantine;
use agon_referee::signing::PublicKey;
use agon_referee::text::line;
use async_nats::jetstream::Message;

use crate::audit::MAX_REFUSED;
use crate::keys;
use crate::notice::{RunStatus, WorkerStatus, now_ms};
use crate::presence::Presence;
use crate::roll::{Address, Roll};
use crate::second::SecondPlays;
use crate::wire::{self, Began, MoveNews, SignedResult, SlotResult};

/// How many workers' audits a status lists before it leaves out those that have gone: a message has a maximal size.
const MAX_AUDITS: usize = 200;

/// The most moves of a slot that are passed on while it waits for its result.
const MAX_MOVES: usize = 50_000;

/// How often a fault of messages from the same user is reported.
const JUNK_INTERVAL: Duration = Duration::from_mins(1);

/// The most users whose faults are remembered for that.
const MAX_JUNK_USERS: usize = 1000;

/// After this number of quarantined workers of one user none of that user's games counts.
const MAX_QUARANTINED_NAMES: usize = 3;

/// What happens to a slot that is handed out.
pub enum SlotEvent {
    Began(Began),
    Move(MoveNews),
    Result(SlotResult, Box<Message>),
    /// Its job was delivered too often; `alone` if that job had no other slot.
    GivenUp {
        slot: u32,
        alone: bool,
    },
    /// A game has been proved here. Wakes a coordinator that waits for the proof.
    Proved,
}

/// The slots whose results an earlier process may have left on the server.
pub enum Expected {
    Listed(BTreeSet<u32>),
    /// This one and all after it.
    From(u32),
}

/// Who waits for a slot.
struct Waiting {
    events: Sender<SlotEvent>,
    /// The jobs as which it is handed out, and who is not to play each.
    jobs: Vec<(String, Vec<String>)>,
    moves: usize,
}

/// Why a result is not taken.
pub enum Untaken {
    /// It is from someone who was not given the job, or a lie about itself.
    Junk(String),
    /// Nothing waits for it any more.
    Late,
}

pub struct State {
    pub presence: Presence,
    pub roll: Roll,
    /// The coordinator's session, with which the names of its jobs begin.
    session: String,
    /// The secret that tickets are made of.
    secret: [u8; 32],
    /// The runs that have been announced, by name.
    pub runs: BTreeMap<String, RunStatus>,
    /// Who waits for which slot.
    waiting: HashMap<u32, Waiting>,
    expected: Expected,
    /// Results of expected slots that have not been handed out yet.
    pub early: HashMap<u32, (SlotResult, Box<Message>)>,
    /// How many records of each worker have been refused.
    refused: HashMap<String, u32>,
    /// When a fault of a user's messages was last reported.
    junk: HashMap<String, Instant>,
    /// The workers and users whose games no longer count, and why.
    quarantined: BTreeMap<String, String>,
    /// Those of them that have not been reported yet.
    pub found_out: Vec<Quarantine>,
    /// Faults that have not been reported yet.
    pub faults: Vec<String>,
    pub second: SecondPlays,
    /// Where results of second plays go until the coordinator is closed.
    pub compared: Option<Sender<(SlotResult, Box<Message>)>>,
    /// Whether late results are left on the server, for the next coordinator.
    pub withdrawn: bool,
}

impl State {
    pub fn new(
        expected: Expected,
        second: SecondPlays,
        compared: Sender<(SlotResult, Box<Message>)>,
        roll: Roll,
        session: String,
        secret: [u8; 32],
    ) -> Self {
        Self {
            presence: Presence::default(),
            roll,
            session,
            secret,
            runs: BTreeMap::new(),
            waiting: HashMap::new(),
            expected,
            early: HashMap::new(),
            refused: HashMap::new(),
            junk: HashMap::new(),
            quarantined: BTreeMap::new(),
            found_out: Vec::new(),
            faults: Vec::new(),
            second,
            compared: Some(compared),
            withdrawn: false,
        }
    }

    /// Sends what happens to a slot to this channel from now on. Whether its result is there already.
    pub fn wait_for(&mut self, run: &str, slot: u32, events: &Sender<SlotEvent>) -> bool {
        match &mut self.expected {
            Expected::Listed(slots) => drop(slots.remove(&slot)),
            Expected::From(next) => *next = (*next).max(slot.saturating_add(1)),
        }
        let waiting = Waiting { events: events.clone(), jobs: Vec::new(), moves: 0 };
        if self.waiting.insert(slot, waiting).is_none()
            && let Some(status) = self.runs.get_mut(run)
        {
            status.out += 1;
        }
        let early = self.early.remove(&slot);
        early.is_some_and(|(result, message)| events.send(SlotEvent::Result(result, message)).is_ok())
    }

    /// Waits for a slot no longer.
    pub fn settle(&mut self, run: &str, slot: u32) {
        if self.waiting.remove(&slot).is_some()
            && let Some(status) = self.runs.get_mut(run)
        {
            status.out -= 1;
        }
    }

    pub fn expects(&self, slot: u32) -> bool {
        match &self.expected {
            Expected::Listed(slots) => slots.contains(&slot),
            Expected::From(next) => slot >= *next,
        }
    }

    /// Notes that a slot is handed out as a job of this name, to all but some.
    pub fn hand_out(&mut self, slot: u32, job: &str, not_by: &[String]) {
        if let Some(waiting) = self.waiting.get_mut(&slot) {
            waiting.jobs.push((job.to_owned(), not_by.to_vec()));
        }
    }

    /// The ticket of a slot in a job of a run.
    pub fn ticket(&self, run: &str, job: &str, slot: u32) -> String {
        wire::ticket(&self.secret, run, job, slot)
    }

    /// A result as one of a worker that is known here, if that worker was given the job.
    pub fn accept(&mut self, run: &str, result: SignedResult) -> Result<SlotResult, Untaken> {
        let SignedResult { form, user, key, content } = result;
        let slot = form.slot;
        if form.ticket != self.ticket(run, &form.job, slot) {
            return Err(Untaken::Junk(format!("it is of game {slot}, which was not given to worker {}", form.worker)));
        }
        let own = form.job.split('.').next() == Some(self.session.as_str());
        if let Some(waiting) = self.waiting.get(&slot).filter(|_| own) {
            let Some((_, not_by)) = waiting.jobs.iter().find(|(job, _)| *job == form.job) else {
                return Err(Untaken::Late);
            };
            if wire::is_excluded(not_by, &form.worker, &user) {
                return Err(Untaken::Junk(format!("game {slot} is not for worker {}", form.worker)));
            }
        } else if !own && !self.waiting.contains_key(&slot) && !self.expects(slot) {
            return Err(Untaken::Late);
        }
        if self.second.is_open(slot) && !self.waiting.contains_key(&slot) && !self.second.expects(slot, &form.job) {
            return Err(Untaken::Late);
        }
        let worker = self.roll.admit(Address { name: form.worker, user, key }).map_err(Untaken::Junk)?;
        Ok(SlotResult { slot, worker, content })
    }

    /// Passes a result on. Returns the message of one that nothing needs any more, to be acknowledged.
    pub fn deliver(&mut self, result: SlotResult, message: Box<Message>) -> Option<Box<Message>> {
        let slot = result.slot;
        if let Some(waiting) = self.waiting.get(&slot) {
            let _ = waiting.events.send(SlotEvent::Result(result, message));
        } else if let Some(compared) = self.compared.as_ref().filter(|_| self.second.is_open(slot)) {
            let _ = compared.send((result, message));
        } else if self.expects(slot) {
            self.early.insert(slot, (result, message));
        } else if !self.withdrawn {
            return Some(message);
        }
        None
    }

    /// Passes on what happens to a slot, if it is handed out. Whether it is.
    pub fn notify(&self, slot: u32, event: SlotEvent) -> bool {
        self.waiting.get(&slot).is_some_and(|waiting| waiting.events.send(event).is_ok())
    }

    /// Whether a slot is handed out as this job, and who says so was given it.
    fn is_held(&self, run: &str, slot: u32, job: &str, ticket: &str) -> bool {
        let known = |waiting: &Waiting| waiting.jobs.iter().any(|(name, _)| name == job);
        self.waiting.get(&slot).is_some_and(known) && ticket == self.ticket(run, job, slot)
    }

    /// A worker of this user says that it begins a slot.
    pub fn begins(&self, run: &str, user: &str, began: Began) {
        if self.is_held(run, began.slot, &began.job, &began.ticket)
            && let Some(label) = self.roll.label(&began.worker, user)
        {
            let worker = label.to_owned();
            self.notify(began.slot, SlotEvent::Began(Began { worker, ..began }));
        }
    }

    /// A worker reports a move of a slot.
    pub fn moves(&mut self, run: &str, played: MoveNews) {
        if self.is_held(run, played.slot, &played.job, &played.ticket)
            && let Some(waiting) = self.waiting.get_mut(&played.slot)
            && waiting.moves < MAX_MOVES
        {
            waiting.moves += 1;
            let _ = waiting.events.send(SlotEvent::Move(played));
        }
    }

    /// Notes a message of a user that is not what it should be; not each of many.
    pub fn junk(&mut self, run: &str, user: &str, what: &str) {
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

    /// Whom to leave out so that a game of a run is played by someone else than these workers: all workers of their
    /// users if another user has one that could play it, else these workers. `None` if no other worker could.
    pub fn elsewhere(&self, run: &str, workers: &[&str]) -> Option<Vec<String>> {
        let users: BTreeSet<&str> = workers.iter().map(|worker| self.roll.user(worker)).collect();
        if self.willing(run).any(|worker| !users.contains(self.roll.user(&worker.worker))) {
            return Some(users.into_iter().map(str::to_owned).collect());
        }
        self.others(run, workers).then(|| self.addresses(workers))
    }

    /// These workers as jobs name those that are not to play them.
    pub fn addresses(&self, workers: &[&str]) -> Vec<String> {
        let address = |worker: &&str| self.roll.address(worker).map(|found| format!("{} {}", found.name, found.user));
        workers.iter().filter_map(address).collect()
    }

    /// Whether two workers are surely two: of two users, or, if there is only one, of two names.
    pub fn independent(&self, run: &str, one: &str, other: &str) -> bool {
        let users = [one, other].map(|worker| self.roll.user(worker));
        let is_third = |user: &str| !users.contains(&user);
        users[0] != users[1]
            || one != other && !self.willing(run).any(|worker| is_third(self.roll.user(&worker.worker)))
    }

    /// The workers whose games count and that are not draining.
    pub fn workers(&self) -> impl Iterator<Item = &WorkerStatus> {
        self.presence.present().filter(|worker| !worker.draining && !self.is_shut_out(&worker.worker))
    }

    /// Those of them that do not refuse a run.
    pub fn willing(&self, run: &str) -> impl Iterator<Item = &WorkerStatus> {
        self.workers().filter(move |worker| !worker.refused.contains_key(run))
    }

    /// Whether a worker other than these could play a game of a run.
    pub fn others(&self, run: &str, workers: &[&str]) -> bool {
        self.willing(run).any(|worker| !workers.contains(&worker.worker.as_str()))
    }

    /// Why a run with slots handed out is not played, or why none is.
    pub fn why_idle(&self, at: &str, key: &PublicKey) -> Option<String> {
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

    /// Notes that something went wrong with a run.
    pub fn fault(&mut self, run: &str, what: String) {
        if let Some(status) = self.runs.get_mut(run) {
            status.fault(what.clone());
        }
        self.faults.push(what);
    }

    /// Notes that a game of a worker was played again.
    pub fn count_audit(&mut self, run: &str, worker: &str, differed: bool) {
        if let Some(status) = self.runs.get_mut(run) {
            status.audits.entry(worker.to_owned()).or_default().add(differed);
        }
    }

    /// Whether no game of a worker counts any more.
    pub fn is_shut_out(&self, worker: &str) -> bool {
        self.quarantined.contains_key(worker) || self.quarantined.contains_key(self.roll.user(worker))
    }

    /// Lets no game of a worker, or of a user, count any more. Whether that is new.
    pub fn shut_out(&mut self, worker: &str, why: &str) -> bool {
        self.second.forget(worker);
        self.quarantined.insert(worker.to_owned(), why.to_owned()).is_none()
    }

    /// Notes a refused record of a worker. Why the worker goes into quarantine, if it now does.
    pub fn distrust(&mut self, run: &str, worker: &str, slot: u32, problem: &str) -> Option<String> {
        if self.is_shut_out(worker) {
            return None;
        }
        self.fault(run, format!("the record of game {slot} from worker {worker} is refused: {problem}"));
        self.second.suspect(worker);
        let count = self.refused.entry(worker.to_owned()).or_insert(0);
        *count += 1;
        (*count >= MAX_REFUSED).then(|| format!("{MAX_REFUSED} of its records were refused"))
    }

    /// Puts a worker into quarantine, and its user if that is a key or has had several workers there already. The
    /// workers that are new there.
    pub fn quarantine(&mut self, run: &str, worker: &str, why: &str) -> Vec<String> {
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

    /// Puts a user with all its workers into quarantine. The workers that are new there.
    pub fn quarantine_user(&mut self, run: &str, user: &str, why: &str) -> Vec<String> {
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
    pub fn statuses(&mut self, elapsed: Duration) -> Vec<RunStatus> {
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
