//! `agon tune`: parameters tuned by games of an engine against itself.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::thread;

use agon_engines::bacteria::opening;
use agon_engines::{bacteria, renju};
use agon_game::Position;
use agon_game::seed::Stream;
use agon_jobs::write_atomically;
use agon_rules::catalog::Game;
use agon_search::parameters::{Parameter, Tunable};
use agon_search::{Analyst, Stop};
use agon_training::Pace;
use agon_training::spsa::{Perturbed, Spsa};
use anyhow::{Context, bail};
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::exit::Exit;
use crate::options::{Format, game_of};
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
    /// The number from which openings and changes are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many pairs to play at once [default: one on every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// Where the run is kept; if the file is there, the run goes on from it
    #[arg(long, value_name = "FILE", default_value = "tune.json")]
    pub state: PathBuf,
    /// How to print the parameters
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

const TUNE_HELP: &str = "\
In every pair of games all parameters are moved a little, each to a random side, and the engine plays itself with
all of them moved the opposite way; then all go a little towards the winner (SPSA). Ctrl-C keeps what was learnt;
the same command goes on from there. Prove what comes out with `agon sprt` before believing it.

Example:
  agon tune bacteria --only late_base,late_slope --steps 5000
  agon tune renju --clock 500 --steps 2000 --state renju.tune.json";

/// Stones of an opening of renju.
const STONES: u32 = 6;

/// What is kept of a run between two steps: enough to go on as if it had never been stopped.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct State {
    /// What the run is.
    run: Run,
    /// How many steps were made.
    step: u64,
    /// The values by now, in the order of `run.names`.
    values: Vec<f64>,
}

/// What decides a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
struct Run {
    game: String,
    names: Vec<String>,
    steps: u64,
    nodes: u64,
    #[serde(default)]
    clock: Option<u64>,
    seed: u64,
    jobs: u16,
}

/// What is tuned: an engine that takes these parameters, and the openings that it plays.
struct Engine<P, T> {
    tuned: fn(T) -> Box<dyn Analyst<P>>,
    opening: fn(&mut Stream) -> P,
}

/// Plays, learns and keeps what was learnt, until all steps are made or a signal comes.
pub fn run(args: &TuneArgs) -> anyhow::Result<Exit> {
    if args.game == Game::Renju {
        let tuned = |tuning| Box::new(renju::Champion::new(renju::Evaluation::built_in(), tuning)) as Box<_>;
        return tune(args, &Engine { tuned, opening: |stream| agon_training::renju::opening::opening(stream, STONES) });
    }
    let tuned = |tuning| Box::new(bacteria::Champion::tuned(tuning)) as Box<_>;
    tune(args, &Engine { tuned, opening: |stream| opening::position(stream, opening::PLIES, [1, 1]) })
}

fn tune<P: Position, T: Tunable>(args: &TuneArgs, engine: &Engine<P, T>) -> anyhow::Result<Exit> {
    let parameters = chosen::<T>(&args.only)?;
    let run = Run {
        game: args.game.name().to_owned(),
        names: parameters.iter().map(|parameter| parameter.name.to_owned()).collect(),
        steps: args.steps,
        nodes: args.nodes,
        clock: args.clock,
        seed: args.seed,
        jobs: args.jobs.unwrap_or_else(cores),
    };
    let mut spsa = begin(args, &run, &parameters)?;
    let stop = Stop::default();
    signals::stop(stop.clone())?;

    let style = ProgressStyle::with_template("{wide_bar} {pos}/{len} pairs {eta}")?;
    // Drawn on standard error, and only on a terminal.
    let bar = ProgressBar::new(run.steps).with_style(style).with_position(spsa.step());
    while spsa.step() < run.steps && !stop.is_raised() {
        batch(&mut spsa, &run, &parameters, engine);
        bar.set_position(spsa.step());
        keep(&args.state, &State { run: run.clone(), step: spsa.step(), values: spsa.values().to_vec() })?;
    }
    bar.finish_and_clear();
    print(args.format, &spsa, &parameters)?;
    Ok(if spsa.step() < run.steps { Exit::Stopped } else { Exit::Done })
}

fn cores() -> u16 {
    thread::available_parallelism().map_or(1, |cores| u16::try_from(cores.get()).unwrap_or(u16::MAX))
}

/// The parameters to tune: all, or those named.
fn chosen<T: Tunable>(only: &[String]) -> anyhow::Result<Vec<Parameter>> {
    let table = T::table();
    if let Some(unknown) = only.iter().find(|name| table.iter().all(|parameter| parameter.name != **name)) {
        let names: Vec<&str> = table.iter().map(|parameter| parameter.name).collect();
        bail!("no parameter is called `{unknown}`; there are {}", names.join(", "));
    }
    Ok(table.into_iter().filter(|parameter| only.is_empty() || only.iter().any(|n| n == parameter.name)).collect())
}

/// A new run, or the one in the file gone on with.
fn begin(args: &TuneArgs, run: &Run, parameters: &[Parameter]) -> anyhow::Result<Spsa> {
    let file = &args.state;
    let text = match fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let values = parameters.iter().map(|parameter| f64::from(parameter.value)).collect();
            return Ok(Spsa::new(parameters.to_vec(), values, run.steps));
        }
        Err(error) => return Err(error).with_context(|| format!("cannot read `{}`", file.display())),
    };
    let state: State =
        serde_json::from_str(&text).with_context(|| format!("`{}` is no run of agon tune", file.display()))?;
    if state.run != *run || state.values.len() != parameters.len() {
        bail!("`{}` holds another run: name another file with --state, or repeat its arguments", file.display());
    }
    Ok(Spsa::new(parameters.to_vec(), state.values, run.steps).resumed(state.step))
}

/// One pair of games on each core, and what is learnt from them in their order.
fn batch<P: Position, T: Tunable>(spsa: &mut Spsa, run: &Run, parameters: &[Parameter], engine: &Engine<P, T>) {
    let first = spsa.step();
    let pairs = u64::from(run.jobs).min(run.steps - first);
    let mut played: Vec<(Perturbed, usize)> = Vec::new();
    thread::scope(|scope| {
        let games = (0..pairs).map(|i| {
            // A stream of its own for each step: what it draws does not depend on where the run was stopped.
            let mut stream = Stream::new(run.seed, &format!("tune {}", first + i));
            let perturbed = spsa.perturb(&mut stream);
            scope.spawn(move || {
                let halves = pair(&perturbed, parameters, run, engine, &mut stream);
                (perturbed, halves)
            })
        });
        let games: Vec<_> = games.collect();
        played.extend(games.into_iter().filter_map(|game| game.join().ok()));
    });
    for (perturbed, halves) in played {
        spsa.learn(&perturbed, halves as f64 - 2.0);
    }
}

fn pair<P: Position, T: Tunable>(
    perturbed: &Perturbed,
    parameters: &[Parameter],
    run: &Run,
    engine: &Engine<P, T>,
    stream: &mut Stream,
) -> usize {
    let pace = Pace::new(run.nodes, run.clock);
    let analyst = |values: &[i32]| {
        let mut tuning = T::default();
        for (parameter, value) in parameters.iter().zip(values) {
            if let Some(place) = tuning.place(parameter.name) {
                *place = *value;
            }
        }
        let mut analyst = (engine.tuned)(tuning);
        pace.prepare(analyst.as_mut());
        analyst
    };
    let (mut first, mut second) = (analyst(&perturbed.plus), analyst(&perturbed.minus));
    pace.pair([first.as_mut(), second.as_mut()], (engine.opening)(stream))
}

/// Writes all that is needed to go on.
fn keep(file: &Path, state: &State) -> anyhow::Result<()> {
    write_atomically(file, serde_json::to_string_pretty(state)?)
        .with_context(|| format!("cannot write `{}`", file.display()))
}

fn print(format: Format, spsa: &Spsa, parameters: &[Parameter]) -> anyhow::Result<()> {
    let mut out = anstream::stdout();
    let rows = parameters.iter().zip(spsa.rounded());
    match format {
        Format::Json => {
            let rows = rows.map(|(parameter, value)| {
                let range = [parameter.range.start(), parameter.range.end()];
                json!({ "name": parameter.name, "before": parameter.value, "after": value, "range": range })
            });
            let parameters: Vec<_> = rows.collect();
            writeln!(out, "{}", json!({ "pairs": spsa.step(), "parameters": parameters }))?;
        }
        Format::Text => {
            writeln!(out, "{}", paint(STRONG, format!("{:<20} {:>7} {:>7}  range", "parameter", "before", "after")))?;
            for (parameter, value) in rows {
                let range = paint(FAINT, format!("{} to {}", parameter.range.start(), parameter.range.end()));
                writeln!(out, "{:<20} {:>7} {value:>7}  {range}", parameter.name, parameter.value)?;
            }
            writeln!(out, "after {} pairs of games", spsa.step())?;
        }
    }
    Ok(())
}
