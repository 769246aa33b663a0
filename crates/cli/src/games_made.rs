//! `agon lab games`: the games between levels that come with Agon, for the explorer of the boards.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use agon_analysis::played::{MAX_MOVES, NewGame, PlayedGame, PlayedGames, TurnedPosition, written};
use agon_arena::opening_file::balanced;
use agon_catalog::{Game, OPENING, Setup};
use agon_game::seed::Stream;
use agon_jobs::{Progress as _, pool, write_atomically};
use agon_rules::bacteria::Bacteria;
use agon_rules::domineering::Domineering;
use agon_rules::renju::Renju;
use agon_search::{SearchLimits, Task};
use anyhow::{Context as _, anyhow, bail};
use clap::Args;

use crate::exit::Exit;
use crate::options::{JobsArgs, game_of, up_to};
use crate::progress::Bar;
use crate::{output, signals};

const HELP: &str = "\
Each game begins with a balanced opening (books/GAME-balanced.txt), between two
levels of the champion that are drawn, at most two apart, with few nodes for a
move. The same command gives the same file with any number of jobs. Ctrl-C stops
it, and writes the games that are finished.

The boards show what was played in them: books/games/GAME.games is built into
the program.

Examples:
  agon lab games renju -n 2400 --out books/games/renju.games
  agon lab games renju --check books/games/renju.games";

#[derive(Args, Debug)]
#[command(after_help = HELP)]
pub(crate) struct GamesArgs {
    /// The game
    #[arg(value_parser = game_of(&[Game::BACTERIA, Game::DOMINEERING, Game::RENJU]))]
    pub game: Game,
    /// Number of games
    #[arg(long, short = 'n', value_name = "N", default_value_t = 100, value_parser = up_to::<u32>(100_000))]
    pub count: u32,
    /// The lowest and the highest level
    #[arg(long, value_name = "LEVELS", default_value = "3-10", value_parser = levels)]
    pub levels: RangeInclusive<u8>,
    /// The most nodes of a move
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = up_to::<u64>(1_000_000_000))]
    pub nodes: u64,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    #[command(flatten)]
    pub jobs: JobsArgs,
    /// The file to be written
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    pub out: Option<PathBuf>,
    /// Replay every game of a file, and count them
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "count", "levels", "nodes", "seed"])]
    pub check: Option<PathBuf>,
}

/// Memory of an engine's tables, in bytes.
const TABLE_BYTES: usize = 4 << 20;

/// How far the levels of two players may be apart.
const MAX_STEPS: u8 = 2;

fn levels(text: &str) -> Result<RangeInclusive<u8>, String> {
    let number = |text: &str| text.parse().ok().filter(|level| (1..=10).contains(level));
    let range = text.split_once('-').and_then(|(low, high)| Some((number(low)?, number(high)?)));
    let range = range.filter(|(low, high)| low <= high);
    range.map(|(low, high)| low..=high).ok_or_else(|| "levels expected, such as 3-10".to_owned())
}

pub(crate) fn run(args: &GamesArgs) -> anyhow::Result<Exit> {
    if args.game == Game::RENJU {
        run_typed::<Renju>(args)
    } else if args.game == Game::BACTERIA {
        run_typed::<Bacteria>(args)
    } else {
        run_typed::<Domineering>(args)
    }
}

fn run_typed<P: TurnedPosition>(args: &GamesArgs) -> anyhow::Result<Exit> {
    if let Some(path) = &args.check {
        return check::<P>(args.game, path);
    }
    let out = args.out.as_ref().context("--out FILE expected")?;
    output::check(out, "the games")?;
    let stop = signals::stop()?;
    let bar = Bar::new("games {pos}/{len} {wide_bar} {eta} left")?;
    bar.start(args.count.into(), 0);
    let mut games: Vec<(usize, NewGame)> = Vec::new();
    let mut finished = 0;
    let worker = || |number: usize| Ok::<_, anyhow::Error>((number, played(args, number as u64)?));
    pool::map(args.count as usize, args.jobs.threads(), &stop, worker, |(number, game)| {
        games.extend(game.clone().map(|game| (*number, game)));
        finished += 1;
        bar.set_position(finished);
    })?;
    games.sort_by_key(|(number, _)| *number);
    let games: Vec<NewGame> = games.into_iter().map(|(_, game)| game).collect();
    write_atomically(out, written::<P>(args.game, &games)?)?;
    Ok(if stop.is_raised() { Exit::Stopped } else { Exit::Done })
}

/// The game of this number; `None` of one that is too long for the file.
fn played(args: &GamesArgs, number: u64) -> anyhow::Result<Option<NewGame>> {
    let mut stream = Stream::new(args.seed.wrapping_add(number), "games");
    let openings = balanced(args.game);
    let opening = &openings[number as usize % openings.len()];
    let mut parameters = BTreeMap::new();
    opening.apply(&mut parameters);
    let opened = Setup { seed: 0, parameters: parameters.clone() };
    parameters.remove(OPENING.name);
    let mut state = args.game.initial_state(&Setup { seed: 0, parameters: parameters.clone() }).map_err(said)?;
    let mut moves = Vec::new();
    for text in opened.opening() {
        let arguments = state.read_any(text).map_err(said)?;
        moves.push(state.answer(&arguments).map_err(said)?);
    }
    let (low, high) = (*args.levels.start(), *args.levels.end());
    let mut draw = |low: u8, high: u8| low + stream.below(usize::from(high - low) + 1) as u8;
    let first = draw(low, high);
    let second = draw(low.max(first.saturating_sub(MAX_STEPS)), high.min(first + MAX_STEPS));
    let mut engines = Vec::new();
    for level in [first, second] {
        let named = args.game.find(&format!("champion:{level}")).map_err(said)?;
        let mut engine = named.engine(args.seed.wrapping_add(number)).ok_or_else(|| anyhow!("no champion"))?;
        engine.set_memory(TABLE_BYTES);
        engines.push(engine);
    }
    let task = Task::from(SearchLimits::nodes(args.nodes));
    while let Some(side) = state.turn() {
        if moves.len() == MAX_MOVES {
            return Ok(None);
        }
        let chosen = engines[side.index()].search(&state.position(), &task, &mut |_| {}).map_err(said)?;
        let chosen = chosen.ok_or_else(|| anyhow!("the champion has no move"))?;
        moves.push(state.answer(&chosen.judged).map_err(said)?);
    }
    let winner = state.ending().and_then(|ending| ending.outcome.winner());
    Ok(Some(NewGame { parameters, levels: [first, second], winner, moves }))
}

fn said(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("{error}")
}

fn check<P: TurnedPosition>(game: Game, path: &Path) -> anyhow::Result<Exit> {
    let shown = path.display();
    let bytes = fs::read(path).with_context(|| format!("cannot read `{shown}`"))?;
    let all = PlayedGames::<P>::read(&bytes).with_context(|| format!("`{shown}` has no games of {game}"))?;
    if all.games().is_empty() {
        bail!("`{shown}` has no games");
    }
    let moves: usize = all.games().iter().map(PlayedGame::plies).sum();
    writeln!(anstream::stdout(), "{} games of {game}, {moves} moves, {} bytes", all.games().len(), bytes.len())?;
    Ok(Exit::Done)
}
