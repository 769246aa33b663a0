//! Whatever answers for a seat.
//!
//! An agent is named by one text ([`Agent::read`]): a built-in's name (`greedy`), a source file (`bot.cpp`, or
//! `PYPY3:bot.py`), or a command in quotes (`"python3 bot.py --fast"`). [`Agent::prepare`] turns it into something that
//! can be seated as often as needed; a source file is compiled then.

pub mod builtin;
pub mod invoked;
pub mod language;
pub mod seat;
pub mod source;

use std::fmt;
use std::path::{Path, PathBuf};

use agon_game::{Player, Stateless};

pub use invoked::Invoked;
pub use language::Language;
pub use seat::Seat;

use crate::limits::Limits;
use crate::process::Program;
use crate::verdict::Fault;

/// Makes the built-in player of a name for the game being judged, from a seed; `None` when the game has none of that
/// name.
pub type Builtins<'a> = &'a dyn Fn(&str, u64) -> Option<Box<dyn Player>>;

/// The same for a game played by invocations; chance comes with every input.
pub type Programs<'a> = &'a dyn Fn(&str) -> Option<Box<dyn Stateless>>;

/// An agent as named by the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agent {
    /// One of Agon's own players, by name.
    Builtin(String),
    /// A source file in one of the contest's languages.
    Source {
        /// Its language.
        language: Language,
        /// The file.
        path: PathBuf,
    },
    /// A program and its arguments.
    Command(Vec<String>),
}

/// Why an agent cannot be had. These are the user's to mend, unlike a verdict.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    /// The text is neither a built-in, a file, nor a program.
    #[error(
        "`{name}` is no agent here: not a built-in player ({builtins}), not a source file (.c .cpp .py .java .rs) that exists, and not a program in PATH"
    )]
    Unknown {
        /// The text.
        name: String,
        /// The names of the game's built-ins.
        builtins: String,
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
        /// The command.
        command: String,
    },
    /// The source file cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The language's compiler or interpreter is not installed.
    #[error("{language} needs `{tool}`, which is not installed; {remedy}")]
    NoCompiler {
        /// The language.
        language: Language,
        /// The missing program.
        tool: &'static str,
        /// What to install.
        remedy: &'static str,
    },
    /// The folder of compiled programs cannot be used.
    #[error("cannot use the cache folder `{}`: {source}; name another one in AGON_CACHE", path.display())]
    Cache {
        /// The folder.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The program cannot be started.
    #[error(transparent)]
    Spawn(#[from] crate::process::SpawnError),
}

impl Agent {
    /// Understands the user's text. A file with a known extension is a source file; then come the built-in's names, given
    /// in `builtins`; everything else is a command.
    ///
    /// # Errors
    /// [`AgentError::Unknown`] when it is none of these, [`AgentError::Quotes`] when the quotes of a command do not match.
    pub fn read(text: &str, builtins: &[&str]) -> Result<Self, AgentError> {
        let unknown = || AgentError::Unknown { name: text.to_owned(), builtins: builtins.join(", ") };
        if let Some((prefix, path)) = text.split_once(':')
            && let Some(language) = Language::by_name(prefix)
        {
            return Ok(Self::Source { language, path: path.into() });
        }
        if builtins.contains(&text) {
            return Ok(Self::Builtin(text.to_owned()));
        }
        let path = Path::new(text);
        if path.is_file()
            && let Some(language) = Language::by_extension(path)
        {
            return Ok(Self::Source { language, path: path.into() });
        }
        let words = shell_words::split(text).map_err(|_| AgentError::Quotes { command: text.to_owned() })?;
        let program = words.first().ok_or_else(unknown)?;
        if language::find_program(program).is_none() {
            return Err(unknown());
        }
        Ok(Self::Command(words))
    }

    /// Makes the agent ready to be seated: a source file is compiled, or found compiled.
    ///
    /// # Errors
    /// [`AgentError`] for what the user must mend. A file that does not compile is no error but
    /// [`Prepared::Broken`].
    pub fn prepare(&self, limits: &Limits) -> Result<Prepared, AgentError> {
        Ok(match self {
            Self::Builtin(name) => Prepared::Builtin(name.clone()),
            Self::Command(words) => Prepared::Program(Program { words: words.clone(), environment: Vec::new() }),
            Self::Source { language, path } => match source::compile(*language, path, limits)? {
                Ok(program) => Prepared::Program(program),
                Err(fault) => Prepared::Broken(fault),
            },
        })
    }

    /// `builtin`, `command`, or the language of a source file.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Builtin(_) => "builtin",
            Self::Command(_) => "command",
            Self::Source { language, .. } => language.name(),
        }
    }
}

/// The text that reads back as this agent.
impl fmt::Display for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin(name) => f.write_str(name),
            Self::Source { language, path } if Language::by_extension(path) == Some(*language) => {
                write!(f, "{}", path.display())
            }
            Self::Source { language, path } => write!(f, "{language}:{}", path.display()),
            Self::Command(words) => f.write_str(&shell_words::join(words)),
        }
    }
}

/// An agent that can be seated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Prepared {
    /// A built-in, by name.
    Builtin(String),
    /// A program to start.
    Program(Program),
    /// A source file that does not compile: it loses every game with verdict CE.
    Broken(Fault),
}
