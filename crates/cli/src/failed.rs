//! The actions of a game that failed: which cell it was, what its program was shown, and what it wrote.

use std::fmt::Write as _;

use agon_game::{Contest, Side};
use agon_referee::failures::{FailedActions, failures};
use agon_referee::record::Record;
use agon_referee::replay;
use agon_referee::text;
use agon_rules::catalog::{Game, Setup};
use serde_json::{Value, json};

use crate::failure::{fold, without_cache};
use crate::show::{self, paint};

/// Kinds of failures of a side that are counted in a line.
const COUNTED: usize = 5;

/// Kinds of failures of a side that are shown whole: that of the first failure, and the most frequent other one.
const WHOLE: usize = 2;

/// Rows of an input that are shown.
const ROWS: usize = 12;

/// Lines of an error stream that are shown.
const STDERR_LINES: usize = 6;

/// Characters of a line that are shown.
const WIDTH: usize = 74;

/// The contest of a record where its first action is asked for; `None` when this version does not know such a game.
pub fn start(record: &Record) -> Option<Box<dyn Contest>> {
    let header = &record.header;
    let setup = Setup { seed: header.seed, parameters: header.parameters.clone() };
    let mut contest = Game::by_name(&header.game)?.contest(&setup).ok()?;
    replay::begin(record, contest.as_mut());
    Some(contest)
}

/// The failed actions in a record, each kind once; none of a game in sessions.
pub fn of(record: &Record) -> Vec<FailedActions> {
    match record.result.invocations {
        Some(counts) if counts.remarked != [0, 0] => {
            start(record).map_or_else(Vec::new, |start| failures(record, start.as_ref()))
        }
        _ => Vec::new(),
    }
}

/// Whether a program's actions have failed, so that its author wants to know more. Built-in players have no author here.
pub fn wants_explaining(record: &Record) -> bool {
    let failed = |side: Side| record.result.invocations.is_some_and(|counts| counts.remarked[side.index()] > 0);
    Side::BOTH.into_iter().any(|side| failed(side) && is_program(record, side))
}

fn is_program(record: &Record, side: Side) -> bool {
    record.header.agents[side.index()].kind != "builtin"
}

/// How to give the first failed input to its program again; `record` is the file as a shell reads it.
pub fn remedy(record: &Record, file: &str) -> Option<String> {
    let failures = of(record);
    let failed = failures.iter().find(|failed| is_program(record, failed.side))?;
    let program = show::quoted(&text::line(&record.header.agents[failed.side.index()].agent));
    Some(format!("agon petri ask {program} --record {file} --action {}", failed.action))
}

/// The failed actions as JSON.
pub fn json(failures: &[FailedActions]) -> Value {
    let of = |failed: &FailedActions| {
        json!({
            "side": failed.side.to_string(),
            "count": failed.count,
            "action": failed.action,
            "cell": failed.actor.map(|(x, y)| [x, y]),
            "input": failed.input,
            "answer": failed.answer,
            "remark": failed.remark,
            "stderr": failed.stderr,
        })
    };
    failures.iter().map(of).collect()
}

/// How often what failed, a line a kind. What a built-in player is refused matters only to other built-in players.
pub fn counts(record: &Record, failures: &[FailedActions], side: Side) -> String {
    let mut text = String::new();
    if !is_program(record, side) && is_program(record, side.other()) {
        return text;
    }
    let mine = || failures.iter().filter(|failed| failed.side == side);
    for failed in mine().take(COUNTED) {
        let count = format!("{side:<6} {:>5} × ", failed.count);
        let told = fold(&format!("{count}rested: {}", failed.remark), 0).join("\n");
        let told = told.strip_prefix(&count).unwrap_or(&told);
        let _ = writeln!(text, "{count}{}", paint(show::WARN, told));
    }
    let more = mine().count().saturating_sub(COUNTED);
    if more > 0 {
        let noun = if more == 1 { "reason" } else { "reasons" };
        let _ = writeln!(text, "{}", paint(show::FAINT, format!("{side:<6} … and {more} other {noun} to rest")));
    }
    text
}

/// The first failure of each program, and its most frequent other one.
pub fn of_programs<'a>(record: &Record, failures: &'a [FailedActions]) -> impl Iterator<Item = &'a FailedActions> {
    let programs = Side::BOTH.map(|side| is_program(record, side));
    let of = move |side: Side| failures.iter().filter(move |failed| failed.side == side).take(WHOLE);
    Side::BOTH.into_iter().filter(move |side| programs[side.index()]).flat_map(of)
}

/// The first failure of a program and the most frequent other one, whole.
pub fn explain(record: &Record, failures: &[FailedActions]) -> String {
    let mut text = String::new();
    for failed in of_programs(record, failures) {
        whole(&mut text, failed);
    }
    text
}

/// Which action failed first: `action 3, the cell on (0,1), the first of 5 alike`.
pub fn which(failed: &FailedActions) -> String {
    let cell = failed.actor.map_or(String::new(), |(x, y)| format!(", the cell on ({x},{y})"));
    let alike = match failed.count {
        1 => String::new(),
        count => format!(", the first of {count} alike"),
    };
    format!("action {}{cell}{alike}", failed.action)
}

fn whole(text: &mut String, failed: &FailedActions) {
    let _ = writeln!(text, "{}", paint(show::ERROR, format!("{}, {}", failed.side, which(failed))));
    input(text, &failed.input, failed.actor);
    let _ = writeln!(text, "  {}  {}", paint(show::FAINT, "answer"), answer(&failed.answer, failed.cut));
    stderr(text, &failed.stderr);
}

/// The input of an action, of a large dish only the rows around the cell.
pub fn input(text: &mut String, input: &str, actor: Option<(usize, usize)>) {
    let lines: Vec<&str> = input.lines().collect();
    let rows = lines.len().saturating_sub(3);
    let first = match actor {
        Some((_, y)) if rows > ROWS => y.saturating_sub(ROWS / 2).min(rows - ROWS),
        _ => 0,
    };
    let shown = first..first + ROWS.min(rows);
    let told = if rows > ROWS { format!(", rows {} to {} of {rows}", first, shown.end - 1) } else { String::new() };
    let _ = writeln!(text, "  {}", paint(show::FAINT, format!("input{told}")));
    for (at, line) in lines.iter().enumerate() {
        // The first line has the size, the last two are empty and of the cell.
        if at == 0 || at > rows || shown.contains(&(at - 1)) {
            let _ = writeln!(text, "{}", format!("    {}", cut(line)).trim_end());
        }
    }
}

/// An answer in a line, quoted.
pub fn answer(answer: &str, cut: u64) -> String {
    match (answer, cut) {
        ("", 0) => "nothing".to_owned(),
        (_, 0) => agon_referee::protocol::quote(answer.as_bytes()),
        _ => format!("{} and {cut} bytes more", agon_referee::protocol::quote(answer.as_bytes())),
    }
}

/// The end of an error stream; nothing where it is empty.
pub fn stderr(text: &mut String, stderr: &str) {
    let stderr = without_cache(stderr);
    let lines: Vec<String> = stderr.trim_end().lines().flat_map(|line| fold(line, 4)).collect();
    if !lines.is_empty() {
        let _ = writeln!(text, "  {}", paint(show::FAINT, "end of its error stream"));
    }
    for line in &lines[lines.len().saturating_sub(STDERR_LINES)..] {
        let _ = writeln!(text, "{line}");
    }
}

/// A line that fits a terminal and cannot steer it.
fn cut(line: &str) -> String {
    let clean = text::line(line);
    match clean.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &clean[..end]),
        None => clean,
    }
}
