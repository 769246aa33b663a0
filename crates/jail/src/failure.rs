//! A jail that cannot be built.

use std::fmt;
use std::io;

/// A feature that a kernel or a container may lack, and a user can provide.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Facility {
    Namespaces,
    Overlays,
    /// A root other than an initial RAM disk.
    MountedRoot,
}

impl Facility {
    const ALL: [Self; 3] = [Self::Namespaces, Self::Overlays, Self::MountedRoot];

    /// Returns its number in a reply; 0 for `None`.
    pub fn number(of: Option<Self>) -> i32 {
        of.map_or(0, |of| of as i32 + 1)
    }

    pub fn by_number(number: i32) -> Option<Self> {
        Self::ALL.into_iter().find(|facility| Self::number(Some(*facility)) == number)
    }
}

/// A step of building a jail, or of putting a program into it, that the system refused: a failure of the judge or its
/// machine, never of the program.
#[derive(Debug)]
pub struct JailError {
    /// Failed step, in words.
    pub step: String,
    /// Feature of the machine that the step needs.
    pub needs: Option<Facility>,
    pub source: io::Error,
}

impl JailError {
    /// Returns the failure behind an error, if it is one of a jail.
    pub fn downcast(error: &io::Error) -> Option<&Self> {
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
pub(crate) trait Step<T> {
    /// Converts the error to one of this step, a verb and its object: `mount /proc`.
    fn step(self, step: impl FnOnce() -> String) -> Result<T, JailError>;

    /// Like [`Self::step`], of a step that needs a facility.
    fn step_needing(self, needs: Facility, step: impl FnOnce() -> String) -> Result<T, JailError>;
}

impl<T, E: Into<io::Error>> Step<T> for Result<T, E> {
    fn step(self, step: impl FnOnce() -> String) -> Result<T, JailError> {
        self.map_err(|error| JailError { step: step(), needs: None, source: error.into() })
    }

    fn step_needing(self, needs: Facility, step: impl FnOnce() -> String) -> Result<T, JailError> {
        self.step(step).map_err(|error| JailError { needs: Some(needs), ..error })
    }
}
