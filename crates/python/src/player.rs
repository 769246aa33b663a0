//! The player of a seat: a Python function, a built-in, or an engine behind a protocol. Each can be stopped between two
//! moves.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use agon_catalog::Game;
use agon_game::{Evaluation, GameState, Player, Side, TimeControl};
use agon_jobs::Stop;
use agon_protocols::bridge;
use agon_protocols::protocol_client::Terms;
use agon_referee::agent::AgentSpec;
use pyo3::prelude::*;

use crate::failure::refused;
use crate::position::Position;

/// A player that resigns when it is stopped.
pub(crate) struct Stoppable {
    pub player: Box<dyn Player>,
    pub stop: Stop,
}

/// The reason of a bout that was stopped.
pub(crate) const STOPPED: &str = "stopped";

impl Player for Stoppable {
    fn ready(&mut self, side: Side, preamble: &str) -> Result<(), String> {
        self.player.ready(side, preamble)
    }

    fn see(&mut self, state: &dyn GameState) {
        self.player.see(state);
    }

    fn choose(&mut self, own: TimeControl, opponent: TimeControl) -> Result<String, String> {
        if self.stop.is_raised() { Err(STOPPED.to_owned()) } else { self.player.choose(own, opponent) }
    }

    fn opponent(&mut self, arguments: &str) -> Result<(), String> {
        self.player.opponent(arguments)
    }

    fn evaluation(&self) -> Option<Evaluation> {
        self.player.evaluation()
    }

    fn has_resigned(&self) -> bool {
        self.player.has_resigned()
    }
}

/// An engine that cannot be started: it reports this when it is asked.
pub(crate) struct Failed(pub String);

impl Player for Failed {
    fn ready(&mut self, _: Side, _: &str) -> Result<(), String> {
        Err(self.0.clone())
    }

    fn choose(&mut self, _: TimeControl, _: TimeControl) -> Result<String, String> {
        Err(self.0.clone())
    }

    fn opponent(&mut self, _: &str) -> Result<(), String> {
        Err(self.0.clone())
    }
}

/// The player of a built-in or of an engine behind a protocol; `None` of a program, which the referee starts itself.
pub(crate) fn of_spec(game: Game, spec: &AgentSpec, seed: u64) -> Option<Box<dyn Player>> {
    match spec {
        AgentSpec::Builtin { name, level, nodes, .. } => {
            let name = level.map_or_else(|| name.clone(), |level| format!("{name}:{level}"));
            let found = game.find(&name).map_err(|error| error.to_string());
            Some(match found.map(|found| found.player_at(seed, *nodes, spec.threads())) {
                Ok(Some(player)) => player,
                Ok(None) => Box::new(Failed(format!("{name} plays no whole games"))),
                Err(error) => Box::new(Failed(error)),
            })
        }
        AgentSpec::Bridge { protocol, words, settings } => {
            let mut terms = Terms {
                options: settings.options.clone(),
                nodes: settings.nodes,
                depth: settings.depth,
                movetime: settings.movetime_ms.map(Duration::from_millis),
                ..Terms::default()
            };
            if let Some(margin) = settings.margin_ms {
                terms.margin = Duration::from_millis(margin);
            }
            let player = bridge::player(*protocol, words, terms);
            Some(player.unwrap_or_else(|error| Box::new(Failed(error.to_string()))))
        }
        AgentSpec::Source { .. } | AgentSpec::Command { .. } => None,
    }
}

/// Exceptions raised by Python functions, by game number.
pub(crate) type Raised = Arc<Mutex<Vec<(u32, String)>>>;

/// A function of Python in a seat: `choose(position, clock)` returns a move or an action.
pub(crate) struct PythonPlayer {
    /// Makes the function of a game, from its seat and its seed.
    pub factory: Py<PyAny>,
    pub choose: Option<Py<PyAny>>,
    /// Current position of the game.
    pub position: Py<Position>,
    pub number: u32,
    pub seed: u64,
    pub raised: Raised,
}

impl PythonPlayer {
    /// Runs Python code; an exception becomes a text, and is stored with its traceback.
    fn within<T>(&self, act: impl FnOnce(Python<'_>) -> PyResult<T>) -> Result<T, String> {
        Python::attach(|py| {
            act(py).map_err(|error| {
                let trace = error.traceback(py).and_then(|trace| trace.format().ok()).unwrap_or_default();
                let mut raised = self.raised.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                raised.push((self.number, format!("{trace}{error}")));
                error.to_string().replace(['\n', '\r'], " ")
            })
        })
    }
}

impl PythonPlayer {
    /// Plays a move of either side.
    fn go_on(&mut self, text: &str) -> Result<(), String> {
        Python::attach(|py| {
            let next = self.position.get().played(text).and_then(|next| Py::new(py, next));
            self.position = next.map_err(|error| error.to_string())?;
            Ok(())
        })
    }
}

/// Converts a clock for Python: time left, increment, moves to go, opponent's time left; in seconds.
fn clock(own: TimeControl, opponent: TimeControl) -> (f64, f64, Option<u32>, f64) {
    (own.left.as_secs_f64(), own.increment.as_secs_f64(), own.moves_to_go, opponent.left.as_secs_f64())
}

impl Player for PythonPlayer {
    fn ready(&mut self, side: Side, _: &str) -> Result<(), String> {
        let made = self.within(|py| self.factory.call1(py, (side.index(), self.seed)));
        // A function that cannot be created loses like one that raises: with its first answer.
        self.choose = made.ok();
        Ok(())
    }

    fn choose(&mut self, own: TimeControl, opponent: TimeControl) -> Result<String, String> {
        let answer = match &self.choose {
            None => Err("the agent was not made".to_owned()),
            Some(choose) => self.within(|py| {
                let position = self.position.bind(py);
                let answer = choose.bind(py).call1((position, clock(own, opponent)))?;
                // An action of the position, or a text in either notation.
                let text: String = match answer.extract::<String>() {
                    Ok(text) => text,
                    Err(_) => position.call_method1("move", (answer,))?.extract()?,
                };
                Ok(position.get().judged_move(&text).unwrap_or(text))
            }),
        };
        // The exception is its answer, which the rules refuse: a failure of an agent is its loss, with verdict RE.
        let answer = answer.unwrap_or_else(|raised| format!("raised {raised}"));
        if self.go_on(&answer).is_err() && answer.is_empty() {
            return Ok("nothing".to_owned());
        }
        Ok(answer)
    }

    fn opponent(&mut self, arguments: &str) -> Result<(), String> {
        self.go_on(arguments)
    }
}

/// An agent as given in Python: a string, or a function that creates a function for a game.
#[expect(clippy::large_enum_variant, reason = "a match has two of them")]
pub(crate) enum Given {
    Named(AgentSpec),
    Python(Py<PyAny>),
}

impl Given {
    /// # Errors
    /// If the string does not name an agent of the game.
    pub(crate) fn read(game: Game, agent: &Bound<'_, PyAny>) -> PyResult<Self> {
        match agent.extract::<String>() {
            Ok(text) => Ok(Self::Named(agon_arena::agents::parse(game, &text).map_err(refused)?)),
            Err(_) if !agent.is_callable() => Err(refused("an agent is a text or a callable")),
            Err(_) if !game.has_turns() => {
                Err(refused(format!("agents of {game} are asked for every action: name one by a text")))
            }
            Err(_) => Ok(Self::Python(agent.clone().unbind())),
        }
    }
}
