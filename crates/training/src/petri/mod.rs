//! Training for the petri dish: the champion's policy is tuned by games against a pool of opponents.

pub mod campaign;
pub mod policy;

pub use campaign::{PolicyJob, PolicyJobError, TrainedPolicy, read_policy};
pub use policy::{PolicyTraining, Trial, worth};
