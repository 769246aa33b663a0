//! Plays a plan: several bouts at once, each kept the moment it ends.
//!
//! The caller's thread hands out slots and keeps what comes back; it is the store's one writer. Each worker is a thread
//! with its own processors, to which the programs it starts are bound too: the two agents of a bout take turns on
//! them, and no other bout disturbs their clocks. Nothing grows with the number of bouts.

pub mod cores;
pub mod roster;
mod worker;

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use agon_referee::agent::AgentError;
use agon_referee::process;
use agon_rules::catalog::SetupError;

pub use roster::{Roster, RosterError};
use worker::{Done, Worker};

use crate::check::PlanError;
use crate::openings::OpeningError;
use crate::plan::{Kind, Plan};
use crate::schedule::{self, Round};
use crate::slot::Slot;
use crate::store::{Store, StoreError};
use crate::summary::Summary;
use crate::tally::Tally;

/// Whether workers are bound to processors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Affinity {
    /// Each worker to its own, where there are enough.
    #[default]
    Auto,
    /// The system moves everything as it likes.
    None,
}

/// How a plan is played. Nothing here decides a bout, so a run may be resumed with other options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Bouts at once, from 1.
    pub concurrency: usize,
    /// Processors for each bout, from 1: as many as an agent has threads. Both agents of a bout share them, since they
    /// take turns.
    pub threads: usize,
    /// Whether workers are bound to processors.
    pub affinity: Affinity,
    /// Play even if there are fewer processors than all bouts need; clocks then measure the machine.
    pub force: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { concurrency: 1, threads: 1, affinity: Affinity::Auto, force: false }
    }
}

impl Options {
    /// Checks that the machine has what is asked of it, before anything is begun.
    ///
    /// # Errors
    /// [`RunError::Idle`] and [`RunError::Crowded`].
    pub fn check(&self) -> Result<(), RunError> {
        cores_for(self).map(drop)
    }
}

/// Why a run cannot start or go on. What has been played is kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The plan is wrong.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// More is asked of the machine than it has.
    #[error(
        "{concurrency} bouts at once with {threads} threads each need {} processors, but there are {cores}; clocks \
         would measure the machine. Play fewer at once, or force it",
        concurrency.saturating_mul(*threads)
    )]
    Crowded {
        /// Bouts at once.
        concurrency: usize,
        /// Processors for each.
        threads: usize,
        /// Processors there are.
        cores: usize,
    },
    /// Nothing is to be played at once.
    #[error("{concurrency} bouts at once with {threads} threads each were asked for; both must be at least 1")]
    Idle {
        /// Bouts at once.
        concurrency: usize,
        /// Processors for each.
        threads: usize,
    },
    /// An agent cannot be started.
    #[error("agent `{name}`: {source}")]
    Seat {
        /// The agent's name.
        name: String,
        /// What is wrong.
        source: AgentError,
    },
    /// A fault of Agon itself.
    #[error("bout {slot} could not be refereed: the program failed; please report this")]
    Broken {
        /// The bout.
        slot: u32,
    },
    /// A game cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// An opening cannot be drawn.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The store fails.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Something that happened. Whoever listens can keep a [`Tally`] of its own: the one of [`RunEvent::Began`] and every
/// bout that finished since.
#[derive(Clone, PartialEq, Debug)]
pub enum RunEvent {
    /// The run has been found in the store or entered there.
    Began {
        /// Its number in the store.
        run: i64,
        /// The processors of each worker; empty when none is bound.
        cores: Vec<Vec<usize>>,
        /// Bouts that have been played before.
        kept: u64,
        /// Bouts of the whole plan.
        all: u64,
    },
    /// A round begins. Bouts of it that were played before are not announced again, only counted.
    Round {
        /// Who meets.
        round: Round,
        /// What has been played of it.
        kept: Vec<Summary>,
    },
    /// A bout begins.
    Started {
        /// The worker, from 0.
        worker: usize,
        /// The bout.
        slot: Slot,
    },
    /// A bout has ended and is kept.
    Finished {
        /// The worker, from 0.
        worker: usize,
        /// The bout.
        bout: Summary,
    },
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// Everything has been played.
    Complete,
    /// The sequential test is decided.
    Decided,
    /// It was asked to stop; the rest can be played later.
    Stopped,
}

/// What a run has come to.
#[derive(Clone, PartialEq, Debug)]
pub struct Finish {
    /// Its number in the store.
    pub run: i64,
    /// How it ended.
    pub ending: RunEnd,
    /// All that has been played, now or before.
    pub tally: Tally,
    /// Bouts played now.
    pub played: u64,
}

/// Stops a run from another thread.
#[derive(Clone, Debug, Default)]
pub struct Brake(Arc<AtomicBool>);

impl Brake {
    /// Bouts that are being played are finished and kept; no other begins.
    pub fn finish(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Every program is killed; bouts that are being played are not kept. This process can referee nothing afterwards.
    pub fn cancel(&self) {
        self.finish();
        process::interrupt();
    }

    fn requested(&self) -> bool {
        self.0.load(Ordering::SeqCst) || process::interrupted()
    }
}

/// Plays what is missing of a plan, and returns when nothing is, when a test is decided, or when it is stopped.
///
/// Events go to `events` as they happen; nobody has to listen.
///
/// # Errors
/// [`RunError`]. Bouts that were being played when it arose are finished and kept.
pub fn run(
    plan: &Plan,
    roster: &Roster,
    store: &mut Store,
    options: &Options,
    brake: &Brake,
    events: &Sender<RunEvent>,
) -> Result<Finish, RunError> {
    plan.check()?;
    let cores = cores_for(options)?;
    let run = store.begin(plan)?;
    let kept = store.count(run)?;
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
                    cores::pin(cores);
                }
                serve(
                    worker,
                    Worker::new(plan, roster),
                    queue,
                    || closed.load(Ordering::Relaxed) || brake.requested(),
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

/// What worker says what of a slot; `None` when it was not played.
type Reply = (usize, Result<Option<Done>, RunError>);

fn cores_for(options: &Options) -> Result<Vec<Vec<usize>>, RunError> {
    let Options { concurrency, threads, affinity, force } = *options;
    if concurrency == 0 || threads == 0 {
        return Err(RunError::Idle { concurrency, threads });
    }
    let cores = cores::allowed();
    match cores::share(&cores, concurrency, threads) {
        None if !force => Err(RunError::Crowded { concurrency, threads, cores: cores.len() }),
        Some(shares) if affinity == Affinity::Auto => Ok(shares),
        _ => Ok(Vec::new()),
    }
}

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
            // A bout that breaks its thread must end the run, not leave the coordinator waiting for ever.
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
    /// Raised when slots that are out and have not begun are not to be played.
    closed: &'a AtomicBool,
    /// How many slots may be out.
    most: usize,
    out: usize,
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
                self.take_back();
            }
            if self.stopped() {
                break;
            }
        }
        while self.out > 0 {
            self.take_back();
        }
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let ending = if self.tally.decided() {
            RunEnd::Decided
        } else if self.tally.bouts() < self.plan.bouts() {
            RunEnd::Stopped
        } else {
            RunEnd::Complete
        };
        Ok(Finish { run: self.run, ending, tally: self.tally.clone(), played: self.played })
    }

    fn stopped(&self) -> bool {
        let stopped = self.failed.is_some() || self.brake.requested() || self.tally.decided();
        if stopped {
            self.closed.store(true, Ordering::Relaxed);
        }
        stopped
    }

    /// Hands out what is missing of a round.
    fn round(&mut self, number: u32) -> Result<(), RunError> {
        let round = schedule::round(self.plan, number, &self.tally);
        let slots = schedule::slots(self.plan, &round);
        let (Some(first), Some(last)) = (slots.first(), slots.last()) else { return Ok(()) };
        let kept = self.store.bouts(self.run, first.number..last.number + 1)?;
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
                self.take_back();
            }
            if self.stopped() {
                return Ok(());
            }
            self.out += 1;
            self.slots.send(slot).expect("workers live as long as the coordinator");
        }
        Ok(())
    }

    /// Waits until a slot comes back, and keeps what was played of it and of those that are there by now.
    fn take_back(&mut self) {
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
        if let Err(error) = self.store.keep(self.run, played.iter().map(|(_, done)| (&done.summary, &*done.record))) {
            self.failed.get_or_insert(error.into());
            return;
        }
        for (worker, Done { summary, .. }) in played {
            self.played += 1;
            self.tally.add(&summary);
            let _ = self.events.send(RunEvent::Finished { worker, bout: summary });
        }
        if !self.stopped() {
            thread::sleep(BATCH_DELAY);
        }
    }
}
