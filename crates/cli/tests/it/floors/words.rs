//! The words of the house: what CONTRIBUTING.md asks of names and sentences, counted in every file that people read.

use std::fs;
use std::path::{Path, PathBuf};

use crate::floors::{has_word, root};

/// A word or phrase that has no place here, and what stands in its stead. Words of a phrase are the parts of names too:
/// `so many` is found in `so_many` and in `SoMany`.
const WORDS: [(&str, &str); 18] = [
    ("told", "a verb that says which: report, publish, show, map"),
    ("tell", "a verb that says which: report, publish, show, map"),
    ("tells", "a verb that says which: reports, publishes, shows, maps"),
    ("telling", "a verb that says which"),
    ("nobody", "no one is the subject of few things: name who or what"),
    ("somebody", "name who: a player, a host, a program"),
    ("so many", "the number, or `as many`"),
    ("of which", "two sentences"),
    ("the contest", "ALPHANO; on a site, the competition"),
    ("glimpse", "snapshot"),
    ("farewell", "shutdown grace"),
    ("patience", "timeout, or wait"),
    ("unasked", "pending output"),
    ("bury", "dead_letter"),
    ("buried", "dead_letter"),
    ("memory mb", "memory_mib"),
    ("is the matter of", "who does it"),
    ("are the matter of", "who does it"),
];

/// Parts that names of constants do not have: MAX_ and MIN_ come first, units last.
const PARTS_OF_CONSTANTS: [&str; 9] =
    ["MOST", "LEAST", "LARGEST", "LONGEST", "SHORTEST", "SMALLEST", "PATIENCE", "FAREWELL", "BEAT"];

/// Where a word may stand all the same: paths begin so, the word (all where it is empty), and why.
const EXCEPTIONS: [(&str, &str, &str); 5] = [
    ("crates/cli/tests/floors/words.rs", "", "the list itself"),
    ("docs/style.md", "", "the page that names them"),
    ("crates/referee/src/limits.rs", "memory mb", "the name in records"),
    ("crates/site/src", "memory mb", "a column of the store and a name in JSON"),
    ("crates/web/src", "memory mb", "a name in JSON and in forms"),
];

/// The longest line of code, in characters.
const MAX_LINE_CHARS: usize = 120;

#[test]
fn words_of_the_house() {
    let mut found = Vec::new();
    let files = texts(&root());
    assert!(files.len() > 500, "only {} files are read", files.len());
    for file in &files {
        let name = file.strip_prefix(root()).unwrap().display().to_string();
        let text = fs::read_to_string(file).unwrap();
        for (number, line) in text.lines().enumerate() {
            found.extend(faults(&name, line).into_iter().map(|fault| format!("{name}:{}: {fault}", number + 1)));
        }
    }
    assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
}

/// What is wrong with a line of a file.
fn faults(file: &str, line: &str) -> Vec<String> {
    let parts = parts(line);
    let excepted = |word: &str| {
        EXCEPTIONS.iter().any(|(at, which, _)| file.starts_with(at) && (which.is_empty() || *which == word))
    };
    let words = WORDS.iter().filter(|(word, _)| has_word(&parts, word) && !excepted(word));
    let mut faults: Vec<String> = words.map(|(word, instead)| format!("`{word}`: {instead}")).collect();
    if let Some(name) = constant(line) {
        let part = name.split('_').find(|part| PARTS_OF_CONSTANTS.contains(part));
        faults.extend(part.map(|part| format!("`{name}`: a constant says MAX_, MIN_ or its unit, not {part}")));
    }
    let code = [".rs", ".js", ".css"].iter().any(|ending| file.ends_with(ending));
    let length = line.chars().count();
    if code && length > MAX_LINE_CHARS {
        faults.push(format!("{length} characters, {MAX_LINE_CHARS} at most"));
    }
    faults
}

/// The name of the constant that a line declares.
fn constant(line: &str) -> Option<&str> {
    let (before, after) = ["const ", "static "].iter().find_map(|kind| line.split_once(kind))?;
    let name = after.split_once(':')?.0;
    let declares = before.trim().is_empty() || before.trim_start().starts_with("pub");
    (declares && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')).then_some(name)
}

/// The words of a line and of the names in it, in small letters, with a blank between each two.
fn parts(line: &str) -> String {
    let mut parts = String::with_capacity(line.len() + 16);
    let mut last = ' ';
    for c in line.chars() {
        let starts = c.is_ascii_uppercase() && !last.is_ascii_uppercase();
        if (starts || !c.is_ascii_alphanumeric()) && !parts.ends_with(' ') {
            parts.push(' ');
        }
        if c.is_ascii_alphanumeric() {
            parts.push(c.to_ascii_lowercase());
        }
        last = c;
    }
    parts
}

/// Every file of code and of prose below a folder, but for what builds and other people have made.
fn texts(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", "fixtures", ".git", "snapshots"].contains(&name.as_str()) {
                files.extend(texts(&path));
            }
        } else if ["rs", "md", "js", "css", "toml", "ftl"].iter().any(|ending| name.ends_with(&format!(".{ending}"))) {
            files.push(path);
        }
    }
    files
}

#[test]
fn faults_are_found() {
    let check = |file: &str, line: &str, wanted: &[&str]| {
        let found = faults(file, line);
        let starts =
            found.len() == wanted.len() && found.iter().zip(wanted).all(|(found, start)| found.starts_with(start));
        assert!(starts, "`{line}`: {found:?}");
    };
    check("a.rs", "/// What it is Told.", &["`told`"]);
    check("a.rs", "let is_told = soManyOf(x); // so\u{a0}many", &["`told`", "`so many`"]);
    check("a.rs", "fn untold(contest: &Contest) {}", &[]);
    check("a.md", "rules of the contest", &["`the contest`"]);
    check("docs/style.md", "not `told`", &[]);
    check("a.rs", "    pub(crate) const MOST_LINES: usize = 3;", &["`MOST_LINES`"]);
    check("a.rs", "pub static IDLE_PATIENCE: Duration = x;", &["`patience`", "`IDLE_PATIENCE`"]);
    check("a.rs", "const MAX_LINES: usize = 3;", &[]);
    check("a.rs", "take(MOST_LINES)", &[]);
    check("a.rs", &"x".repeat(121), &["121 characters"]);
    check("a.md", &"x".repeat(121), &[]);
}
