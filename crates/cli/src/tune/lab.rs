//! `agon lab tune`: parameters tuned by games of an engine against itself.

use std::io::Write as _;
use std::path::PathBuf;

use agon_catalog::{Capability, Game};
use agon_rules::bacteria::Bacteria;
use agon_rules::renju::Renju;
use agon_training::tune::{Tuned, TuningConfig, tune};
use clap::Args;
use serde_json::json;

use crate::exit::Exit;
use crate::options::{BatchArgs, Format, even, game_of, up_to};
use crate::progress::Bar;
use crate::show::{FAINT, STRONG, paint};
use crate::span::{A_DAY, TimeSpan, time};
use crate::{output, signals};

#[derive(Args, Debug)]
#[command(after_help = TUNE_HELP)]
pub(crate) struct TuneArgs {
    /// The game
    #[arg(value_parser = game_of(&Game::which_can(Capability::Networks)))]
    pub game: Game,
    /// Number of games, an even number: the parameters move after each pair
    #[arg(long, short = 'n', value_name = "N", default_value_t = 40_000, value_parser = even(200_000_000))]
    pub games: u64,
    /// Pairs of games
    #[arg(long, value_name = "N", hide = true, conflicts_with = "games", value_parser = up_to::<u64>(100_000_000))]
    pub steps: Option<u64>,
    /// Nodes of the search for a move
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = up_to::<u64>(1_000_000_000))]
    pub nodes: u64,
    /// Each player's time for a whole game, instead of a node limit
    #[arg(long, value_name = "TIME", conflicts_with = "nodes", value_parser = time(A_DAY))]
    pub clock: Option<TimeSpan>,
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
SPSA: for each pair of games every parameter is moved a little to a random side,
and the engine plays against itself with every parameter moved the opposite way;
then all parameters move a little towards the winner. After Ctrl-C the same
command resumes. Test the result with `agon sprt`.

Examples:
  agon lab tune bacteria --only lmr_base,lmr_slope --games 10000
  agon lab tune renju --clock 500ms --games 4000 --state renju.tune.json";

/// Tunes until all steps are made or a signal comes, and prints the parameters.
pub(crate) fn run(args: &TuneArgs) -> anyhow::Result<Exit> {
    let steps = args.steps.unwrap_or(args.games / 2);
    output::check(&args.state, "the state")?;
    let config = TuningConfig {
        game: args.game.name().to_owned(),
        names: args.only.clone(),
        steps,
        nodes: args.nodes,
        clock: args.clock.map(TimeSpan::ms),
        seed: args.common.seed,
        jobs: args.common.jobs.threads().try_into().unwrap_or(u16::MAX),
    };
    let stop = signals::stop()?;
    let bar = Bar::new("{wide_bar} {pos}/{len} pairs {eta}")?;
    let tuned = match args.game.name() {
        "renju" => tune::<Renju>(&config, &args.state, &stop, &bar)?,
        _ => tune::<Bacteria>(&config, &args.state, &stop, &bar)?,
    };
    drop(bar);
    print(args.common.output.format, &tuned)?;
    Ok(if tuned.pairs < steps { Exit::Stopped } else { Exit::Done })
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
            writeln!(out, "{}", crate::output::json(json!({ "pairs": tuned.pairs, "parameters": parameters })))?;
        }
        Format::Text => {
            writeln!(out, "{}", paint(STRONG, format!("{:<20} {:>7} {:>7}  range", "parameter", "before", "after")))?;
            for (parameter, value) in rows {
                let range = paint(FAINT, format!("{} to {}", parameter.range.start(), parameter.range.end()));
                writeln!(out, "{:<20} {:>7} {value:>7}  {range}", parameter.name, parameter.value)?;
            }
            writeln!(out, "after {} games", 2 * tuned.pairs)?;
        }
    }
    Ok(())
}
