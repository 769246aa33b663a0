//! The options that determine a campaign.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::schedule::Schedule;
use crate::TrainingConfig;
use crate::selfplay::SelfplayGames;

pub trait CampaignGames: SelfplayGames + PartialEq + Debug + Send + Serialize + DeserializeOwned {
    /// Returns the default options of a campaign for this game.
    fn defaults() -> CampaignOptions<Self>;
}

/// Everything that determines a campaign, under the names of the command line.
#[derive(Clone, PartialEq, Debug, Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CampaignOptions<S> {
    pub seed: u64,
    /// Player of the first games: `champion`, `classic`, or a net file.
    pub net: String,
    /// Positions that a generation adds.
    pub positions: Schedule<u64>,
    /// Nodes of the search for a move in games that are learnt from.
    pub nodes: Schedule<u64>,
    /// Maximum imbalance of an opening in its first search, in hundredths of the game's unit; others are drawn again.
    pub imbalance: i32,
    /// The positions of how many generations, the newest, are learnt from.
    pub window: usize,
    /// Numbers of half the hidden layer.
    pub hidden: usize,
    /// True if networks are invariant under the symmetries of the board.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub symmetric: bool,
    /// Number of times every position is seen.
    pub epochs: u32,
    pub batch: usize,
    /// The learning rate at its highest.
    pub rate: f64,
    pub decay: f64,
    /// Weight of a search's value in the target; the rest is the game's result.
    pub value_share: Schedule<f64>,
    /// λ of the λ-return that is learnt instead of a score. Older campaigns have none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub lambda: f64,
    /// The value, in hundredths of the game's unit, that means odds of e : 1 to win.
    pub scale: i32,
    /// One board in this many is held out.
    pub held_out: usize,
    /// True if training starts from the weights of the newest accepted network instead of random ones.
    pub warm_start: bool,
    /// Nodes of the search for a move in a gate.
    pub gate_nodes: u64,
    /// The most games of a gate at a fixed number of nodes.
    pub gate_games: u64,
    /// Plies of the openings of a gate.
    pub gate_openings: u32,
    /// Milliseconds of each player for a game of the second gate; `None` for no such gate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate_clock: Option<u64>,
    pub gate_clock_games: u64,
    /// Elo difference of the hypothesis that a network is not stronger.
    pub elo0: f64,
    /// The Elo difference of the hypothesis.
    pub elo1: f64,
    /// Probability of accepting a network although the first hypothesis holds.
    pub alpha: f64,
    /// Probability of rejecting one although the second holds.
    pub beta: f64,
    /// Options specific to this game.
    pub games: S,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

/// Games of one seed of a campaign, and more than any generation plays.
const SEED_STEP: u64 = 1_000_000_000_000;
const GENERATION_STEP: u64 = 1_000_000_000;

impl<S: CampaignGames> CampaignOptions<S> {
    /// Creates options with common defaults, given those that differ most from game to game.
    pub fn new(games: S, imbalance: i32, hidden: usize, positions: u64) -> Self {
        Self {
            seed: 1,
            net: "champion".to_owned(),
            positions: Schedule::constant(positions),
            nodes: Schedule::try_from(vec![1_000, 1_000, 5_000]).unwrap_or_else(|_| Schedule::constant(1_000)),
            imbalance,
            window: 5,
            hidden,
            symmetric: false,
            epochs: 12,
            batch: 4_096,
            rate: 0.002,
            decay: 0.0,
            value_share: Schedule::constant(1.0),
            lambda: 0.0,
            scale: 400,
            held_out: 20,
            warm_start: false,
            gate_nodes: 5_000,
            gate_games: 8_000,
            gate_openings: 5,
            gate_clock: None,
            gate_clock_games: 1_000,
            elo0: 0.0,
            elo1: 10.0,
            alpha: 0.05,
            beta: 0.05,
            games,
        }
    }

    /// The seed of a generation. Those of two generations, or of two campaigns, are farther apart than either has
    /// games.
    pub const fn seed(&self, generation: usize) -> u64 {
        self.seed.wrapping_mul(SEED_STEP).wrapping_add((generation as u64).wrapping_mul(GENERATION_STEP))
    }

    pub fn training(&self, generation: usize) -> TrainingConfig {
        TrainingConfig {
            hidden: self.hidden,
            symmetric: self.symmetric,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate as f32,
            decay: self.decay as f32,
            value_share: self.value_share.at(generation) as f32,
            lambda: self.lambda as f32,
            scale: self.scale,
            held_out: self.held_out,
            seed: self.seed(generation),
        }
    }

    /// Converts to the table of a file.
    ///
    /// # Errors
    /// If TOML cannot represent it: a seed that is not a signed 64-bit integer.
    pub fn table(&self) -> Result<Table, toml::ser::Error> {
        Table::try_from(self)
    }

    /// Reads them from a file's table.
    ///
    /// # Errors
    /// The option that is missing, unknown, or of the wrong type.
    pub fn of_table(table: Table) -> Result<Self, toml::de::Error> {
        Value::Table(table).try_into()
    }
}

/// Options as the command line has them: names without their hyphens, and values.
pub fn option_flags(table: &Table) -> Vec<(String, String)> {
    let mut flags = Vec::new();
    for (name, value) in table {
        match value {
            Value::Table(inner) => flags.extend(option_flags(inner)),
            value => flags.push((name.clone(), text(value))),
        }
    }
    flags.sort();
    flags
}

/// A value as the command line has it.
fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(","),
        value => value.to_string(),
    }
}

/// Returns the options in which two tables differ, with the value in each; `none` if one has no value.
pub fn differences(first: &Table, second: &Table) -> Vec<(String, [String; 2])> {
    let [first, second] = [first, second].map(option_flags);
    let value = |flags: &[(String, String)], name: &str| {
        let found = flags.iter().find(|(known, _)| known == name);
        found.map_or_else(|| "none".to_owned(), |(_, value)| value.clone())
    };
    let mut names: Vec<&String> = first.iter().chain(&second).map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    let both = names.into_iter().map(|name| (name.clone(), [value(&first, name), value(&second, name)]));
    both.filter(|(_, [first, second])| first != second).collect()
}
