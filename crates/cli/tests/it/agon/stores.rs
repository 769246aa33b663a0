//! Stores that are damaged, may not be written, or are in use.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Stdio};

use rusqlite::{Connection, params};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tempfile::TempDir;

use crate::agon::run::{BINARY, Ran, agon, folder, text};

const GAMES: &str = "12";

/// A small series, as first played and as continued.
const SERIES: [&str; 11] =
    ["match", "greedy", "random", "--game", "domineering", "-n", GAMES, "--set", "rows=3", "--set", "columns=3"];

/// Everything that reads a run.
const READERS: [&[&str]; 8] = [
    &["results"],
    &["results", "--format", "json"],
    &["results", "--format", "csv"],
    &["results", "--format", "html"],
    &["results", "--theory"],
    &["results", "--list"],
    &["export"],
    &["export", "--format", "pgn"],
];

/// Values that no column of a store may contain, or rarely.
const VALUES: [&str; 11] = [
    "NULL",
    "-1",
    "2",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "'x'",
    "'\u{1b}[31m'",
    "1e308",
    "9e999",
    "x'28b52ffd00ff'",
];

/// A store with one finished series.
fn finished(folder: &TempDir) -> PathBuf {
    let db = folder.path().join("games.db");
    let ran = agon(&[&SERIES[..], &["--db", text(&db)]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    db
}

fn change(db: &Path, sql: &str) {
    let sql = format!("PRAGMA foreign_keys = OFF; {sql}");
    Connection::open(db).unwrap().execute_batch(&sql).unwrap_or_else(|error| panic!("{sql}: {error}"));
}

/// A run of a reader; whatever the store contains, it reports it in lines.
#[track_caller]
fn read(words: &[&str], db: &Path, case: &str) -> Ran {
    let ran = agon(&[words, &["--db", text(db)]].concat());
    let said = ran.err.lines().all(|line| ["warning: ", "error: "].iter().any(|start| line.starts_with(start)));
    assert!(
        said && (ran.code == 0) == ran.err.is_empty() && ran.code <= 2,
        "{case} {words:?}: {} {}",
        ran.code,
        ran.err
    );
    ran
}

/// The numbers of the games that an export holds.
fn slots(export: &str) -> Vec<u64> {
    export.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["slot"].as_u64().unwrap()).collect()
}

#[test]
fn whatever_a_column_holds_the_other_games_are_read() {
    let folder = folder();
    let whole = finished(&folder);
    let tables = [
        ("run", "id INTEGER PRIMARY KEY, digest UNIQUE, plan, agon, begun"),
        (
            "bout",
            "id INTEGER PRIMARY KEY, run, slot, first, second, seed, winner, reason, first_verdict, second_verdict, \
             first_score, second_score, plies, first_ms, second_ms, first_delay_ms, second_delay_ms, first_disturbed, \
             second_disturbed, started, course, worker, termination, faults, reason_keyed",
        ),
        ("record", "bout INTEGER PRIMARY KEY, text"),
    ];
    for (table, definition) in tables {
        for column in definition.split(", ").map(|column| column.split(' ').next().unwrap()) {
            if column == "id" || (table, column) == ("record", "bout") {
                continue;
            }
            let case = format!("{table}.{column}");
            let db = folder.path().join("damaged.db");
            fs::copy(&whole, &db).unwrap();
            // Without its types the table holds anything.
            change(
                &db,
                &format!(
                    "CREATE TABLE loose ({definition}); INSERT INTO loose SELECT * FROM {table}; DROP TABLE {table};
                     ALTER TABLE loose RENAME TO {table};"
                ),
            );
            if table == "run" {
                for (at, value) in VALUES.iter().enumerate() {
                    change(
                        &db,
                        &format!(
                            "INSERT INTO run SELECT {at} + 2, digest || {at}, plan, agon, begun FROM run WHERE id = 1;
                        UPDATE run SET {column} = {value} WHERE id = {at} + 2"
                        ),
                    );
                }
                assert!(read(&["results", "--list"], &db, &case).out.contains("12 of 12 games"), "{case}");
                for run in 0..VALUES.len() + 3 {
                    read(&["results", &run.to_string()], &db, &case);
                    read(&["export", &run.to_string()], &db, &case);
                }
                assert_eq!(slots(&read(&["export", "1"], &db, &case).out).len(), 12, "{case}");
                continue;
            }
            let key = if table == "bout" { "id" } else { "bout" };
            for (at, value) in VALUES.iter().enumerate() {
                change(&db, &format!("UPDATE {table} SET {column} = {value} WHERE {key} = {at} + 1"));
            }
            for words in READERS {
                read(words, &db, &case);
            }
            let page = folder.path().join("report.html");
            read(&["report", "--out", text(&page)], &db, &case);
            let left = slots(&read(&["export"], &db, &case).out);
            assert!(left.contains(&11), "{case}: {left:?}");
            // It continues, or says why it cannot.
            let ran = agon(&[&SERIES[..], &["--db", text(&db)]].concat());
            let said = ran.code == 0 || ran.err.starts_with("error: ") && ran.err.lines().count() == 1;
            assert!(said && ran.code <= 2 && !ran.err.contains("panicked"), "{case}: {} {}", ran.code, ran.err);
        }
    }
}

#[test]
fn a_bad_record_is_named_and_the_others_are_read() {
    let folder = folder();
    let db = finished(&folder);
    let connection = Connection::open(&db).unwrap();
    let pack = |text: &str| zstd::bulk::compress(text.as_bytes(), 1).unwrap();
    let mut long = String::from("{\"record\":1}\n");
    long += &"x".repeat(65 << 20);
    for (slot, record) in [(1, pack(&long)), (4, b"no record".to_vec()), (5, pack("{}\n")), (8, pack("\u{1b}[31m"))] {
        let sql = "UPDATE record SET text = ?1 WHERE bout = (SELECT id FROM bout WHERE slot = ?2)";
        connection.execute(sql, params![record, slot]).unwrap();
    }
    connection.execute("DELETE FROM record WHERE bout = (SELECT id FROM bout WHERE slot = 9)", []).unwrap();
    drop(connection);
    let problems = [
        (1, "the record has 65 MiB, and only 64 MiB are read"),
        (4, "the record does not unpack"),
        (5, "line 1 is not a header"),
        (8, "line 1 is not a header"),
        (9, "its record is missing"),
    ];
    let page = folder.path().join("report.html");
    for words in
        [&["export"][..], &["export", "--format", "pgn"], &["results", "--theory"], &["report", "--out", text(&page)]]
    {
        let ran = read(words, &db, "records");
        assert_eq!((ran.code, ran.err.lines().count()), (1, problems.len()), "{words:?}: {}", ran.err);
        for (slot, problem) in problems {
            let named =
                ran.err.lines().any(|line| line.contains(&format!("game {slot} of run 1")) && line.contains(problem));
            assert!(named, "{words:?} {slot}: {}", ran.err);
        }
    }
    assert_eq!(slots(&read(&["export"], &db, "records").out), [0, 2, 3, 6, 7, 10, 11]);
    assert_eq!(fs::read_to_string(&page).unwrap().matches(" data-game=").count(), 7);
    // The tables need no record.
    assert_eq!(read(&["results"], &db, "records").code, 0);
    assert_eq!(read(&["export", "--slot", "2"], &db, "records").code, 0);
    let ran = read(&["export", "--slot", "4"], &db, "records");
    assert!(ran.code == 2 && ran.err.contains("game 4 of run 1 is damaged"), "{}", ran.err);
}

#[test]
fn a_finished_store_is_read_where_nothing_may_be_written() {
    let folder = folder();
    let whole = finished(&folder);
    // The superuser may write anywhere, so another user reads it.
    let root = rustix::process::getuid().is_root();
    let reader = |words: &[&str]| {
        let mut command = if root { Command::new("setpriv") } else { Command::new(BINARY) };
        if root {
            command.args(["--reuid=65534", "--regid=65534", "--clear-groups", BINARY]);
        }
        command.args(words).env("HOME", "/nonexistent").env("NO_COLOR", "1").output()
    };
    if !reader(&["--version"]).is_ok_and(|ran| ran.status.success()) {
        eprintln!("no other user can start the binary: not tested");
        return;
    }
    let closed = tempfile::tempdir().unwrap();
    let db = closed.path().join("games 100%?#.db");
    fs::copy(&whole, &db).unwrap();
    let mode = |path: &Path, mode: u32| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    mode(&db, 0o444);
    mode(closed.path(), 0o555);
    for words in [&["results"][..], &["results", "--list"], &["export"]] {
        let ran = reader(&[words, &["--db", text(&db)]].concat()).unwrap();
        let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
        assert!(ran.status.success() && !out.is_empty(), "{words:?}: {err}");
    }
    // It cannot be written there; and an unclosed store is not mistaken for a closed one.
    let ran = reader(&[&SERIES[..], &["--db", text(&db)]].concat()).unwrap();
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.code() == Some(2) && err.contains("cannot use the store") && err.lines().count() == 1, "{err}");
    mode(closed.path(), 0o755);
    let journal = closed.path().join("games 100%?#.db-wal");
    fs::write(&journal, "left").unwrap();
    mode(&journal, 0o444);
    mode(closed.path(), 0o555);
    let ran = reader(&["results", "--db", text(&db)]).unwrap();
    let err = String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.code() == Some(2) && err.contains("copy it with its `-wal` file"), "{err}");
    mode(closed.path(), 0o755);
}

/// A series that meets a store locked by another program, from the word that it waits.
fn waiting(db: &Path) -> (Connection, Child, BufReader<ChildStderr>) {
    let other = Connection::open(db).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut command = Command::new(BINARY);
    command.args(SERIES).args(["--seed", "2", "--db", text(db)]).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut series = command.spawn().unwrap();
    let (mut err, mut line) = (BufReader::new(series.stderr.take().unwrap()), String::new());
    err.read_line(&mut line).unwrap();
    assert_eq!(line, format!("waiting for `{}`: another program has locked it\n", db.display()));
    (other, series, err)
}

#[test]
fn a_series_waits_for_another_program() {
    let folder = folder();
    let db = finished(&folder);
    let (other, mut series, mut err) = waiting(&db);
    other.execute_batch("COMMIT").unwrap();
    let mut rest = String::new();
    err.read_to_string(&mut rest).unwrap();
    assert_eq!((series.wait().unwrap().code(), rest.as_str()), (Some(0), ""));
    assert_eq!(slots(&read(&["export", "2"], &db, "waited").out).len(), 12);
}

#[test]
fn a_series_that_waits_can_be_stopped() {
    let folder = folder();
    let db = finished(&folder);
    let (_other, mut series, _err) = waiting(&db);
    kill_process(Pid::from_child(&series), Signal::INT).unwrap();
    assert_eq!(series.wait().unwrap().code(), Some(130));
}

/// Games beyond the length asked for are kept, and said not to count.
#[test]
fn a_series_resumed_with_fewer_games_says_what_does_not_count() {
    let folder = folder();
    // The folder of the store is created.
    let db = folder.path().join("new/place/games.db");
    let words = ["tournament", "greedy", "random", "champion:1", "--game", "domineering", "--size", "4"];
    let play = |games: &str, noted: &str| {
        let ran = agon(&[&words[..], &["-n", games, "--db", text(&db)]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, noted), "{}", ran.out);
        ran.out
    };
    play("4", &format!("note: made the folder `{}` for the store\n", text(db.parent().unwrap())));
    let fewer = play("2", "");
    let beyond = "6 more games beyond the 6 asked for do not count";
    assert!(fewer.starts_with(&format!("resumed: 6 games are already played; {beyond}\n")), "{fewer}");
    assert!(fewer.contains(&format!("{beyond}: `agon results 1 --db ")), "{fewer}");
    let results = |words: &[&str]| agon(&[&["results", "--db", text(&db)], words].concat());
    assert_eq!(results(&["--run", "1"]).out, results(&["1"]).out);
    assert_eq!(results(&["1", "--run", "1"]).code, 2);
    // A table of some of the games says of how many.
    let more = agon(&[&words[..], &["-n", "10", "--db", text(&db), "--dry-run"]].concat());
    assert_eq!(more.code, 0, "{}", more.err);
    let connection = rusqlite::Connection::open(&db).unwrap();
    connection.pragma_update(None, "foreign_keys", false).unwrap();
    connection.execute("DELETE FROM bout WHERE slot = 5", []).unwrap();
    connection.execute("DELETE FROM bout WHERE slot > 5", []).unwrap();
    drop(connection);
    let results = agon(&["results", "--db", text(&db)]).out;
    assert!(results.starts_with("round-robin of Domineering: 5 of 6 games\n"), "{results}");
}
