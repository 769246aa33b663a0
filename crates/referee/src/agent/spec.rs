//! The text that names an agent.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

use super::language::{BuildMode, Language};
use super::prepared::{AgentError, Prepared};
use super::settings::{AgentSettings, AgentTerms};
use super::{containment, mistake, settings, source, sources};
use crate::limits::GameLimits;
use crate::paths;
use crate::process::{ProgramSpec, find_program};
use crate::text;

/// An agent as a user names it. Records contain the same text.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum AgentSpec {
    Builtin {
        /// With the suffix of a variant, which is not a level: `coordinated:4/8/0`.
        name: String,
        level: Option<u8>,
        /// How many nodes it searches for each move, unless its clock decides.
        nodes: Option<u64>,
        /// How many threads it searches with, if more than one.
        threads: Option<u16>,
    },
    /// A source file, or a folder of them, and the arguments of its program.
    Source { language: Language, path: PathBuf, arguments: Vec<String>, settings: AgentSettings },
    /// A program and its arguments.
    Command { words: Vec<String>, settings: AgentSettings },
    /// An engine that speaks another protocol, and its arguments.
    Bridge { protocol: BridgeProtocol, words: Vec<String>, settings: AgentSettings },
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
    fn command(self, settings: &AgentSettings) -> Result<Vec<String>, AgentError> {
        let program = env::current_exe().map_err(AgentError::NoBridge)?;
        let words = [&program.display().to_string(), "bridge", self.name()].map(str::to_owned);
        Ok([&words[..], &settings.bridge_words(), &["--".to_owned()]].concat())
    }
}

impl AgentSpec {
    /// The built-in of this name, with its level behind a colon if it has one; whether a game has it is not checked.
    pub fn builtin(text: &str) -> Self {
        // If a number is written differently, as `03`, the text is kept.
        let level = |(name, level): (&str, &str)| {
            let number: u8 = level.parse().ok().filter(|number: &u8| number.to_string() == level)?;
            Some(Self::Builtin { name: name.to_owned(), level: Some(number), nodes: None, threads: None })
        };
        let whole = || Self::Builtin { name: text.to_owned(), level: None, nodes: None, threads: None };
        text.rsplit_once(':').and_then(level).unwrap_or_else(whole)
    }

    /// A source file, or a folder of them, whose program takes no arguments.
    pub fn source(language: Language, path: PathBuf) -> Self {
        Self::Source { language, path, arguments: Vec::new(), settings: AgentSettings::default() }
    }

    /// Reads a user's text, including the settings before it ([`settings`](super::settings)). A text that begins with
    /// the name of a language or a protocol and a colon belongs to that; next come the names in `builtins`, with or
    /// without a suffix after a colon; then files with the extension of a language, and folders of sources; everything
    /// else is a command. A source may be followed by arguments if the whole text does not name a file.
    ///
    /// # Errors
    /// [`AgentError::NoSuchFile`] or [`AgentError::Unknown`] when it is none of these, [`AgentError::Quotes`] when the
    /// quotes of a command do not match, [`AgentError::Folder`] when a folder has no main file, [`AgentError::Packed`]
    /// for an archive, [`AgentError::Setting`] for a setting that means nothing for such an agent.
    pub fn parse(text: &str, builtins: &[&str]) -> Result<Self, AgentError> {
        let set = settings::split(text)?;
        let refused = |setting: &str, reason: &str| {
            Err(AgentError::Setting { setting: format!("{setting}="), reason: reason.to_owned() })
        };
        if set.terms != AgentTerms::default() {
            return refused("name= and clock", "they are for agents of a game or a series: leave them out here");
        }
        let mut spec = Self::parse_program(set.agent, builtins, set.settings.dir.as_deref())?;
        let given = set.settings;
        if !matches!(spec, Self::Bridge { .. })
            && let Some(key) = given.engines_alone()
        {
            return refused(key, "it is for engines behind `uai:` or `gomocup:`");
        }
        if !matches!(spec, Self::Builtin { .. }) && given.threads.is_some() {
            let reason = "it is for built-in players; an engine gets `option.Threads=`, a program its own arguments";
            return refused("threads", reason);
        }
        match &mut spec {
            Self::Builtin { nodes, threads, .. } => match given.programs_alone() {
                Some(key) => return refused(key, "it is for programs, not for a built-in player"),
                None => (*nodes, *threads) = (given.nodes, given.threads.filter(|&threads| threads > 1)),
            },
            Self::Source { .. } | Self::Command { .. } if given.nodes.is_some() => {
                return refused("nodes", "it is for built-in players and engines behind `uai:` or `gomocup:`");
            }
            Self::Bridge { .. } if given.nodes.is_some() && given.movetime_ms.or(given.margin_ms).is_some() => {
                return refused("nodes", "an engine that counts nodes looks at no time: leave out movetime and margin");
            }
            Self::Bridge { .. }
                if given.depth.is_some()
                    && (given.nodes.is_some() || given.movetime_ms.or(given.margin_ms).is_some()) =>
            {
                return refused(
                    "depth",
                    "an engine that counts plies looks at no time: leave out nodes, movetime and margin",
                );
            }
            Self::Bridge { .. } if given.movetime_ms.is_some() && given.margin_ms.is_some() => {
                return refused("movetime", "it is sent as it is: leave out margin");
            }
            Self::Source { settings, .. } | Self::Command { settings, .. } | Self::Bridge { settings, .. } => {
                *settings = given;
            }
        }
        Ok(spec)
    }

    fn parse_program(text: &str, builtins: &[&str], dir: Option<&Path>) -> Result<Self, AgentError> {
        let (prefix, rest) = text.split_once(':').unwrap_or((text, ""));
        if prefix.len() < text.len() {
            if let Some(language) = Language::by_name(prefix) {
                mistake::refuse(rest, dir)?;
                return Ok(
                    sources_in(rest, |_| Ok(Some(language)))?.unwrap_or_else(|| Self::source(language, rest.into()))
                );
            }
            if let Some(protocol) = BridgeProtocol::by_name(prefix) {
                let words = command(text, rest, builtins, dir)?;
                return Ok(Self::Bridge { protocol, words, settings: AgentSettings::default() });
            }
        }
        if builtins.contains(&prefix) {
            return Ok(Self::builtin(text));
        }
        let path = Path::new(text);
        if let Some(language) = language_of(path)? {
            return Ok(Self::source(language, path.into()));
        }
        if path.is_file() && [".zip", ".tar", ".tar.gz", ".tgz"].iter().any(|end| text.ends_with(end)) {
            return Err(AgentError::Packed { name: text.to_owned() });
        }
        mistake::refuse(text, dir)?;
        match command(text, text, builtins, dir) {
            Ok(words) => Ok(Self::Command { words, settings: AgentSettings::default() }),
            // A file that can be executed is run, whatever its language.
            Err(refused) => sources_in(text, language_of)?.ok_or(refused),
        }
    }

    /// The same agent with these additional arguments.
    ///
    /// # Errors
    /// [`AgentError::Setting`] of a built-in player, which takes none.
    pub fn with_arguments(mut self, more: &[String]) -> Result<Self, AgentError> {
        match &mut self {
            Self::Builtin { .. } if !more.is_empty() => {
                let reason = "a built-in player takes no arguments".to_owned();
                return Err(AgentError::Setting { setting: settings::joined(more), reason });
            }
            Self::Builtin { .. } => {}
            Self::Source { arguments: words, .. } | Self::Command { words, .. } | Self::Bridge { words, .. } => {
                words.extend_from_slice(more);
            }
        }
        Ok(self)
    }

    /// Makes the agent ready to be seated: a source file is compiled, unless a compiled one is found. Its folder
    /// becomes absolute, and so do paths in its words that lead out of it.
    ///
    /// # Errors
    /// [`AgentError`] for mistakes that the user can correct. A file that does not compile is not an error but
    /// [`Prepared::Broken`].
    pub fn prepare(&self, limits: &GameLimits) -> Result<Prepared, AgentError> {
        self.prepare_as(BuildMode::Release, limits)
    }

    /// Like [`Self::prepare`], with a source compiled in this mode.
    ///
    /// # Errors
    /// As [`Self::prepare`].
    pub fn prepare_as(&self, mode: BuildMode, limits: &GameLimits) -> Result<Prepared, AgentError> {
        let dir = self.settings().and_then(|settings| settings.dir.as_deref());
        if let Some(dir) = dir.filter(|dir| containment::holds_more(dir)) {
            let (setting, reason) =
                (format!("dir={}", dir.display()), "it holds more than a bot: name a folder of its own");
            return Err(AgentError::Setting { setting, reason: reason.to_owned() });
        }
        let see = self.settings().map_or(&[][..], |settings| &settings.see);
        if let Some(path) = see.iter().find(|path| !containment::is_private(path) && containment::holds_more(path)) {
            let (setting, reason) = (format!("see={}", path.display()), "it holds more than a bot: name what it needs");
            return Err(AgentError::Setting { setting, reason: reason.to_owned() });
        }
        if let Some(path) = see.iter().find(|path| containment::is_private(path)) {
            let reason = "it is secret or belongs to users, hosts or services: copy what the bot needs into its folder";
            return Err(AgentError::Setting { setting: format!("see={}", path.display()), reason: reason.to_owned() });
        }
        let dir = dir.map(paths::whole);
        let dir = dir.as_deref();
        let program = |words, jail| ProgramSpec { words, environment: Vec::new(), jail, build: None, source: None };
        let mut program = match self {
            Self::Builtin { .. } => return Ok(Prepared::Builtin(self.to_string())),
            Self::Command { words, settings } => {
                let words = whole_words(words, dir);
                let jail = containment::of_command(&words, dir, &settings.see);
                program(words, jail)
            }
            Self::Bridge { protocol, words, settings } => {
                let (bridge, words) = (protocol.command(settings)?, whole_words(words, dir));
                let jail = containment::of_bridge(&bridge, &words, dir, &settings.see);
                program([bridge, words].concat(), jail)
            }
            Self::Source { language, path, arguments, settings } => {
                match source::compile(*language, path, &settings.see, limits, mode)? {
                    Ok(mut program) => {
                        containment::show(&mut program.jail, &settings.see);
                        match dir {
                            Some(dir) => {
                                containment::start_in(&mut program.jail, dir);
                                program.words.extend(arguments.iter().map(|word| paths::without_parents(dir, word)));
                            }
                            None => program.words.extend_from_slice(arguments),
                        }
                        program
                    }
                    Err(fault) => return Ok(Prepared::Broken(fault)),
                }
            }
        };
        let given = self.settings().into_iter().flat_map(|settings| &settings.environment);
        program.environment.extend(given.map(|(name, value)| (name.clone(), value.into())));
        Ok(Prepared::Program(program))
    }

    /// The settings of its program; a built-in has none.
    pub const fn settings(&self) -> Option<&AgentSettings> {
        match self {
            Self::Builtin { .. } => None,
            Self::Source { settings, .. } | Self::Command { settings, .. } | Self::Bridge { settings, .. } => {
                Some(settings)
            }
        }
    }

    /// The language of its source, if it is one.
    pub const fn language(&self) -> Option<Language> {
        match self {
            Self::Source { language, .. } => Some(*language),
            _ => None,
        }
    }

    /// How many nodes a built-in player searches for each move, unless its clock decides.
    pub const fn nodes(&self) -> Option<u64> {
        match self {
            Self::Builtin { nodes, .. } => *nodes,
            _ => None,
        }
    }

    /// How many threads a built-in player searches with.
    pub fn threads(&self) -> usize {
        match self {
            Self::Builtin { threads, .. } => threads.map_or(1, usize::from),
            _ => 1,
        }
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
        if let Some(settings) = self.settings() {
            write!(f, "{settings}")?;
        }
        match self {
            Self::Builtin { name, level, nodes, threads } => {
                nodes.iter().try_for_each(|nodes| write!(f, "nodes={nodes} "))?;
                threads.iter().try_for_each(|threads| write!(f, "threads={threads} "))?;
                f.write_str(name)?;
                level.iter().try_for_each(|level| write!(f, ":{level}"))
            }
            Self::Source { language, path, arguments, .. } => {
                if Language::by_extension(path) != Some(*language) {
                    write!(f, "{language}:")?;
                }
                let path = path.display().to_string();
                if arguments.is_empty() {
                    return f.write_str(&path);
                }
                let words = [std::slice::from_ref(&path), arguments].concat();
                f.write_str(&settings::joined(words))
            }
            Self::Command { words, .. } => f.write_str(&settings::joined(words)),
            Self::Bridge { protocol, words, .. } => write!(f, "{}:{}", protocol.name(), settings::joined(words)),
        }
    }
}

/// The language of a source file, or of a folder of sources; `None` of anything else.
fn language_of(path: &Path) -> Result<Option<Language>, AgentError> {
    if path.is_dir() {
        return sources::main_file(path, None).map(|(language, _)| Some(language));
    }
    Ok(Language::by_extension(path).filter(|_| path.is_file()))
}

/// The sources named by the first word of a text, in quotes if it has blanks, with the other words as arguments; `None`
/// if it names none, or if the whole text does.
fn sources_in(
    text: &str,
    language: impl Fn(&Path) -> Result<Option<Language>, AgentError>,
) -> Result<Option<AgentSpec>, AgentError> {
    let Some((program, arguments)) = settings::split_words(text).and_then(|words| {
        let (program, arguments) = words.split_first()?;
        Some((PathBuf::from(program), arguments.to_vec()))
    }) else {
        return Ok(None);
    };
    let unquoted = program == Path::new(text);
    if arguments.is_empty() && unquoted || !program.exists() || Path::new(text).exists() {
        return Ok(None);
    }
    let settings = AgentSettings::default();
    let found = language(&program)?;
    Ok(found.map(|language| AgentSpec::Source { language, path: program, arguments, settings }))
}

/// The words of a command, with absolute paths where they lead out of their folder: a program named with its folder is
/// looked for in `dir` first, and the others from there.
fn whole_words(words: &[String], dir: Option<&Path>) -> Vec<String> {
    let folder = dir.map_or_else(|| paths::whole(Path::new("")), Path::to_owned);
    let whole = words.iter().enumerate().map(|(at, word)| {
        let found = (at == 0 && dir.is_some()).then(|| located(word, dir)).flatten();
        found
            .and_then(|path| paths::whole(&path).to_str().map(str::to_owned))
            .unwrap_or_else(|| paths::without_parents(&folder, word))
    });
    whole.collect()
}

/// Where a program is: in `dir` if its name includes a folder, otherwise as without `dir`.
fn located(program: &str, dir: Option<&Path>) -> Option<PathBuf> {
    let inside =
        dir.filter(|_| program.contains('/')).and_then(|dir| dir.join(program).to_str().and_then(find_program));
    inside.or_else(|| find_program(program))
}

/// The words of a command whose program exists; `text` is the whole name of the agent.
fn command(text: &str, command: &str, builtins: &[&str], dir: Option<&Path>) -> Result<Vec<String>, AgentError> {
    let words = settings::split_words(command).ok_or_else(|| AgentError::Quotes { command: command.to_owned() })?;
    mistake::refuse(command, dir)?;
    let program = words.first().map_or("", String::as_str);
    if located(program, dir).is_some() {
        return Ok(words);
    }
    let name = program.split(':').next().unwrap_or_default();
    if builtins.contains(&name) && words.len() > 1 {
        let reason =
            format!("`{name}` is built in and takes no arguments: a level as `{name}:3`, `nodes=10000 {name}`");
        return Err(AgentError::Mistaken { name: text.to_owned(), reason });
    }
    if let Some((key, _)) = program.split_once('=').filter(|_| words.len() > 1)
        && let Some(meant) = text::nearest(key, settings::KEYS)
    {
        let reason = format!("`{key}` is not a setting of an agent; did you mean `{meant}=`?");
        return Err(AgentError::Mistaken { name: text.to_owned(), reason });
    }
    let (path, meant) = (Path::new(program), nearest(text, builtins));
    let names_a_file = program.contains('/') || mistake::is_file_name(program);
    if meant.is_none()
        && let Some((prefix, source)) = program.split_once(':').filter(|(_, source)| Path::new(source).is_file())
        && text == command
    {
        let reason = format!(
            "unknown language `{prefix}`; name only the source, `{source}`, or after one of {}",
            Language::ALL.map(|language| format!("{language}:")).join(" ")
        );
        return Err(AgentError::Mistaken { name: text.to_owned(), reason });
    }
    if meant.is_none() && names_a_file && !path.exists() {
        return Err(AgentError::NoSuchFile { path: path.into(), meant: mistake::nearest_file(path) });
    }
    if meant.is_none()
        && let Some(reason) = mistake::of_unknown(text, program, dir)
    {
        return Err(AgentError::Mistaken { name: text.to_owned(), reason });
    }
    if meant.is_none() && text != command && !program.is_empty() {
        let reason =
            format!("there is no program `{program}` in PATH; name an engine with its folder, as `./{program}`");
        return Err(AgentError::Mistaken { name: text.to_owned(), reason });
    }
    if text.is_empty() {
        let reason = "no agent is named ``: name a built-in player, a source file or a command".to_owned();
        return Err(AgentError::Builtin { reason });
    }
    Err(AgentError::Unknown { name: text.to_owned(), builtins: builtins.join(", "), meant })
}

/// The name that a mistyped one was probably meant to be, with the level or the file that followed it.
fn nearest(text: &str, builtins: &[&str]) -> Option<String> {
    let (name, rest) = text.find(':').map_or((text, ""), |at| text.split_at(at));
    let languages = Language::ALL.iter().map(|language| language.name()).filter(|_| rest.len() > 1);
    text::nearest(name, builtins.iter().copied().chain(languages)).map(|known| format!("{known}{rest}"))
}

#[cfg(test)]
mod tests {
    use std::fs;

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
        assert_eq!(parse("champion:3").unwrap(), AgentSpec::builtin("champion:3"));
        let Ok(Prepared::Program(program)) = parse("uai:sh -c 'exit 3'").unwrap().prepare(&GameLimits::default())
        else {
            panic!("a bridge is a program")
        };
        assert_eq!(program.words[1..], ["bridge", "uai", "--", "sh", "-c", "exit 3"]);
        for (text, expected) in [
            ("gredy", "no agent is named `gredy`; did you mean `greedy`? (built-in: greedy, champion, coordinated)"),
            ("Greddy:3", "did you mean `greedy:3`?"),
            ("PYTON3:bot.py", "did you mean `PYTHON3:bot.py`?"),
            ("pypi3", "not a program in PATH"),
            ("bot.rbb", "(.c .cpp .py .java .rs .js .rb, or any other after C20: CPP20: "),
            ("", "no agent is named ``: name a built-in player, a source file or a command"),
            ("champion --depth 3", "`champion` is built in and takes no arguments: a level as `champion:3`"),
            ("nmae=x python3 bot.py", "`nmae` is not a setting of an agent; did you mean `name=`?"),
            ("sh x.sh && true", "so `&&` means nothing"),
            ("far:", "no agent is named `far:`: it is not a built-in (greedy, champion, coordinated)"),
            ("uai:", "no agent is named `uai:`"),
            ("uai:./none", "no such file: `./none`"),
            ("gomocup:none", "there is no program `none` in PATH; name an engine with its folder, as `./none`"),
            ("none.go", "no such file: `none.go`"),
            ("uai:sh 'x", "has a quote that is not closed"),
            ("near:sh", "no agent is named `near:sh`: it is not a built-in"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "`{expected}` is not in: {error}");
        }
    }

    #[test]
    fn a_source_whose_path_has_blanks_may_stand_in_quotes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("my bot.py");
        fs::write(&path, "").unwrap();
        let bare = path.display().to_string();
        let expected = AgentSpec::source(Language::Python3, path);
        for text in [bare.clone(), format!("'{bare}'"), format!("PYTHON3:'{bare}'")] {
            assert_eq!(parse(&text).unwrap(), expected, "{text}");
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
        let error = parse(&format!("CPP17:{}", named("ataxx.cpp"))).unwrap_err().to_string();
        assert!(error.contains("unknown language `CPP17`; name only the source, `/"), "{error}");
        fs::write(folder.path().join("notes.txt"), "").unwrap();
        let error = parse(&named("notes.txt")).unwrap_err().to_string();
        assert!(error.contains("notes.txt`: not a source file that Agon knows"), "{error}");
    }

    proptest! {
        /// Every accepted text is written such that it reads as the same agent, and its text does not change again.
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
                    AgentSpec::Builtin { .. } => prop_assert_eq!(written, text),
                    // A path that is the whole rest keeps its text to the letter; one that is read in words, as a
                    // shell reads them, loses the blanks around it.
                    AgentSpec::Source { path, .. }
                        if prefix == "C20:"
                            && path.as_os_str() == rest.as_str()
                            && Language::by_extension(&path) != Some(Language::C20) =>
                    {
                        prop_assert_eq!(written, text);
                    }
                    _ => {}
                }
            }
        }
    }
}
