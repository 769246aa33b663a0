//! The place where a program crashed, as text.

use std::fmt::Write as _;

use agon_arena::debug::{DebugOutcome, DebugRun};
use agon_arena::transcript::is_program;
use agon_game::Side;
use agon_referee::fault_kind::FaultKind;
use agon_referee::record::Record;
use agon_referee::verdict::Verdict;

use crate::failure::as_written;
use crate::show::{self, paint};

/// Returns true if a program failed in a game: by a verdict, or in an action.
pub(crate) fn failed(record: &Record, side: Side) -> bool {
    let verdict = record.result.verdicts[side.index()].verdict;
    let actions = record.result.invocations.is_some_and(|counts| counts.remarked[side.index()] > 0);
    is_program(record, side) && (!matches!(verdict, Verdict::Ok | Verdict::Interrupted) || actions)
}

/// Returns true if a program's game can be repeated with all checks: it failed, or played a session whose whole input
/// is known.
pub(crate) fn can_repeat(record: &Record, side: Side) -> bool {
    is_program(record, side) && (record.result.invocations.is_none() || failed(record, side))
}

/// Returns true if a program crashed in a game, so that there is a place to look for.
pub(crate) fn is_worth(record: &Record, side: Side) -> bool {
    let crashed = record.result.verdicts[side.index()].kind.as_ref().is_some_and(FaultKind::is_crash);
    failed(record, side) && (crashed || record.result.invocations.is_some())
}

/// Returns the outcome of the repeated game as text.
pub(crate) fn text(record: &Record, side: Side, run: &DebugRun) -> String {
    let heading = match run.outcome {
        DebugOutcome::Crashed(_) if !failed(record, side) => format!("{side}: a fault that the game did not show"),
        _ => format!("{side}: {}", run.heading()),
    };
    let mut text = format!("\n{}\n", paint(show::ERROR, heading));
    for line in run.lines() {
        let _ = writeln!(text, "{}", as_written(&line, 2));
    }
    text
}
