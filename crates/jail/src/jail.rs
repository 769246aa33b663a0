//! What a program may see and use.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// How strongly a program is contained.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Level {
    /// Not at all: it is the user's own program. Only its end, its memory and its clock are controlled.
    #[default]
    None,
    /// Landlock, a seccomp filter and resource limits, without namespaces.
    Landlock,
    /// Namespaces of its own with a root of its own, and the walls of [`Level::Landlock`] within.
    Full,
}

impl Level {
    /// All levels, the weakest first.
    pub const ALL: [Self; 3] = [Self::None, Self::Landlock, Self::Full];

    /// Its name: `none`, `landlock` or `full`.
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

/// What becomes of what a program writes into its folder.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Writes {
    /// It is forgotten when the program has ended.
    #[default]
    Forgotten,
    /// It is there for the judge when the program has ended, see [`Keeper::folder`](crate::Keeper::folder).
    Kept,
}

/// What a program may see and use.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Jail {
    /// How strongly it is contained. At [`Level::None`] the other fields mean nothing but for `folder`.
    pub level: Level,
    /// Files and folders beside those of the system that it may read and run, with whole paths.
    pub visible: Vec<PathBuf>,
    /// The folder that it starts in, a whole path. It sees of it what is visible, and may write there. Without one it
    /// starts in `/tmp` at [`Level::Full`], elsewhere where the judge was when it began to make keepers.
    pub folder: Option<PathBuf>,
    /// What becomes of what it writes into the folder.
    pub writes: Writes,
    /// Bytes that it may write to files, all together.
    pub disk: u64,
    /// Processes and threads that it may have at once.
    pub processes: u32,
}
