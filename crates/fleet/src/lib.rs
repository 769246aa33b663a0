//! Games over many machines.
//!
//! A run's coordinator (`agon match --nats`) puts jobs into a queue of NATS `JetStream`, workers (`agon worker`) on any
//! machines take them, play them and send the records back. What decides a run stays with the coordinator; see
//! [`agon_arena::runner::queue`].
//!
//! - [`Fleet`] is a connection; [`FleetError`] says in one line what is wrong with the set-up, with the remedy.
//! - [`FleetQueue`] is the coordinator's side of a run's queue, [`RunJobs`] a worker's. [`GameQueue`] is the coordinator's side where
//!   no plan numbers the games: those of a site.
//! - [`notice`] has what coordinators and workers tell of themselves. [`work`] is the whole of a worker.
//! - [`FleetWatch`] hears how all of them stand.
//!
//! What the server holds, and which subjects there are, is in [`subjects`]. All that knows NATS is here.

mod audit;
mod connect;
mod error;
mod games;
mod identity;
mod lease;
mod machine;
pub mod notice;
mod offer;
mod overview;
mod presence;
mod programs;
mod publish;
mod second;
mod site;
pub mod subjects;
mod submit;
mod wire;
mod worker;

pub use connect::{Fleet, NatsOptions};
pub use error::FleetError;
pub use games::{FleetGame, FleetPlayer, GameFailure, GameNews, GameQueue, Receipt};
pub use lease::RunJobs;
pub use overview::{DeadJob, FleetWatch, Overview, drain};
pub use programs::check_agents;
pub use submit::{FleetQueue, RunTerms, USUAL_AUDIT};
pub use worker::{WorkerEvent, WorkerOptions, work};
