//! `agon lab perft`: counting lines of play.

use std::io::Write as _;
use std::time::Instant;

use agon_catalog::{Capability, Game, Setup};
use agon_game::perft::{DividedCount, PerftPosition};
use clap::Args;
use serde_json::json;

use crate::exit::Exit;
use crate::options::{self, BoardSize, Format, OutputArgs, game, parameter, size};
use crate::{moves, show};

#[derive(Args, Debug)]
#[command(after_help = PERFT_HELP)]
pub(crate) struct PerftArgs {
    /// The game
    #[arg(value_parser = game())]
    pub game: Game,
    /// Number of plies
    #[arg(value_parser = clap::value_parser!(u32).range(0..=64))]
    pub depth: u32,
    /// Where to start, in the game's notation [default: the start of the game]
    #[arg(long, value_name = "POSITION", conflicts_with_all = ["seed", "parameters", "size"])]
    pub position: Option<String>,
    /// Moves to make first: `H8 H9 I9` in renju, `a7b6 g7e5` in bacteria, or `8 8/7 8` as the judge writes them
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true)]
    pub moves: Option<String>,
    /// Random seed of the initial position, in games where it is drawn
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = options::only_for(Capability::DrawnStart))]
    pub seed: u64,
    /// A parameter of the game, as `agon games` lists them; may be given several times
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parameter)]
    pub parameters: Vec<(String, String)>,
    /// Size of the board: 10x4 is 10 wide and 4 high, 6 a square
    #[arg(long, value_name = "WxH", value_parser = size, help_heading = options::only_for(Capability::Size))]
    pub size: Option<BoardSize>,
    /// Count below each move of the position
    #[arg(long)]
    pub divide: bool,
    #[command(flatten)]
    pub output: OutputArgs,
}

const PERFT_HELP: &str = "\
Counts all lines of play of DEPTH plies; a forced pass is a move, and a finished
game has none.

Examples:
  agon lab perft bacteria 6
  agon lab perft bacteria 4 --divide --position \"7/7/7/2x1o2/7/7/7 x 0 1\"
  agon lab perft domineering 5 --size 4 --seed 7";

pub(crate) fn run(args: &PerftArgs) -> anyhow::Result<Exit> {
    let mut out = anstream::stdout();
    let given = [args.parameters.clone(), options::sides(args.size, args.game)].concat();
    let setup = Setup { seed: args.seed, parameters: options::parameters(&given)? };
    let mut position = args.game.position(args.position.as_deref(), &setup)?;
    for (at, word) in moves::split(args.moves.as_deref().unwrap_or_default()).into_iter().enumerate() {
        position.play(word).map_err(|error| anyhow::anyhow!("--moves: move {}, {word}: {error}", at + 1))?;
    }
    if args.divide {
        if args.depth == 0 {
            anyhow::bail!("--divide needs a depth of at least 1");
        }
        let start = Instant::now();
        let moves = position.count_divided(args.depth);
        holds(&*position)?;
        let (nodes, time) = (moves.iter().map(|below| below.nodes).sum(), start.elapsed());
        match args.output.format {
            Format::Json => {
                let moves: serde_json::Map<_, _> =
                    moves.into_iter().map(|below| (below.arguments, below.nodes.into())).collect();
                let line = json!({ "position": position.text(), "depth": args.depth, "nodes": nodes, "moves": moves });
                writeln!(out, "{line}")?;
            }
            Format::Text => {
                for DividedCount { arguments, letters, nodes } in &moves {
                    let m = moves::both(letters, arguments);
                    writeln!(out, "{m:<17} {:>20}", show::count(*nodes))?;
                }
                writeln!(out, "{:<17} {:>20}   {}", "total", show::count(nodes), rate(nodes, time))?;
            }
        }
        return Ok(Exit::Done);
    }
    for depth in 0..=args.depth {
        let start = Instant::now();
        let (nodes, time) = (position.count(depth), start.elapsed());
        holds(&*position)?;
        match args.output.format {
            Format::Json => {
                let ms = time.as_secs_f64() * 1000.0;
                writeln!(
                    out,
                    "{}",
                    crate::output::json(
                        json!({ "position": position.text(), "depth": depth, "nodes": nodes, "ms": ms })
                    )
                )?;
            }
            Format::Text => writeln!(out, "{depth:>2} {:>20}   {}", show::count(nodes), rate(nodes, time))?,
        }
    }
    Ok(Exit::Done)
}

/// Refuses counts of rules that failed.
fn holds(position: &dyn PerftPosition) -> anyhow::Result<()> {
    position.failure().map_or(Ok(()), |failure| Err(anyhow::anyhow!(failure)))
}

fn rate(nodes: u64, time: std::time::Duration) -> String {
    let millions = nodes as f64 / time.as_secs_f64().max(1e-9) / 1e6;
    let digits = usize::from(millions < 10.0);
    show::paint(show::FAINT, format!("{}, {millions:.digits$} M/s", show::time(time)))
}
