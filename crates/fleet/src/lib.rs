//! Games over many machines.
//!
//! A run's coordinator (`agon match --nats`) keeps a queue of jobs; workers (`agon worker`) on any machines request one
//! through NATS, play it and send the records back. Only the coordinator makes decisions about a run; see
//! [`agon_arena::runner::queue`].
//!
//! - [`Fleet`] is a connection; [`FleetError`] is a fault in the set-up, with the remedy.
//! - [`SeriesQueue`] coordinates a series, whose slots are numbered by its plan; [`GameQueue`] coordinates the games of
//!   a site, which numbers them itself. Both share `coordinator`.
//! - [`work`] is a worker, [`RunJobs`] its side of a run's queue.
//! - [`notice`] has the messages of coordinators and workers about themselves; [`FleetWatch`] collects them.
//!
//! Unsigned messages are ignored: coordinators sign runs, jobs and orders, workers sign statuses and results; see
//! `keys` and `roll`. A worker runs built-in players, and sources in its jail, within limits of its own.
//!
//! [`subjects`] lists the subjects on the server, which stores nothing. [`Timing`] defines how long both sides wait for
//! each other. Only this crate uses NATS.

mod archive;
mod attempt;
mod audit;
mod bounds;
mod connect;
mod coordinator;
mod delivery;
mod error;
mod fetch;
mod games;
mod identity;
mod keys;
mod lease;
mod lock;
mod machine;
pub mod notice;
mod offer;
mod outbox;
mod overview;
mod presence;
mod programs;
mod publish;
mod queue;
mod roll;
mod second;
mod series;
mod state;
pub mod subjects;
mod terms;
mod timing;
mod wire;
mod worker;

pub use bounds::default_memory_mib;
pub use connect::{Fleet, NatsOptions};
pub use error::FleetError;
pub use games::{FleetGame, FleetPlayer, GameFailure, GameNews, GameQueue, Receipt};
pub use keys::{Trust, public_keys, worker_keys};
pub use lease::RunJobs;
pub use machine::DEFAULT_MAX_DISTURBED;
pub use notice::DeadJob;
pub use overview::{Drained, FleetWatch, Overview, drain};
pub use programs::check_agents;
pub use series::SeriesQueue;
pub use terms::{DEFAULT_AUDIT, RunTerms};
pub use timing::{LeaseClock, Timing};
pub use worker::{WorkerEvent, WorkerOptions, work};
