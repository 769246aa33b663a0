//! Preparing agents for their games.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use agon_arena::agents::PreparedAgent;
use agon_catalog::Game;
use agon_referee::agent::AgentSpec;
use agon_referee::limits::GameLimits;

use crate::show::{self, paint};

/// Makes an agent ready, and reports it on a terminal if that took long.
pub(crate) fn prepare(game: Game, spec: AgentSpec, limits: &GameLimits) -> anyhow::Result<PreparedAgent> {
    let start = Instant::now();
    let agent = PreparedAgent::prepare(game, spec, limits)?;
    if start.elapsed() > Duration::from_millis(300) && std::io::stderr().is_terminal() {
        let text = format!("compiled {} in {}", agent.spec(), show::time(start.elapsed()));
        anstream::eprintln!("{}", paint(show::FAINT, text));
    }
    Ok(agent)
}
