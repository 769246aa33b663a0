//! `agon lab openings`: openings from which neither side is ahead.

use std::collections::BTreeSet;
use std::io::Write as _;

use agon_arena::balanced::{BalanceError, BalancedOpenings};
use agon_catalog::{Capability, Game};
use agon_engines::renju::book::Symmetry;
use agon_jobs::{Progress as _, Stop, pool};
use agon_rules::renju::{Move, Stones};
use agon_training::OpeningPlies;
use agon_training::openings::OpeningPliesError;
use agon_training::renju;
use clap::Args;
use serde_json::json;

use crate::exit::Exit;
use crate::options::{BatchArgs, Format, game_of, up_to};
use crate::progress::Bar;
use crate::{output, signals};

#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(crate) struct OpeningsArgs {
    /// The game
    #[arg(value_parser = game_of(&[Game::BACTERIA, Game::DOMINEERING, Game::RENJU]))]
    pub game: Game,
    /// Openings from which neither side is ahead
    #[arg(long, required = true)]
    pub balanced: bool,
    /// How many openings
    #[arg(long, short = 'n', value_name = "N", default_value_t = 60, value_parser = up_to::<u32>(100_000))]
    pub count: u32,
    /// Renju: how many stones they have, drawn for each [default: 4-6]
    #[arg(long, value_name = "PLIES", value_parser = stones)]
    pub stones: Option<OpeningPlies>,
    /// Bacteria War: how many moves they have [default: 4]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    pub plies: Option<u32>,
    /// Bacteria War and Domineering: the engine that values openings and plays the quick games [default: classic, uct]
    #[arg(long, value_name = "ENGINE")]
    pub engine: Option<String>,
    /// Bacteria War and renju: nodes of the search that values an opening [default: 150000]
    #[arg(long, value_name = "N", value_parser = up_to::<u64>(1_000_000_000))]
    pub nodes: Option<u64>,
    /// Bacteria War and renju: how far from even that value may be, in hundredths [default: 100]
    #[arg(long, value_name = "VALUE", value_parser = clap::value_parser!(i32).range(1..=2_000))]
    pub bound: Option<i32>,
    /// Quick games of the engine against itself from each: either side must get 30 % of the points
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = up_to::<u32>(1_000))]
    pub quick_games: u32,
    /// Bacteria War and Domineering: most nodes a move in quick games; the first has about half [default: 1000]
    #[arg(long, value_name = "N", value_parser = up_to::<u64>(1_000_000_000))]
    pub quick_nodes: Option<u64>,
    #[command(flatten)]
    pub common: BatchArgs,
}

const HELP: &str = "\
An opening is kept if a search finds it nearly even and one side does not win
all of the engine's quick games against itself. Openings are moves; in
Domineering, boards. Openings are distinct. Use the output with --openings of
`agon match`, `sprt` and `tournament`. Ctrl-C stops the search and prints the
openings found so far.

Examples:
  agon lab openings renju --balanced -n 200 > balanced.txt
  agon lab openings bacteria --balanced --engine champion > balanced.txt
  agon match champion gomocup:rapfi --game renju --openings balanced.txt -n 400";

/// The fewest stones of an opening, those of the opening's rules, and the most that fit into the middle of the board.
const MIN_STONES: u32 = 3;
const MAX_STONES: u32 = 20;

/// What the options are where they are not given.
const STONES: OpeningPlies = OpeningPlies::from_to(4, 6);
const NODES: u64 = 150_000;
const BOUND: i32 = 100;
const QUICK_NODES: u64 = 1_000;

fn stones(text: &str) -> Result<OpeningPlies, String> {
    let stones: OpeningPlies = text.parse().map_err(|error: OpeningPliesError| error.to_string())?;
    let fits = (MIN_STONES..=MAX_STONES).contains(&stones.most) && stones.least.is_none_or(|least| least >= MIN_STONES);
    if !fits {
        return Err(format!("{MIN_STONES} to {MAX_STONES} stones expected"));
    }
    // A single number is that number, not as many at most.
    Ok(OpeningPlies { least: stones.least.or(Some(stones.most)), ..stones })
}

/// An opening that was found.
#[derive(Clone)]
struct Found {
    /// As a line of a file.
    line: String,
    /// Alike for openings that are the same.
    key: String,
    value: Option<i32>,
    /// The first side's points in the quick games, in halves.
    first: u32,
}

type Find<'a> = Box<dyn Fn(u64, &Stop) -> Result<Option<Found>, BalanceError> + Sync + 'a>;

/// How openings of the game are looked for.
fn finder(args: &OpeningsArgs) -> anyhow::Result<Find<'_>> {
    let (game, seed, games) = (args.game, args.common.seed, args.quick_games);
    let is_renju = game.can(Capability::GameFiles);
    let valued = game.can(Capability::Lines);
    let moves = !is_renju && !game.can(Capability::DrawnStart);
    let given = [
        ("--stones", args.stones.is_some(), is_renju),
        ("--plies", args.plies.is_some(), moves),
        ("--engine", args.engine.is_some(), !is_renju),
        ("--nodes", args.nodes.is_some(), is_renju || valued),
        ("--bound", args.bound.is_some(), is_renju || valued),
        ("--quick-nodes", args.quick_nodes.is_some(), !is_renju),
    ];
    if let Some((name, ..)) = given.iter().find(|(_, given, known)| *given && !known) {
        anyhow::bail!("{name} means nothing for the openings of {game}: leave it out");
    }
    let (nodes, bound) = (args.nodes.unwrap_or(NODES), args.bound.unwrap_or(BOUND));
    if is_renju {
        let stones = args.stones.unwrap_or(STONES);
        let wanted = renju::BalancedOpenings { stones, nodes, bound, games, seed };
        return Ok(Box::new(move |number, stop| {
            Ok(wanted.find(number, stop).map(|found| {
                let moves: Vec<String> = found.moves.iter().copied().map(Move::letters).collect();
                let (stones, _) = Symmetry::canonical(&Stones::from_board(found.position.board()));
                let key = format!("{stones:?}");
                Found { line: moves.join(" "), key, value: Some(found.value), first: found.black }
            }))
        }));
    }
    let timed = game.builtins.iter().find(|builtin| builtin.timed).map_or("champion", |builtin| builtin.name);
    let wanted = BalancedOpenings {
        game,
        engine: args.engine.clone().unwrap_or_else(|| timed.to_owned()),
        plies: args.plies.unwrap_or(game.openings.usual_plies),
        nodes,
        bound,
        games,
        quick_nodes: args.quick_nodes.unwrap_or(QUICK_NODES),
        seed,
    };
    Ok(Box::new(move |number, stop| {
        let found = wanted.find(number, stop)?;
        Ok(found.map(|found| Found {
            key: found.line.clone(),
            line: found.line,
            value: found.value,
            first: found.first,
        }))
    }))
}

pub(crate) fn run(args: &OpeningsArgs) -> anyhow::Result<Exit> {
    let find = finder(args)?;
    let stop = signals::stop()?;
    let bar = Bar::new("{wide_bar} {pos}/{len} openings, {eta} left")?;
    bar.start(args.count.into(), 0);
    let (count, mut number) = (args.count as usize, 0);
    let (mut found, mut seen): (Vec<Found>, BTreeSet<String>) = (Vec::new(), BTreeSet::new());
    while found.len() < count && !stop.is_raised() {
        let missing = count - found.len();
        let mut batch: Vec<(usize, Found)> = Vec::new();
        let (find, stop) = (&find, &stop);
        let worker = || move |at: usize| Ok::<_, BalanceError>((at, find((number + at) as u64, stop)?));
        pool::map(missing, args.common.jobs.threads(), stop, worker, |(at, opening)| {
            if let Some(opening) = opening {
                batch.push((*at, opening.clone()));
            }
            bar.set_position((found.len() + batch.len()) as u64);
        })?;
        number += missing;
        batch.sort_by_key(|&(at, _)| at);
        let fresh = batch.into_iter().map(|(_, opening)| opening);
        found.extend(fresh.filter(|opening| seen.insert(opening.key.clone())));
    }
    drop(bar);
    let mut out = anstream::stdout();
    for Found { line, value, first, .. } in &found {
        match args.common.output.format {
            Format::Text => writeln!(out, "{line}")?,
            Format::Json => {
                let share = f64::from(*first) / f64::from(2 * args.quick_games);
                writeln!(out, "{}", output::json(json!({ "moves": line, "value": value, "black": share })))?;
            }
        }
    }
    Ok(if stop.is_raised() { Exit::Stopped } else { Exit::Done })
}
