//! Games under the judge, and their statistics for two agents.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use agon_arena::agents::{MakePlayer, NamedAgent, PreparedAgent, named};
use agon_arena::game::{self, Bout};
use agon_arena::plan::{Entrant, Plan, usual_openings};
use agon_arena::stats::Interval;
use agon_arena::stats::sprt::{Scale, Sprt, Status};
use agon_arena::{Summary, Tally, openings, schedule};
use agon_catalog::{Game, Setup};
use agon_game::Player;
use agon_jobs::Stop;
use agon_referee::agent::AgentSpec;
use agon_referee::bout::Afterwards;
use agon_referee::clock::Clock;
use agon_referee::limits::GameLimits;
use agon_referee::verdict::Verdict;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::{refused, setup_refused};
use crate::numbers;
use crate::player::{Failed, Given, PythonPlayer, Raised, Stoppable, of_spec};
use crate::position::Position;
use crate::typed::{game_of, setup_of};
use crate::way::Beginning;

/// The most games of a series.
const MAX_GAMES: u32 = 1_000_000;

/// A match or a sequential test; `agon_arena.match` and `sprt` play it.
#[pyclass(frozen, module = "agon_arena")]
pub struct Series {
    plan: Plan,
    agents: [Given; 2],
    /// Agents that the referee starts itself, prepared once.
    prepared: [Option<PreparedAgent>; 2],
    tally: Mutex<Tally>,
    stop: Stop,
    raised: Raised,
}

fn entrant(game: Game, agent: &Bound<'_, PyAny>, name: &str) -> PyResult<Entrant> {
    match agent.extract::<String>() {
        Ok(text) => {
            let NamedAgent { terms, spec, text } = named(game, &text).map_err(refused)?;
            let named =
                NamedAgent { terms: agon_referee::agent::settings::AgentTerms { name: None, ..terms }, spec, text };
            Entrant::from_named(named, name, &[]).map_err(refused)
        }
        // Each has its own digest, since two functions cannot be compared.
        Err(_) => Ok(Entrant { fingerprint: format!("python {name}"), ..Entrant::unread(name) }),
    }
}

/// The text of an agent without the words that only a series reads.
fn bare(game: Game, agent: &Bound<'_, PyAny>) -> PyResult<Given> {
    match agent.extract::<String>() {
        Ok(text) => Ok(Given::Named(named(game, &text).map_err(refused)?.spec)),
        Err(_) => Given::read(game, agent),
    }
}

/// Returns true if the built-in players of a game run in this process, where they can be stopped.
fn plays_here(game: Game) -> bool {
    game.has_turns() && !game.is_program()
}

fn prepared(plan: &Plan, at: usize, given: &Given) -> PyResult<Option<PreparedAgent>> {
    match given {
        Given::Python(_) => Ok(None),
        Given::Named(AgentSpec::Builtin { .. } | AgentSpec::Bridge { .. }) if plays_here(plan.game) => Ok(None),
        Given::Named(spec) => {
            PreparedAgent::prepare(plan.game, spec.clone(), &plan.limits_for(at)).map(Some).map_err(refused)
        }
    }
}

#[pymethods]
impl Series {
    #[new]
    #[pyo3(signature = (game, a, b, names, games, *, clock=None, openings=None, seed=1, sprt=None, parameters=None))]
    #[allow(clippy::too_many_arguments, reason = "keyword arguments of Python")]
    fn new(
        game: &str,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        names: [String; 2],
        #[pyo3(from_py_with = numbers::games)] games: u32,
        clock: Option<&str>,
        #[pyo3(from_py_with = numbers::openings)] openings: Option<u32>,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        sprt: Option<(f64, f64, f64, f64, bool)>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let game = game_of(game)?;
        if !(2..=MAX_GAMES).contains(&games) || games % 2 == 1 {
            return Err(refused(format!("{games} games: an even number from 2 to {MAX_GAMES} expected")));
        }
        let agents = [bare(game, a)?, bare(game, b)?];
        let entrants = [entrant(game, a, &names[0])?, entrant(game, b, &names[1])?];
        let mut plan = Plan::of_match(game, entrants, games);
        plan.parameters = setup_of(seed, parameters)?.parameters;
        plan.seed = seed;
        plan.openings = openings.unwrap_or_else(|| usual_openings(game, &plan.agents));
        if let Some(clock) = clock {
            plan.limits = GameLimits::default().with_clock(clock.parse::<Clock>().map_err(refused)?);
        }
        if let Some((elo0, elo1, alpha, beta, normalized)) = sprt {
            let scale = if normalized { Scale::Normalized } else { Scale::Logistic };
            plan.test = Some(Sprt { elo0, elo1, alpha, beta, scale }.checked().map_err(refused)?);
        }
        if let Some(name) = plan.parameters.keys().find(|name| !game.has_parameter(name)) {
            let setup = Setup { seed, parameters: [(name.clone(), String::new())].into() };
            game.initial_state(&setup).map_err(setup_refused)?;
        }
        plan.check().map_err(refused)?;
        let prepared = [prepared(&plan, 0, &agents[0])?, prepared(&plan, 1, &agents[1])?];
        let tally = Mutex::new(Tally::new(&plan));
        Ok(Self { plan, agents, prepared, tally, stop: Stop::default(), raised: Raised::default() })
    }

    #[getter]
    const fn games(&self) -> u32 {
        self.plan.games
    }

    #[getter]
    const fn openings(&self) -> u32 {
        self.plan.openings
    }

    fn play(&self, py: Python<'_>, number: u32) -> PyResult<Option<(String, String)>> {
        if number >= self.plan.games {
            return Err(refused(format!("game {number} of {}", self.plan.games)));
        }
        if self.stop.is_raised() {
            return Ok(None);
        }
        py.detach(|| self.played(number)).map_err(refused)
    }

    fn stop(&self) {
        self.stop.raise();
    }

    #[allow(clippy::unused_self, reason = "a method of Python")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a match that is played cannot be copied or pickled: keep its results"))
    }

    fn raised(&self) -> Vec<(u32, String)> {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn status<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        // Nothing under this lock waits for Python.
        let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        let (pairs, games) = (tally.pairs(0, 1), tally.against(0, 1));
        let status = PyDict::new(py);
        let interval = |interval: Interval| (interval.low, interval.value, interval.high);
        status.set_item("wins", games.wins)?;
        status.set_item("draws", games.draws)?;
        status.set_item("losses", games.losses)?;
        status.set_item("void", tally.void())?;
        status.set_item("pairs", pairs.counts)?;
        status.set_item("score", interval(pairs.score()))?;
        status.set_item("elo", interval(pairs.elo()))?;
        status.set_item("los", pairs.los())?;
        let faults = |at: usize| -> BTreeMap<&str, u64> { tally.agent(at).faults.clone() };
        status.set_item("faults", (faults(0), faults(1)))?;
        if let Some(decision) = tally.test() {
            status.set_item("llr", decision.llr)?;
            status.set_item("bounds", decision.bounds)?;
            status.set_item(
                "accepted",
                match decision.status {
                    Status::Continue => None,
                    Status::H0 => Some("H0"),
                    Status::H1 => Some("H1"),
                },
            )?;
        }
        Ok(status)
    }
}

impl Series {
    /// Plays a game of the schedule: its summary as JSON and its record; `None` when it was stopped.
    fn played(&self, number: u32) -> Result<Option<(String, String)>, String> {
        let plan = &self.plan;
        let round = schedule::round(plan, number / 2, &Tally::new(plan));
        let slot = schedule::slots(plan, &round).get(number as usize % 2).copied().ok_or("no such game")?;
        let setup = openings::setup(plan, &slot).map_err(|error| error.to_string())?;
        let limits = plan.limits_of(slot.seats);
        let seated = slot.seats.map(|at| self.seated(at, &setup, number, &limits));
        let agents: [&PreparedAgent; 2] = std::array::from_fn(|side| {
            seated[side].as_ref().or(self.prepared[slot.seats[side]].as_ref()).expect("an agent is one or the other")
        });
        let record = game::play_until_judged(|| -> Result<_, String> {
            let mut bout = Bout::new(plan.game, setup.clone(), limits).map_err(|error| error.to_string())?;
            let mut seats = bout.seats(agents, None).map_err(|error| error.to_string())?;
            Ok(bout.play(agents, &mut seats, Afterwards::Exit, &mut ()))
        })?;
        let interrupted =
            record.result.verdicts.each_ref().map(|judged| judged.verdict).contains(&Verdict::Interrupted);
        if interrupted && self.stop.is_raised() {
            return Ok(None);
        }
        let summary = Summary::new(&slot, &record);
        self.tally.lock().unwrap_or_else(PoisonError::into_inner).add(&summary);
        let summary = serde_json::to_string(&summary).map_err(|error| error.to_string())?;
        Ok(Some((summary, record.write())))
    }

    /// An agent that plays within this process; `None` for one that the referee starts.
    fn seated(&self, at: usize, setup: &Setup, number: u32, limits: &GameLimits) -> Option<PreparedAgent> {
        let (game, stop) = (self.plan.game, self.stop.clone());
        let name = &self.plan.agents[at].name;
        let make: MakePlayer = match &self.agents[at] {
            Given::Python(factory) => {
                let factory = Python::attach(|py| factory.clone_ref(py));
                let beginning = Beginning { text: None, setup: setup.clone(), species: None };
                let raised = Arc::clone(&self.raised);
                Box::new(move |seed| {
                    let player = Python::attach(|py| {
                        let (factory, raised) = (factory.clone_ref(py), Arc::clone(&raised));
                        let position = Position::begun(game, beginning.clone()).and_then(|start| Py::new(py, start));
                        position.map(|position| PythonPlayer { factory, choose: None, position, number, seed, raised })
                    });
                    let player: Box<dyn Player> = match player {
                        Ok(player) => Box::new(player),
                        Err(error) => Box::new(Failed(error.to_string())),
                    };
                    Box::new(Stoppable { player, stop: stop.clone() })
                })
            }
            Given::Named(spec) if self.prepared[at].is_none() => {
                let spec = spec.clone();
                Box::new(move |seed| {
                    let player = of_spec(game, &spec, seed).expect("a built-in or an engine behind a protocol");
                    Box::new(Stoppable { player, stop: stop.clone() })
                })
            }
            Given::Named(_) => return None,
        };
        Some(PreparedAgent::of_player(name, make, limits))
    }
}

impl Drop for Series {
    fn drop(&mut self) {
        self.stop.raise();
    }
}
