//! What a program may see and use.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Strength of a jail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Level {
    /// No containment: it is the user's own program. Only its end, its memory and its clock are controlled.
    #[default]
    None,
    /// Landlock, a seccomp filter and resource limits, without namespaces.
    Landlock,
    /// Namespaces and a root of its own, with the walls of [`Level::Landlock`] inside.
    Full,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Self; 3] = [Self::None, Self::Landlock, Self::Full];

    /// Returns its name: `none`, `landlock` or `full`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Landlock => "landlock",
            Self::Full => "full",
        }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|level| level.name() == text);
        found.ok_or_else(|| format!("`{text}` is not a level of the jail: full, landlock or none expected"))
    }
}

/// What happens to a program's changes in its folder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Writes {
    /// They are discarded when the program has ended.
    #[default]
    Forgotten,
    /// They are available to the judge when the program has ended, see [`Keeper::folder`](crate::Keeper::folder).
    Kept,
}

/// What a program may see and use.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Jail {
    /// Strength. At [`Level::None`] all other fields except `folder` are ignored.
    pub level: Level,
    /// Absolute paths of files and folders that it may read and run, in addition to those of the system.
    pub visible: Vec<PathBuf>,
    /// Absolute path of its initial folder. It sees the visible part of it, and may write there. Without one it starts
    /// in `/tmp` at [`Level::Full`], otherwise where the judge was when it started making keepers.
    pub folder: Option<PathBuf>,
    /// What happens to its changes in the folder.
    pub writes: Writes,
    /// Bytes that it may write to files, all together.
    pub disk: u64,
    /// Maximum number of processes and threads.
    pub processes: u32,
}
