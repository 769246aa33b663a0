//! An SPSA run that survives a kill: whatever plays its games, its values are in a file after every step.

use std::path::{Path, PathBuf};
use std::{fs, io};

use agon_game::seed::Stream;
use agon_jobs::{FileError, pool, write_atomically};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::spsa::{Perturbed, Spsa};

/// Points of the history that are kept: more than one per pixel cannot be seen.
const MAX_HISTORY: u64 = 500;

/// Distribution of a run over steps and threads. The number of pairs played at once also determines it, since each is
/// drawn from what was known when it started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunShape {
    pub seed: u64,
    pub jobs: u16,
}

/// The values after a number of steps.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TunedMoment {
    pub step: u64,
    pub values: Vec<f64>,
}

/// Progress of a run.
#[derive(Clone, Debug)]
pub struct TuningRun {
    pub spsa: Spsa,
    /// From the start on, at even distances.
    pub history: Vec<TunedMoment>,
}

#[derive(Debug, thiserror::Error)]
pub enum TuningRunError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error("`{0}` holds another run: name another file with --state, or repeat its arguments")]
    Other(PathBuf),
}

/// A run on disk, as JSON: enough to resume as if it had never stopped.
#[derive(Serialize, Deserialize)]
struct TuningState<C> {
    /// Everything that determines it.
    run: C,
    step: u64,
    /// The values by now.
    values: Vec<f64>,
    /// Missing in files of earlier versions.
    #[serde(default)]
    history: Vec<TunedMoment>,
}

impl TuningRun {
    /// The run in the file if there is one with the same arguments, else one that begins with `spsa`.
    ///
    /// # Errors
    /// [`TuningRunError`] when the file cannot be used, or holds a run of other arguments.
    pub fn open<C: PartialEq + DeserializeOwned>(path: &Path, config: &C, spsa: Spsa) -> Result<Self, TuningRunError> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let history = vec![TunedMoment { step: 0, values: spsa.values().to_vec() }];
                return Ok(Self { spsa, history });
            }
            Err(error) => return Err(FileError::on("read", path)(error).into()),
        };
        let state: TuningState<C> = serde_json::from_str(&text).map_err(FileError::on_resume(path))?;
        let whole =
            |values: &[f64]| values.len() == spsa.values().len() && values.iter().all(|value| value.is_finite());
        if state.run != *config || !whole(&state.values) || state.history.iter().any(|then| !whole(&then.values)) {
            return Err(TuningRunError::Other(path.to_owned()));
        }
        let start = TunedMoment { step: 0, values: spsa.values().to_vec() };
        let history = if state.history.is_empty() { vec![start] } else { state.history };
        Ok(Self { spsa: spsa.resumed(state.step, state.values), history })
    }

    /// Returns true if all its steps are done.
    pub const fn is_complete(&self) -> bool {
        self.spsa.step() >= self.spsa.steps()
    }

    /// Plays one pair of games on each thread, learns from them in order, and saves the run to the file. `play` returns
    /// the half points of the first player in a pair, 0 to 4; if one returns `None`, the whole step is discarded.
    ///
    /// # Errors
    /// [`TuningRunError`] when the file cannot be written.
    pub fn step<C: Serialize>(
        &mut self,
        path: &Path,
        config: &C,
        shape: RunShape,
        play: impl Fn(u64, &Perturbed, &mut Stream) -> Option<usize> + Sync,
    ) -> Result<bool, TuningRunError> {
        let first = self.spsa.step();
        let pairs = u64::from(shape.jobs.max(1)).min(self.spsa.steps().saturating_sub(first)) as usize;
        let now = &self.spsa;
        let played: Vec<(Perturbed, Option<usize>)> = pool::map_all(pairs, pairs, |number| {
            // A separate stream for each step: its numbers do not depend on where the run was stopped.
            let step = first + number as u64;
            let mut stream = Stream::new(shape.seed, &format!("tune {step}"));
            let perturbed = now.perturb(&mut stream);
            let halves = play(step, &perturbed, &mut stream);
            (perturbed, halves)
        });
        if played.iter().any(|(_, halves)| halves.is_none()) {
            return Ok(false);
        }
        let every = (self.spsa.steps() / MAX_HISTORY).max(1);
        for (perturbed, halves) in played {
            self.spsa.learn(&perturbed, halves.unwrap_or_default() as f64 - 2.0);
            let step = self.spsa.step();
            if step.is_multiple_of(every) || step == self.spsa.steps() {
                self.history.push(TunedMoment { step, values: self.spsa.values().to_vec() });
            }
        }
        self.keep(path, config)?;
        Ok(true)
    }

    fn keep<C: Serialize>(&self, path: &Path, config: &C) -> Result<(), TuningRunError> {
        let (step, values) = (self.spsa.step(), self.spsa.values().to_vec());
        let state = TuningState { run: config, step, values, history: self.history.clone() };
        let text = serde_json::to_string(&state).map_err(FileError::on("write", path))?;
        Ok(write_atomically(path, text)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spsa::{RATE, TunedNumber};

    const SHAPE: RunShape = RunShape { seed: 5, jobs: 3 };

    fn spsa() -> Spsa {
        let number = TunedNumber { low: 0.0, high: 50.0, step: 5.0, whole: true };
        Spsa::new(vec![number; 2], vec![10.0, 40.0], 40, RATE)
    }

    /// A pair that the larger first number wins.
    fn play(perturbed: &Perturbed) -> usize {
        if perturbed.plus[0] > perturbed.minus[0] { 4 } else { 1 }
    }

    #[test]
    fn a_killed_run_goes_on_as_if_it_had_not_been() {
        let folder = tempfile::tempdir().unwrap();
        let config = "config".to_owned();
        let all = |path: &Path, kill: bool| {
            let mut run = TuningRun::open(path, &config, spsa()).unwrap();
            let mut steps = 0;
            while !run.is_complete() {
                // A step in which a game was interrupted is repeated.
                if kill && steps % 3 == 1 {
                    assert!(!run.step(path, &config, SHAPE, |step, _, _| (step % 2 == 0).then_some(2)).unwrap());
                }
                assert!(run.step(path, &config, SHAPE, |_, perturbed, _| Some(play(perturbed))).unwrap());
                if kill {
                    run = TuningRun::open(path, &config, spsa()).unwrap();
                }
                steps += 1;
            }
            (run.spsa.values().to_vec(), run.history)
        };
        let (whole, killed) = (all(&folder.path().join("whole"), false), all(&folder.path().join("killed"), true));
        assert_eq!(whole, killed);
        assert!(whole.0[0] > 10.0 && whole.1.len() == 41, "{whole:?}");
    }

    #[test]
    fn another_run_is_not_continued() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let mut run = TuningRun::open(&path, &1, spsa()).unwrap();
        run.step(&path, &1, SHAPE, |_, perturbed, _| Some(play(perturbed))).unwrap();
        let refused = TuningRun::open(&path, &2, spsa()).unwrap_err().to_string();
        assert!(refused.ends_with("holds another run: name another file with --state, or repeat its arguments"));
        let fewer = Spsa::new(spsa().numbers()[..1].to_vec(), vec![1.0], 40, RATE);
        assert!(matches!(TuningRun::open(&path, &1, fewer), Err(TuningRunError::Other(_))));
        fs::write(&path, "torn").unwrap();
        assert!(matches!(TuningRun::open(&path, &1, spsa()), Err(TuningRunError::File(_))));
        // As written by an earlier version.
        fs::write(&path, r#"{"run": 1, "step": 7, "values": [11.5, 39.0]}"#).unwrap();
        let old = TuningRun::open(&path, &1, spsa()).unwrap();
        assert_eq!((old.spsa.step(), old.spsa.values(), old.history.len()), (7, &[11.5, 39.0][..], 1));
    }
}
