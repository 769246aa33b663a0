//! The agents of a run, ready to be seated as often as needed.

use agon_referee::agent::AgentSpec;
use agon_referee::verdict::Fault;

use super::run_stop::RunStop;
use crate::agents::{self, PreparedAgent};
use crate::plan::Plan;
use crate::tally::Tally;
use crate::trial::{self, Candidate, UnfitAgents};
use crate::{openings, schedule};

/// An agent of a plan from another machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Here {
    /// What the agent is on this machine.
    pub spec: AgentSpec,
    /// The text that names it in records.
    pub known_as: String,
}

/// The prepared agents of a plan, in its order.
pub struct Roster(Vec<PreparedAgent>);

impl Roster {
    /// Prepares every agent once: sources are compiled here. One that does not compile can be seated all the same, and
    /// loses every game with verdict CE.
    ///
    /// # Errors
    /// [`UnfitAgents`] with every agent that cannot be prepared.
    pub fn prepare(plan: &Plan) -> Result<Self, UnfitAgents> {
        trial::prepare(plan.game, named(plan), None, plan.stay, &|| true).map(|agents| Self::titled(plan, agents))
    }

    /// Prepares every agent, and tries each that is not built in, as for the first game: it must compile, and answer
    /// READY or BEGIN.
    ///
    /// # Errors
    /// [`UnfitAgents`] with every agent that cannot play. One that has not been tried when the stop is raised is not
    /// among them.
    pub fn tried(plan: &Plan, run_stop: &RunStop) -> Result<Self, UnfitAgents> {
        let first = schedule::round(plan, 0, &Tally::new(plan));
        let slot = schedule::slots(plan, &first).first().copied();
        // The plan's own check reports a plan without games or openings.
        let setup = slot.and_then(|slot| openings::setup(plan, &slot).ok());
        trial::prepare(plan.game, named(plan), setup.as_ref(), plan.stay, &|| run_stop.is_raised())
            .map(|agents| Self::titled(plan, agents))
    }

    /// Prepares every agent of another machine's plan as what it is on this machine; records name it as the plan does.
    ///
    /// # Errors
    /// [`UnfitAgents`] with every agent that cannot be prepared.
    ///
    /// # Panics
    /// If there are not as many agents as in the plan.
    pub fn from_elsewhere(plan: &Plan, agents: &[Here]) -> Result<Self, UnfitAgents> {
        assert_eq!(plan.agents.len(), agents.len(), "what each agent of the plan is here");
        // The plan's texts for agents are not parsed: they may be paths or commands of the other machine.
        let specs = plan.agents.iter().zip(agents).enumerate().map(|(at, (entrant, here))| Candidate {
            name: &entrant.name,
            spec: Ok(here.spec.clone()),
            limits: plan.limits_for(at),
        });
        let prepared = trial::prepare(plan.game, specs, None, plan.stay, &|| true)?;
        let known = prepared.into_iter().zip(agents).map(|(agent, here)| agent.known_as(here.known_as.clone()));
        Ok(Self::titled(plan, known.collect()))
    }

    /// The agents with the names that the plan gives them.
    fn titled(plan: &Plan, agents: Vec<PreparedAgent>) -> Self {
        let named = agents.into_iter().zip(&plan.agents).map(|(agent, entrant)| {
            let is_named = entrant.name != entrant.agent;
            agent.titled(is_named.then(|| entrant.name.clone()))
        });
        Self(named.collect())
    }

    /// The agents that lose every game since they do not compile, each by its place in the plan and with the compiler's
    /// words.
    pub fn broken(&self) -> impl Iterator<Item = (usize, &Fault)> {
        self.0.iter().enumerate().filter_map(|(at, agent)| Some((at, agent.fault()?)))
    }

    /// An agent by its place in the plan.
    pub fn agent(&self, at: usize) -> &PreparedAgent {
        &self.0[at]
    }
}

fn named(plan: &Plan) -> impl Iterator<Item = Candidate<'_>> {
    plan.agents.iter().enumerate().map(|(at, entrant)| Candidate {
        name: &entrant.name,
        spec: agents::parse(plan.game, &entrant.agent),
        limits: plan.limits_for(at),
    })
}
