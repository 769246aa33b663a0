//! `agon puzzles`: positions in which only one move is right. `agon lab puzzles`: the set that comes with Agon.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use agon_analysis::puzzles::{PuzzleKind, PuzzleMaker, PuzzleSet, puzzle_at};
use agon_catalog::{Capability, Game};
use agon_jobs::{Progress as _, Stop, write_atomically};
use anyhow::{Context as _, bail};
use clap::Args;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;

use crate::exit::Exit;
use crate::options::{Format, OutputArgs, game_of, up_to};
use crate::progress::Bar;
use crate::show::{FAINT, STRONG, paint};
use crate::{draw, signals};

#[derive(Args, Debug)]
#[command(after_help = PUZZLES_HELP)]
pub(crate) struct PuzzlesArgs {
    /// The game
    #[arg(value_parser = game_of(&Game::which_can(Capability::Puzzles)))]
    pub game: Game,
    /// Number of puzzles
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = up_to::<u32>(100_000))]
    pub count: u32,
    /// Random seed of the games that they are taken from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Puzzles of one kind only [default: all kinds]
    #[arg(long, value_parser = kinds().map(|name| kind(&name)))]
    pub kind: Option<PuzzleKind>,
    #[command(flatten)]
    pub output: OutputArgs,
}

fn kinds() -> PossibleValuesParser {
    PossibleValuesParser::new(PuzzleKind::ALL.map(PuzzleKind::name))
}

/// The kind of this name.
fn kind(name: &str) -> PuzzleKind {
    PuzzleKind::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or(PuzzleKind::Exact)
}

const PUZZLES_HELP: &str = "\
renju: find the only move that does not lose. By its kind it wins by fours, wins
by threats (fours and threes), is quiet (it threatens nothing, and wins), or is
a defence.
domineering: find the only winning domino (kind exact).
bacteria: find the only winning move of a race for the last cells (kind race).

The positions are from games between weak players. All other legal moves are
proved: in renju to lose, in the other games not to win. The grade, 1 to 5,
grows with the nodes that find the win, with its length, and with quiet moves.
The same seed gives the same puzzles.

With --format json each puzzle is a line: game, kind, text, position, turn (0 or
1), solution (moves as the judge writes them; of a win in renju the line to its
end, with the answers), letters (moves as people write them), plies, nodes of
the proof, difficulty, grade.

Examples:
  agon puzzles renju --count 3
  agon puzzles renju --kind defence
  agon puzzles domineering --count 50 --seed 7 --format json > puzzles.jsonl";

pub(crate) fn run(args: &PuzzlesArgs) -> anyhow::Result<Exit> {
    let stop = signals::stop()?;
    refuse_kind(args.game, args.kind)?;
    let mut maker = PuzzleMaker::new(args.game, args.seed).of_kind(args.kind);
    let mut out = anstream::stdout();
    let bar = Bar::new("puzzles {pos}/{len} {wide_bar} {eta} left")?;
    bar.start(args.count.into(), 0);
    for number in 1..=args.count {
        let Some(puzzle) = maker.next(&stop)? else { return Ok(Exit::Stopped) };
        bar.set_position(number.into());
        match args.output.format {
            Format::Json => {
                let line = crate::output::json(serde_json::to_value(&puzzle)?);
                bar.suspend(|| writeln!(out, "{line}"))?;
            }
            Format::Text => {
                let title = paint(STRONG, format!("{number}. {}", puzzle.text));
                let hard = format!("{}, grade {}, {} nodes", puzzle.kind.name(), puzzle.grade, puzzle.nodes);
                let hard = paint(FAINT, hard);
                let board = puzzle.view().map_or_else(String::new, |view| draw::board(&view));
                let solution =
                    puzzle.letters.join(if puzzle.letters.iter().any(|m| m.contains(' ')) { ", " } else { " " });
                let position = puzzle.position;
                bar.suspend(|| writeln!(out, "{title}   {hard}\n{position}\n{board}solution {solution}\n"))?;
            }
        }
    }
    Ok(Exit::Done)
}

/// `agon lab puzzles`.
#[derive(Args, Debug)]
#[command(after_help = SET_HELP)]
pub(crate) struct SetArgs {
    /// The game
    #[arg(value_parser = game_of(&Game::which_can(Capability::Puzzles)))]
    pub game: Game,
    /// Number of puzzles
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = up_to::<u32>(10_000))]
    pub count: u32,
    /// Random seed of the games that they are taken from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Puzzles of one kind only [default: all kinds]
    #[arg(long, value_parser = kinds().map(|name| kind(&name)))]
    pub kind: Option<PuzzleKind>,
    /// The file to be written
    #[arg(long, value_name = "FILE", required_unless_present = "check")]
    pub out: Option<PathBuf>,
    /// A file whose puzzles come first
    #[arg(long, value_name = "FILE")]
    pub add_to: Option<PathBuf>,
    /// Prove each puzzle of a file again
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "count", "seed", "kind", "add_to"])]
    pub check: Option<PathBuf>,
}

const SET_HELP: &str = "\
The boards serve these puzzles at once: books/puzzles/GAME.puzzles is built into
the program. An interrupted run writes what it has made.

Examples:
  agon lab puzzles renju --count 300 --out books/puzzles/renju.puzzles
  agon lab puzzles renju --kind quiet --add-to a.puzzles --out b.puzzles
  agon lab puzzles renju --check books/puzzles/renju.puzzles";

pub(crate) fn lab(args: &SetArgs) -> anyhow::Result<Exit> {
    let stop = signals::stop()?;
    let bar = Bar::new("puzzles {pos}/{len} {wide_bar} {eta} left")?;
    if let Some(path) = &args.check {
        return check(args.game, path, &stop, &bar);
    }
    refuse_kind(args.game, args.kind)?;
    let out = args.out.as_ref().context("--out FILE expected")?;
    let before = args.add_to.as_ref().map(|path| read_set(args.game, path)).transpose()?;
    let mut set = before.unwrap_or(PuzzleSet { game: args.game, puzzles: Vec::new() });
    let mut maker = PuzzleMaker::new(args.game, args.seed).of_kind(args.kind);
    bar.start(args.count.into(), 0);
    let mut made = 0;
    while made < args.count {
        let Some(puzzle) = maker.next(&stop)? else { break };
        if set.puzzles.iter().all(|known| known.position != puzzle.position) {
            set.puzzles.push(puzzle);
            made += 1;
            bar.set_position(made.into());
        }
    }
    write_atomically(out, set.to_string())?;
    Ok(if made == args.count { Exit::Done } else { Exit::Stopped })
}

fn read_set(game: Game, path: &Path) -> anyhow::Result<PuzzleSet> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read `{shown}`"))?;
    let set = PuzzleSet::read(&text).with_context(|| format!("`{shown}` is not a set of puzzles"))?;
    if set.game != game {
        bail!("`{shown}` has puzzles of {}, not of {game}", set.game);
    }
    Ok(set)
}

fn check(game: Game, path: &Path, stop: &Stop, bar: &Bar) -> anyhow::Result<Exit> {
    let set = read_set(game, path)?;
    bar.start(set.puzzles.len() as u64, 0);
    for (at, puzzle) in set.puzzles.iter().enumerate() {
        let again = puzzle_at(game, &puzzle.position, stop).map_err(anyhow::Error::msg)?;
        if stop.is_raised() {
            return Ok(Exit::Stopped);
        }
        let same = again.is_some_and(|again| again.kind == puzzle.kind && again.solution[0] == puzzle.solution[0]);
        if !same {
            let shown = path.display();
            bail!("`{shown}`: the puzzle on line {} cannot be proved again: {}", at + 2, puzzle.position);
        }
        bar.set_position(at as u64 + 1);
    }
    writeln!(anstream::stdout(), "{} puzzles of {game} are proved again", set.puzzles.len())?;
    Ok(Exit::Done)
}

/// A kind that the game has no puzzles of is refused.
fn refuse_kind(game: Game, kind: Option<PuzzleKind>) -> anyhow::Result<()> {
    if let Some(kind) = kind.filter(|kind| !PuzzleKind::in_game(game).contains(kind)) {
        let kinds: Vec<&str> = PuzzleKind::in_game(game).iter().map(|kind| kind.name()).collect();
        bail!("--kind {}: puzzles of {game} are of the kinds {}", kind.name(), kinds.join(", "));
    }
    Ok(())
}
