//! `agon petri score`: the contest's score of two programs.

use std::io::Write as _;

use agon_rules::petri::DishSetup;
use clap::Args;
use serde_json::json;

use super::series::{self, Arena, Competitor, SeriesArgs};
use crate::exit::Exit;
use crate::options::{DishArgs, Format};
use crate::show::{self, paint};
use crate::signals;

#[derive(Args, Debug)]
#[command(after_help = SCORE_HELP)]
pub struct ScoreArgs {
    /// The first program: a species (see `agon games`), a source file, or a command in quotes
    pub a: String,
    /// The second program
    pub b: String,
    /// How many games; the first program moves first in the first, third, …
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    #[command(flatten)]
    pub dish: DishArgs,
    #[command(flatten)]
    pub series: SeriesArgs,
}

const SCORE_HELP: &str = "\
Draws count for nobody. With --format json:
  {\"wins\": [a, b], \"draws\": d, \"games\": n, \"width\": w, \"height\": h, …}

Example:
  agon petri score agents/petri/sample.py amoeba --games 20";

/// Plays the games and counts the wins.
pub fn run(args: &ScoreArgs) -> anyhow::Result<Exit> {
    let arena = Arena {
        width: args.dish.width.unwrap_or(DishSetup::WIDTH as u64),
        height: args.dish.height.unwrap_or(DishSetup::HEIGHT as u64),
        turns: args.dish.turns.unwrap_or(DishSetup::TURNS.into()),
    };
    arena.setup(args.series.seed)?;
    let limits = series::limits(&args.series);
    let pair = [Competitor::read(&args.a, &limits)?, Competitor::read(&args.b, &limits)?];
    signals::watch()?;
    let games = series::all(args.games as usize, &args.series, |n| {
        series::game(pair.each_ref(), arena, args.series.seed, n as u32, &limits)
    })?;
    let Some(games) = games else { return Ok(Exit::Stopped) };
    let mut wins = [0_u32; 2];
    let mut faults: [Option<&str>; 2] = [None, None];
    for played in &games {
        if let Some(winner) = played.winner {
            wins[winner] += 1;
        }
        for (at, fault) in &played.faults {
            faults[*at].get_or_insert(fault);
        }
    }
    let draws = args.games - wins[0] - wins[1];
    let mut out = anstream::stdout();
    match args.series.format {
        Format::Json => {
            let line = json!({
                "wins": wins, "draws": draws, "games": args.games, "width": arena.width, "height": arena.height,
                "turns": arena.turns, "seed": args.series.seed, "faults": faults,
            });
            writeln!(out, "{line}")?;
        }
        Format::Text => {
            let names = pair.each_ref().map(|competitor| &competitor.name);
            let line = format!("{} {} : {} {}", names[0], wins[0], wins[1], names[1]);
            let dish = format!("{} × {}", arena.width, arena.height);
            writeln!(out, "{}   {draws} draws in {} games on {dish}", paint(show::STRONG, line), args.games)?;
            for (name, fault) in names.into_iter().zip(faults).filter_map(|(name, fault)| Some((name, fault?))) {
                writeln!(out, "{} {fault}", paint(show::ERROR, format!("{name} failed:")))?;
            }
        }
    }
    Ok(Exit::Done)
}
