//! `agon lab duel`: two evaluations, or two tunings of the search, against each other in one process.

use std::io::Write as _;

use agon_arena::stats::pentanomial::Pentanomial;
use agon_catalog::{Capability, Game};
use agon_jobs::Progress as _;
use agon_rules::bacteria::Bacteria;
use agon_rules::renju::Renju;
use agon_training::duel::{self, Duel};
use agon_training::{Contender, TrainedGame};
use clap::Args;
use serde_json::json;

use super::setting::Setting;
use crate::arena::tables;
use crate::exit::Exit;
use crate::options::{BatchArgs, Format, even, game_of, up_to};
use crate::progress::Bar;
use crate::signals;
use crate::span::{A_DAY, TimeSpan, time};

#[derive(Args, Debug)]
#[command(after_help = DUEL_HELP)]
pub(crate) struct DuelArgs {
    /// The game
    #[arg(value_parser = game_of(&Game::which_can(Capability::Networks)))]
    pub game: Game,
    /// A net file, `classic` or `champion`; in renju `champion`
    pub first: String,
    /// Its opponent
    pub second: String,
    /// Number of games, even: each opening is played twice, with the seats swapped
    #[arg(long, short = 'n', value_name = "N", default_value_t = 400, value_parser = even(2_000_000))]
    pub games: u64,
    /// Pairs of games
    #[arg(long, value_name = "N", hide = true, conflicts_with = "games", value_parser = up_to::<u64>(1_000_000))]
    pub pairs: Option<u64>,
    /// Nodes of the search for a move
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = up_to::<u64>(1_000_000_000))]
    pub nodes: u64,
    /// Each player's time for a whole game, instead of a node limit
    #[arg(long, value_name = "TIME", conflicts_with = "nodes", value_parser = time(A_DAY))]
    pub clock: Option<TimeSpan>,
    /// A parameter of the first player's search, `lmr_slope=60`; may be given several times. A wrong name lists all
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = Setting::read)]
    pub settings: Vec<Setting>,
    /// Random plies before a game; in renju stones near the middle
    #[arg(long, alias = "opening", value_name = "PLIES", default_value_t = 5,
          value_parser = clap::value_parser!(u32).range(0..=60))]
    pub openings: u32,
    #[command(flatten)]
    pub common: BatchArgs,
}

const DUEL_HELP: &str = "\
Both players have the same search, except for the parameters that --set changes
for the first: the games show what a part of the search is worth. Every opening
is random, and played twice with the seats swapped, within this process and
without a judge. `agon sprt` stops by itself, and tests programs.

Examples:
  agon lab duel bacteria nets/mine.net champion --nodes 10000
  agon lab duel bacteria champion champion --set nmp_depth=99 --nodes 10000
  agon lab duel renju champion champion --set fours_nodes=300 --nodes 100000";

pub(crate) fn run(args: &DuelArgs) -> anyhow::Result<Exit> {
    if args.game == Game::RENJU { play::<Renju>(args) } else { play::<Bacteria>(args) }
}

fn play<G: TrainedGame>(args: &DuelArgs) -> anyhow::Result<Exit> {
    let contenders = [
        Contender::<G>::read(&args.first, Setting::tuning(&args.settings)?)?,
        Contender::read(&args.second, G::Tuning::default())?,
    ];
    let names = contenders.each_ref().map(|contender| contender.name.clone());
    let (pairs, opening) = (args.pairs.unwrap_or(args.games / 2), args.openings);
    let duel = Duel {
        contenders,
        task: duel::task(args.nodes, args.clock.map(TimeSpan::ms)),
        pairs,
        opening,
        seed: args.common.seed,
    };
    let stop = signals::stop()?;
    let bar = Bar::new("{wide_bar} {pos}/{len} pairs, {eta} left {msg}")?;
    bar.start(pairs, 0);
    let mut counts = Pentanomial::default();
    duel.play(args.common.jobs.threads(), &stop, |halves| {
        counts.add(halves);
        bar.set_message(tables::interval(&counts.elo(), 0));
        bar.set_position(counts.pairs());
    });
    drop(bar);
    let mut out = anstream::stdout();
    let (elo, score) = (counts.elo(), counts.score());
    let set: Vec<String> = args.settings.iter().map(Setting::to_string).collect();
    match args.common.output.format {
        Format::Json => writeln!(
            out,
            "{}",
            crate::output::json(json!({
                "first": names[0], "set": set, "second": names[1], "pairs": counts.pairs(), "counts": counts.counts,
                "score": score.value, "elo": elo.value, "elo_low": elo.low, "elo_high": elo.high,
            }))
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
