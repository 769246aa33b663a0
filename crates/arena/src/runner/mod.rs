//! Plays a plan: several bouts at once, each stored when it ends.
//!
//! The caller's thread is the coordinator: it hands out slots by a [`queue`], collects the played bouts and is the
//! store's one writer. Each worker is a thread bound to its own processors, as are the programs that it starts, so that
//! no other bout disturbs their clocks. Where there are enough, each of the two agents has half of them; else they
//! share them, since they take turns. Memory does not grow with the number of bouts.

mod alike;
mod arrival;
pub mod cores;
mod error;
mod event;
mod local;
mod options;
pub mod queue;
mod roster;
mod run_stop;
mod worker;

use std::collections::{HashMap, VecDeque};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::{Duration, Instant};

use agon_referee::process::ProcessorSet;
pub use alike::PlaysAlike;
pub use arrival::{ArrivalError, Arrivals};
pub use error::RunError;
pub use event::{Finish, RunEnd, RunEvent};
pub use local::{LocalQueue, LocalTaker};
pub use options::{Affinity, RunOptions};
use queue::{GameJob, SlotReply, Submit, Take, Taken};
pub use roster::{Here, Roster};
pub use run_stop::RunStop;
pub use worker::{PlayedSlot, Worker};

use agon_referee::process::interrupted;

use crate::plan::{Kind, Plan};
use crate::schedule;
use crate::slot::Slot;
use crate::store::{Store, StoreError};
use crate::tally::Tally;

/// Plays the missing bouts of a plan in this process; returns when none is missing, when its test is decided, or when
/// it is stopped.
///
/// Events are sent to `events` as they happen; its receiver may be dropped.
///
/// # Errors
/// [`RunError`]. Bouts that were being played at that moment are finished and stored.
pub fn run(
    plan: &Plan,
    roster: &Roster,
    store: &mut Store,
    options: &RunOptions,
    run_stop: &RunStop,
    events: &Sender<RunEvent>,
) -> Result<Finish, RunError> {
    plan.check()?;
    options.check_threads(plan)?;
    let cores = options.processors_of_workers()?;
    let mut queue = LocalQueue::new(options.concurrency);
    thread::scope(|scope| {
        for number in 0..options.concurrency {
            let mut taker = queue.taker(number, events.clone());
            let cores = cores.get(number).cloned();
            let work = move || {
                let apart = bind(cores.as_deref(), options.threads);
                let mut worker = Worker::new(plan, roster, options.sign, apart).logging_to(options.log);
                loop {
                    match taker.take(IDLE) {
                        Taken::Job(lease) => queue::play(&mut worker, lease),
                        Taken::Nothing => {}
                        Taken::Ended => return,
                    }
                }
            };
            scope.spawn(work);
        }
        let finish = coordinate(plan, store, &mut queue, cores, run_stop, events);
        drop(queue);
        finish
    })
}

/// Like [`run`], but the missing bouts of the plan are played by whoever takes them from a queue.
///
/// # Errors
/// As [`run`].
pub fn submit(
    plan: &Plan,
    store: &mut Store,
    queue: &mut dyn Submit,
    run_stop: &RunStop,
    events: &Sender<RunEvent>,
) -> Result<Finish, RunError> {
    plan.check()?;
    coordinate(plan, store, queue, Vec::new(), run_stop, events)
}

/// Binds the calling thread to processors, if any are given, and returns each agent's processors if there are enough
/// for `threads` of both.
pub fn bind(cores: Option<&[usize]>, threads: usize) -> Option<[ProcessorSet; 2]> {
    let cores = cores?;
    ProcessorSet::from_numbers(cores).bind();
    if cores.len() > threads { cores::halves(cores) } else { None }
}

fn coordinate(
    plan: &Plan,
    store: &mut Store,
    queue: &mut dyn Submit,
    cores: Vec<Vec<usize>>,
    run_stop: &RunStop,
    events: &Sender<RunEvent>,
) -> Result<Finish, RunError> {
    let (run, kept, beyond, quarantined) = retry_while_locked(run_stop, events, || {
        let run = store.begin(plan)?;
        let kept = store.count_below(run, plan.bouts())?;
        Ok((run, kept, store.count(run)? - kept, store.quarantined(run)?))
    })?;
    queue.begin_with(quarantined);
    let _ = events.send(RunEvent::Began { run, cores, kept, beyond, all: plan.bouts() });
    let mut coordinator = Coordinator {
        plan,
        store,
        run,
        run_stop,
        events,
        queue,
        withdrawn: false,
        out: HashMap::new(),
        played: 0,
        tally: Tally::new(plan),
        taken_out: false,
        void_from: None,
        failed: None,
    };
    coordinator.play()
}

/// How long the coordinator waits before it collects more results, so that several share one transaction. Waking it for
/// each of the fastest bouts would cost their workers more than storing the bout.
const BATCH_DELAY: Duration = Duration::from_millis(1);

/// How long a worker waits for a job before it checks whether there will be any.
const IDLE: Duration = Duration::from_mins(1);

/// How long another program may lock the store before the run reports it, and before a run that is stopping gives up.
const LOCKED_LONG: Duration = Duration::from_secs(5);

/// The pause between two attempts to use a store that is locked.
const NEXT_ATTEMPT: Duration = Duration::from_millis(50);

/// Uses the store, and waits while another program has locked it, unless the run should stop.
fn retry_while_locked<T>(
    run_stop: &RunStop,
    events: &Sender<RunEvent>,
    mut job: impl FnMut() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let (start, mut said) = (Instant::now(), false);
    loop {
        match job() {
            Err(StoreError::Locked) if !run_stop.is_raised() || start.elapsed() < LOCKED_LONG && !interrupted() => {}
            other => return other,
        }
        if !said && start.elapsed() >= LOCKED_LONG {
            said = true;
            let _ = events.send(RunEvent::Waiting);
        }
        thread::sleep(NEXT_ATTEMPT);
    }
}

/// Hands out slots, collects results and stores them.
struct Coordinator<'a> {
    plan: &'a Plan,
    store: &'a mut Store,
    run: i64,
    run_stop: &'a RunStop,
    events: &'a Sender<RunEvent>,
    queue: &'a mut dyn Submit,
    /// Whether the queue knows that no further slot may begin.
    withdrawn: bool,
    /// The slots that are handed out.
    out: HashMap<u32, Slot>,
    /// Bouts played in this run of the program.
    played: u64,
    tally: Tally,
    /// Whether bouts that the tally has counted were removed from the store.
    taken_out: bool,
    /// In a Swiss tournament, the first slot whose pairing followed from removed bouts.
    void_from: Option<u32>,
    failed: Option<RunError>,
}

impl Coordinator<'_> {
    fn play(&mut self) -> Result<Finish, RunError> {
        loop {
            self.pass();
            while !self.out.is_empty() || self.waits_for_proof() {
                self.collect();
            }
            if !std::mem::take(&mut self.taken_out) || self.failed.is_some() {
                break;
            }
            // From the first round on, with the remaining bouts; nothing has been handed out, so nothing is counted
            // twice.
            self.void_from = None;
            self.tally = Tally::new(self.plan);
            let _ = self.events.send(RunEvent::Recounted);
        }
        match self.failed.take() {
            // It was stopped while it waited: what was not stored counts as not played.
            Some(RunError::Store(StoreError::Locked)) if self.run_stop.is_raised() => {}
            Some(error) => return Err(error),
            None => {}
        }
        let ending = if self.tally.decided() {
            RunEnd::Decided
        } else if self.tally.repeats() {
            RunEnd::Repeats
        } else if self.tally.bouts() < self.plan.bouts() {
            RunEnd::Stopped
        } else {
            RunEnd::Complete
        };
        Ok(Finish { run: self.run, ending, tally: self.tally.clone(), played: self.played })
    }

    /// Goes through the rounds once and hands out the missing slots.
    fn pass(&mut self) {
        let swiss = matches!(self.plan.kind, Kind::Swiss { .. });
        for number in 0..self.plan.rounds() {
            if let Err(error) = self.round(number) {
                self.failed.get_or_insert(error);
            }
            // The next round of a Swiss tournament depends on all of this one.
            while swiss && !self.out.is_empty() {
                self.collect();
            }
            if self.taken_out || self.stopped() {
                break;
            }
        }
    }

    /// Whether the tally has an answer, which removing bouts may change.
    fn answered(&self) -> bool {
        self.tally.decided() || self.tally.repeats()
    }

    /// Whether to hand out nothing more until the stored bouts are proved to have been played correctly.
    fn waits_for_proof(&self) -> bool {
        self.queue.unsettled() && !self.taken_out && self.failed.is_none() && !self.run_stop.is_raised()
    }

    fn stopped(&mut self) -> bool {
        let answered = self.answered() && !self.taken_out && !self.queue.unsettled();
        let stopped = self.failed.is_some() || self.run_stop.is_raised() || answered;
        if stopped && !self.withdrawn {
            self.withdrawn = true;
            self.queue.withdraw();
        }
        stopped
    }

    /// Hands out the missing slots of a round.
    fn round(&mut self, number: u32) -> Result<(), RunError> {
        let round = schedule::round(self.plan, number, &self.tally);
        let slots = schedule::slots(self.plan, &round);
        let (Some(first), Some(last)) = (slots.first(), slots.last()) else { return Ok(()) };
        let numbers = first.number..last.number + 1;
        let kept = retry_while_locked(self.run_stop, self.events, || self.store.bouts(self.run, numbers.clone()))?;
        let mut missing: VecDeque<Slot> = slots.into();
        for (at, bout) in kept.iter().enumerate() {
            let found = missing.binary_search_by_key(&bout.slot, |slot| slot.number).ok();
            let slot = found.and_then(|found| missing.remove(found));
            // A pair that was reused from another run has that run's seed.
            let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| kept.get(at));
            let has_twin = || beside.clone().any(|twin| (twin.pair(), twin.seed) == (bout.pair(), bout.seed));
            if slot.is_none_or(|slot| slot.seats != bout.seats || slot.seed != bout.seed && !has_twin()) {
                return Err(StoreError::Diverged { run: self.run, slot: bout.slot }.into());
            }
            self.tally.add(bout);
        }
        let _ = self.events.send(RunEvent::Round { round, kept });
        let mut missing = missing.into_iter().peekable();
        while let Some(next) = missing.peek() {
            // A job begins with a pair, so that a worker has the whole pair.
            let mut size = self.queue.job_size().max(1);
            if size > 1 && !next.number.is_multiple_of(2) {
                size -= 1;
            }
            while self.out.len() >= self.queue.most() || self.answered() && self.waits_for_proof() {
                self.collect();
            }
            if self.taken_out || self.stopped() {
                return Ok(());
            }
            let job = GameJob { slots: missing.by_ref().take(size).collect() };
            self.out.extend(job.slots.iter().map(|slot| (slot.number, *slot)));
            self.queue.submit(job)?;
        }
        Ok(())
    }

    /// Waits for replies, and stores the bouts of all that have arrived.
    fn collect(&mut self) {
        let mut played: Vec<(usize, PlayedSlot)> = Vec::new();
        let mut known = Vec::new();
        for reply in self.queue.replies() {
            let Some(slot) = self.out.remove(&reply.slot()) else {
                // The first result of a slot counts.
                known.push(reply.slot());
                continue;
            };
            match reply {
                // The bouts that determined it are played again.
                SlotReply::Played { game, .. } if self.void_from.is_some_and(|from| game.summary.slot >= from) => {
                    known.push(game.summary.slot);
                }
                SlotReply::Played { worker, game } => {
                    debug_assert_eq!((slot.seats, slot.seed), (game.summary.seats, game.summary.seed));
                    played.push((worker, game));
                }
                SlotReply::Dropped { .. } => {}
                SlotReply::Failed { error, .. } => {
                    self.failed.get_or_insert(error);
                }
            }
        }
        self.queue.stored(&known);
        let kept = !played.is_empty();
        self.keep(played);
        self.take_out();
        if !self.stopped() && kept {
            thread::sleep(BATCH_DELAY);
        }
    }

    /// Stores bouts, each with the number of its worker.
    fn keep(&mut self, played: Vec<(usize, PlayedSlot)>) {
        if played.is_empty() {
            return;
        }
        let machines: Vec<Option<String>> = played.iter().map(|&(worker, _)| self.queue.machine(worker)).collect();
        let bouts = || {
            let played = played.iter().zip(&machines);
            played.map(|((_, done), machine)| (&done.summary, &*done.record, machine.as_deref()))
        };
        if let Err(error) = retry_while_locked(self.run_stop, self.events, || self.store.keep_from(self.run, bouts())) {
            self.failed.get_or_insert(error.into());
            return;
        }
        self.queue.stored(&played.iter().map(|(_, game)| game.summary.slot).collect::<Vec<_>>());
        for (worker, PlayedSlot { summary, .. }) in played {
            self.played += 1;
            self.tally.add(&summary);
            let _ = self.events.send(RunEvent::Finished { worker, bout: summary });
        }
    }

    /// Removes the bouts of workers in quarantine from the store, to be played again.
    fn take_out(&mut self) {
        for quarantine in self.queue.found_out() {
            let slots =
                match retry_while_locked(self.run_stop, self.events, || self.store.quarantine(self.run, &quarantine)) {
                    Ok(slots) => slots,
                    Err(error) => {
                        self.failed.get_or_insert(error.into());
                        return;
                    }
                };
            let Some(first) = slots.first() else { continue };
            self.taken_out = true;
            if matches!(self.plan.kind, Kind::Swiss { .. }) {
                let games = self.plan.bouts_per_round() as u32;
                let from = (first / games + 1) * games;
                let from = self.void_from.map_or(from, |earlier| earlier.min(from));
                self.void_from = Some(from);
                if let Err(error) =
                    retry_while_locked(self.run_stop, self.events, || self.store.forget_from(self.run, from))
                {
                    self.failed.get_or_insert(error.into());
                }
            }
        }
    }
}
