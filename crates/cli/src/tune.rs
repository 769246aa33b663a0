//! `agon tune`: parameters tuned by games of an engine against itself.

use std::io::Write as _;
use std::path::PathBuf;

use agon_jobs::Stop;
use agon_rules::bacteria::Bacteria;
use agon_rules::catalog::Game;
use agon_rules::renju::Renju;
use agon_training::tune::{Tuned, TuningConfig, tune};
use clap::Args;
use serde_json::json;

use crate::exit::Exit;
use crate::options::{BatchArgs, Format, game_of};
use crate::progress::Bar;
use crate::show::{FAINT, STRONG, paint};
use crate::signals;

#[derive(Args, Debug)]
#[command(after_help = TUNE_HELP)]
pub struct TuneArgs {
    /// The game
    #[arg(value_parser = game_of([Game::Bacteria, Game::Renju]))]
    pub game: Game,
    /// How many pairs of games to play
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub steps: u64,
    /// How many nodes to search for each move
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// Instead of nodes, how long each player has for a game, in ms
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub clock: Option<u64>,
    /// Tune only these parameters, separated by commas
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub only: Vec<String>,
    /// File of the run's state; an existing one is resumed
    #[arg(long, value_name = "FILE", default_value = "tune.json")]
    pub state: PathBuf,
    #[command(flatten)]
    pub common: BatchArgs,
}

const TUNE_HELP: &str = "\
In every pair of games all parameters are moved a little, each to a random side, and the engine plays itself with
all of them moved the opposite way; then all go a little towards the winner (SPSA). Ctrl-C keeps the
state; the same command resumes from it. Test the result with `agon sprt`.

Example:
  agon tune bacteria --only late_base,late_slope --steps 5000
  agon tune renju --clock 500 --steps 2000 --state renju.tune.json";

/// Tunes until all steps are made or a signal comes, and prints the parameters.
pub fn run(args: &TuneArgs) -> anyhow::Result<Exit> {
    let config = TuningConfig {
        game: args.game.name().to_owned(),
        names: args.only.clone(),
        steps: args.steps,
        nodes: args.nodes,
        clock: args.clock,
        seed: args.common.seed,
        jobs: args.common.jobs.threads().try_into().unwrap_or(u16::MAX),
    };
    let stop = Stop::default();
    signals::stop(stop.clone())?;
    let bar = Bar::new("{wide_bar} {pos}/{len} pairs {eta}")?;
    let tuned = match args.game {
        Game::Renju => tune::<Renju>(&config, &args.state, &stop, &bar)?,
        _ => tune::<Bacteria>(&config, &args.state, &stop, &bar)?,
    };
    drop(bar);
    print(args.common.output.format, &tuned)?;
    Ok(if tuned.pairs < args.steps { Exit::Stopped } else { Exit::Done })
}

fn print(format: Format, tuned: &Tuned) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    let rows = tuned.parameters.iter();
    match format {
        Format::Json => {
            let rows = rows.map(|(parameter, value)| {
                let range = [parameter.range.start(), parameter.range.end()];
                json!({ "name": parameter.name, "before": parameter.value, "after": value, "range": range })
            });
            let parameters: Vec<_> = rows.collect();
            writeln!(out, "{}", json!({ "pairs": tuned.pairs, "parameters": parameters }))?;
        }
        Format::Text => {
            writeln!(out, "{}", paint(STRONG, format!("{:<20} {:>7} {:>7}  range", "parameter", "before", "after")))?;
            for (parameter, value) in rows {
                let range = paint(FAINT, format!("{} to {}", parameter.range.start(), parameter.range.end()));
                writeln!(out, "{:<20} {:>7} {value:>7}  {range}", parameter.name, parameter.value)?;
            }
            writeln!(out, "after {} pairs of games", tuned.pairs)?;
        }
    }
    Ok(())
}
