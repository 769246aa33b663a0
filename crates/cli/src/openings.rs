//! `agon lab openings`: openings from which neither side is ahead.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::io::Write as _;

use agon_catalog::Game;
use agon_engines::renju::book::Symmetry;
use agon_jobs::{Progress as _, pool};
use agon_rules::renju::{Move, Stones};
use agon_training::OpeningPlies;
use agon_training::openings::OpeningPliesError;
use agon_training::renju::{BalancedOpening, BalancedOpenings};
use clap::Args;
use serde_json::json;

use crate::exit::Exit;
use crate::options::{BatchArgs, Format, game_of, up_to};
use crate::progress::Bar;
use crate::{output, signals};

#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub struct OpeningsArgs {
    /// The game
    #[arg(value_parser = game_of(&[Game::RENJU]))]
    pub game: Game,
    /// Openings from which neither side is ahead
    #[arg(long, required = true)]
    pub balanced: bool,
    /// How many openings
    #[arg(long, short = 'n', value_name = "N", default_value_t = 60, value_parser = up_to::<u32>(100_000))]
    pub count: u32,
    /// How many stones they have, drawn for each
    #[arg(long, value_name = "PLIES", default_value = "4-6", value_parser = stones)]
    pub stones: OpeningPlies,
    /// Nodes of the search that values an opening
    #[arg(long, value_name = "N", default_value_t = 150_000, value_parser = up_to::<u64>(1_000_000_000))]
    pub nodes: u64,
    /// How far from even that value may be, in hundredths
    #[arg(long, value_name = "VALUE", default_value_t = 100, value_parser = clap::value_parser!(i32).range(1..=2_000))]
    pub bound: i32,
    /// Quick games of the champion against itself from each: either side must get 30 % of the points
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = up_to::<u32>(1_000))]
    pub quick_games: u32,
    #[command(flatten)]
    pub common: BatchArgs,
}

const HELP: &str = "\
An opening is kept if two searches find it nearly even and the champion's quick
games against itself are not all won by one side. No two are the same but for
symmetry. The file is one for --openings of `agon match`, `sprt` and
`tournament`. Ctrl-C ends the search; what was found is printed.

Examples:
  agon lab openings renju --balanced -n 200 > balanced.txt
  agon match champion gomocup:rapfi --game renju --openings balanced.txt -n 400";

/// The fewest stones of an opening, those of the opening's rules, and the most that fit into the middle of the board.
const MIN_STONES: u32 = 3;
const MAX_STONES: u32 = 20;

fn stones(text: &str) -> Result<OpeningPlies, String> {
    let stones: OpeningPlies = text.parse().map_err(|error: OpeningPliesError| error.to_string())?;
    let fits = (MIN_STONES..=MAX_STONES).contains(&stones.most) && stones.least.is_none_or(|least| least >= MIN_STONES);
    if !fits {
        return Err(format!("{MIN_STONES} to {MAX_STONES} stones expected"));
    }
    // A single number is that number, not as many at most.
    Ok(OpeningPlies { least: stones.least.or(Some(stones.most)), ..stones })
}

pub fn run(args: &OpeningsArgs) -> anyhow::Result<Exit> {
    let wanted = BalancedOpenings {
        stones: args.stones,
        nodes: args.nodes,
        bound: args.bound,
        games: args.quick_games,
        seed: args.common.seed,
    };
    let stop = signals::stop()?;
    let bar = Bar::new("{wide_bar} {pos}/{len} openings, {eta} left")?;
    bar.start(args.count.into(), 0);
    let (count, mut number) = (args.count as usize, 0);
    let (mut found, mut seen): (Vec<BalancedOpening>, BTreeSet<Stones>) = (Vec::new(), BTreeSet::new());
    while found.len() < count && !stop.is_raised() {
        let missing = count - found.len();
        let mut batch: Vec<(usize, BalancedOpening)> = Vec::new();
        let (wanted, stop) = (&wanted, &stop);
        let worker = || move |at: usize| Ok::<_, Infallible>((at, wanted.find((number + at) as u64, stop)));
        let Ok(_) = pool::map(missing, args.common.jobs.threads(), stop, worker, |(at, opening)| {
            if let Some(opening) = opening {
                batch.push((*at, opening.clone()));
            }
            bar.set_position((found.len() + batch.len()) as u64);
        });
        number += missing;
        batch.sort_by_key(|&(at, _)| at);
        let fresh = batch.into_iter().map(|(_, opening)| opening);
        found.extend(fresh.filter(|opening| {
            let (stones, _) = Symmetry::canonical(&Stones::of(opening.position.board()));
            seen.insert(stones)
        }));
    }
    drop(bar);
    let mut out = anstream::stdout();
    for BalancedOpening { moves, value, black, .. } in &found {
        let moves: Vec<String> = moves.iter().copied().map(Move::letters).collect();
        let moves = moves.join(" ");
        match args.common.output.format {
            Format::Text => writeln!(out, "{moves}")?,
            Format::Json => {
                let share = f64::from(*black) / f64::from(2 * args.quick_games);
                writeln!(out, "{}", output::json(json!({ "moves": moves, "value": value, "black": share })))?;
            }
        }
    }
    Ok(if stop.is_raised() { Exit::Stopped } else { Exit::Done })
}
