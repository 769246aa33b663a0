//! Records and stores written by an earlier release. `tests/fixtures/make` created them with its binary, and kept its
//! output for them.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::agon::run::{Ran, command, finish, folder};

const RECORDS: [&str; 7] = ["bacteria", "domineering", "failure", "opening", "petri", "renju", "signed"];
const STORES: [&str; 3] = ["match", "sprt", "tournament"];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/v0.1")
}

fn fixture(name: &str) -> String {
    fs::read_to_string(fixtures().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// A folder with a copy of a fixture, since opening may change it.
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

/// An answer of `replay` without the words of the reason among its parts, which are proved only in records of the same
/// version, and without the times that the earlier release lacked.
fn worded_elsewhere(mut answer: Value) -> Value {
    for parts in ["follows", "sealed"] {
        answer[parts].as_array_mut().unwrap().retain(|part| part != "reason" && part != "machine_us");
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

/// Whether an answer contains everything in another one; numbers to nine digits.
fn covers(now: &Value, before: &Value) -> bool {
    match (now, before) {
        (Value::Object(now), Value::Object(before)) => {
            before.iter().all(|(key, value)| now.get(key).is_some_and(|found| covers(found, value)))
        }
        (Value::Array(now), Value::Array(before)) => {
            now.len() == before.len() && now.iter().zip(before).all(|(now, before)| covers(now, before))
        }
        _ => match (now.as_f64(), before.as_f64()) {
            (Some(now), Some(before)) => (now - before).abs() <= 1e-9 * before.abs(),
            _ => now == before,
        },
    }
}

#[test]
fn stores_of_the_release_before_have_the_same_results_and_records() {
    for name in STORES {
        let store = format!("{name}.db");
        let folder = copy(&store);
        let results = agon(folder.path(), &["results", "--db", &store, "--format", "json"]);
        let (now, mut before) = (json(&results.out), json(&fixture(&format!("{name}.results.json"))));
        let games = agon(folder.path(), &["results", "--db", &store, "--format", "csv"]).out;
        let (mut rows, mut words) = (fixture(&format!("{name}.results.csv")), vec!["export", "--db", &store]);
        if name == "sprt" {
            // That release counted games played after the decision.
            let counted = &now["sprt"]["pairs"];
            assert_eq!(
                (&now["games"], &now["extra_games"], counted),
                (&json("12"), &json("5"), &json("[0, 0, 1, 0, 5]"))
            );
            assert_eq!((&now["pairs"], &before["games"]), (counted, &json("17")));
            before = serde_json::json!({ "sprt": before["sprt"], "kind": "sprt", "seed": 1 });
            rows = rows.split_inclusive('\n').take(1 + 12).collect();
            words.push("--extra");
        }
        if let Some(elo) = before.as_object_mut().and_then(|before| before.remove("elo")) {
            // Its interval was the normal one, which is too narrow.
            assert!(covers(&now["elo"][1], &elo[1]), "{name}: {now} {elo}");
        }
        if let Some(los) = before.as_object_mut().and_then(|before| before.remove("los")) {
            // So was its likelihood of superiority, which the interval of few pairs contradicted.
            let [now, before] = [&now["los"], &los].map(|los| los.as_f64().unwrap());
            assert!((now > 0.5) == (before > 0.5), "{name}: {now} {before}");
        }
        assert!(covers(&now, &before), "{name}: {now} {before}");
        assert_eq!(games, rows, "{name}");
        let export = agon(folder.path(), &words).out;
        let exported = fixture(&format!("{name}.export"));
        assert_eq!(export.lines().count(), exported.lines().count(), "{name}");
        for (now, before) in export.lines().zip(exported.lines()) {
            assert!(covers(&json(now), &json(before)), "{name}: {now}");
        }
    }
}

/// If a count changes, the search has changed: say so where the change is described.
#[test]
fn bench_of_bacteria_counts_the_nodes_of_the_release_before() {
    let ran = agon(folder().path(), &["lab", "bench", "bacteria", "--depth", "8", "--format", "json"]);
    let wanted = [10547, 9642, 7185, 9288, 9155, 7024, 10361, 17157, 5502, 2451, 1773, 2684];
    assert_eq!(json(&ran.out)["positions"], Value::from(wanted.to_vec()));
}
