//! Agents that are ready to be seated, and the errors on the way there.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use agon_game::{Player, Stateless};

use super::language::Language;
use crate::cause;
use crate::process::ProgramSpec;
use crate::verdict::{Fault, Verdict};

/// An agent that can be seated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prepared {
    Builtin(String),
    Program(ProgramSpec),
    /// A source file that does not compile: it loses every game with verdict CE.
    Broken(Fault),
}

/// Creates the built-in player with a name for the game being judged, from a seed; `None` if the game has none with
/// that name.
pub type Builtins<'a> = &'a dyn Fn(&str, u64) -> Option<Box<dyn Player>>;

/// The same for a game played per action, where a seed comes with every input.
pub type Programs<'a> = &'a dyn Fn(&str) -> Option<Arc<dyn Stateless>>;

/// Why an agent cannot be prepared or seated. Unlike a verdict, the user can correct these.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    #[error("no agent is named `{name}`{}", known(.builtins, .meant.as_deref()))]
    Unknown { name: String, builtins: String, meant: Option<String> },
    #[error(
        "no such file: `{}`{}", path.display(),
        .meant.as_ref().map_or_else(String::new, |meant| format!(" (did you mean `{}`?)", meant.display()))
    )]
    NoSuchFile { path: PathBuf, meant: Option<PathBuf> },
    #[error("`{name}`: {reason}")]
    Mistaken { name: String, reason: String },
    #[error("`{setting}`: {reason}")]
    Setting { setting: String, reason: String },
    #[error("`{name}`: {reason}")]
    Bridge { name: String, reason: String },
    #[error("this program cannot find its own file, to start it as a bridge: {0}")]
    NoBridge(std::io::Error),
    #[error("{reason}")]
    Builtin { reason: String },
    #[error("the command `{command}` has a quote that is not closed")]
    Quotes { command: String },
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    #[error("cannot take the folder `{}` as a bot: {reason}", path.display())]
    Folder { path: PathBuf, reason: String },
    #[error("`{name}` is packed: unpack it, and name the folder")]
    Packed { name: String },
    #[error("{language} needs `{tool}`, which is not installed; {remedy}")]
    NoCompiler { language: Language, tool: &'static str, remedy: &'static str },
    #[error("cannot use the cache folder `{}`: {source}; name another one in AGON_CACHE", path.display())]
    Cache { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    State(#[from] crate::folders::FolderError),
    #[error(transparent)]
    Spawn(#[from] crate::process::SpawnError),
    #[error("{0}")]
    NotReady(Box<NotReady>),
}

/// Lists the known agents, after an unknown name.
fn known(builtins: &str, meant: Option<&str>) -> String {
    meant.map_or_else(
        || {
            let extensions = Language::EXTENSIONS;
            format!(
                ": it is not a built-in ({builtins}), not a source file ({extensions}) or a folder of them, and not a \
                 program in PATH"
            )
        },
        |meant| format!("; did you mean `{meant}`? (built-in: {builtins})"),
    )
}

/// What is wrong with an agent that a trial found not ready to play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotReady {
    pub fault: Fault,
    /// The tail of its error stream.
    pub stderr: String,
    /// What to do about a file that it did not find: see [`Sight::hint`](crate::sight::Sight::hint).
    pub hint: Option<String>,
}

/// The remedy for a bot that misses another file of its own.
pub(super) const SEVERAL_FILES: &str = "(a bot of several files is named by its folder, with a main file in it)";

/// Lines of the error stream that a message shows.
const MAX_STDERR_LINES: usize = 15;

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fault.verdict {
            Verdict::Ce => f.write_str(&self.fault.reason.text)?,
            _ => write!(f, "not ready to play: {}", self.fault)?,
        }
        if self.fault.may_load() {
            f.write_str("; if it loads long, give it more time: --ready 10s")?;
        }
        let lines = cause::end_of(&self.stderr, MAX_STDERR_LINES);
        if !lines.is_empty() {
            f.write_str("\nend of its error stream")?;
        }
        lines.iter().try_for_each(|line| write!(f, "\n  {line}"))?;
        if let Some(hint) = &self.hint {
            return write!(f, "\n{hint}");
        }
        // The messages of CPython, Node and Ruby.
        let missing = ["No module named", "Cannot find module", "cannot load such file"];
        if missing.iter().any(|words| self.stderr.contains(words)) {
            write!(f, "\n{SEVERAL_FILES}")?;
        }
        Ok(())
    }
}
