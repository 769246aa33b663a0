//! Proximal policy optimisation: Schulman et al., "Proximal policy optimization algorithms", 2017.

use std::convert::Infallible;
use std::sync::Arc;

use agon_engines::petri::{CellNetwork, Champion, PetriProgram, Policy};
use agon_game::Side;
use agon_game::seed::Stream;
use agon_jobs::{Stop, pool};
use agon_rules::petri::{DishSetup, Rules};
use serde::{Deserialize, Serialize};

use super::super::policy::{policy_text, policy_texts};
use super::net::{Hidden, SparseNet};
use super::rollout::{Batch, CellDecision, Learner, MIN_CHANCE, OUTPUTS, TRUE_INPUTS, rollout, softmax};
use crate::adam::Adam;
use crate::bytes;

/// Decisions of a step of the optimiser.
const MINIBATCH: usize = 2048;

/// Parts of these; each sums up its slopes for itself: the same result on any number of threads.
const PARTS: usize = 4;

/// Number of passes over all decisions.
const EPOCHS: usize = 1;

/// Maximum change of a probability, beyond which it gets no gradient.
const CLIP: f32 = 0.2;

/// Maximum error attributed to the critic, so that single surprises do not dominate.
const MAX_ERROR: f32 = 4.0;

/// Number of iterations in which only the critic learns.
const WARM_UP: u32 = 10;

/// Number of iterations between two snapshots that stay as opponents.
const SNAPSHOT_EVERY: u32 = 25;

const SNAPSHOTS: usize = 8;

/// Rate at which the mean of the weights follows them.
const FORGET: f32 = 0.03;

/// Rate at which a standing follows recent results.
const FOLLOW: f64 = 0.05;

/// Rules of a training, besides its start and rivals.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearningRules {
    /// The dishes, columns and rows, each as often as the others.
    pub dishes: Vec<(usize, usize)>,
    pub games: usize,
    /// Decisions of a game that are learned from, about.
    pub kept: f32,
    /// Divisor of the scores before an action is drawn.
    pub temperature: f32,
    /// Weight of an event one player turn later.
    pub discount: f32,
    pub rate: f32,
    /// Weight of a decision's entropy.
    pub entropy: f32,
    /// Percentage of games against itself.
    pub alone: usize,
    /// Percentage of games against its own snapshots.
    pub snapshots: usize,
    pub seed: u64,
}

impl Default for LearningRules {
    /// On all dishes with sides of 4 to 15.
    fn default() -> Self {
        let sides = 4..=15;
        let dishes = sides.clone().flat_map(|width| sides.clone().map(move |height| (width, height))).collect();
        Self {
            dishes,
            games: 32,
            kept: 8000.0,
            temperature: 0.5,
            discount: 0.97,
            rate: 1e-3,
            entropy: 0.003,
            alone: 30,
            snapshots: 10,
            seed: 1,
        }
    }
}

/// A network in training. Its start, its rivals and its rules alone determine its outcome.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Reinforcement {
    pub rules: LearningRules,
    #[serde(with = "policy_text")]
    pub base: Policy,
    /// Policies that it plays besides itself.
    #[serde(with = "policy_texts")]
    pub rivals: Vec<Policy>,
    /// Recent score against each of them, with random actions.
    pub standing: Vec<f64>,
    #[serde(with = "policy_texts")]
    pub past: Vec<Policy>,
    pub actor: SparseNet<OUTPUTS>,
    /// The mean of its last weights, which the policy gets: single steps are noisy.
    #[serde(with = "bytes")]
    pub mean: Vec<f32>,
    pub critic: SparseNet<1>,
    pub adams: [Adam; 2],
    /// Statistics of the last iteration.
    pub seen: LearningStats,
    pub iteration: u32,
}

/// Statistics of an iteration.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct LearningStats {
    pub decisions: usize,
    /// Explained variance of the critic, at most 1.
    pub explained: f32,
    pub entropy: f32,
    /// Divergence of the new policy from the one that played.
    pub divergence: f32,
}

impl Reinforcement {
    /// Starts from the base, with its network or one that has no effect.
    pub fn new(mut base: Policy, rivals: Vec<Policy>, rules: LearningRules) -> Self {
        let mut random = Stream::new(rules.seed, "networks");
        let mut actor = SparseNet::new(CellNetwork::INPUTS, &mut random);
        if let Some(network) = base.network.take() {
            actor.weights = network.weights();
        }
        let critic = SparseNet::new(CellNetwork::INPUTS + TRUE_INPUTS, &mut random);
        let adams = [Adam::new(actor.weights.len()), Adam::new(critic.weights.len())];
        let standing = vec![0.5; rivals.len()];
        let mean = actor.weights.clone();
        Self {
            rules,
            base,
            rivals,
            standing,
            past: vec![],
            actor,
            mean,
            critic,
            adams,
            seen: LearningStats::default(),
            iteration: 0,
        }
    }

    /// The policy with its network, rounded.
    ///
    /// # Panics
    /// Never: a network has as many weights as it has.
    pub fn policy(&self) -> Policy {
        let network = CellNetwork::rounded(&self.mean).expect("as many weights as a network has");
        Policy { network: Some(Arc::new(network)), ..self.base.clone() }
    }

    /// Returns true if both started in the same way, so that one can continue the other.
    pub fn is_of_one_kind_with(&self, other: &Self) -> bool {
        let sizes = |of: &Self| [of.actor.weights.len(), of.critic.weights.len(), of.standing.len()];
        self.rules == other.rules
            && self.base == other.base
            && self.rivals == other.rivals
            && sizes(self) == sizes(other)
    }

    /// Returns the recent score against its rivals, averaged, with random actions.
    pub fn worth(&self) -> f64 {
        self.standing.iter().sum::<f64>() / self.standing.len().max(1) as f64
    }

    /// Plays and learns; `None` if `stop` was raised, in which case nothing has changed.
    pub fn advance(&mut self, threads: usize, stop: &Stop) -> Option<LearningStats> {
        let rivals: Vec<Champion> = self.rivals.iter().cloned().map(Champion::following).collect();
        let rivals: Vec<&dyn PetriProgram> = rivals.iter().map(|rival| rival as &dyn PetriProgram).collect();
        self.advance_against(&rivals, threads, stop)
    }

    /// The same against these programs, as many as there are standings, instead of its rivals.
    pub fn advance_against(
        &mut self,
        rivals: &[&dyn PetriProgram],
        threads: usize,
        stop: &Stop,
    ) -> Option<LearningStats> {
        let (batch, results) = self.play(rivals, threads, stop)?;
        for (rival, share) in results {
            self.standing[rival] += FOLLOW * (share - self.standing[rival]);
        }
        let seen = self.learn(&batch, threads);
        for (mean, weight) in self.mean.iter_mut().zip(&self.actor.weights) {
            *mean += FORGET * (weight - *mean);
        }
        if self.iteration.is_multiple_of(SNAPSHOT_EVERY) {
            self.past.push(self.policy());
            if self.past.len() > SNAPSHOTS {
                self.past.remove(0);
            }
        }
        self.iteration += 1;
        self.seen = seen;
        Some(seen)
    }

    /// Plays the games of an iteration; returns the scores against each rival.
    fn play(&self, rivals: &[&dyn PetriProgram], threads: usize, stop: &Stop) -> Option<(Batch, Vec<(usize, f64)>)> {
        let past: Vec<Champion> = self.past.iter().cloned().map(Champion::following).collect();
        let learner = Learner {
            base: &self.base,
            actor: &self.actor,
            critic: &self.critic,
            temperature: self.rules.temperature,
            discount: self.rules.discount,
            kept: self.rules.kept,
        };
        let game = |at: usize| {
            let game = u64::from(self.iteration) * self.rules.games as u64 + at as u64;
            let mut random =
                Stream::new(self.rules.seed.wrapping_add(game.wrapping_mul(0x9e37_79b9_7f4a_7c15)), "game");
            let (width, height) = self.rules.dishes[random.below(self.rules.dishes.len())];
            let kind = random.below(100);
            let rival: Option<(&dyn PetriProgram, Option<usize>)> = if kind < self.rules.alone {
                None
            } else if kind < self.rules.alone + self.rules.snapshots && !past.is_empty() {
                Some((&past[random.below(past.len())], None))
            } else {
                let at = self.draw_rival(&mut random);
                at.map(|at| (rivals[at], Some(at)))
            };
            let seat = Side::BOTH[random.below(2)];
            let own = self.base.species;
            let mut opponents: [Option<&dyn PetriProgram>; 2] = [None, None];
            let mut species = [own; 2];
            if let Some((rival, _)) = rival {
                opponents[seat.other().index()] = Some(rival);
                species[seat.other().index()] = rival.begin().species;
            }
            let setup = DishSetup { width, height, turns: DishSetup::TURNS, species, rules: Rules::Contest };
            let (batch, winner) = rollout(&learner, &setup, opponents, random.next());
            let share = match winner {
                Some(side) => f64::from(u8::from(side == seat)),
                None => 0.5,
            };
            (batch, rival.and_then(|(_, at)| at).map(|at| (at, share)))
        };
        let worker = || |at: usize| Ok::<_, Infallible>(game(at));
        let Ok(games) = pool::map(self.rules.games, threads, stop, worker, |_| {});
        let mut whole = Batch::default();
        let mut results = Vec::new();
        for (batch, result) in games? {
            whole.append(batch);
            results.extend(result);
        }
        Some((whole, results))
    }

    /// A rival, the more often, the more it takes.
    fn draw_rival(&self, random: &mut Stream) -> Option<usize> {
        let shares: Vec<f64> = self.standing.iter().map(|share| (1.1 - share).powi(2)).collect();
        let mut point = (random.next() >> 11) as f64 / (1_u64 << 53) as f64 * shares.iter().sum::<f64>();
        let passed = |share: &&f64| {
            point -= **share;
            point >= 0.0
        };
        let at = shares.iter().take_while(passed).count();
        (!shares.is_empty()).then(|| at.min(shares.len() - 1))
    }

    fn learn(&mut self, batch: &Batch, threads: usize) -> LearningStats {
        let count = batch.samples.len().max(1) as f32;
        let surplus: Vec<f32> = batch.samples.iter().map(|sample| sample.came - sample.expected).collect();
        let mean = surplus.iter().sum::<f32>() / count;
        let variance = surplus.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / count;
        let came = batch.samples.iter().map(|sample| sample.came).sum::<f32>() / count;
        let total = batch.samples.iter().map(|sample| (sample.came - came).powi(2)).sum::<f32>() / count;
        let spread = variance.sqrt().max(1e-6);
        let advantages: Vec<f32> = surplus.iter().map(|value| (value - mean) / spread).collect();

        let mut seen = LearningStats {
            decisions: batch.samples.len(),
            explained: 1.0 - variance / total.max(1e-6),
            ..LearningStats::default()
        };
        let mut random = Stream::new(self.rules.seed.wrapping_add(u64::from(self.iteration)), "order");
        let mut order: Vec<usize> = (0..batch.samples.len()).collect();
        for epoch in 0..EPOCHS {
            for at in (1..order.len()).rev() {
                order.swap(at, random.below(at + 1));
            }
            for minibatch in order.chunks(MINIBATCH) {
                let part = minibatch.len().div_ceil(PARTS);
                let parts: Vec<&[usize]> = minibatch.chunks(part).collect();
                let mut slopes = pool::map_all(parts.len(), threads, |at| {
                    let mut slopes = Slopes::new(self);
                    for &at in parts[at] {
                        slopes.add(self, batch, &batch.samples[at], advantages[at]);
                    }
                    slopes
                });
                let mut sum = slopes.remove(0);
                for part in &slopes {
                    sum.join(part);
                }
                let scale = 1.0 / minibatch.len() as f32;
                let actor: Vec<f32> = sum.actor.iter().map(|slope| slope * scale).collect();
                let critic: Vec<f32> = sum.critic.iter().map(|slope| slope * scale).collect();
                if self.iteration >= WARM_UP {
                    self.adams[0].step(&mut self.actor.weights, &actor, self.rules.rate, 0.0);
                }
                self.adams[1].step(&mut self.critic.weights, &critic, 2.0 * self.rules.rate, 0.0);
                self.actor.clip();
                if epoch == EPOCHS - 1 {
                    seen.entropy += sum.entropy / count;
                    seen.divergence += sum.divergence / count;
                }
            }
        }
        seen
    }
}

/// The slopes of some decisions.
struct Slopes {
    actor: Vec<f32>,
    critic: Vec<f32>,
    entropy: f32,
    divergence: f32,
}

impl Slopes {
    fn new(of: &Reinforcement) -> Self {
        let zeros = |length| vec![0.0; length];
        Self {
            actor: zeros(of.actor.weights.len()),
            critic: zeros(of.critic.weights.len()),
            entropy: 0.0,
            divergence: 0.0,
        }
    }

    fn join(&mut self, other: &Self) {
        for (sum, part) in [(&mut self.actor, &other.actor), (&mut self.critic, &other.critic)] {
            for (sum, part) in sum.iter_mut().zip(part) {
                *sum += part;
            }
        }
        self.entropy += other.entropy;
        self.divergence += other.divergence;
    }

    fn add(&mut self, of: &Reinforcement, batch: &Batch, sample: &CellDecision, advantage: f32) {
        let known = batch.known(sample);
        let (hidden, [expected]) = of.critic.forward(known);
        of.critic.backward(known, &hidden, &[(expected - sample.came).clamp(-MAX_ERROR, MAX_ERROR)], &mut self.critic);

        let options = batch.options(sample);
        let views: Vec<(Hidden, [f32; OUTPUTS])> = batch.seen(sample).map(|seen| of.actor.forward(seen)).collect();
        let mut chances: Vec<f32> =
            options.iter().map(|option| option.value + views[option.view].1[option.output]).collect();
        let chances = &mut chances[..];
        softmax(chances, of.rules.temperature);
        let log = |chance: f32| chance.max(MIN_CHANCE).ln();
        let change = log(chances[sample.chosen]) - sample.log_chance;
        let ratio = change.exp();
        let entropy: f32 = -chances.iter().map(|&chance| chance * log(chance)).sum::<f32>();
        self.entropy += entropy;
        self.divergence += ratio - 1.0 - change;
        // A probability that has changed enough in the desired direction gets no more gradient.
        let enough = if advantage > 0.0 { ratio > 1.0 + CLIP } else { ratio < 1.0 - CLIP };
        let pull = if enough { 0.0 } else { ratio * advantage };
        let mut slopes = vec![[0.0; OUTPUTS]; views.len()];
        for (at, (&chance, option)) in chances.iter().zip(options).enumerate() {
            let chosen = f32::from(u8::from(at == sample.chosen));
            let gain = pull * (chosen - chance) - of.rules.entropy * chance * (log(chance) + entropy);
            slopes[option.view][option.output] -= gain / of.rules.temperature;
        }
        for ((seen, (hidden, _)), slopes) in batch.seen(sample).zip(&views).zip(&slopes) {
            of.actor.backward(seen, hidden, slopes, &mut self.actor);
        }
    }
}
