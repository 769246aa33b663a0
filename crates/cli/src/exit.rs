//! How a command ends.

use std::process::ExitCode;

/// How a command that ran has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// It is done: exit code 0.
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
