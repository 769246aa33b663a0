//! What the commands that play series share.

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::petri::{PairScore, Pairing, Series};
use agon_referee::limits::GameLimits;
use agon_rules::catalog::Game;
use clap::Args;

use crate::options::{JobsArgs, OutputArgs};
use crate::prepare::prepare;
use crate::progress::Bar;
use crate::span::{A_DAY, TimeSpan, time};

/// How a series of games is played.
#[derive(Args, Debug)]
pub struct SeriesArgs {
    /// Random seed N: game n of a pair has the seed N + n
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// The time of one invocation of a program
    #[arg(long, value_name = "TIME", default_value_t = TimeSpan::of_ms(GameLimits::default().invocation_ms), value_parser = time(A_DAY))]
    pub invocation: TimeSpan,
    /// Memory of each process of a program, in MiB
    #[arg(long, value_name = "MIB", default_value_t = GameLimits::default().memory_mb, value_parser = clap::value_parser!(u64).range(1..=1_048_576))]
    pub memory: u64,
    #[command(flatten)]
    pub jobs: JobsArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

impl SeriesArgs {
    /// The limits that every program is held to.
    pub fn limits(&self) -> GameLimits {
        GameLimits { invocation_ms: self.invocation.ms(), memory_mb: self.memory, ..GameLimits::default() }
    }

    /// A program by the text that names it.
    pub fn program(&self, text: &str) -> anyhow::Result<PreparedAgent> {
        prepare(agents::read(Game::Petri, text)?, &self.limits())
    }

    /// Plays so many games of every pairing, with a bar on a terminal; `None` when a signal stopped them.
    pub fn play(&self, games: u32, pairings: &[Pairing]) -> anyhow::Result<Option<Vec<PairScore>>> {
        let series = Series { games, seed: self.seed, limits: self.limits(), threads: self.jobs.threads() };
        Ok(series.play(pairings, &Bar::new("{wide_bar} {pos}/{len} games, {eta} left")?)?)
    }
}
