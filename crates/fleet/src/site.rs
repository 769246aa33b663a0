//! What the threads and tasks of a site's queue share.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::mpsc::Sender;
use std::sync::{Mutex, MutexGuard, PoisonError};

use agon_arena::store::Quarantine;
use agon_catalog::Game;
use async_nats::jetstream::Message;
use bytes::Bytes;
use tokio::task::JoinHandle;

use crate::audit::MOST_REFUSED;
use crate::connect::Fleet;
use crate::notice::{RunStatus, WorkerStatus};
use crate::presence::Presence;
use crate::second::SecondPlays;
use crate::subjects;
use crate::wire::{MoveNews, SlotResult};

/// What a waiting caller is told.
pub enum Heard {
    /// Its game has been played.
    Result(SlotResult, Box<Message>),
    Move(MoveNews),
    /// It has been handed out too often.
    GivenUp,
}

/// A run: the games of one rule set whose programs are written in these languages.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct GameKind {
    pub game: Game,
    /// The names of the languages.
    pub languages: BTreeSet<&'static str>,
}

impl GameKind {
    /// What the run is called.
    pub fn title(&self) -> String {
        let languages: Vec<&str> = self.languages.iter().copied().collect();
        if languages.is_empty() { "site".to_owned() } else { format!("site, {}", languages.join(" and ")) }
    }
}

/// What the threads and tasks share.
pub struct State {
    pub presence: Presence,
    /// The runs that have been announced.
    pub runs: HashMap<GameKind, RunStatus>,
    /// Who waits for which game.
    pub waiting: HashMap<u32, Sender<Heard>>,
    /// Results for which nobody has asked yet.
    pub early: HashMap<u32, (SlotResult, Message)>,
    /// Games that an earlier process has left, and for whose results it is waited.
    pub expected: BTreeSet<u32>,
    /// How many records of each worker have been refused.
    refused: HashMap<String, u32>,
    /// The workers whose games count no longer, and why.
    quarantined: BTreeMap<String, String>,
    /// Those among them of whom the site has not been told.
    pub found_out: Vec<Quarantine>,
    /// What went wrong since the site asked last.
    pub faults: Vec<String>,
    /// The games that are played again.
    pub second: SecondPlays,
    /// Who compares them, until the queue is closed.
    pub again: Option<Sender<(SlotResult, Box<Message>)>>,
    pub tasks: Vec<JoinHandle<()>>,
}

impl State {
    /// A queue of which nothing has been asked; `expected` are the games that an earlier process has left.
    pub fn new(expected: &[u32], audit: f64, again: Sender<(SlotResult, Box<Message>)>) -> Self {
        Self {
            presence: Presence::default(),
            runs: HashMap::new(),
            waiting: HashMap::new(),
            early: HashMap::new(),
            expected: expected.iter().copied().collect(),
            refused: HashMap::new(),
            quarantined: BTreeMap::new(),
            found_out: Vec::new(),
            faults: Vec::new(),
            second: SecondPlays::new(audit),
            again: Some(again),
            tasks: Vec::new(),
        }
    }

    /// What is done with a result: it goes to who waits for it, or is kept for who will; one that comes too late is returned.
    pub fn deliver(&mut self, result: SlotResult, message: Message) -> Option<Message> {
        let slot = result.slot;
        if let Some(waiting) = self.waiting.get(&slot) {
            let _ = waiting.send(Heard::Result(result, Box::new(message)));
            return None;
        }
        if self.expected.contains(&slot) {
            self.early.insert(slot, (result, message));
            return None;
        }
        if self.second.expects(slot)
            && let Some(again) = &self.again
        {
            let _ = again.send((result, Box::new(message)));
            return None;
        }
        Some(message)
    }

    /// The workers whose games count, and who are not about to go.
    pub fn workers(&self) -> impl Iterator<Item = &WorkerStatus> {
        self.presence.present().filter(|worker| !worker.draining && !self.is_shut_out(&worker.worker))
    }

    /// Those of them who may take games of a run.
    pub fn willing(&self, run: Option<&str>) -> impl Iterator<Item = &WorkerStatus> {
        self.workers().filter(move |worker| run.is_none_or(|run| !worker.refused.contains_key(run)))
    }

    /// Whether somebody else than these workers could play a game of a run.
    pub fn others(&self, run: &str, workers: &[&str]) -> bool {
        self.willing(Some(run)).any(|worker| !workers.contains(&worker.worker.as_str()))
    }

    /// Whether no game of a worker counts any longer.
    pub fn is_shut_out(&self, worker: &str) -> bool {
        self.quarantined.contains_key(worker)
    }

    /// The workers whose games count no longer.
    pub fn quarantined(&self) -> Vec<Quarantine> {
        let all = self.quarantined.iter();
        all.map(|(worker, why)| Quarantine { worker: worker.clone(), why: why.clone() }).collect()
    }

    /// Something went wrong with a run.
    fn fault(&mut self, run: &str, what: String) {
        if let Some(status) = self.runs.values_mut().find(|status| status.run == run) {
            status.fault(what.clone());
        }
        self.faults.push(what);
    }

    /// A game of a worker has been played again.
    pub fn count_audit(&mut self, run: &str, worker: &str, differed: bool) {
        if let Some(status) = self.runs.values_mut().find(|status| status.run == run) {
            status.audits.entry(worker.to_owned()).or_default().add(differed);
        }
    }

    /// No game of a worker counts any longer. Whether that is news.
    pub fn shut_out(&mut self, worker: &str, why: &str) -> bool {
        self.second.forget(worker);
        self.quarantined.insert(worker.to_owned(), why.to_owned()).is_none()
    }
}

/// The state, whoever has panicked with it.
pub fn locked(state: &Mutex<State>) -> MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A worker has sent a record that does not hold. After some of them it goes into quarantine.
pub fn distrust(fleet: &Fleet, state: &Mutex<State>, run: &str, worker: &str, what: String) {
    let enough = {
        let mut state = locked(state);
        if state.is_shut_out(worker) {
            return;
        }
        state.fault(run, what);
        let count = state.refused.entry(worker.to_owned()).or_insert(0);
        *count += 1;
        *count >= MOST_REFUSED
    };
    if enough {
        quarantine(fleet, state, run, worker, &format!("{MOST_REFUSED} of its records were refused"));
    }
}

/// No game of a worker counts any longer, and it is told to go.
pub fn quarantine(fleet: &Fleet, state: &Mutex<State>, run: &str, worker: &str, why: &str) {
    {
        let mut state = locked(state);
        if !state.shut_out(worker, why) {
            return;
        }
        state.fault(
            run,
            format!(
                "worker {worker} is in quarantine: {why}; it is told to go, and its games are played again by others"
            ),
        );
        state.found_out.push(Quarantine { worker: worker.to_owned(), why: why.to_owned() });
    }
    let told = fleet.client().publish(subjects::drain(worker), Bytes::new());
    let _ = fleet.wait(told);
}
