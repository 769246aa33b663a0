//! `agon puzzles`: positions in which only one move is right.

use std::io::Write as _;

use agon_arena::puzzles::{PuzzleKind, PuzzleMaker};
use agon_catalog::{Capability, Game};
use agon_jobs::Progress as _;
use anyhow::bail;
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
pub struct PuzzlesArgs {
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

The positions are from games between weak players. All other legal moves are
proved: in renju to lose, in domineering not to win. The grade, 1 to 5, grows
with the nodes that find the win, with its length, and with quiet moves. The
same seed gives the same puzzles.

With --format json each puzzle is a line: game, kind, text, position, turn (0 or
1), solution (moves as the judge writes them; of a win in renju the line to its
end, with the answers), letters (moves as people write them), plies, nodes of
the proof, difficulty, grade.

Examples:
  agon puzzles renju --count 3
  agon puzzles renju --kind defence
  agon puzzles domineering --count 50 --seed 7 --format json > puzzles.jsonl";

pub fn run(args: &PuzzlesArgs) -> anyhow::Result<Exit> {
    let stop = signals::stop()?;
    if let Some(kind) = args.kind.filter(|kind| !PuzzleKind::of(args.game).contains(kind)) {
        let kinds: Vec<&str> = PuzzleKind::of(args.game).iter().map(|kind| kind.name()).collect();
        bail!("--kind {}: puzzles of {} are of the kinds {}", kind.name(), args.game, kinds.join(", "));
    }
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
