//! The agents of a run, ready to be seated as often as needed.

use agon_referee::agent::AgentError;

use crate::agents::{self, PreparedAgent};
use crate::plan::Plan;

/// An agent that cannot play: its text, its source or a compiler must be mended.
#[derive(Debug, thiserror::Error)]
#[error("agent `{name}`: {source}")]
pub struct RosterError {
    /// The agent's name in the plan.
    pub name: String,
    /// What is wrong with it.
    pub source: AgentError,
}

/// The prepared agents of a plan, in its order.
pub struct Roster(Vec<PreparedAgent>);

impl Roster {
    /// Prepares every agent once: sources are compiled here.
    ///
    /// # Errors
    /// [`RosterError`] for the first agent that cannot be prepared.
    pub fn prepare(plan: &Plan) -> Result<Self, RosterError> {
        let prepare = |text: &str| PreparedAgent::prepare(agents::read(plan.game, text)?, &plan.limits);
        let prepared = plan.agents.iter().map(|entrant| {
            prepare(&entrant.agent).map_err(|source| RosterError { name: entrant.name.clone(), source })
        });
        Ok(Self(prepared.collect::<Result<_, _>>()?))
    }

    /// An agent by its place in the plan.
    pub fn agent(&self, at: usize) -> &PreparedAgent {
        &self.0[at]
    }
}
