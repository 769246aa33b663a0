//! The failed actions of a game: the cell, the program's input, and its output.

use std::fmt::Write as _;

use agon_arena::agents;
use agon_arena::transcript::{self, by_own_names, is_program, of_programs, which};
use agon_catalog::{Game, Setup};
use agon_game::Side;
use agon_referee::agent::quoted;
use agon_referee::bout::recorded_turns;
use agon_referee::cause;
use agon_referee::failures::FailedActions;
use agon_referee::record::{AgentNote, Record};
use agon_referee::text;
use agon_referee::verdict::Verdict;
use serde_json::{Value, json};

use crate::failure::{as_written, fold};
use crate::rules;
use crate::show::{self, paint};

pub(crate) use agon_arena::transcript::{answer, failed_actions as of};

/// Maximum number of kinds of failures per side.
const MAX_COUNTED: usize = 5;

const MAX_STDERR_LINES: usize = 6;

/// Returns true if actions of a program, not of a built-in player, have failed.
pub(crate) fn wants_explaining(record: &Record) -> bool {
    let failed = |side: Side| record.result.invocations.is_some_and(|counts| counts.remarked[side.index()] > 0);
    Side::BOTH.into_iter().any(|side| failed(side) && is_program(record, side))
}

/// Returns the command that gives the failed input, or the first one, to its program again; `file` is the record,
/// quoted for a shell.
pub(crate) fn remedy(record: &Record, file: &str) -> Option<String> {
    if let Some(side) = failed_at_a_move(record) {
        let rules = Game::by_name(&record.header.game).map(rules::option).unwrap_or_default();
        return Some(format!("agon ask {file} {}{rules}", askable(record, &record.header.agents[side.index()].agent)?));
    }
    let failures = of(record);
    let failed = failures.iter().find(|failed| is_program(record, failed.side))?;
    let program = quoted(&text::line(&record.header.agents[failed.side.index()].agent));
    Some(format!("agon petri ask {program} --record {file} --action {}", failed.action))
}

/// Returns the side at whose move a game with turns ended because its program failed, which `agon ask` repeats.
pub(crate) fn failed_at_a_move(record: &Record) -> Option<Side> {
    let game = Game::by_name(&record.header.game).filter(|game| game.has_turns())?;
    let setup = Setup { seed: record.header.seed, parameters: record.header.parameters.clone() };
    let turns = recorded_turns(record, game.initial_state(&setup).ok()?.as_ref());
    let side = turns.last().filter(|turn| turn.played.is_none())?.side;
    let failed = !matches!(record.result.verdicts[side.index()].verdict, Verdict::Ok | Verdict::Interrupted);
    (failed && is_program(record, side)).then_some(side)
}

/// Returns the text of an agent, quoted for a shell, if it names a program: a record may have a name in its place.
pub(crate) fn askable(record: &Record, agent: &str) -> Option<String> {
    let game = Game::by_name(&record.header.game)?;
    agents::parse(game, agent).ok().map(|_| quoted(&text::line(agent)))
}

/// The failed actions as JSON.
pub(crate) fn json(failures: &[FailedActions]) -> Value {
    let of = |failed: &FailedActions| {
        json!({
            "side": failed.side.to_string(),
            "count": failed.count,
            "action": failed.action,
            "cell": failed.actor.map(|(x, y)| [x, y]),
            "input": failed.input,
            "answer": failed.answer,
            "remark": failed.remark.text,
            "stderr": failed.stderr,
        })
    };
    failures.iter().map(of).collect()
}

/// Counts each kind of failure, one per line. Refused actions of a built-in player are shown only if both players are
/// built in.
pub(crate) fn counts(record: &Record, failures: &[FailedActions], side: Side) -> String {
    let mut text = String::new();
    if !is_program(record, side) && is_program(record, side.other()) {
        return text;
    }
    let mine = || failures.iter().filter(|failed| failed.side == side);
    for failed in mine().take(MAX_COUNTED) {
        let count = format!("{side:<6} {:>5} × ", failed.count);
        let remark = fold(&format!("{count}rested: {}", failed.remark), 0).join("\n");
        let remark = remark.strip_prefix(&count).unwrap_or(&remark);
        let _ = writeln!(text, "{count}{}", paint(show::WARN, remark));
    }
    let more = mine().count().saturating_sub(MAX_COUNTED);
    if more > 0 {
        let noun = if more == 1 { "reason" } else { "reasons" };
        let _ = writeln!(text, "{}", paint(show::FAINT, format!("{side:<6} … and {more} other {noun} to rest")));
    }
    text
}

/// The first failure of a program and the most frequent other one, whole.
pub(crate) fn explain(record: &Record, failures: &[FailedActions]) -> String {
    let mut text = String::new();
    for failed in of_programs(record, failures) {
        whole(&mut text, failed, &record.header.agents[failed.side.index()]);
    }
    text
}

fn whole(text: &mut String, failed: &FailedActions, agent: &AgentNote) {
    let _ = writeln!(text, "{}", paint(show::ERROR, format!("{}, {}", failed.side, which(failed))));
    input(text, &failed.input, failed.actor);
    let _ = writeln!(text, "  {}  {}", paint(show::FAINT, "answer"), answer(&failed.answer, failed.cut));
    stderr(text, &failed.stderr, agent);
}

/// The input of an action; only the rows around the cell if the dish is large.
pub(crate) fn input(text: &mut String, shown: &str, actor: Option<(usize, usize)>) {
    let (title, lines) = transcript::input(shown, actor);
    let _ = writeln!(text, "  {}", paint(show::FAINT, title));
    for line in lines {
        let _ = writeln!(text, "{}", format!("    {line}").trim_end());
    }
}

/// The end of an agent's error stream, if it is not empty.
pub(crate) fn stderr(text: &mut String, stderr: &str, agent: &AgentNote) {
    let stderr = by_own_names(stderr, agent);
    let lines = cause::end_of(&stderr, MAX_STDERR_LINES);
    if !lines.is_empty() {
        let _ = writeln!(text, "  {}", paint(show::FAINT, "end of its error stream"));
    }
    for line in lines {
        let _ = writeln!(text, "{}", as_written(line, 4));
    }
}
