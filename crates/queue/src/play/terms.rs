//! What is played on the site, and why it could not be.

use agon_arena::bot_check::CheckError;
use agon_arena::opening_file::FileOpening;
use agon_arena::openings::{self, OpeningError};
use agon_arena::plan::{Entrant, Plan};
use agon_arena::slot::Slot;
use agon_arena::store::StoreError;
use agon_arena::transcript::without_cache;
use agon_catalog::{Game, Setup};
use agon_fleet::GameFailure;
use agon_message::messages;
use agon_referee::agent::AgentError;
use agon_referee::limits::GameLimits;
use agon_referee::verdict::AgentVerdict;
use agon_site::check_message::CheckMessage;
use agon_site::openings::Opening;
use agon_site::store::Competition;

use crate::site_queue::SiteQueue;

/// A game that could not be played, through no fault of its programs.
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
    /// The machine was too busy to judge a program at every try.
    #[error("{}", .0.text())]
    Undecided(CheckMessage),
    #[error("{}", .0.text())]
    DoesNotCompile(CheckMessage),
    #[error(transparent)]
    GivenUp(GameFailure),
    #[error("the site stops")]
    Stopped,
}

messages! {
    /// Why a check is abandoned, though nothing is wrong with the program.
    pub enum Abandoned {
        /// No worker of the fleet ends its game.
        HandedOut { times: u32 } =
            "The check is given up: it was handed out {times} times, and no worker has ended it.",
    }
}

/// What a program was judged by, for its author: without paths of this machine.
pub(super) fn judged_message(judged: &AgentVerdict) -> CheckMessage {
    judged.lines().iter().map(|line| line.map_texts(&without_cache)).collect()
}

impl From<GameFailure> for PlayError {
    fn from(failure: GameFailure) -> Self {
        match failure {
            GameFailure::Stopped => Self::Stopped,
            GameFailure::GivenUp => Self::GivenUp(failure),
            GameFailure::Fleet(_) | GameFailure::Refused(_) => Self::Interrupted(failure.to_string()),
        }
    }
}

impl From<CheckError> for PlayError {
    fn from(error: CheckError) -> Self {
        match error {
            CheckError::Agent(error) => Self::Agent(error),
            CheckError::Undecided(why) => Self::Undecided([why].into_iter().collect()),
            CheckError::Setup(_) | CheckError::Interrupted(_) => Self::Interrupted(error.to_string()),
        }
    }
}

/// What is played, and under which limits.
pub struct BoutTerms {
    pub competition: i64,
    pub game: Game,
    /// Its parameters, with the opening of this game if there is one, and the seed.
    pub setup: Setup,
    pub limits: GameLimits,
    /// The part of the parameters in which this game's start differs from others; `None` if it is not stored.
    pub opening: Option<Opening>,
}

impl BoutTerms {
    /// The terms of a game of a competition, from its start.
    pub fn of_competition(site: &SiteQueue, competition: &Competition, seed: u64) -> Self {
        let setup = Setup { seed, parameters: competition.parameters.clone() };
        let limits = competition.limits(site.options.limits);
        Self { competition: competition.id, game: competition.game, setup, limits, opening: None }
    }

    /// The same with an opening.
    pub fn opened(mut self, opening: Opening) -> Self {
        self.setup.parameters.extend(opening.clone());
        self.opening = Some(opening);
        self
    }

    /// The terms of a competition's game whose opening was not stored.
    ///
    /// # Errors
    /// [`PlayError::Opening`] when no opening can be drawn.
    pub(crate) fn begun_before(self, competition: &Competition) -> Result<Self, PlayError> {
        if competition.openings == 0 {
            return Ok(self);
        }
        let drawn = openings::draw(competition.game, &competition.parameters, competition.openings, self.setup.seed)?;
        Ok(self.opened([(openings::PARAMETER.to_owned(), drawn)].into()))
    }

    /// The terms of a game of a final.
    ///
    /// # Errors
    /// [`PlayError::Opening`] when no opening can be drawn.
    pub(crate) fn of_plan(competition: i64, plan: &Plan, slot: &Slot) -> Result<Self, PlayError> {
        // An old plan does not say who reads openings: all do.
        let reads = |agent: &Entrant| agent.openings;
        let all = !plan.agents.iter().any(reads) || slot.seats.iter().all(|&seat| reads(&plan.agents[seat]));
        let read = plan.file_opening(slot).map_or(plan.openings > 0, FileOpening::is_read);
        let setup = if read && !all {
            Setup { seed: slot.seed, parameters: plan.parameters.clone() }
        } else {
            openings::setup(plan, slot)?
        };
        Ok(Self { competition, game: plan.game, setup, limits: plan.limits, opening: None })
    }
}
