//! The agents of a run, ready to be seated as often as needed.

use super::brake::Brake;
use crate::agents::PreparedAgent;
use crate::plan::Plan;
use crate::tally::Tally;
use crate::trial::{self, UnfitAgents};
use crate::{openings, schedule};

/// The prepared agents of a plan, in its order.
pub struct Roster(Vec<PreparedAgent>);

impl Roster {
    /// Prepares every agent once: sources are compiled here. One that does not compile can be seated all the same, and
    /// loses every game with verdict CE.
    ///
    /// # Errors
    /// [`UnfitAgents`] with every agent that cannot be prepared.
    pub fn prepare(plan: &Plan) -> Result<Self, UnfitAgents> {
        trial::prepare(plan.game, &named(plan), &plan.limits, None, &|| true).map(Self)
    }

    /// Prepares every agent, and tries each that is not built in, as for the first game: it must compile, and answer
    /// READY or BEGIN.
    ///
    /// # Errors
    /// [`UnfitAgents`] with every agent that cannot play. One that has not been tried when the brake is raised is not
    /// among them.
    pub fn tried(plan: &Plan, brake: &Brake) -> Result<Self, UnfitAgents> {
        let first = schedule::round(plan, 0, &Tally::new(plan));
        let slot = schedule::slots(plan, &first).first().copied();
        // A plan without games, or without openings, is told of by its check.
        let setup = slot.and_then(|slot| openings::setup(plan, slot.seed).ok());
        trial::prepare(plan.game, &named(plan), &plan.limits, setup.as_ref(), &|| brake.is_raised()).map(Self)
    }

    /// An agent by its place in the plan.
    pub fn agent(&self, at: usize) -> &PreparedAgent {
        &self.0[at]
    }
}

fn named(plan: &Plan) -> Vec<(&str, &str)> {
    plan.agents.iter().map(|entrant| (entrant.name.as_str(), entrant.agent.as_str())).collect()
}
