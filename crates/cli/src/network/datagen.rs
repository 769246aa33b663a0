//! `agon lab datagen`: games of an engine against itself, as positions to learn from.

use std::io::Write as _;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Instant;

use agon_training::bacteria::BacteriaGames;
use agon_training::openings::OpeningPliesError;
use agon_training::renju::{Openings, RenjuGames};
use agon_training::selfplay::{Generated, Selfplay, SelfplayGames};
use agon_training::{Contender, OpeningPlies};
use anyhow::bail;
use clap::{Args, Subcommand, ValueEnum};
use serde_json::json;

use crate::exit::Exit;
use crate::options::{BatchArgs, Format, up_to};
use crate::progress::Bar;
use crate::{output, show, signals};

#[derive(Subcommand, Debug)]
pub(crate) enum DatagenCommand {
    /// Positions of Bacteria War
    #[command(after_help = DATAGEN_BACTERIA_HELP)]
    Bacteria(BacteriaDatagenArgs),
    /// Positions of renju
    #[command(after_help = DATAGEN_RENJU_HELP)]
    Renju(RenjuDatagenArgs),
}

const DATAGEN_BACTERIA_HELP: &str = "\
The engine plays itself from random openings. For every position the file has
the score of the search and the result of the game, in 16 bytes before
compression. The same command gives the same file with any number of jobs.

After Ctrl-C the same command resumes; with a larger --positions it extends a
finished file.

Example:
  agon lab datagen bacteria --out 1.positions --positions 2000000 --nodes 600";

const DATAGEN_RENJU_HELP: &str = "\
The engine plays itself from random stones until it finds a win. For every quiet
position (no five and no win by fours) the file has the score of the search and
the result of the game, in 49 bytes before compression. The same command gives
the same file with any number of jobs.

After Ctrl-C the same command resumes; with a larger --positions it extends a
finished file.

Example:
  agon lab datagen renju --out data/1.positions --positions 200000 --nodes 500";

const DEFAULT_RENJU_OPENINGS: OpeningPlies = OpeningPlies::up_to(9);

#[derive(Args, Debug)]
pub(crate) struct DatagenArgs {
    /// The file of positions to write; an existing one is extended
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Total number of positions in the file
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = up_to::<u64>(1_000_000_000))]
    pub positions: u64,
    /// Nodes of the search for a move: fewer give more positions in the same time, more give better ones
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = up_to::<u64>(1_000_000_000))]
    pub nodes: u64,
    /// The evaluation that plays: a net file, `classic` (hand-written), or `champion` (built in)
    #[arg(long, value_name = "NET", default_value = "champion")]
    pub net: String,
    #[command(flatten)]
    pub common: BatchArgs,
}

#[derive(Args, Debug)]
pub(crate) struct BacteriaDatagenArgs {
    #[command(flatten)]
    pub datagen: DatagenArgs,
    /// Number of random plies at the beginning of a game: the maximum, or minimum and maximum as 6-16; drawn for each
    /// game
    #[arg(long, alias = "opening", value_name = "PLIES", default_value = "12", value_parser = openings(0..=60))]
    pub openings: OpeningPlies,
    /// The maximum lead of one side after them, in hundredths of a cell
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(i32).range(1..=20_000))]
    pub imbalance: i32,
    /// Adjudicate a game when both sides' searches see a lead of this much, in hundredths of a cell
    #[arg(long, value_name = "N", default_value_t = 3_000, value_parser = clap::value_parser!(i32).range(1..=20_000))]
    pub adjudicate: i32,
}

#[derive(Args, Debug)]
pub(crate) struct RenjuDatagenArgs {
    #[command(flatten)]
    pub datagen: DatagenArgs,
    /// How the first stones are drawn
    #[arg(long, value_name = "HOW", default_value = "random")]
    pub beginning: Beginning,
    /// Number of stones drawn at the beginning of a game, at least 3: the maximum, or minimum and maximum as 4-6;
    /// drawn for each game. `practised` draws its own number [default: 9]
    #[arg(long, alias = "opening", value_name = "PLIES", value_parser = openings(3..=30))]
    pub openings: Option<OpeningPlies>,
    /// The maximum lead of one side after them, in hundredths
    #[arg(long, value_name = "N", default_value_t = 150, value_parser = clap::value_parser!(i32).range(1..=20_000))]
    pub imbalance: i32,
}

/// How the first stones of a game of renju are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Beginning {
    /// Anywhere in the middle
    Random,
    /// The champion's first three moves, then one of the best of a short search
    Champions,
    /// A position of the champion's practised book, and up to four stones more, each one of the best of a short search
    Practised,
}

impl From<Beginning> for Openings {
    fn from(beginning: Beginning) -> Self {
        match beginning {
            Beginning::Random => Self::Random,
            Beginning::Champions => Self::Champions,
            Beginning::Practised => Self::Practised,
        }
    }
}

/// Reads how long openings are, within what the game allows.
fn openings(range: RangeInclusive<u32>) -> impl Fn(&str) -> Result<OpeningPlies, String> + Clone {
    move |text| within_game(text.parse().map_err(|error: OpeningPliesError| error.to_string())?, &range)
}

/// Refuses openings that are shorter or longer than the game allows.
pub(super) fn within_game(plies: OpeningPlies, range: &RangeInclusive<u32>) -> Result<OpeningPlies, String> {
    let ends = [plies.least.unwrap_or(plies.most), plies.most];
    match ends.into_iter().find(|end| !range.contains(end)) {
        Some(end) => Err(format!("{end} is not in {}..={}", range.start(), range.end())),
        None => Ok(plies),
    }
}

pub(crate) fn run(command: &DatagenCommand) -> anyhow::Result<Exit> {
    match command {
        DatagenCommand::Bacteria(args) => bacteria(args),
        DatagenCommand::Renju(args) => renju(args),
    }
}

fn bacteria(args: &BacteriaDatagenArgs) -> anyhow::Result<Exit> {
    let &BacteriaDatagenArgs { ref datagen, openings, imbalance, adjudicate } = args;
    fill(datagen, imbalance, BacteriaGames { openings, adjudicate })
}

fn renju(args: &RenjuDatagenArgs) -> anyhow::Result<Exit> {
    let &RenjuDatagenArgs { ref datagen, beginning, openings, imbalance } = args;
    if openings.is_some() && beginning == Beginning::Practised {
        bail!("--beginning practised draws its own number of stones: leave --openings out");
    }
    fill(
        datagen,
        imbalance,
        RenjuGames { beginning: beginning.into(), openings: openings.unwrap_or(DEFAULT_RENJU_OPENINGS) },
    )
}

/// Fills the file with positions of these games.
fn fill<S: SelfplayGames>(args: &DatagenArgs, imbalance: i32, games: S) -> anyhow::Result<Exit> {
    output::check(&args.out, "the positions")?;
    let selfplay = Selfplay { nodes: args.nodes, imbalance, seed: args.common.seed, games };
    let contender = Contender::read(&args.net, Default::default())?;
    let start = Instant::now();
    let stop = signals::stop()?;
    let bar = Bar::new("{wide_bar} {human_pos}/{human_len} positions, {per_sec}, {eta} left")?;
    let generated = selfplay.fill(&args.out, &contender, args.positions, args.common.jobs.threads(), &stop, &bar)?;
    drop(bar);
    let Generated { positions, games, made, text } = generated;
    let seconds = start.elapsed().as_secs_f64();
    let mut out = anstream::stdout();
    match args.common.output.format {
        Format::Json => writeln!(
            out,
            "{}",
            crate::output::json(
                json!({ "positions": positions, "games": games, "made": made, "seconds": seconds, "text": text })
            )
        )?,
        Format::Text => writeln!(
            out,
            "{}: {} positions of {} games; {} made now, {:.0} per second",
            args.out.display(),
            show::count(positions),
            show::count(games as u64),
            show::count(made),
            made as f64 / seconds.max(1e-9)
        )?,
    }
    if stop.is_raised() && positions < args.positions {
        anstream::eprintln!("stopped; the same command resumes");
        return Ok(Exit::Stopped);
    }
    Ok(Exit::Done)
}
