//! A site that is killed at random moments loses nothing that it has accepted, and counts no game twice.

use std::path::Path;
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, params};
use serde_json::json;
use sha2::{Digest, Sha256};

use crate::served::Served;
use crate::{agents, folder};

/// How often it is killed; a hundred times where `AGON_SLOW` is set.
fn kills() -> u64 {
    if std::env::var_os("AGON_SLOW").is_some() { 100 } else { 4 }
}

/// An account with a token, made beside the site.
pub fn token(folder: &Path, name: &str) -> String {
    let word = format!("token of {name}");
    let store = Connection::open(folder.join("site/site.db")).unwrap();
    store.busy_timeout(Duration::from_secs(10)).unwrap();
    store.execute("INSERT INTO account (name, password, host, created) VALUES (?1, 'none', 0, 1)", [name]).unwrap();
    let account = store.last_insert_rowid();
    let digest = Sha256::digest(&word);
    let sql = "INSERT INTO token (account, name, digest, created) VALUES (?1, 'test', ?2, 1)";
    store.execute(sql, params![account, &digest[..]]).unwrap();
    word
}

#[test]
fn nothing_accepted_is_lost_and_no_game_counts_twice() {
    let folder = folder();
    let mut site = Served::start(folder.path());
    let token = token(folder.path(), "ada");
    let source = agents("domineering/sample.py");
    let mut accepted = Vec::new();
    for round in 0..kills() {
        let draft = json!({ "game": "domineering", "name": format!("bot {}", round % 3), "language": "PYTHON3", "source": format!("{source}# {round}\n") });
        let headers = [("authorization", &*format!("Bearer {token}")), ("content-type", "application/json")];
        let (status, answer) = site.post("/api/v1/submissions", &draft.to_string(), &headers);
        if status == 201 {
            let told: serde_json::Value = serde_json::from_str(&answer).unwrap();
            accepted.push(told["version"].as_i64().unwrap());
        }
        // Moments between the start of a check and the middle of a game, the same in every run.
        thread::sleep(Duration::from_millis(round * 37 % 50 * 40));
        site.kill();
        site = Served::start(folder.path());
    }
    assert!(!accepted.is_empty());
    for version in &accepted {
        let state = || site.json(&format!("/api/v1/versions/{version}"), &token)["state"].clone();
        let mut last = state();
        for _ in 0..1200 {
            if last == "passed" {
                break;
            }
            thread::sleep(Duration::from_millis(100));
            last = state();
        }
        assert_eq!(last, "passed", "version {version}");
    }
    // Something must have been counted.
    let rated = || {
        let ladder = site.json("/api/v1/ladder/domineering", &token);
        ladder["programs"].as_array().unwrap().iter().map(|program| program["games"].as_u64().unwrap()).sum::<u64>()
    };
    while rated() < 4 {
        thread::sleep(Duration::from_millis(600));
    }
    drop(site);
    let store = Connection::open(folder.path().join("site/site.db")).unwrap();
    let number = |sql: &str| -> i64 { store.query_row(sql, [], |row| row.get(0)).unwrap() };
    assert_eq!(number("SELECT count(*) FROM version"), accepted.len() as i64, "what was refused is not there");
    let wrong = "SELECT count(*) FROM program WHERE games <> (SELECT count(*) FROM bout WHERE first_rating IS NOT NULL \
                 AND (first = program.id OR second = program.id))";
    assert_eq!(number(wrong), 0, "every game counts once");
    let met =
        "SELECT (SELECT sum(games) FROM meeting) - 2 * (SELECT count(*) FROM bout WHERE first_rating IS NOT NULL)";
    assert_eq!(number(met), 0);
    let lacking =
        "SELECT count(*) FROM bout LEFT JOIN record ON bout = bout.id WHERE ended IS NOT NULL AND text IS NULL";
    assert_eq!(number(lacking), 0, "every game has its record");
    let text: String = store.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(text, "ok");
}
