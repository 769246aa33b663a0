//! Whether the times of a record can have been measured.

use std::time::Duration;

use agon_game::Interaction;

use super::error::ReplayError;
use crate::record::Record;
use crate::report::{RecordEntry, Way};

/// How much rounding can add: times of lines are rounded down, times of answers up.
const ROUNDING: Duration = Duration::from_micros(2);

/// How long after an answer the judge may have recorded it, at the very most. Records now say when an answer was seen;
/// earlier ones say when it was recorded.
const NOTED: Duration = Duration::from_secs(1);

/// Checks that no line comes before its time, that no answer took longer than the time since the line before its
/// question, and that none to TURN took less than the time that the lines leave.
pub(super) fn check(record: &Record, interaction: Interaction) -> Result<(), ReplayError> {
    // The lines of a question are recorded together: the measured time began after the line before them.
    let (mut last, mut before, mut asked) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    for (at, entry) in record.entries.iter().enumerate() {
        let wrong = |problem: String| Err(ReplayError::Line { line: at + 2, problem });
        if entry.at < last {
            let (now, then) = (entry.at.as_micros(), last.as_micros());
            return wrong(format!("at_us {now} stands after {then}"));
        }
        match (entry.way, entry.moment) {
            (_, None) => {}
            (Way::To, Some(_)) => return wrong(format!("`{}` is not an answer, but has a time", entry.line)),
            (Way::From, Some(moment)) => {
                if moment.machine > moment.delay.min(moment.wall) {
                    let (machine, delay) = (moment.machine.as_micros(), moment.delay.as_micros());
                    return wrong(format!("machine_us {machine} is more than it can be of delay_us {delay}"));
                }
                let (wall, most) = (moment.wall, entry.at.saturating_sub(before));
                if wall > most + ROUNDING {
                    let (wall, most) = (wall.as_micros(), most.as_micros());
                    return wrong(format!("wall_us {wall} is more than the {most} since the question could be sent"));
                }
                let least = entry.at.saturating_sub(asked);
                if interaction == Interaction::Session && least > wall + NOTED {
                    let (wall, least) = (wall.as_micros(), least.as_micros());
                    return wrong(format!("wall_us {wall} does not fit the {least} since TURN"));
                }
            }
        }
        last = entry.at;
        (before, asked) = match entry.way {
            Way::From => (entry.at, entry.at),
            Way::To => (before, entry.at),
        };
        if is_alone(entry) {
            before = entry.at;
        }
    }
    Ok(())
}

/// Whether a line to an agent is not part of a question with a measured answer.
fn is_alone(entry: &RecordEntry) -> bool {
    entry.way == Way::To && ["OPP ", "INFO ", "TURN "].iter().all(|word| !entry.line.starts_with(word))
}
