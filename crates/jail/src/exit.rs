//! How a process ended.

use std::fmt;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProcessExit {
    /// It exited with this code.
    Code(i32),
    /// It was killed by this signal.
    Signal(i32),
}

impl ProcessExit {
    /// Assumed end of a program if only its tracer, or a killed keeper, knows: something killed it.
    pub const UNKNOWN: Self = Self::Signal(libc::SIGKILL);
}

impl fmt::Display for ProcessExit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(number) => write!(f, "signal {number}, {}", signal_name(*number)),
        }
    }
}

/// The name of a signal: `SIGSEGV`.
pub fn signal_name(number: i32) -> &'static str {
    nix::sys::signal::Signal::try_from(number).map_or("unknown", nix::sys::signal::Signal::as_str)
}
