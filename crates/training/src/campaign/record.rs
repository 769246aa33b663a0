//! Results of a campaign, in human-readable files.

use std::path::{Path, PathBuf};
use std::{fs, io};

use agon_jobs::{FileError, write_atomically};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::gate::GateVerdict;
use super::options::option_flags;

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct CampaignFile {
    pub game: String,
    pub agon: String,
    /// Player of the first games: `classic`, or the first digits of a network's hash.
    pub start: String,
    pub options: Table,
}

impl CampaignFile {
    /// The number that an option is.
    pub fn number(&self, option: &str) -> Option<f64> {
        let value = self.options.get(option)?;
        value.as_float().or_else(|| value.as_integer().map(|number| number as f64))
    }
}

/// Results of one generation; missing parts have not been done yet.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GenerationRecord {
    pub game: String,
    /// Number, from 1.
    pub generation: usize,
    /// The version of the program that began it.
    pub agon: String,
    /// Command that reproduces the network in another folder.
    pub command: String,
    pub accepted: Option<bool>,
    pub selfplay: Option<SelfplayRecord>,
    pub training: Option<TrainingRecord>,
    /// The tests that its network had to pass, until one was not passed.
    #[serde(default)]
    pub gates: Vec<GateRecord>,
    pub options: Table,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SelfplayRecord {
    /// Player: `classic`, or the first digits of a network's hash.
    pub player: String,
    /// Nodes of the search for a move.
    pub nodes: u64,
    pub seed: u64,
    /// How the games were played, according to the file's header.
    pub text: String,
    pub positions: u64,
    /// Games that they come from.
    pub games: u64,
    pub sha256: String,
    /// Positions a second, since the last time that it was started.
    pub per_second: Option<f64>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DataRecord {
    pub generation: usize,
    pub positions: u64,
    pub sha256: String,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingRecord {
    /// From which the order of the positions, and the first weights, were drawn.
    pub seed: u64,
    /// Weight of a search's value in the target.
    pub value_share: f64,
    /// The network whose weights it started from, if they were not drawn: the first digits of its hash.
    pub start: Option<String>,
    pub learnt: usize,
    pub held_out: usize,
    /// Positions left out because a later one has the same board.
    pub duplicates: usize,
    /// Mean squared errors of each epoch: on training data, and on held-out data.
    pub losses: Vec<[f64; 2]>,
    pub network: Option<String>,
    /// Effect of rounding to integers on a value, in hundredths of the game's unit: mean, and maximum.
    pub rounding: Option<[f64; 2]>,
    /// Positions learnt from in a second, since the last time that it was started.
    pub per_second: Option<f64>,
    /// Files, the newest last.
    pub data: Vec<DataRecord>,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GateRecord {
    /// The network it played: `classic`, or the first digits of its hash.
    pub against: String,
    /// Nodes per move, if there was no clock.
    pub nodes: Option<u64>,
    /// Milliseconds of each player for a game.
    pub clock_ms: Option<u64>,
    pub openings: u32,
    pub seed: u64,
    /// Pairs of games with 0, ½, 1, 1½ and 2 points.
    pub counts: [u64; 5],
    /// The Elo difference, with the bounds of its 95 % interval: low, value, high.
    pub elo: [f64; 3],
    pub llr: f64,
    pub verdict: GateVerdict,
}

impl GateRecord {
    pub fn games(&self) -> u64 {
        2 * self.counts.iter().sum::<u64>()
    }
}

impl GenerationRecord {
    pub fn new(campaign: &CampaignFile, generation: usize, agon: &str) -> Self {
        let mut command = format!("agon learn {} --work DIR --generations {generation}", campaign.game);
        for (name, value) in option_flags(&campaign.options) {
            match value.as_str() {
                "true" => command += &format!(" --{name}"),
                "false" => {}
                value => command += &format!(" --{name} {value}"),
            }
        }
        Self {
            game: campaign.game.clone(),
            generation,
            agon: agon.to_owned(),
            command,
            accepted: None,
            selfplay: None,
            training: None,
            gates: Vec::new(),
            options: campaign.options.clone(),
        }
    }

    /// The hash of its network, if it is trained.
    pub fn network(&self) -> Option<&str> {
        self.training.as_ref()?.network.as_deref()
    }
}

/// The ladder of a campaign: the Elo of each generation's network above the campaign's first one, from its first gate;
/// `None` if there was none yet. If all games were won or lost, the finite bound of the interval counts, or 0.
///
/// Each step is measured only against the previous network; sums of such steps are usually larger than the difference
/// between the first and the last network.
pub fn ladder(records: &[GenerationRecord]) -> Vec<Option<f64>> {
    let mut accepted = 0.0;
    let rung = |record: &GenerationRecord| {
        let [low, value, high] = record.gates.first()?.elo;
        let step = match value {
            f64::INFINITY => low.max(0.0),
            f64::NEG_INFINITY => high.min(0.0),
            value => value,
        };
        let elo = accepted + step;
        if record.accepted == Some(true) {
            accepted = elo;
        }
        Some(elo)
    };
    records.iter().map(rung).collect()
}

#[derive(Clone, Debug)]
pub struct CampaignFolder(pub PathBuf);

impl CampaignFolder {
    pub fn campaign(&self) -> PathBuf {
        self.0.join("campaign.toml")
    }

    pub fn lock(&self) -> PathBuf {
        self.0.join("lock")
    }

    pub fn accepted(&self) -> PathBuf {
        self.0.join("accepted.net")
    }

    /// A file of a generation; generation 0 is the starting network.
    pub fn of(&self, generation: usize, ending: &str) -> PathBuf {
        self.0.join(format!("{generation:03}.{ending}"))
    }

    /// Reads a TOML file; `None` when there is none.
    ///
    /// # Errors
    /// [`FileError`] when it cannot be read, or holds something else.
    pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, FileError> {
        match fs::read_to_string(path) {
            Ok(text) => Ok(Some(toml::from_str(&text).map_err(FileError::on("read", path))?)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FileError::on("read", path)(error)),
        }
    }

    /// Writes a TOML file in one step.
    ///
    /// # Errors
    /// [`FileError`] when the system refuses.
    pub fn write(path: &Path, value: &impl Serialize) -> Result<(), FileError> {
        write_atomically(path, toml::to_string(value).map_err(FileError::on("write", path))?)
    }

    /// The records of all generations begun, in their order.
    ///
    /// # Errors
    /// [`FileError`] when one cannot be read.
    pub fn records(&self) -> Result<Vec<GenerationRecord>, FileError> {
        let mut records = Vec::new();
        while let Some(record) = Self::read(&self.of(records.len() + 1, "toml"))? {
            records.push(record);
        }
        Ok(records)
    }
}
