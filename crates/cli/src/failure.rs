//! Why an agent failed, with all that its author needs to find the cause.

use std::fmt::Write as _;

use agon_game::{Contest, Interaction, Side};
use agon_referee::record::{Record, Way};
use agon_referee::text;
use agon_referee::verdict::Verdict;

use crate::draw;
use crate::show::{self, paint};

/// Lines of the conversation that are shown.
const LINES: usize = 8;

/// Lines of the error stream that are shown.
const STDERR_LINES: usize = 15;

/// Characters of a line that are shown.
const WIDTH: usize = 160;

/// The explanation of every verdict other than OK, several lines; `contest` is the position at the end.
pub fn explain(record: &Record, contest: &dyn Contest) -> String {
    let mut shown = String::new();
    for side in Side::BOTH {
        let at = side.index();
        let judged = &record.result.verdicts[at];
        let (Some(reason), false) = (&judged.reason, judged.verdict == Verdict::Interrupted) else { continue };
        let _ = writeln!(
            shown,
            "\n{}",
            paint(show::ERROR, format!("{side} ({}): {}", contest.seats()[at], judged.verdict))
        );
        for line in text::plain(reason).lines() {
            let _ = writeln!(shown, "  {line}");
        }
        let lines: Vec<_> = record.entries.iter().filter(|entry| entry.side == side).collect();
        if !lines.is_empty() {
            let _ = writeln!(shown, "  {}", paint(show::FAINT, "last lines (> to the agent, < from it)"));
        }
        for entry in &lines[lines.len().saturating_sub(LINES)..] {
            let way = if entry.way == Way::To { '>' } else { '<' };
            let _ = writeln!(shown, "    {:>9.3} s {way} {}", entry.at.as_secs_f64(), cut(&entry.line));
        }
        let stderr: Vec<&str> = record.result.stderr[at].lines().collect();
        if !stderr.is_empty() {
            let _ = writeln!(shown, "  {}", paint(show::FAINT, "end of its error stream"));
        }
        for line in &stderr[stderr.len().saturating_sub(STDERR_LINES)..] {
            let _ = writeln!(shown, "    {}", cut(line));
        }
    }
    if !shown.is_empty() {
        let _ = writeln!(shown, "\nposition {}", contest.position());
        shown += &draw::board(&contest.view());
        let limits = &record.header.limits;
        let time = match contest.interaction() {
            Interaction::Session => format!(
                "{} ms a game, {} ms for READY, {} ms to exit",
                limits.clock_ms, limits.ready_ms, limits.exit_ms
            ),
            Interaction::PerAction => format!("{} ms an invocation", limits.invocation_ms),
        };
        let _ = writeln!(shown, "limits   {time}, {} MiB", limits.memory_mb);
    }
    shown
}

/// A line that fits a terminal and cannot steer it.
fn cut(line: &str) -> String {
    let clean = text::line(line);
    match clean.char_indices().nth(WIDTH) {
        Some((end, _)) => format!("{}…", &clean[..end]),
        None => clean,
    }
}
