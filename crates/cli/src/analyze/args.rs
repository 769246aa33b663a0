//! The arguments of `agon analyze`.

use std::path::PathBuf;

use agon_catalog::{Capability, Game};
use clap::Args;

use crate::amount::mebibytes;
use crate::convert::MAX_GAMES;
use crate::options::{self, OutputArgs, up_to};
use crate::span::{A_DAY, TimeSpan, time};

#[derive(Args, Debug)]
#[command(after_help = ANALYZE_HELP)]
pub(crate) struct AnalyzeArgs {
    /// The game; may be left out with --record
    #[arg(value_parser = options::game_by_hand(), required_unless_present = "record")]
    pub game: Option<Game>,
    /// A position on one line, or moves from the start of the game; renju: also a file .sgf, .psq, .txt or .jsonl;
    /// domineering: also a file with a line of JSON, - is standard input
    /// [default: the start of the game; none in domineering]
    pub position: Option<String>,
    /// Moves to make first: `H8 H9 I9` in renju, `a7b6 g7e5` in bacteria, or `8 8/7 8` as the judge writes them
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
    /// A parameter of the start, as `agon games` lists them; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = options::parameter, conflicts_with = "record")]
    pub parameters: Vec<(String, String)>,
    /// Analyze a game of a file, at its end or after move --ply: a record, or any format that `agon convert` reads; -
    /// is a record on standard input
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub record: Option<String>,
    /// Number of the game in a file with several games, from 1
    #[arg(long = "game", value_name = "N", value_parser = up_to::<usize>(MAX_GAMES))]
    pub number: Option<usize>,
    /// Analyze the position after move N, counting those of an opening [default: the last move]
    #[arg(long, value_name = "N", requires = "record")]
    pub ply: Option<u32>,
    /// Time limit [default: 5s in bacteria and renju, without another limit; 10s in domineering on boards with more
    /// than 8 rows or columns]
    #[arg(long, value_name = "TIME", value_parser = time(0..=*A_DAY.end()))]
    pub time: Option<TimeSpan>,
    /// Node limit
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..),
          help_heading = options::only_for(Capability::Lines))]
    pub nodes: Option<u64>,
    /// Depth limit, in plies
    #[arg(long, value_name = "PLIES", value_parser = up_to::<u32>(120),
          help_heading = options::only_for(Capability::Lines))]
    pub depth: Option<u32>,
    /// Number of lines to show (multi-PV)
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = up_to::<u16>(500),
          help_heading = options::only_for(Capability::Lines))]
    pub lines: u16,
    /// Search in the opening instead of playing book moves
    #[arg(long, help_heading = options::only_for(Capability::Threats))]
    pub search: bool,
    /// Number of threads that search at once; a search on one thread is repeatable
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = up_to::<u16>(1024),
          help_heading = options::only_for(Capability::ParallelSearch))]
    pub threads: u16,
    /// Size of the hash table, in MiB [default: 128]
    #[arg(long, alias = "memory", value_name = "MIB", value_parser = mebibytes::<u64>(1_048_576),
          help_heading = options::only_for(Capability::Lines))]
    pub hash: Option<u64>,
    /// Draw the board, with every move and its value, to this SVG file; renju: the forced win, move by move
    #[arg(long, alias = "picture", value_name = "FILE", help_heading = options::only_for(Capability::Picture))]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArgs,
}

const ANALYZE_HELP: &str = "\
bacteria: a FEN as other Ataxx programs write it: `x` moves first and is O on
the board, `o` is X. Scores are in cells, for the side to move. On a terminal
the lines are updated with each depth; Ctrl-C stops the search. --format json
prints one line for each depth and PV, then
{\"best\": \"x1 y1 x2 y2\", \"letters\": \"a7b6\"}.
With 12 empty cells or fewer the result and the margin are proved, as far as a
second goes (`exact: O wins by 13 with d4`); JSON begins with a line
{\"ending\": {\"exact\": true, \"low\": 13, \"high\": 13, \"best\": \"x1 y1 x2 y2\"}}
for the side to move.

domineering: a position as `agon solve` reads it; optional are `last_pass` and
`lead`
  {\"board\": [[1,2,0],[3,1,1]], \"occupied\": [], \"to_move\": \"H\"}
The number between two cells is the final lead of the side to move after a
domino there with perfect play, the second player's 2.5 included; the colour
shows the winner, brackets mark the best moves.
With --format json: \"value\", and that of every move, is what the first player
gets more than the second from here on (null when only its bounds \"low\" and
\"high\" are known); \"line\" is a perfect game from here; \"proved\" says whether
all values are exact.
A board with up to 10 rows and columns can be asked about as well, for 10 s
without --time: of each move what is proved at least and at most, and between
them what some plies show (\"estimate\").

renju: the best lines, the points that are forbidden to Black, and, if the side
to move wins by fours and threes, that win with its moves numbered on the board.
With --format json the last line is
  {\"forbidden\": [[r,c], …], \"win\": [[r,c], …]}   (win is null if none is found)

Moves are shown as people write them, in renju and bacteria by letters; in JSON
as the judge does, and as people do under \"letters\".

Examples:
  agon analyze --record game.jsonl --ply 20
  agon analyze renju \"H8 H9 I9 G9\" --time 2s --out win.svg
  agon analyze bacteria --moves \"b6 g7e5\" --lines 5 --time 2s
  agon analyze bacteria \"7/2xxo2/2xxoo1/1xxooo1/2xoo2/3o3/7 x 0 10\" --depth 8
  echo '{\"board\": [[1,2,0],[3,1,1]], \"occupied\": [], \"to_move\": \"H\"}' |
    agon analyze domineering - --out board.svg";
