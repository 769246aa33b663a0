//! What is to be played: everything that decides a run, and nothing that does not.

use std::collections::{BTreeMap, HashSet};
use std::fmt;

use agon_referee::agent::{Agent, AgentError};
use agon_referee::limits::GameLimits;
use agon_rules::catalog::{Game, Setup};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::agents;
use crate::openings;
use crate::schedule;
use crate::stats::sprt::Sprt;

/// The most bouts of one run; slots are numbered by 32 bits.
pub const MOST_BOUTS: u64 = 1_000_000_000;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "name")]
pub enum Kind {
    /// Everybody meets everybody. Of two agents this is a match.
    RoundRobin,
    /// The first agent meets every other.
    Gauntlet,
    /// Every round pairs agents that stand alike and have not met.
    Swiss {
        /// How many rounds.
        rounds: u32,
    },
}

/// An agent of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entrant {
    /// The name that tables show; no two are alike.
    pub name: String,
    /// The agent as the user names it, see [`Agent::read`].
    pub agent: String,
    /// A rating that is given rather than measured, in Elo points.
    pub rating: Option<f64>,
    /// Whether it understands OPENING lines (see [`agon_game::Alternating::opened`]); every built-in and every
    /// bridge does.
    pub openings: bool,
    /// Digest of what would be run: another text of a bot is another agent, even under the same name.
    pub fingerprint: String,
}

/// A run: a match, a sequential test, or a tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The game.
    #[serde(with = "game_name")]
    pub game: Game,
    /// Its parameters.
    pub parameters: BTreeMap<String, String>,
    /// Who plays.
    pub agents: Vec<Entrant>,
    /// Who meets whom.
    pub kind: Kind,
    /// Bouts of each pairing, of a Swiss tournament in each round; an even number, since bouts come in pairs.
    pub games: u32,
    /// Opening moves made for both sides, the same in both bouts of a pair; 0 where the game starts at its start.
    pub openings: u32,
    /// The limits of every bout.
    pub limits: GameLimits,
    /// From which the openings, the boards and the agents' own seeds are drawn.
    pub seed: u64,
    /// Programs stay from bout to bout instead of being started for each. The contest starts them afresh.
    pub stay: bool,
    /// Ends the run by itself, for two agents.
    pub test: Option<Sprt>,
}

/// One thing that is wrong with a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// Where: `agent 2: rating`.
    pub at: String,
    /// What.
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
    /// The problems, in the order of the file.
    pub Vec<Problem>,
);

impl Entrant {
    /// An agent by the text that names it, called by that text.
    ///
    /// # Errors
    /// [`AgentError`] when there is no such agent, or its source cannot be read.
    pub fn read(agent: &str, game: Game) -> Result<Self, AgentError> {
        let known = agents::read(game, agent)?;
        Ok(Self {
            name: agent.to_owned(),
            agent: agent.to_owned(),
            rating: None,
            openings: matches!(known, Agent::Builtin(_) | Agent::Bridged { .. }),
            fingerprint: agents::fingerprint(&known)?,
        })
    }

    /// The same under another name.
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }
}

impl Plan {
    /// A match of `games` bouts between two agents under the contest's limits, with the game's usual openings where both
    /// agents understand them.
    pub fn of_match(game: Game, agents: [Entrant; 2], games: u32) -> Self {
        let agents = Vec::from(agents);
        Self {
            game,
            parameters: BTreeMap::new(),
            openings: openings::usual(game, &agents),
            agents,
            kind: Kind::RoundRobin,
            games,
            limits: GameLimits::default(),
            seed: 1,
            stay: false,
            test: None,
        }
    }

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
            if self.openings > 0 && !agent.openings {
                let problem = format!(
                    "`{}` is not known to understand OPENING lines; say `openings = true` if it does, or play without \
                     openings",
                    agent.name
                );
                wrong(&format!("agent {}", at + 1), problem);
            }
        }
        let bouts = schedule::bouts(self);
        if bouts > MOST_BOUTS {
            wrong("games", format!("{bouts} bouts in all; at most {MOST_BOUTS} can be played in one run"));
        }
        if self.games == 0 || self.games % 2 == 1 {
            wrong("games", format!("{} given; an even number from 2 is needed, since bouts come in pairs", self.games));
        }
        if self.kind == (Kind::Swiss { rounds: 0 }) {
            wrong("rounds", "0 given; at least one must be played".to_owned());
        }
        if self.limits.clock_ms == 0 {
            wrong("clock", "0 ms given; nobody can answer in no time".to_owned());
        }
        if let Some(test) = &self.test {
            if let Err(error) = test.checked() {
                wrong("sprt", error.to_string());
            }
            if self.agents.len() != 2 {
                wrong("sprt", format!("{} agents given; a test is between two", self.agents.len()));
            }
        }
        let given = self.parameters.contains_key(openings::PARAMETER);
        if self.openings > 0 && given {
            wrong("openings", "drawn although one is given in the parameters".to_owned());
        }
        if let Err(error) = self.game.contest(&Setup { seed: self.seed, parameters: self.parameters.clone() }) {
            wrong("parameters", error.to_string());
        } else if self.openings > 0 && !given {
            // Openings are drawn in the game that the parameters set up, so one wrong parameter is one problem.
            if let Err(error) = openings::draw(self.game, &self.parameters, self.openings, self.seed) {
                wrong("openings", error.to_string());
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(PlanError(problems)) }
    }

    /// What it is called: a match, a test, or the kind of tournament.
    pub fn title(&self) -> &'static str {
        match (self.test, self.kind, self.agents.len()) {
            (Some(_), ..) => "sprt",
            (None, Kind::Swiss { .. }, _) => "swiss",
            (None, _, 2) => "match",
            (None, Kind::RoundRobin, _) => "round-robin",
            (None, Kind::Gauntlet, _) => "gauntlet",
        }
    }

    /// The digest by which a run is found again. Two plans that differ only in how much is played, or in given ratings,
    /// are the same run: it can be made longer, and what it has played is kept.
    ///
    /// # Panics
    /// Never: a plan holds nothing that JSON cannot.
    pub fn digest(&self) -> String {
        let mut same = self.clone();
        same.games = match self.kind {
            // Its rounds are not a prefix of those with more games.
            Kind::Swiss { .. } => self.games,
            _ => 0,
        };
        if let Kind::Swiss { rounds } = &mut same.kind {
            *rounds = 0;
        }
        same.agents.iter_mut().for_each(|agent| agent.rating = None);
        agents::hex(&Sha256::digest(serde_json::to_string(&same).expect("a plan can be written as JSON")))
    }

    /// The given ratings.
    pub fn anchors(&self) -> Vec<Option<f64>> {
        self.agents.iter().map(|agent| agent.rating).collect()
    }
}

mod game_name {
    use agon_rules::catalog::Game;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature is serde's")]
    pub fn serialize<S: Serializer>(game: &Game, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(game.name())
    }

    pub fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<Game, D::Error> {
        let name = String::deserialize(deserializer)?;
        Game::by_name(&name).ok_or_else(|| D::Error::custom(format!("there is no game `{name}`")))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A plan of built-ins.
    pub fn plan(kind: Kind, agents: usize, games: u32) -> Plan {
        let entrant = |at: usize| Entrant::read("random", Game::Bacteria).unwrap().named(format!("r{at}"));
        let mut plan = Plan::of_match(Game::Bacteria, [entrant(0), entrant(1)], games);
        plan.agents = (0..agents).map(entrant).collect();
        plan.kind = kind;
        plan
    }

    #[test]
    fn everything_wrong_is_said_at_once() {
        let mut wrong = plan(Kind::RoundRobin, 3, 3);
        wrong.agents[2].name = "r0".to_owned();
        wrong.agents[1].openings = false;
        wrong.test = Some(Sprt { alpha: 0.0, ..Sprt::default() });
        wrong.parameters.insert("hats".to_owned(), "3".to_owned());
        let text = wrong.check().unwrap_err().to_string();
        let starts: Vec<_> = text.lines().filter_map(|line| line.split_once(':')).map(|(at, _)| at).collect();
        assert_eq!(starts, ["agent 2", "agent 3", "games", "sprt", "sprt", "parameters"], "{text}");
        assert_eq!(plan(Kind::Gauntlet, 3, 4).check(), Ok(()));
        let endless = plan(Kind::Swiss { rounds: u32::MAX }, 9, u32::MAX - 1).check().unwrap_err();
        assert!(endless.to_string().ends_with("at most 1000000000 can be played in one run"), "{endless}");
    }

    #[test]
    fn a_run_is_known_by_what_decides_its_bouts() {
        let base = plan(Kind::RoundRobin, 2, 10);
        let check = |change: &dyn Fn(&mut Plan), same: bool| {
            let mut other = base.clone();
            change(&mut other);
            assert_eq!(base.digest() == other.digest(), same, "{other:?}");
        };
        check(&|plan| plan.games = 200, true);
        check(&|plan| plan.agents[0].rating = Some(2000.0), true);
        check(&|plan| plan.seed += 1, false);
        check(&|plan| plan.limits.clock_ms = 100, false);
        check(&|plan| plan.agents[0].fingerprint = "changed".to_owned(), false);
        check(&|plan| plan.openings = 0, false);
        check(&|plan| plan.test = Some(Sprt::default()), false);
    }
}
