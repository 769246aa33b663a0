//! Agents that are ready to be seated, and the errors on the way there.

use std::path::PathBuf;

use agon_game::{Player, Stateless};

use super::language::Language;
use crate::process::ProgramSpec;
use crate::verdict::Fault;

/// An agent that can be seated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prepared {
    /// A built-in, by name.
    Builtin(String),
    /// A program to start.
    Program(ProgramSpec),
    /// A source file that does not compile: it loses every game with verdict CE.
    Broken(Fault),
}

/// Makes the built-in player of a name for the game being judged, from a seed; `None` when the game has none of that
/// name.
pub type Builtins<'a> = &'a dyn Fn(&str, u64) -> Option<Box<dyn Player>>;

/// The same for a game played per action, where a seed comes with every input.
pub type Programs<'a> = &'a dyn Fn(&str) -> Option<Box<dyn Stateless>>;

/// Why an agent cannot be prepared or seated. The user can correct these, unlike a verdict.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The text is neither a built-in, a file, nor a program.
    #[error(
        "`{name}` is no agent here: not a built-in player ({builtins}), not a source file (.c .cpp .py .java .rs) that exists, and not a program in PATH"
    )]
    Unknown {
        /// The text that names the agent.
        name: String,
        /// The names of the game's built-ins.
        builtins: String,
    },
    /// There is a bridge, but not for this game.
    #[error("`{name}` is no agent here: {reason}")]
    Bridge {
        /// The text that names the agent.
        name: String,
        /// Why the bridge is not for this game.
        reason: String,
    },
    /// The text names a built-in player, but not as it can be asked for.
    #[error("{reason}")]
    Builtin {
        /// What is wrong with it, the text included.
        reason: String,
    },
    /// The quotes of a command do not match.
    #[error("the command `{command}` has a quote that is not closed")]
    Quotes {
        /// The refused command.
        command: String,
    },
    /// The source file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The path of the source file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The language's compiler or interpreter is not installed.
    #[error("{language} needs `{tool}`, which is not installed; {remedy}")]
    NoCompiler {
        /// The language that the source file is written in.
        language: Language,
        /// The missing program.
        tool: &'static str,
        /// How to install it.
        remedy: &'static str,
    },
    /// The folder of compiled programs cannot be used.
    #[error("cannot use the cache folder `{}`: {source}; name another one in AGON_CACHE", path.display())]
    Cache {
        /// The path of the cache folder.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The program cannot be started.
    #[error(transparent)]
    Spawn(#[from] crate::process::SpawnError),
}
