//! Stored games that cannot be read: they are named, and left out of the output.

use std::fmt::Display;

use crate::exit::Exit;
use crate::show::{WARN, counted, paint};

/// Maximum number of games that are named.
const MAX_NAMED: u64 = 20;

/// Counts omitted items, and names them on standard error.
#[derive(Debug, Default)]
pub(crate) struct LeftOut(u64);

impl LeftOut {
    pub(crate) fn all(problems: impl IntoIterator<Item = impl Display>) -> Self {
        let mut left_out = Self::default();
        left_out.extend(problems);
        left_out
    }

    pub(crate) fn extend(&mut self, problems: impl IntoIterator<Item = impl Display>) {
        for problem in problems {
            self.add(problem);
        }
    }

    /// Names one more; the problem names the game.
    pub(crate) fn add(&mut self, problem: impl Display) {
        self.0 += 1;
        if self.0 <= MAX_NAMED {
            anstream::eprintln!("{} left out: {problem}", paint(WARN, "warning:"));
        }
    }

    /// The exit code of a command that has done the rest: 1 if anything was left out.
    pub(crate) fn exit(self) -> Exit {
        if self.0 > MAX_NAMED {
            anstream::eprintln!("{} left out: {}", paint(WARN, "warning:"), counted(self.0 - MAX_NAMED, "more game"));
        }
        if self.0 > 0 { Exit::No } else { Exit::Done }
    }
}
