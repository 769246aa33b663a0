//! A league from its files to its files.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_engines::petri::Policy;
use agon_jobs::{FileError, Progress, Stop};

use super::campaign::{PolicyJobError, TrainingFiles, read_policy};
use super::league::{League, LeagueRules};

/// Interval between saves of the training state.
const SAVE_EVERY: Duration = Duration::from_secs(20);

#[derive(Clone, PartialEq, Debug)]
pub struct LeagueJob {
    /// File for the main policy. The population, from which a stopped league resumes, is beside it, with the suffix
    /// `.league`.
    pub out: PathBuf,
    /// The policies of the first population; if empty, those with which a stopped league began, or the known attackers
    /// for a new one.
    pub founders: Vec<PathBuf>,
    /// Rules of the league.
    pub rules: LeagueRules,
    pub rounds: u32,
}

impl LeagueJob {
    /// Runs on `threads` threads until all rounds are over or `stop` is raised.
    ///
    /// # Errors
    /// [`PolicyJobError`] when a file cannot be used.
    pub fn run(&self, threads: usize, stop: &Stop, progress: &dyn Progress) -> Result<League, PolicyJobError> {
        let mut league = self.open()?;
        let mut written = Instant::now();
        progress.start(self.rules.generations_of(self.rounds), league.generations());
        while league.round < self.rounds && league.advance(threads, stop) {
            progress.set_position(league.generations());
            let main = league.main();
            progress.set_message(format!("main {main} {:.2}", league.floor(main)));
            if written.elapsed() >= SAVE_EVERY {
                self.save(&league)?;
                written = Instant::now();
            }
        }
        // The last member has not met the others yet.
        league.settle(threads, stop);
        self.save(&league)?;
        Ok(league)
    }

    /// The league that was stopped, or a new one.
    fn open(&self) -> Result<League, PolicyJobError> {
        let founders = match &*self.founders {
            [] => Policy::attackers(),
            files => files.iter().map(|path| read_policy(path)).collect::<Result<_, _>>()?,
        };
        let new = League::new(founders, self.rules.clone());
        // Founders that are not named are those it has: the attackers known may have changed since.
        let same_rules: fn(&League, &League) -> bool = |found, new| found.rules == new.rules;
        self.files().resume(new, if self.founders.is_empty() { same_rules } else { League::is_of_one_kind_with })
    }

    fn files(&self) -> TrainingFiles<'_> {
        TrainingFiles { out: &self.out, suffix: ".league" }
    }

    fn save(&self, league: &League) -> Result<(), FileError> {
        let main = league.main();
        let done = format!("member {main} after {} rounds, floor {:.3}", league.round, league.floor(main));
        self.files().save(&[self.command(), done], &league.members[main].policy, league)
    }

    fn command(&self) -> String {
        let mut command = format!("agon lab train petri --league --out {}", self.out.display());
        for founder in &self.founders {
            command += &format!(" --rival {}", founder.display());
        }
        let LeagueRules { species, dishes, bouts, generations, main_generations, wide, step, noise, seed } =
            &self.rules;
        for [hp, energy, acidity] in species {
            command += &format!(" --species {hp}/{energy}/{acidity}");
        }
        for (width, height) in dishes {
            command += &format!(" --size {width}x{height}");
        }
        if *wide {
            command += " --wide";
        }
        if let Some(generations) = main_generations {
            command += &format!(" --main-generations {generations}");
        }
        command += &format!(" --games {bouts} --rounds {} --generations {generations}", self.rounds);
        command + &format!(" --step {step} --noise {noise} --seed {seed}")
    }
}
