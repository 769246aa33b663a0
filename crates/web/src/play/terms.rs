//! What is played on the site, and why it could not be.

use agon_arena::openings::{self, OpeningError};
use agon_arena::plan::Plan;
use agon_arena::store::StoreError;
use agon_catalog::{Game, Setup};
use agon_fleet::GameFailure;
use agon_referee::agent::AgentError;
use agon_referee::limits::GameLimits;
use agon_site::store::Competition;

use crate::site::Site;

/// A game that could not be played, by no fault of its programs.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error("cannot write the source: {0}")]
    Source(std::io::Error),
    #[error("the game was broken off: {0}")]
    Interrupted(String),
    #[error("{0}")]
    DoesNotCompile(String),
    #[error("{0}")]
    GivenUp(String),
    #[error("the site stops")]
    Stopped,
}

impl From<GameFailure> for PlayError {
    fn from(failure: GameFailure) -> Self {
        match failure {
            GameFailure::Stopped => Self::Stopped,
            GameFailure::GivenUp => Self::GivenUp(failure.to_string()),
            GameFailure::Fleet(_) | GameFailure::Refused(_) => Self::Interrupted(failure.to_string()),
        }
    }
}

/// What is played, and under which limits.
pub struct BoutTerms {
    pub contest: i64,
    pub game: Game,
    /// Its parameters, with the opening of this game if there is one, and the seed.
    pub setup: Setup,
    pub limits: GameLimits,
}

impl BoutTerms {
    /// Those of a game of a contest.
    ///
    /// # Errors
    /// [`PlayError::Opening`] when no opening can be drawn.
    pub fn of_contest(site: &Site, contest: &Competition, seed: u64) -> Result<Self, PlayError> {
        let mut parameters = contest.parameters.clone();
        if contest.openings > 0 {
            let opening = openings::draw(contest.game, &parameters, contest.openings, seed)?;
            parameters.insert(openings::PARAMETER.to_owned(), opening);
        }
        let limits = contest.limits(site.options.limits);
        Ok(Self { contest: contest.id, game: contest.game, setup: Setup { seed, parameters }, limits })
    }

    /// Those of a game of a final.
    ///
    /// # Errors
    /// [`PlayError::Opening`] when no opening can be drawn.
    pub fn of_plan(contest: i64, plan: &Plan, seed: u64) -> Result<Self, PlayError> {
        Ok(Self { contest, game: plan.game, setup: openings::drawn(plan, seed)?, limits: plan.limits })
    }
}
