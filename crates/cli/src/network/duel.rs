//! `agon duel`: two evaluations, or two tunings of the search, against each other within one process.

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use agon_arena::stats::pentanomial::Pentanomial;
use agon_engines::renju;
use agon_game::Position;
use agon_game::seed::Stream;
use agon_rules::catalog::Game;
use agon_rules::renju::Renju;
use agon_search::{Analyst, Stop};
use agon_training::Pace;
use agon_training::bacteria::opening::opening;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::DuelArgs;
use super::player::{BacteriaPlayer, RenjuPlayer};
use super::setting::Setting;
use crate::arena::tables;
use crate::args::{Format, jobs};
use crate::{Answer, signals};

/// Who plays: a name, and an engine for each thread.
struct Contender<P> {
    name: String,
    analyst: Box<dyn Fn() -> Box<dyn Analyst<P>> + Sync>,
}

/// Plays the pairs and prints how much stronger the first is.
pub fn run(args: &DuelArgs) -> anyhow::Result<Answer> {
    let settings = [&args.settings[..], &[]];
    let stream = |number| Stream::new(args.seed.wrapping_add(number), "duel");
    if args.game == Game::Renju {
        let contender = |text: &str, settings: &[Setting]| {
            let (RenjuPlayer { name, evaluation }, tuning) = (RenjuPlayer::read(text)?, Setting::tuning(settings)?);
            let analyst = move || Box::new(renju::Champion::new(evaluation.clone(), tuning)) as Box<dyn Analyst<Renju>>;
            anyhow::Ok(Contender { name, analyst: Box::new(analyst) })
        };
        let contenders = [contender(&args.first, settings[0])?, contender(&args.second, settings[1])?];
        return play(args, &contenders, |number| {
            agon_training::renju::opening::opening(&mut stream(number), args.opening)
        });
    }
    let contender = |text: &str, settings: &[Setting]| {
        let (BacteriaPlayer { name, evaluation }, tuning) = (BacteriaPlayer::read(text)?, Setting::tuning(settings)?);
        anyhow::Ok(Contender { name, analyst: Box::new(move || evaluation.tuned(tuning)) })
    };
    let contenders = [contender(&args.first, settings[0])?, contender(&args.second, settings[1])?];
    play(args, &contenders, |number| opening(&mut stream(number), args.opening, [1, 1]))
}

fn play<P: Position>(
    args: &DuelArgs,
    contenders: &[Contender<P>; 2],
    opening: impl Fn(u64) -> P + Sync,
) -> anyhow::Result<Answer> {
    let pace = Pace::new(args.nodes, args.clock);
    let stop = Stop::default();
    signals::stop(stop.clone())?;
    let bar = ProgressBar::new(args.pairs)
        .with_style(ProgressStyle::with_template("{wide_bar} {pos}/{len} pairs, {eta} left {msg}")?);
    let jobs = jobs(args.jobs);
    let (next, counts) = (AtomicU64::new(0), Mutex::new(Pentanomial::default()));
    thread::scope(|scope| {
        for _ in 0..jobs {
            scope.spawn(|| {
                let [mut a, mut b] = contenders.each_ref().map(|contender| {
                    let mut analyst = (contender.analyst)();
                    pace.prepare(analyst.as_mut());
                    analyst
                });
                while !stop.is_raised() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= args.pairs {
                        return;
                    }
                    let halves = pace.pair([a.as_mut(), b.as_mut()], opening(number));
                    let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
                    counts.add(halves);
                    bar.set_message(tables::interval(&counts.elo(), 0));
                    bar.inc(1);
                }
            });
        }
    });
    bar.finish_and_clear();
    let counts = counts.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut out = anstream::stdout();
    let (elo, score) = (counts.elo(), counts.score());
    let names = contenders.each_ref().map(|contender| contender.name.as_str());
    let set: Vec<String> = args.settings.iter().map(Setting::to_string).collect();
    match args.format {
        Format::Json => writeln!(
            out,
            "{}",
            json!({
                "first": names[0], "set": set, "second": names[1], "pairs": counts.pairs(), "counts": counts.counts,
                "score": score.value, "elo": elo.value, "elo_low": elo.low, "elo_high": elo.high,
            })
        )?,
        Format::Text => {
            let with = if set.is_empty() { String::new() } else { format!(" with {}", set.join(", ")) };
            writeln!(out, "{}{with} against {}: {:.1} % of the points", names[0], names[1], 100.0 * score.value)?;
            writeln!(out, "Elo {}", tables::interval(&elo, 1))?;
            writeln!(out, "{}", tables::pair_counts(&counts))?;
        }
    }
    Ok(if stop.is_raised() { Answer::Stopped } else { Answer::Done })
}
