//! Whether a plan can be played, and everything that is wrong with it.

use std::collections::HashSet;
use std::fmt;

use agon_catalog::Setup;

use crate::openings;
use crate::plan::{Kind, Plan};
use crate::stats::ratings::MAX_RATING;

/// Bouts of one run; their numbers have 32 bits.
pub const MAX_BOUTS: u64 = 1_000_000_000;

/// One thing that is wrong with a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The place in the plan, such as `agent 2: rating`.
    pub at: String,
    pub problem: String,
}

impl Problem {
    pub(crate) fn new(at: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { at: at.into(), problem: problem.into() }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.problem)
    }
}

/// Everything that is wrong with a plan, one line each.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .0.iter().map(Problem::to_string).collect::<Vec<_>>().join("\n"))]
pub struct PlanError(
    /// All problems, in the order of the plan.
    pub Vec<Problem>,
);

impl Plan {
    /// Checks that the plan can be played.
    ///
    /// # Errors
    /// [`PlanError`] with everything that is wrong.
    pub fn check(&self) -> Result<(), PlanError> {
        let mut problems = Vec::new();
        let mut wrong = |at: &str, problem: String| problems.push(Problem::new(at, problem));
        if self.agents.len() < 2 {
            wrong("agents", format!("{} given; at least two must play", self.agents.len()));
        }
        let mut names = HashSet::new();
        for (at, agent) in self.agents.iter().enumerate() {
            if !names.insert(&agent.name) {
                wrong(&format!("agent {}", at + 1), format!("the name `{}` is taken", agent.name));
            }
            if (self.openings > 0 || self.opening_file.is_some()) && !agent.openings {
                let problem = format!(
                    "`{}` is not known to understand OPENING lines; say --openings-understood (in a file `openings = \
                     true`) if it does, or play without openings",
                    agent.name
                );
                wrong(&format!("agent {}", at + 1), problem);
            }
            if let Some(rating) = agent.rating
                && (rating.is_nan() || rating.abs() > MAX_RATING)
            {
                let problem = format!("{rating} given; a number from {} to {MAX_RATING} expected", -MAX_RATING);
                wrong(&format!("agent {}: rating", at + 1), problem);
            }
        }
        let bouts = self.bouts();
        if bouts > MAX_BOUTS {
            wrong("games", format!("{bouts} games in all; at most {MAX_BOUTS} can be played in one run"));
        }
        if self.games == 0 || self.games % 2 == 1 {
            wrong("games", format!("{} given; an even number from 2 is needed, since games come in pairs", self.games));
        }
        if self.kind == (Kind::Swiss { rounds: 0 }) {
            wrong("rounds", "0 given; at least one must be played".to_owned());
        }
        for (at, agent) in self.agents.iter().enumerate() {
            if agent.clock.is_some_and(|clock| clock.base_ms == 0) {
                wrong(&format!("agent {}: clock", at + 1), "0 ms given; an agent needs some time to answer".to_owned());
            }
        }
        if self.limits.ready_ms == 0 {
            wrong("ready", "0 ms given; a program needs some time to start".to_owned());
        }
        if self.limits.clock_ms == 0 {
            wrong("clock", "0 ms given; an agent needs some time to answer".to_owned());
        }
        if let Some(test) = &self.test {
            if let Err(error) = test.checked() {
                wrong("sprt", error.to_string());
            }
            if self.agents.len() != 2 {
                wrong("sprt", format!("{} given to play; a test is between two agents", self.agents.len()));
            }
        }
        let given = self.parameters.contains_key(openings::PARAMETER);
        if self.openings > 0 && given {
            wrong("openings", "drawn although one is given in the parameters".to_owned());
        }
        if let Some(file) = &self.opening_file {
            if self.openings > 0 {
                wrong("openings", format!("drawn although `{}` has them", file.name));
            }
            if given || self.parameters.contains_key(agon_catalog::POSITION.name) {
                wrong("openings", format!("those of `{}` given although the parameters set one", file.name));
            }
            if file.openings.is_empty() {
                wrong("openings", format!("`{}` has none", file.name));
            }
        }
        if let Err(error) = self.game.initial_state(&Setup { seed: self.seed, parameters: self.parameters.clone() }) {
            wrong("parameters", error.to_string());
        } else if self.openings > 0 && !given {
            // Openings are drawn in the game that the parameters set up, so one wrong parameter is one problem.
            if let Err(error) = openings::draw(self.game, &self.parameters, self.openings, self.seed) {
                wrong("openings", error.to_string());
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(PlanError(problems)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::tests::plan;
    use crate::stats::sprt::Sprt;

    #[test]
    fn everything_wrong_is_said_at_once() {
        let mut wrong = plan(Kind::RoundRobin, 3, 3);
        wrong.agents[2].name = "r0".to_owned();
        wrong.agents[1].openings = false;
        wrong.agents[0].rating = Some(1e6);
        wrong.test = Some(Sprt { alpha: 0.0, ..Sprt::default() });
        wrong.parameters.insert("hats".to_owned(), "3".to_owned());
        let text = wrong.check().unwrap_err().to_string();
        let starts: Vec<_> = text.lines().filter_map(|line| line.split_once(':')).map(|(at, _)| at).collect();
        assert_eq!(starts, ["agent 1", "agent 2", "agent 3", "games", "sprt", "sprt", "parameters"], "{text}");
        assert_eq!(plan(Kind::Gauntlet, 3, 4).check(), Ok(()));
        let endless = plan(Kind::Swiss { rounds: u32::MAX }, 9, u32::MAX - 1).check().unwrap_err();
        assert!(endless.to_string().ends_with("at most 1000000000 can be played in one run"), "{endless}");
    }
}
