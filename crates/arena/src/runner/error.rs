//! Why a run cannot start or go on.

use agon_referee::agent::AgentError;
use agon_rules::catalog::SetupError;

use crate::check::PlanError;
use crate::openings::OpeningError;
use crate::store::StoreError;

/// Why a run cannot start or go on; played bouts are stored.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// There are fewer processors than the bouts need.
    #[error(
        "{concurrency} bouts at once with {threads} threads each need {} processors, but there are {cores}; clocks \
         would measure the machine. Play fewer at once, or force it",
        concurrency.saturating_mul(*threads)
    )]
    Crowded {
        /// Bouts at once, as asked for.
        concurrency: usize,
        /// Processors for each of them, as asked for.
        threads: usize,
        /// Processors of this machine that Agon may use.
        cores: usize,
    },
    /// Nothing could ever be played.
    #[error("{concurrency} bouts at once with {threads} threads each were asked for; both must be at least 1")]
    Idle {
        /// Bouts at once, as asked for.
        concurrency: usize,
        /// Processors for each of them, as asked for.
        threads: usize,
    },
    /// An agent cannot be started.
    #[error("agent `{name}`: {source}")]
    Seat {
        /// The agent's name in the plan.
        name: String,
        /// Why not.
        source: AgentError,
    },
    /// A worker panicked: a fault of Agon itself.
    #[error("bout {slot} could not be refereed: the program failed; please report this")]
    Broken {
        /// Its number in the run.
        slot: u32,
    },
    /// A game cannot be set up.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// An opening cannot be drawn.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// The store cannot be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
}
