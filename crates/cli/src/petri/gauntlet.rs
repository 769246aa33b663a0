//! `agon petri gauntlet`: one program against every species and variant.

use std::io::Write as _;
use std::path::PathBuf;

use agon_arena::agents::PreparedAgent;
use agon_arena::petri::{DishSize, Pairing};
use agon_engines::petri::{Champion, SPECIES, VARIANTS};
use agon_referee::text::line;
use agon_training::petri::read_policy;
use clap::Args;
use serde_json::{Value, json};

use super::series::SeriesArgs;
use crate::exit::Exit;
use crate::options::{BoardSize, Format, size, up_to};
use crate::show::{self, paint};
use crate::table::{self, TableLook};

#[derive(Args, Debug)]
#[command(after_help = GAUNTLET_HELP)]
pub(crate) struct GauntletArgs {
    /// The program: a species, a source file, a folder of them, or a command in quotes
    #[arg(default_value = "champion")]
    pub program: String,
    /// A policy file of `agon lab train petri`, in place of the program
    #[arg(long, value_name = "FILE", conflicts_with = "program")]
    pub policy: Option<PathBuf>,
    /// Games against every opponent on every dish; the program moves first in odd-numbered games
    #[arg(long, short = 'n', value_name = "N", default_value_t = 100, value_parser = up_to::<u32>(1_000_000))]
    pub games: u32,
    /// Size of a dish, 10x4 or 6 for a square; may be given several times
    #[arg(long = "size", alias = "dish", value_name = "WxH", value_parser = size,
          default_values = ["10x4", "20x20", "5x5", "7x12", "13x17", "15x15", "25x8", "31x31"])]
    pub dishes: Vec<BoardSize>,
    /// Only these opponents; may be given several times [default: all species and variants]
    #[arg(long = "against", value_name = "PROGRAM")]
    pub against: Vec<String>,
    /// Turns of each player
    #[arg(long, value_name = "N", default_value_t = 150)]
    pub turns: u64,
    /// Exit with code 1 if it wins less than this share of its games against any opponent on any dish
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub least: Option<u32>,
    #[command(flatten)]
    pub series: SeriesArgs,
}

const GAUNTLET_HELP: &str = "\
The opponents are the ten species and their variants: the same code with other
points (coordinated:4/8/0), or one that rests instead of striking with less than
3 (coordinated:punch3). A star marks those held out of the champion's tuning.

Examples:
  agon petri gauntlet --games 20
  agon petri gauntlet \"python3 cell.py\" --size 10x4 --against coordinated
  agon petri gauntlet --policy mine.toml --least 80";

pub(super) fn run(args: &GauntletArgs) -> anyhow::Result<Exit> {
    let turns = args.turns;
    let dishes: Vec<DishSize> =
        args.dishes.iter().map(|&BoardSize { width, height }| DishSize { width, height, turns }).collect();
    dishes.iter().try_for_each(|dish| dish.check())?;
    let limits = args.series.limits();
    let of_program = |program| PreparedAgent::of_program(program, &limits);
    let policy = match &args.policy {
        // In use until the process ends.
        Some(file) => Some(of_program(Box::leak(Box::new(Champion::following(read_policy(file)?))))),
        None => None,
    };
    let program = policy.is_none().then_some(&args.program);
    let named: Vec<&str> = program.into_iter().chain(&args.against).map(String::as_str).collect();
    let Some(named) = args.series.programs(&named, dishes[0])? else { return Ok(Exit::Stopped) };
    let mut named = named.into_iter();
    let Some(program) = policy.or_else(|| named.next()) else { unreachable!("there is a policy or a program") };
    let mut opponents: Vec<(PreparedAgent, bool)> = Vec::new();
    if args.against.is_empty() {
        opponents.extend(SPECIES.into_iter().map(|species| (of_program(species), false)));
        opponents.extend(VARIANTS.iter().map(|variant| (of_program(variant), variant.is_held_out())));
    }
    opponents.extend(named.map(|opponent| (opponent, false)));
    let pairing = |opponent, dish| ([&program, opponent], dish);
    let pairings: Vec<Pairing> =
        opponents.iter().flat_map(|(opponent, _)| dishes.iter().map(move |&dish| pairing(opponent, dish))).collect();
    let Some(scores) = args.series.play(args.games, &pairings)? else { return Ok(Exit::Stopped) };

    let lines: Vec<Line> = opponents
        .iter()
        .zip(scores.chunks(dishes.len()))
        .map(|((opponent, held_out), scores)| Line {
            name: opponent.short_name(),
            held_out: *held_out,
            wins: scores.iter().map(|score| score.wins[0]).collect(),
        })
        .collect();
    let fault = scores.iter().find_map(|score| score.faults[0].as_ref());
    let name = program.short_name();
    let mut out = anstream::stdout();
    match args.series.output.format {
        Format::Json => {
            let opponents: Vec<Value> = lines
                .iter()
                .map(|line| json!({ "name": line.name, "held_out": line.held_out, "wins": line.wins }))
                .collect();
            let dishes: Vec<String> = dishes.iter().map(|dish| format!("{}x{}", dish.width, dish.height)).collect();
            let whole = json!({ "program": name, "seed": args.series.seed, "turns": turns, "games": args.games,
                                "dishes": dishes, "opponents": opponents, "fault": fault });
            writeln!(out, "{whole}")?;
        }
        Format::Text => {
            let heading = format!("{name}: wins in {}, {turns} turns", show::counted(args.games.into(), "game"));
            writeln!(out, "{}\n{}", paint(show::STRONG, heading), table(&dishes, &lines, args.games))?;
            if lines.iter().any(|line| line.held_out) {
                writeln!(out, "\n* the champion was tuned without it")?;
            }
            if let Some(fault) = fault {
                writeln!(out, "{} {fault}", paint(show::ERROR, format!("{name} failed:")))?;
            }
        }
    }
    let least = args.least.unwrap_or(0);
    let enough = lines
        .iter()
        .flat_map(|line| &line.wins)
        .all(|&wins| 100 * u64::from(wins) >= u64::from(least) * u64::from(args.games));
    Ok(if enough { Exit::Done } else { Exit::No })
}

/// An opponent and how often it was beaten on each dish.
struct Line {
    name: String,
    held_out: bool,
    wins: Vec<u32>,
}

fn table(dishes: &[DishSize], lines: &[Line], games: u32) -> String {
    let sizes = dishes.iter().map(|dish| format!("{}×{}", dish.width, dish.height));
    let heads = ["opponent".to_owned()].into_iter().chain(sizes).chain(["%".to_owned()]);
    let mut rows: Vec<Vec<String>> = vec![heads.collect()];
    for Line { name, held_out, wins } in lines {
        let name = format!("{}{}", line(name), if *held_out { " *" } else { "" });
        let won: u32 = wins.iter().sum();
        let percent = 100.0 * f64::from(won) / (f64::from(games) * dishes.len() as f64);
        let wins = wins.iter().map(ToString::to_string);
        rows.push([name].into_iter().chain(wins).chain([format!("{percent:.1}")]).collect());
    }
    let text = table::table(&rows, 1, &[0], TableLook::Plain(2));
    text.trim_end().to_owned()
}
