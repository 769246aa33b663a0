//! The arguments of `agon lab bench`.

use agon_catalog::{Capability, Game};
use clap::Args;

use crate::amount::mebibytes;
use crate::network::Setting;
use crate::options::{self, OutputArgs, game_of, up_to};
use crate::solve::GoalArg;
use crate::span::{A_DAY, TimeSpan, time};

const BENCH_HELP: &str = "\
bacteria: the node count of a fixed set of positions, which changes only if the
search changes, and nodes per second.

renju: the same, and the speed of placing stones and of the searches for fours
and threats.

domineering: without --goal, three series: win and score of the empty board, and
score after four random plies. Each position is solved with empty tables, on one
core.

Times are CPU times, which other programs do not change.

--threads searches each position on one thread and on N threads in turn, with
empty tables, and measures wall-clock time: nothing else should run meanwhile.

Examples:
  agon lab bench bacteria
  agon lab bench renju --threads 2
  agon lab bench domineering --goal score --boards 50 --time 20s";

#[derive(Args, Debug)]
#[command(
    after_help = BENCH_HELP
)]
pub(crate) struct BenchArgs {
    /// The game
    #[arg(value_parser = game_of(&Game::which_can(Capability::Bench)))]
    pub game: Game,
    /// Depth of the search in plies [default: 14, in renju 4; with --threads 16, in renju 6]
    #[arg(long, value_name = "PLIES", value_parser = up_to::<u32>(30),
          help_heading = options::only_for(Capability::Lines))]
    pub depth: Option<u32>,
    /// Size of the hash table, in MiB [default: 16]
    #[arg(long, alias = "memory", value_name = "MIB", value_parser = mebibytes::<u32>(65_536),
          help_heading = options::only_for(Capability::ParallelSearch))]
    pub hash: Option<u32>,
    /// Compare the search on this number of threads with that on one: nodes a second, and time to the same depth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=1024), conflicts_with = "settings",
          help_heading = options::only_for(Capability::ParallelSearch))]
    pub threads: Option<u16>,
    /// A parameter of the search, `lmr_slope=60`; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = Setting::read,
          help_heading = options::only_for(Capability::ParallelSearch))]
    pub settings: Vec<Setting>,
    /// Number of boards
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = up_to::<u64>(1_000_000),
          help_heading = options::only_for(Capability::Solving))]
    pub boards: u64,
    /// Random seed of the first board; the next ones count up from it
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = options::only_for(Capability::Solving))]
    pub seed: u64,
    /// Measure only this goal
    #[arg(long, value_name = "GOAL", help_heading = options::only_for(Capability::Solving))]
    pub goal: Option<GoalArg>,
    /// Random plies played before solving
    #[arg(long, value_name = "N", default_value_t = 0, requires = "goal",
          help_heading = options::only_for(Capability::Solving))]
    pub plies: u32,
    /// Time limit for one board
    #[arg(long, value_name = "TIME", default_value_t = TimeSpan::from_ms(10_000), value_parser = time(0..=*A_DAY.end()),
          help_heading = options::only_for(Capability::Solving))]
    pub time: TimeSpan,
    /// Node limit for one board, for results that do not depend on the machine
    #[arg(long, value_name = "N", help_heading = options::only_for(Capability::Solving))]
    pub nodes: Option<u64>,
    #[command(flatten)]
    pub output: OutputArgs,
}
