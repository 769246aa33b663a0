//! How a plan is played: how many bouts at once, on which processors.

use std::path::Path;

use agon_referee::signing::PrivateKey;

use super::cores;
use super::error::RunError;
use crate::agents;
use crate::plan::{Entrant, Plan};

/// Whether workers are bound to processors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Affinity {
    /// Each worker to its own, if there are enough.
    #[default]
    Auto,
    /// The operating system schedules all of them.
    None,
}

/// How to play a plan. Nothing here affects the result of a bout, so a run may be resumed with other options.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunOptions {
    /// How many bouts at once, from 1.
    pub concurrency: usize,
    /// Processors for each agent, from 1: as many as it has threads. Where there are too few for that, both agents of a
    /// bout share as many, since they take turns.
    pub threads: usize,
    /// Whether workers are bound to processors.
    pub affinity: Affinity,
    /// Play even with fewer processors than the bouts need; clocks then measure the machine.
    pub force: bool,
    /// The key that signs every record, if any.
    pub sign: Option<PrivateKey>,
    /// The folder for the log of every game, if one is wanted; [`agon_referee::process::keep_log`] must have been
    /// called.
    pub log: Option<&'static Path>,
}

impl Default for RunOptions {
    fn default() -> Self {
        Self { concurrency: 1, threads: 1, affinity: Affinity::Auto, force: false, sign: None, log: None }
    }
}

impl RunOptions {
    /// Checks that there are enough processors, before anything is begun.
    ///
    /// # Errors
    /// [`RunError::Idle`] and [`RunError::Crowded`].
    pub fn check(&self) -> Result<(), RunError> {
        self.processors_of_workers().map(drop)
    }

    /// Checks that no agent of a plan searches on more threads than it has processors.
    ///
    /// # Errors
    /// [`RunError::Threads`].
    pub fn check_threads(&self, plan: &Plan) -> Result<(), RunError> {
        let of = |entrant: &Entrant| agents::parse(plan.game, &entrant.agent).map_or(1, |spec| spec.threads());
        match plan.agents.iter().map(|entrant| (entrant, of(entrant))).find(|&(_, threads)| threads > self.threads) {
            Some((entrant, threads)) => {
                Err(RunError::Threads { name: entrant.name.clone(), threads, processors: self.threads })
            }
            None => Ok(()),
        }
    }

    /// The processors of each worker, `threads` for both its agents or twice as many; an empty list when workers are
    /// not bound.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub fn processors_of_workers(&self) -> Result<Vec<Vec<usize>>, RunError> {
        let Self { concurrency, threads, affinity, force, .. } = *self;
        if concurrency == 0 || threads == 0 {
            return Err(RunError::Idle { concurrency, threads });
        }
        let cores = cores::allowed();
        // Each agent to its own, so that one which thinks on the other's time does not slow it.
        let apart = cores::share(&cores, concurrency, threads.saturating_mul(2));
        match apart.or_else(|| cores::share(&cores, concurrency, threads)) {
            None if !force => Err(RunError::Crowded { concurrency, threads, cores: cores.len() }),
            Some(shares) if affinity == Affinity::Auto => Ok(shares),
            _ => Ok(Vec::new()),
        }
    }
}
