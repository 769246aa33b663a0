//! The text that names an agent.

use std::env;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::language::Language;
use super::prepared::{AgentError, Prepared};
use super::{containment, source, sources};
use crate::limits::GameLimits;
use crate::process::{ProgramSpec, find_program};
use crate::text;

/// An agent as a user names it. Its text is the one that records have.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AgentSpec {
    Builtin {
        /// With the suffix of a variant, which is no level: `coordinated:4/8/0`.
        name: String,
        level: Option<u8>,
    },
    /// A source file, or a folder of them.
    Source { language: Language, path: PathBuf },
    /// A program and its arguments.
    Command { words: Vec<String> },
    /// An engine that speaks another protocol, and its arguments.
    Bridge { protocol: BridgeProtocol, words: Vec<String> },
}

/// A protocol of other arenas. `agon bridge` translates between it and the judge's.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BridgeProtocol {
    Uai,
    Gomocup,
}

impl BridgeProtocol {
    pub const ALL: [Self; 2] = [Self::Uai, Self::Gomocup];

    /// The word before the colon of `uai:./engine`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uai => "uai",
            Self::Gomocup => "gomocup",
        }
    }

    pub fn by_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|protocol| protocol.name() == name)
    }

    /// The command that starts the bridge, without the engine's words: this program itself.
    fn command(self) -> Result<[String; 4], AgentError> {
        let program = env::current_exe().map_err(AgentError::NoBridge)?;
        Ok([&program.display().to_string(), "bridge", self.name(), "--"].map(str::to_owned))
    }
}

impl AgentSpec {
    /// The built-in of this name, with its level behind a colon if it has one; whether a game has it is not checked.
    pub fn builtin(text: &str) -> Self {
        // Of a number that is written otherwise, as `03`, the text is kept.
        let level = |(name, level): (&str, &str)| {
            let number: u8 = level.parse().ok().filter(|number: &u8| number.to_string() == level)?;
            Some(Self::Builtin { name: name.to_owned(), level: Some(number) })
        };
        text.rsplit_once(':').and_then(level).unwrap_or_else(|| Self::Builtin { name: text.to_owned(), level: None })
    }

    /// Reads a user's text. What begins with the name of a language or a protocol and a colon is of that; then come the
    /// names in `builtins`, with or without a suffix behind a colon; then files whose extension is a language's, and
    /// folders of sources; everything else is a command.
    ///
    /// # Errors
    /// [`AgentError::NoSuchFile`] or [`AgentError::Unknown`] when it is none of these, [`AgentError::Quotes`] when the
    /// quotes of a command do not match, [`AgentError::Folder`] when a folder has no main file, [`AgentError::Packed`]
    /// for an archive.
    pub fn parse(text: &str, builtins: &[&str]) -> Result<Self, AgentError> {
        let (prefix, rest) = text.split_once(':').unwrap_or((text, ""));
        if prefix.len() < text.len() {
            if let Some(language) = Language::by_name(prefix) {
                return Ok(Self::Source { language, path: rest.into() });
            }
            if let Some(protocol) = BridgeProtocol::by_name(prefix) {
                return Ok(Self::Bridge { protocol, words: command(text, rest, builtins)? });
            }
        }
        if builtins.contains(&prefix) {
            return Ok(Self::builtin(text));
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
        Ok(Self::Command { words: command(text, text, builtins)? })
    }

    /// Makes the agent ready to be seated: a source file is compiled, or found compiled.
    ///
    /// # Errors
    /// [`AgentError`] for what the user can correct. A file that does not compile is no error but
    /// [`Prepared::Broken`].
    pub fn prepare(&self, limits: &GameLimits) -> Result<Prepared, AgentError> {
        let program =
            |words, jail| Prepared::Program(ProgramSpec { words, environment: Vec::new(), jail, build: None });
        Ok(match self {
            Self::Builtin { .. } => Prepared::Builtin(self.to_string()),
            Self::Command { words } => program(words.clone(), containment::of_command(words)),
            Self::Bridge { protocol, words } => {
                let bridge = protocol.command()?;
                program([&bridge, words.as_slice()].concat(), containment::of_bridge(&bridge, words))
            }
            Self::Source { language, path } => match source::compile(*language, path, limits)? {
                Ok(program) => Prepared::Program(program),
                Err(fault) => Prepared::Broken(fault),
            },
        })
    }

    /// `builtin`, `command`, the language of a source file, or the protocol of a bridge.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Builtin { .. } => "builtin",
            Self::Command { .. } => "command",
            Self::Bridge { protocol, .. } => protocol.name(),
            Self::Source { language, .. } => language.name(),
        }
    }
}

/// The text that reads back as this agent.
impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Builtin { name, level: None } => f.write_str(name),
            Self::Builtin { name, level: Some(level) } => write!(f, "{name}:{level}"),
            Self::Source { language, path } if Language::by_extension(path) == Some(*language) => {
                write!(f, "{}", path.display())
            }
            Self::Source { language, path } => write!(f, "{language}:{}", path.display()),
            Self::Command { words } => f.write_str(&shell_words::join(words)),
            Self::Bridge { protocol, words } => write!(f, "{}:{}", protocol.name(), shell_words::join(words)),
        }
    }
}

/// The words of a command whose program exists; `text` is the whole name of the agent.
fn command(text: &str, command: &str, builtins: &[&str]) -> Result<Vec<String>, AgentError> {
    let words = shell_words::split(command).map_err(|_| AgentError::Quotes { command: command.to_owned() })?;
    let program = words.first().map_or("", String::as_str);
    if find_program(program).is_some() {
        return Ok(words);
    }
    let (path, meant) = (Path::new(program), nearest(text, builtins));
    let names_a_file = program.contains('/') || Language::by_extension(path).is_some();
    if meant.is_none() && names_a_file && !path.exists() {
        return Err(AgentError::NoSuchFile { path: path.into(), meant: nearest_file(path) });
    }
    Err(AgentError::Unknown { name: text.to_owned(), builtins: builtins.join(", "), meant })
}

/// The file in the same folder that a mistyped path was probably meant to name.
fn nearest_file(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let names: Vec<String> =
        fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
    let meant = text::nearest(path.file_name().and_then(OsStr::to_str)?, names.iter().map(String::as_str))?;
    Some(path.with_file_name(meant))
}

/// The name that a mistyped one was probably meant to be, with the level or the file that followed it.
fn nearest(text: &str, builtins: &[&str]) -> Option<String> {
    let (name, rest) = text.find(':').map_or((text, ""), |at| text.split_at(at));
    let languages = Language::ALL.iter().map(|language| language.name()).filter(|_| rest.len() > 1);
    text::nearest(name, builtins.iter().copied().chain(languages)).map(|known| format!("{known}{rest}"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const BUILTINS: [&str; 3] = ["greedy", "champion", "coordinated"];

    fn parse(text: &str) -> Result<AgentSpec, AgentError> {
        AgentSpec::parse(text, &BUILTINS)
    }

    #[test]
    fn an_agent_reads_back_from_its_text() {
        let check = |text: &str, kind: &str| {
            let agent = parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!((agent.kind(), agent.to_string().as_str()), (kind, text));
            assert_eq!(parse(&agent.to_string()).unwrap(), agent);
        };
        check("greedy", "builtin");
        check("champion:3", "builtin");
        check("champion:03", "builtin");
        check("champion:", "builtin");
        check("coordinated:4/8/0", "builtin");
        check("PYPY3:bot.py", "PYPY3");
        check("CPP20:bots/my bot", "CPP20");
        check("sh -c 'exit 3'", "command");
        check("uai:sh -c 'exit 3'", "uai");
        check("gomocup:sh -c 'exit 3'", "gomocup");
        assert_eq!(parse("champion:3").unwrap(), AgentSpec::Builtin { name: "champion".to_owned(), level: Some(3) });
        let Ok(Prepared::Program(program)) = parse("uai:sh -c 'exit 3'").unwrap().prepare(&GameLimits::default())
        else {
            panic!("a bridge is a program")
        };
        assert_eq!(program.words[1..], ["bridge", "uai", "--", "sh", "-c", "exit 3"]);
        for (text, expected) in [
            ("gredy", "not a program in PATH; did you mean `greedy`?"),
            ("Greddy:3", "did you mean `greedy:3`?"),
            ("PYTON3:bot.py", "did you mean `PYTHON3:bot.py`?"),
            ("pypi3", "not a program in PATH"),
            ("bot.rbb", "(.c .cpp .py .java .rs .js .rb, or another behind C20: CPP20: "),
            ("far:", "no agent is named `far:`: it is not a built-in (greedy, champion, coordinated)"),
            ("uai:", "no agent is named `uai:`"),
            ("uai:./none", "no such file: `./none`"),
            ("uai:sh 'x", "has a quote that is not closed"),
            ("near:sh", "no agent is named `near:sh`: it is not a built-in"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "`{expected}` is not in: {error}");
        }
    }

    #[test]
    fn a_mistyped_path_is_answered_with_the_nearest_file() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("ataxx.cpp"), "").unwrap();
        let named = |name: &str| folder.path().join(name).display().to_string();
        for text in [named("atxx.cpp"), format!("{} --fast", named("atxx.cpp"))] {
            let expected = format!("no such file: `{}` (did you mean `{}`?)", named("atxx.cpp"), named("ataxx.cpp"));
            assert_eq!(parse(&text).unwrap_err().to_string(), expected);
        }
        assert_eq!(parse("./other/bot").unwrap_err().to_string(), "no such file: `./other/bot`");
        fs::write(folder.path().join("notes.txt"), "").unwrap();
        let error = parse(&named("notes.txt")).unwrap_err().to_string();
        assert!(error.starts_with("no agent is named"), "{error}");
    }

    proptest! {
        /// Whatever is accepted is written so that it reads as the same agent, and its text does not change again.
        #[test]
        fn every_accepted_text_round_trips(
            prefix in prop::sample::select(&["", "C20:", "pypy3:", "uai:", "gomocup:", "sh ", "greedy", "champion:"]),
            rest in "[ -~é]{0,12}",
        ) {
            let text = format!("{prefix}{rest}");
            if let Ok(agent) = parse(&text) {
                let written = agent.to_string();
                prop_assert_eq!(parse(&written).unwrap(), agent.clone());
                match agent {
                    // A built-in, or a source whose language is named as it is written, keeps its text to the letter.
                    AgentSpec::Builtin { .. } => prop_assert_eq!(written, text),
                    AgentSpec::Source { path, .. }
                        if prefix == "C20:" && Language::by_extension(&path) != Some(Language::C20) =>
                    {
                        prop_assert_eq!(written, text);
                    }
                    _ => {}
                }
            }
        }
    }
}
