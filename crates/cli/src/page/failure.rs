//! Why an agent failed, as the viewer shows it.

use agon_game::{Contest, Side};
use agon_referee::record::{Record, Way};
use agon_referee::text::line;
use agon_referee::verdict::Verdict;
use serde_json::{Value, json};

use crate::failure::without_cache;

/// Lines of the conversation that are kept.
const LINES: usize = 8;

/// Lines of the error stream, or of a compiler's message, that are kept.
const STREAM: usize = 30;

/// Characters of a line that are kept.
const WIDTH: usize = 400;

/// Every verdict other than OK: its headline, its reason, and lists of lines, each under a title.
pub fn failures(record: &Record, contest: &dyn Contest) -> Vec<Value> {
    Side::BOTH.into_iter().filter_map(|side| failure(record, contest, side)).collect()
}

fn failure(record: &Record, contest: &dyn Contest, side: Side) -> Option<Value> {
    let at = side.index();
    let judged = &record.result.verdicts[at];
    if judged.verdict == Verdict::Ok {
        return None;
    }
    let name = line(&record.header.agents[at].agent);
    let said: Vec<String> = record
        .entries
        .iter()
        .filter(|entry| entry.side == side)
        .map(|entry| {
            let way = if entry.way == Way::To { '>' } else { '<' };
            format!("{:>9.3} s {way} {}", entry.at.as_secs_f64(), entry.line)
        })
        .collect();
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
