//! Prepares and tries agents before a series: one that does not compile, or does not answer READY, would lose every
//! game.

use std::collections::HashSet;

use agon_catalog::{Game, Setup};
use agon_referee::agent::{AgentError, AgentSpec};
use agon_referee::bout::Afterwards;
use agon_referee::limits::GameLimits;

use crate::agents::PreparedAgent;
use crate::game::Bout;

/// An agent that cannot play: its text, its source, its program or a compiler must be mended.
#[derive(Debug, thiserror::Error)]
#[error("agent `{name}`: {source}")]
pub struct UnfitAgent {
    pub name: String,
    /// What is wrong with it.
    pub source: AgentError,
}

/// All agents of a series that cannot play.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.iter().map(UnfitAgent::to_string).collect::<Vec<_>>().join("\n"))]
pub struct UnfitAgents(
    /// They, in the order of the series.
    pub Vec<UnfitAgent>,
);

/// An agent of a series that must be prepared.
pub struct Candidate<'a> {
    /// Its name in messages.
    pub name: &'a str,
    /// What it is, if that could be read.
    pub spec: Result<AgentSpec, AgentError>,
    /// The limits of its games, with its own clock.
    pub limits: GameLimits,
}

/// Prepares agents: sources are compiled here. With a set-up, each is then tried once for such a game, unless it is
/// built in, and where programs stay from game to game, for the next game, too; `stop` says whether to skip the
/// remaining trials.
///
/// # Errors
/// [`UnfitAgents`] with all agents that cannot play.
pub fn prepare<'a>(
    game: Game,
    agents: impl IntoIterator<Item = Candidate<'a>>,
    setup: Option<&Setup>,
    stay: bool,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<PreparedAgent>, UnfitAgents> {
    let afterwards = if stay { Afterwards::Stay } else { Afterwards::Exit };
    let mut tried = HashSet::new();
    let mut one = |spec: AgentSpec, limits: GameLimits| {
        let mut agent = PreparedAgent::prepare(game, spec, &limits)?;
        if stay {
            agent = agent.staying();
        }
        if let Some(setup) = setup
            && !matches!(agent.spec(), AgentSpec::Builtin { .. })
            && tried.insert(agent.spec().clone())
            && !stop()
            // Playing reports a set-up that the game refuses.
            && let Ok(mut bout) = Bout::new(game, setup.clone(), limits)
        {
            bout.trial(&agent, afterwards)?;
        }
        Ok(agent)
    };
    let (mut ready, mut unfit) = (Vec::new(), Vec::new());
    for Candidate { name, spec, limits } in agents {
        match spec.and_then(|spec| one(spec, limits)) {
            Ok(agent) => ready.push(agent),
            Err(source) => unfit.push(UnfitAgent { name: name.to_owned(), source }),
        }
    }
    if unfit.is_empty() { Ok(ready) } else { Err(UnfitAgents(unfit)) }
}
