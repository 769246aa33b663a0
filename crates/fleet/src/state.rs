//! What the threads and tasks of a coordinator share.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::mpsc::Sender;
use std::time::Duration;

use agon_arena::store::Quarantine;
use async_nats::jetstream::Message;

use crate::audit::MAX_REFUSED;
use crate::notice::{RunStatus, WorkerStatus, now_ms};
use crate::presence::Presence;
use crate::second::SecondPlays;
use crate::wire::{Began, MoveNews, SlotResult};

/// How many workers' audits a status lists before it leaves out those that have gone: a message has a maximal size.
const MAX_AUDITS: usize = 200;

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

pub struct State {
    pub presence: Presence,
    /// The runs that have been announced, by name.
    pub runs: BTreeMap<String, RunStatus>,
    /// Who waits for which slot.
    waiting: HashMap<u32, Sender<SlotEvent>>,
    expected: Expected,
    /// Results of expected slots that have not been handed out yet.
    pub early: HashMap<u32, (SlotResult, Box<Message>)>,
    /// How many records of each worker have been refused.
    refused: HashMap<String, u32>,
    /// The workers whose games no longer count, and why.
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
    pub fn new(expected: Expected, second: SecondPlays, compared: Sender<(SlotResult, Box<Message>)>) -> Self {
        Self {
            presence: Presence::default(),
            runs: BTreeMap::new(),
            waiting: HashMap::new(),
            expected,
            early: HashMap::new(),
            refused: HashMap::new(),
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
        if self.waiting.insert(slot, events.clone()).is_none()
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

    /// Passes a result on. Returns the message of one that nothing needs any more, to be acknowledged.
    pub fn deliver(&mut self, result: SlotResult, message: Box<Message>) -> Option<Box<Message>> {
        let slot = result.slot;
        if let Some(waiting) = self.waiting.get(&slot) {
            let _ = waiting.send(SlotEvent::Result(result, message));
        } else if let Some(compared) = self.compared.as_ref().filter(|_| self.second.expects(slot)) {
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
        self.waiting.get(&slot).is_some_and(|waiting| waiting.send(event).is_ok())
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
    pub fn why_idle(&self, at: &str) -> Option<String> {
        if self.presence.present().all(|worker| self.is_shut_out(&worker.worker)) {
            return Some(format!("no worker is there; start some with `agon worker --nats {at}`"));
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
        self.quarantined.contains_key(worker)
    }

    /// Lets no game of a worker count any more. Whether that is new.
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
        let count = self.refused.entry(worker.to_owned()).or_insert(0);
        *count += 1;
        (*count >= MAX_REFUSED).then(|| format!("{MAX_REFUSED} of its records were refused"))
    }

    /// Puts a worker into quarantine. Whether it was not there yet.
    pub fn quarantine(&mut self, run: &str, worker: &str, why: &str) -> bool {
        let new = self.shut_out(worker, why);
        if new {
            let text = format!("worker {worker} is in quarantine: {why}; it must stop, and others replay its games");
            self.fault(run, text);
            self.found_out.push(Quarantine { worker: worker.to_owned(), why: why.to_owned() });
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
