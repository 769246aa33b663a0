//! Why a run cannot start or continue.

use std::path::PathBuf;

use agon_catalog::SetupError;
use agon_referee::agent::AgentError;

use crate::check::PlanError;
use crate::openings::OpeningError;
use crate::store::StoreError;

/// Why a run cannot start or continue; the bouts already played are stored.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Plan(#[from] PlanError),
    #[error(
        "playing {concurrency} at once with {threads} for each agent takes {} processors, but there are {cores}; \
         clocks would measure the machine. Play fewer at once with --jobs, or play all the same with --force",
        concurrency.saturating_mul(*threads)
    )]
    Crowded { concurrency: usize, threads: usize, cores: usize },
    #[error(
        "agent `{name}` searches on {threads} threads, but each agent has {processors} processor{}: \
         play with --processors {threads}", if *processors == 1 { "" } else { "s" }
    )]
    Threads { name: String, threads: usize, processors: usize },
    #[error("games at once and processors for each agent must be at least 1, and are {concurrency} and {threads}")]
    Idle { concurrency: usize, threads: usize },
    #[error("agent `{name}`: {source}")]
    Seat { name: String, source: AgentError },
    #[error("game {slot} could not be refereed: the program failed; please report this")]
    Broken { slot: u32 },
    #[error("game {slot} has been given up: it was handed out {deliveries} times, and no worker has played it")]
    GivenUp { slot: u32, deliveries: u32 },
    #[error("game {slot} cannot be played: {reason}")]
    Refused { slot: u32, reason: String },
    #[error("cannot write the log `{}`: {source}", path.display())]
    Log { path: PathBuf, source: std::io::Error },
    #[error("{0}")]
    Queue(String),
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error("{source}; the series cannot go on in this store, name another one")]
    Damaged { source: StoreError },
    #[error(transparent)]
    Store(StoreError),
}

impl From<StoreError> for RunError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Damaged { .. } => Self::Damaged { source: error },
            other => Self::Store(other),
        }
    }
}
