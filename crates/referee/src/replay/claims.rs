//! Compares what the result of a record claims with what the transcript shows.

use agon_game::Side;
use agon_message::{Stated, StatedArgument};

use super::error::ReplayError;
use crate::fault_kind::FaultKind;
use crate::process::Moment;
use crate::record::Record;
use crate::report::Way;
use crate::verdict::Fault;

/// Whether the reasons are in the words of this version: another version may phrase the same differently.
pub(super) fn worded_here(record: &Record) -> bool {
    record.header.agon == env!("CARGO_PKG_VERSION")
}

/// Refuses a verdict other than the one that an answer of the agent shows. `exactly` says whether the record has the
/// answer byte for byte, so that the reason can be compared, too.
pub(super) fn same_fault(record: &Record, side: Side, found: &Fault, exactly: bool) -> Result<(), ReplayError> {
    let judged = &record.result.verdicts[side.index()];
    let what = match side {
        Side::First => {
            ["the verdict on first is", "the reason of the verdict on first is", "the kind of the verdict on first is"]
        }
        Side::Second => [
            "the verdict on second is",
            "the reason of the verdict on second is",
            "the kind of the verdict on second is",
        ],
    };
    ReplayError::unless_same(what[0], judged.verdict.to_string(), found.verdict.to_string())?;
    if judged.kind.as_ref().is_some_and(|kind| !is_unnamed(kind, found)) {
        ReplayError::unless_same(what[2], format!("{:?}", judged.kind), format!("{:?}", found.kind))?;
    }
    // The reason of this fault had other words before there were kinds.
    let older = judged.kind.is_none() && matches!(found.kind, Some(FaultKind::NotOk { .. }));
    if !exactly || !worded_here(record) || older {
        return Ok(());
    }
    let reason = judged.reason.clone().unwrap_or_default();
    if says(&reason, &found.reason) {
        return Ok(());
    }
    Err(unlike(what[1], &reason, &found.reason))
}

/// Whether a claimed message is the one that was found. Records from before messages had keys, and the parts of some
/// messages, have only the text.
pub(super) fn says(claimed: &Stated, found: &Stated) -> bool {
    let (Some(one), Some(other)) = (&claimed.keyed, &found.keyed) else {
        return claimed.text == found.text && claimed.keyed.is_none();
    };
    let same = |(one, other): (&StatedArgument, &StatedArgument)| match (one, other) {
        (StatedArgument::Stated(one), StatedArgument::Stated(other)) => says(one, other),
        (one, other) => one == other,
    };
    claimed.text == found.text
        && one.key == other.key
        && one.arguments.keys().eq(other.arguments.keys())
        && one.arguments.values().zip(other.arguments.values()).all(same)
}

/// The error of a message that differs in its words, or else in its key or arguments.
fn unlike(what: &'static str, claimed: &Stated, found: &Stated) -> ReplayError {
    let same_text = claimed.text == found.text;
    let shown = |stated: &Stated| if same_text { format!("{:?}", stated.keyed) } else { stated.text.clone() };
    ReplayError::Result { what, claimed: shown(claimed), found: shown(found) }
}

/// True for an illegal move in a record of a version that had no name for the rule that it breaks.
fn is_unnamed(judged: &FaultKind, found: &Fault) -> bool {
    *judged == FaultKind::Illegal { rule: None } && matches!(found.kind, Some(FaultKind::Illegal { .. }))
}

/// Refuses another reason of the result. Records from before reasons had keys have only the words.
pub(super) fn same_reason(record: &Record, found: &Stated) -> Result<(), ReplayError> {
    let claimed = &record.result.reason;
    if !worded_here(record) {
        return Ok(());
    }
    if says(claimed, found) {
        return Ok(());
    }
    let what = if claimed.text == found.text { "the key of the reason is" } else { "the reason is" };
    Err(unlike(what, claimed, found))
}

/// Refuses counts of disturbed moves that differ from the transcript's.
pub(super) fn same_disturbed(record: &Record) -> Result<(), ReplayError> {
    let count = |side: Side| {
        let answers = record.entries.iter().filter(|entry| (entry.side, entry.way) == (side, Way::From));
        answers.filter_map(|entry| entry.moment).filter(Moment::disturbed).count() as u32
    };
    let (claimed, found) = (record.result.disturbed, Side::BOTH.map(count));
    ReplayError::unless_same("the disturbed moves are", format!("{claimed:?}"), format!("{found:?}"))
}
