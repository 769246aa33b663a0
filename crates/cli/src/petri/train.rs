//! `agon train petri`: tunes the policy of the champion.

use std::io::Write as _;
use std::path::PathBuf;

use agon_arena::petri::DishSize;
use agon_jobs::Stop;
use agon_rules::petri::DishSetup;
use agon_training::petri::{PolicyJob, TrainedPolicy};
use clap::Args;
use serde_json::json;

use crate::exit::Exit;
use crate::options::{BoardSize, Format, JobsArgs, OutputArgs, size};
use crate::output;
use crate::progress::Bar;
use crate::signals;

#[derive(Args, Debug)]
#[command(after_help = TRAIN_HELP)]
pub struct PetriTrainArgs {
    /// The policy to write; beside it, OUT.checkpoint, from which a stopped training resumes
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// The policy to start from [default: one written by hand]
    #[arg(long, value_name = "FILE")]
    pub from: Option<PathBuf>,
    /// How it spends its points [default: as the policy that it starts from]
    #[arg(long, value_name = "HP/ENERGY/ACIDITY", value_parser = points)]
    pub species: Option<[u8; 3]>,
    /// A policy that joins the pool of opponents; may be given several times
    #[arg(long = "rival", value_name = "FILE")]
    pub rivals: Vec<PathBuf>,
    /// Size of a dish to tune on, as often as the others named; may be given several times
    /// [default: 16 sizes up to 40x40]
    #[arg(long = "size", alias = "dish", value_name = "WxH", value_parser = size)]
    pub dishes: Vec<BoardSize>,
    /// Games of every candidate in a generation
    #[arg(long, short = 'n', alias = "bouts", value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub games: u16,
    /// How many generations in all
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub generations: u32,
    /// How far the first samples spread around the start
    #[arg(long, value_name = "X", default_value_t = 0.3)]
    pub step: f64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub seed: u64,
    #[command(flatten)]
    pub jobs: JobsArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

const TRAIN_HELP: &str = "\
The weights of the champion's policy are tuned by evolution (sep-CMA-ES): in a
generation 24 candidates play the same games on dishes of many sizes against a
pool of species, variants and rivals. Some variants and sizes are held out, for
`agon petri gauntlet` to measure with.

Stopped by Ctrl-C, it goes on when it is called again. The same start, rivals,
sizes, games, step and seed give the same policy after as many generations, on
any machine.

Example:
  agon train petri --species 4/8/0 --generations 200 --out mine.toml
  agon petri gauntlet --policy mine.toml --games 20";

/// `6/6/0`.
fn points(text: &str) -> Result<[u8; 3], String> {
    let numbers: Result<Vec<u8>, _> = text.split('/').map(str::parse).collect();
    let numbers = numbers.ok().and_then(|numbers| <[u8; 3]>::try_from(numbers).ok());
    numbers.ok_or_else(|| format!("`{text}`: HP/ENERGY/ACIDITY expected, as 6/6/0"))
}

/// Tunes until there are as many generations as wanted.
pub fn run(args: &PetriTrainArgs) -> anyhow::Result<Exit> {
    anyhow::ensure!(args.step > 0.0 && args.step.is_finite(), "--step {}: a positive number expected", args.step);
    for &BoardSize { width, height } in &args.dishes {
        DishSize { width, height, turns: DishSetup::TURNS.into() }.check()?;
    }
    output::check(&args.out, "the policy", false)?;
    let job = PolicyJob {
        out: args.out.clone(),
        from: args.from.clone(),
        species: args.species,
        rivals: args.rivals.clone(),
        dishes: args.dishes.iter().map(|&BoardSize { width, height }| (width as usize, height as usize)).collect(),
        bouts: args.games,
        generations: args.generations,
        step: args.step,
        seed: args.seed,
    };
    let stop = Stop::default();
    signals::stop(stop.clone())?;
    let bar = Bar::new("{wide_bar} {pos}/{len} generations, worth {msg}, {eta} left")?;
    let TrainedPolicy { generations, worth, pool } = job.run(args.jobs.threads(), &stop, &bar)?;
    drop(bar);
    if generations < args.generations {
        anstream::eprintln!("stopped after {generations} generations; the same command goes on");
        return Ok(Exit::Stopped);
    }
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => {
            writeln!(out, "{}", json!({ "generations": generations, "worth": worth, "pool": pool, "out": args.out }))?;
        }
        Format::Text => {
            let out_file = args.out.display();
            writeln!(out, "{generations} generations against {pool} opponents, worth {worth:.3}: {out_file}")?;
            writeln!(out, "measure it with agon petri gauntlet --policy {out_file}")?;
        }
    }
    Ok(Exit::Done)
}
