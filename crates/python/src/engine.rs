//! Engines: built-in ones, champions with a custom network, and programs behind a protocol.

use std::collections::HashMap;
use std::mem;
use std::path::PathBuf;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use agon_arena::agents;
use agon_catalog::{CatalogPosition, Game, Pace, TextEngine, TextMove, TypedEngine, text_info};
use agon_game::{Player, Side, TimeControl};
use agon_jobs::Stop;
use agon_referee::agent::AgentSpec;
use agon_rules::bacteria::Bacteria;
use agon_rules::domineering::Domineering;
use agon_rules::renju::Renju;
use agon_search::{Engine as Searcher, Info, SearchLimits, Task};
use agon_training::{Contender, TrainedGame};
use pyo3::prelude::*;

use crate::analysis::{Analysis, Said};
use crate::encoding::Encoded;
use crate::failure::refused;
use crate::forks::ProcessId;
use crate::interrupt::interruptible;
use crate::limits::{MAX_SECONDS, limits};
use crate::position::Position;
use crate::reduced::{Reduced, reduced};
use crate::typed::{Placed, Typed, game_of};
use crate::{numbers, player};

const MAX_LINES: usize = 1_000;
const MAX_THREADS: usize = 1_024;

/// A search of at most this many nodes is over before anyone stops it: some milliseconds.
const QUICK_NODES: u64 = 2_000;

/// An engine created for a game.
enum Made {
    Bacteria(Box<dyn Searcher<Bacteria>>),
    Domineering(Box<dyn Searcher<Domineering>>),
    Renju(Box<dyn Searcher<Renju>>),
    /// For a game defined by an outside program.
    Text(Box<dyn TextEngine>),
    /// A program behind a protocol.
    Player(Box<dyn Player>),
}

impl Made {
    fn new(game: Game, engine: Box<dyn TextEngine>) -> Result<Self, String> {
        fn typed<P: CatalogPosition>(engine: Box<dyn TextEngine>) -> Result<Box<dyn Searcher<P>>, String> {
            let engine = engine.into_any().downcast::<TypedEngine<P>>();
            engine.map(|engine| engine.0).map_err(|_| format!("an engine of another game than {}", P::GAME))
        }
        if game == <Bacteria as CatalogPosition>::GAME {
            typed(engine).map(Self::Bacteria)
        } else if game == <Domineering as CatalogPosition>::GAME {
            typed(engine).map(Self::Domineering)
        } else if game == <Renju as CatalogPosition>::GAME {
            typed(engine).map(Self::Renju)
        } else {
            Ok(Self::Text(engine))
        }
    }
}

/// Engines by the names of their games.
type MadeEngines = HashMap<&'static str, Made>;

/// Description of an engine.
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
/// serves every game that it can play. A copy or a pickle has the same settings and empty tables.
#[pyclass(frozen, module = "agon_arena")]
pub struct Engine {
    game: Option<Game>,
    recipe: Recipe,
    made: Mutex<(ProcessId, Arc<Mutex<MadeEngines>>)>,
}

fn with_net<P: CatalogPosition + TrainedGame<Tuning: Default>>(net: &str) -> Result<Box<dyn TextEngine>, String> {
    let contender = Contender::<P>::read(net, <P as TrainedGame>::Tuning::default());
    let contender = contender.map_err(|error| match std::error::Error::source(&error) {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    })?;
    Ok(Box::new(TypedEngine(contender.engine())))
}

/// An answer to a question.
#[allow(clippy::large_enum_variant, reason = "one at a time")]
enum Reply {
    Over,
    Move(TextMove),
    /// The position after it, if that is wanted and known.
    After(Typed),
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
        Made::new(game, engine)
    }

    /// Returns true if a search ends too soon to be interrupted, so that it needs no separate thread.
    fn is_quick(&self, game: Game, limits: SearchLimits) -> bool {
        if self.threads > 1 || game.is_program() {
            return false;
        }
        let pace = if self.net.is_some() { Some(Pace::Clock) } else { game.pace(&self.name) };
        match pace {
            Some(Pace::Fixed | Pace::Nodes) => true,
            Some(Pace::Clock) => limits.nodes.is_some_and(|nodes| nodes <= QUICK_NODES),
            None => false,
        }
    }

    /// Searches a position and returns the findings.
    fn answer(
        &self,
        made: &Mutex<MadeEngines>,
        question: &Question,
        listener: &mut dyn FnMut(&Info<TextMove>),
    ) -> Result<Reply, String> {
        let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
        let game = question.game;
        if !made.contains_key(game.name()) {
            made.insert(game.name(), self.make(game)?);
        }
        let answer = match made.get_mut(game.name()) {
            Some(engine) => question.answered(engine, listener),
            None => Ok(Reply::Over),
        };
        if answer.is_err() {
            // A program that has failed is restarted next time.
            made.remove(game.name());
        }
        answer
    }

    /// Searches a position and sends the findings.
    fn search(&self, made: &Mutex<MadeEngines>, question: &Question, said: &Sender<Said>) {
        let answer = self.answer(made, question, &mut |info| {
            // A receiver that is gone has stopped the search.
            let _ = said.send(Said::Line(Box::new(info.clone())));
        });
        let _ = said.send(match answer {
            Ok(Reply::Move(m)) => Said::Best(Some(m)),
            Ok(_) => Said::Best(None),
            Err(error) => Said::Failed(error),
        });
    }
}

/// Question for an engine.
struct Question {
    game: Game,
    text: String,
    typed: Option<Typed>,
    side: Side,
    task: Task,
    time: Duration,
    /// The seed for its choices, after forgetting everything it has learnt.
    seed: Option<u64>,
    /// True if the position after the move is wanted instead of the move.
    after: bool,
}

impl Question {
    fn answered(&self, engine: &mut Made, listener: &mut dyn FnMut(&Info<TextMove>)) -> Result<Reply, String> {
        match (engine, &self.typed) {
            (Made::Bacteria(engine), Some(Typed::Bacteria(at))) => {
                Ok(self.searched(engine.as_mut(), at, Typed::Bacteria, listener))
            }
            (Made::Domineering(engine), Some(Typed::Domineering(at))) => {
                Ok(self.searched(engine.as_mut(), at, Typed::Domineering, listener))
            }
            (Made::Renju(engine), Some(Typed::Renju(at))) => {
                Ok(self.searched(engine.as_mut(), at, Typed::Renju, listener))
            }
            (Made::Text(engine), _) => {
                if let Some(seed) = self.seed {
                    engine.set_seed(seed);
                }
                let best = engine.search(&self.text, &self.task, listener)?;
                Ok(best.map_or(Reply::Over, Reply::Move))
            }
            (Made::Player(player), _) => {
                player.ready(self.side, &format!("POSITION {}\n", self.text))?;
                let clock = TimeControl { moves_to_go: Some(1), ..TimeControl::sudden_death(self.time) };
                let judged = player.choose(clock, clock)?;
                Ok(Reply::Move(TextMove { letters: judged.clone(), judged }))
            }
            _ => Err(format!("an engine of another game than {}", self.game)),
        }
    }

    fn searched<P: Encoded>(
        &self,
        engine: &mut dyn Searcher<P>,
        at: &Placed<P>,
        typed: fn(Placed<P>) -> Typed,
        listener: &mut dyn FnMut(&Info<TextMove>),
    ) -> Reply {
        if let Some(seed) = self.seed {
            engine.new_game();
            engine.set_seed(seed);
        }
        if at.now.outcome().is_some() {
            return Reply::Over;
        }
        let best = engine.search(&at.now, &self.task, &mut |info| listener(&text_info::<P>(info)));
        match best {
            None => Reply::Over,
            Some(m) if self.after => Reply::After(typed(at.played(m))),
            Some(m) => Reply::Move(TextMove::new::<P>(m)),
        }
    }
}

impl Engine {
    fn new_engine(game: Option<Game>, recipe: Recipe) -> Self {
        Self { game, recipe, made: Mutex::new((ProcessId::current(), Arc::default())) }
    }

    /// Engines created so far. A forked child keeps those that no thread of the parent was using, except programs,
    /// which remain the parent's.
    fn made(&self) -> Arc<Mutex<MadeEngines>> {
        // Locked while the interpreter lock is held, and never for long: no fork comes between.
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if made.0.is_gone() {
            let mut left = made.1.try_lock().map(|mut engines| mem::take(&mut *engines)).unwrap_or_default();
            let programs = left.extract_if(|_, engine| matches!(engine, Made::Player(_)));
            programs.for_each(mem::forget);
            *made = (ProcessId::current(), Arc::new(Mutex::new(left)));
        }
        Arc::clone(&made.1)
    }

    fn question(&self, position: &Position, limits: SearchLimits, lines: usize, stop: &Stop) -> PyResult<Question> {
        if let Some(game) = self.game.filter(|game| *game != position.game) {
            return Err(refused(format!("an engine of {game} was asked about a position of {}", position.game)));
        }
        if !(1..=MAX_LINES).contains(&lines) {
            return Err(refused(format!("{lines} lines: 1 to {MAX_LINES} expected")));
        }
        let typed = position.typed().ok().cloned();
        // Programs read a text.
        let text = if typed.is_some() && self.plays_itself(position.game) {
            String::new()
        } else {
            position.text().to_owned()
        };
        Ok(Question {
            game: position.game,
            text,
            typed,
            side: position.side().unwrap_or(Side::First),
            task: Task { limits, multipv: lines, stop: stop.clone(), ..Task::default() },
            time: limits.time.unwrap_or(Duration::from_secs_f64(MAX_SECONDS)),
            seed: None,
            after: false,
        })
    }

    /// Returns true if it is not a program behind a protocol.
    fn plays_itself(&self, game: Game) -> bool {
        self.recipe.net.is_some() || game.find(&self.recipe.name).is_ok()
    }

    /// Asks the question, on a separate thread if it takes long.
    fn ask(&self, py: Python<'_>, question: Question, stop: &Stop) -> PyResult<Reply> {
        let made = self.made();
        if self.recipe.is_quick(question.game, question.task.limits) {
            return py.detach(|| self.recipe.answer(&made, &question, &mut |_| {})).map_err(refused);
        }
        let recipe = self.recipe.clone();
        interruptible(py, stop, move || recipe.answer(&made, &question, &mut |_| {}))?.map_err(refused)
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
        let engine = Self::new_engine(game, Recipe { name, net, seed, memory_mib, threads });
        // An invalid name is refused here, where the game is known.
        if let Some(game) = game {
            let made = engine.recipe.make(game).map_err(refused)?;
            engine.made().lock().unwrap_or_else(PoisonError::into_inner).insert(game.name(), made);
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
        match self.ask(py, question, &stop)? {
            Reply::Move(m) => Ok(Some(m.judged)),
            Reply::Over | Reply::After(_) => Ok(None),
        }
    }

    /// The position after the best move, limited as `best_move` is; None when the game is over.
    ///
    /// With a seed the answer depends only on the position, the limits and that seed: the engine is reset and reseeded.
    /// A program behind a protocol accepts no seed.
    #[pyo3(signature = (position, *, time=None, nodes=None, depth=None, seed=None))]
    fn play(
        &self,
        py: Python<'_>,
        position: &Position,
        time: Option<f64>,
        #[pyo3(from_py_with = numbers::nodes)] nodes: Option<u64>,
        #[pyo3(from_py_with = numbers::depth)] depth: Option<u32>,
        #[pyo3(from_py_with = numbers::seed_or_none)] seed: Option<u64>,
    ) -> PyResult<Option<Position>> {
        let stop = Stop::default();
        let question = self.question(position, limits(time, nodes, depth)?, 1, &stop)?;
        match self.ask(py, Question { seed, after: true, ..question }, &stop)? {
            Reply::Over => Ok(None),
            Reply::Move(m) => position.played(&m.judged).map(Some),
            Reply::After(typed) => Ok(Some(Position::of_typed(position.game, typed))),
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
        let (recipe, made) = (self.recipe.clone(), self.made());
        let (sender, receiver) = channel();
        thread::Builder::new().name("agon".to_owned()).spawn(move || recipe.search(&made, &question, &sender))?;
        Ok(Analysis::new(receiver, stop))
    }

    fn __repr__(&self) -> String {
        format!("Engine({:?})", self.recipe.name)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py>> {
        let Recipe { name, net, seed, memory_mib, threads } = &self.recipe;
        reduced(py, "_restore_engine", (self.game.map(Game::name), name, net.as_ref(), *seed, *memory_mib, *threads))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Programs behind a protocol end with the engine, unless they are a parent's.
        self.made();
    }
}

/// An engine of the same description as one before.
#[pyfunction]
#[pyo3(name = "_restore_engine")]
pub(crate) fn restore_engine(
    game: Option<&str>,
    name: String,
    net: Option<String>,
    seed: u64,
    memory_mib: Option<usize>,
    threads: usize,
) -> PyResult<Engine> {
    let game = game.map(game_of).transpose()?;
    Ok(Engine::new_engine(game, Recipe { name, net, seed, memory_mib, threads }))
}
