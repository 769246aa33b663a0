//! `agon train petri`: tunes the policy of the champion.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use agon_engines::petri::{Champion, Policy};
use agon_jobs::write_atomically;
use agon_rules::petri::{Setup, Species};
use agon_training::petri::{PolicyTraining, worth};
use anyhow::Context;
use indicatif::ProgressBar;
use serde_json::json;

use super::args::TrainArgs;
use super::checkpoint::Checkpoint;
use super::series::{self, Arena};
use crate::args::{Format, jobs};
use crate::{Answer, signals};

/// How often what has been learned is put on disk.
const SAVED: Duration = Duration::from_secs(10);

/// Tunes until there are as many generations as wanted.
pub fn run(args: &TrainArgs) -> anyhow::Result<Answer> {
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
        Arena { width, height, turns: Setup::TURNS.into() }.setup(args.seed)?;
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
            return Ok(Answer::Stopped);
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
    Ok(Answer::Done)
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
fn save(training: &PolicyTraining, args: &TrainArgs, checkpoint: &Path) -> anyhow::Result<()> {
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
fn command(args: &TrainArgs) -> String {
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
