//! A league from its files to its files.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use agon_engines::petri::Policy;
use agon_jobs::{FileError, Progress, Stop, write_atomically};

use super::campaign::{PolicyJobError, read_policy};
use super::league::{League, LeagueRules};

/// How often what has been learned is put on disk.
const SAVE_EVERY: Duration = Duration::from_secs(20);

/// A league, and where it is kept.
#[derive(Clone, PartialEq, Debug)]
pub struct LeagueJob {
    /// Where the main policy is written. Beside it, its name followed by `.league`, lies the population, from which a
    /// stopped league goes on.
    pub out: PathBuf,
    /// The policies of the first population; when there are none, those that a stopped league began with, and the
    /// attackers that are known for a new one.
    pub founders: Vec<PathBuf>,
    /// What decides it beside them.
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
        let path = self.population();
        if !path.exists() {
            return Ok(new);
        }
        let text = fs::read_to_string(&path).map_err(FileError::on("read", &path))?;
        let found: League = toml::from_str(&text).map_err(FileError::on("go on with", &path))?;
        // Founders that are not named are those it has: the attackers known may have changed since.
        let alike = if self.founders.is_empty() { found.rules == new.rules } else { found.is_of_one_kind_with(&new) };
        if alike { Ok(found) } else { Err(PolicyJobError::Other(path)) }
    }

    /// Where a league is kept.
    fn population(&self) -> PathBuf {
        let mut name = self.out.as_os_str().to_owned();
        name.push(".league");
        name.into()
    }

    /// Writes the main policy and the population, each in one step, so that a kill leaves the last one.
    fn save(&self, league: &League) -> Result<(), FileError> {
        let main = league.main();
        let mut text = format!("# {}\n", self.command());
        text += &format!("# member {main} after {} rounds, floor {:.3}\n", league.round, league.floor(main));
        text += &league.members[main].policy.to_string();
        write_atomically(&self.out, text)?;
        let path = self.population();
        write_atomically(&path, toml::to_string(league).map_err(FileError::on("write", &path))?)
    }

    /// The command that does the same again.
    fn command(&self) -> String {
        let mut command = format!("agon train petri --league --out {}", self.out.display());
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
