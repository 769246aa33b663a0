//! The texts of pages: the same in every language, and nothing outside the catalogues.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use agon_analysis::game_log::GameResult;
use agon_arena::bot_check::FindingMessage;
use agon_arena::bot_check::remedy::Remedy;
use agon_arena::bot_check::texts::{Detail, Place, Problem, Rival, StepDetail, StepName, UnreadLines};
use agon_arena::transcript::limits;
use agon_boards::analysis::{CurveText, Lead};
use agon_boards::text::{localized, stated, within};
use agon_catalog::Game;
use agon_game::{Interaction, Position as _, Side};
use agon_jail::{MemoryUser, MemoryUsers};
use agon_message::{Argument, Listing, Locale, Message as _, Stated};
use agon_referee::cause;
use agon_referee::fault_kind::{CompileFailure, FaultKind};
use agon_referee::fault_reason::FaultReason;
use agon_referee::limits::GameLimits;
use agon_referee::process::{Moment, ProcessSnapshot, ProgramState};
use agon_referee::protocol::quote;
use agon_referee::sight::Sight;
use agon_referee::verdict::{AgentVerdict, Fault, Headline, Verdict};
use agon_rules::bacteria::BacteriaEnding;
use agon_rules::domineering::DomineeringEnding;
use agon_rules::renju::Renju;
use agon_site::check_message::CheckMessage;
use agon_site::store::EventDetail;
use axum::body::Body;
use axum::http::StatusCode;
use futures_util::StreamExt as _;

use super::pages::failed_record;
use super::{TestSite, Who, lost, request};

/// Pages whose texts are not in the catalogues yet. A file that is gone from this list does not come back.
/// The page of the programs' interface is its document, which is English and says so.
const UNCONVERTED: &[&str] = &["web/pages/interface.rs"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The catalogues.
fn locales() -> PathBuf {
    root().join("boards/locales")
}

/// The files below a folder, with this ending.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|known| known == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A message of a catalogue.
#[derive(Debug)]
struct Text {
    text: String,
    variables: BTreeSet<String>,
}

/// The messages of pages in a language, by key.
fn catalogue(locale: Locale) -> BTreeMap<String, Text> {
    read(&locales().join(locale.code()))
}

/// The messages of crates in Korean, by key; their English is in the code.
fn korean_messages() -> BTreeMap<String, Text> {
    read(&locales().join("messages/ko"))
}

/// The messages in the files of a folder.
fn read(folder: &Path) -> BTreeMap<String, Text> {
    let mut all: BTreeMap<String, Text> = BTreeMap::new();
    for file in files(folder, "ftl") {
        let text = fs::read_to_string(&file).unwrap();
        let mut key = None;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let text = match line.split_once(" =") {
                Some((start, text)) if !line.starts_with(' ') => {
                    let twice = all.insert(start.to_owned(), Text { text: String::new(), variables: BTreeSet::new() });
                    assert!(twice.is_none(), "{start} stands twice in {}", folder.display());
                    key = Some(start.to_owned());
                    text
                }
                _ => line,
            };
            let Some(message) = key.as_ref().and_then(|key| all.get_mut(key)) else { continue };
            message.text += text;
            message.text.push('\n');
            let names = text
                .split('$')
                .skip(1)
                .map(|rest| rest.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect::<String>());
            message.variables.extend(names);
        }
    }
    all
}

#[test]
fn every_language_has_every_message() {
    let [english, korean] = Locale::ALL.map(catalogue);
    let keys = |all: &BTreeMap<String, Text>| all.keys().cloned().collect::<BTreeSet<_>>();
    let missing: Vec<_> = keys(&english).symmetric_difference(&keys(&korean)).cloned().collect();
    assert_eq!(missing, [] as [&str; 0], "keys of one language alone");
    for (key, message) in &english {
        assert_eq!(message.variables, korean[key].variables, "the variables of {key}");
    }
    let folders = Locale::ALL.map(|locale| {
        let all = files(&locales().join(locale.code()), "ftl");
        all.iter().map(|file| file.file_name().unwrap().to_owned()).collect::<Vec<_>>()
    });
    assert_eq!(folders[0], folders[1], "the files of the languages");
}

#[test]
fn korean_has_its_own_grammar() {
    // After a value stands a particle of the function, or a word: never one form, nor both.
    let particles = ["은", "는", "이", "가", "을", "를", "과", "와", "로", "으로"];
    for (key, message) in catalogue(Locale::Korean).into_iter().chain(korean_messages()) {
        for (at, _) in message.text.match_indices('}') {
            let rest = message.text[at + 1..].trim_start_matches(['\'', '"', '’', '”', ')', '」']);
            let word: String = rest.chars().take_while(|c| ('가'..='힣').contains(c)).collect();
            assert!(!particles.contains(&word.as_str()), "{key}: use JOSA for `{word}`");
        }
        for both in ["을(를)", "이(가)", "은(는)", "와(과)", "(으)로", "를(을)", "가(이)", "는(은)"] {
            assert!(!message.text.contains(both), "{key}: {both}");
        }
        // Korean has one form for all numbers; the rules never choose another.
        assert!(!message.text.contains("[one]"), "{key}");
        assert!(message.text.contains(|c: char| ('가'..='힣').contains(&c)) || message.text.contains('{'), "{key}");
    }
}

#[test]
fn korean_keeps_to_its_glossary() {
    let glossary = fs::read_to_string(locales().join("GLOSSARY.md")).unwrap();
    let rows: Vec<Vec<&str>> = glossary.lines().map(|row| row.split('|').map(str::trim).collect()).collect();
    let rows: Vec<_> = rows.iter().filter(|row| row.len() == 5 && !row[1].starts_with('-')).skip(1).collect();
    assert!(rows.len() > 30, "{} rows", rows.len());
    // What is avoided only in some places, or is the word for something else, no test can find.
    let elsewhere = |word: &str| rows.iter().any(|row| row[2].split(", ").any(|wanted| wanted == word));
    let avoided = rows.iter().filter(|row| !row[3].contains('(')).flat_map(|row| row[3].split(", "));
    let avoided: Vec<&str> = avoided.filter(|word| !word.is_empty() && !elsewhere(word)).collect();
    let mut found = Vec::new();
    for (key, message) in catalogue(Locale::Korean).into_iter().chain(korean_messages()) {
        for word in &avoided {
            // At the beginning of a word: `보다` after a verb is none.
            let begins = |at: usize| !message.text[..at].ends_with(|c: char| ('가'..='힣').contains(&c));
            if message.text.match_indices(word).any(|(at, _)| begins(at)) {
                found.push(format!("{key}: {word}"));
            }
        }
    }
    assert_eq!(found, [] as [&str; 0], "words that the glossary avoids");
}

/// The calls of a macro in a code: the key, and the names of the values.
fn calls(code: &str) -> Vec<(String, BTreeSet<String>)> {
    let mut all = Vec::new();
    for start in ["t!(", "rich!("] {
        for (at, _) in code.match_indices(start) {
            let before = code[..at].chars().next_back();
            let inner = code[at + start.len()..].trim_start();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_') || !inner.starts_with('"') {
                continue;
            }
            let key = inner[1..].split('"').next().unwrap().to_owned();
            // Up to the end of the call; `name = value` at its first level are the values.
            let (mut depth, mut names, mut word, mut text) = (1, BTreeSet::new(), String::new(), false);
            let inner: Vec<char> = inner[key.len() + 2..].chars().collect();
            for (at, &c) in inner.iter().enumerate() {
                match c {
                    '"' => text = !text,
                    _ if text => {}
                    '(' | '[' | '{' => depth += 1,
                    ')' | ']' | '}' => depth -= 1,
                    '=' if depth == 1 && inner.get(at + 1) != Some(&'=') && inner[at - 1] == ' ' => {
                        names.insert(word.trim().to_owned());
                    }
                    ',' if depth == 1 => word.clear(),
                    c => word.push(c),
                }
                if depth == 0 {
                    break;
                }
            }
            all.push((key, names));
        }
    }
    all
}

/// The sources of the crates with pages, by path, without their tests.
fn sources() -> BTreeMap<String, String> {
    let all = ["boards/src", "queue/src", "web/src"].into_iter().flat_map(|folder| files(&root().join(folder), "rs"));
    let all = all.filter_map(|file| {
        let path = file.strip_prefix(root()).unwrap().to_str().unwrap().replacen("/src/", "/", 1);
        let code = fs::read_to_string(&file).unwrap();
        let code = code.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n");
        (!path.starts_with("web/tests/") && !path.starts_with("boards/text/macros")).then_some((path, code))
    });
    all.collect()
}

#[test]
fn pages_say_what_the_catalogues_have() {
    let english = catalogue(Locale::English);
    let mut used = BTreeSet::new();
    for (path, code) in sources() {
        for (key, names) in calls(&code) {
            let message = english.get(&key).unwrap_or_else(|| panic!("{path}: no message {key}"));
            assert_eq!(names, message.variables, "{path}: the values of {key}");
            used.insert(key);
        }
    }
    // Those of scripts are found by their texts.
    let by_text = |key: &str| key.starts_with("script-");
    let unused: Vec<_> = english.keys().filter(|key| !used.contains(*key) && !by_text(key)).collect();
    assert_eq!(unused, [] as [&str; 0], "messages that no page says");
}

/// The end of a template in a script, its text without its values, and these: `a ${b} c`.
fn template(code: &str) -> (usize, String, Vec<String>) {
    let (mut text, mut values, mut depth) = (String::new(), Vec::<String>::new(), 0);
    for (at, c) in code.char_indices() {
        match c {
            '`' if depth == 0 => return (at, text, values),
            '{' if depth == 0 && code[..at].ends_with('$') => {
                depth = 1;
                values.push(String::new());
            }
            _ if depth == 0 => text.push(c),
            c => {
                depth += i32::from(c == '{') - i32::from(c == '}');
                values.last_mut().unwrap().push(c);
            }
        }
    }
    (code.len(), text, values)
}

/// The texts in a script, and whether `t` says them.
fn script_texts(script: &str) -> Vec<(bool, String)> {
    let code: Vec<&str> = script.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let code = code.join("\n");
    let (mut found, mut rest) = (Vec::new(), code.as_str());
    while let Some(start) = rest.find(['\'', '"', '`']) {
        let (before, quote, inner) = (&rest[..start], &rest[start..=start], &rest[start + 1..]);
        let end = if quote == "`" {
            let (end, text, values) = template(inner);
            found.push((false, text));
            found.extend(values.iter().flat_map(|value| script_texts(value)));
            end
        } else {
            let end = inner.find(quote).unwrap_or(inner.len());
            let call = before.trim_end().strip_suffix("t(");
            let said = call.is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '.'));
            found.push((said, inner[..end].to_owned()));
            end
        };
        rest = inner.get(end + 1..).unwrap_or_default();
    }
    found
}

/// What is in a script for browsers: classes, selectors, attributes.
const SCRIPT_NAMES: &[&str] = &[
    "input, select, textarea",
    "input, textarea",
    "button, a, summary",
    "primary start",
    "plain head",
    "faint opening",
    "quiet fold",
    "quiet note",
];

#[test]
fn scripts_say_what_the_catalogue_has() {
    let texts = fs::read_to_string(locales().join("en/scripts.ftl")).unwrap();
    let messages = texts.lines().filter_map(|line| line.strip_prefix("script-")?.split_once(" = "));
    let known: BTreeSet<String> = messages.map(|(_, text)| text.replace("{ $", "{").replace(" }", "}")).collect();
    let (mut said, mut outside) = (BTreeSet::new(), Vec::new());
    for file in files(&root().join("boards/src/assets"), "js") {
        let name = file.file_name().unwrap().to_str().unwrap().to_owned();
        for (by_catalogue, text) in script_texts(&fs::read_to_string(&file).unwrap()) {
            let is_word = |word: &&str| word.len() > 1 && word.chars().all(|c| c.is_ascii_lowercase());
            if by_catalogue {
                assert!(known.contains(&text), "{name}: no message for `{text}`");
                said.insert(text);
            } else if text.split_whitespace().filter(is_word).count() > 1 && !SCRIPT_NAMES.contains(&text.as_str()) {
                outside.push(format!("{name}: {text}"));
            }
        }
    }
    assert_eq!(outside, [] as [&str; 0], "texts outside of the catalogue");
    assert_eq!(known.difference(&said).collect::<Vec<_>>(), [] as [&str; 0], "messages that no script says");
}

#[test]
fn calls_are_read() {
    let code = r#"(t!("one")) { t!("two", count = a.b(c == d), name = f("x, y = z")) } rich!(
        "three",
        link = html! { a href="/" { (t!("four")) } },
    ) format!("five", a = b)"#;
    let all = calls(code);
    let shown: Vec<String> = all
        .iter()
        .map(|(key, names)| format!("{key} {}", names.iter().cloned().collect::<Vec<_>>().join(" ")))
        .collect();
    assert_eq!(shown, ["one ", "two count name", "four ", "three link"]);
}

/// The texts in a code that people would read: literals with two words, or with a capital letter first.
fn texts(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in code.lines() {
        let line = line.trim_start();
        if line.starts_with("//")
            || line.contains("tracing::")
            || line.contains("expect(")
            || line.contains("reason = ")
        {
            continue;
        }
        let mut rest = line;
        while let Some(start) = rest.find('"') {
            let before = &rest[..start];
            let inner = &rest[start + 1..];
            // A quote within a text is written with a backslash.
            let Some(end) = inner.char_indices().find(|&(at, c)| c == '"' && !inner[..at].ends_with('\\')) else {
                break;
            };
            let text = &inner[..end.0];
            rest = &inner[end.0 + 1..];
            let keyed = before.ends_with("t!(") || before.ends_with("rich!(") || before.ends_with("stringify!(");
            let attribute = before.ends_with('=')
                && !["placeholder=", "title=", "aria-label=", "alt="].iter().any(|name| before.ends_with(name));
            let letters = |word: &str| word.len() > 1 && word.chars().all(|c| c.is_ascii_alphabetic());
            let words = text.split([' ', '.', ',', ':', '?']).filter(|word| letters(word)).count();
            let capital = text.trim_start().starts_with(|c: char| c.is_ascii_uppercase());
            let code = text.starts_with('/') || text.contains("://") || text.contains("; ") || text.contains('=');
            if !keyed && !attribute && !code && (words > 1 || (words == 1 && capital)) {
                found.push(text.to_owned());
            }
        }
    }
    found
}

/// Names and technical words that are the same in every language.
const SAME: &[&str] = &[
    "Agon",
    "Agon ",
    "KiB",
    "MiB",
    " MiB",
    "GiB",
    "Elo",
    "README.md",
    "sample.py",
    ".tar.gz",
    // Keys, and actions of the dish.
    "Home End",
    "Ctrl Z, Ctrl Y",
    "Delete",
    "MOVE d",
    "DIVIDE d",
    "EAT d",
    "ATTACK d s",
];

/// Whether a text is none for people, or is the same in every language.
fn is_known(text: &str) -> bool {
    let capitals = text.chars().all(|c| !c.is_ascii_lowercase());
    let file = ["js", "css", "svg", "csv", "webmanifest"].iter().any(|kind| text.ends_with(&format!(".{kind}")));
    let table = text.ends_with("\\r\\n");
    SAME.contains(&text) || capitals || file || table || text.starts_with("agon ")
}

#[test]
fn no_page_has_texts_of_its_own() {
    let mut outside = BTreeMap::new();
    let boards = ["pages.rs", "dish.rs", "tabs.rs"].map(|name| format!("boards/board/{name}"));
    let shown = |path: &str| {
        path.starts_with("web/pages/") || boards.iter().any(|known| known == path) || path.ends_with("/layout.rs")
    };
    for (path, code) in sources().iter().filter(|(path, _)| shown(path)) {
        let left: Vec<String> = texts(&without_messages(code)).into_iter().filter(|text| !is_known(text)).collect();
        if UNCONVERTED.contains(&path.as_str()) {
            assert!(!left.is_empty(), "{path} has no texts of its own any more: take it from the list");
        } else if !left.is_empty() {
            outside.insert(path.clone(), left);
        }
    }
    assert!(outside.is_empty(), "texts outside of the catalogues: {outside:#?}");
}

/// Code without its messages: these have their Korean by their keys.
fn without_messages(code: &str) -> String {
    let mut parts = code.split("\nmessages! {\n");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |code, part| code + part.split_once("\n}\n").unwrap().1)
}

/// What a page shows, without tags, code and what is in another language on purpose.
fn shown(page: &str) -> String {
    let mut text = page.to_owned();
    for (start, end) in
        ["script", "code", "kbd", "pre", "textarea"].map(|name| (format!("<{name}"), format!("</{name}>")))
    {
        while let Some(at) = text.find(&start) {
            let length = text[at..].find(&end).map_or(text.len() - at, |length| length + end.len());
            text.replace_range(at..at + length, " ");
        }
    }
    // What stands in another language says so.
    while let Some(at) = text.find(" lang=\"en\"") {
        let begin = text[..at].rfind('<').unwrap();
        let name: String = text[begin + 1..].chars().take_while(char::is_ascii_alphanumeric).collect();
        let end = format!("</{name}>");
        let length = text[begin..].find(&end).map_or(text.len() - begin, |length| length + end.len());
        text.replace_range(begin..begin + length, " ");
    }
    let mut plain = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find('<') {
        plain += &rest[..at];
        let tag = &rest[at..rest[at..].find('>').map_or(rest.len(), |end| at + end + 1)];
        for name in ["title=\"", "placeholder=\"", "aria-label=\"", "alt=\""] {
            if let Some((_, value)) = tag.split_once(name) {
                plain.push(' ');
                plain += value.split('"').next().unwrap();
            }
        }
        plain.push(' ');
        rest = &rest[at + tag.len()..];
    }
    plain + rest
}

/// Latin words that Korean pages have, too: names, units, and what programs read and write.
const LATIN: &[&str] = &[
    "Agon",
    "Elo",
    "renju",
    "bacteria",
    "domineering",
    "petri",
    "ladder",
    "host",
    // The name of a file.
    "othello",
    "py",
    // Languages.
    "JavaScript",
    "PyPy",
    "Python",
    "Rust",
    "Java",
    "Ruby",
    "Clojure",
    // Keys.
    "Tab",
    "Enter",
    "Space",
    "End",
    "Home",
    "Page",
    "Up",
    "Down",
    "read",
    "submit",
    "team",
    "ms",
    "KiB",
    "MiB",
    "GiB",
    "OX",
    "hp",
    "energy",
    "flush",
    "stderr",
    "swiss",
    "robin",
    "round",
    "only",
    "disk",
    "quota",
    "free",
    "contest",
    "published",
    // The standard of the interface.
    "OpenAPI",
];

/// The English that is left in a page. Words in capitals are those of the protocol, of verdicts and of languages;
/// built-in players keep their names.
fn english(page: &str) -> Vec<String> {
    let text = shown(page);
    let words = text.split(|c: char| !c.is_ascii_alphabetic() && c != '\'').filter(|word| word.len() > 1);
    let capitals = |word: &str| word.chars().all(|c| c.is_ascii_uppercase());
    let players: Vec<&str> = Game::all().into_iter().flat_map(Game::builtin_names).collect();
    let names: BTreeSet<&str> =
        players.iter().flat_map(|name| name.split(|c: char| !c.is_ascii_alphabetic())).collect();
    // The places of a position in the notation of bacteria.
    let places = |word: &str| word.chars().all(|c| c == 'x' || c == 'o');
    let words = words.filter(|word| !LATIN.contains(word) && !names.contains(word));
    words.filter(|word| !capitals(word) && !places(word)).map(str::to_owned).collect()
}

impl TestSite {
    pub(crate) async fn in_korean(&self, path: &str, who: &Who) -> String {
        let request = request("GET", path, who).header("accept-language", "ko-KR,ko;q=0.9,en;q=0.5");
        let answer = self.answer(request.body(Body::empty()).unwrap()).await;
        let vary =
            answer.headers.get_all("vary").iter().filter(|list| list.to_str().unwrap().contains("accept-language"));
        assert_eq!(vary.count(), 1, "{path}");
        assert!(answer.text.contains("<html lang=\"ko\">"), "{path}");
        answer.text
    }
}

#[test]
fn english_is_found() {
    assert_eq!(
        english("<p title=\"Some title\">한국어 <code>code</code> words <b lang=\"en\">not me</b></p>"),
        ["Some", "title", "words"]
    );
}

#[tokio::test]
async fn korean_pages_have_no_english_left() {
    let site = TestSite::new();
    let (id, host) = site.member("김철수", true);
    let reason = FaultReason::CompileErrors { language: "PYTHON3".to_owned(), errors: "bot.py:1: error".to_owned() };
    let kind = Some(FaultKind::Compile(CompileFailure::Errors));
    let compile = AgentVerdict::from(Some(Fault { kind, ..Fault::new(Verdict::Ce, reason) }));
    let found = Err(compile.lines().into_iter().collect::<CheckMessage>());
    let version = site.settled(id, "첫째", "# the source", found).1;
    site.program(id, "둘째");
    site.post("/host/announcements", &host, &[("text", "안녕하세요")]).await;
    site.post("/host/messages", &host, &[("text", "안녕하세요")]).await;
    let opened = site.post("/board/invite", &host, &[("game", "renju")]).await;
    let shared = opened.header("location").split('#').next().unwrap().to_owned();
    let paths = [
        "/signin".to_owned(),
        "/signup".to_owned(),
        "/submit".to_owned(),
        "/queue".to_owned(),
        "/api".to_owned(),
        "/rules".to_owned(),
        "/ladder/renju".to_owned(),
        "/ladder/petri".to_owned(),
        "/games?competition=bacteria".to_owned(),
        format!("/program/{}", site.builtin("random")),
        "/host/games".to_owned(),
        "/board/invite".to_owned(),
        "/board".to_owned(),
        "/board/renju".to_owned(),
        "/board/bacteria".to_owned(),
        "/board/domineering".to_owned(),
        "/board/analysis".to_owned(),
        "/board/puzzles".to_owned(),
        "/board/petri".to_owned(),
        shared,
        "/host/competitions/3/people".to_owned(),
        "/rules/renju".to_owned(),
        "/rules/bacteria".to_owned(),
        "/rules/domineering".to_owned(),
        "/rules/petri".to_owned(),
        "/nowhere".to_owned(),
        "/ladder/renju?from=-1".to_owned(),
        "/finals".to_owned(),
        "/me".to_owned(),
        "/me/messages".to_owned(),
        "/teams".to_owned(),
        "/host".to_owned(),
        "/host/today".to_owned(),
        "/host/messages".to_owned(),
        "/host/competitions".to_owned(),
        "/host/competitions/3".to_owned(),
        "/host/competitions/3/rules".to_owned(),
        "/host/competitions/3/settings".to_owned(),
        "/host/competitions/3/final".to_owned(),
        "/host/competitions/new?game=domineering".to_owned(),
        "/host/similarity".to_owned(),
        "/host/unlikely".to_owned(),
        "/host/events".to_owned(),
        format!("/host/accounts/{id}"),
        format!("/version/{version}"),
    ];
    let mut left = BTreeMap::new();
    for path in paths {
        let found = english(&site.in_korean(&path, &host).await);
        if !found.is_empty() {
            left.insert(path, found);
        }
    }
    assert!(left.is_empty(), "English on Korean pages: {left:#?}");
}

#[tokio::test]
async fn what_is_wrong_is_said_in_korean() {
    let site = TestSite::new();
    let (_, ada) = site.member("ada", false);
    site.post("/language", &ada, &[("language", "ko")]).await;
    let page = site.submit(&ada, &[("contest", "renju"), ("name", "bot"), ("language", "PYTHON3")], None).await.text;
    assert!(page.contains("소스 코드가 비어 있습니다"), "{page}");
    let page = site.post("/me/password", &ada, &[("password", "no password"), ("new", "short")]).await.text;
    assert!(page.contains("비밀번호가 8자보다 짧습니다"), "{page}");
    // What programs read stays English.
    let json =
        site.json("/api/v1/submissions", &ada, r#"{"game":"renju","name":"x","source":"","language":"C20"}"#).await;
    assert!(json.text.contains("source is empty"), "{}", json.text);
}

/// The messages of the crates that pages show, with the names of their arguments.
fn listed() -> Listing {
    let mut all = Listing::new();
    for list in [
        agon_protocols::formats::FileError::list,
        agon_protocols::formats::FileRemark::list,
        agon_arena::bot_check::FindingMessage::list,
        agon_arena::bot_check::remedy::Remedy::list,
        agon_arena::bot_check::texts::CheckNote::list,
        agon_arena::bot_check::texts::Detail::list,
        agon_arena::bot_check::texts::Place::list,
        agon_arena::bot_check::texts::Places::list,
        agon_arena::bot_check::texts::Problem::list,
        agon_arena::bot_check::texts::StepDetail::list,
        agon_game::MoveError::list,
        agon_referee::cause::Cause::list,
        agon_referee::cause::MemoryProcesses::list,
        agon_referee::crash::CrashHeading::list,
        agon_referee::fault_reason::FaultReason::list,
        agon_referee::agent::PackError::list,
        agon_referee::fault_reason::LastWords::list,
        agon_rules::bacteria::BacteriaNotation::list,
        agon_rules::bacteria::MustPass::list,
        agon_rules::domineering::DomineeringNotation::list,
        agon_rules::domineering::DomineeringRefusal::list,
        agon_rules::petri::Refusal::list,
        agon_rules::petri::SpeciesError::list,
        agon_rules::renju::RenjuNotation::list,
        agon_rules::renju::RenjuRefusal::list,
        agon_analysis::game_log::GameFact::list,
        agon_analysis::lines::Worth::list,
        agon_analysis::puzzles::PuzzleTask::list,
        agon_game::GaugeName::list,
        agon_game::SeatName::list,
        agon_site::store::EventDetail::list,
        agon_site::totp::CodeProof::list,
        agon_boards::analysis::CurveText::list,
        agon_arena::transcript::AnswerText::list,
        agon_arena::transcript::LimitsFact::list,
        agon_arena::transcript::FailureTitle::list,
        agon_arena::transcript::PartTitle::list,
        agon_arena::transcript::Rested::list,
        agon_rules::renju::opening_rules::OpeningRefusal::list,
        agon_rules::renju::opening_rules::StepText::list,
        agon_referee::adjudication::AdjudicationReason::list,
        agon_referee::fault_kind::FaultName::list,
        agon_referee::report::BoutReason::list,
        agon_rules::bacteria::BacteriaEnding::list,
        agon_rules::bacteria::FenError::list,
        agon_rules::domineering::DomineeringEnding::list,
        agon_rules::domineering::DomineeringTextError::list,
        agon_rules::petri::DishEnding::list,
        agon_rules::renju::ForbiddenStep::list,
        agon_rules::renju::Opening::list,
        agon_rules::renju::RenjuEnding::list,
        agon_rules::renju::RenjuTextError::list,
        agon_site::access::AccessError::list,
        agon_site::archives::ArchiveError::list,
        agon_site::accounts::AccountError::list,
        agon_site::accounts::PasswordError::list,
        agon_site::accounts::RosterError::list,
        agon_site::accounts::TokenError::list,
        agon_site::clock::TimeDistance::list,
        agon_site::competition::CompetitionError::list,
        agon_site::finals::FinalError::list,
        agon_site::messages::SendError::list,
        agon_site::names::NameError::list,
        agon_site::programs::ProgramError::list,
        agon_site::queue::RoughTime::list,
        agon_site::store::CheckState::list,
        agon_site::store::EventKind::list,
        agon_site::store::Forfeit::list,
        agon_site::store::SubmissionError::list,
        agon_site::store::TeamError::list,
        agon_site::store::TokenScope::list,
        agon_site::submission::DraftError::list,
        agon_site::totp::TotpError::list,
        agon_boards::analysis::Unanswered::list,
        agon_analysis::board::QuestionProblem::list,
        agon_analysis::dish::DishError::list,
        agon_analysis::game_log::GameResult::list,
        agon_files::ReadProblem::list,
        agon_files::WriteProblem::list,
        agon_boards::board::FileSizeProblem::list,
        agon_queue::checks::CheckProgress::list,
        crate::error::RequestError::list,
        crate::pages::competition_form::FormError::list,
        agon_queue::play::Abandoned::list,
        crate::rate::LimitedAction::list,
        crate::shared::ActError::list,
        agon_queue::storage::Shortage::list,
        crate::submissions::EntryError::list,
    ] {
        list(&mut all);
    }
    all
}

/// The keys that texts found by names must have: kinds of problems, and the texts of games.
fn named() -> BTreeSet<String> {
    let mut all: BTreeSet<String> = crate::problem::ALL.iter().map(|kind| format!("problem-{}", kind.slug)).collect();
    all.extend(["opening", "position"].map(|name| format!("parameter-{name}")));
    let document = serde_json::to_value(crate::api::openapi()).unwrap();
    all.extend(
        document["tags"].as_array().unwrap().iter().map(|tag| format!("api-tag-{}", tag["name"].as_str().unwrap())),
    );
    for operation in document["paths"].as_object().unwrap().values().flat_map(|path| path.as_object().unwrap().values())
    {
        all.extend(operation["operationId"].as_str().map(|id| format!("api-route-{id}")));
    }
    for game in Game::all() {
        let mut add = |part: &str| all.insert(format!("game-{}-{part}", game.name()));
        for part in ["title", "short-title", "summary", "curve"] {
            add(part);
        }
        if !game.curve.note.is_empty() {
            add("curve-note");
        }
        for number in 1..=game.rules.len() {
            add(&format!("rule-{number}"));
        }
        for picture in game.illustrations.pictures {
            add(&format!("picture-{}", picture.name));
        }
        if !game.illustrations.example_caption.is_empty() {
            add("worked-example");
        }
        for parameter in game.parameters.iter().filter(|known| !["opening", "position"].contains(&known.name)) {
            add(parameter.name);
        }
        for player in game.builtins.iter().filter(|_| !game.has_turns()) {
            add(&format!("player-{}", player.name));
        }
    }
    all
}

#[test]
fn every_message_of_the_crates_has_its_korean() {
    let (listed, named, korean) = (listed(), named(), korean_messages());
    let wanted = listed.keys().map(|key| (*key).to_owned()).chain(named.iter().cloned());
    let missing: Vec<_> = wanted.filter(|key| !korean.contains_key(key)).collect();
    assert_eq!(missing, [] as [&str; 0], "messages without Korean");
    for (key, message) in &korean {
        let whole = key.trim_end_matches("-values").trim_end_matches("-default");
        let opening = whole.starts_with("game-") && whole.ends_with("-opening");
        if named.contains(whole) || opening {
            assert!(message.variables.is_empty(), "{key} has no values");
            continue;
        }
        let arguments = listed.get(key.as_str()).unwrap_or_else(|| panic!("no message {key}"));
        let unknown: Vec<_> = message.variables.iter().filter(|name| !arguments.contains(&name.as_str())).collect();
        assert_eq!(unknown, [] as [&String; 0], "values that {key} has not");
    }
}

#[test]
fn every_enum_of_messages_is_listed() {
    let listed = listed();
    for file in files(&root(), "rs") {
        let code = fs::read_to_string(&file).unwrap();
        if file.starts_with(root().join("message")) {
            continue;
        }
        for block in code.split("\nmessages! {\n").skip(1) {
            let block = block.split("\n}\n").next().unwrap();
            for line in block.lines().filter(|line| line.ends_with(" {")) {
                let Some((_, name)) = line.split_once("enum ") else { continue };
                let kebab = name.trim_end_matches(" {").chars().fold(String::new(), |kebab, c| {
                    let hyphen = if c.is_ascii_uppercase() && !kebab.is_empty() { "-" } else { "" };
                    format!("{kebab}{hyphen}{}", c.to_ascii_lowercase())
                });
                let prefix = format!("{kebab}-");
                assert!(listed.keys().any(|key| key.starts_with(&prefix)), "{}: {name}", file.display());
            }
        }
    }
}

/// A message whose English must not be read.
#[derive(Debug)]
struct Silent {
    key: &'static str,
    arguments: &'static [&'static str],
}

impl fmt::Display for Silent {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        panic!("the English of {} is read", self.key)
    }
}

impl agon_message::Message for Silent {
    fn key(&self) -> &'static str {
        self.key
    }

    fn arguments(&self) -> Vec<(&'static str, Argument<'_>)> {
        self.arguments.iter().map(|name| (*name, Argument::Text("값".into()))).collect()
    }

    fn list(_: &mut Listing) {}
}

#[test]
fn korean_does_not_depend_on_the_english() {
    for (key, arguments) in listed() {
        let korean = within(Locale::Korean, || localized(&Silent { key, arguments }));
        assert!(korean.contains(|c: char| ('가'..='힣').contains(&c)), "{key}: {korean}");
    }
}

/// What the site says of a message in Korean.
fn in_korean(message: &dyn agon_message::Message) -> String {
    within(Locale::Korean, || localized(message))
}

/// What a record or a store has kept of it is said alike.
fn kept_in_korean(message: &dyn agon_message::Message) -> String {
    let kept = serde_json::to_string(&Stated::from(message)).unwrap();
    within(Locale::Korean, || stated(&serde_json::from_str(&kept).unwrap()))
}

#[test]
fn why_a_program_fails_is_said_in_korean() {
    let ms = std::time::Duration::from_millis;
    let spent = Moment { wall: ms(2501), cpu: ms(185), delay: ms(2310), ..Moment::default() };
    let snapshot = Some(ProcessSnapshot { state: ProgramState::Runs, unread: Some(0) });
    let silence = cause::of_silence(&spent, snapshot, b"", cause::Buffered::Unknown, &Sight::default());
    let user = MemoryUser { name: "python3".to_owned(), processes: 1, pid: 6532, bytes: 1005 << 20 };
    let users = MemoryUsers { processes: 1, largest: vec![user] };
    let memory = cause::of_memory(1 << 30, Some(1 << 30), Some(&users));
    let say = |lines: Vec<Stated>| within(Locale::Korean, || lines.iter().map(stated).collect::<Vec<_>>().join("\n"));
    let busy = "2501 ms 중 185 ms 동안 계산했고, 컴퓨터가 바빠 프로세서를 2310 ms 기다림: 프로그램이 너무 많이 실행 \
                중이거나 무한 반복인지 확인하세요";
    assert_eq!(say(silence), busy);
    let used = "1024 MiB 사용, 제한은 1024 MiB. 마지막으로 확인했을 때: `python3`(프로세스 6532) 1005 MiB";
    assert_eq!(say(memory), used);
    let error = Renju::default().read_move("H8").unwrap_err();
    let reason = Stated::from(&FaultReason::Illegal { answer: quote(b"MOVE H8"), error });
    let problem = Problem::Fault(Headline::Fault { verdict: Verdict::Re, reason });
    let refused =
        "`MOVE H8` 응답이 규칙에 맞지 않습니다: 필요한 형식: 정수 두 개 x y(행과 열) 또는 PASS를 뜻하는 -1 -1";
    assert_eq!([in_korean(&problem), kept_in_korean(&problem)], [refused; 2]);
    let step = StepName::Situation { name: "third-turn".into() };
    assert_eq!(in_korean(&Place::Ply { step, ply: 3 }), "드문 상황(세 번째 차례), 3번째 수");
    for situation in Game::all().into_iter().flat_map(|game| game.situations) {
        let korean = in_korean(&StepName::Situation { name: situation.name.into() });
        assert!(!korean.contains(situation.name), "{korean}");
    }
    let empty = FaultReason::NoMove { answer: quote(b"") };
    assert_eq!(in_korean(&empty), "빈 줄 응답은 `MOVE …` 형식이 아닙니다");
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_refused_in_korean_with_its_line() {
    let site = TestSite::new();
    let read = async |text: &str| {
        let body = serde_json::json!({ "text": text, "game": "renju", "all": true }).to_string();
        let asked = request("POST", "/board/read", &Who::Guest)
            .header("content-type", "application/json")
            .header("accept-language", "ko");
        let answer = site.send(asked.body(body.into()).unwrap()).await;
        let bytes = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        String::from_utf8(bytes.to_vec()).unwrap()
    };
    for (text, expected) in [
        ("(;GM[4]SZ[15]\n;B[zz])", "1번째 경기: 1번째 수 `zz`: 판의 점이 아닙니다"),
        ("(;GM[1]SZ[15]KM[6.5];B[hh])", "1번째 줄: GM[1]: 렌주가 아닙니다"),
        ("(;GM[4]SZ[15];B[hh];W[hi](;B[ii])(;B[hh]))", "여기부터 1수"),
        ("Piskvorky 20x20, 1:1, 0\n1,1,0\n", "`20x20"),
    ] {
        let answer = read(text).await;
        assert!(answer.contains(expected), "`{expected}` is not in: {answer}");
        assert!(!answer.contains("is no") && !answer.contains("from here on"), "{answer}");
    }
}

#[test]
fn what_a_trial_finds_is_said_in_korean() {
    let plays = StepName::Plays { side: Side::First.into(), rival: Rival::Script };
    let unread = StepDetail::Unread { lines: UnreadLines::Both };
    let messages: [(&dyn agon_message::Message, &str); 5] = [
        (&plays, "선공(상대: 정해진 수순)"),
        (&StepDetail::TookOf { took: 420, allowed: 3000 }, "3000 ms 중 420 ms"),
        (&StepName::RareSituations { count: 5 }, "드문 상황 5가지"),
        (&unread, "OPENING 줄, POSITION 줄을 읽지 않음"),
        (&Detail::LastLines, "마지막 통신 내용(> 프로그램으로, < 프로그램에서)"),
    ];
    for (message, korean) in messages {
        assert_eq!([in_korean(message), kept_in_korean(message)], [korean; 2]);
    }
    let drawn = serde_json::json!({
        "names": ["your program", "greedy"],
        "result": "X your program wins: O has vanished",
        "result_message": Stated::from(&GameResult::Won {
            seat: "X".into(),
            name: "your program".to_owned(),
            reason: Stated::from(&BacteriaEnding::FirstVanished),
        })
        .keyed,
        "failures": [{ "title": "X your program failed: TLE", "parts": [{ "title": "answer" }] }],
    });
    let spoken =
        within(Locale::Korean, || agon_boards::viewer::spoken(crate::pages::trial::with_own_name(drawn.clone())));
    assert_eq!(spoken["names"], serde_json::json!(["내 프로그램", "greedy"]));
    assert!(!spoken.to_string().contains("your program"), "{spoken}");
    assert_eq!(spoken["result"], "X 내 프로그램 승: O가 모두 사라짐");
    assert_eq!(within(Locale::English, || crate::pages::trial::with_own_name(drawn.clone()))["names"], drawn["names"]);
    let found = FindingMessage::Found {
        place: Stated::from(&plays),
        problem: Stated::from(&Headline::Fault {
            verdict: Verdict::Ce,
            reason: Stated::from(&FaultReason::NotCompiled { language: "RUST".to_owned() }),
        }),
        remedy: Remedy::Crashed,
    };
    let korean = "선공(상대: 정해진 수순): RUST 컴파일에 실패했습니다. 프로그램이 비정상 종료했습니다. 원인은 오류 출력에 있습니다.";
    assert_eq!(within(Locale::Korean, || stated(&Stated::from(&found))), korean);
}

#[tokio::test]
async fn a_page_comes_in_the_language_of_whoever_asks() {
    let site = TestSite::new();
    let page = site.get("/nowhere", &Who::Guest).await.text;
    assert!(page.contains("<html lang=\"en\">") && page.contains("Sign in"), "{page}");
    let page = site.in_korean("/nowhere", &Who::Guest).await;
    assert!(page.contains("로그인"), "{page}");
    // The details of the API's document are English, and it says so elsewhere.
    assert!(site.in_korean("/api", &Who::Guest).await.contains("자세한 설명은 영어로만 제공됩니다."));
    assert!(!site.get("/api", &Who::Guest).await.text.contains("This document is in English."));
    // A page that is kept is kept for each language.
    for _ in 0..2 {
        assert!(site.in_korean("/", &Who::Guest).await.contains("로그인"));
        assert!(site.get("/", &Who::Guest).await.text.contains("Sign in"));
    }
}

#[tokio::test]
async fn a_language_is_chosen_by_browser_and_account() {
    let site = TestSite::new();
    let chosen = site.post("/language", &Who::Guest, &[("language", "ko")]).await;
    assert_eq!(chosen.status, StatusCode::SEE_OTHER);
    assert!(chosen.cookie() == "agon_language=ko", "{}", chosen.cookie());
    let browser = Who::Cookie(chosen.cookie());
    assert!(site.get("/rules", &browser).await.text.contains("<html lang=\"ko\">"));
    assert_eq!(site.post("/language", &Who::Guest, &[("language", "tlh")]).await.status, StatusCode::BAD_REQUEST);
    // What an account has chosen counts in all its browsers.
    let (_, ada) = site.member("ada", false);
    assert!(site.get("/me", &ada).await.text.contains("<html lang=\"en\">"));
    site.post("/language", &ada, &[("language", "ko")]).await;
    assert!(site.get("/me", &ada).await.text.contains("<html lang=\"ko\">"));
    // The pages of errors are made for the account, too.
    assert!(site.get("/nowhere", &ada).await.text.contains("<html lang=\"ko\">"));
    let json = site.get("/api/v1/me", &ada).await.text;
    assert!(json.contains("\"language\":\"ko\""), "{json}");
    // In a browser that had chosen another one the page's scripts ask for the language of the page.
    let Who::Cookie(session) = &ada else { panic!("{ada:?}") };
    let older = Who::Cookie(format!("{session}; agon_language=en"));
    let page = site.get("/board/renju", &older).await;
    assert!(page.text.contains("<html lang=\"ko\">") && page.cookie() == "agon_language=ko", "{}", page.text);
    let newer = Who::Cookie(format!("{session}; agon_language=ko"));
    assert_eq!(site.get("/board/renju", &newer).await.header("set-cookie"), "");
}

#[tokio::test]
async fn games_and_checks_speak_korean() {
    let limits = limits(&GameLimits { clock_ms: 3000, ..GameLimits::default() }, Interaction::Session);
    let won = GameResult::Won {
        seat: "White".into(),
        name: "bot v1".to_owned(),
        reason: Stated::from(&DomineeringEnding::Full),
    };
    let lead = |seat: &str, by: &str| Lead::By { seat: seat.into(), by: by.to_owned() };
    let messages: [(&dyn agon_message::Message, &str); 9] = [
        (&limits, "경기당 각 3초, 1024 MiB"),
        (&won, "백 bot v1 승: 양쪽 모두 도미노를 놓을 곳이 없음"),
        (&EventDetail::List { count: 6 }, "계정 6개의 목록"),
        // What a curve says of its points.
        (&CurveText::Wins { seat: "Black".into(), plies: 5 }, "흑 5수 후 승"),
        (&CurveText::Proved { lead: lead("H", "1.5") }, "H 1.5 차로 우세(증명됨)"),
        (&CurveText::Estimated { lead: Lead::Even }, "호각(추정)"),
        (&CurveText::Ahead(lead("White", "0.25")), "백 0.25 차로 우세"),
        (&CurveText::Cells { first: "12".to_owned(), second: "9".to_owned() }, "칸 수 12 대 9"),
        (&CurveText::Draw, "무승부"),
    ];
    for (message, korean) in messages {
        assert_eq!([in_korean(message), kept_in_korean(message)], [korean; 2]);
    }
    let site = TestSite::new();
    let korean = |path: &str| request("GET", path, &Who::Guest).header("accept-language", "ko").body(Body::empty());
    let front = site.answer(korean("/").unwrap()).await.text;
    assert!(front.contains(">세균 전쟁</a></h3>") && !front.contains("Bacteria War"), "{front}");
    let (ada, _) = site.member("ada", false);
    let game = site.rated([site.program(ada, "bot").0, site.builtin("random")], &lost(Verdict::Re, failed_record()));
    let page = site.answer(korean(&format!("/game/{game}")).unwrap()).await.text;
    for part in ["경기당 각", "\"흑\",\"백\"", "승: ", "실패: 실행 오류"] {
        assert!(page.contains(part), "`{part}` is not in: {page}");
    }
    for left in ["a game for each side", " wins: ", " failed: "] {
        assert!(!page.contains(left), "`{left}` is in: {page}");
    }
}

#[tokio::test]
async fn boards_answer_in_korean() {
    let site = TestSite::new();
    let ask = async |path: &str, body: &str| {
        let request = request("POST", path, &Who::Guest).header("accept-language", "ko");
        let request = request.header("content-type", "application/json").body(Body::from(body.to_owned()));
        site.answer(request.unwrap()).await.text
    };
    let moves = r#"["H8", "H9", "J8", "O1", "I9", "O15", "I10", "A15"]"#;
    let position = ask("/api/v1/position", &format!(r#"{{"game":"renju","moves":{moves}}}"#)).await;
    for part in ["\"흑\",\"백\"", "I8 (8,9): 금수(삼삼(", "세로"] {
        assert!(position.contains(part), "`{part}` is not in: {position}");
    }
    let over = r#"{"game":"domineering","position":"12/31 ../.. H 0 2.5 0","moves":["pass","pass"]}"#;
    let over = ask("/api/v1/position", over).await;
    assert!(over.contains("\"reason\":\"양쪽이 연달아 패스\""), "{over}");
    let refused = ask("/api/v1/position", r#"{"game":"renju","moves":["H9"]}"#).await;
    assert!(refused.contains("\"detail\":\"1번째 수 H9: "), "{refused}");
    let get = request("GET", "/api/v1/puzzles/renju?number=1", &Who::Guest).header("accept-language", "ko");
    let puzzle = site.answer(get.body(Body::empty()).unwrap()).await.text;
    assert!(puzzle.contains("\"text\":\"백 차례: 지지 않는 유일한 수를 찾으세요\""), "{puzzle}");
    // A dish and what is wrong with one.
    let dish = async |more: &str| {
        let form = format!("first=rule&second=sample&rule=BEGIN+4+8+0%0AREST&width=6&height=4&turns=9&{more}");
        let request = request("POST", "/board/petri", &Who::Guest).header("accept-language", "ko");
        let request = request.header("content-type", "application/x-www-form-urlencoded").body(Body::from(form));
        site.answer(request.unwrap()).await.text
    };
    let page = dish("seed=1").await;
    assert!(page.contains("\"names\":[\"내 규칙\",\"sample\"]") && page.contains("판, {words}"), "{page}");
    assert_eq!(english(&page), [] as [&str; 0]);
    assert!(dish("seed=x").await.contains("시드 <code>x</code>"));
}

#[tokio::test]
async fn a_game_by_link_ends_in_the_language_of_whoever_looks() {
    let site = TestSite::new();
    let opened = site.post("/board/invite", &Who::Guest, &[("game", "renju"), ("side", "first")]).await;
    let (path, keys) = opened.header("location").split_once("#first=").unwrap();
    let key = keys.split('&').next().unwrap();
    site.json(&format!("{path}/resign"), &Who::Guest, &format!(r#"{{"key":"{key}"}}"#)).await;
    for (language, reason) in [("ko", "흑 기권"), ("en", "Black resigns")] {
        let events = request("GET", &format!("{path}/events"), &Who::Guest).header("accept-language", language);
        let stream = site.send(events.body(Body::empty()).unwrap()).await;
        let first = stream.into_body().into_data_stream().next().await.unwrap().unwrap();
        let text = String::from_utf8(first.to_vec()).unwrap();
        assert!(text.contains(&format!("\"reason\":\"{reason}\"")), "{text}");
    }
    // What its script says is on the page.
    let page = site.in_korean(path, &Who::Guest).await;
    assert!(page.contains("id=\"words\"") && page.contains("서버가 응답하지 않습니다."), "{page}");
    assert!(!site.get(path, &Who::Guest).await.text.contains("id=\"words\""));
}
