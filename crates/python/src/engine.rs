//! Engines: the built-in ones, champions with a network of one's own, and programs behind a protocol.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use agon_arena::agents;
use agon_catalog::{CatalogPosition, Game, TextEngine, TypedEngine};
use agon_game::{Player, Side, TimeControl};
use agon_jobs::Stop;
use agon_referee::agent::AgentSpec;
use agon_rules::bacteria::Bacteria;
use agon_rules::renju::Renju;
use agon_search::{SearchLimits, Task};
use agon_training::{Contender, TrainedGame};
use pyo3::prelude::*;

use crate::analysis::{Analysis, Said};
use crate::failure::refused;
use crate::interrupt::interruptible;
use crate::limits::{MAX_SECONDS, limits};
use crate::position::Position;
use crate::typed::game_of;
use crate::{numbers, player};

const MAX_LINES: usize = 1_000;
const MAX_THREADS: usize = 1_024;

/// What is made of an engine for a game.
enum Made {
    Builtin(Box<dyn TextEngine>),
    Player(Box<dyn Player>),
}

/// What an engine is.
#[derive(Clone)]
struct Recipe {
    name: String,
    net: Option<String>,
    seed: u64,
    memory_mib: Option<usize>,
    threads: usize,
}

/// An engine, which keeps its tables from one search to the next.
///
/// `Engine("champion", level=3)`, `Engine("greedy")`, `Engine("uai:./engine")` or `Engine("gomocup:./engine")` for a
/// program that speaks such a protocol, `Engine(net="my.net")` for the champion with another network. Without `game` it
/// serves every game that it plays.
#[pyclass(frozen, module = "agon_arena")]
pub struct Engine {
    game: Option<Game>,
    recipe: Recipe,
    made: Arc<Mutex<HashMap<&'static str, Made>>>,
}

fn with_net<P: CatalogPosition + TrainedGame<Tuning: Default>>(net: &str) -> Result<Box<dyn TextEngine>, String> {
    let contender = Contender::<P>::read(net, <P as TrainedGame>::Tuning::default());
    let contender = contender.map_err(|error| match std::error::Error::source(&error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    })?;
    Ok(Box::new(TypedEngine(contender.engine())))
}

impl Recipe {
    fn make(&self, game: Game) -> Result<Made, String> {
        let mut engine = match &self.net {
            Some(net) if game == <Bacteria as CatalogPosition>::GAME => with_net::<Bacteria>(net)?,
            Some(net) if game == <Renju as CatalogPosition>::GAME => with_net::<Renju>(net)?,
            Some(_) => return Err(format!("no engine of {game} searches with a network of that kind")),
            None => match agents::parse(game, &self.name).map_err(|error| error.to_string())? {
                AgentSpec::Builtin { name, level, .. } => {
                    let name = level.map_or_else(|| name.clone(), |level| format!("{name}:{level}"));
                    let found = game.find(&name).map_err(|error| error.to_string())?;
                    found.engine(self.seed).ok_or_else(|| format!("{name} plays no positions"))?
                }
                spec @ AgentSpec::Bridge { .. } => {
                    let player = player::of_spec(game, &spec, self.seed);
                    return player.map(Made::Player).ok_or_else(|| "no engine".to_owned());
                }
                _ => return Err(format!("`{}` is a program: give it to play(), match() or sprt()", self.name)),
            },
        };
        engine.set_seed(self.seed);
        if let Some(memory) = self.memory_mib {
            engine.set_memory(memory << 20);
        }
        engine.set_threads(self.threads);
        Ok(Made::Builtin(engine))
    }

    /// Searches, and says what it finds.
    fn search(&self, made: &Mutex<HashMap<&'static str, Made>>, question: &Question, said: &Sender<Said>) {
        let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
        let Question { game, text, side, task, time } = question;
        let mut found = || -> Result<Said, String> {
            if !made.contains_key(game.name()) {
                made.insert(game.name(), self.make(*game)?);
            }
            let best = match made.get_mut(game.name()) {
                Some(Made::Builtin(engine)) => engine.search(text, task, &mut |info| {
                    // Whoever listens no more has stopped the search.
                    let _ = said.send(Said::Line(Box::new(info.clone())));
                })?,
                Some(Made::Player(player)) => {
                    player.ready(*side, &format!("POSITION {text}\n"))?;
                    let clock = TimeControl { moves_to_go: Some(1), ..TimeControl::sudden_death(*time) };
                    let judged = player.choose(clock, clock)?;
                    Some(agon_catalog::TextMove { letters: judged.clone(), judged })
                }
                None => None,
            };
            Ok(Said::Best(best))
        };
        let last = found().unwrap_or_else(Said::Failed);
        if matches!(last, Said::Failed(_)) {
            // A program that has failed is started anew next time.
            made.remove(game.name());
        }
        let _ = said.send(last);
    }
}

/// What is asked of an engine.
struct Question {
    game: Game,
    text: String,
    side: Side,
    task: Task,
    time: Duration,
}

impl Engine {
    fn question(&self, position: &Position, limits: SearchLimits, lines: usize, stop: &Stop) -> PyResult<Question> {
        if let Some(game) = self.game.filter(|game| *game != position.game) {
            return Err(refused(format!("an engine of {game} was asked about a position of {}", position.game)));
        }
        if !(1..=MAX_LINES).contains(&lines) {
            return Err(refused(format!("{lines} lines: 1 to {MAX_LINES} expected")));
        }
        let side = position.look(|state| state.turn());
        Ok(Question {
            game: position.game,
            text: position.text.clone(),
            side: side.unwrap_or(Side::First),
            task: Task { limits, multipv: lines, stop: stop.clone(), ..Task::default() },
            time: limits.time.unwrap_or(Duration::from_secs_f64(MAX_SECONDS)),
        })
    }
}

#[pymethods]
impl Engine {
    #[new]
    #[pyo3(signature = (name="champion", *, level=None, game=None, net=None, seed=0, threads=1, memory_mib=None))]
    fn new(
        name: &str,
        #[pyo3(from_py_with = numbers::level)] level: Option<u8>,
        game: Option<&str>,
        net: Option<PathBuf>,
        #[pyo3(from_py_with = numbers::seed)] seed: u64,
        #[pyo3(from_py_with = numbers::threads)] threads: usize,
        #[pyo3(from_py_with = numbers::memory_mib)] memory_mib: Option<usize>,
    ) -> PyResult<Self> {
        let game = game.map(game_of).transpose()?;
        let net = net.map(|net| net.to_string_lossy().into_owned());
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(refused(format!("{threads} threads: 1 to {MAX_THREADS} expected")));
        }
        if memory_mib.is_some_and(|memory| !(1..=1 << 20).contains(&memory)) {
            return Err(refused("memory_mib: 1 to 1048576 expected"));
        }
        if net.is_some() && (name != "champion" || level.is_some()) {
            return Err(refused("a network is for the champion without a level"));
        }
        let name = level.map_or_else(|| name.to_owned(), |level| format!("{name}:{level}"));
        let engine = Self { game, recipe: Recipe { name, net, seed, memory_mib, threads }, made: Arc::default() };
        // A name that means nothing is refused here, where the game is known.
        if let Some(game) = game {
            let made = engine.recipe.make(game).map_err(refused)?;
            engine.made.lock().unwrap_or_else(PoisonError::into_inner).insert(game.name(), made);
        }
        Ok(engine)
    }

    #[getter]
    fn name(&self) -> &str {
        &self.recipe.name
    }

    /// Returns the best move in the judge's notation (default limit: one second); None if the game is over.
    #[pyo3(signature = (position, *, time=None, nodes=None, depth=None))]
    fn best_move(
        &self,
        py: Python<'_>,
        position: &Position,
        time: Option<f64>,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
    ) -> PyResult<Option<String>> {
        let stop = Stop::default();
        let question = self.question(position, limits(time, nodes, depth)?, 1, &stop)?;
        let (recipe, made) = (self.recipe.clone(), Arc::clone(&self.made));
        let last = interruptible(py, &stop, move || {
            let (sender, receiver) = channel();
            recipe.search(&made, &question, &sender);
            receiver.into_iter().find(|said| !matches!(said, Said::Line(_)))
        })?;
        match last {
            Some(Said::Failed(error)) => Err(refused(error)),
            Some(Said::Best(best)) => Ok(best.map(|m| m.judged)),
            _ => Ok(None),
        }
    }

    /// Searches on a separate thread; iterate over the result.
    #[pyo3(signature = (position, *, time=None, nodes=None, depth=None, lines=1))]
    fn analyse(
        &self,
        position: &Position,
        time: Option<f64>,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
        #[pyo3(from_py_with = numbers::lines)] lines: usize,
    ) -> PyResult<Analysis> {
        let stop = Stop::default();
        let question = self.question(position, limits(time, nodes, depth)?, lines, &stop)?;
        let (recipe, made) = (self.recipe.clone(), Arc::clone(&self.made));
        let (sender, receiver) = channel();
        thread::Builder::new().name("agon".to_owned()).spawn(move || recipe.search(&made, &question, &sender))?;
        Ok(Analysis::new(receiver, stop))
    }

    fn __repr__(&self) -> String {
        format!("Engine({:?})", self.recipe.name)
    }
}
