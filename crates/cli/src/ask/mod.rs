//! `agon ask`: gives the recorded input of a game to a program again.

pub(crate) mod action;
mod args;
mod session;

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;

use agon_arena::agents;
use agon_arena::debug::{DebugOutcome, Debugging};
use agon_game::Side;
use agon_referee::agent::AgentSpec;
use agon_referee::record::Record;
use anyhow::bail;
use serde_json::json;

use crate::exit::Exit;
use crate::options::Format;
use crate::recorded::RecordedGame;
use crate::{debug, output, signals};
use args::side;
pub(crate) use args::{AskArgs, SeatName};

pub(crate) fn run(args: &AskArgs) -> anyhow::Result<Exit> {
    let (file, program) = match (args.words.as_slice(), args.stored.slot) {
        ([file, program], None) => (Some(PathBuf::from(file)), program),
        ([program], Some(_)) => (None, program),
        ([only], None) => bail!("`{only}` alone: a record and a program expected, as `agon ask game.jsonl bot.py`"),
        _ => bail!("--slot names the game: leave out the record, as `agon ask --slot 3 bot.py`"),
    };
    let recorded = match RecordedGame::read(args.stored.source(file.as_deref())?) {
        Err(_) if file.is_some() && fs::read_to_string(program).is_ok_and(|text| Record::read(&text).is_ok()) => {
            bail!("`{program}` is the record: it goes first, as `agon ask {program} bot.py`");
        }
        recorded => recorded?,
    };
    signals::watch()?;
    args.jail.choose(recorded.game, [program.as_str()])?;
    if args.debug {
        return crash(args, &recorded, program);
    }
    if recorded.game.has_sessions() {
        return session::run(args, &recorded, program);
    }
    if args.openings_understood {
        bail!("--openings-understood is for games of turns, not for {}: leave it out", recorded.game.name());
    }
    if args.all {
        return action::all(&recorded, program, side(args, &recorded, program)?, args.output.format);
    }
    let found = action::find(&recorded, "--ply", args.ply, None)?;
    let Some(answer) = action::ask(&recorded, program, &found)? else { return Ok(Exit::Stopped) };
    action::print(args.output.format, &found, &answer)?;
    Ok(if answer.answer.remark.is_some() { Exit::No } else { Exit::Done })
}

/// Repeats the input of a side, by default the one that failed, with a build that has all checks.
fn crash(args: &AskArgs, recorded: &RecordedGame, program: &str) -> anyhow::Result<Exit> {
    let failed = Side::BOTH.into_iter().find(|side| debug::failed(&recorded.record, *side));
    let side = match failed {
        Some(side) if args.side.is_none() => side,
        _ => side(args, recorded, program)?,
    };
    if !debug::can_repeat(&recorded.record, side) {
        bail!("nothing failed in `{}`: --debug repeats failed actions of {}", recorded.name, recorded.game.name());
    }
    let spec = agents::parse(recorded.game, program)?;
    if matches!(spec, AgentSpec::Builtin { .. }) {
        bail!("`{program}` is a built-in player: name the program that failed");
    }
    let run = Debugging::of_record(recorded.game, &recorded.record, side, &spec).run(Some(&recorded.record))?;
    let mut out = anstream::stdout();
    match args.output.format {
        Format::Json => writeln!(out, "{}", output::json(json!({ "side": side.to_string(), "crash": run })))?,
        Format::Text => write!(out, "{}", debug::text(&recorded.record, side, &run).trim_start())?,
    }
    Ok(if run.outcome == DebugOutcome::Survived { Exit::Done } else { Exit::No })
}
