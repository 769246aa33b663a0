//! `agon train petri`: tunes the policy of the champion.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agon_engines::petri::{Champion, Policy};
use agon_jobs::write_atomically;
use agon_rules::petri::{DishSetup, Species};
use agon_training::petri::{PolicyTraining, worth};
use anyhow::Context;
use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;

use super::checkpoint::Checkpoint;
use super::series::{self, Arena, size};
use crate::exit::Exit;
use crate::options::{Format, jobs};
use crate::signals;

#[derive(Args, Debug)]
#[command(after_help = TRAIN_HELP)]
pub struct PetriTrainArgs {
    /// The policy to write; beside it, OUT.checkpoint, from which a stopped training goes on
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
    /// A dish to tune on, as often as the others named; may be given several times [default: 16 sizes up to 40x40]
    #[arg(long = "dish", value_name = "WIDTHxHEIGHT", value_parser = size)]
    pub dishes: Vec<(u64, u64)>,
    /// Games of every candidate in a generation
    #[arg(long, value_name = "N", default_value_t = 32, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    pub bouts: u16,
    /// How many generations in all
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub generations: u32,
    /// How far the first samples spread around the start
    #[arg(long, value_name = "X", default_value_t = 0.3)]
    pub step: f64,
    /// The number from which all chance is drawn
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    pub seed: u64,
    /// How many candidates to try at once; the result is the same [default: one on every core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: Option<u16>,
    /// How to print the result
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub format: Format,
}

const TRAIN_HELP: &str = "\
The weights of the champion's policy are tuned by evolution (sep-CMA-ES): in a
generation 24 candidates play the same games on dishes of many sizes against a
pool of species, variants and rivals. Some variants and sizes are held out, for
`agon petri gauntlet` to measure with.

Stopped by Ctrl-C, it goes on when it is called again. The same start, rivals,
dishes, bouts, step and seed give the same policy after as many generations, on any machine.

Example:
  agon train petri --species 4/8/0 --generations 200 --out mine.toml
  agon petri gauntlet --policy mine.toml --games 20";

/// `6/6/0`.
fn points(text: &str) -> Result<[u8; 3], String> {
    let numbers: Result<Vec<u8>, _> = text.split('/').map(str::parse).collect();
    let numbers = numbers.ok().and_then(|numbers| <[u8; 3]>::try_from(numbers).ok());
    numbers.ok_or_else(|| format!("`{text}`: HP/ENERGY/ACIDITY expected, as 6/6/0"))
}

/// How often what has been learned is put on disk.
const SAVED: Duration = Duration::from_secs(10);

/// Tunes until there are as many generations as wanted.
pub fn run(args: &PetriTrainArgs) -> anyhow::Result<Exit> {
    let mut start = match &args.from {
        Some(file) => policy(file)?,
        None => Policy::sketch(),
    };
    if let Some([hp, energy, acidity]) = args.species {
        start.species = Species::new(hp, energy, acidity)?;
    }
    let rivals = args.rivals.iter().map(|file| policy(file)).collect::<anyhow::Result<Vec<Policy>>>()?;
    anyhow::ensure!(args.step > 0.0 && args.step.is_finite(), "--step {}: a positive number expected", args.step);
    for &(width, height) in &args.dishes {
        Arena { width, height, turns: DishSetup::TURNS.into() }.setup(args.seed)?;
    }
    let mut training = PolicyTraining::new(start, rivals, args.step, args.seed);
    training.bouts = args.bouts.into();
    if !args.dishes.is_empty() {
        training.dishes = args.dishes.iter().map(|&(width, height)| (width as usize, height as usize, 1)).collect();
    }
    let checkpoint = checkpoint(&args.out);
    if checkpoint.exists() {
        training = resumed(&checkpoint, &training)?;
    }
    signals::watch()?;
    let jobs = jobs(args.jobs);
    let bar = series::bar(u64::from(args.generations), "{wide_bar} {pos}/{len} generations, worth {msg}, {eta} left")?;
    bar.set_position(training.evolution.generation.into());
    bar.reset_eta();
    let mut saved = Instant::now();
    while training.evolution.generation < args.generations {
        let (pool, trials, candidates) = (training.pool(), training.trials(), training.candidates());
        let worths = series::tasks(candidates.len(), jobs, &ProgressBar::hidden(), |at| {
            let champion = Champion::following(candidates[at].clone());
            Ok(trials.iter().map(|trial| worth(&champion, pool[trial.opponent].as_ref(), trial)).collect())
        })?;
        let Some(worths) = worths else {
            save(&training, args, &checkpoint)?;
            bar.finish_and_clear();
            anstream::eprintln!(
                "stopped after {} generations; the same command goes on",
                training.evolution.generation
            );
            return Ok(Exit::Stopped);
        };
        training.learn(&worths);
        bar.set_message(format!("{:.3}", training.worth()));
        bar.inc(1);
        if saved.elapsed() >= SAVED {
            save(&training, args, &checkpoint)?;
            saved = Instant::now();
        }
    }
    save(&training, args, &checkpoint)?;
    bar.finish_and_clear();
    let (generations, worth, pool) = (training.evolution.generation, training.worth(), training.pool().len());
    let mut out = anstream::stdout();
    match args.format {
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

/// Reads a policy.
pub fn policy(file: &Path) -> anyhow::Result<Policy> {
    let text = fs::read_to_string(file).with_context(|| file.display().to_string())?;
    Policy::read(&text).with_context(|| file.display().to_string())
}

/// Where a training is kept.
fn checkpoint(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".checkpoint");
    name.into()
}

/// The training that was stopped, if it is the one that is wanted.
fn resumed(checkpoint: &Path, wanted: &PolicyTraining) -> anyhow::Result<PolicyTraining> {
    let name = checkpoint.display();
    let text = fs::read_to_string(checkpoint).with_context(|| name.to_string())?;
    let refused = || format!("{name} is no checkpoint of this version: remove it");
    let found: Checkpoint = toml::from_str(&text).with_context(refused)?;
    let found = PolicyTraining::try_from(found).with_context(refused)?;
    let same = found.is_of_one_kind_with(wanted);
    anyhow::ensure!(
        same,
        "{name} is of another start, rivals, dishes, bouts, step or seed: remove it, or choose another --out"
    );
    Ok(found)
}

/// Writes the policy and the checkpoint, each in one step, so that a kill leaves the last one.
fn save(training: &PolicyTraining, args: &PetriTrainArgs, checkpoint: &Path) -> anyhow::Result<()> {
    let mut text = format!("# {}\n", command(args));
    text += &format!("# {} generations, worth {:.3}\n", training.evolution.generation, training.worth());
    text += &training.policy().to_string();
    for (file, text) in
        [(args.out.as_path(), text), (checkpoint, toml::to_string(&Checkpoint::from(training.clone()))?)]
    {
        write_atomically(file, text).with_context(|| format!("cannot write `{}`", file.display()))?;
    }
    Ok(())
}

/// The command that does the same again.
fn command(args: &PetriTrainArgs) -> String {
    let mut command = format!("agon train petri --out {}", args.out.display());
    if let Some(from) = &args.from {
        command += &format!(" --from {}", from.display());
    }
    if let Some([hp, energy, acidity]) = args.species {
        command += &format!(" --species {hp}/{energy}/{acidity}");
    }
    for rival in &args.rivals {
        command += &format!(" --rival {}", rival.display());
    }
    for (width, height) in &args.dishes {
        command += &format!(" --dish {width}x{height}");
    }
    if args.bouts != 32 {
        command += &format!(" --bouts {}", args.bouts);
    }
    command + &format!(" --generations {} --step {} --seed {}", args.generations, args.step, args.seed)
}
