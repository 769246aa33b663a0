//! Agents: what answers for a seat.
//!
//! An agent is named by one text ([`Agent::read`]): a built-in's name (`greedy`), a source file (`bot.cpp`, or
//! `PYPY3:bot.py`), a folder with a main file (`my_bot`, see [`sources`]), a command in quotes (`"python3 bot.py --fast"`), or a command of another protocol behind the name of
//! its [`Bridge`]. [`Agent::prepare`] turns it into something that can be seated as often as needed; a source file is
//! compiled then.

mod build;
pub mod builtin;
pub mod containment;
pub mod language;
mod prepared;
pub mod seat;
pub mod source;
pub mod sources;
pub mod stateless;

use std::fmt;
use std::path::{Path, PathBuf};

pub use language::Language;
pub use prepared::{AgentError, Builtins, NotReady, Prepared, Programs};
pub use seat::Seat;
pub use stateless::StatelessProgram;

use crate::limits::GameLimits;
use crate::process::{ProgramSpec, find_program};
use crate::text;

/// A program that stands between the judge and one that speaks another protocol. It is given the other's command as its
/// last arguments, starts it, and speaks for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bridge {
    /// The word by which it is named, before a colon.
    pub name: &'static str,
    /// The command that starts the bridge, before the arguments that name the other program.
    pub words: Vec<String>,
}

/// Finds the bridge of a name for the game being judged; `None` when there is none of that name, a text when there is
/// one but not for this game.
pub type Bridges<'a> = &'a dyn Fn(&str) -> Option<Result<Bridge, String>>;

/// An agent as named by the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Agent {
    /// One of Agon's own players, by name.
    Builtin(String),
    /// A source file, or a folder of them, in one of the contest's languages.
    Source {
        /// The language it is written in.
        language: Language,
        /// Where the file is, or the folder of several.
        path: PathBuf,
    },
    /// A program and its arguments.
    Command(Vec<String>),
    /// A program of another protocol and its arguments.
    Bridged {
        /// The program that translates between the protocols.
        bridge: Bridge,
        /// The program and its arguments.
        words: Vec<String>,
    },
}

impl Agent {
    /// Understands the user's text. What begins with the name of a language or a bridge and a colon is theirs; a file
    /// with a known extension is a source file, and a folder is one of sources; then come the built-in's names, given in
    /// `builtins`; everything else is a command.
    ///
    /// # Errors
    /// [`AgentError::Unknown`] when it is none of these, [`AgentError::Bridge`] when its bridge is not for this game,
    /// [`AgentError::Quotes`] when the quotes of a command do not match, [`AgentError::Folder`] when a folder has no main
    /// file, [`AgentError::Packed`] for an archive.
    pub fn read(text: &str, builtins: &[&str], bridges: Bridges) -> Result<Self, AgentError> {
        let unknown = || AgentError::Unknown {
            name: text.to_owned(),
            builtins: builtins.join(", "),
            meant: nearest(text, builtins),
        };
        let command = |text: &str| {
            let words = shell_words::split(text).map_err(|_| AgentError::Quotes { command: text.to_owned() })?;
            let found = words.first().and_then(|program| find_program(program)).is_some();
            if found { Ok(words) } else { Err(unknown()) }
        };
        if let Some((prefix, rest)) = text.split_once(':') {
            if let Some(language) = Language::by_name(prefix) {
                return Ok(Self::Source { language, path: rest.into() });
            }
            if let Some(bridge) = bridges(prefix) {
                let bridge = bridge.map_err(|reason| AgentError::Bridge { name: text.to_owned(), reason })?;
                return Ok(Self::Bridged { bridge, words: command(rest)? });
            }
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
        if path.is_dir() {
            let (language, _) = sources::main_file(path, None)?;
            return Ok(Self::Source { language, path: path.into() });
        }
        if path.is_file() && [".zip", ".tar", ".tar.gz", ".tgz"].iter().any(|end| text.ends_with(end)) {
            return Err(AgentError::Packed { name: text.to_owned() });
        }
        Ok(Self::Command(command(text)?))
    }

    /// Makes the agent ready to be seated: a source file is compiled, or found compiled.
    ///
    /// # Errors
    /// [`AgentError`] for what the user can correct. A file that does not compile is no error but
    /// [`Prepared::Broken`].
    pub fn prepare(&self, limits: &GameLimits) -> Result<Prepared, AgentError> {
        Ok(match self {
            Self::Builtin(name) => Prepared::Builtin(name.clone()),
            Self::Command(words) => Prepared::Program(ProgramSpec {
                words: words.clone(),
                environment: Vec::new(),
                jail: containment::of_command(words),
                build: None,
            }),
            Self::Bridged { bridge, words } => Prepared::Program(ProgramSpec {
                words: bridge.words.iter().chain(words).cloned().collect(),
                environment: Vec::new(),
                jail: containment::of_bridge(&bridge.words, words),
                build: None,
            }),
            Self::Source { language, path } => match source::compile(*language, path, limits)? {
                Ok(program) => Prepared::Program(program),
                Err(fault) => Prepared::Broken(fault),
            },
        })
    }

    /// `builtin`, `command`, the language of a source file, or the name of a bridge.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Builtin(_) => "builtin",
            Self::Command(_) => "command",
            Self::Bridged { bridge, .. } => bridge.name,
            Self::Source { language, .. } => language.name(),
        }
    }
}

/// The name that a mistyped one was probably meant to be, with the level or the file that followed it.
fn nearest(text: &str, builtins: &[&str]) -> Option<String> {
    let (name, rest) = text.find(':').map_or((text, ""), |at| text.split_at(at));
    let languages = Language::ALL.iter().map(|language| language.name()).filter(|_| rest.len() > 1);
    text::nearest(name, builtins.iter().copied().chain(languages)).map(|known| format!("{known}{rest}"))
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
            Self::Bridged { bridge, words } => write!(f, "{}:{}", bridge.name, shell_words::join(words)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_reads_back_from_its_text() {
        let bridges = |name: &str| match name {
            "far" => Some(Ok(Bridge { name: "far", words: ["ferry", "--to"].map(str::to_owned).into() })),
            "other" => Some(Err("it is for another game".to_owned())),
            _ => None,
        };
        let read = |text: &str| Agent::read(text, &["greedy"], &bridges);
        let check = |text: &str, kind: &str| {
            let agent = read(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((agent.kind(), agent.to_string().as_str()), (kind, text));
        };
        check("greedy", "builtin");
        check("PYPY3:bot.py", "PYPY3");
        check("sh -c 'exit 3'", "command");
        check("far:sh -c 'exit 3'", "far");
        let Ok(Prepared::Program(program)) = read("far:sh -c 'exit 3'").unwrap().prepare(&GameLimits::default()) else {
            panic!("a bridge is a program")
        };
        assert_eq!(program.words, ["ferry", "--to", "sh", "-c", "exit 3"]);
        for (text, told) in [
            ("gredy", "not a program in PATH; did you mean `greedy`?"),
            ("Greddy:3", "did you mean `greedy:3`?"),
            ("PYTON3:bot.py", "did you mean `PYTHON3:bot.py`?"),
            ("pypi3", "not a program in PATH"),
            ("bot.rbb", "(.c .cpp .py .java .rs .js .rb, or another behind C20: CPP20: "),
            ("far:./none", "`far:./none` is no agent here: not a built-in player (greedy)"),
            ("far:", "`far:` is no agent here"),
            ("far:sh 'x", "has a quote that is not closed"),
            ("other:sh", "`other:sh` is no agent here: it is for another game"),
            ("near:sh", "`near:sh` is no agent here: not a built-in"),
        ] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains(told), "`{told}` is not in: {error}");
        }
    }
}
