//! The settings before an agent's text: `name=new dir=engines/a env.THREADS=1 option.Hash=64 uai:./engine`.
//!
//! Each is a word `KEY=VALUE` before the agent, in quotes if it has blanks. Their order does not matter.

use std::fmt;
use std::path::PathBuf;

use super::prepared::AgentError;
use crate::clock::{Clock, lacks_unit, ms_text, parse_ms, with_units};

/// How an agent's program is started and its engine asked.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct AgentSettings {
    /// `dir=`: the folder that a program starts in and sees, as the user names it.
    pub dir: Option<PathBuf>,
    /// `see=`: additional files and folders that a program sees, as the user names them. For a compiled program they
    /// are copied.
    pub see: Vec<PathBuf>,
    /// `env.NAME=`: variables of a program's environment.
    pub environment: Vec<(String, String)>,
    /// `option.NAME=`: options of an engine behind a bridge.
    pub options: Vec<(String, String)>,
    /// `nodes=`: how many nodes an engine searches for each move.
    pub nodes: Option<u64>,
    /// `threads=`: how many threads a built-in player searches with.
    pub threads: Option<u16>,
    /// `depth=`: how deep an engine behind a bridge searches for each move, in plies, whatever its clock says.
    pub depth: Option<u32>,
    /// `movetime=`: the time of an engine behind a bridge for each move, in milliseconds, whatever its clock says.
    pub movetime_ms: Option<u64>,
    /// `margin=`: how much less than the clock has an engine behind a bridge is sent, in milliseconds.
    pub margin_ms: Option<u64>,
}

/// Settings of an agent that concern a series or a game, not its program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AgentTerms {
    /// `name=`: its name in tables and headings.
    pub name: Option<String>,
    /// `clock=`: its own clock.
    pub clock: Option<Clock>,
}

/// A text in its parts.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SetAgent<'a> {
    pub terms: AgentTerms,
    pub settings: AgentSettings,
    /// The text of the agent itself.
    pub agent: &'a str,
}

/// The maximum number of nodes for a search.
const MAX_NODES: u64 = 1_000_000_000_000;

/// The maximum number of threads for a search.
const MAX_THREADS: u16 = 1_024;

/// The maximum depth of a search, in plies.
const MAX_DEPTH: u32 = 1_000;

/// Variables with this beginning are Agon's.
const OWN_VARIABLES: &str = "AGON_";

/// Separates the settings from an agent's text.
///
/// # Errors
/// [`AgentError::Setting`] for a value that makes no sense, a key given twice, or a missing agent.
pub fn split(text: &str) -> Result<SetAgent<'_>, AgentError> {
    let set = split_any(text)?;
    if set.agent.is_empty()
        && let Some(setting) = raw_words(text).last()
    {
        let reason = "it stands before an agent, and none follows: write a built-in player, a source file or a command \
                      behind it";
        return Err(AgentError::Setting { setting: (*setting).to_owned(), reason: reason.to_owned() });
    }
    Ok(set)
}

/// The same for a text that need not contain an agent.
///
/// # Errors
/// As [`split`], except for a missing agent.
pub fn split_any(text: &str) -> Result<SetAgent<'_>, AgentError> {
    let mut set = SetAgent { agent: text, ..SetAgent::default() };
    while let Some((word, rest)) = first_word(set.agent) {
        let Some((key, value)) = word.split_once('=') else { break };
        let refused = |reason| AgentError::Setting { setting: word.clone(), reason };
        if !set.take(key, value).map_err(refused)? {
            break;
        }
        set.agent = rest;
    }
    Ok(set)
}

/// The settings of an agent, besides variables as `env.NAME` and options as `option.NAME`.
pub(super) const KEYS: [&str; 9] = ["name", "clock", "dir", "see", "nodes", "threads", "depth", "movetime", "margin"];

impl SetAgent<'_> {
    /// Takes a value; false if the key is none.
    fn take(&mut self, key: &str, value: &str) -> Result<bool, String> {
        fn once<T>(place: &mut Option<T>, value: T) -> Result<bool, String> {
            if place.replace(value).is_some() { Err("it is given twice".to_owned()) } else { Ok(true) }
        }
        fn add(list: &mut Vec<(String, String)>, name: &str, value: &str) -> Result<bool, String> {
            if name.is_empty() || value.contains(char::is_control) || name.contains(char::is_control) {
                return Err("a name and a value of one line expected".to_owned());
            }
            if list.iter().any(|(known, _)| known == name) {
                return Err("it is given twice".to_owned());
            }
            list.push((name.to_owned(), value.to_owned()));
            Ok(true)
        }
        let ms = |least: u64| {
            if lacks_unit(value) {
                return Err(format!("it has no unit: {}", with_units(value, '`')));
            }
            let ms = parse_ms(value, 1).filter(|ms| (least..=crate::clock::MAX_CLOCK_MS).contains(ms));
            ms.ok_or_else(|| "a time such as `10s` or `500ms` expected, at most a day".to_owned())
        };
        let (settings, terms) = (&mut self.settings, &mut self.terms);
        match key {
            "name" if value.trim().is_empty() => Err("a name expected".to_owned()),
            "name" => once(&mut terms.name, value.to_owned()),
            "clock" => once(&mut terms.clock, value.parse().map_err(|error| format!("{error}"))?),
            "dir" if !std::path::Path::new(value).is_dir() => Err("there is no such folder".to_owned()),
            "dir" => once(&mut settings.dir, value.into()),
            "see" if !std::path::Path::new(value).exists() => Err("there is no such file or folder".to_owned()),
            "see" if settings.see.iter().any(|path| path.as_os_str() == value) => Err("it is given twice".to_owned()),
            "see" => {
                settings.see.push(value.into());
                Ok(true)
            }
            "nodes" => {
                let nodes = value.parse().ok().filter(|nodes| (1..=MAX_NODES).contains(nodes));
                once(&mut settings.nodes, nodes.ok_or_else(|| format!("a number from 1 to {MAX_NODES} expected"))?)
            }
            "threads" => {
                let threads = value.parse().ok().filter(|threads| (1..=MAX_THREADS).contains(threads));
                once(
                    &mut settings.threads,
                    threads.ok_or_else(|| format!("a number from 1 to {MAX_THREADS} expected"))?,
                )
            }
            "depth" => {
                let depth = value.parse().ok().filter(|depth| (1..=MAX_DEPTH).contains(depth));
                once(
                    &mut settings.depth,
                    depth.ok_or_else(|| format!("a number of plies from 1 to {MAX_DEPTH} expected"))?,
                )
            }
            "movetime" => once(&mut settings.movetime_ms, ms(1)?),
            "margin" => once(&mut settings.margin_ms, ms(0)?),
            _ => match key.split_once('.') {
                Some(("env", name)) if name.starts_with(OWN_VARIABLES) => Err("Agon sets it itself".to_owned()),
                Some(("env", name)) => add(&mut settings.environment, name, value),
                Some(("option", name)) => add(&mut settings.options, name, value),
                _ => Ok(false),
            },
        }
    }
}

impl AgentSettings {
    /// Whether nothing is set.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The key of a setting that only engines behind a bridge know, if one is set.
    pub(super) fn engines_alone(&self) -> Option<&'static str> {
        let set = [
            ("option", !self.options.is_empty()),
            ("depth", self.depth.is_some()),
            ("movetime", self.movetime_ms.is_some()),
            ("margin", self.margin_ms.is_some()),
        ];
        set.into_iter().find_map(|(key, set)| set.then_some(key))
    }

    /// The key of a setting that only programs know, if one is set.
    pub(super) fn programs_alone(&self) -> Option<&'static str> {
        let set = [("dir", self.dir.is_some()), ("see", !self.see.is_empty()), ("env", !self.environment.is_empty())];
        set.into_iter().find_map(|(key, set)| set.then_some(key))
    }

    /// The arguments of `agon bridge` for these settings.
    pub(super) fn bridge_words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut add = |option: &str, value: String| words.extend([format!("--{option}"), value]);
        self.options.iter().for_each(|(name, value)| add("option", format!("{name}={value}")));
        if let Some(nodes) = self.nodes {
            add("nodes", nodes.to_string());
        }
        if let Some(depth) = self.depth {
            add("depth", depth.to_string());
        }
        if let Some(ms) = self.movetime_ms {
            add("movetime", ms_text(ms));
        }
        if let Some(ms) = self.margin_ms {
            add("margin", ms_text(ms));
        }
        words
    }
}

/// The words that read back as these settings, each with a blank behind it.
impl fmt::Display for AgentSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words = Vec::new();
        words.extend(self.dir.as_ref().map(|dir| format!("dir={}", dir.display())));
        words.extend(self.see.iter().map(|path| format!("see={}", path.display())));
        words.extend(self.environment.iter().map(|(name, value)| format!("env.{name}={value}")));
        words.extend(self.options.iter().map(|(name, value)| format!("option.{name}={value}")));
        words.extend(self.nodes.map(|nodes| format!("nodes={nodes}")));
        words.extend(self.threads.map(|threads| format!("threads={threads}")));
        words.extend(self.depth.map(|depth| format!("depth={depth}")));
        words.extend(self.movetime_ms.map(|ms| format!("movetime={}", ms_text(ms))));
        words.extend(self.margin_ms.map(|ms| format!("margin={}", ms_text(ms))));
        words.iter().try_for_each(|word| write!(f, "{} ", quoted(word)))
    }
}

/// Characters that a shell expands and `shell_words` does not quote.
const EXPANDED: [char; 4] = ['{', '}', '!', '^'];

/// A word in quotes, if a shell needs them to take it for one word and to leave it unchanged. `=` needs none after the
/// first letter.
pub fn quoted(word: &str) -> String {
    let plain = |part: &str| !part.contains(|c: char| EXPANDED.contains(&c) || c.is_whitespace() || c.is_control());
    let bare = |part: &str| part.is_empty() || plain(part) && shell_words::quote(part) == part;
    match word.split_once('=') {
        Some((name, _)) if !name.is_empty() && word.split('=').all(bare) => word.to_owned(),
        _ if plain(word) => shell_words::quote(word).into_owned(),
        _ => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// Joins words into a text that [`split_words`] splits again.
pub fn joined<S: AsRef<str>>(words: impl IntoIterator<Item = S>) -> String {
    words.into_iter().map(|word| quoted(word.as_ref())).collect::<Vec<_>>().join(" ")
}

/// The words of a text as a shell splits it; `None` if a quote is not closed.
pub fn split_words(text: &str) -> Option<Vec<String>> {
    shell_words::split(text).ok()
}

/// The words of a text as they are written, with their quotes, as far as these are closed.
pub(super) fn raw_words(mut text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    while let Some((_, rest)) = first_word(text) {
        let whole = text.trim_start();
        words.push(whole[..whole.len() - rest.len()].trim_end());
        text = rest;
    }
    words
}

/// The first word as a shell reads it, and the rest without the blanks between them; `None` if there is no word, or its
/// quotes are not closed.
fn first_word(text: &str) -> Option<(String, &str)> {
    let text = text.trim_start();
    let mut quote = None;
    let mut escaped = false;
    let mut end = text.len();
    for (at, c) in text.char_indices() {
        match (c, quote) {
            _ if escaped => escaped = false,
            ('\\', None | Some('"')) => escaped = true,
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => quote = Some(c),
            (c, None) if c.is_whitespace() => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    let words = split_words(&text[..end])?;
    let [word] = words.as_slice() else { return None };
    Some((word.clone(), text[end..].trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_before_no_agent_is_refused() {
        for (text, setting) in [("name=x", "name=x"), ("dir=/tmp env.A=1 ", "env.A=1")] {
            let error = split(text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{setting}`: it stands before an agent, and none follows")), "{error}");
        }
    }

    #[test]
    fn what_stands_before_an_agent_is_taken_off() {
        let text = "name='my new' dir=/tmp see=/etc see=/usr env.A=1 \"env.B=x y\" option.Hash=64 \
                    'option.Clear Hash=now' nodes=5 \
                    clock=10+0.1 movetime=1s margin=0 uai:./engine --x='a b'";
        let set = split(text).unwrap();
        assert_eq!(set.agent, "uai:./engine --x='a b'");
        assert_eq!(set.terms.name.as_deref(), Some("my new"));
        assert_eq!(set.terms.clock.map(|clock| clock.to_string()).as_deref(), Some("10s+100ms"));
        let expected = "dir=/tmp see=/etc see=/usr env.A=1 'env.B=x y' option.Hash=64 'option.Clear Hash=now' \
                        nodes=5 movetime=1s margin=0s ";
        assert_eq!(set.settings.to_string(), expected);
        assert_eq!(split(&format!("{expected}greedy")).unwrap().settings, set.settings);
        let depth = split("depth=12 uai:./e").unwrap().settings;
        assert_eq!((depth.to_string().as_str(), depth.bridge_words().concat().as_str()), ("depth=12 ", "--depth12"));
        let words = ["--option", "Hash=64", "--option", "Clear Hash=now", "--nodes", "5", "--movetime", "1s"];
        assert_eq!(set.settings.bridge_words(), [&words[..], &["--margin", "0s"]].concat());
        assert_eq!(raw_words("a 'b  c' | d"), ["a", "'b  c'", "|", "d"]);
        for plain in ["greedy", "bot.py", "my bot.py --x=1", "x=1 ./bot", "env A=1 ./bot", "it's", "", "'a b' c"] {
            assert_eq!(split(plain).unwrap(), SetAgent { agent: plain, ..SetAgent::default() }, "{plain}");
        }
    }

    #[test]
    fn a_word_that_is_pasted_into_a_shell_is_the_same_word_there() {
        let words = [
            "bot.py",
            "a b",
            "it's",
            "",
            "a&b",
            "a;b",
            "f(1)",
            "a|b",
            "$HOME",
            "`id`",
            "~/x",
            "*.py",
            "a{b,c}",
            "!!",
            "a^b",
            "#x",
            "a\tb",
            "a\nb",
            "a\\b",
            "\"",
            "--net=w.bin",
            "--net=a b",
            "=x",
            "x=~",
            "äöü",
            "<x>",
            "[ab]",
            "a?",
            "%1",
        ];
        let printed = std::process::Command::new("sh")
            .args(["-c", &format!("printf '%s\\0' {}", joined(words))])
            .output()
            .unwrap();
        let printed = String::from_utf8(printed.stdout).unwrap();
        assert_eq!(printed.split_terminator('\0').collect::<Vec<_>>(), words);
        for plain in ["bot.py", "--net=w.bin", "a/b_c-d.e:f,g@h+i", "äöü"] {
            assert_eq!(quoted(plain), plain);
        }
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let check = |text: &str, reason: &str| {
            let error = split(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text}: {error}");
        };
        check("dir=/none/such greedy", "`dir=/none/such`: there is no such folder");
        check("see=/none/such ./bot", "`see=/none/such`: there is no such file or folder");
        check("see=/tmp see=/tmp ./bot", "it is given twice");
        check("name= greedy", "a name expected");
        check("clock=soon greedy", "a clock such as `10s`, `10+0.1`");
        check("nodes=0 greedy", "a number from 1 to");
        check("nodes=5 nodes=6 greedy", "it is given twice");
        check("env.A=1 env.A=2 ./bot", "it is given twice");
        check("env.AGON_SEED=1 ./bot", "Agon sets it itself");
        check("option.=1 uai:./e", "a name and a value of one line expected");
        check("threads=0 champion", "a number from 1 to 1024 expected");
        check("threads=2 threads=2 champion", "it is given twice");
        check("depth=0 uai:./e", "a number of plies from 1 to 1000 expected");
        check("movetime=0 uai:./e", "a time such as");
        check("movetime=5 uai:./e", "`movetime=5`: it has no unit: say `5s` or `5ms`");
        check("clock=5 uai:./e", "`5` has no unit: say `5s` or `5ms`");
    }
}
