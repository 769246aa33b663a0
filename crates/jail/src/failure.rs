//! A jail that cannot be built.

use std::fmt;
use std::io;

/// A step of building a jail, or of putting a program into it, that the system refused: a failure of the judge or its
/// machine, never of the program.
#[derive(Debug)]
pub struct JailError {
    /// What was to be done, in words.
    pub step: String,
    pub source: io::Error,
}

impl JailError {
    /// The failure that an error stands for, if it is one of a jail.
    pub fn of(error: &io::Error) -> Option<&Self> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for JailError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the jail cannot {}: {}", self.step, self.source)
    }
}

impl std::error::Error for JailError {}

impl From<JailError> for io::Error {
    fn from(error: JailError) -> Self {
        Self::other(error)
    }
}

/// Says which step an error belongs to.
pub trait Step<T> {
    /// The error as one of this step, which is a verb and what it is done to: `mount /proc`.
    fn step(self, step: impl FnOnce() -> String) -> Result<T, JailError>;
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, step: impl FnOnce() -> String) -> Result<T, JailError> {
        self.map_err(|error| JailError { step: step(), source: error.into() })
    }
}
