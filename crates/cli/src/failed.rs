//! The actions of a game that failed: which cell it was, what its program was shown, and what it wrote.

use std::fmt::Write as _;

use agon_game::Side;
use agon_referee::failures::FailedActions;
use agon_referee::record::Record;
use agon_referee::text;
use agon_web::viewer::told::{self, is_program, of_programs, which, without_cache};
pub use agon_web::viewer::told::{answer, failed_actions as of};
use serde_json::{Value, json};

use crate::failure::fold;
use crate::show::{self, paint};

/// Kinds of failures of a side that are counted in a line.
const COUNTED: usize = 5;

/// Lines of an error stream that are shown.
const STDERR_LINES: usize = 6;

/// Whether a program's actions have failed, so that its author wants to know more. Built-in players have no author here.
pub fn wants_explaining(record: &Record) -> bool {
    let failed = |side: Side| record.result.invocations.is_some_and(|counts| counts.remarked[side.index()] > 0);
    Side::BOTH.into_iter().any(|side| failed(side) && is_program(record, side))
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

/// The first failure of a program and the most frequent other one, whole.
pub fn explain(record: &Record, failures: &[FailedActions]) -> String {
    let mut text = String::new();
    for failed in of_programs(record, failures) {
        whole(&mut text, failed);
    }
    text
}

fn whole(text: &mut String, failed: &FailedActions) {
    let _ = writeln!(text, "{}", paint(show::ERROR, format!("{}, {}", failed.side, which(failed))));
    input(text, &failed.input, failed.actor);
    let _ = writeln!(text, "  {}  {}", paint(show::FAINT, "answer"), answer(&failed.answer, failed.cut));
    stderr(text, &failed.stderr);
}

/// The input of an action, of a large dish only the rows around the cell.
pub fn input(text: &mut String, shown: &str, actor: Option<(usize, usize)>) {
    let (title, lines) = told::input(shown, actor);
    let _ = writeln!(text, "  {}", paint(show::FAINT, title));
    for line in lines {
        let _ = writeln!(text, "{}", format!("    {line}").trim_end());
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
