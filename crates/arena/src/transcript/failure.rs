//! Why an agent failed, in the viewer's form.

use agon_analysis::game_log::{write_message, write_messages};
use agon_game::{GameState, SeatName, Side};
use agon_message::{Message, Stated, messages};
use agon_referee::failures::FailedActions;
use agon_referee::record::Record;
use agon_referee::text::line;
use agon_referee::verdict::Verdict;
use serde_json::{Value, json};

use super::{
    FailedAction, PartTitle, answer, by_own_names, cut, explanation_messages, failed_actions, input, of_programs, said,
    which,
};
use crate::bot_check::CheckPlace;
use crate::bot_check::remedy::{self, RemedyContext};

/// Lines of the conversation that are kept.
const LINES: usize = 8;

/// Lines of the error stream, or of a compiler's message, that are kept.
const STREAM: usize = 30;

/// Characters of a line that are kept.
const WIDTH: usize = 400;

/// Every verdict other than OK, and the failed actions of programs: a headline, the reason, and lists of lines, each
/// with a title. The input and output of programs is shown for the sides in `open`, with the remedies for this place.
pub fn failures(record: &Record, state: &dyn GameState, open: [bool; 2], place: CheckPlace) -> Vec<Value> {
    let failure = |side: Side| failure(record, state, side, open[side.index()], place);
    let verdicts = Side::BOTH.into_iter().filter_map(failure);
    let actions = failed_actions(record);
    let actions = of_programs(record, &actions).filter(|failed| open[failed.side.index()]);
    let actions = actions.map(|failed| action(record, state, failed));
    verdicts.chain(actions).collect()
}

fn action(record: &Record, state: &dyn GameState, failed: &FailedActions) -> Value {
    let at = failed.side.index();
    let name = line(record.header.agents[at].shown());
    let (title, lines) = input(&failed.input, failed.actor);
    let answered = Stated::from(&answer(&failed.answer, failed.cut)).map_texts(&|text| cut(text, WIDTH));
    let mut parts = vec![
        part(&title, &lines.into_iter().map(Stated::from).collect::<Vec<_>>()),
        part(&PartTitle::Answer, &[answered]),
    ];
    let stream: Vec<String> =
        by_own_names(&failed.stderr, &record.header.agents[at]).lines().map(str::to_owned).collect();
    if !stream.is_empty() {
        parts.push(part(&PartTitle::StderrEnd, &last(&stream, STREAM)));
    }
    let mut failure = json!({ "parts": parts });
    let seat = SeatName::from(state.seats()[at]);
    write_message(&mut failure, "title", &FailureTitle::Action { seat, name, action: which(failed) });
    let rested = Rested::Why { remark: failed.remark.map_texts(&line) };
    write_messages(&mut failure, "reason", &[Stated::from(&rested)]);
    failure
}

/// Lines under a title.
fn part(title: &dyn Message, lines: &[Stated]) -> Value {
    let mut part = json!({});
    write_message(&mut part, "title", title);
    write_messages(&mut part, "lines", lines);
    part
}

messages! {
    /// Who failed.
    pub enum FailureTitle {
        Failed { seat: SeatName, name: String, verdict: Verdict } = "{seat} {name} failed: {verdict}",
        Stopped { seat: SeatName, name: String } = "{seat} {name}: stopped by the judge",
        Action { seat: SeatName, name: String, action: FailedAction } = "{seat} {name}, {action}",
    }

    /// Why a cell did nothing.
    pub enum Rested {
        Why { remark: Stated } = "rested: {remark}",
    }
}

fn failure(record: &Record, state: &dyn GameState, side: Side, open: bool, place: CheckPlace) -> Option<Value> {
    let at = side.index();
    let judged = &record.result.verdicts[at];
    if judged.verdict == Verdict::Ok {
        return None;
    }
    let name = line(record.header.agents[at].shown());
    let said: Vec<String> = record.entries.iter().filter(|entry| entry.side == side).map(said).collect();
    let stream: Vec<String> =
        by_own_names(&record.result.stderr[at], &record.header.agents[at]).lines().map(str::to_owned).collect();
    let parts = [(PartTitle::LastLines, last(&said, LINES)), (PartTitle::StderrEnd, last(&stream, STREAM))];
    let parts: Vec<Value> = parts
        .into_iter()
        .filter(|(_, lines)| open && !lines.is_empty())
        .map(|(title, lines)| part(&title, &lines))
        .collect();
    let explained = explanation_messages(record, side);
    // Everyone may see the verdict; how a program came to it, and the compiler's message about its source, is for its
    // author.
    let most = if open { STREAM } else { 1 };
    let reason: Vec<Stated> =
        explained.iter().take(most).map(|line| line.map_texts(&|text| cut(text, WIDTH))).collect();
    let context = RemedyContext { place, memory_mib: record.header.limits.memory_mib, repeated: None };
    let remedy = open.then(|| remedy::of_verdict(judged, &stream.join("\n"), &context)).flatten();
    let mut failure = json!({ "remedy": null, "parts": parts });
    let seat = SeatName::from(state.seats()[at]);
    let title = match judged.verdict {
        Verdict::Interrupted => FailureTitle::Stopped { seat, name },
        verdict => FailureTitle::Failed { seat, name, verdict },
    };
    write_message(&mut failure, "title", &title);
    write_messages(&mut failure, "reason", &reason);
    if let Some(remedy) = remedy {
        write_message(&mut failure, "remedy", &remedy);
    }
    Some(failure)
}

fn last(lines: &[String], most: usize) -> Vec<Stated> {
    lines[lines.len().saturating_sub(most)..].iter().map(|line| cut(line, WIDTH).into()).collect()
}
