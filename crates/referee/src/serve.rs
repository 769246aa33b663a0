//! A built-in player as a program of its own: it speaks the judge's protocol over any two streams, so that it can be
//! submitted or refereed elsewhere.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use agon_game::{Player, TimeControl};

use crate::protocol::JudgeCommand;

/// What ends a session before FINISH.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("the judge said `{line}`: {problem}")]
    Judge { line: String, problem: String },
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Answers the judge's commands until FINISH, or until its lines end.
///
/// # Errors
/// [`ServeError`] when the judge breaks the protocol or a stream fails.
pub fn serve(player: &mut dyn Player, judge: impl BufRead, mut answers: impl Write) -> Result<(), ServeError> {
    let mut preamble = String::new();
    let mut ready = false;
    for line in judge.lines() {
        let line = line?;
        let broken = |problem: String| ServeError::Judge { line: line.clone(), problem };
        let command = match line.parse::<JudgeCommand>() {
            Ok(command) => command,
            // Whatever comes before READY is the board, or an opening.
            Err(_) if !ready => {
                preamble += line.trim_end();
                preamble.push('\n');
                continue;
            }
            Err(_) => return Err(broken("no command of the judge".to_owned())),
        };
        match command {
            JudgeCommand::Ready(side) => {
                player.ready(side, &preamble).map_err(broken)?;
                preamble.clear();
                ready = true;
                writeln!(answers, "OK")?;
            }
            JudgeCommand::Turn { mine, theirs } => {
                let clock = |ms: u32| TimeControl::sudden_death(Duration::from_millis(ms.into()));
                let arguments = player.choose(clock(mine), clock(theirs)).map_err(broken)?;
                writeln!(answers, "MOVE {arguments}")?;
            }
            JudgeCommand::Opp { arguments, .. } => player.opponent(&arguments).map_err(broken)?,
            JudgeCommand::Finish => return Ok(()),
        }
        answers.flush()?;
    }
    Ok(())
}
