//! The conversation with an engine, for diagnosing failures.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use agon_referee::protocol::quote_ends;

/// Number of lines kept.
const MAX_LINES: usize = 16;

/// Environment variable by which the judge requests a complete log.
const LOG: &str = "AGON_LOG";

/// The last lines of a conversation, each with its time and whether the engine said it.
#[derive(Debug)]
pub(crate) struct Conversation {
    start: Instant,
    lines: VecDeque<(Duration, bool, String)>,
    /// Every line goes to the error stream, from which the judge takes it.
    logged: bool,
}

impl Conversation {
    pub(crate) fn new() -> Self {
        Self { start: Instant::now(), lines: VecDeque::new(), logged: std::env::var_os(LOG).is_some() }
    }

    pub(crate) fn sent(&mut self, lines: &str) {
        lines.lines().for_each(|line| self.note(false, line));
    }

    pub(crate) fn heard(&mut self, line: &str) {
        self.note(true, line);
    }

    /// The last line that the engine said.
    pub(crate) fn last_heard(&self) -> Option<&str> {
        self.lines.iter().rev().find(|(_, heard, _)| *heard).map(|(.., line)| line.as_str())
    }

    /// Returns the last lines, each on a line of its own; empty if they are in the log.
    pub(crate) fn tail(&self) -> String {
        if self.logged || self.lines.is_empty() {
            return String::new();
        }
        let mut text = "last lines of the engine (> to it, < from it):\n".to_owned();
        for (at, heard, line) in &self.lines {
            let way = if *heard { '<' } else { '>' };
            let _ = writeln!(text, "{:>9.3} s {way} {}", at.as_secs_f64(), quote_ends(line.as_bytes()));
        }
        text
    }

    fn note(&mut self, heard: bool, line: &str) {
        if self.logged {
            say(&format!("{} {line}", if heard { "engine <" } else { "engine >" }));
        }
        if self.lines.len() == MAX_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back((self.start.elapsed(), heard, line.to_owned()));
    }
}

/// Writes a line to the error stream in one piece, as the engine writes to the same stream. A stream that is closed
/// must not end the game.
pub(crate) fn say(line: &str) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_lines_are_kept() {
        let mut talk = Conversation::new();
        assert_eq!((talk.tail().as_str(), talk.last_heard()), ("", None));
        talk.sent("position startpos\ngo movetime 5");
        (0..30).for_each(|depth| talk.heard(&format!("info depth {depth}")));
        talk.sent("stop");
        let tail = talk.tail();
        assert_eq!(tail.lines().count(), MAX_LINES + 1, "{tail}");
        assert!(tail.contains("s < `info depth 29`\n") && tail.ends_with("s > `stop`\n"), "{tail}");
        assert_eq!(talk.last_heard(), Some("info depth 29"));
    }
}
