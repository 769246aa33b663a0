//! Why an agent failed, with everything its author needs to find the cause.

use std::fmt::Write as _;

use agon_arena::bot_check::CheckPlace;
use agon_arena::bot_check::remedy::{self, RemedyContext};
use agon_arena::transcript::{self, by_own_names, said};
use agon_game::{GameState, Interaction, Side};
use agon_jail::Level;
use agon_referee::agent::MAX_PROCESSES;
use agon_referee::cause;
use agon_referee::fault_kind::FaultKind;
use agon_referee::record::Record;
use agon_referee::text;
use agon_referee::verdict::{AgentVerdict, Verdict};

use crate::draw;
use crate::show::{self, paint};

/// Amount of detail shown for a failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extent {
    /// As much as fits on a screen of 24 lines beside the result.
    Screen,
    Whole,
}

/// The width of a line, in characters.
pub(crate) const WIDTH: usize = 80;

/// Returns how many lines of reason and cause, of the conversation, and of the error stream are shown beside those of a
/// remedy.
fn shares(extent: Extent, remedy: usize, [reasons, spoken, written]: [usize; 3]) -> [usize; 3] {
    // Lines of a screen left by the result, the headings and the limits; each part gets at least a few.
    const ROOM: usize = 11;
    const MIN_LINES: usize = 3;
    let room = ROOM - remedy.min(3);
    if extent == Extent::Whole {
        return [200, 12, 30];
    }
    let [spoken_least, written_least] = [spoken, written].map(|lines| lines.min(MIN_LINES));
    let reasons = reasons.min(room - spoken_least - written_least);
    let written = written.min(room - reasons - spoken_least);
    [reasons, spoken.min(room - reasons - written), written]
}

/// The explanation of every verdict other than OK, several lines; `state` is the position at the end.
pub(crate) fn explain(record: &Record, state: &dyn GameState, extent: Extent) -> String {
    let mut shown = String::new();
    for side in Side::BOTH {
        let at = side.index();
        let judged = &record.result.verdicts[at];
        if !failed(judged) {
            continue;
        }
        let heading = format!("{side} ({}): {}", state.seats()[at], judged.verdict);
        let _ = writeln!(shown, "\n{}", paint(show::ERROR, heading));
        let explanation = transcript::explanation(record, side);
        let reason = explanation.iter().flat_map(|line| match (judged.verdict, extent) {
            // Folding would break the columns that a compiler points at.
            (Verdict::Ce, Extent::Screen) => vec![cut_end(&format!("  {line}"))],
            _ => fold(line, 2),
        });
        let reason: Vec<String> = reason.collect();
        let lines: Vec<_> = record.entries.iter().filter(|entry| entry.side == side).collect();
        let stderr = by_own_names(&record.result.stderr[at], &record.header.agents[at]);
        let errors = stderr.trim_end();
        let remedy = remedies(judged, errors, record.header.limits.memory_mib);
        let [reasons, spoken, written] =
            shares(extent, remedy.len(), [reason.len(), lines.len(), errors.lines().count()]);
        for line in reason.iter().take(reasons) {
            let _ = writeln!(shown, "{line}");
        }
        if reason.len() > reasons {
            let _ = writeln!(
                shown,
                "  {}",
                paint(show::FAINT, format!("… and {} more", show::counted((reason.len() - reasons) as u64, "line")))
            );
        }
        for line in remedy {
            let _ = writeln!(shown, "{line}");
        }
        if !lines.is_empty() {
            let _ = writeln!(shown, "  {}", paint(show::FAINT, "last lines (> to the agent, < from it)"));
        }
        for entry in &lines[lines.len().saturating_sub(spoken)..] {
            let _ = writeln!(shown, "{}", cut(&format!("    {}", said(entry))));
        }
        if !errors.is_empty() {
            let _ = writeln!(shown, "  {}", paint(show::FAINT, "end of its error stream"));
        }
        for line in cause::end_of(errors, written) {
            let _ = writeln!(shown, "{}", as_written(line, 4));
        }
    }
    if shown.is_empty() {
        return shown;
    }
    // The position explains an illegal move; otherwise it only takes room.
    let mut kinds = record.result.verdicts.iter().filter_map(|judged| judged.kind.as_ref());
    if extent == Extent::Whole || kinds.any(|kind| matches!(kind, FaultKind::Illegal { .. })) {
        let _ = writeln!(shown, "\nposition {}", draw::position(state));
        shown += &draw::board(&state.view());
    }
    let limits = &record.header.limits;
    let time = match state.interaction() {
        Interaction::Session => {
            let clock = if limits.is_plain() {
                format!("{} ms a game", limits.clock_ms)
            } else {
                format!("clock {}", limits.clock_text())
            };
            let margin = match limits.margin_ms {
                0 => String::new(),
                margin => format!(" and {margin} ms of margin"),
            };
            format!("{clock}{margin}, {} ms for READY, {} ms to exit", limits.ready_ms, limits.exit_ms)
        }
        Interaction::PerAction => format!("{} ms an invocation", limits.invocation_ms),
    };
    let jail = record.jail();
    let shown_jail = jail.map_or_else(String::new, |level| format!(", jail {level}"));
    let _ = writeln!(shown, "limits   {time}, {} MiB{shown_jail}", limits.memory_mib);
    if jail.is_some_and(|level| level != Level::None) {
        let _ = writeln!(shown, "         {MAX_PROCESSES} processes and threads at once");
    }
    shown
}

/// Returns the remedies for the author, in lines that fit a terminal; `stderr` is the end of the error stream.
fn remedies(judged: &AgentVerdict, stderr: &str, memory_mib: u64) -> Vec<String> {
    let context = RemedyContext { place: CheckPlace::CommandLine, memory_mib, repeated: None };
    let remedy = remedy::of_verdict(judged, stderr, &context);
    remedy.map_or_else(Vec::new, |remedy| fold(&format!("→ {remedy}"), 2))
}

/// Returns true if a verdict blames the agent.
fn failed(judged: &AgentVerdict) -> bool {
    !matches!(judged.verdict, Verdict::Ok | Verdict::Interrupted)
}

/// The beginning of a line that fits a terminal, without control characters.
fn cut_end(line: &str) -> String {
    let clean = text::line(line);
    match clean.char_indices().nth(WIDTH) {
        Some(_) => clean.chars().take(WIDTH - 1).chain(['…']).collect(),
        None => clean,
    }
}

/// A line that fits a terminal, without control characters; of a long one both ends, since the end often says most.
fn cut(line: &str) -> String {
    const BEGINNING: usize = 40;
    let clean = text::line(line);
    let length = clean.chars().count();
    if length <= WIDTH {
        return clean;
    }
    let end = clean.chars().skip(length - (WIDTH - BEGINNING - 1));
    clean.chars().take(BEGINNING).chain(['…']).chain(end).collect()
}

/// A line that a program wrote, indented by `indent` columns and not folded, so that a traceback reads as its author
/// knows it; of a very long one both ends.
pub(crate) fn as_written(line: &str, indent: usize) -> String {
    const MAX_CHARS: usize = 500;
    " ".repeat(indent) + &transcript::cut(&line.replace('\t', "    "), MAX_CHARS)
}

/// Folds a text into lines that fit a terminal, indented by `indent` columns; a word that is too long, such as a file
/// name, gets a line of its own.
pub(crate) fn fold(line: &str, indent: usize) -> Vec<String> {
    let clean = text::line(&line.replace('\t', "    "));
    let room = WIDTH - indent;
    let mut rest: &str = &clean;
    let mut folded = Vec::new();
    loop {
        let margin = " ".repeat(if folded.is_empty() { indent } else { indent + 2 });
        let room = if folded.is_empty() { room } else { room - 2 };
        let Some((end, _)) = rest.char_indices().nth(room) else {
            folded.push(margin + rest);
            return folded;
        };
        // Leading spaces are not a place to break.
        let start = rest.len() - rest.trim_start().len();
        let blank = if rest[end..].starts_with(' ') { Some(end) } else { rest[..end].rfind(' ') };
        let blank = blank.filter(|&place| place > start);
        let Some(place) = blank.or_else(|| rest[end..].find(' ').map(|at| end + at)) else {
            folded.push(margin + rest);
            return folded;
        };
        folded.push(margin + &rest[..place]);
        rest = rest[place..].trim_start();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_folded_between_words() {
        assert_eq!(fold("short", 2), ["  short"]);
        assert_eq!(fold("", 2), ["  "]);
        let words = vec!["word"; 20].join(" ");
        let folded = fold(&words, 2);
        assert_eq!(folded.len(), 2, "{folded:?}");
        assert!(folded.iter().all(|line| line.chars().count() <= WIDTH && line.trim_start().starts_with("word")));
        let accents = vec!["ä…ß"; 40].join(" ");
        let folded = fold(&accents, 2);
        assert!(folded.iter().all(|line| line.chars().count() <= WIDTH), "{folded:?}");
        let long = "ä".repeat(200);
        assert_eq!(fold(&long, 4), [format!("    {long}")]);
        assert_eq!(
            fold(&format!("no such file: {long} is there"), 2),
            ["  no such file:".to_owned(), format!("    {long}"), "    is there".to_owned(),]
        );
    }

    #[test]
    fn what_a_program_wrote_keeps_its_lines() {
        let line = format!("  File \"{}/weights.bin\", line 3", "folder/".repeat(20));
        assert_eq!(as_written(&line, 4), format!("    {line}"));
        let long = format!("begins {} ends", "x".repeat(2000));
        let shown = as_written(&long, 4);
        assert!(shown.starts_with("    begins x") && shown.ends_with("x ends") && shown.len() < 600, "{shown}");
    }

    #[test]
    fn a_long_line_keeps_both_ends() {
        let long = format!("begins {} ends", "x".repeat(200));
        let shown = cut(&long);
        assert!(shown.starts_with("begins x") && shown.ends_with("x ends"), "{shown}");
        assert_eq!(shown.chars().count(), WIDTH);
    }

    #[test]
    fn a_screen_is_shared() {
        let check = |all, shown| assert_eq!(shares(Extent::Screen, 0, all), shown);
        check([2, 3, 6], [2, 3, 6]);
        check([2, 50, 1], [2, 8, 1]);
        check([2, 50, 50], [2, 3, 6]);
        check([30, 50, 50], [5, 3, 3]);
        check([30, 0, 0], [11, 0, 0]);
    }
}
