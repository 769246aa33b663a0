//! The training of a policy from its files to its files.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agon_engines::petri::{PetriProgram, Policy};
use agon_jobs::{FileError, Progress, Stop, write_atomically};
use agon_rules::petri::{Species, SpeciesError};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::policy::PolicyTraining;

/// Interval between saves of the training state.
const SAVE_EVERY: Duration = Duration::from_secs(10);

/// Bouts of a candidate in a generation unless another number is wanted.
const BOUTS: u16 = 32;

#[derive(Clone, PartialEq, Debug)]
pub struct PolicyJob {
    /// Policy to write. The state of a stopped training is beside it, with the suffix `.checkpoint`.
    pub out: PathBuf,
    /// The policy to start from instead of the one written by hand.
    pub from: Option<PathBuf>,
    /// Its points (HP, energy, acidity), if they differ from those of the initial policy.
    pub species: Option<[u8; 3]>,
    /// True if it belongs to the wider family, even if the initial policy does not.
    pub wide: bool,
    /// Policies that join the pool of opponents.
    pub rivals: Vec<PathBuf>,
    /// The dishes, columns and rows, each equally often; those of [`PolicyTraining::new`] if empty.
    pub dishes: Vec<(usize, usize)>,
    /// Bouts of every candidate in a generation.
    pub bouts: u16,
    pub generations: u32,
    pub step: f64,
    pub seed: u64,
}

/// Progress of a training.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainedPolicy {
    pub generations: u32,
    /// Recent score of its candidates against the pool, 0 to 1.
    pub worth: f64,
    pub pool: usize,
}

#[derive(Debug, thiserror::Error)]
pub enum PolicyJobError {
    #[error(transparent)]
    File(#[from] FileError),
    #[error(transparent)]
    Species(#[from] SpeciesError),
    #[error("{0} is of another start, rivals, dishes, bouts, step or seed: remove it, or choose another --out")]
    Other(PathBuf),
}

/// Reads a policy from its file.
///
/// # Errors
/// [`FileError`] when it cannot be read, or holds none.
pub fn read_policy(path: &Path) -> Result<Policy, FileError> {
    let text = fs::read_to_string(path).map_err(FileError::on("read", path))?;
    Policy::read(&text).map_err(FileError::on("read", path))
}

/// Files of a training: the policy it writes, and the state from which a stopped training resumes.
pub(super) struct TrainingFiles<'a> {
    pub out: &'a Path,
    /// Suffix of the state's file, after the policy's name.
    pub suffix: &'static str,
}

impl TrainingFiles<'_> {
    fn state(&self) -> PathBuf {
        let mut name = self.out.as_os_str().to_owned();
        name.push(self.suffix);
        name.into()
    }

    /// The training that was stopped, or a new one. The stopped one must be `alike`.
    pub(super) fn resume<T: DeserializeOwned>(&self, new: T, alike: fn(&T, &T) -> bool) -> Result<T, PolicyJobError> {
        let path = self.state();
        if !path.exists() {
            return Ok(new);
        }
        let text = fs::read_to_string(&path).map_err(FileError::on("read", &path))?;
        let found: T = toml::from_str(&text).map_err(FileError::on_resume(&path))?;
        if alike(&found, &new) { Ok(found) } else { Err(PolicyJobError::Other(path)) }
    }

    /// Writes the policy, below the lines of `about` as comments, and the state, each in one step, so that a kill
    /// leaves the last one.
    pub(super) fn save(
        &self,
        about: &[String; 2],
        policy: &Policy,
        training: &impl Serialize,
    ) -> Result<(), FileError> {
        write_atomically(self.out, format!("# {}\n# {}\n{policy}", about[0], about[1]))?;
        let path = self.state();
        write_atomically(&path, toml::to_string(training).map_err(FileError::on("write", &path))?)
    }
}

impl PolicyJob {
    /// Trains on `threads` threads until all generations are done or `stop` is raised, which abandons the current
    /// generation.
    ///
    /// # Errors
    /// [`PolicyJobError`] when a file cannot be used.
    pub fn run(&self, threads: usize, stop: &Stop, progress: &dyn Progress) -> Result<TrainedPolicy, PolicyJobError> {
        let mut training = self.open()?;
        let pool = training.pool();
        let pool: Vec<&dyn PetriProgram> = pool.iter().map(AsRef::as_ref).collect();
        let mut written = Instant::now();
        progress.start(self.generations.into(), training.evolution.generation.into());
        while training.evolution.generation < self.generations {
            let Some(worths) = training.play(&pool, threads, stop) else { break };
            training.learn(&worths);
            progress.set_message(format!("{:.3}", training.worth()));
            progress.set_position(training.evolution.generation.into());
            if written.elapsed() >= SAVE_EVERY {
                self.save(&training)?;
                written = Instant::now();
            }
        }
        self.save(&training)?;
        let (generations, worth) = (training.evolution.generation, training.worth());
        Ok(TrainedPolicy { generations, worth, pool: pool.len() })
    }

    /// The training that was stopped, or a new one.
    fn open(&self) -> Result<PolicyTraining, PolicyJobError> {
        let mut start = self.from.as_deref().map_or_else(|| Ok(Policy::sketch()), read_policy)?;
        if let Some([hp, energy, acidity]) = self.species {
            start.species = Species::new(hp, energy, acidity)?;
        }
        if self.wide {
            start = start.widened();
        }
        let rivals = self.rivals.iter().map(|path| read_policy(path)).collect::<Result<_, _>>()?;
        let mut training = PolicyTraining::new(start, rivals, self.step, self.seed);
        training.bouts = self.bouts.into();
        if !self.dishes.is_empty() {
            training.dishes = self.dishes.iter().map(|&(width, height)| (width, height, 1)).collect();
        }
        self.files().resume(training, PolicyTraining::is_of_one_kind_with)
    }

    fn files(&self) -> TrainingFiles<'_> {
        TrainingFiles { out: &self.out, suffix: ".checkpoint" }
    }

    fn save(&self, training: &PolicyTraining) -> Result<(), FileError> {
        let done = format!("{} generations, worth {:.3}", training.evolution.generation, training.worth());
        self.files().save(&[self.command(), done], &training.policy(), training)
    }

    fn command(&self) -> String {
        let mut command = format!("agon lab train petri --out {}", self.out.display());
        if let Some(from) = &self.from {
            command += &format!(" --from {}", from.display());
        }
        if let Some([hp, energy, acidity]) = self.species {
            command += &format!(" --species {hp}/{energy}/{acidity}");
        }
        if self.wide {
            command += " --wide";
        }
        for rival in &self.rivals {
            command += &format!(" --rival {}", rival.display());
        }
        for (width, height) in &self.dishes {
            command += &format!(" --size {width}x{height}");
        }
        if self.bouts != BOUTS {
            command += &format!(" --games {}", self.bouts);
        }
        command + &format!(" --generations {} --step {} --seed {}", self.generations, self.step, self.seed)
    }
}
