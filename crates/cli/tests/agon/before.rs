//! Records and stores that a release before this one has written. `tests/fixtures/make` made them with its binary, and
//! kept what it printed for them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Ran, command, finish, folder};

const RECORDS: [&str; 7] = ["bacteria", "domineering", "failure", "opening", "petri", "renju", "signed"];
const STORES: [&str; 3] = ["match", "sprt", "tournament"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/v0.1")
}

fn fixture(name: &str) -> String {
    fs::read_to_string(fixtures().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A folder with a copy of a fixture: what is opened may be changed.
fn copy(name: &str) -> TempDir {
    let folder = folder();
    fs::copy(fixtures().join(name), folder.path().join(name)).unwrap();
    folder
}

#[track_caller]
fn agon(folder: &Path, words: &[&str]) -> Ran {
    let ran = finish(command(words).current_dir(folder));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}: {}", ran.out);
    ran
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// An answer of `replay` without the words of the reason among its parts: they are proved in records of one's own
/// version alone.
fn worded_elsewhere(mut answer: Value) -> Value {
    for parts in ["follows", "sealed"] {
        answer[parts].as_array_mut().unwrap().retain(|part| part != "reason");
    }
    answer
}

#[test]
fn records_of_the_release_before_verify_and_say_the_same() {
    for name in RECORDS {
        let file = format!("{name}.jsonl");
        let key = fixtures().join("signing.key.pub");
        let signer = ["--signed-by", key.to_str().unwrap()];
        let words = ["replay", &file, "--format", "json"];
        let signer = if name == "signed" { &signer[..] } else { &[] };
        let ran = agon(copy(&file).path(), &[&words[..], signer].concat());
        let (now, before) = (json(&ran.out), json(&fixture(&format!("{name}.replay.json"))));
        assert_eq!(worded_elsewhere(now), worded_elsewhere(before.clone()), "{name}");
        assert_eq!(before["proved"], true, "{name}");
    }
}

#[test]
fn stores_of_the_release_before_have_the_same_results_and_records() {
    for name in STORES {
        let store = format!("{name}.db");
        let folder = copy(&store);
        let results = agon(folder.path(), &["results", "--db", &store, "--format", "json"]);
        assert_eq!(json(&results.out), json(&fixture(&format!("{name}.results.json"))), "{name}");
        let games = agon(folder.path(), &["results", "--db", &store, "--format", "csv"]);
        assert_eq!(games.out, fixture(&format!("{name}.results.csv")), "{name}");
        let export = agon(folder.path(), &["export", "--db", &store]);
        assert_eq!(export.out, fixture(&format!("{name}.export")), "{name}");
    }
}

/// If a count changes, the search has changed: say so where the change is described.
#[test]
fn bench_of_bacteria_counts_the_nodes_of_the_release_before() {
    let ran = agon(folder().path(), &["lab", "bench", "bacteria", "--depth", "8", "--format", "json"]);
    let wanted = [10547, 9642, 7185, 9288, 9155, 7024, 10361, 17157, 5502, 2451, 1773, 2684];
    assert_eq!(json(&ran.out)["positions"], Value::from(wanted.to_vec()));
}
