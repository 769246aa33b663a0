//! `agon petri score`: ALPHANO's score of two programs.

use std::io::Write as _;

use agon_arena::agents;
use agon_arena::petri::{DishSize, PairScore, SeriesScores};
use agon_rules::petri::DishSetup;
use clap::Args;
use serde_json::json;

use super::series::SeriesArgs;
use crate::exit::Exit;
use crate::options::{BoardSize, DishArgs, Format, size, up_to};
use crate::progress::Bar;
use crate::show::{self, paint};

#[derive(Args, Debug)]
#[command(after_help = SCORE_HELP)]
pub(crate) struct ScoreArgs {
    /// The first program: a species (see `agon games`), a source file, or a command in quotes
    pub a: String,
    /// The second program
    pub b: String,
    /// Number of games; the first program moves first in odd-numbered games
    #[arg(long, short = 'n', value_name = "N", default_value_t = 100, value_parser = up_to::<u32>(1_000_000))]
    pub games: u32,
    /// Size of the dish: 10x4 is 10 wide and 4 high, 6 a square [default: 10x4]
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<BoardSize>,
    #[command(flatten)]
    pub dish: DishArgs,
    #[command(flatten)]
    pub series: SeriesArgs,
}

const SCORE_HELP: &str = "\
A draw is a win for neither side. Ctrl-C abandons the games in progress and
prints the score so far. With --format json:
  {\"wins\": [a, b], \"draws\": d, \"games\": n, \"width\": w, \"height\": h, …}

Example:
  agon petri score agents/petri/sample.py amoeba --games 20";

pub(super) fn run(args: &ScoreArgs) -> anyhow::Result<Exit> {
    let dish = DishSize {
        width: args.size.map(|size| size.width).or(args.dish.width).unwrap_or(DishSetup::WIDTH as u64),
        height: args.size.map(|size| size.height).or(args.dish.height).unwrap_or(DishSetup::HEIGHT as u64),
        turns: args.dish.turns.unwrap_or(DishSetup::TURNS.into()),
    };
    dish.check()?;
    let Some(programs) = args.series.programs(&[&args.a, &args.b], dish)? else { return Ok(Exit::Stopped) };
    let pair = [&programs[0], &programs[1]];
    let names = agents::distinct_names(&pair);
    // JSON has the times, and nothing else is printed then.
    let mut advised = [matches!(args.series.output.format, Format::Json); 2];
    // Said as soon as it is known: a series of slow starts takes hours.
    let mut advise = |bar: &Bar, sum: &PairScore| {
        for at in [0, 1] {
            if let (false, Some(advice)) = (advised[at], sum.startup[at].advice(&names[at])) {
                advised[at] = true;
                let words = show::folded("", &format!("{} {advice} (docs/petri.md)", paint(show::WARN, "slow:")));
                bar.suspend(|| anstream::eprintln!("{words}"));
            }
        }
    };
    let SeriesScores { scores, stopped } = args.series.play_on(args.games, &[(pair, dish)], &mut advise)?;
    let PairScore { games, wins, faults, startup } = &scores[0];
    let (games, draws) = (*games, games - wins[0] - wins[1]);
    let mut out = anstream::stdout();
    match args.series.output.format {
        Format::Json => {
            let starting = startup.map(|startup| startup.starting.as_millis() as u64);
            let line = json!({
                "wins": wins, "draws": draws, "games": games, "stopped": stopped, "starting_ms": starting,
                "width": dish.width, "height": dish.height,
                "turns": dish.turns, "seed": args.series.seed, "faults": faults,
            });
            writeln!(out, "{}", crate::output::json(line))?;
        }
        Format::Text => {
            let line = format!("{} {} : {} {}", names[0], wins[0], wins[1], names[1]);
            let size = format!("{} × {}", dish.width, dish.height);
            let (draws, games) = (show::counted(draws.into(), "draw"), show::counted(games.into(), "game"));
            writeln!(out, "{}   {draws} in {games} on {size}", paint(show::STRONG, line))?;
            if stopped {
                let words = format!("stopped: {} were asked for", show::counted(args.games.into(), "game"));
                writeln!(out, "{}", paint(show::WARN, words))?;
            }
            for (name, fault) in names.iter().zip(faults).filter_map(|(name, fault)| Some((name, fault.as_ref()?))) {
                writeln!(out, "{} {fault}", paint(show::ERROR, format!("{name} failed:")))?;
            }
        }
    }
    Ok(if stopped { Exit::Stopped } else { Exit::Done })
}
