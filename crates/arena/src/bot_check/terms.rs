//! What a check is made under.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_catalog::{Game, Setup};
use agon_referee::limits::GameLimits;

use crate::runner::RunStop;

/// What is checked, and under which limits.
#[derive(Clone, Debug)]
pub struct CheckTerms {
    pub game: Game,
    /// Those of the games, where the game has any.
    pub parameters: BTreeMap<String, String>,
    pub limits: GameLimits,
    pub seed: u64,
    /// After this time no further game is begun.
    pub time: Duration,
    /// Nor after this is raised.
    pub run_stop: RunStop,
    pub place: CheckPlace,
    /// Repeat the first game in which it crashes with a build that says where.
    pub debug: bool,
}

/// Where a check is run, which decides what an author can do about a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckPlace {
    /// On the author's machine: there are options, and other files.
    CommandLine,
    /// On a site: a submission is one file.
    Site,
}

impl CheckTerms {
    pub fn setup(&self) -> Setup {
        Setup { seed: self.seed, parameters: self.parameters.clone() }
    }
}
