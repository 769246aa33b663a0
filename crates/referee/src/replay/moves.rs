//! The moves of a record that has been proved before.

use std::time::Duration;

use agon_game::{GameState, Interaction, Side};

use super::error::ReplayError;
use crate::clock::RunningClock;
use crate::protocol::move_arguments;
use crate::record::Record;
use crate::report::{Played, Way};

/// Plays the moves of a record from the start of its game, without checking anything but that the rules take them: for
/// a record that [`prove`](super::prove) has accepted.
///
/// # Errors
/// [`ReplayError::Line`] of an answer that the rules refuse although it lost no game.
pub fn moves(record: &Record, state: &mut dyn GameState) -> Result<Vec<Played>, ReplayError> {
    super::begin(record, state);
    let session = state.interaction() == Interaction::Session;
    let mut running = Side::BOTH.map(|side| RunningClock::new(record.header.limits.clock_of(side)));
    // Per action nothing is left: what was used is counted.
    let mut used = [Duration::ZERO; 2];
    let mut played = Vec::new();
    // Answers to READY and BEGIN have no time.
    let answers = record.entries.iter().enumerate().filter(|(_, entry)| entry.way == Way::From);
    for (at, entry, moment) in answers.filter_map(|(at, entry)| Some((at, entry, entry.moment?))) {
        let own = entry.side.index();
        let arguments = if session {
            // The answer that loses is the last one, and no move.
            if !running[own].covers(moment.wall, moment.machine, record.header.limits.margin()) {
                break;
            }
            let Some(arguments) = move_arguments(entry.line.as_bytes()) else { break };
            running[own].moved(moment.wall, moment.machine);
            state.answer(arguments)
        } else {
            used[own] += moment.wall;
            state.answer(&entry.line)
        };
        let arguments = match arguments {
            Ok(arguments) => arguments,
            Err(_) if session && record.result.verdicts[entry.side.index()].fault().is_some() => break,
            Err(error) => return Err(ReplayError::Line { line: at + 2, problem: error.to_string() }),
        };
        let clocks = if session { running.map(|clock| clock.left()) } else { used };
        played.push(Played {
            side: entry.side,
            arguments,
            moment,
            clocks,
            remark: entry.remark.clone(),
            evaluation: entry.evaluation,
            messages: entry.messages.clone().or_else(|| entry.stderr.clone()),
        });
    }
    Ok(played)
}
