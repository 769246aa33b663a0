//! The arguments of `agon ask`.

use agon_game::Side;
use agon_referee::record::AgentNote;
use anyhow::bail;
use clap::{Args, ValueEnum};

use crate::jail::JailArgs;
use crate::options::OutputArgs;
use crate::recorded::RecordedGame;
use crate::site_rules::ServerArgs;
use crate::stored_game::StoredGame;

const ASK_HELP: &str = "\
The program receives the recorded input: READY, then OPP and TURN with the
recorded clocks for each of its turns. One process plays from the start for as
long as its answers match the game. After a different answer, the protocol
cannot describe the rest of the game; if the program understands OPENING lines
(--openings-understood; built-in players do), each later move is asked in a new
process, which receives the moves before it as OPENING lines.

Moves are numbered from 1 over both sides, those of an opening among them, as
`agon replay` and reports number them. In the petri dish each action runs in its
own process, and --ply counts actions.

The jail, the seed and the limits are those of the game; the record does not
change. Without --ply or --all, the program is asked at the move where the game
failed.

Exit code 1: an answer is missing or breaks the rules.

Examples:
  agon ask game.jsonl bot.py                     where the game failed
  agon ask game.jsonl bot.cpp --debug            where it crashed or went wrong
  agon ask game.jsonl bot.py --ply 12
  agon ask game.jsonl bot.py --all --openings-understood
  agon ask --db bots.db --slot 3 bot.cpp --ply 12 --format json";

#[derive(Args, Debug)]
#[command(
    after_help = ASK_HELP,
    override_usage = "agon ask [OPTIONS] <RECORD> <BOT>\n       agon ask [OPTIONS] --slot <N> <BOT>"
)]
pub(crate) struct AskArgs {
    /// The record, and the program as `agon play` takes it; with --slot, only the program
    #[arg(value_name = "RECORD BOT", num_args = 1..=2, required = true)]
    pub words: Vec<String>,
    #[command(flatten)]
    pub stored: StoredGame,
    /// Number of the move to ask for, from 1, the opening's among them; in the petri dish, of the action
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "all")]
    pub ply: Option<u32>,
    /// Ask for every move of one side and compare the answers with the game
    #[arg(long, group = "whole")]
    pub all: bool,
    /// The side for --all or --debug [default: the side that the program played]
    #[arg(long, value_name = "SEAT", requires = "whole")]
    pub side: Option<SeatName>,
    /// Compile the program with all runtime checks, repeat the recorded input, and show where it fails
    #[arg(long, group = "whole", conflicts_with_all = ["ply", "all"])]
    pub debug: bool,
    /// Declare that the program understands OPENING lines before READY
    #[arg(long)]
    pub openings_understood: bool,
    #[command(flatten)]
    pub server: ServerArgs,
    #[command(flatten)]
    pub jail: JailArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// A side by its name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SeatName {
    /// The agent that moved first
    First,
    /// The agent that moved second
    Second,
}

impl From<SeatName> for Side {
    fn from(name: SeatName) -> Self {
        match name {
            SeatName::First => Self::First,
            SeatName::Second => Self::Second,
        }
    }
}

/// The side whose answers are compared: that of --side, of the only program, or of the one that the record names as the
/// user does.
pub(super) fn side(args: &AskArgs, recorded: &RecordedGame, program: &str) -> anyhow::Result<Side> {
    if let Some(side) = args.side {
        return Ok(side.into());
    }
    let agents = &recorded.record.header.agents;
    match agents.each_ref().map(AgentNote::is_program) {
        [true, false] => Ok(Side::First),
        [false, true] => Ok(Side::Second),
        _ if agents.iter().filter(|agent| agent.agent == program).count() == 1 => {
            Ok(if agents[0].agent == program { Side::First } else { Side::Second })
        }
        _ => bail!(
            "which side is the program's, {} or {}? say --side first or --side second",
            agents[0].agent,
            agents[1].agent
        ),
    }
}
