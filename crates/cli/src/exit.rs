//! Exit codes: one rule for all commands.
//!
//! - 0: the job is done. A game was played, whoever won it and by whatever verdict; a series has its games, a test has
//!   accepted H1, a record holds.
//! - 1: the job ran, and the answer is no: a test has not accepted H1, a record breaks the rules, a check has failed,
//!   something was left out and named.
//! - 2: the job was not done: wrong usage, an agent that does not compile, a file or a machine that does not serve. An
//!   error says so in a line.
//! - 130: a signal stopped it.
//!
//! Side effects of a command, such as saving a record without being asked, are not part of its job: if they fail, a
//! warning says so, before the work starts if it is known by then.

use std::io;
use std::process::ExitCode;

/// Outcome of a command that ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Success: exit code 0.
    Done,
    /// It ran, and the answer is no: exit code 1.
    No,
    /// A signal stopped it: exit code 130.
    Stopped,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        match exit {
            Exit::Done => Self::SUCCESS,
            Exit::No => Self::from(1),
            Exit::Stopped => Self::from(130),
        }
    }
}

/// The error and its causes, without those that the previous message already contains, and without the numbers of the
/// system's errors, whose text is enough.
pub(crate) fn in_one_line(error: &anyhow::Error) -> String {
    let mut last = String::new();
    let mut line = String::new();
    for cause in error.chain() {
        let number = cause.downcast_ref::<io::Error>().and_then(io::Error::raw_os_error);
        let cause = cause.to_string();
        if !last.contains(&cause) {
            line += if line.is_empty() { "" } else { ": " };
            line += &cause;
        }
        if let Some(number) = number {
            line = line.replace(&format!(" (os error {number})"), "");
        }
        last = cause;
    }
    line
}
