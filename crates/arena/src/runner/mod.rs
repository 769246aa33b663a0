//! Plays a plan: several bouts at once, each stored when it ends.
//!
//! The caller's thread is the coordinator: it hands out slots, collects the played bouts and is the store's one writer.
//! Each worker is a thread bound to its own processors, as are the programs that it starts, so that no other bout disturbs
//! their clocks. Where there are enough, each of the two agents has half of them; else they share them, since they take
//! turns. Memory does not grow with the number of
//! bouts.

mod brake;
pub mod cores;
mod error;
mod event;
mod options;
mod roster;
mod worker;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use agon_referee::process::ProcessorSet;
pub use brake::Brake;
pub use error::RunError;
pub use event::{Finish, RunEnd, RunEvent};
pub use options::{Affinity, RunOptions};
pub use roster::Roster;
use worker::{PlayedSlot, Worker};

use agon_referee::process::interrupted;

use crate::plan::{Kind, Plan};
use crate::schedule;
use crate::slot::Slot;
use crate::store::{Store, StoreError};
use crate::tally::Tally;

/// Plays the missing bouts of a plan; returns when none is missing, when its test is decided, or when it is stopped.
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
    brake: &Brake,
    events: &Sender<RunEvent>,
) -> Result<Finish, RunError> {
    plan.check()?;
    let cores = options.cores()?;
    let (run, kept) = patiently(brake, events, || {
        let run = store.begin(plan)?;
        Ok((run, store.count(run)?))
    })?;
    let _ = events.send(RunEvent::Began { run, cores: cores.clone(), kept, all: plan.bouts() });

    let (slots, queue) = mpsc::channel::<Slot>();
    let (done, results) = mpsc::channel::<Reply>();
    let queue = Mutex::new(queue);
    let closed = AtomicBool::new(false);
    thread::scope(|scope| {
        for worker in 0..options.concurrency {
            let (queue, done, events, cores) = (&queue, done.clone(), events.clone(), cores.get(worker));
            let closed = &closed;
            let work = move || {
                if let Some(cores) = cores {
                    ProcessorSet::of(cores).bind();
                }
                let apart = cores.filter(|cores| cores.len() > options.threads).and_then(|cores| cores::halves(cores));
                serve(
                    worker,
                    Worker::new(plan, roster, options.sign, apart),
                    queue,
                    || closed.load(Ordering::Relaxed) || brake.is_raised(),
                    &done,
                    &events,
                );
            };
            scope.spawn(work);
        }
        let mut coordinator = Coordinator {
            plan,
            store,
            run,
            brake,
            events,
            slots,
            results,
            closed: &closed,
            most: SLOTS_OUT * options.concurrency,
            out: 0,
            played: 0,
            tally: Tally::new(plan),
            failed: None,
        };
        coordinator.play()
    })
}

/// How many slots may be handed out for each worker: one being played, and enough that no worker is idle during
/// [`BATCH_DELAY`].
const SLOTS_OUT: usize = 8;

/// How long the coordinator waits before it collects further results, so that several are stored in one transaction.
/// Waking it for each of the fastest bouts would cost their workers more than storing the bout does.
const BATCH_DELAY: Duration = Duration::from_millis(1);

/// How long another program may lock the store before anything is said of it, and before a run that is to stop gives up.
const LOCKED_LONG: Duration = Duration::from_secs(5);

/// The pause between two attempts to use a store that is locked.
const NEXT_ATTEMPT: Duration = Duration::from_millis(50);

/// Uses the store, and waits as long as another program has locked it, unless the run is to stop.
fn patiently<T>(
    brake: &Brake,
    events: &Sender<RunEvent>,
    mut job: impl FnMut() -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let (start, mut said) = (Instant::now(), false);
    loop {
        match job() {
            Err(StoreError::Locked) if !brake.is_raised() || start.elapsed() < LOCKED_LONG && !interrupted() => {}
            other => return other,
        }
        if !said && start.elapsed() >= LOCKED_LONG {
            said = true;
            let _ = events.send(RunEvent::Waiting);
        }
        thread::sleep(NEXT_ATTEMPT);
    }
}

/// A worker's number and its played slot; `None` when the slot was not played.
type Reply = (usize, Result<Option<PlayedSlot>, RunError>);

/// The loop of a worker thread: plays slots until the queue is closed.
fn serve(
    number: usize,
    mut worker: Worker,
    queue: &Mutex<Receiver<Slot>>,
    closed: impl Fn() -> bool,
    done: &Sender<Reply>,
    events: &Sender<RunEvent>,
) {
    loop {
        let slot = queue.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(slot) = slot else { return };
        let reply = if closed() {
            Ok(None)
        } else {
            let _ = events.send(RunEvent::Started { worker: number, slot });
            // A panic must end the run: without a reply the coordinator would wait for ever.
            catch_unwind(AssertUnwindSafe(|| worker.play(&slot))).unwrap_or(Err(RunError::Broken { slot: slot.number }))
        };
        if done.send((number, reply)).is_err() {
            return;
        }
    }
}

/// Hands out slots, collects results and stores them.
struct Coordinator<'a> {
    plan: &'a Plan,
    store: &'a mut Store,
    run: i64,
    brake: &'a Brake,
    events: &'a Sender<RunEvent>,
    slots: Sender<Slot>,
    results: Receiver<Reply>,
    /// Tells workers not to begin the slots that are handed out.
    closed: &'a AtomicBool,
    /// How many slots may be handed out at once.
    most: usize,
    /// How many are.
    out: usize,
    /// Bouts played in this run of the program.
    played: u64,
    tally: Tally,
    failed: Option<RunError>,
}

impl Coordinator<'_> {
    fn play(&mut self) -> Result<Finish, RunError> {
        let swiss = matches!(self.plan.kind, Kind::Swiss { .. });
        for number in 0..self.plan.rounds() {
            if let Err(error) = self.round(number) {
                self.failed.get_or_insert(error);
            }
            // The next round of a Swiss tournament depends on all of this one.
            while swiss && self.out > 0 {
                self.collect();
            }
            if self.stopped() {
                break;
            }
        }
        while self.out > 0 {
            self.collect();
        }
        match self.failed.take() {
            // It was stopped while it waited: what was not stored is as if it had not been played.
            Some(RunError::Store(StoreError::Locked)) if self.brake.is_raised() => {}
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

    fn stopped(&self) -> bool {
        let stopped = self.failed.is_some() || self.brake.is_raised() || self.tally.decided() || self.tally.repeats();
        if stopped {
            self.closed.store(true, Ordering::Relaxed);
        }
        stopped
    }

    /// Hands out the missing slots of a round.
    fn round(&mut self, number: u32) -> Result<(), RunError> {
        let round = schedule::round(self.plan, number, &self.tally);
        let slots = schedule::slots(self.plan, &round);
        let (Some(first), Some(last)) = (slots.first(), slots.last()) else { return Ok(()) };
        let numbers = first.number..last.number + 1;
        let kept = patiently(self.brake, self.events, || self.store.bouts(self.run, numbers.clone()))?;
        let mut missing: VecDeque<Slot> = slots.into();
        for bout in &kept {
            let at = missing.binary_search_by_key(&bout.slot, |slot| slot.number).ok();
            let slot = at.and_then(|at| missing.remove(at));
            if slot.is_none_or(|slot| (slot.seats, slot.seed) != (bout.seats, bout.seed)) {
                return Err(StoreError::Diverged { run: self.run, slot: bout.slot }.into());
            }
            self.tally.add(bout);
        }
        let _ = self.events.send(RunEvent::Round { round, kept });
        for slot in missing {
            while self.out >= self.most {
                self.collect();
            }
            if self.stopped() {
                return Ok(());
            }
            self.out += 1;
            self.slots.send(slot).expect("workers live as long as the coordinator");
        }
        Ok(())
    }

    /// Waits for a reply, and stores the bouts of all replies that have arrived.
    fn collect(&mut self) {
        let first = self.results.recv().expect("workers live as long as the coordinator");
        let mut played = Vec::new();
        for (worker, reply) in [first].into_iter().chain(self.results.try_iter()) {
            self.out -= 1;
            match reply {
                Ok(Some(done)) => played.push((worker, done)),
                Ok(None) => {}
                Err(error) => {
                    self.failed.get_or_insert(error);
                }
            }
        }
        if played.is_empty() {
            return;
        }
        let bouts = || played.iter().map(|(_, done)| (&done.summary, &*done.record));
        if let Err(error) = patiently(self.brake, self.events, || self.store.keep(self.run, bouts())) {
            self.failed.get_or_insert(error.into());
            return;
        }
        for (worker, PlayedSlot { summary, .. }) in played {
            self.played += 1;
            self.tally.add(&summary);
            let _ = self.events.send(RunEvent::Finished { worker, bout: summary });
        }
        if !self.stopped() {
            thread::sleep(BATCH_DELAY);
        }
    }
}
