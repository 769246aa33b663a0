//! Parameters of a search tuned by games of the champion against itself.

use std::path::{Path, PathBuf};
use std::{fs, io};

use agon_game::seed::Stream;
use agon_jobs::{FileError, Progress, Stop, pool, write_atomically};
use agon_search::parameters::{Parameter, Tunable};
use serde::{Deserialize, Serialize};

use crate::spsa::{Perturbed, Spsa};
use crate::{TrainedGame, duel};

/// What decides a run; the number of pairs played at once does too, since each is drawn from what was known when it
/// began.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TuningConfig {
    pub game: String,
    /// The parameters to tune; all when it is empty.
    pub names: Vec<String>,
    /// Pairs of games in all.
    pub steps: u64,
    /// Nodes of the search for a move, unless there is a clock.
    pub nodes: u64,
    /// Milliseconds of each engine for a game.
    #[serde(default)]
    pub clock: Option<u64>,
    pub seed: u64,
    pub jobs: u16,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Tuned {
    pub pairs: u64,
    /// The parameters, with their defaults, and what they have become.
    pub parameters: Vec<(Parameter, i32)>,
}

#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    #[error("no parameter is called `{name}`; there are {known}")]
    Unknown { name: String, known: String },
    #[error(transparent)]
    File(#[from] FileError),
    #[error("`{0}` holds another run: name another file with --state, or repeat its arguments")]
    Other(PathBuf),
}

/// A run on disk, as JSON: enough to go on as if it had never been stopped.
#[derive(Serialize, Deserialize)]
struct TuningState {
    run: TuningConfig,
    step: u64,
    /// The values by now, in the order of `run.names`.
    values: Vec<f64>,
}

/// Plays and learns until all steps are made or `stop` is raised. The run is kept in the file `state` after every step;
/// if the file is there, the run goes on from it.
///
/// # Errors
/// [`TuningError`] when a parameter is unknown, or the file cannot be used.
pub fn tune<G: TrainedGame>(
    config: &TuningConfig,
    state: &Path,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<Tuned, TuningError> {
    let parameters = chosen(G::Tuning::table(), &config.names)?;
    let names = parameters.iter().map(|parameter| parameter.name.to_owned()).collect();
    let run = TuningConfig { names, ..config.clone() };
    let mut spsa = open(state, &run, &parameters)?;
    progress.start(run.steps, spsa.step());
    while spsa.step() < run.steps && !stop.is_raised() {
        step::<G>(&mut spsa, &run, &parameters);
        progress.set_position(spsa.step());
        let kept = TuningState { run: run.clone(), step: spsa.step(), values: spsa.values().to_vec() };
        write_atomically(state, serde_json::to_string_pretty(&kept).map_err(FileError::on("write", state))?)?;
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
fn open(path: &Path, run: &TuningConfig, parameters: &[Parameter]) -> Result<Spsa, TuningError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let values = parameters.iter().map(|parameter| f64::from(parameter.value)).collect();
            return Ok(Spsa::new(parameters.to_vec(), values, run.steps));
        }
        Err(error) => return Err(FileError::on("read", path)(error).into()),
    };
    let state: TuningState = serde_json::from_str(&text).map_err(FileError::on("go on with", path))?;
    if state.run != *run || state.values.len() != parameters.len() {
        return Err(TuningError::Other(path.to_owned()));
    }
    Ok(Spsa::new(parameters.to_vec(), state.values, run.steps).resumed(state.step))
}

/// One pair of games on each thread, and what is learnt from them in their order.
fn step<G: TrainedGame>(spsa: &mut Spsa, run: &TuningConfig, parameters: &[Parameter]) {
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
