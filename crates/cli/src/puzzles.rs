//! `agon puzzles`: positions in which only one move wins.

use std::io::Write as _;

use agon_arena::puzzles::PuzzleMaker;
use agon_catalog::{Capability, Game};
use clap::Args;

use crate::exit::Exit;
use crate::options::{Format, OutputArgs, game_of, up_to};
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
    #[command(flatten)]
    pub output: OutputArgs,
}

const PUZZLES_HELP: &str = "\
renju: find the only move that starts a win by fours.
domineering: find the only winning domino.

The positions are from games between weak players, and it is proved that only
one move wins. The grade, 1 to 5, grows with the nodes of that proof. The same
seed gives the same puzzles.

With --format json each puzzle is a line: game, text, position, turn (0 or 1),
solution (moves as the judge writes them; of a win by fours, with the answers),
letters (moves as people write them), nodes, grade.

Examples:
  agon puzzles renju --count 3
  agon puzzles domineering --count 50 --seed 7 --format json > puzzles.jsonl";

pub fn run(args: &PuzzlesArgs) -> anyhow::Result<Exit> {
    let stop = signals::stop()?;
    let mut maker = PuzzleMaker::new(args.game, args.seed);
    let mut out = anstream::stdout();
    for number in 1..=args.count {
        let Some(puzzle) = maker.next(&stop)? else { return Ok(Exit::Stopped) };
        match args.output.format {
            Format::Json => writeln!(out, "{}", crate::output::json(serde_json::to_value(&puzzle)?))?,
            Format::Text => {
                let title = paint(STRONG, format!("{number}. {}", puzzle.text));
                let hard = paint(FAINT, format!("grade {}, {} nodes", puzzle.grade, puzzle.nodes));
                let board = puzzle.view().map_or_else(String::new, |view| draw::board(&view));
                let solution =
                    puzzle.letters.join(if puzzle.letters.iter().any(|m| m.contains(' ')) { ", " } else { " " });
                writeln!(out, "{title}   {hard}\n{}\n{board}solution {solution}\n", puzzle.position)?;
            }
        }
    }
    Ok(Exit::Done)
}
