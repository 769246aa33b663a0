//! The events of a run, and its result.

use crate::schedule::Round;
use crate::slot::Slot;
use crate::summary::Summary;
use crate::tally::Tally;

/// An event of a run. Progress bars and JSON lines are made from these alone; only the [`Tally`] of all bouts in
/// [`RunEvent::Round`] and [`RunEvent::Finished`] is the run's own.
#[derive(Clone, PartialEq, Debug)]
pub enum RunEvent {
    /// The run has been found in the store or entered there.
    Began {
        /// Its number in the store.
        run: i64,
        /// The processors of each worker; empty when none is bound.
        cores: Vec<Vec<usize>>,
        /// Bouts of the plan that have been played before.
        kept: u64,
        /// Bouts that have been played before, when the plan was longer, and do not count now.
        beyond: u64,
        /// Bouts of the whole plan.
        all: u64,
    },
    Round {
        round: Round,
        /// Its bouts that were played before; they are not announced individually.
        kept: Vec<Summary>,
    },
    Started {
        /// The number of the worker, from 0.
        worker: usize,
        /// The bout's place in the schedule.
        slot: Slot,
    },
    /// Another program has locked the store. The run waits until it can continue; if it is stopped, it discards what it
    /// has played but not stored.
    Waiting,
    /// A message for the user: for a queue over many machines, why nothing is being played.
    Remark(String),
    /// Bouts of a worker in quarantine have been removed from the store. Earlier events of bouts are void, and
    /// [`RunEvent::Round`] reports the remaining ones, from the first round on.
    Recounted,
    /// A bout has ended and is stored.
    Finished {
        /// The number of the worker, from 0.
        worker: usize,
        bout: Summary,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    Complete,
    /// The sequential test is decided.
    Decided,
    /// The sequential test has given up: the agents only repeat themselves (see [`Tally::repeats`]).
    Repeats,
    /// It was stopped; the rest can be played later.
    Stopped,
}

/// The result of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Finish {
    /// Its number in the store.
    pub run: i64,
    pub ending: RunEnd,
    /// All its bouts, played now or before.
    pub tally: Tally,
    /// How many bouts were played now.
    pub played: u64,
}
