//! The floors of the house, and what is absent from each: checked here, not by reviewers.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use cargo_metadata::{DependencyKind, Metadata, MetadataCommand, Package};

mod circles;
mod libraries;
mod names;
mod prose;
mod steps;
mod words;

/// The floor of each crate. It imports only from floors below its own.
const FLOORS: [(&str, u32); 27] = [
    ("agon-features", 0),
    ("agon-jobs", 0),
    ("agon-message", 0),
    ("agon-game", 1),
    ("agon-jail", 1),
    ("agon-rules", 2),
    ("agon-search", 2),
    ("agon-engines", 3),
    ("agon-referee", 3),
    ("agon-catalog", 4),
    ("agon-proof", 4),
    ("agon-analysis", 5),
    ("agon-external", 5),
    ("agon-training", 5),
    ("agon-protocols", 5),
    ("agon-arena", 6),
    ("agon-files", 6),
    ("agon-fleet", 7),
    ("agon-site", 7),
    ("agon-boards", 7),
    ("agon-python", 7),
    ("agon-wasm", 7),
    ("agon-queue", 8),
    ("agon-web", 9),
    ("agon", 10),
    ("own-game", 11),
    ("agon-fuzz", 11),
];

/// Crates that only some of ours may use: most are external.
const RESERVED: [(&str, &[&str]); 9] = [
    ("agon-boards", &["agon-web", "agon"]),
    ("anyhow", &["agon"]),
    ("async-nats", &["agon-fleet"]),
    ("axum", &["agon-boards", "agon-web"]),
    ("clap", &["agon"]),
    ("hyper", &["agon-boards", "agon-web"]),
    ("libc", &["agon-jail"]),
    ("rusqlite", &["agon-arena", "agon-site"]),
    (
        "serde",
        &[
            "agon-features",
            "agon-message",
            "agon-referee",
            "agon-training",
            "agon-analysis",
            "agon-arena",
            "agon-boards",
            "agon-files",
            "agon-fleet",
            "agon-site",
            "agon-wasm",
            "agon-web",
            "agon",
        ],
    ),
];

fn house() -> Metadata {
    MetadataCommand::new().manifest_path(root().join("Cargo.toml")).no_deps().exec().expect("cargo metadata runs")
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The folder of a crate's code.
fn code_folder(package: &Package) -> PathBuf {
    let code = package.targets.iter().find(|target| target.is_lib() || target.is_cdylib() || target.is_bin());
    code.unwrap_or_else(|| panic!("{} has no code", package.name)).src_path.parent().unwrap().into()
}

fn floor(name: &str) -> u32 {
    let known = FLOORS.iter().find(|(known, _)| *known == name);
    known.unwrap_or_else(|| panic!("the crate `{name}` has no floor: add it to FLOORS in {}", file!())).1
}

/// The crates needed to run; tests and benchmarks may use any floor.
fn imports(package: &Package) -> impl Iterator<Item = &str> {
    package.dependencies.iter().filter(|import| import.kind != DependencyKind::Development).map(|i| i.name.as_str())
}

#[test]
fn crates_import_from_floors_below_their_own() {
    let house = house();
    let ours: Vec<&str> = house.packages.iter().map(|package| package.name.as_str()).collect();
    for package in &house.packages {
        let name = package.name.as_str();
        for import in imports(package).filter(|import| ours.contains(import)) {
            assert!(
                floor(import) < floor(name),
                "{name} (floor {}) must not import {import} (floor {})",
                floor(name),
                floor(import)
            );
        }
    }
}

#[test]
fn crates_of_others_stay_where_they_belong() {
    for package in &house().packages {
        for import in imports(package) {
            if let Some((_, homes)) = RESERVED.iter().find(|(reserved, _)| *reserved == import) {
                assert!(homes.contains(&package.name.as_str()), "{} must not import {import}", package.name);
            }
        }
    }
}

#[test]
fn every_crate_obeys_the_lints_of_the_house() {
    for package in &house().packages {
        let manifest = fs::read_to_string(&package.manifest_path).unwrap();
        assert!(manifest.contains("[lints]\nworkspace = true\n"), "{} has no [lints] of the workspace", package.name);
    }
}

#[test]
fn rules_are_pure() {
    for krate in ["game", "rules"] {
        check(
            &format!("crates/{krate}/src"),
            &[
                "println!",
                "print!",
                "eprintln!",
                "eprint!",
                "dbg!",
                "std::io",
                "std::fs",
                "std::net",
                "std::thread",
                "std::env",
                "Instant",
            ],
        );
    }
}

/// A browser has no system clock: reading it ends the program.
#[test]
fn searches_read_the_clock_that_a_browser_has() {
    for krate in ["search", "engines", "catalog", "proof", "analysis", "wasm"] {
        check(&format!("crates/{krate}/src"), &["std::time::Instant", "Duration, Instant}", "SystemTime"]);
    }
}

#[test]
fn the_verifier_trusts_no_engine() {
    check("crates/proof/src/verifier", &["agon_engines", "agon_search", "crate::"]);
}

#[test]
fn the_referee_names_no_game() {
    check("crates/referee/src", &["bacteria", "domineering", "renju", "petri"]);
}

/// Where threads of requests may start: rooms limit how many of each kind there are.
const ROOMS: &str = "crates/boards/src/limits/rooms.rs";

#[test]
fn jobs_of_requests_have_their_rooms() {
    let mut files = sources(&root().join("crates/boards/src"));
    files.extend(sources(&root().join("crates/web/src")));
    for file in files.iter().filter(|file| !file.to_string_lossy().contains("/src/tests/")) {
        if !file.to_string_lossy().contains(ROOMS) {
            check_file(file, &["spawn_blocking", "block_in_place"]);
        }
    }
    assert!(files.iter().any(|file| file.to_string_lossy().contains(ROOMS)), "{ROOMS} is gone");
}

/// Where the tests are that the page on security names.
const FOLDERS_OF_TESTS: [&str; 9] = [
    "crates/web/src",
    "crates/boards/src",
    "crates/queue/src",
    "crates/site/src",
    "crates/fleet/src",
    "crates/fleet/tests",
    "crates/arena/src",
    "crates/referee/src",
    "crates/cli/tests",
];

#[test]
fn the_tests_that_the_page_of_security_names_exist() {
    let page = fs::read_to_string(root().join("docs/security.md")).unwrap();
    let mut names: Vec<&str> = Vec::new();
    for (title, least) in [("## On a site", 30), ("## In a fleet", 20)] {
        let section = page.split(title).nth(1).expect("the section").split("\n## ").next().unwrap();
        let rows = section.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| who |"));
        let of_section =
            rows.flat_map(|row| row.rsplit('|').nth(1).unwrap().split(',').map(|name| name.trim().trim_matches('`')));
        let before = names.len();
        names.extend(of_section);
        assert!(names.len() - before > least, "{title}: {names:?}");
    }
    let mut code = String::new();
    for folder in FOLDERS_OF_TESTS {
        for file in sources(&root().join(folder)) {
            code += &fs::read_to_string(file).unwrap();
        }
    }
    for name in names {
        assert!(code.contains(&format!("fn {name}(")), "no test is named `{name}`");
    }
}

/// Where `unsafe` code may stand: the loops of networks in wide registers, system calls that have no safe wrapper, and
/// the functions that a browser calls, and helpers of its searches.
const UNSAFE: [&str; 5] = [
    "crates/search/src/nnue/simd/",
    "crates/search/src/pages.rs",
    "crates/jail/src/system.rs",
    "crates/wasm/src/border.rs",
    "crates/wasm/src/helpers.rs",
];

#[test]
fn unsafe_code_stays_where_it_belongs() {
    for package in &house().packages {
        for file in sources(&code_folder(package)) {
            if !UNSAFE.iter().any(|allowed| file.to_string_lossy().contains(allowed)) {
                check_file(&file, &["unsafe ", "allow(unsafe_code"]);
            }
        }
    }
}

/// No file below `folder` has one of these words in its code, whatever the case of the letters. Comments and tests may
/// have them.
#[track_caller]
fn check(folder: &str, words: &[&str]) {
    let files = sources(&root().join(folder));
    assert!(!files.is_empty(), "no sources below {folder}");
    for file in files {
        check_file(&file, words);
    }
}

#[track_caller]
fn check_file(file: &Path, words: &[&str]) {
    for (number, line) in code(&fs::read_to_string(file).unwrap()).lines().enumerate() {
        let line = line.to_lowercase();
        for word in words {
            assert!(!has_word(&line, &word.to_lowercase()), "{}:{}: `{word}`", file.display(), number + 1);
        }
    }
}

/// A text line by line without comments and unit tests, which are at the end of their file.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect()
}

/// The code of every source file of ours, by its path from the root.
fn codes() -> BTreeMap<String, String> {
    let mut codes = BTreeMap::new();
    for package in &house().packages {
        let folder = package.manifest_path.parent().unwrap();
        for file in sources(&code_folder(package)) {
            let path = file.strip_prefix(folder.parent().unwrap()).unwrap().display().to_string();
            codes.insert(path, code(&fs::read_to_string(&file).unwrap()));
        }
    }
    codes
}

fn has_word(line: &str, word: &str) -> bool {
    let of_name = |c: char| c.is_alphanumeric() || c == '_';
    line.match_indices(word).any(|(at, _)| {
        let (before, after) = (&line[..at], &line[at + word.len()..]);
        let goes_on = word.ends_with(of_name) && after.starts_with(of_name);
        !before.ends_with(of_name) && !goes_on
    })
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn words_are_found_whole() {
    let check = |line, word, found| assert_eq!(has_word(line, word), found, "`{word}` in `{line}`");
    check("use std::io::write;", "std::io", true);
    check("eprintln!(\"x\")", "println!", false);
    check("    println!(\"x\")", "println!", true);
    check("unsafe_code", "unsafe", false);
    check("} unsafe {", "unsafe", true);
    check("instantaneous()", "instant", false);
    check("time::instant::now()", "instant", true);
}
