//! The queue of a series, whose slots are numbered by its plan.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agon_arena::Plan;
use agon_arena::runner::queue::{GameJob, MAX_DELIVERIES, SlotReply, Submit};
use agon_arena::runner::{Arrivals, PlayedSlot, RunError, RunEvent};
use agon_arena::slot::Slot;
use agon_arena::store::Quarantine;
use agon_referee::process::interrupted;

use crate::archive::ProgramArchive;
use crate::attempt::{Attempt, NextStep, Proved, game_timeout};
use crate::audit::Prover;
use crate::connect::Fleet;
use crate::coordinator::Coordinator;
use crate::error::FleetError;
use crate::identity;
use crate::programs;
use crate::queue::Place;
use crate::second::{SecondPlay, SecondPlays};
use crate::state::{Expected, SlotEvent};
use crate::terms::RunTerms;
use crate::timing::Timing;
use crate::wire::{Began, JobBody, MAX_SLOTS};

/// Target duration of a job: long compared with the cost of handing it out, short compared with the loss of a worker.
const JOB_MS: f64 = 250.0;

/// Minimum cost of a game, whatever its agents do.
const MIN_GAME_MS: f64 = 0.3;

/// The number of slots that may always be handed out: as many as workers may have that are not known yet.
const MIN_OUT: usize = 32;

/// The coordinator's side of the queue of a series.
pub struct SeriesQueue {
    coordinator: Arc<Coordinator>,
    run: String,
    events: Sender<RunEvent>,
    sender: Sender<SlotEvent>,
    news: Receiver<SlotEvent>,
    arrivals: Arc<Mutex<Arrivals>>,
    prover: Prover,
    out: HashMap<u32, Out>,
    /// Replies that have not been collected yet.
    ready: VecDeque<SlotReply>,
    workers: BTreeMap<String, usize>,
    /// Number of jobs handed out.
    jobs: u64,
    /// The mean time of a game, in milliseconds.
    game_ms: Option<f64>,
    withdrawn: bool,
    timing: Timing,
    last_news: Instant,
    /// Time of the last check for slots that someone has taken and does not play.
    checked: Instant,
    /// Time allowed for the taker of a slot.
    timeout: Duration,
    /// Last reason shown to the user why nothing happens.
    shown: Option<String>,
    /// The sources of the programs, for workers.
    _archives: Vec<Arc<ProgramArchive>>,
}

/// A slot that is handed out.
struct Out {
    attempt: Attempt,
    job: u64,
}

impl SeriesQueue {
    /// Opens the queue of a plan whose games are kept in this store, and announces the run to all workers. Games that
    /// were played for an earlier coordinator count.
    ///
    /// # Errors
    /// [`FleetError`] when the server refuses something, or other machines cannot play one of the agents.
    pub fn open(
        fleet: &Fleet,
        plan: &Plan,
        store: &Path,
        terms: RunTerms,
        events: &Sender<RunEvent>,
    ) -> Result<Self, FleetError> {
        let arrivals = Arrivals::new(plan, terms.sign).map_err(|error| fleet.refused("get a plan", &error))?;
        let (agents, archives) = programs::pack_all(plan)?;
        let (run, audit, timing) = (identity::run(&plan.digest(), store), terms.audit, terms.timing.clone());
        let coordinator = Coordinator::start(fleet, terms, Expected::From(0), SecondPlays::of_series(audit))?;
        let archives = archives.into_iter().map(|archive| coordinator.keep_program(archive)).collect();
        coordinator.open_run(&run, plan, agents, None).inspect_err(|_| coordinator.close())?;
        let (sender, news) = mpsc::channel();
        let (proofs, of_run, proved) = (Arc::clone(&coordinator), run.clone(), sender.clone());
        let prover = Prover::new(plan, audit, move |worker, differs| {
            proofs.state().count_audit(&of_run, worker, differs.is_some());
            if let Some(why) = differs {
                proofs.quarantine(&of_run, worker, &why);
            }
            let _ = proved.send(SlotEvent::Proved);
        });
        Ok(Self {
            coordinator,
            run,
            events: events.clone(),
            sender,
            news,
            arrivals: Arc::new(Mutex::new(arrivals)),
            prover,
            out: HashMap::new(),
            ready: VecDeque::new(),
            workers: BTreeMap::new(),
            jobs: 0,
            game_ms: None,
            withdrawn: false,
            last_news: Instant::now(),
            checked: Instant::now(),
            timeout: game_timeout(plan, timing.lease),
            timing,
            shown: None,
            _archives: archives,
        })
    }

    pub fn run(&self) -> &str {
        &self.run
    }

    /// Hands out slots as a job; once the queue is withdrawn, they are answered immediately.
    fn hand_out(&mut self, slots: Vec<Slot>, not_by: Vec<String>) {
        self.jobs += 1;
        for &slot in &slots {
            self.out.entry(slot.number).or_insert_with(|| Out::new(slot)).job = self.jobs;
        }
        if self.withdrawn {
            for slot in &slots {
                self.give_back(slot.number);
            }
        } else {
            self.coordinator.send(&self.run, JobBody::of_slots(slots), not_by);
        }
    }

    /// Answers a slot that is no longer played, with its disturbed game if there is one.
    fn give_back(&mut self, slot: u32) {
        let Some(mut out) = self.out.remove(&slot) else { return };
        self.coordinator.state().leave(&self.run, slot);
        let reply = match out.attempt.take_held(&self.coordinator) {
            Some(Proved { worker, game, .. }) => SlotReply::Played { worker: self.worker(&worker), game },
            None => SlotReply::Dropped { slot },
        };
        self.ready.push_back(reply);
    }

    fn settle(&mut self, slot: u32) -> Option<Out> {
        self.coordinator.state().settle(&self.run, slot);
        self.out.remove(&slot)
    }

    fn worker(&mut self, name: &str) -> usize {
        let next = self.workers.len();
        *self.workers.entry(name.to_owned()).or_insert(next)
    }

    fn take(&mut self, event: SlotEvent) {
        match event {
            SlotEvent::Result(result) => {
                // Played twice: the first result counts.
                let Some(out) = self.out.get_mut(&result.slot) else { return };
                let slot = out.attempt.slot;
                let step = out.attempt.judge(&self.coordinator, &self.run, &self.arrivals, result);
                self.step(slot, step);
            }
            SlotEvent::Began(Began { worker, slot, .. }) => {
                let number = self.worker(&worker);
                let Some(Out { attempt: Attempt { slot, .. }, job, .. }) = self.out.get(&slot) else { return };
                let (slot, job) = (*slot, *job);
                let _ = self.events.send(RunEvent::Started { worker: number, slot });
                for other in self.out.values_mut().filter(|other| other.job == job) {
                    other.attempt.began(&worker);
                }
            }
            SlotEvent::GivenUp { slot, alone } => {
                let Some(out) = self.out.get_mut(&slot) else { return };
                let (slot, step) = (out.attempt.slot, out.attempt.give_up(&self.coordinator, &self.run, alone));
                self.step(slot, step);
            }
            SlotEvent::Move(_) | SlotEvent::Proved => {}
        }
    }

    fn step(&mut self, slot: Slot, step: NextStep) {
        let number = slot.number;
        match step {
            NextStep::Count(Proved { worker, game, .. }) => {
                self.settle(number);
                let took = game.summary.time_ms.iter().sum::<f64>() + MIN_GAME_MS;
                self.game_ms = Some(self.game_ms.map_or(took, |mean| mean + (took - mean) / 16.0));
                self.audit(slot, &worker, &game);
                let worker = self.worker(&worker);
                self.ready.push_back(SlotReply::Played { worker, game });
            }
            NextStep::HandOut { not_by } => self.hand_out(vec![slot], not_by),
            NextStep::Refuse(reason) => {
                self.fail(number, reason.clone(), RunError::Refused { slot: number, reason });
            }
            NextStep::GiveUp => {
                let error = RunError::GivenUp { slot: number, deliveries: MAX_DELIVERIES };
                self.fail(number, error.to_string(), error);
            }
        }
    }

    fn fail(&mut self, slot: u32, why: String, error: RunError) {
        self.settle(slot);
        self.coordinator.dead_letter(&self.run, slot, why);
        self.ready.push_back(SlotReply::Failed { slot, error });
    }

    /// Has a game replayed if it is drawn: here if it is deterministic, otherwise by another worker.
    fn audit(&self, slot: Slot, worker: &str, game: &PlayedSlot) {
        if self.withdrawn {
            return;
        }
        if game.alike {
            let draws = self.coordinator.state().second.draws(worker);
            if draws {
                self.prover.prove(worker, slot, game);
            }
            return;
        }
        let body = JobBody::of_slots(vec![slot]);
        if let Some(play) = SecondPlay::new(&self.run, slot, body, &self.arrivals, worker, game) {
            self.coordinator.audit(&play);
        }
    }

    /// Hands out again slots that a worker has taken and does not play.
    fn find_kept(&mut self) {
        if self.out.is_empty() || self.withdrawn || self.checked.elapsed() < self.timing.check {
            return;
        }
        self.checked = Instant::now();
        let mut kept: BTreeMap<Vec<String>, Vec<Slot>> = BTreeMap::new();
        for out in self.out.values_mut() {
            if let Some(not_by) = out.attempt.kept(&self.coordinator, &self.run, self.timeout) {
                kept.entry(not_by).or_default().push(out.attempt.slot);
            }
        }
        let size = self.job_size();
        for (not_by, mut slots) in kept {
            slots.sort_unstable_by_key(|slot| slot.number);
            slots.chunks(size).for_each(|slots| self.hand_out(slots.to_vec(), not_by.clone()));
        }
    }

    /// Gives back the slots that no worker holds once the queue is withdrawn.
    fn abandon(&mut self) {
        let gone: Vec<u32> = {
            let state = self.coordinator.state();
            let is_held = |slot: u32| matches!(state.place(slot), Place::Held { .. });
            self.out.keys().copied().filter(|&slot| interrupted() || !is_held(slot)).collect()
        };
        // The result of a slot that was held until a moment ago is among the news.
        while let Ok(event) = self.news.try_recv() {
            self.take(event);
        }
        for slot in gone {
            self.give_back(slot);
        }
    }

    /// Shows the user why nothing happens, once for each reason.
    fn explain(&mut self) {
        if self.last_news.elapsed() < self.timing.idle || self.withdrawn {
            return;
        }
        let why = self.coordinator.why_idle();
        if let Some(text) = why.clone().filter(|_| why != self.shown) {
            self.shown = why;
            let _ = self.events.send(RunEvent::Remark(text));
        }
    }

    fn report_faults(&self) {
        let faults = std::mem::take(&mut self.coordinator.state().faults);
        for fault in faults {
            let _ = self.events.send(RunEvent::Remark(fault));
        }
    }
}

impl Out {
    fn new(slot: Slot) -> Self {
        Self { attempt: Attempt::new(slot), job: 0 }
    }
}

impl Submit for SeriesQueue {
    fn submit(&mut self, job: GameJob) -> Result<(), RunError> {
        let mut missing = Vec::new();
        for slot in job.slots {
            let early = self.coordinator.state().wait_for(&self.run, slot.number, &self.sender);
            if early {
                self.out.insert(slot.number, Out::new(slot));
            } else {
                missing.push(slot);
            }
        }
        if !missing.is_empty() {
            self.hand_out(missing, Vec::new());
        }
        Ok(())
    }

    fn replies(&mut self) -> Vec<SlotReply> {
        if self.ready.is_empty() {
            match self.news.recv_timeout(self.timing.poll) {
                Ok(event) => {
                    self.last_news = Instant::now();
                    self.shown = None;
                    self.take(event);
                }
                Err(_) => self.explain(),
            }
        }
        self.find_kept();
        while let Ok(event) = self.news.try_recv() {
            self.take(event);
        }
        if self.withdrawn {
            self.abandon();
        }
        self.report_faults();
        self.ready.drain(..).collect()
    }

    fn stored(&mut self, slots: &[u32]) {
        if let Some(status) = self.coordinator.state().runs.get_mut(&self.run) {
            status.played += slots.len() as u64;
        }
    }

    fn withdraw(&mut self) {
        self.withdrawn = true;
        self.coordinator.withdraw(&self.run);
    }

    fn most(&self) -> usize {
        let slots = self.coordinator.state().presence.slots(&self.run);
        // The games being played, and as many ready to be taken.
        (3 * slots * self.job_size()).max(MIN_OUT)
    }

    fn job_size(&self) -> usize {
        let Some(game_ms) = self.game_ms else { return 2 };
        let games = (JOB_MS / game_ms) as usize;
        // Whole pairs.
        (games.min(MAX_SLOTS) / 2 * 2).max(2)
    }

    fn machine(&self, worker: usize) -> Option<String> {
        self.workers.iter().find(|(_, number)| **number == worker).map(|(name, _)| name.clone())
    }

    fn begin_with(&mut self, quarantined: Vec<Quarantine>) {
        for Quarantine { worker, why } in quarantined {
            self.coordinator.state().shut_out(&worker, &why);
            self.coordinator.drain(&worker);
        }
    }

    fn found_out(&mut self) -> Vec<Quarantine> {
        self.report_faults();
        std::mem::take(&mut self.coordinator.state().found_out)
    }

    fn unsettled(&self) -> bool {
        self.prover.pending() > 0 || !self.coordinator.state().found_out.is_empty()
    }
}

impl Drop for SeriesQueue {
    fn drop(&mut self) {
        self.coordinator.close();
    }
}
