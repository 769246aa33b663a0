//! `agon inspect`: questions about positions, one JSON line each, answered by one JSON line each.

pub(crate) mod domineering;
mod moves;
mod petri;
pub(crate) mod renju;

use agon_catalog::{Capability, Game};
use clap::Args;

use crate::exit::Exit;
use crate::json_lines::answer_lines;
use crate::options::game;

#[derive(Args, Debug)]
#[command(after_help = INSPECT_HELP)]
pub(crate) struct InspectArgs {
    /// The game
    #[arg(value_parser = game())]
    pub game: Game,
}

const INSPECT_HELP: &str = "\
One question a line, one answer a line. The outcome is first, second, draw, or
null while the game goes on. Rows and columns count from 1, in petri from 0;
PASS is all -1.

bacteria: every MOVE that the judge accepts, with all sources of a division
  in   {\"position\": \"x5o/7/7/7/7/7/o5x x 0 1\"}
  out  {\"turn\": \"first\", \"moves\": [[1,1,1,2], …], \"outcome\": null}

domineering: every MOVE; `last_pass` and `lead` may be left out
  in   {\"board\": [[0,3,1],[2,2,0]], \"occupied\": [[1,1],[1,2]], \"to_move\": \"V\",
        \"last_pass\": false, \"lead\": -2.5}   (on one line)
  out  {\"moves\": [[1,3],[-1,-1]], \"outcome\": null}
       lead: first minus second so far, bonus included, in steps of one half;
       without it -2.5, as at the start of a game

renju: the number of legal stones, Black's forbidden points, and the points that
win at once for the side to move
  in   {\"black\": [[8,8]], \"white\": [[7,7]], \"turn\": \"black\"}
  out  {\"legal\": 23, \"forbidden\": [], \"outcome\": null, \"wins\": []}

petri: a game replayed; `actions` are seats and raw outputs in the order in
which the cells are asked; `\"rules\": \"published\"` are those of the first
driver
  in   {\"width\": 10, \"height\": 4, \"maxTurns\": 150,
        \"species\": [[5,7,0],[6,6,0]], \"actions\": [[1,\"DIVIDE SE\\n\"], …]}
  out  {\"final\": {\"winner\": 2, \"cells\": [0,9], \"turns\": 61},
        \"boards\": […], \"states\": […]}
       boards: the dish after every player turn, rows joined by `/`; above 100
       squares its FNV-1a-64 in hex. states: the FNV-1a-64 of
       `board|x,y,hp,energy;…|…`. winner: 0 a draw, null while the game goes on

An invalid line gets the answer {\"error\": …}; the next line is read as usual.

Example:
  echo '{\"black\": [[8,8]], \"white\": [], \"turn\": \"white\"}' | agon inspect renju";

/// Answers every line of standard input. A bad line is answered by its error.
pub(crate) fn run(args: &InspectArgs) -> anyhow::Result<Exit> {
    let game = args.game;
    if game.can(Capability::Actions) {
        answer_lines(petri::answer)
    } else if game.can(Capability::Solving) {
        answer_lines(domineering::answer)
    } else if game.can(Capability::Threats) {
        answer_lines(renju::answer)
    } else {
        answer_lines(|line| moves::answer(game, line))
    }
}
