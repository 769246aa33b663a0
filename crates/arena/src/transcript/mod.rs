//! What people see of a record: a failed program as plain lines, for pages and for the terminal to colour; the game as
//! the viewer draws it, as JSON.

mod facts;
mod failing;
mod failure;
mod game;

use std::path::Path;

use agon_catalog::{Game, Setup};
use agon_game::{GameState, Side};
use agon_message::{Stated, messages};
use agon_referee::agent::{Language, settings, source};
use agon_referee::bout::Played;
use agon_referee::failures::{self, FailedActions};
use agon_referee::protocol::{Quoted, quote};
use agon_referee::record::{AgentNote, Record, RecordEntry, Way};
use agon_referee::{replay, text};

pub use facts::{LimitsFact, TimeSpan, date, dates, limits};
pub use failure::{FailureTitle, Rested, failures};
pub use game::{add_fact, game, logged, result};

/// Kinds of failures of a side that are shown whole: that of the first failure, and the most frequent other one.
const WHOLE: usize = 2;

/// Rows of an input that are shown.
const ROWS: usize = 12;

/// Characters of a line of an input that are shown.
const WIDTH: usize = 74;

/// The game of a record when its first action is due; `None` if this version does not know the game.
pub fn start(record: &Record) -> Option<Box<dyn GameState>> {
    let header = &record.header;
    let setup = Setup { seed: header.seed, parameters: header.parameters.clone() };
    let mut state = Game::by_name(&header.game)?.initial_state(&setup).ok()?;
    replay::begin(record, state.as_mut());
    Some(state)
}

/// The game of a stored record when its first action is due, and its moves. The record was proved when it was stored.
///
/// # Errors
/// Why the moves cannot be played.
pub fn replayed(record: &Record) -> Result<(Box<dyn GameState>, Vec<Played>), String> {
    let setup = Setup { seed: record.header.seed, parameters: record.header.parameters.clone() };
    let game = Game::by_name(&record.header.game).ok_or("the game is not known")?;
    let mut state = game.initial_state(&setup).map_err(|error| error.to_string())?;
    let moves = replay::moves(record, state.as_mut()).map_err(|error| error.to_string())?;
    Ok((start(record).ok_or("the game is not known")?, moves))
}

/// The failed actions in a record, each kind once; empty for a game in sessions.
pub fn failed_actions(record: &Record) -> Vec<FailedActions> {
    match record.result.invocations {
        Some(counts) if counts.remarked != [0, 0] => {
            start(record).map_or_else(Vec::new, |start| failures::failures(record, start.as_ref()))
        }
        _ => Vec::new(),
    }
}

/// Whether an agent of a record is a program with an author here, rather than built in.
pub fn is_program(record: &Record, side: Side) -> bool {
    record.header.agents[side.index()].is_program()
}

/// The first failure of each program, and its most frequent other one.
pub fn of_programs<'a>(record: &Record, failures: &'a [FailedActions]) -> impl Iterator<Item = &'a FailedActions> {
    let programs = Side::BOTH.map(|side| is_program(record, side));
    let of = move |side: Side| failures.iter().filter(move |failed| failed.side == side).take(WHOLE);
    Side::BOTH.into_iter().filter(move |side| programs[side.index()]).flat_map(of)
}

/// Which action failed first: `action 3, the cell on (0,1), the first of 5 alike`.
pub fn which(failed: &FailedActions) -> FailedAction {
    let (action, count) = (failed.action, failed.count);
    match (failed.actor, count) {
        (None, 1) => FailedAction::Action { action },
        (None, _) => FailedAction::Actions { action, count },
        (Some((x, y)), 1) => FailedAction::Cell { action, x, y },
        (Some((x, y)), _) => FailedAction::Cells { action, x, y, count },
    }
}

messages! {
    /// Which action failed.
    pub enum FailedAction {
        Action { action: u32 } = "action {action}",
        Actions { action: u32, count: u32 } = "action {action}, the first of {count} alike",
        Cell { action: u32, x: usize, y: usize } = "action {action}, the cell on ({x},{y})",
        Cells { action: u32, x: usize, y: usize, count: u32 } =
            "action {action}, the cell on ({x},{y}), the first of {count} alike",
    }

    /// The title of what was read or written.
    pub enum PartTitle {
        LastLines = "last lines (> to the agent, < from it)",
        StderrEnd = "end of its error stream",
        Answer = "answer",
        Input = "input",
        InputRows { first: usize, last: usize, rows: usize } = "input, rows {first} to {last} of {rows}",
    }

    /// An answer in a line.
    pub enum AnswerText {
        Nothing = "nothing",
        Whole(answer: Quoted),
        Cut { answer: Quoted, bytes: u64 } = "{answer} and {bytes} bytes more",
    }
}

/// The input of an action under its title, of a large dish only the rows around the cell.
pub fn input(input: &str, actor: Option<(usize, usize)>) -> (PartTitle, Vec<String>) {
    let lines: Vec<&str> = input.lines().collect();
    let rows = lines.len().saturating_sub(3);
    let first = match actor {
        Some((_, y)) if rows > ROWS => y.saturating_sub(ROWS / 2).min(rows - ROWS),
        _ => 0,
    };
    let shown = first..first + ROWS.min(rows);
    let title = if rows > ROWS { PartTitle::InputRows { first, last: shown.end - 1, rows } } else { PartTitle::Input };
    // The first line has the size, the last two are empty and of the cell.
    let kept = |at: &usize| *at == 0 || *at > rows || shown.contains(&(at - 1));
    let lines = (0..lines.len()).filter(kept).map(|at| cut(lines[at], WIDTH)).collect();
    (title, lines)
}

/// An answer in a line, quoted.
pub fn answer(answer: &str, cut: u64) -> AnswerText {
    match (answer, cut) {
        ("", 0) => AnswerText::Nothing,
        (_, 0) => AnswerText::Whole(quote(answer.as_bytes())),
        (_, bytes) => AnswerText::Cut { answer: quote(answer.as_bytes()), bytes },
    }
}

/// A line of the conversation: when, which way, and what.
pub fn said(entry: &RecordEntry) -> String {
    let way = if entry.way == Way::To { '>' } else { '<' };
    let what = if entry.line.is_empty() { "(an empty line)" } else { &entry.line };
    format!("{:>9.3} s {way} {what}", entry.at.as_secs_f64())
}

/// A line without control characters, of at most `width` characters; of a longer one both ends.
pub fn cut(line: &str, width: usize) -> String {
    let clean = text::line(line);
    let length = clean.chars().count();
    if length <= width {
        return clean;
    }
    let beginning = width / 2;
    let end = clean.chars().skip(length - (width - beginning - 1));
    clean.chars().take(beginning).chain(['…']).chain(end).collect()
}

/// A text without the folder in which a compiled program is kept: only `python3-0f3a…/program.py` means anything.
pub fn without_cache(stderr: &str) -> String {
    let Ok(cache) = agon_referee::folders::cache() else { return stderr.to_owned() };
    let folder = format!("{}/", std::path::absolute(&cache).unwrap_or(cache).display());
    let mut text = String::with_capacity(stderr.len());
    let mut parts = stderr.split(&folder);
    text += parts.next().unwrap_or_default();
    for part in parts {
        // The folder of the program in it: a language, a minus sign, a digest.
        let inside = part.split_once('/').filter(|(folder, _)| folder.len() < 40 && !folder.contains(['\n', '"', ' ']));
        text += inside.map_or(part, |(_, rest)| rest);
    }
    text
}

/// The text of a side's verdict, with its author's name for the file.
pub fn explanation(record: &Record, side: Side) -> Vec<String> {
    let (agent, judged) = (&record.header.agents[side.index()], &record.result.verdicts[side.index()]);
    judged.explanation().iter().map(|line| by_own_names(line, agent)).collect()
}

/// The same as messages.
pub fn explanation_messages(record: &Record, side: Side) -> Vec<Stated> {
    let (agent, judged) = (&record.header.agents[side.index()], &record.result.verdicts[side.index()]);
    judged.lines().iter().map(|line| line.map_texts(&|text| by_own_names(text, agent))).collect()
}

/// The end of an agent's error stream with the author's name for its file instead of the one under which it is compiled
/// and kept.
pub fn by_own_names(stderr: &str, agent: &AgentNote) -> String {
    let text = without_cache(stderr);
    let Some(kept) = Language::by_name(&agent.kind).and_then(Language::kept_name) else { return text };
    let named = settings::split(&agent.agent).map_or(agent.agent.as_str(), |set| set.agent);
    let of_language = named.split_once(':').filter(|(prefix, _)| Language::by_name(prefix).is_some());
    let named = of_language.map_or(named, |(_, rest)| rest);
    let words = settings::split_words(named).unwrap_or_default();
    // A path may have blanks.
    let is_whole = Language::by_extension(Path::new(named)).is_some();
    let path = words.first().filter(|_| !is_whole).map_or(named, |word| word);
    let own = Path::new(path).file_name().and_then(|name| name.to_str());
    // A folder's files have their own names.
    match own.filter(|own| own.contains('.')) {
        Some(own) => source::renamed(&text, kept, own),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_a_compiled_program_is_left_out() {
        let cache = std::path::absolute(agon_referee::folders::cache().unwrap()).unwrap();
        let text = format!("  File \"{}/python3-0123456789ab/program.py\", line 3\n", cache.display());
        assert_eq!(without_cache(&text), "  File \"program.py\", line 3\n");
        assert_eq!(without_cache("nothing"), "nothing");
        let check = |kind: &str, agent: &str, shown: &str| {
            let note = AgentNote { agent: agent.to_owned(), kind: kind.to_owned(), jail: None, name: None };
            assert_eq!(by_own_names(&text, &note), format!("  File \"{shown}\", line 3\n"), "{agent}");
        };
        check("PYTHON3", "bots/my bot.py", "my bot.py");
        check("PYTHON3", "bots/deep.py", "deep.py");
        check("PYPY3", "name=x PYPY3:bots/deep.py --depth 3", "deep.py");
        check("PYTHON3", "a_folder", "program.py");
        check("command", "python3 deep.py", "program.py");
    }
}
