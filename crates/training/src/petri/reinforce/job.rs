//! The training of a network from its files to its files.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_engines::petri::Policy;
use agon_jobs::{FileError, Progress, Stop};

use super::super::campaign::{PolicyJobError, TrainingFiles, read_policy};
use super::learner::{LearningRules, Reinforcement};

/// Interval between saves of the training state.
const SAVE_EVERY: Duration = Duration::from_secs(30);

#[derive(Clone, PartialEq, Debug)]
pub struct ReinforcementJob {
    /// Policy to write, with its network. The state of a stopped training is beside it, with the suffix `.checkpoint`.
    pub out: PathBuf,
    /// The policy to start from; the best attacker known when there is none.
    pub from: Option<PathBuf>,
    /// Policies that it plays besides itself; by default the known attackers.
    pub rivals: Vec<PathBuf>,
    /// Rules of the training.
    pub rules: LearningRules,
    pub iterations: u32,
}

impl ReinforcementJob {
    /// Trains on `threads` threads until all iterations are done or `stop` is raised, which abandons the current one.
    ///
    /// # Errors
    /// [`PolicyJobError`] when a file cannot be used.
    pub fn run(&self, threads: usize, stop: &Stop, progress: &dyn Progress) -> Result<Reinforcement, PolicyJobError> {
        let mut training = self.open()?;
        let mut written = Instant::now();
        progress.start(self.iterations.into(), training.iteration.into());
        while training.iteration < self.iterations {
            let Some(seen) = training.advance(threads, stop) else { break };
            progress.set_message(format!("{:.3}, entropy {:.3}", training.worth(), seen.entropy));
            progress.set_position(training.iteration.into());
            if written.elapsed() >= SAVE_EVERY {
                self.save(&training)?;
                written = Instant::now();
            }
        }
        self.save(&training)?;
        Ok(training)
    }

    /// The training that was stopped, or a new one.
    fn open(&self) -> Result<Reinforcement, PolicyJobError> {
        let known = Policy::attackers();
        let base = self.from.as_deref().map_or_else(|| Ok(known[0].clone()), read_policy)?;
        let rivals = match &*self.rivals {
            [] => known,
            files => files.iter().map(|path| read_policy(path)).collect::<Result<_, _>>()?,
        };
        let new = Reinforcement::new(base, rivals, self.rules.clone());
        self.files().resume(new, Reinforcement::is_of_one_kind_with)
    }

    fn files(&self) -> TrainingFiles<'_> {
        TrainingFiles { out: &self.out, suffix: ".checkpoint" }
    }

    fn save(&self, training: &Reinforcement) -> Result<(), FileError> {
        let done = format!("{} iterations, worth {:.3}", training.iteration, training.worth());
        self.files().save(&[self.command(), done], &training.policy(), training)
    }

    fn command(&self) -> String {
        let mut command = format!("agon lab train petri --network --out {}", self.out.display());
        if let Some(from) = &self.from {
            command += &format!(" --from {}", from.display());
        }
        for rival in &self.rivals {
            command += &format!(" --rival {}", rival.display());
        }
        let LearningRules { dishes, games, temperature, rate, seed, .. } = &self.rules;
        for (width, height) in dishes.iter().filter(|_| *dishes != LearningRules::default().dishes) {
            command += &format!(" --size {width}x{height}");
        }
        command += &format!(" --games {games} --generations {}", self.iterations);
        command + &format!(" --temperature {temperature} --rate {rate} --seed {seed}")
    }
}
