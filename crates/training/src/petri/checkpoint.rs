//! A training on disk.

use agon_engines::petri::{Policy, PolicyError};
use serde::{Deserialize, Serialize};

use super::PolicyTraining;
use crate::CmaEs;

/// A training as it is written down: TOML, whose numbers come back to the last bit.
#[derive(Serialize, Deserialize)]
pub struct Checkpoint {
    seed: u64,
    samples: usize,
    bouts: usize,
    dishes: Vec<(usize, usize, usize)>,
    first_step: f64,
    start: String,
    rivals: Vec<String>,
    standing: Vec<f64>,
    generation: u32,
    step: f64,
    mean: Vec<f64>,
    spread: Vec<f64>,
    path: Vec<f64>,
    drift: Vec<f64>,
}

impl From<PolicyTraining> for Checkpoint {
    fn from(training: PolicyTraining) -> Self {
        let CmaEs { mean, spread, step, path, drift, generation } = training.evolution;
        Self {
            seed: training.seed,
            samples: training.samples,
            bouts: training.bouts,
            dishes: training.dishes,
            first_step: training.step,
            start: training.start.to_string(),
            rivals: training.rivals.iter().map(ToString::to_string).collect(),
            standing: training.standing,
            generation,
            step,
            mean,
            spread,
            path,
            drift,
        }
    }
}

impl TryFrom<Checkpoint> for PolicyTraining {
    type Error = PolicyError;

    fn try_from(checkpoint: Checkpoint) -> Result<Self, PolicyError> {
        let Checkpoint { mean, spread, step, path, drift, generation, .. } = checkpoint;
        Ok(Self {
            seed: checkpoint.seed,
            samples: checkpoint.samples,
            bouts: checkpoint.bouts,
            dishes: checkpoint.dishes,
            step: checkpoint.first_step,
            evolution: CmaEs { mean, spread, step, path, drift, generation },
            standing: checkpoint.standing,
            start: Policy::read(&checkpoint.start)?,
            rivals: checkpoint.rivals.iter().map(|text| Policy::read(text)).collect::<Result<_, _>>()?,
        })
    }
}
