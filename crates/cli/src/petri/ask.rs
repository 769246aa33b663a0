//! `agon petri ask`: a recorded input, given to a program again.

use std::path::PathBuf;

use agon_referee::record::Record;
use anyhow::{Context as _, ensure};
use clap::Args;

use crate::ask::action;
use crate::exit::Exit;
use crate::jail::JailArgs;
use crate::options::OutputArgs;
use crate::recorded::{RecordedGame, Source};
use crate::{input, signals};

const ASK_HELP: &str = "\
Actions are numbered from 1 through the whole game, as `agon play` and `agon
replay` show them; squares from 0, as programs count. The default is the first
action of a program that failed, else the first action of a program.

The program gets the input, the seed (AGON_SEED) and the limits of the recorded
game. One that stays alive (LOOP) gets BEGIN and then only this input.

Examples:
  agon petri ask cell.py --record game.jsonl
  agon petri ask cell.py --record game.jsonl --action 12
  agon petri ask cell.py --record game.jsonl --action 12 --cell 3,1";

#[derive(Args, Debug)]
#[command(after_help = ASK_HELP)]
pub(crate) struct AskArgs {
    /// The program: a source file, a command in quotes, or a species (see `agon games`)
    pub program: String,
    /// The record of a game of the petri dish
    #[arg(long, value_name = "FILE")]
    pub record: PathBuf,
    /// Number of the action, from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub action: Option<u32>,
    /// The next action of a cell on this square, counted from --action: column and row, from 0
    #[arg(long, value_name = "X,Y", value_parser = square)]
    pub cell: Option<(usize, usize)>,
    #[command(flatten)]
    pub jail: JailArgs,
    #[command(flatten)]
    pub output: OutputArgs,
}

/// `3,1`.
fn square(text: &str) -> Result<(usize, usize), String> {
    let parts = text.trim_start_matches('(').trim_end_matches(')').split_once(',');
    let square = parts.and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
    square.ok_or_else(|| "X,Y expected, column and row counted from 0, as 3,1".to_owned())
}

pub(super) fn run(args: &AskArgs) -> anyhow::Result<Exit> {
    let file = args.record.display().to_string();
    let text = input::text(&args.record)?;
    let record = Record::read(&text).with_context(|| format!("`{file}` is not a record of a game"))?;
    let game = &record.header.game;
    ensure!(
        game == agon_arena::petri::GAME.name(),
        "`{file}` is a record of {game}: a record of petri expected; `agon ask` takes it"
    );
    let recorded = RecordedGame::read(Source { name: file, text })?;
    let found = action::find(&recorded, "--action", args.action, args.cell)?;
    signals::watch()?;
    args.jail.choose(recorded.game, [&*args.program])?;
    let Some(answer) = action::ask(&recorded, &args.program, &found)? else { return Ok(Exit::Stopped) };
    action::print(args.output.format, &found, &answer)?;
    Ok(Exit::Done)
}
