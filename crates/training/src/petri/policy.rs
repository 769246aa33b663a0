//! Tuning the weights of the petri dish's champion.
//!
//! [`CmaEs`] over all weights of a [`Policy`] against a pool: the species, their variants, and earlier policies. A pool
//! is necessary because the game is not transitive: a policy that beats one opponent may lose to the next. All samples
//! of a generation play the same few games, so that luck affects all alike; opponents appear more often the less the
//! samples have won against them.

use std::convert::Infallible;

use agon_engines::petri::{Champion, DishResult, Match, PetriProgram, Policy, SPECIES, VARIANTS, play};
use agon_game::Side;
use agon_game::seed::Stream;
use agon_jobs::{Stop, pool};
use serde::{Deserialize, Serialize};

use crate::CmaEs;
use crate::cma_es::normal;

/// The dishes that are tuned on unless others are named, and how often each comes up: columns, rows, share. The
/// contest's own most of all, and large ones seldom, since they take long.
const DISHES: [(usize, usize, usize); 16] = [
    (10, 4, 40),
    (4, 4, 25),
    (4, 5, 20),
    (5, 6, 20),
    (6, 6, 20),
    (5, 9, 20),
    (6, 4, 15),
    (8, 8, 20),
    (9, 13, 15),
    (12, 7, 15),
    (16, 5, 15),
    (4, 20, 10),
    (14, 14, 12),
    (20, 20, 8),
    (30, 10, 4),
    (40, 40, 1),
];

/// Rate at which the standing of an opponent follows recent results.
const FOLLOW: f64 = 0.1;

/// Relative frequency of an opponent that always loses, compared with one that always wins; with a focus, to that
/// power.
const FLOOR: f64 = 0.04;

/// The standing of an opponent that was never met.
pub const UNKNOWN: f64 = 0.3;

/// A game that a sample plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trial {
    /// The opponent, as a place in the pool.
    pub opponent: usize,
    pub width: usize,
    pub height: usize,
    pub seat: Side,
    /// Seed of the opponent's randomness.
    pub seed: u64,
}

/// A policy in training. The start, the rivals and the seed alone determine its outcome, however often it was stopped
/// and resumed and on however many cores it ran.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PolicyTraining {
    pub seed: u64,
    pub samples: usize,
    pub bouts: usize,
    /// The dishes of the bouts, and how often each comes up: columns, rows, share.
    pub dishes: Vec<(usize, usize, usize)>,
    #[serde(rename = "first_step")]
    pub step: f64,
    /// Initial policy; the species is fixed.
    #[serde(with = "policy_text")]
    pub start: Policy,
    /// Policies in the pool, after the species and the variants.
    #[serde(with = "policy_texts")]
    pub rivals: Vec<Policy>,
    /// True if the species and the variants are in the pool.
    #[serde(default = "yes")]
    pub species: bool,
    /// Standard deviation of the noise on a rival's weights in a game: two policies without noise play the same game on
    /// a dish again and again.
    #[serde(default)]
    pub noise: f64,
    /// Exponent of an opponent's score, from 0 to 1, by which its frequency increases.
    #[serde(default = "linear")]
    pub focus: i32,
    /// Recent score of the samples against each opponent.
    pub standing: Vec<f64>,
    #[serde(flatten)]
    pub evolution: CmaEs,
}

/// The state of a training that was stopped before it could report.
const fn yes() -> bool {
    true
}

/// The focus of such a training.
const fn linear() -> i32 {
    1
}

/// Serialises a policy as a string with its own text.
pub(super) mod policy_text {
    use super::{Deserialize, Policy};

    pub(crate) fn serialize<S: serde::Serializer>(policy: &Policy, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(policy)
    }

    pub(crate) fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Policy, D::Error> {
        Policy::read(&String::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}

pub(super) mod policy_texts {
    use super::{Deserialize, Policy};

    pub(crate) fn serialize<S: serde::Serializer>(policies: &[Policy], to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(policies.iter().map(ToString::to_string))
    }

    pub(crate) fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Vec<Policy>, D::Error> {
        let texts = Vec::<String>::deserialize(from)?;
        texts.iter().map(|text| Policy::read(text)).collect::<Result<_, _>>().map_err(serde::de::Error::custom)
    }
}

impl PolicyTraining {
    /// Begins at a policy, with steps of this size.
    pub fn new(start: Policy, rivals: Vec<Policy>, step: f64, seed: u64) -> Self {
        let mean = start.parameters().map(|&weight| f64::from(weight)).collect();
        let mut training = Self {
            seed,
            samples: 24,
            bouts: 32,
            dishes: DISHES.to_vec(),
            step,
            evolution: CmaEs::new(mean, step),
            standing: vec![],
            start,
            rivals,
            species: true,
            noise: 0.0,
            focus: linear(),
        };
        training.standing = vec![UNKNOWN; training.pool().len()];
        training
    }

    /// Starts the training of a best response to these rivals only.
    pub fn against(start: Policy, rivals: Vec<Policy>, step: f64, seed: u64) -> Self {
        let mut training = Self { species: false, ..Self::new(start, rivals, step, seed) };
        training.standing = vec![UNKNOWN; training.rivals.len()];
        training
    }

    /// Returns true if both started in the same way, so that one can continue the other.
    pub fn is_of_one_kind_with(&self, other: &Self) -> bool {
        let numbers = |training: &Self| {
            let Self { seed, samples, bouts, step, species, noise, focus, .. } = training;
            (*seed, *samples, *bouts, *step, *species, *noise, *focus)
        };
        let lengths = |training: &Self| {
            let CmaEs { mean, spread, path, drift, .. } = &training.evolution;
            [mean, spread, path, drift, &training.standing].map(Vec::len)
        };
        let same = numbers(self) == numbers(other) && lengths(self) == lengths(other);
        same && self.dishes == other.dishes && self.start == other.start && self.rivals == other.rivals
    }

    /// Whom it is tuned against: species, variants that are not held out, rivals.
    pub fn pool(&self) -> Vec<Box<dyn PetriProgram>> {
        let species = SPECIES.into_iter().map(|species| Box::new(species) as Box<dyn PetriProgram>);
        let variants = VARIANTS.iter().filter(|variant| !variant.is_held_out()).map(|&variant| Box::new(variant) as _);
        let natives = species.chain(variants).filter(|_| self.species);
        let rivals = self.rivals.iter().map(|rival| Box::new(Champion::following(rival.clone())) as _);
        natives.chain(rivals).collect()
    }

    /// Plays the bouts of this generation and returns the value of every trial for every candidate; `None` if `stop`
    /// was raised.
    pub fn play(&self, pool: &[&dyn PetriProgram], threads: usize, stop: &Stop) -> Option<Vec<Vec<f64>>> {
        let candidates = self.candidates();
        let trials: Vec<(Trial, Option<Champion>)> =
            self.trials().into_iter().map(|trial| (trial, self.blurred(&trial, pool.len()))).collect();
        let worker = || {
            |at: usize| {
                let champion = Champion::following(candidates[at].clone());
                let met = |(trial, blurred): &(Trial, Option<Champion>)| {
                    worth(&champion, blurred.as_ref().map_or(pool[trial.opponent], |rival| rival), trial)
                };
                Ok::<Vec<f64>, Infallible>(trials.iter().map(met).collect())
            }
        };
        let Ok(worths) = pool::map(candidates.len(), threads, stop, worker, |_| {});
        worths
    }

    /// The rival of a trial with noise on its weights; `None` if it plays unchanged.
    fn blurred(&self, trial: &Trial, pool: usize) -> Option<Champion> {
        let rival = self.rivals.get((trial.opponent + self.rivals.len()).checked_sub(pool)?)?;
        if self.noise == 0.0 {
            return None;
        }
        let mut random = Stream::new(trial.seed, "noise");
        let mut blurred = rival.clone();
        for weight in blurred.parameters_mut() {
            *weight += (self.noise * normal(&mut random)) as f32;
        }
        Some(Champion::following(blurred))
    }

    /// Returns the centre of the distribution, in thousandths: the best policy so far.
    pub fn policy(&self) -> Policy {
        let thousandths: Vec<f64> =
            self.evolution.mean.iter().map(|weight| (weight * 1000.0).round() / 1000.0).collect();
        self.following(&thousandths)
    }

    pub fn candidates(&self) -> Vec<Policy> {
        self.evolution.samples(self.samples, self.seed).iter().map(|sample| self.following(sample)).collect()
    }

    /// The bouts that every candidate of this generation plays.
    pub fn trials(&self) -> Vec<Trial> {
        let mut random = Stream::new(self.seed.wrapping_add(u64::from(self.evolution.generation) << 32), "trials");
        let shares: Vec<f64> = self.standing.iter().map(|worth| (FLOOR + (1.0 - worth)).powi(self.focus)).collect();
        let dishes: Vec<f64> = self.dishes.iter().map(|&(_, _, share)| share as f64).collect();
        let mut trial = || {
            let opponent = drawn(&shares, &mut random);
            let (width, height, _) = self.dishes[drawn(&dishes, &mut random)];
            Trial { opponent, width, height, seat: Side::BOTH[random.below(2)], seed: random.next() }
        };
        (0..self.bouts).map(|_| trial()).collect()
    }

    /// Ends the generation, given the value of every trial for every candidate, as in [`worth`].
    ///
    /// # Panics
    /// If the number of values does not match [`Self::candidates`] and [`Self::trials`].
    pub fn learn(&mut self, worths: &[Vec<f64>]) {
        for (at, trial) in self.trials().iter().enumerate() {
            let mean = worths.iter().map(|values| values[at]).sum::<f64>() / worths.len() as f64;
            self.standing[trial.opponent] += FOLLOW * (mean - self.standing[trial.opponent]);
        }
        let values: Vec<f64> = worths.iter().map(|values| values.iter().sum::<f64>() / values.len() as f64).collect();
        self.evolution.learn(&self.evolution.samples(self.samples, self.seed), &values);
    }

    /// Returns the recent score of the samples, averaged over opponents: 0 to 1.
    pub fn worth(&self) -> f64 {
        self.standing.iter().sum::<f64>() / self.standing.len() as f64
    }

    fn following(&self, weights: &[f64]) -> Policy {
        let mut policy = self.start.clone();
        for (weight, &value) in policy.parameters_mut().zip(weights) {
            *weight = value as f32;
        }
        policy
    }
}

/// A place in the list, drawn with these shares.
fn drawn(shares: &[f64], random: &mut Stream) -> usize {
    let mut point = (random.next() >> 11) as f64 / (1_u64 << 53) as f64 * shares.iter().sum::<f64>();
    let passed = |share: &&f64| {
        point -= **share;
        point >= 0.0
    };
    shares.iter().take_while(passed).count().min(shares.len() - 1)
}

/// Returns the value of a bout for a policy, from 0 to 1: the win first of all; then its share of the living cells at
/// the end, and how early it won or how late it lost, so that there is a gradient even if all games are won or lost.
pub fn worth(champion: &Champion, opponent: &dyn PetriProgram, bout: &Trial) -> f64 {
    let Some((game, turns)) = meet(champion, opponent, bout) else { return 0.0 };
    let (won, pace) = match game.outcome.winner() {
        Some(side) if side == bout.seat => (1.0, 1.0),
        Some(_) => (0.0, 0.0),
        None => (0.3, 0.5),
    };
    let length = f64::from(game.turns) / f64::from(2 * turns);
    let share = f64::from(game.cells[bout.seat.index()]) / f64::from(game.cells.iter().sum::<u32>().max(1));
    0.75 * won + 0.2 * share + 0.05 * (pace + (0.5 - pace) * length)
}

/// Plays a trial: returns the result, and the maximum number of turns of each side. `None` if the dish is invalid.
pub fn meet(program: &dyn PetriProgram, opponent: &dyn PetriProgram, bout: &Trial) -> Option<(DishResult, u16)> {
    let mut programs = [program, opponent];
    if bout.seat == Side::Second {
        programs.swap(0, 1);
    }
    let setup = Match { width: bout.width, height: bout.height, ..Match::contest(programs) }.setup();
    Some((play(&setup, programs, bout.seed).ok()?, setup.turns))
}
