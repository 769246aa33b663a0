//! The terms of a check.

use std::collections::BTreeMap;
use std::time::Duration;

use agon_catalog::{Game, Setup};
use agon_referee::limits::GameLimits;

use crate::runner::RunStop;

/// What to check, under which limits.
#[derive(Clone, Debug)]
pub struct CheckTerms {
    pub game: Game,
    /// The parameters of the games, if the game has any.
    pub parameters: BTreeMap<String, String>,
    pub limits: GameLimits,
    pub seed: u64,
    /// After this time no further game is begun.
    pub time: Duration,
    /// Nor after this is raised.
    pub run_stop: RunStop,
    pub place: CheckPlace,
    pub debug: DebugUse,
}

/// Which games of a check are repeated with a build that has all of its compiler's checks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DebugUse {
    None,
    /// The first game in which the program crashes or does not answer.
    First,
    /// Without such a game all, until one has a fault that the game did not show.
    All,
}

/// Where a check runs, which decides what an author can do about a finding.
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
