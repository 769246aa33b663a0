//! `agon train`: a network from positions.

use std::fs;
use std::io::Write as _;
use std::path::Path;
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
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::{TrainArgs, player};
use crate::args::Format;
use crate::{Answer, show, signals};

/// Positions on which the network in 16 bits is held against the one in floating point.
const COMPARED: usize = 20_000;

/// Learns Bacteria War from positions.
pub fn bacteria(args: &TrainArgs) -> anyhow::Result<Answer> {
    run::<BacteriaRecord, Windows>(Game::Bacteria, args)
}

/// Learns renju from positions.
pub fn renju(args: &TrainArgs) -> anyhow::Result<Answer> {
    run::<RenjuRecord, Pairs>(Game::Renju, args)
}

/// Learns what is asked for.
fn run<R, F>(game: Game, args: &TrainArgs) -> anyhow::Result<Answer>
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
            return Ok(Answer::Stopped);
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
    Ok(Answer::Done)
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
