//! Progress of a campaign, read from its folder, whether it is running or not.

use std::fs;
use std::path::Path;

use agon_jobs::FileError;
use toml::Table;

use super::record::{CampaignFile, CampaignFolder, GenerationRecord};
use super::run::CampaignStep;
use super::schedule::Schedule;
use crate::dataset;

#[derive(Clone, PartialEq, Debug)]
pub struct CampaignStatus {
    pub campaign: CampaignFile,
    /// Generations; the last one may be unfinished.
    pub records: Vec<GenerationRecord>,
    /// Current step, within a generation.
    pub live: Option<LiveStep>,
}

/// A step that is not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LiveStep {
    pub generation: usize,
    pub step: CampaignStep,
    /// Positions, epochs or pairs of games done.
    pub done: u64,
    /// Maximum number of units.
    pub all: u64,
}

impl CampaignStatus {
    /// Reads a folder; `None` if it contains no campaign.
    ///
    /// # Errors
    /// [`FileError`] when a file cannot be read.
    pub fn read(folder: &Path) -> Result<Option<Self>, FileError> {
        let folder = CampaignFolder(folder.to_owned());
        let Some(campaign) = CampaignFolder::read::<CampaignFile>(&folder.campaign())? else { return Ok(None) };
        let records = folder.records()?;
        let live = live(&folder, &campaign.options, &records);
        Ok(Some(Self { campaign, records, live }))
    }
}

/// The step that is not done, if it was begun.
fn live(folder: &CampaignFolder, options: &Table, records: &[GenerationRecord]) -> Option<LiveStep> {
    let list = |name: &str, generation: usize| {
        let values: Vec<u64> = options.get(name)?.clone().try_into().ok()?;
        Some(Schedule::try_from(values).ok()?.at(generation))
    };
    let number = |name: &str| options.get(name)?.as_integer().and_then(|number| u64::try_from(number).ok());
    let last = records.last();
    let Some(record) = last.filter(|record| record.accepted.is_none()) else {
        // The record of a generation is written after its games.
        let generation = last.map_or(1, |record| record.generation + 1);
        let done = dataset::count(&folder.of(generation, "positions"))?;
        let all = list("positions", generation)?;
        return Some(LiveStep { generation, step: CampaignStep::Selfplay, done, all });
    };
    let generation = record.generation;
    if record.network().is_none() {
        let done = record.training.as_ref().map_or(0, |training| training.losses.len() as u64);
        return Some(LiveStep { generation, step: CampaignStep::Training, done, all: number("epochs")? });
    }
    let (step, name, games) = match record.gates.len() {
        0 => (CampaignStep::Gate, "nodes", "gate-games"),
        _ => (CampaignStep::ClockGate, "clock", "gate-clock-games"),
    };
    let lines = fs::read_to_string(folder.of(generation, &format!("{name}.gate"))).unwrap_or_default();
    Some(LiveStep { generation, step, done: lines.lines().count() as u64, all: number(games)? / 2 })
}
