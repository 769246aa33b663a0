//! `agon petri gauntlet`: one program against every species and variant.

use std::io::Write as _;
use std::path::PathBuf;

use agon_engines::petri::{Champion, SPECIES, VARIANTS};
use agon_training::petri::read_policy;
use clap::Args;
use comfy_table::{CellAlignment, ContentArrangement, Table};
use serde_json::{Value, json};

use super::league::PLAIN;
use super::series::{self, Arena, Competitor, SeriesArgs, size};
use crate::exit::Exit;
use crate::options::Format;
use crate::show::{self, paint};
use crate::signals;

#[derive(Args, Debug)]
#[command(after_help = GAUNTLET_HELP)]
pub struct GauntletArgs {
    /// The program: a species, a source file, or a command in quotes
    #[arg(default_value = "champion")]
    pub program: String,
    /// A policy in place of the program, as `agon train petri` writes them
    #[arg(long, value_name = "FILE", conflicts_with = "program")]
    pub policy: Option<PathBuf>,
    /// Games with every opponent on every dish; the program moves first in the first, third, …
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub games: u32,
    /// A dish; may be given several times
    #[arg(long = "dish", value_name = "WIDTHxHEIGHT", value_parser = size,
          default_values = ["10x4", "20x20", "5x5", "7x12", "13x17", "15x15", "25x8", "31x31"])]
    pub dishes: Vec<(u64, u64)>,
    /// Only these opponents; may be given several times [default: all species and variants]
    #[arg(long = "against", value_name = "PROGRAM")]
    pub against: Vec<String>,
    /// Turns of each player
    #[arg(long, value_name = "N", default_value_t = 150)]
    pub turns: u64,
    /// The answer is no, exit code 1, when it wins less than this share of the games with an opponent on a dish
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(0..=100))]
    pub least: Option<u32>,
    #[command(flatten)]
    pub series: SeriesArgs,
}

const GAUNTLET_HELP: &str = "\
The opponents are the ten species and their variants: the same code with other
points (coordinated:4/8/0), or one that rests when it would strike with less
than 3 (coordinated:punch3). Those that the champion was tuned without are
marked; of these dishes, it was tuned on 5x5, 10x4 and 20x20 only.

Examples:
  agon petri gauntlet --games 20
  agon petri gauntlet \"python3 cell.py\" --dish 10x4 --against coordinated
  agon petri gauntlet --policy mine.toml --least 80";

/// Plays all games and prints what share of them the program has won.
pub fn run(args: &GauntletArgs) -> anyhow::Result<Exit> {
    let turns = args.turns;
    let arenas: Vec<Arena> = args.dishes.iter().map(|&(width, height)| Arena { width, height, turns }).collect();
    for arena in &arenas {
        arena.setup(args.series.seed)?;
    }
    let limits = series::limits(&args.series);
    let program = match &args.policy {
        // It is played with until the process ends.
        Some(file) => Competitor::species(Box::leak(Box::new(Champion::following(read_policy(file)?))), &limits)?,
        None => Competitor::read(&args.program, &limits)?,
    };
    let mut opponents: Vec<(Competitor, bool)> = Vec::new();
    if args.against.is_empty() {
        for species in SPECIES {
            opponents.push((Competitor::species(species, &limits)?, false));
        }
        for variant in &VARIANTS {
            opponents.push((Competitor::species(variant, &limits)?, variant.is_held_out()));
        }
    }
    for text in &args.against {
        opponents.push((Competitor::read(text, &limits)?, false));
    }
    signals::watch()?;
    let per_dish = args.games as usize;
    let per_opponent = per_dish * arenas.len();
    let games = series::all(per_opponent * opponents.len(), &args.series, |task| {
        let (opponent, dish, n) = (task / per_opponent, task % per_opponent / per_dish, task % per_dish);
        series::game([&program, &opponents[opponent].0], arenas[dish], args.series.seed, n as u32, &limits)
    })?;
    let Some(games) = games else { return Ok(Exit::Stopped) };

    let wins: Vec<Vec<u32>> = games
        .chunks(per_opponent)
        .map(|games| {
            let dishes = games.chunks(per_dish);
            dishes.map(|games| games.iter().filter(|game| game.winner == Some(0)).count() as u32).collect()
        })
        .collect();
    let lines: Vec<Line> = opponents
        .iter()
        .zip(&wins)
        .map(|((opponent, held_out), wins)| Line { name: &opponent.name, held_out: *held_out, wins })
        .collect();
    let fault = games.iter().flat_map(|game| &game.faults).find(|(at, _)| *at == 0);
    let mut out = anstream::stdout();
    match args.series.format {
        Format::Json => {
            let opponents: Vec<Value> = lines
                .iter()
                .map(|line| json!({ "name": line.name, "held_out": line.held_out, "wins": line.wins }))
                .collect();
            let dishes: Vec<String> = arenas.iter().map(|arena| format!("{}x{}", arena.width, arena.height)).collect();
            let whole = json!({ "program": program.name, "seed": args.series.seed, "turns": turns, "games": args.games,
                                "dishes": dishes, "opponents": opponents, "fault": fault.map(|(_, fault)| fault) });
            writeln!(out, "{whole}")?;
        }
        Format::Text => {
            let heading = format!("{}: wins in {} games, {turns} turns", program.name, args.games);
            writeln!(out, "{}\n{}", paint(show::STRONG, heading), table(&arenas, &lines, args.games))?;
            if lines.iter().any(|line| line.held_out) {
                writeln!(out, "\n* the champion was tuned without it")?;
            }
            if let Some((_, fault)) = fault {
                writeln!(out, "{} {fault}", paint(show::ERROR, format!("{} failed:", program.name)))?;
            }
        }
    }
    let least = args.least.unwrap_or(0);
    let enough = wins.iter().flatten().all(|&wins| 100 * u64::from(wins) >= u64::from(least) * u64::from(args.games));
    Ok(if enough { Exit::Done } else { Exit::No })
}

/// An opponent and how often it was beaten on each dish.
struct Line<'a> {
    name: &'a str,
    held_out: bool,
    wins: &'a [u32],
}

fn table(arenas: &[Arena], lines: &[Line<'_>], games: u32) -> String {
    let mut table = Table::new();
    table.load_style(PLAIN).set_content_arrangement(ContentArrangement::Disabled);
    let dishes = arenas.iter().map(|arena| format!("{}×{}", arena.width, arena.height));
    table.set_header(["opponent".to_owned()].into_iter().chain(dishes).chain(["%".to_owned()]));
    for line in lines {
        let name = format!("{}{}", line.name, if line.held_out { " *" } else { "" });
        let won: u32 = line.wins.iter().sum();
        let percent = 100.0 * f64::from(won) / (f64::from(games) * arenas.len() as f64);
        let wins = line.wins.iter().map(ToString::to_string);
        table.add_row([name].into_iter().chain(wins).chain([format!("{percent:.1}")]));
    }
    for (at, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if at > 0 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}
