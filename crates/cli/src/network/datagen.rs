//! `agon datagen`: games of an engine against itself, as positions to learn from.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use agon_engines::renju::{Champion, Tuning};
use agon_search::{Analyst, Stop};
use agon_training::dataset::Writer;
use agon_training::generate::generate;
use agon_training::{PositionRecord, bacteria, renju};
use clap::{Args, Subcommand, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::player::{BacteriaPlayer, RenjuPlayer};
use crate::exit::Exit;
use crate::options::{Format, jobs};
use crate::{show, signals};

#[derive(Subcommand, Debug)]
pub enum DatagenCommand {
    /// Positions of Bacteria War
    #[command(after_help = DATAGEN_BACTERIA_HELP)]
    Bacteria(BacteriaDatagenArgs),
    /// Positions of renju
    #[command(after_help = DATAGEN_RENJU_HELP)]
    Renju(RenjuDatagenArgs),
}

const DATAGEN_BACTERIA_HELP: &str = "\
The engine plays itself from random openings. Of every position the file keeps
what the search thought of it and how the game ended, 16 bytes before they are
compressed. The same command gives the same file, however many jobs there are.

Ctrl-C keeps what is finished; the same command goes on from there, and with a
larger --positions a finished file grows.

Example:
  agon datagen bacteria --out data/1.positions --positions 2000000 --nodes 600";

const DATAGEN_RENJU_HELP: &str = "\
The engine plays itself from random stones until a win is found. Of every quiet
position (no five and no win by fours in the air) the file keeps what the search
thought of it and how the game ended, 49 bytes before they are compressed. The
same command gives the same file, however many jobs there are.

Ctrl-C keeps what is finished; the same command goes on from there, and with a
larger --positions a finished file grows.

Example:
  agon datagen renju --out data/1.positions --positions 200000 --nodes 500";

/// What is asked for every game.
#[derive(Args, Debug)]
pub struct DatagenArgs {
    /// The file of positions; one that is there already is gone on with
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// How many positions the file is to have, in all
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub positions: u64,
    /// Nodes of the search for a move: fewer give more positions in the same time, more give better ones
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// Who plays: a net file, `classic` for the evaluation written by hand, or `champion` for what is built in
    #[arg(long, value_name = "NET", default_value = "champion")]
    pub net: String,
    /// The number from which all chance is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many games to play at once [default: one on every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// How to print what was made
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub struct BacteriaDatagenArgs {
    #[command(flatten)]
    pub datagen: DatagenArgs,
    /// The most random plies at the beginning of a game; how many is drawn anew for every game
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = clap::value_parser!(u32).range(0..=60))]
    pub opening: u32,
    /// The most that one side may be ahead after them, in hundredths of a cell
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = clap::value_parser!(i32).range(1..=20_000))]
    pub imbalance: i32,
    /// End a game when both sides find one ahead by this much, in hundredths of a cell
    #[arg(long, value_name = "N", default_value_t = 3_000, value_parser = clap::value_parser!(i32).range(1..=20_000))]
    pub adjudicate: i32,
}

#[derive(Args, Debug)]
pub struct RenjuDatagenArgs {
    #[command(flatten)]
    pub datagen: DatagenArgs,
    /// How the first stones are drawn
    #[arg(long, value_name = "HOW", default_value = "random")]
    pub beginning: Beginning,
    /// The most stones that are drawn at the beginning of a game, from 3; how many is drawn anew for every game.
    /// `practised` draws its own number
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u32).range(3..=30))]
    pub opening: u32,
    /// The most that one side may be ahead after them, in hundredths
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

/// Memory of a player's tables, in bytes: a search of some thousand nodes fills no more.
const TABLE_BYTES: usize = 1 << 20;

/// Plays until the file is full.
pub fn run(command: &DatagenCommand) -> anyhow::Result<Exit> {
    match command {
        DatagenCommand::Bacteria(args) => bacteria(args),
        DatagenCommand::Renju(args) => renju(args),
    }
}

fn bacteria(args: &BacteriaDatagenArgs) -> anyhow::Result<Exit> {
    let &BacteriaDatagenArgs { ref datagen, opening, imbalance, adjudicate } = args;
    let &DatagenArgs { nodes, seed, .. } = datagen;
    let player = BacteriaPlayer::read(&datagen.net)?;
    let text = format!(
        "net {} nodes {nodes} opening {opening} imbalance {imbalance} adjudicate {adjudicate} seed {seed}",
        player.name
    );
    let selfplay = bacteria::Selfplay { nodes, opening, imbalance, adjudicate, seed };
    fill(datagen, &text, bacteria::selfplay::GAMES, |stop| {
        let mut analyst = player.evaluation.analyst();
        analyst.set_memory(TABLE_BYTES);
        move |block| selfplay.block(analyst.as_mut(), block, &stop)
    })
}

fn renju(args: &RenjuDatagenArgs) -> anyhow::Result<Exit> {
    let &RenjuDatagenArgs { ref datagen, beginning, opening, imbalance } = args;
    let &DatagenArgs { nodes, seed, .. } = datagen;
    let player = RenjuPlayer::read(&datagen.net)?;
    let (beginning, how) = match beginning {
        Beginning::Random => (renju::Beginning::Random, ""),
        Beginning::Champions => (renju::Beginning::Champions, "champions "),
        Beginning::Practised => (renju::Beginning::Practised, "practised "),
    };
    let text = format!("net {} nodes {nodes} {how}opening {opening} imbalance {imbalance} seed {seed}", player.name);
    let selfplay = renju::Selfplay { nodes, beginning, opening, imbalance, seed };
    fill(datagen, &text, renju::selfplay::GAMES, |stop| {
        let mut analyst = Champion::new(player.evaluation.clone(), Tuning::default());
        analyst.set_memory(TABLE_BYTES);
        move |block| selfplay.block(&mut analyst, block, &stop)
    })
}

/// Fills a file with the blocks that workers make, of so many games each; `text` says how they are made.
fn fill<R: PositionRecord, W: FnMut(usize) -> Option<Vec<R>>>(
    args: &DatagenArgs,
    text: &str,
    games: usize,
    worker: impl Fn(Stop) -> W + Sync,
) -> anyhow::Result<Exit> {
    let mut writer = Writer::open::<R>(&args.out, text)?;
    let (begun, start) = (writer.records(), Instant::now());
    let stop = Stop::default();
    signals::stop(stop.clone())?;
    let style = ProgressStyle::with_template("{wide_bar} {human_pos}/{human_len} positions, {per_sec}, {eta} left")?;
    // Drawn on standard error, and only on a terminal.
    let bar = ProgressBar::new(args.positions).with_style(style).with_position(begun);
    bar.reset_eta();
    let worker = || worker(stop.clone());
    generate(&mut writer, jobs(args.jobs), args.positions, &stop, worker, |writer| bar.set_position(writer.records()))?;
    bar.finish_and_clear();

    let seconds = start.elapsed().as_secs_f64();
    let (records, games, made) = (writer.records(), writer.blocks() * games, writer.records() - begun);
    let mut out = anstream::stdout();
    match args.format {
        Format::Json => writeln!(
            out,
            "{}",
            json!({ "positions": records, "games": games, "made": made, "seconds": seconds, "text": text })
        )?,
        Format::Text => writeln!(
            out,
            "{}: {} positions of {} games; {} made now, {:.0} a second",
            args.out.display(),
            show::count(records),
            show::count(games as u64),
            show::count(made),
            made as f64 / seconds.max(1e-9)
        )?,
    }
    if stop.is_raised() && records < args.positions {
        anstream::eprintln!("stopped; the same command goes on from here");
        return Ok(Exit::Stopped);
    }
    Ok(Exit::Done)
}
