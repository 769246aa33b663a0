//! The queue of a run's games: its coordinator submits jobs, workers take and play them.
//!
//! A job is pure and repeatable: it follows from the plan, and it does not matter who plays it or how often. Decisions
//! about the run (the sequential test, ratings, the next round) stay with the coordinator, which counts results in the
//! order of the schedule; for each slot the first result counts.
//!
//! [`LocalQueue`](super::local::LocalQueue) is the queue within one process; the crate `agon-fleet` has the one over
//! many machines, held to the same contract tests.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use agon_referee::agent::AgentError;
use agon_referee::bout::Spectator;

use super::error::RunError;
use super::worker::{PlayedSlot, Worker};
use crate::slot::Slot;
use crate::store::Quarantine;

/// How often a job is handed out before it is abandoned: it may be what kills the workers.
pub const MAX_DELIVERIES: u32 = 5;

/// How long a job rests that one machine could not play, so that another one takes it.
const ELSEWHERE: Duration = Duration::from_secs(2);

/// Games that one worker plays, one after another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameJob {
    /// Their slots in the run, in the order of playing.
    pub slots: Vec<Slot>,
}

/// What happened to a submitted slot.
#[derive(Debug)]
pub enum SlotReply {
    Played {
        /// The number of the worker, from 0.
        worker: usize,
        game: PlayedSlot,
    },
    /// It has not been played and will not be: the queue was withdrawn.
    Dropped {
        slot: u32,
    },
    Failed {
        slot: u32,
        error: RunError,
    },
}

impl SlotReply {
    /// The number of the slot that it is about.
    pub const fn slot(&self) -> u32 {
        match self {
            Self::Played { game, .. } => game.summary.slot,
            Self::Dropped { slot } | Self::Failed { slot, .. } => *slot,
        }
    }
}

/// The side of the coordinator. Each slot that is submitted is answered by one [`SlotReply`].
pub trait Submit {
    /// Hands out a job.
    ///
    /// # Errors
    /// [`RunError`] when the queue cannot take it.
    fn submit(&mut self, job: GameJob) -> Result<(), RunError>;

    /// The replies that have arrived. Waits for the first one, but not for ever: there may be none yet.
    fn replies(&mut self) -> Vec<SlotReply>;

    /// Called when bouts are stored, or known to be stored: their results are no longer needed.
    fn stored(&mut self, slots: &[u32]);

    /// Stops new jobs from starting. Jobs that have not started are answered by [`SlotReply::Dropped`].
    fn withdraw(&mut self);

    /// How many slots may be handed out at once.
    fn most(&self) -> usize;

    /// The number of slots in a job, from 1; an even number keeps pairs together.
    fn job_size(&self) -> usize;

    /// The store's name for the worker with this number, if it is another machine.
    fn machine(&self, _worker: usize) -> Option<String> {
        None
    }

    /// Called at the beginning of a run with the workers whose games count no longer since an earlier start.
    fn begin_with(&mut self, _quarantined: Vec<Quarantine>) {}

    /// The workers caught playing wrongly since the last call: none of their games counts.
    fn found_out(&mut self) -> Vec<Quarantine> {
        Vec::new()
    }

    /// Whether stored bouts are still being proved.
    fn unsettled(&self) -> bool {
        false
    }
}

/// The result of asking a queue for work.
pub enum Taken {
    Job(Box<dyn Lease>),
    Nothing,
    Ended,
}

/// The side of a worker.
pub trait Take {
    /// Waits for a job until the timeout.
    fn take(&mut self, timeout: Duration) -> Taken;
}

/// A job held by a worker. If it is dropped, it is handed out again, as if the worker had died.
pub trait Lease {
    fn job(&self) -> &GameJob;

    /// How often the job has been handed out, including this time.
    fn deliveries(&self) -> u32;

    /// Whether another machine may take the job if this one cannot play it.
    fn elsewhere(&self) -> bool;

    /// Whether the queue has been withdrawn, so that no further slot need begin.
    fn withdrawn(&self) -> bool;

    fn began(&mut self, slot: &Slot);

    /// The spectator of a slot while it is played.
    fn spectator(&self, _slot: &Slot) -> Box<dyn Spectator> {
        Box::new(())
    }

    /// A slot has been played.
    fn played(&mut self, game: PlayedSlot);

    /// All slots have been played: the job is never handed out again.
    fn done(self: Box<Self>);

    /// The job cannot be played here and now; after the delay it is handed out again.
    fn put_back(self: Box<Self>, delay: Duration, why: Option<RunError>);

    /// No worker can ever play the slot.
    fn refuse(self: Box<Self>, slot: u32, error: RunError);
}

pub fn play(worker: &mut Worker, mut lease: Box<dyn Lease>) {
    let slots = lease.job().slots.clone();
    for (at, slot) in slots.iter().enumerate() {
        if at > 0 && lease.withdrawn() {
            return lease.put_back(Duration::ZERO, None);
        }
        lease.began(slot);
        let mut spectator = lease.spectator(slot);
        // A panic must not end the worker: it would pass unnoticed.
        let played = catch_unwind(AssertUnwindSafe(|| worker.play_before(slot, spectator.as_mut())));
        match played.unwrap_or(Err(RunError::Broken { slot: slot.number })) {
            Ok(Some(game)) => lease.played(game),
            Ok(None) => return lease.put_back(Duration::ZERO, None),
            // That one machine cannot start a program says nothing about the others.
            Err(error @ RunError::Seat { source: AgentError::Spawn(_), .. }) if lease.elsewhere() => {
                return lease.put_back(ELSEWHERE, Some(error));
            }
            Err(error) => return lease.refuse(slot.number, error),
        }
    }
    lease.done();
}
