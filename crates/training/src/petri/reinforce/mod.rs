//! Reinforcement learning of the network that corrects a policy.
//!
//! A game has thousands of decisions, so gradients are available where evolution has only the result: each decision is
//! credited with what happens in its neighbourhood afterwards ([`rollout`]), and those that turn out better than a
//! critic expected become more likely ([`learner`]).

pub mod job;
pub mod learner;
pub mod net;
pub mod rollout;

pub use job::ReinforcementJob;
pub use learner::{LearningRules, LearningStats, Reinforcement};
