//! `agon petri league`: a round robin.

use std::collections::BTreeMap;
use std::io::Write as _;

use agon_arena::agents::{self, PreparedAgent};
use agon_arena::petri::{DishSize, Pairing};
use agon_engines::petri::{CHAMPION, PetriProgram, SPECIES};
use agon_referee::text::line;
use clap::Args;
use serde_json::{Value, json};

use super::series::SeriesArgs;
use crate::exit::Exit;
use crate::options::{BoardSize, Format, size, up_to};
use crate::show::{self, paint};
use crate::table::{TableLook, table};

#[derive(Args, Debug)]
#[command(after_help = LEAGUE_HELP)]
pub(crate) struct LeagueArgs {
    /// Programs that join the ten species and the champion: source files, or commands in quotes
    pub programs: Vec<String>,
    /// Games of every pair on every dish
    #[arg(long, short = 'n', value_name = "N", default_value_t = 100, value_parser = up_to::<u32>(1_000_000))]
    pub games: u32,
    /// Size of a dish, 10x4 or 6 for a square; may be given several times
    #[arg(long = "size", alias = "dish", value_name = "WxH", value_parser = size, default_values = ["10x4", "20x20"])]
    pub dishes: Vec<BoardSize>,
    /// Turns of each player
    #[arg(long, value_name = "N", default_value_t = 150)]
    pub turns: u64,
    #[command(flatten)]
    pub series: SeriesArgs,
}

const LEAGUE_HELP: &str = "\
A program's score is the percentage of games it won; a draw is a win for neither
side.

Example:
  agon petri league \"python3 cell.py\" --games 10";

pub(super) fn run(args: &LeagueArgs) -> anyhow::Result<Exit> {
    let turns = args.turns;
    let dishes: Vec<DishSize> =
        args.dishes.iter().map(|&BoardSize { width, height }| DishSize { width, height, turns }).collect();
    dishes.iter().try_for_each(|dish| dish.check())?;
    let limits = args.series.limits();
    let champion: &'static dyn PetriProgram = &*CHAMPION;
    let species = SPECIES.into_iter().chain([champion]);
    let species = species.map(|program| PreparedAgent::of_program(program, &limits));
    let named: Vec<&str> = args.programs.iter().map(String::as_str).collect();
    let Some(named) = args.series.programs(&named, dishes[0])? else { return Ok(Exit::Stopped) };
    let programs: Vec<PreparedAgent> = species.chain(named).collect();
    let pairs: Vec<[usize; 2]> = (1..programs.len()).flat_map(|b| (0..b).map(move |a| [a, b])).collect();
    let pairings: Vec<Pairing> = dishes
        .iter()
        .flat_map(|&dish| pairs.iter().map(move |&pair| (pair, dish)))
        .map(|(pair, dish)| (pair.map(|at| &programs[at]), dish))
        .collect();
    let Some(scores) = args.series.play(args.games, &pairings)? else { return Ok(Exit::Stopped) };

    let mut faults: BTreeMap<usize, &str> = BTreeMap::new();
    let mut standings = Vec::new();
    for (&dish, scores) in dishes.iter().zip(scores.chunks(pairs.len())) {
        let mut wins = vec![vec![0_u32; programs.len()]; programs.len()];
        for (&[a, b], score) in pairs.iter().zip(scores) {
            [wins[a][b], wins[b][a]] = score.wins;
            for (at, fault) in [a, b].into_iter().zip(&score.faults) {
                if let Some(fault) = fault {
                    faults.entry(at).or_insert(fault);
                }
            }
        }
        standings.push(LeagueTable::new(dish, args.games, wins));
    }
    let names = agents::distinct_names(&programs.iter().collect::<Vec<_>>());
    let mut out = anstream::stdout();
    match args.series.output.format {
        Format::Json => {
            let dishes: Vec<Value> = standings.iter().map(|standing| standing.as_json(&names)).collect();
            let faults: BTreeMap<&str, &str> = faults.iter().map(|(&at, &fault)| (&*names[at], fault)).collect();
            writeln!(
                out,
                "{}",
                crate::output::json(json!({ "seed": args.series.seed, "dishes": dishes, "faults": faults }))
            )?;
        }
        Format::Text => {
            for standing in &standings {
                writeln!(out, "{}", standing.as_text(&names))?;
            }
            for (at, fault) in faults {
                writeln!(out, "{} {fault}", paint(show::ERROR, format!("{} failed:", names[at])))?;
            }
        }
    }
    Ok(Exit::Done)
}

struct LeagueTable {
    dish: DishSize,
    /// Games of each pair.
    games: u32,
    /// Of the row's program over the column's.
    wins: Vec<Vec<u32>>,
    order: Vec<usize>,
}

impl LeagueTable {
    fn new(dish: DishSize, games: u32, wins: Vec<Vec<u32>>) -> Self {
        let mut order: Vec<usize> = (0..wins.len()).collect();
        order.sort_by_key(|&at| std::cmp::Reverse(wins[at].iter().sum::<u32>()));
        Self { dish, games, wins, order }
    }

    fn total(&self, at: usize) -> u32 {
        self.wins[at].iter().sum()
    }

    fn played(&self) -> u32 {
        self.games * (self.wins.len() - 1) as u32
    }

    fn percent(&self, at: usize) -> f64 {
        100.0 * f64::from(self.total(at)) / f64::from(self.played())
    }

    fn as_json(&self, names: &[String]) -> Value {
        let standing = |&at: &usize| {
            let against: BTreeMap<&str, u32> = self
                .order
                .iter()
                .filter(|&&other| other != at)
                .map(|&other| (&*names[other], self.wins[at][other]))
                .collect();
            json!({ "name": names[at], "wins": self.total(at), "games": self.played(),
                    "percent": (self.percent(at) * 10.0).round() / 10.0, "against": against })
        };
        let DishSize { width, height, turns } = self.dish;
        let standing: Vec<Value> = self.order.iter().map(standing).collect();
        json!({ "width": width, "height": height, "turns": turns, "games_per_pair": self.games, "standing": standing })
    }

    /// A table: each program's wins in percent, and its wins over each other program.
    fn as_text(&self, names: &[String]) -> String {
        let columns = (1..=self.order.len()).map(|place| place.to_string());
        let heads = [String::new(), "program".to_owned(), "wins %".to_owned()];
        let mut rows: Vec<Vec<String>> = vec![heads.into_iter().chain(columns).collect()];
        for (place, &at) in self.order.iter().enumerate() {
            let against = self
                .order
                .iter()
                .map(|&other| if other == at { "·".to_owned() } else { self.wins[at][other].to_string() });
            let head = [(place + 1).to_string(), line(&names[at]), format!("{:.0}", self.percent(at))];
            rows.push(head.into_iter().chain(against).collect());
        }
        let table = table(&rows, 2, &[1], TableLook::Plain(1));
        let DishSize { width, height, turns } = self.dish;
        let heading =
            format!("{width} × {height}, {turns} turns, {} of every pair", show::counted(self.games.into(), "game"));
        format!("{}\n{table}", paint(show::STRONG, heading))
    }
}
