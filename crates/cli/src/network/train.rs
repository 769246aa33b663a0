//! `agon train`: a network from positions.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use agon_engines::bacteria::Windows;
use agon_engines::renju::Pairs;
use agon_rules::catalog::Game;
use agon_search::Stop;
use agon_search::nnue::Features;
use agon_training::bacteria::BacteriaRecord;
use agon_training::export::{Difference, compare};
use agon_training::renju::RenjuRecord;
use agon_training::{Epoch, PositionRecord, Trainer, TrainingConfig, curve, dataset};
use anyhow::Context;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::player;
use crate::exit::Exit;
use crate::options::Format;
use crate::{show, signals};

#[derive(Args, Debug)]
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

/// Positions on which the network in 16 bits is held against the one in floating point.
const COMPARED: usize = 20_000;

/// Learns Bacteria War from positions.
pub fn bacteria(args: &TrainArgs) -> anyhow::Result<Exit> {
    run::<BacteriaRecord, Windows>(Game::Bacteria, args)
}

/// Learns renju from positions.
pub fn renju(args: &TrainArgs) -> anyhow::Result<Exit> {
    run::<RenjuRecord, Pairs>(Game::Renju, args)
}

/// Learns what is asked for.
fn run<R, F>(game: Game, args: &TrainArgs) -> anyhow::Result<Exit>
where
    R: PositionRecord,
    F: Features<R::Position, Board = R::Board>,
{
    let beginning = args.from.as_deref().map(|text| player::network(game, text)).transpose()?;
    let mut records = Vec::new();
    let mut sources = String::new();
    for path in &args.data {
        let (read, text) = dataset::read::<R>(path)?;
        sources += &format!("data {}: {} positions of {}\n", file_name(path), read.len(), text.replace('\n', ", "));
        records.extend(read);
    }
    if let Some(jobs) = args.jobs {
        rayon::ThreadPoolBuilder::new().num_threads(jobs.into()).build_global().context("the threads to learn on")?;
    }
    let hidden = beginning.as_ref().map_or(args.hidden, |network| network.shape().hidden);
    let mut trainer = Trainer::<R, F>::new(records, config(args, hidden));
    if let Some(network) = &beginning {
        trainer = trainer.starting_from(network).with_context(|| args.from.clone().unwrap_or_default())?;
        sources += &format!("begun as net {}\n", network.hash());
    }
    let checkpoint = args.out.with_extension("checkpoint");
    trainer.resume(&checkpoint)?;
    let [training, validation] = trainer.counts();
    anyhow::ensure!(
        training > 0 && validation > 0,
        "{training} positions to learn from and {validation} held out: make more with `agon datagen {game}`"
    );
    let mut out = anstream::stdout();
    if args.format == Format::Text {
        writeln!(
            out,
            "{} positions to learn, {} held out, {} epochs done",
            show::count(training as u64),
            show::count(validation as u64),
            trainer.epochs().len()
        )?;
        writeln!(out, "{:>5} {:>11} {:>11}", "epoch", "learnt from", "held out")?;
    }
    let stop = Stop::default();
    signals::stop(stop.clone())?;
    while !trainer.is_done() {
        let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} steps, {eta}")?);
        let epoch = trainer.epoch(|step, steps| {
            bar.set_length(steps as u64);
            bar.set_position(step as u64);
            !stop.is_raised()
        });
        bar.finish_and_clear();
        let Some(epoch) = epoch else {
            anstream::eprintln!("stopped; the same command goes on from the last whole epoch");
            return Ok(Exit::Stopped);
        };
        trainer.save(&checkpoint)?;
        tell(&mut out, args.format, trainer.epochs().len(), epoch)?;
    }
    let last = trainer.epochs().last().copied().context("no epoch")?;
    let history = format!(
        "agon train {game}{}\n{sources}{} positions learnt from, {} held out\n\
         mean squared error in points: {:.6} learnt from, {:.6} held out\n",
        options(args),
        training,
        validation,
        last.training,
        last.validation
    );
    let network = Arc::new(trainer.model().quantised(args.scale, history.clone())?);
    let difference = compare(&trainer, &network, COMPARED);
    write(&args.out, &network.write())?;
    let history = format!("{history}{}sha256 {}\n", quantisation(difference), network.hash());
    write(&args.out.with_extension("txt"), history.as_bytes())?;
    let title = format!("{} positions, hidden layer 2 × {}", show::count(training as u64), hidden);
    write(&args.out.with_extension("svg"), curve::svg(&title, trainer.epochs()).as_bytes())?;
    fs::remove_file(&checkpoint).with_context(|| checkpoint.display().to_string())?;
    match args.format {
        Format::Json => writeln!(
            out,
            "{}",
            json!({
                "net": network.hash(), "training": last.training, "validation": last.validation,
                "mean_difference": difference.mean, "largest_difference": difference.most,
            })
        )?,
        Format::Text => writeln!(out, "{}{}", quantisation(difference), args.out.display())?,
    }
    Ok(Exit::Done)
}

fn config(args: &TrainArgs, hidden: usize) -> TrainingConfig {
    TrainingConfig {
        hidden,
        epochs: args.epochs,
        batch: args.batch as usize,
        rate: args.rate,
        decay: args.decay,
        value_share: args.value_share,
        scale: args.scale,
        held_out: args.held_out.into(),
        seed: args.seed,
    }
}

/// The options that decide the network, as they are given.
fn options(args: &TrainArgs) -> String {
    let beginning = match &args.from {
        Some(net) => format!("--from {}", file_name(Path::new(net))),
        None => format!("--hidden {}", args.hidden),
    };
    format!(
        " {beginning} --epochs {} --batch {} --rate {} --decay {} --value-share {} --scale {} --held-out {} --seed {}",
        args.epochs, args.batch, args.rate, args.decay, args.value_share, args.scale, args.held_out, args.seed
    )
}

/// What a file is called wherever it lies.
fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.display().to_string())
}

fn quantisation(difference: Difference) -> String {
    format!(
        "16 bits against floating point, in hundredths: mean {:.2}, most {:.2} over {} positions\n",
        difference.mean, difference.most, difference.positions
    )
}

fn tell(out: &mut impl std::io::Write, format: Format, number: usize, epoch: Epoch) -> std::io::Result<()> {
    let Epoch { training, validation } = epoch;
    match format {
        Format::Json => {
            writeln!(out, "{}", json!({ "epoch": number, "training": training, "validation": validation }))
        }
        Format::Text => writeln!(out, "{number:>5} {training:>11.6} {validation:>11.6}"),
    }
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    fs::write(path, bytes).with_context(|| path.display().to_string())
}
