//! Agents as one machine names them to another.

use std::path::{Component, Path};

use serde::{Deserialize, Deserializer, Serialize, de};

use super::language::Language;
use super::spec::AgentSpec;

/// An agent that any machine can play. It names no path and no command of the reading machine: a reader can only be
/// made to run a built-in, or the sources that come with the agent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortableAgent {
    /// The text that names it in records; for a built-in its name, with the level if it has one.
    pub known_as: String,
    /// `None` for a built-in.
    pub sources: Option<SourceArchive>,
}

/// Sources in an archive.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SourceArchive {
    pub language: Language,
    /// The file, or the folder of several, at the top of the archive.
    #[serde(deserialize_with = "file_name")]
    name: String,
    /// The SHA-256 digest of the archive, in hexadecimal digits.
    #[serde(deserialize_with = "digest")]
    pub sha256: String,
}

impl PortableAgent {
    /// The agent on this machine, where its sources are unpacked in `folder`.
    pub fn spec(&self, folder: &Path) -> AgentSpec {
        match &self.sources {
            Some(sources) => AgentSpec::source(sources.language, folder.join(&sources.name)),
            None => AgentSpec::builtin(&self.known_as),
        }
    }
}

impl SourceArchive {
    /// `None` when the name is more than the name of a file: it must not lead out of the folder where it is unpacked.
    pub fn new(language: Language, name: String, sha256: String) -> Option<Self> {
        is_file_name(&name).then_some(Self { language, name, sha256 })
    }

    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The maximal length of a file's name, as file systems have it.
const MAX_NAME_BYTES: usize = 255;

fn is_file_name(name: &str) -> bool {
    let mut parts = Path::new(name).components();
    // A compiler reads a name that begins with `-` or `@` as an option.
    if name.len() > MAX_NAME_BYTES || name.starts_with(['-', '@']) || name.contains(char::is_control) {
        return false;
    }
    matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
}

fn file_name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    if is_file_name(&name) { Ok(name) } else { Err(de::Error::custom(format!("`{name}` is not the name of a file"))) }
}

fn digest<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let digest = String::deserialize(deserializer)?;
    // It becomes part of the name of an object.
    let is_hexadecimal = digest.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    if is_hexadecimal { Ok(digest) } else { Err(de::Error::custom(format!("`{digest}` is not a digest"))) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_travels_as_a_builtin_or_as_sources() {
        let read = |json: &str| serde_json::from_str::<PortableAgent>(json);
        let folder = Path::new("/unpacked");
        let builtin = read(r#"{"known_as":"champion:3","sources":null}"#).unwrap();
        assert_eq!(builtin.spec(folder), AgentSpec::builtin("champion:3"));
        // A text that would be a command elsewhere is the name of a built-in that no game has.
        let command = read(r#"{"known_as":"sh -c true"}"#).unwrap();
        assert_eq!(
            command.spec(folder),
            AgentSpec::Builtin { name: "sh -c true".to_owned(), level: None, nodes: None, threads: None }
        );
        let archive = |name: &str| {
            format!(r#"{{"known_as":"bot.py","sources":{{"language":"PYPY3","name":"{name}","sha256":"00"}}}}"#)
        };
        let source = read(&archive("my bot.py")).unwrap();
        let path = folder.join("my bot.py");
        assert_eq!(source.spec(folder), AgentSpec::source(Language::Pypy3, path));
        assert_eq!(serde_json::to_string(&source).unwrap(), archive("my bot.py"));
        for name in ["", ".", "..", "/etc/passwd", "../bot.py", "bot/../..", "bot/", "./bot.py", "-o", "@list", "a\nb"]
        {
            assert!(read(&archive(&name.replace('\n', "\\n"))).is_err(), "{name}");
            assert_eq!(SourceArchive::new(Language::Pypy3, name.to_owned(), String::new()), None, "{name}");
        }
        // A machine that knows more kinds of agents than this one must not be misunderstood.
        let more = [
            r#"{"known_as":"a","sources":null,"command":"sh"}"#,
            r#"{"known_as":"a","sources":{"language":"C20","name":"a.c","sha256":"00","arguments":["x=/etc/shadow"]}}"#,
            r#"{"known_as":"a","sources":{"language":"C20","name":"a.c","sha256":"../00"}}"#,
        ];
        for text in more {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
