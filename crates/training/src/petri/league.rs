//! A league: a population of policies that attack each other, and one main policy that must withstand all of them.
//!
//! A fixed pool teaches a policy to beat the pool. Here the pool adapts. In even rounds an exploiter is trained against
//! the main policy only, one allocation after another, starting from the policy that does best against it; in odd
//! rounds the main policy continues to train against everybody, with a preference for those it loses to (prioritised
//! fictitious self-play, Vinyals et al., Nature 575, 2019). The result of each round joins the population. The main
//! policy is always the member whose worst opponents score least: an unbeaten exploiter becomes the main policy, so its
//! allocation can change.

use std::convert::Infallible;

use agon_engines::petri::{Champion, PetriProgram, Policy};
use agon_jobs::{Stop, pool};
use agon_rules::petri::Species;
use serde::{Deserialize, Serialize};

use super::exploit::{GameTally, all_dishes, best_start, both_seats};
use super::policy::{PolicyTraining, Trial, policy_text};
use crate::CmaEs;

/// Dishes on which two members are compared, at most.
const COMPARED: usize = 25;

/// The longest side of a dish that is played on, now and then.
const MAX_DISH_SIDE: usize = 40;

/// Frequency of a dish with sides of 4 to 20 relative to a larger one.
const SHARE: usize = 100;

/// Number of worst opponents whose mean is a member's floor.
const WORST: usize = 3;

/// Exponent by which opponents that are lost to are preferred.
const FOCUS: i32 = 2;

/// Minimum step with which an already trained policy continues.
const MIN_STEP: f64 = 0.05;

/// Turns of the fictitious play that finds the equilibrium.
const FICTITIOUS: usize = 20_000;

/// Rules of a league, besides its members.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LeagueRules {
    /// The allocations of the exploiters, in turn.
    pub species: Vec<[u8; 3]>,
    /// The dishes, columns and rows; when there are none, all with sides of 4 to 20 and now and then larger ones.
    pub dishes: Vec<(usize, usize)>,
    /// Bouts of every candidate in a generation.
    pub bouts: usize,
    pub generations: u32,
    /// Generations of a main policy, if different.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main_generations: Option<u32>,
    /// True if main policies belong to the wider family, whatever they started from.
    #[serde(default)]
    pub wide: bool,
    pub step: f64,
    /// Standard deviation of the noise on an opponent's weights in a game.
    pub noise: f64,
    pub seed: u64,
}

impl LeagueRules {
    /// Generations up to the end of a number of rounds.
    pub fn generations_of(&self, rounds: u32) -> u64 {
        (0..rounds).map(|round| u64::from(self.generations_in(round))).sum()
    }

    /// Generations of the learner of a round: an exploiter in the even ones, the main policy in the odd ones.
    fn generations_in(&self, round: u32) -> u32 {
        if round.is_multiple_of(2) { self.generations } else { self.main_generations.unwrap_or(self.generations) }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// It was a member from the start.
    Founder,
    /// Trained to beat the main policy of its round.
    Exploiter,
    Main,
}

/// A policy of the population; it does not change any more.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Member {
    pub role: Role,
    /// The number of the member from which it started.
    pub parent: Option<usize>,
    #[serde(with = "policy_text")]
    pub policy: Policy,
}

/// The policy in training, and its progress.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Learner {
    role: Role,
    parent: usize,
    species: [u8; 3],
    /// The generation with which it is done.
    until: u32,
    standing: Vec<f64>,
    evolution: CmaEs,
}

/// A league in progress. Its founders and rules alone determine its outcome.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct League {
    pub rules: LeagueRules,
    /// Number of founding members.
    pub founders: usize,
    pub round: u32,
    /// Score of each member against each other one, 0 to 1.
    pub payoffs: Vec<Vec<f64>>,
    pub members: Vec<Member>,
    learner: Option<Learner>,
    /// The last trained main policy, with the step sizes learnt in its training.
    trained: Option<(usize, CmaEs)>,
}

impl League {
    /// A league of these founders.
    ///
    /// # Panics
    /// If there is no founder, or no allocation for exploiters.
    pub fn new(founders: Vec<Policy>, rules: LeagueRules) -> Self {
        assert!(!founders.is_empty() && !rules.species.is_empty(), "{} founders of {rules:?}", founders.len());
        let member = |policy| Member { role: Role::Founder, parent: None, policy };
        let members: Vec<Member> = founders.into_iter().map(member).collect();
        Self { rules, founders: members.len(), round: 0, payoffs: vec![], members, learner: None, trained: None }
    }

    /// Returns true if both started in the same way, so that one can continue the other.
    pub fn is_of_one_kind_with(&self, other: &Self) -> bool {
        let founders = |league: &Self| league.members[..league.founders].to_vec();
        self.rules == other.rules && self.founders == other.founders && founders(self) == founders(other)
    }

    pub fn generations(&self) -> u64 {
        let left =
            self.learner.as_ref().map_or(0, |learner| learner.until.saturating_sub(learner.evolution.generation));
        let rounds = self.round + u32::from(self.learner.is_some());
        self.rules.generations_of(rounds) - u64::from(left)
    }

    /// Runs the next generation, and the games required before and after it; returns `false` if `stop` was raised,
    /// which abandons the current generation.
    pub fn advance(&mut self, threads: usize, stop: &Stop) -> bool {
        if !self.settle(threads, stop) {
            return false;
        }
        let learner = match self.learner.take() {
            Some(learner) => learner,
            None => self.next_learner(threads),
        };
        let mut training = self.training(&learner);
        let programs = training.pool();
        let programs: Vec<&dyn PetriProgram> = programs.iter().map(AsRef::as_ref).collect();
        let worths = training.play(&programs, threads, stop);
        drop(programs);
        if let Some(worths) = &worths {
            training.learn(worths);
        }
        let policy = training.policy();
        let PolicyTraining { standing, evolution, .. } = training;
        let learner = Learner { standing, evolution, ..learner };
        if learner.evolution.generation < learner.until {
            self.learner = Some(learner);
        } else {
            self.join(learner, policy);
        }
        worths.is_some()
    }

    /// Compares the members that have not been compared yet with all others; `false` when `stop` was raised.
    pub fn settle(&mut self, threads: usize, stop: &Stop) -> bool {
        while self.payoffs.len() < self.members.len() {
            if !self.compare(threads, stop) {
                return false;
            }
        }
        true
    }

    /// Returns the member that withstands all others best, that is, whose worst opponents score least; among equals,
    /// the younger one.
    pub fn main(&self) -> usize {
        let better = |&a: &usize, &b: &usize| self.floor(a).total_cmp(&self.floor(b)).then(a.cmp(&b));
        (0..self.payoffs.len()).max_by(better).unwrap_or(0)
    }

    /// Returns a member's score against its worst opponents.
    pub fn floor(&self, member: usize) -> f64 {
        let row = self.payoffs.get(member).map_or(&[][..], Vec::as_slice);
        let mut shares: Vec<f64> =
            row.iter().enumerate().filter(|(other, _)| *other != member).map(|(_, &share)| share).collect();
        shares.sort_by(f64::total_cmp);
        shares.truncate(WORST);
        if shares.is_empty() { 0.5 } else { shares.iter().sum::<f64>() / shares.len() as f64 }
    }

    /// Returns each member's weight in the equilibrium of the population: a player who draws members with these weights
    /// loses to no member in the long run. Computed by fictitious play.
    pub fn equilibrium(&self) -> Vec<f64> {
        let count = self.payoffs.len();
        let (mut drawn, mut taken) = (vec![0_u32; count], vec![0.0; count]);
        for _ in 0..FICTITIOUS {
            let best = (0..count).max_by(|&a, &b| f64::total_cmp(&taken[a], &taken[b]).then(b.cmp(&a)));
            let Some(best) = best else { break };
            drawn[best] += 1;
            for (member, taken) in taken.iter_mut().enumerate() {
                *taken += self.payoffs[member][best] - 0.5;
            }
        }
        drawn.into_iter().map(|times| f64::from(times) / FICTITIOUS as f64).collect()
    }

    /// Compares the first member that has not been compared yet with all before it; `false` when `stop` was raised.
    fn compare(&mut self, threads: usize, stop: &Stop) -> bool {
        let trials = self.comparison();
        let programs: Vec<Champion> =
            self.members.iter().map(|member| Champion::following(member.policy.clone())).collect();
        let new = self.payoffs.len();
        let worker = || {
            |old: usize| Ok::<f64, Infallible>(GameTally::from_trials(&programs[new], &programs[old], &trials).share())
        };
        let Ok(shares) = pool::map(new, threads, stop, worker, |_| {});
        let Some(mut shares) = shares else { return false };
        for (row, share) in self.payoffs.iter_mut().zip(&shares) {
            row.push(1.0 - share);
        }
        shares.push(0.5);
        self.payoffs.push(shares);
        true
    }

    /// Returns the games by which two members are compared.
    fn comparison(&self) -> Vec<Trial> {
        let dishes: Vec<(usize, usize)> =
            if self.rules.dishes.is_empty() { all_dishes().collect() } else { self.rules.dishes.clone() };
        let every = dishes.len().div_ceil(COMPARED);
        both_seats(dishes.into_iter().step_by(every))
    }

    fn next_learner(&self, threads: usize) -> Learner {
        let main = self.main();
        let points = |species: Species| [species.hp(), species.energy(), species.acidity()];
        let generations = self.rules.generations_in(self.round);
        if self.round.is_multiple_of(2) {
            let [hp, energy, acidity] = self.rules.species[self.round as usize / 2 % self.rules.species.len()];
            let main = &self.members[main].policy;
            let species = Species::new(hp, energy, acidity).unwrap_or(main.species);
            let starts: Vec<Policy> = self.members.iter().map(|member| member.policy.clone()).collect();
            let target = Champion::following(main.clone());
            let parent = best_start(&starts, species, &target, &self.comparison(), threads);
            let training = PolicyTraining::against(starts[parent].clone(), vec![main.clone()], self.rules.step, 0);
            let PolicyTraining { standing, evolution, .. } = training;
            return Learner {
                role: Role::Exploiter,
                parent,
                species: points(species),
                until: generations,
                standing,
                evolution,
            };
        }
        let policy = self.main_start(main);
        let fresh = PolicyTraining::new(policy.clone(), vec![], self.rules.step, 0);
        let evolution = match &self.trained {
            Some((member, evolution)) if *member == main => {
                CmaEs { step: evolution.step.max(MIN_STEP), ..evolution.clone() }
            }
            _ => fresh.evolution,
        };
        // The species are already beaten; the results of the members, including itself, are in the table.
        let standing = vec![0.9; fresh.standing.len()].into_iter().chain(self.payoffs[main].iter().copied()).collect();
        let until = evolution.generation + generations;
        Learner { role: Role::Main, parent: main, species: points(policy.species), until, standing, evolution }
    }

    /// Returns the start of a main policy.
    fn main_start(&self, parent: usize) -> Policy {
        let policy = self.members[parent].policy.clone();
        if self.rules.wide { policy.widened() } else { policy }
    }

    /// Returns the current training of a learner.
    fn training(&self, learner: &Learner) -> PolicyTraining {
        let LeagueRules { bouts, step, noise, seed, .. } = self.rules;
        let mut start = self.members[learner.parent].policy.clone();
        if learner.role == Role::Main {
            start = self.main_start(learner.parent);
        }
        let [hp, energy, acidity] = learner.species;
        start.species = Species::new(hp, energy, acidity).unwrap_or(start.species);
        let seed = seed.wrapping_add(u64::from(self.round) << 16);
        let mut training = if learner.role == Role::Exploiter {
            PolicyTraining::against(start, vec![self.members[self.main()].policy.clone()], step, seed)
        } else {
            let members = self.members.iter().map(|member| member.policy.clone());
            PolicyTraining::new(start, members.collect(), step, seed)
        };
        training.bouts = bouts;
        training.noise = noise;
        training.focus = FOCUS;
        training.dishes = self.dishes();
        training.standing.clone_from(&learner.standing);
        training.evolution = learner.evolution.clone();
        training
    }

    /// The dishes of the training, with how often each comes up.
    fn dishes(&self) -> Vec<(usize, usize, usize)> {
        if !self.rules.dishes.is_empty() {
            return self.rules.dishes.iter().map(|&(width, height)| (width, height, 1)).collect();
        }
        let sides = || 4..=MAX_DISH_SIDE;
        let small: Vec<(usize, usize)> = all_dishes().collect();
        let all = sides().flat_map(|width| sides().map(move |height| (width, height)));
        all.map(|(width, height)| (width, height, if small.contains(&(width, height)) { SHARE } else { 1 })).collect()
    }

    fn join(&mut self, learner: Learner, policy: Policy) {
        let Learner { role, parent, evolution, .. } = learner;
        if role == Role::Main {
            self.trained = Some((self.members.len(), evolution));
        }
        self.members.push(Member { role, parent: Some(parent), policy });
        self.round += 1;
    }
}
