//! The result of one game, for people and for programs.

use std::path::Path;
use std::time::Duration;

use agon_game::{GameState, Side};
use agon_jail::Level;
use agon_referee::failures::FailedActions;
use agon_referee::record::{Record, Winner};
use agon_referee::report::ActionCounts;
use agon_referee::startup::Startup;
use agon_referee::text::line;
use agon_referee::verdict::AgentVerdict;
use serde_json::json;

use crate::failed;
use crate::failure::{WIDTH, fold};
use crate::show::{self, paint};

/// The result as one object; `kept` is the file of the record.
pub(crate) fn json(record: &Record, kept: Option<&Path>) -> serde_json::Value {
    let (header, result) = (&record.header, &record.result);
    let all = serde_json::to_value(result).expect("a result can be written as JSON");
    let mut json = json!({
        "game": header.game,
        "winner": all["winner"],
        "reason": all["reason"],
        "score": all["score"],
        "verdicts": result.verdicts.each_ref().map(|judged| judged.verdict.name()),
        "faults": result.verdicts.each_ref().map(|judged| judged.reason_text().map(str::to_owned)),
        "causes": result.verdicts.each_ref().map(AgentVerdict::cause_text),
        "plies": result.plies,
        "time_ms": result.time_ms,
        "disturbed": result.disturbed,
        "seed": header.seed,
        "agents": header.agents.each_ref().map(|agent| agent.agent.clone()),
        "jail": record.jail().map(Level::name),
        "record": kept.map(|path| path.display().to_string()),
    });
    if let Some(opening) = &header.opening {
        json["opening"] = json!(opening);
    }
    if result.invocations.is_some() {
        json["invocations"] = all["invocations"].clone();
        json["failures"] = failed::json(&failed::of(record));
    }
    json
}

/// Returns who has won, with the points: `O bot.cpp wins 18–0`.
pub(crate) fn headline(record: &Record, seats: [&str; 2]) -> String {
    let result = &record.result;
    // Points decide only a finished game.
    let score = result.score.filter(|_| record.is_clean());
    let score = score.map_or(String::new(), |[first, second]| format!(" {first}–{second}"));
    // Both agents may bear the same name.
    let wins = |at: usize| format!("{} {} wins{score}", seats[at], line(record.header.agents[at].shown()));
    match result.winner {
        Winner::First => wins(0),
        Winner::Second => wins(1),
        Winner::Draw => format!("a draw{score}"),
        Winner::Void => "no result".to_owned(),
    }
}

pub(crate) fn text(record: &Record, state: &dyn GameState) -> String {
    let (header, result) = (&record.header, &record.result);
    let seats = state.seats();
    let name = |at: usize| line(header.agents[at].shown());
    let headline = headline(record, seats);
    let line_of_result = format!("{headline}: {}", line(&result.reason.text));
    let whole = if record.is_clean() { line_of_result } else { fold(&line_of_result, 0).join("\n") };
    let mut text = whole.replacen(&headline, &paint(show::STRONG, &headline), 1);
    text.push('\n');
    for side in Side::BOTH {
        let at = side.index();
        let verdict = result.verdicts[at].verdict;
        let style = if result.verdicts[at].reason.is_none() { show::GOOD } else { show::ERROR };
        let disturbed = match result.disturbed[at] {
            0 => String::new(),
            1 => "1 move disturbed by the machine".to_owned(),
            n => format!("{n} moves disturbed by the machine"),
        };
        // An agent that failed before its first move has used no time.
        let used = match Duration::from_secs_f64(result.time_ms[at] / 1000.0) {
            Duration::ZERO => "no move".to_owned(),
            used => format!("{} used", show::time(used)),
        };
        let beginning = format!("{:<6} {:<5}", side.to_string(), seats[at]);
        let rest = format!("  {used}  ");
        let room = WIDTH.saturating_sub(beginning.chars().count() + 5 + rest.chars().count());
        let rest = rest + &end_of(&name(at), room);
        text += &format!("{}  {}{rest}", paint(show::side(side), &beginning), paint(style, format!("{verdict:<3}")));
        if !disturbed.is_empty() {
            let fits = beginning.chars().count() + 5 + rest.chars().count() + 2 + disturbed.chars().count() <= WIDTH;
            text += if fits { "  " } else { "\n       " };
            text += &paint(show::WARN, disturbed);
        }
        text.push('\n');
    }
    let unit = match (result.invocations.is_some(), result.plies) {
        (true, 1) => "action",
        (true, _) => "actions",
        (false, 1) => "ply",
        (false, _) => "plies",
    };
    text += &paint(show::FAINT, format!("{} {unit}, seed {}", result.plies, header.seed));
    text.push('\n');
    if let Some(opening) = &header.opening {
        text += &format!("opening  {}\n", line(&opening.to_string()));
    }
    if let Some(tally) = &result.invocations {
        let failures = failed::of(record);
        text += &remarks(record, &failures, tally);
        text += &failed::explain(record, &failures);
        // Failures come first: a program that fails gains nothing by starting faster.
        for side in Side::BOTH.into_iter().filter(|side| tally.remarked[side.index()] == 0) {
            let name = end_of(&line(header.agents[side.index()].shown()), 40);
            if let Some(advice) = Startup::from_record(record, side).and_then(|startup| startup.advice(&name)) {
                text += &format!("{}\n", show::folded(&format!("{side:<6} "), &advice));
            }
        }
    }
    text
}

/// Counts refused actions, and answers that differ when asked again.
fn remarks(record: &Record, failures: &[FailedActions], tally: &ActionCounts) -> String {
    let mut text = String::new();
    for side in Side::BOTH {
        let at = side.index();
        text += &failed::counts(record, failures, side);
        if tally.rechecked[at] > 0 {
            let differing = format!("{} of {} answers", tally.differing[at], tally.rechecked[at]);
            text += &if tally.differing[at] > 0 {
                let why = "it keeps a state, or draws random numbers without AGON_SEED";
                format!("{side:<6} {}\n", paint(show::ERROR, format!("{differing} differ when asked again: {why}")))
            } else {
                format!("{side:<6} {differing} differ when asked again\n")
            };
        }
    }
    text
}

/// The end of a name that does not fit, since the end of a path says most.
fn end_of(name: &str, room: usize) -> String {
    let length = name.chars().count();
    if length <= room {
        name.to_owned()
    } else {
        ['…'].into_iter().chain(name.chars().skip(length + 1 - room)).collect()
    }
}
