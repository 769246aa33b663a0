//! `agon ask`: the recorded input of a game, given to a program again.

pub mod action;
mod args;
mod session;

use std::fs;
use std::path::PathBuf;

use agon_referee::record::Record;
use anyhow::bail;

use crate::exit::Exit;
use crate::recorded::RecordedGame;
use crate::signals;
use args::side;
pub use args::{AskArgs, SeatName};

pub fn run(args: &AskArgs) -> anyhow::Result<Exit> {
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
    if recorded.game.has_sessions() {
        return session::run(args, &recorded, program);
    }
    if args.openings_understood {
        bail!("--openings-understood is for games of turns, not for {}: leave it out", recorded.game.name());
    }
    if args.all {
        return action::all(&recorded, program, side(args, &recorded)?, args.output.format);
    }
    let found = action::find(&recorded, "--ply", args.ply, None)?;
    let Some(answer) = action::ask(&recorded, program, &found)? else { return Ok(Exit::Stopped) };
    action::print(args.output.format, &found, &answer)?;
    Ok(if answer.answer.remark.is_some() { Exit::No } else { Exit::Done })
}
