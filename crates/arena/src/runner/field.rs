//! The agents of a run, ready to be seated as often as needed.

use agon_engines::catalog;
use agon_game::{Interaction, Side};
use agon_referee::agent::seat::seat_seed;
use agon_referee::agent::{Agent, AgentError, Prepared, Seat};
use agon_referee::limits::GameLimits;
use agon_referee::record::AgentNote;
use agon_rules::catalog::Game;

use crate::plan::{Plan, read_agent};

/// An agent that cannot play, which is the user's to mend.
#[derive(Debug, thiserror::Error)]
#[error("agent `{name}`: {source}")]
pub struct FieldError {
    /// The agent's name.
    pub name: String,
    /// What is wrong.
    pub source: AgentError,
}

/// The prepared agents of a plan, in its order.
#[derive(Clone, Debug)]
pub struct Field {
    game: Game,
    limits: GameLimits,
    agents: Vec<(Agent, Prepared)>,
}

impl Field {
    /// Prepares every agent once: sources are compiled here. A source that does not compile can be seated all the same,
    /// and loses with verdict CE.
    ///
    /// # Errors
    /// [`FieldError`] for the first agent that cannot be had.
    pub fn prepare(plan: &Plan) -> Result<Self, FieldError> {
        let prepare = |text: &str| {
            let agent = read_agent(text, plan.game)?;
            let prepared = agent.prepare(&plan.limits)?;
            Ok((agent, prepared))
        };
        let agents = plan
            .agents
            .iter()
            .map(|entrant| prepare(&entrant.agent).map_err(|source| FieldError { name: entrant.name.clone(), source }));
        Ok(Self { game: plan.game, limits: plan.limits, agents: agents.collect::<Result<_, _>>()? })
    }

    /// Seats an agent for a game of this seed, as the game wants it spoken to.
    ///
    /// # Errors
    /// [`AgentError`] when its program cannot be started.
    pub fn seat(&self, agent: usize, interaction: Interaction, side: Side, seed: u64) -> Result<Seat, AgentError> {
        let (prepared, seed) = (&self.agents[agent].1, seat_seed(seed, side));
        match interaction {
            Interaction::Session => {
                Seat::take(prepared, &self.limits, seed, &|name, seed| catalog::player(self.game, name, seed))
            }
            Interaction::PerAction => {
                Seat::take_invoked(prepared, &self.limits, seed, &|name| catalog::stateless(self.game, name))
            }
        }
    }

    /// An agent as records name it.
    pub fn note(&self, agent: usize) -> AgentNote {
        let agent = &self.agents[agent].0;
        AgentNote { agent: agent.to_string(), kind: agent.kind().to_owned() }
    }
}
