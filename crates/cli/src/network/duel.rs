//! `agon duel`: two evaluations, or two tunings of the search, against each other within one process.

use std::io::Write as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use agon_arena::stats::pentanomial::Pentanomial;
use agon_engines::bacteria::opening;
use agon_engines::renju;
use agon_game::Position;
use agon_game::seed::Stream;
use agon_rules::catalog::Game;
use agon_rules::renju::Renju;
use agon_search::{Analyst, Stop};
use agon_training::Pace;
use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;

use super::player::{BacteriaPlayer, RenjuPlayer};
use super::setting::Setting;
use crate::arena::tables;
use crate::exit::Exit;
use crate::options::{Format, game_of, jobs};
use crate::signals;

#[derive(Args, Debug)]
#[command(after_help = DUEL_HELP)]
pub struct DuelArgs {
    /// The game
    #[arg(value_parser = game_of([Game::Bacteria, Game::Renju]))]
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

/// Who plays: a name, and an engine for each thread.
struct Contender<P> {
    name: String,
    analyst: Box<dyn Fn() -> Box<dyn Analyst<P>> + Sync>,
}

/// Plays the pairs and prints how much stronger the first is.
pub fn run(args: &DuelArgs) -> anyhow::Result<Exit> {
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
    play(args, &contenders, |number| opening::position(&mut stream(number), args.opening, [1, 1]))
}

fn play<P: Position>(
    args: &DuelArgs,
    contenders: &[Contender<P>; 2],
    opening: impl Fn(u64) -> P + Sync,
) -> anyhow::Result<Exit> {
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
    Ok(if stop.is_raised() { Exit::Stopped } else { Exit::Done })
}
