//! Training for the petri dish: the champion's policy is tuned by games against a pool of opponents, and attacked by
//! best responses.

pub mod campaign;
pub mod exploit;
pub mod league;
pub mod policy;
pub mod reinforce;
pub mod season;

pub use campaign::{PolicyJob, PolicyJobError, TrainedPolicy, read_policy};
pub use exploit::{Attacker, Budget, Exploit, GameTally};
pub use league::{League, LeagueRules, Member, Role};
pub use policy::{PolicyTraining, Trial, worth};
pub use reinforce::{LearningRules, Reinforcement, ReinforcementJob};
pub use season::LeagueJob;
