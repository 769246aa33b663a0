//! What the commands of the champion are asked with.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::args::{Format, SeriesArgs, size};

#[derive(ClapArgs, Debug)]
#[command(after_help = GAUNTLET_HELP)]
pub struct GauntletArgs {
    /// The program: a species, a source file, or a command in quotes
    #[arg(default_value = "champion")]
    pub program: String,
    /// A policy in place of the program, as `agon train petri` writes them
    #[arg(long, value_name = "FILE", conflicts_with = "program")]
    pub policy: Option<PathBuf>,
    /// Games with every opponent on every dish; the program moves first in the first, third, …
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// A dish; may be given several times
    #[arg(long = "dish", value_name = "WIDTHxHEIGHT", value_parser = size,
          default_values = ["10x4", "20x20", "5x5", "7x12", "13x17", "15x15", "25x8", "31x31"])]
    pub dishes: Vec<(u64, u64)>,
    /// Only these opponents; may be given several times [default: all species and variants]
    #[arg(long = "against", value_name = "PROGRAM")]
    pub against: Vec<String>,
    /// Turns of each player
    #[arg(long, value_name = "N", default_value_t = 150)]
    pub turns: u64,
    /// The answer is no, exit code 1, when it wins less than this share of the games with an opponent on a dish
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub least: Option<u32>,
    #[command(flatten)]
    pub series: SeriesArgs,
}

const GAUNTLET_HELP: &str = "\
The opponents are the ten species and their variants: the same code with other
points (coordinated:4/8/0), or one that rests when it would strike with less
than 3 (coordinated:punch3). Those that the champion was tuned without are
marked; of these dishes, it was tuned on 5x5, 10x4 and 20x20 only.

Examples:
  agon petri gauntlet --games 20
  agon petri gauntlet \"python3 cell.py\" --dish 10x4 --against coordinated
  agon petri gauntlet --policy mine.toml --least 80";

#[derive(ClapArgs, Debug)]
#[command(after_help = TRAIN_HELP)]
pub struct TrainArgs {
    /// The policy to write; beside it, OUT.checkpoint, from which a stopped training goes on
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The policy to start from [default: one written by hand]
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// How it spends its points [default: as the policy that it starts from]
    #[arg(long, value_name = "HP/ENERGY/ACIDITY", value_parser = points)]
    pub species: Option<[u8; 3]>,
    /// A policy that joins the pool of opponents; may be given several times
    #[arg(long = "rival", value_name = "FILE")]
    pub rivals: Vec<PathBuf>,
    /// A dish to tune on, as often as the others named; may be given several times [default: 16 sizes up to 40x40]
    #[arg(long = "dish", value_name = "WIDTHxHEIGHT", value_parser = size)]
    pub dishes: Vec<(u64, u64)>,
    /// Games of every candidate in a generation
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub bouts: u16,
    /// How many generations in all
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub generations: u32,
    /// How far the first samples spread around the start
    #[arg(long, value_name = "X", default_value_t = 0.3)]
    pub step: f64,
    /// The number from which all chance is drawn
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub seed: u64,
    /// How many candidates to try at once; the result is the same [default: one on every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

const TRAIN_HELP: &str = "\
The weights of the champion's policy are tuned by evolution (sep-CMA-ES): in a
generation 24 candidates play the same games on dishes of many sizes against a
pool of species, variants and rivals. Some variants and sizes are held out, for
`agon petri gauntlet` to measure with.

Stopped by Ctrl-C, it goes on when it is called again. The same start, rivals,
dishes, bouts, step and seed give the same policy after as many generations, on any machine.

Example:
  agon train petri --species 4/8/0 --generations 200 --out mine.toml
  agon petri gauntlet --policy mine.toml --games 20";

/// `6/6/0`.
fn points(text: &str) -> Result<[u8; 3], String> {
    let numbers: Result<Vec<u8>, _> = text.split('/').map(str::parse).collect();
    let numbers = numbers.ok().and_then(|numbers| <[u8; 3]>::try_from(numbers).ok());
    numbers.ok_or_else(|| format!("`{text}`: HP/ENERGY/ACIDITY expected, as 6/6/0"))
}
