//! How a process ends.

use std::fmt;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessExit {
    /// By itself, with this code.
    Code(i32),
    /// It was killed by the signal of this number.
    Signal(i32),
}

impl From<ExitStatus> for ProcessExit {
    fn from(status: ExitStatus) -> Self {
        match status.code() {
            Some(code) => Self::Code(code),
            None => Self::Signal(status.signal().unwrap_or(0)),
        }
    }
}

impl fmt::Display for ProcessExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(number) => {
                let name =
                    nix::sys::signal::Signal::try_from(*number).map_or("unknown", nix::sys::signal::Signal::as_str);
                write!(f, "signal {number}, {name}")
            }
        }
    }
}
