//! Translates the English texts of the crates below into the language of the request: messages of checks, reasons of
//! results, mistakes in fields. Stores and records keep the English, so the messages are found by their texts: the
//! English message of a key in `said.ftl` is the pattern, and its variables stand for the parts that vary.

use std::sync::LazyLock;

use agon_message::Locale;

use super::catalogue::{Argument, FILES, format};
use super::spoken::locale;

/// How deeply messages nest within messages.
const MAX_DEPTH: u32 = 6;

/// A variable with this name is a number: the text before it in another message is not part of it.
const LINE_NUMBER: &str = "line_number";

/// A message by its English text.
struct Pattern {
    key: &'static str,
    /// The texts before, between and after the variables: one more than these.
    texts: Vec<&'static str>,
    variables: Vec<&'static str>,
}

static PATTERNS: LazyLock<Vec<Pattern>> = LazyLock::new(|| {
    let english = FILES.iter().find(|(name, _)| *name == "said").map_or("", |(_, texts)| texts[0]);
    let mut patterns: Vec<Pattern> = english.lines().filter_map(pattern).collect();
    // More specific patterns come first.
    patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.texts.iter().map(|text| text.len()).sum::<usize>()));
    patterns
});

/// The pattern of a line `said-key = text { $variable } text`.
fn pattern(line: &'static str) -> Option<Pattern> {
    let (key, text) = line.strip_prefix("said-").and(line.split_once(" = "))?;
    let (mut texts, mut variables, mut rest) = (Vec::new(), Vec::new(), text);
    while let Some((before, after)) = rest.split_once("{ $") {
        let (name, after) = after.split_once(" }")?;
        texts.push(before);
        variables.push(name);
        rest = after;
    }
    texts.push(rest);
    Some(Pattern { key, texts, variables })
}

impl Pattern {
    /// The values of the variables, if the text is this message.
    fn values<'a>(&self, text: &'a str) -> Option<Vec<&'a str>> {
        let (first, others) = self.texts.split_first()?;
        let mut rest = text.strip_prefix(first)?;
        let Some((last, between)) = others.split_last() else { return rest.is_empty().then(Vec::new) };
        let mut values = Vec::new();
        for middle in between {
            let (value, after) = rest.split_once(middle)?;
            values.push(value);
            rest = after;
        }
        values.push(rest.strip_suffix(last)?);
        let fits = |(name, value): (&&str, &&str)| {
            !value.is_empty()
                && (*name != LINE_NUMBER || value.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.'))
        };
        self.variables.iter().zip(&values).all(fits).then_some(values)
    }
}

/// A message from below in the language of the request; unchanged if it is not known, or in English.
pub fn said(text: &str) -> String {
    if locale() == Locale::English { text.to_owned() } else { translated(text, 0).unwrap_or_else(|| text.to_owned()) }
}

/// The same for a text whose lines and sentences are separate messages.
pub fn said_lines(text: &str) -> String {
    text.lines().map(said).collect::<Vec<_>>().join("\n")
}

fn translated(text: &str, depth: u32) -> Option<String> {
    if depth == MAX_DEPTH {
        return None;
    }
    PATTERNS.iter().find_map(|pattern| {
        let values = pattern.values(text)?;
        let values: Vec<(&'static str, Argument)> = pattern
            .variables
            .iter()
            .zip(values)
            .zip(pattern.texts.windows(2))
            .map(|((name, value), around)| {
                // Messages contain messages; quotations come back as they were typed.
                let is_quoted = around[0].ends_with('`') && around[1].starts_with('`');
                let inner = if is_quoted { None } else { translated(value, depth + 1) };
                let value = inner.unwrap_or_else(|| value.to_owned());
                (*name, Argument::Text(value))
            })
            .collect();
        Some(format(pattern.key, &values))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_read_and_found() {
        let read = pattern("said-x = the source has { $kib } KiB, and { $most } are taken").unwrap();
        assert_eq!((read.key, read.variables.as_slice()), ("said-x", &["kib", "most"][..]));
        assert_eq!(read.values("the source has 1025 KiB, and 1024 are taken"), Some(vec!["1025", "1024"]));
        assert_eq!(read.values("the source has 1025 KiB"), None);
        assert_eq!(read.values("the source has  KiB, and 1024 are taken"), None, "no value is empty");
        let line = pattern("said-x = line { $line_number }, `{ $text }`, is not a point").unwrap();
        assert_eq!(line.values("line 2, `zz`, is not a point"), Some(vec!["2", "zz"]));
        assert_eq!(line.values("line 2: move 1, `zz`, is not a point"), None, "that is another message");
        let plain = pattern("said-y = the source is empty").unwrap();
        assert_eq!(plain.values("the source is empty"), Some(vec![]));
        assert_eq!(plain.values("the source is empty, too"), None);
        assert!(pattern("# a comment").is_none() && pattern("other = text").is_none());
    }
}
