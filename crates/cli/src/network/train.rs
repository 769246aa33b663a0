//! `agon lab train`: a network from positions.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::str::FromStr;

use agon_rules::bacteria::Bacteria;
use agon_rules::renju::Renju;
use agon_training::network::{NetworkTraining, TrainedNetwork, TrainingEvent, train};
use agon_training::{Epoch, TrainedGame, TrainingConfig};
use clap::Args;
use serde_json::json;

use crate::exit::Exit;
use crate::options::{BatchArgs, Format, up_to};
use crate::progress::Bar;
use crate::{output, show, signals};

#[derive(Args, Debug)]
pub(crate) struct TrainArgs {
    /// A file of positions; may be given several times
    #[arg(long, value_name = "FILE", required = true)]
    pub data: Vec<PathBuf>,
    /// The net file to write; beside it a .txt with its history, and a .svg with its losses
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Start from a net file or `champion` instead of random weights, and keep its size and symmetry
    #[arg(long, value_name = "NET", conflicts_with = "hidden")]
    pub from: Option<String>,
    /// Size of half the hidden layer: a multiple of 32, with --symmetric of 256 [default: 64, with --symmetric 256]
    #[arg(long, value_name = "N", value_parser = hidden)]
    pub hidden: Option<usize>,
    /// Make the network symmetric, as the board is: it learns more from the same positions; only for Bacteria War
    #[arg(long)]
    pub symmetric: bool,
    /// Learn the values that a net file or `champion` gives each position and two random plies after it, averaged over
    /// the symmetries of the board, instead of scores and results; given several times, the mean of these networks
    #[arg(long, value_name = "NET", conflicts_with_all = ["lambda", "value_share"])]
    pub teacher: Vec<String>,
    /// Epochs: how often every position is used, each time under a random symmetry of the board
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = up_to::<u32>(10_000))]
    pub epochs: u32,
    /// Batch size: positions per step
    #[arg(long, value_name = "N", default_value_t = 4_096, value_parser = clap::value_parser!(u32).range(16..=1 << 20))]
    pub batch: u32,
    /// Maximum learning rate
    #[arg(long, value_name = "X", default_value_t = 0.002, value_parser = within::<f32, 0, 1>)]
    pub rate: f32,
    /// The weight decay
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = within::<f32, 0, 1>)]
    pub decay: f32,
    /// Weight of the search's score in the training target; the rest is the game result
    #[arg(long, value_name = "X", default_value_t = 0.7, value_parser = within::<f32, 0, 1>)]
    pub value_share: f32,
    /// λ of λ-returns: each score is averaged with those after it in its game and with the result, and what scores
    /// mean is fitted to the results of each file; 0 is the score alone, which means what --scale says
    #[arg(long, value_name = "X", default_value_t = 0.0, value_parser = within::<f32, 0, 1>)]
    pub lambda: f32,
    /// The value, in hundredths (of a cell in Bacteria War), that means odds of e : 1 to win
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(i32).range(1..=1_000))]
    pub scale: i32,
    /// Hold out one board of N for validation
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(2..=10_000))]
    pub held_out: u16,
    #[command(flatten)]
    pub common: BatchArgs,
}

pub(crate) const TRAIN_BACTERIA_HELP: &str = "\
Of several positions with the same board, up to symmetries, the last is used.
After every epoch the state is saved beside the net file (.checkpoint); the same
command resumes from it after Ctrl-C. The same command gives the same network on
any number of cores.

Example:
  agon lab train bacteria --data data/1.positions --out nets/mine.net
  agon lab duel bacteria nets/mine.net champion";

pub(crate) const TRAIN_RENJU_HELP: &str = "\
Of several positions with the same board, up to symmetries, the last is used.
After every epoch the state is saved beside the net file (.checkpoint); the same
command resumes from it after Ctrl-C. The same command gives the same network on
any number of cores.

Example:
  agon lab train renju --data data/1.positions --out nets/mine.net --hidden 32
  agon lab duel renju nets/mine.net classic";

pub(super) fn hidden(text: &str) -> Result<usize, String> {
    let hidden = text.parse().ok().filter(|hidden: &usize| hidden.is_multiple_of(32) && (32..=1024).contains(hidden));
    hidden.ok_or_else(|| format!("`{text}`: a multiple of 32 from 32 to 1024 expected"))
}

/// Reads a number from `LOW` to `HIGH`.
pub(super) fn within<T: FromStr + PartialOrd + From<u16>, const LOW: u16, const HIGH: u16>(
    text: &str,
) -> Result<T, String> {
    let range = T::from(LOW)..=T::from(HIGH);
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("`{text}`: a number from {LOW} to {HIGH} expected"))
}

/// Learns Bacteria War from positions.
pub(crate) fn bacteria(args: &TrainArgs) -> anyhow::Result<Exit> {
    run::<Bacteria>(args)
}

/// Learns renju from positions.
pub(crate) fn renju(args: &TrainArgs) -> anyhow::Result<Exit> {
    run::<Renju>(args)
}

fn run<G: TrainedGame>(args: &TrainArgs) -> anyhow::Result<Exit> {
    output::check(&args.out, "the network")?;
    let job = NetworkTraining {
        data: args.data.clone(),
        out: args.out.clone(),
        from: args.from.clone(),
        teachers: args.teacher.clone(),
        config: TrainingConfig {
            hidden: args.hidden.unwrap_or(if args.symmetric { 256 } else { 64 }),
            symmetric: args.symmetric,
            epochs: args.epochs,
            batch: args.batch as usize,
            rate: args.rate,
            decay: args.decay,
            // The values of a teacher take the place of scores.
            value_share: if args.teacher.is_empty() { args.value_share } else { 1.0 },
            lambda: args.lambda,
            scale: args.scale,
            held_out: args.held_out.into(),
            seed: args.common.seed,
        },
        jobs: args.common.jobs.jobs.map(usize::from),
    };
    let stop = signals::stop()?;
    let bar = Bar::new("{wide_bar} {pos}/{len} steps, {eta}")?;
    let mut listener = |event: TrainingEvent| bar.suspend(|| print(args.common.output.format, event));
    let trained = train::<G>(&job, &stop, &bar, &mut listener)?;
    drop(bar);
    if trained.is_some() {
        job.remove_checkpoint()?;
    }
    let Some(TrainedNetwork { hash, last, difference }) = trained else {
        anstream::eprintln!("stopped; the same command resumes from the last whole epoch");
        return Ok(Exit::Stopped);
    };
    let mut out = anstream::stdout();
    match args.common.output.format {
        Format::Json => writeln!(
            out,
            "{}",
            crate::output::json(json!({
                "net": hash, "training": last.training, "validation": last.validation,
                "mean_difference": difference.mean, "largest_difference": difference.most,
            }))
        )?,
        Format::Text => writeln!(out, "{difference}\n{}", args.out.display())?,
    }
    Ok(Exit::Done)
}

fn print(format: Format, event: TrainingEvent) -> io::Result<()> {
    let mut out = anstream::stdout();
    match (format, event) {
        (Format::Json, TrainingEvent::Started { .. }) => Ok(()),
        (Format::Text, TrainingEvent::Started { training, validation, duplicates, epochs }) => {
            let counts = [training, validation, duplicates].map(|positions| show::count(positions as u64));
            let [training, validation, duplicates] = counts;
            writeln!(out, "{training} positions to learn, {validation} held out, {duplicates} duplicates left out")?;
            if !epochs.is_empty() {
                writeln!(out, "{} done before", show::counted(epochs.len() as u64, "epoch"))?;
            }
            writeln!(out, "{:>5} {:>11} {:>11}", "epoch", "learnt from", "held out")
        }
        (Format::Json, TrainingEvent::Epoch { number, epoch: Epoch { training, validation } }) => {
            writeln!(
                out,
                "{}",
                crate::output::json(json!({ "epoch": number, "training": training, "validation": validation }))
            )
        }
        (Format::Text, TrainingEvent::Epoch { number, epoch: Epoch { training, validation } }) => {
            writeln!(out, "{number:>5} {training:>11.6} {validation:>11.6}")
        }
    }
}
