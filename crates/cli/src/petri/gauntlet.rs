//! `agon petri gauntlet`: one program against every species and variant.

use std::io::Write as _;

use agon_engines::petri::{Champion, SPECIES, VARIANTS};
use comfy_table::{CellAlignment, ContentArrangement, Table};
use serde_json::{Value, json};

use super::args::GauntletArgs;
use super::league::PLAIN;
use super::series::{self, Arena, Competitor};
use super::train;
use crate::args::Format;
use crate::show::{self, paint};
use crate::{Answer, signals};

/// Plays all games and prints what share of them the program has won.
pub fn run(args: &GauntletArgs) -> anyhow::Result<Answer> {
    let turns = args.turns;
    let arenas: Vec<Arena> = args.dishes.iter().map(|&(width, height)| Arena { width, height, turns }).collect();
    for arena in &arenas {
        arena.setup(args.series.seed)?;
    }
    let limits = series::limits(&args.series);
    let program = match &args.policy {
        // It is played with until the process ends.
        Some(file) => Competitor::species(Box::leak(Box::new(Champion::following(train::policy(file)?))), &limits)?,
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
    let Some(games) = games else { return Ok(Answer::Stopped) };

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
    Ok(if enough { Answer::Done } else { Answer::No })
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
