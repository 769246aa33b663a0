//! Parameters of a search tuned by games of the champion against itself.

use std::path::Path;

use agon_game::seed::Stream;
use agon_jobs::{Progress, Stop};
use agon_search::parameters::{Parameter, Tunable};
use serde::{Deserialize, Serialize};

use crate::spsa::{Perturbed, RATE, Spsa, TunedNumber};
use crate::tuning_run::{RunShape, TuningRun, TuningRunError};
use crate::{TrainedGame, duel};

/// Everything that determines a run, including the number of pairs played at once, since each is drawn from what was
/// known when it started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TuningConfig {
    pub game: String,
    /// The parameters to tune; all when it is empty.
    pub names: Vec<String>,
    /// Total number of pairs of games.
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
    /// Parameters, with their defaults and their tuned values.
    pub parameters: Vec<(Parameter, i32)>,
}

#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    #[error("no parameter is called `{name}`; there are {known}")]
    Unknown { name: String, known: String },
    #[error(transparent)]
    Run(#[from] TuningRunError),
}

/// Plays and learns until all steps are done or `stop` is raised. The run is saved to the file `state` after every
/// step; if the file exists, the run resumes from it.
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
    let config = TuningConfig { names, ..config.clone() };
    let numbers: Vec<TunedNumber> = parameters.iter().map(TunedNumber::from).collect();
    let start = parameters.iter().map(|parameter| f64::from(parameter.value)).collect();
    let mut run = TuningRun::open(state, &config, Spsa::new(numbers, start, config.steps, RATE))?;
    let shape = RunShape { seed: config.seed, jobs: config.jobs };
    progress.start(config.steps, run.spsa.step());
    while !run.is_complete() && !stop.is_raised() {
        run.step(state, &config, shape, |_, perturbed, stream| {
            Some(pair::<G>(&config, &parameters, perturbed, stream))
        })?;
        progress.set_position(run.spsa.step());
    }
    let values = run.spsa.usable().into_iter().map(|value| value as i32);
    Ok(Tuned { pairs: run.spsa.step(), parameters: parameters.into_iter().zip(values).collect() })
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

/// A pair of games: the half points of the engine with the first numbers.
fn pair<G: TrainedGame>(
    config: &TuningConfig,
    parameters: &[Parameter],
    perturbed: &Perturbed,
    stream: &mut Stream,
) -> usize {
    let task = duel::task(config.nodes, config.clock);
    let champion = G::champion();
    let [mut a, mut b] = [&perturbed.plus, &perturbed.minus].map(|values| {
        let mut tuning = G::Tuning::default();
        for (parameter, value) in parameters.iter().zip(values) {
            if let Some(place) = tuning.place(parameter.name) {
                *place = *value as i32;
            }
        }
        duel::prepare(G::engine(Some(&champion), tuning), &task)
    });
    duel::pair(&task, [a.as_mut(), b.as_mut()], G::opening(stream, G::TUNING_PLIES))
}
