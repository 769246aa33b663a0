//! What the commands that make networks are asked.

use std::path::PathBuf;

use agon_rules::catalog::Game;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::setting::Setting;
use crate::args::Format;

#[derive(Subcommand, Debug)]
pub enum DatagenCommand {
    /// Positions of Bacteria War
    #[command(after_help = DATAGEN_BACTERIA_HELP)]
    Bacteria(BacteriaDatagenArgs),
    /// Positions of renju
    #[command(after_help = DATAGEN_RENJU_HELP)]
    Renju(RenjuDatagenArgs),
}

/// What is asked for every game.
#[derive(ClapArgs, Debug)]
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

#[derive(ClapArgs, Debug)]
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

#[derive(ClapArgs, Debug)]
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

#[derive(ClapArgs, Debug)]
pub struct TrainArgs {
    /// A file of positions; may be given several times
    #[arg(long, value_name = "FILE", required = true)]
    pub data: Vec<PathBuf>,
    /// The net file to write; beside it a .txt with its history, and a .svg with its losses
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Begin with a net file, or with `champion`, instead of chance; its size is kept
    #[arg(long, value_name = "NET", conflicts_with = "hidden")]
    pub from: Option<String>,
    /// Numbers of half the hidden layer: a multiple of 32
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = hidden)]
    pub hidden: usize,
    /// How often every position is seen, each time under a random symmetry of the board
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub epochs: u32,
    /// Positions of a step
    #[arg(long, value_name = "N", default_value_t = 4_096, value_parser = clap::value_parser!(u32).range(16..=1 << 20))]
    pub batch: u32,
    /// The learning rate at its highest
    #[arg(long, value_name = "X", default_value_t = 0.002, value_parser = within::<0, 1>)]
    pub rate: f32,
    /// The weight decay
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = within::<0, 1>)]
    pub decay: f32,
    /// The share of the search's value in what is learnt; the rest is the result of the game
    #[arg(long, value_name = "X", default_value_t = 0.7, value_parser = within::<0, 1>)]
    pub value_share: f32,
    /// The value, in hundredths (of a cell in Bacteria War), that means odds of e : 1 to win
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(i32).range(1..=100_000))]
    pub scale: i32,
    /// One game of so many is kept to see what was learnt
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(2..=10_000))]
    pub held_out: u16,
    /// The number from which all chance is drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// On how many cores to learn [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// How to print the epochs
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

pub const TRAIN_BACTERIA_HELP: &str = "\
After every epoch the state is kept beside the net file (.checkpoint); the same
command goes on from it after Ctrl-C. The same command gives the same network,
on any number of cores.

Example:
  agon train bacteria --data data/1.positions --out nets/mine.net
  agon sprt bacteria champion \"agon agent bacteria champion\"";

pub const TRAIN_RENJU_HELP: &str = "\
After every epoch the state is kept beside the net file (.checkpoint); the same
command goes on from it after Ctrl-C. The same command gives the same network,
on any number of cores.

Example:
  agon train renju --data data/1.positions --out nets/mine.net --hidden 32
  agon duel renju nets/mine.net classic";

#[derive(ClapArgs, Debug)]
#[command(after_help = DUEL_HELP)]
pub struct DuelArgs {
    /// The game
    #[arg(value_parser = duelling())]
    pub game: Game,
    /// A net file, `classic` or `champion`; in renju `champion`
    pub first: String,
    /// Another
    pub second: String,
    /// How many pairs of games
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub pairs: u64,
    /// Nodes of the search for a move
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub nodes: u64,
    /// A clock for the whole game, in milliseconds, instead of counting nodes
    #[arg(long, value_name = "MS", conflicts_with = "nodes", value_parser = clap::value_parser!(u64).range(1..=86_400_000))]
    pub clock: Option<u64>,
    /// A parameter of the first player's search, `late_slope=60`; may be given several times. A wrong name lists them
    /// all
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = Setting::read)]
    pub settings: Vec<Setting>,
    /// Random plies before a game; in renju stones near the middle
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(0..=60))]
    pub opening: u32,
    /// The number from which openings are drawn
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many games to play at once [default: one on every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

const DUEL_HELP: &str = "\
Both have the same search, but for what --set changes in the first player's: so
what a part of it is worth is seen by playing without it. A pair is two games from one random opening with the
seats swapped; games are played within this process, without a judge. For a test
that stops by itself, and for programs, see `agon sprt`.

Example:
  agon duel bacteria nets/mine.net champion --nodes 10000
  agon duel bacteria champion champion --set null_depth=99 --nodes 10000
  agon duel renju champion champion --set fours=300 --nodes 100000";

/// Games whose champion can play itself.
fn duelling() -> impl TypedValueParser<Value = Game> {
    PossibleValuesParser::new([Game::Bacteria, Game::Renju].map(Game::name))
        .map(|name| if name == Game::Renju.name() { Game::Renju } else { Game::Bacteria })
}

fn hidden(text: &str) -> Result<usize, String> {
    let hidden = text.parse().ok().filter(|hidden: &usize| hidden.is_multiple_of(32) && (32..=1024).contains(hidden));
    hidden.ok_or_else(|| format!("`{text}`: a multiple of 32 from 32 to 1024 expected"))
}

/// A number between two.
fn within<const LOW: u16, const HIGH: u16>(text: &str) -> Result<f32, String> {
    let range = f32::from(LOW)..=f32::from(HIGH);
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("`{text}`: a number from {LOW} to {HIGH} expected"))
}
