//! A built-in player as a separate program: it speaks the judge's protocol over any two streams, so that it can be
//! submitted or refereed elsewhere.

use std::env;
use std::io::{self, BufRead, Write};
use std::time::Duration;

use agon_game::Player;

use crate::clock::{CLOCK_VARIABLE, Clock, parse_ms};
use crate::evaluation;
use crate::limits::{GameLimits, READY_VARIABLE, STAY_VARIABLE};
use crate::protocol::JudgeCommand;

/// What ends a session before FINISH.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("the judge said `{line}`: {problem}")]
    Judge { line: String, problem: String },
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Terms that a judge's lines do not contain: Agon's judge puts them into the environment of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SessionTerms {
    /// What is added to the player's clock, and when. Without it, the times of TURN are for the rest of the game.
    pub clock: Option<Clock>,
    /// After FINISH another game may begin, so the program waits for the next READY.
    pub stays: bool,
    /// The time to answer READY.
    pub ready: Duration,
}

impl Default for SessionTerms {
    fn default() -> Self {
        Self { clock: None, stays: false, ready: GameLimits::ALPHANO.ready() }
    }
}

impl SessionTerms {
    /// The terms in the environment of this process; unreadable ones are ignored.
    pub fn from_environment() -> Self {
        let clock = env::var(CLOCK_VARIABLE).ok().and_then(|text| text.parse().ok());
        let ready = env::var(READY_VARIABLE).ok().and_then(|text| parse_ms(&text, 1)).map(Duration::from_millis);
        Self {
            clock,
            stays: env::var_os(STAY_VARIABLE).is_some_and(|value| !value.is_empty()),
            ready: ready.unwrap_or(Self::default().ready),
        }
    }
}

/// Answers the judge's commands until FINISH, or, if the program stays, until its input ends; the player's evaluations
/// of its moves go to `messages`, the error stream.
///
/// # Errors
/// [`ServeError`] when the judge breaks the protocol or a stream fails.
pub fn serve(
    player: &mut dyn Player,
    terms: SessionTerms,
    judge: impl BufRead,
    mut answers: impl Write,
    mut messages: impl Write,
) -> Result<(), ServeError> {
    let rules = terms.clock.unwrap_or(Clock::for_game(0));
    let mut preamble = String::new();
    let mut ready = false;
    let mut moves = 0;
    for line in judge.lines() {
        let line = line?;
        let broken = |problem: String| ServeError::Judge { line: line.clone(), problem };
        let command = match line.parse::<JudgeCommand>() {
            Ok(command) => command,
            // Anything before READY is the board, or an opening.
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
                // Nothing says how the opponent's clock continues: most opponents have the same.
                let clock = |ms: u32| rules.control(Duration::from_millis(ms.into()), moves);
                let arguments = player.choose(clock(mine), clock(theirs)).map_err(broken)?;
                moves += 1;
                // First, so that the judge has it when it has the move.
                if let Some(evaluation) = player.evaluation() {
                    writeln!(messages, "{}", evaluation::line(&evaluation))?;
                    messages.flush()?;
                }
                writeln!(answers, "MOVE {arguments}")?;
            }
            JudgeCommand::Opp { arguments, .. } => player.opponent(&arguments).map_err(broken)?,
            JudgeCommand::Info(_) => {}
            JudgeCommand::Finish if !terms.stays => return Ok(()),
            JudgeCommand::Finish => (ready, moves) = (false, 0),
        }
        answers.flush()?;
    }
    Ok(())
}
