//! No code decides by the words of our own messages: faults, endings and refusals are types, and sentences are for
//! people.

use std::collections::BTreeSet;

use regex::Regex;

use crate::floors::codes;

/// Names of texts for people.
const TEXTS: &str = "cause|detail|error|explanation|failure|fault|finding|headline|message|problem|reason|remark|\
                     remedy|why";

/// Functions that take a text apart.
const LOOKS: &str = "contains|ends_with|find|matches|replace|rsplit_once|split|split_once|starts_with|strip_prefix|\
                     strip_suffix|trim_start_matches|trim_end_matches";

/// Where such a text is examined: a part of the line, and why that does not depend on our words.
const LOOKING: [(&str, &str, &str); 7] = [
    ("cli/src/failed.rs", "remark.strip_prefix(&count)", "the first column of a folded line has its own colour"),
    ("fleet/src/connect.rs", "cause.contains(\"certificate\")", "async-nats has no kind for a refused certificate"),
    ("python/src/player.rs", "error.to_string().replace", "one line for an exception of Python"),
    ("referee/src/agent/source.rs", "message.contains(debug::PATTERN)", "the compiler's words"),
    ("referee/src/agent/source.rs", "message.contains(words)", "the compiler's words"),
    ("referee/src/agent/source.rs", "message.replace(", "the compiler's words, without the name of our folder"),
    ("web/src/refusals.rs", "why.starts_with(\"Failed to deserialize\")", "axum's words"),
];

#[test]
fn no_message_is_parsed() {
    let looks = format!(r"\b({TEXTS})\b(\.\w+\(\)|\(\)|\?)*\.({LOOKS})\(");
    let looks = Regex::new(&looks).unwrap();
    let mut unused: BTreeSet<(&str, &str)> = LOOKING.iter().map(|(path, part, _)| (*path, *part)).collect();
    let mut others = Vec::new();
    for (path, code) in codes() {
        if path.contains("/tests/") || path.ends_with("/tests.rs") {
            continue;
        }
        for line in code.lines().filter(|line| looks.is_match(line)) {
            match LOOKING.iter().find(|(place, part, _)| path == *place && line.contains(part)) {
                Some((place, part, _)) => _ = unused.remove(&(*place, *part)),
                None => others.push(format!("{path}: {}", line.trim())),
            }
        }
    }
    assert_eq!((others, unused), (Vec::<String>::new(), BTreeSet::new()));
}

/// Where others' text is searched for at least two words, and whose text it is.
const FOREIGN: [(&str, &str); 6] = [
    ("cli/src/next.rs", "the head of an SQLite file"),
    ("referee/src/advice.rs", "Java's words"),
    ("referee/src/cause.rs", "error streams of programs"),
    ("referee/src/crash.rs", "error streams of programs"),
    ("referee/src/sight.rs", "error streams of programs"),
    ("web/src/refusals.rs", "axum's words"),
];

/// A message of ours may have any name: every search for two words is in the list, and concerns others' text.
#[test]
fn no_sentence_of_ours_is_looked_for() {
    let looks = LOOKS.replace("replace|", "");
    let looks = format!(r#"(\.({looks})\(|== )"[^"]*[A-Za-z] [^"]*[A-Za-z][^"]*""#);
    let looks = Regex::new(&looks).unwrap();
    let mut unused: BTreeSet<&str> = FOREIGN.iter().map(|(place, _)| *place).collect();
    let mut others = Vec::new();
    for (path, code) in codes() {
        if path.contains("/tests/") || path.ends_with("/tests.rs") {
            continue;
        }
        for line in code.lines().filter(|line| looks.is_match(line)) {
            match FOREIGN.iter().find(|(place, _)| path.starts_with(place)) {
                Some((place, _)) => _ = unused.remove(place),
                None => others.push(format!("{path}: {}", line.trim())),
            }
        }
    }
    assert_eq!((others, unused), (Vec::<String>::new(), BTreeSet::new()));
}
