//! Parameters of a search tuned by games of the champion against itself.

use std::path::{Path, PathBuf};
use std::{fs, io};

use agon_game::seed::Stream;
use agon_jobs::{Progress, Stop, pool, write_atomically};
use agon_search::parameters::{Parameter, Tunable};
use serde::{Deserialize, Serialize};

use crate::spsa::{Perturbed, Spsa};
use crate::{TrainedGame, duel};

/// What is tuned, and how. All but the file decides the result, the number of pairs played at once too, since each is
/// drawn from what was known when it began.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TuningConfig {
    /// The parameters to tune; all when it is empty.
    pub only: Vec<String>,
    /// Pairs of games in all.
    pub steps: u64,
    /// Nodes of the search for a move, unless there is a clock.
    pub nodes: u64,
    /// Milliseconds of each engine for a game.
    pub clock: Option<u64>,
    /// From which openings and perturbations are drawn.
    pub seed: u64,
    /// How many pairs are played at once.
    pub jobs: u16,
    /// Where the run is kept after every step. If the file is there, the run goes on from it.
    pub state: PathBuf,
}

/// What a run has come to.
#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    /// Pairs of games played.
    pub pairs: u64,
    /// The parameters, with their defaults, and what they have become.
    pub parameters: Vec<(Parameter, i32)>,
}

/// Why parameters cannot be tuned.
#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    /// A parameter is none of the search's.
    #[error("no parameter is called `{name}`; there are {known}")]
    Unknown {
        /// The refused name.
        name: String,
        /// The names of all parameters.
        known: String,
    },
    /// The system refused to read the run.
    #[error("cannot read `{path}`")]
    Read {
        /// The refused file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file holds something else.
    #[error("`{path}` is no run of agon tune")]
    Format {
        /// The refused file.
        path: PathBuf,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// The file holds a run of other arguments.
    #[error("`{0}` holds another run: name another file with --state, or repeat its arguments")]
    Other(PathBuf),
    /// The system refused to write the run.
    #[error("cannot write `{path}`")]
    Write {
        /// The refused file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// A run on disk, as JSON: enough to go on as if it had never been stopped.
#[derive(Serialize, Deserialize)]
struct TuningState {
    run: TuningRun,
    /// How many steps were made.
    step: u64,
    /// The values by now, in the order of `run.names`.
    values: Vec<f64>,
}

/// What decides a run.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
struct TuningRun {
    game: String,
    names: Vec<String>,
    steps: u64,
    nodes: u64,
    #[serde(default)]
    clock: Option<u64>,
    seed: u64,
    jobs: u16,
}

/// Plays and learns until all steps are made or `stop` is raised.
///
/// # Errors
/// [`TuningError`] when a parameter is unknown, or the file of the run cannot be used.
pub fn tune<G: TrainedGame>(config: &TuningConfig, stop: &Stop, progress: &dyn Progress) -> Result<Tuned, TuningError> {
    let parameters = chosen(G::Tuning::table(), &config.only)?;
    let &TuningConfig { steps, nodes, clock, seed, jobs, .. } = config;
    let names = parameters.iter().map(|parameter| parameter.name.to_owned()).collect();
    let run = TuningRun { game: G::GAME.name().to_owned(), names, steps, nodes, clock, seed, jobs };
    let mut spsa = open(&config.state, &run, &parameters)?;
    progress.start(steps, spsa.step());
    while spsa.step() < steps && !stop.is_raised() {
        step::<G>(&mut spsa, &run, &parameters);
        progress.set_position(spsa.step());
        let state = TuningState { run: run.clone(), step: spsa.step(), values: spsa.values().to_vec() };
        let written = serde_json::to_string_pretty(&state)
            .map_err(io::Error::from)
            .and_then(|s| write_atomically(&config.state, s));
        written.map_err(|source| TuningError::Write { path: config.state.clone(), source })?;
    }
    Ok(Tuned { pairs: spsa.step(), parameters: parameters.into_iter().zip(spsa.rounded()).collect() })
}

/// The parameters to tune: all, or those named.
fn chosen(mut table: Vec<Parameter>, only: &[String]) -> Result<Vec<Parameter>, TuningError> {
    if let Some(unknown) = only.iter().find(|name| table.iter().all(|parameter| parameter.name != **name)) {
        let known: Vec<&str> = table.iter().map(|parameter| parameter.name).collect();
        return Err(TuningError::Unknown { name: unknown.clone(), known: known.join(", ") });
    }
    table.retain(|parameter| only.is_empty() || only.iter().any(|name| name == parameter.name));
    Ok(table)
}

/// A new run, or the one in the file.
fn open(path: &Path, run: &TuningRun, parameters: &[Parameter]) -> Result<Spsa, TuningError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let values = parameters.iter().map(|parameter| f64::from(parameter.value)).collect();
            return Ok(Spsa::new(parameters.to_vec(), values, run.steps));
        }
        Err(source) => return Err(TuningError::Read { path: path.to_owned(), source }),
    };
    let state: TuningState =
        serde_json::from_str(&text).map_err(|source| TuningError::Format { path: path.to_owned(), source })?;
    if state.run != *run || state.values.len() != parameters.len() {
        return Err(TuningError::Other(path.to_owned()));
    }
    Ok(Spsa::new(parameters.to_vec(), state.values, run.steps).resumed(state.step))
}

/// One pair of games on each thread, and what is learnt from them in their order.
fn step<G: TrainedGame>(spsa: &mut Spsa, run: &TuningRun, parameters: &[Parameter]) {
    let first = spsa.step();
    let pairs = u64::from(run.jobs).min(run.steps - first) as usize;
    let now = &*spsa;
    let played: Vec<(Perturbed, usize)> = pool::map_all(pairs, pairs, |number| {
        // A stream of its own for each step: what it draws does not depend on where the run was stopped.
        let mut stream = Stream::new(run.seed, &format!("tune {}", first + number as u64));
        let perturbed = now.perturb(&mut stream);
        let task = duel::task(run.nodes, run.clock);
        let champion = G::champion();
        let [mut a, mut b] = [&perturbed.plus, &perturbed.minus].map(|values| {
            let mut tuning = G::Tuning::default();
            for (parameter, value) in parameters.iter().zip(values) {
                if let Some(place) = tuning.place(parameter.name) {
                    *place = *value;
                }
            }
            duel::prepare(G::engine(Some(&champion), tuning), &task)
        });
        let halves = duel::pair(&task, [a.as_mut(), b.as_mut()], G::opening(&mut stream, G::TUNING_PLIES));
        (perturbed, halves)
    });
    for (perturbed, halves) in played {
        spsa.learn(&perturbed, halves as f64 - 2.0);
    }
}
