//! Why an agent failed, as the viewer shows it.

use agon_game::{Contest, Side};
use agon_referee::failures::FailedActions;
use agon_referee::record::Record;
use agon_referee::text::line;
use agon_referee::verdict::Verdict;
use serde_json::{Value, json};

use crate::failed;
use crate::failure::{said, without_cache};

/// Lines of the conversation that are kept.
const LINES: usize = 8;

/// Lines of the error stream, or of a compiler's message, that are kept.
const STREAM: usize = 30;

/// Characters of a line that are kept.
const WIDTH: usize = 400;

/// Every verdict other than OK, and the actions of programs that failed: a headline, the reason, and lists of lines, each under
/// a title.
pub fn failures(record: &Record, contest: &dyn Contest) -> Vec<Value> {
    let verdicts = Side::BOTH.into_iter().filter_map(|side| failure(record, contest, side));
    let actions = failed::of(record);
    let actions = failed::of_programs(record, &actions).map(|failed| action(record, contest, failed));
    verdicts.chain(actions).collect()
}

fn action(record: &Record, contest: &dyn Contest, failed: &FailedActions) -> Value {
    let at = failed.side.index();
    let name = line(&record.header.agents[at].agent);
    let mut input = String::new();
    failed::input(&mut input, &failed.input, failed.actor);
    let input = anstream::adapter::strip_str(&input).to_string();
    let mut parts = Vec::new();
    if let Some((title, lines)) = input.split_once('\n') {
        let lines: Vec<&str> = lines.lines().map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
        parts.push(json!({ "title": title.trim(), "lines": lines }));
    }
    parts.push(json!({ "title": "answer", "lines": [cut(&failed::answer(&failed.answer, failed.cut))] }));
    let stream: Vec<String> = without_cache(&failed.stderr).lines().map(str::to_owned).collect();
    if !stream.is_empty() {
        parts.push(json!({ "title": "end of its error stream", "lines": last(&stream, STREAM) }));
    }
    json!({
        "title": format!("{} {name}, {}", contest.seats()[at], failed::which(failed)),
        "reason": [format!("rested: {}", line(&failed.remark))],
        "parts": parts,
    })
}

fn failure(record: &Record, contest: &dyn Contest, side: Side) -> Option<Value> {
    let at = side.index();
    let judged = &record.result.verdicts[at];
    if judged.verdict == Verdict::Ok {
        return None;
    }
    let name = line(&record.header.agents[at].agent);
    let said: Vec<String> = record.entries.iter().filter(|entry| entry.side == side).map(said).collect();
    let stream: Vec<String> = without_cache(&record.result.stderr[at]).lines().map(str::to_owned).collect();
    let parts = [
        ("last lines (> to the agent, < from it)", last(&said, LINES)),
        ("end of its error stream", last(&stream, STREAM)),
    ];
    let parts: Vec<Value> = parts
        .into_iter()
        .filter(|(_, lines)| !lines.is_empty())
        .map(|(title, lines)| json!({ "title": title, "lines": lines }))
        .collect();
    let reason: Vec<String> = judged.explanation().iter().take(STREAM).map(|line| cut(line)).collect();
    Some(json!({
        "title": match judged.verdict {
            Verdict::Interrupted => format!("{} {name}: stopped by the judge", contest.seats()[at]),
            verdict => format!("{} {name} failed: {verdict}", contest.seats()[at]),
        },
        "reason": reason,
        "parts": parts,
    }))
}

fn last(lines: &[String], most: usize) -> Vec<String> {
    lines[lines.len().saturating_sub(most)..].iter().map(|line| cut(line)).collect()
}

fn cut(text: &str) -> String {
    let clean = line(text);
    match clean.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &clean[..end]),
        None => clean,
    }
}
