//! `agon replay`: what it shows, and what it refuses.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use agon_referee::record::{Record, Way, Winner};
use serde_json::{Value, json};

use crate::run::{GAMES, agon, file, folder, text};

/// The record of one game of bacteria, as text.
fn original() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| record_text("bacteria"))
}

fn record_text(game: &str) -> String {
    let folder = folder();
    let path = folder.path().join("game.jsonl");
    let ran = agon(&["play", game, "--second", "random", "--seed", "7", "--show", "none", "--record", text(&path)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    fs::read_to_string(path).unwrap()
}

#[test]
fn every_game_replays() {
    #[track_caller]
    fn check(game: &str) {
        let folder = folder();
        let path: PathBuf = folder.path().join("game.jsonl");
        let played = agon(&["play", game, "--seed", "7", "--record", text(&path)]);
        let (before, _) = played.out.split_once("\nreplay   ").unwrap();
        let (_, moves) = before.split_once('\n').unwrap();

        // As played, less the heading.
        let lines = agon(&["replay", text(&path)]);
        assert_eq!((lines.code, lines.err.as_str()), (0, ""));
        assert_eq!(lines.out, format!("{moves}\nproved: every line follows from the rules, and the seal fits\n"));

        let plies = moves.lines().filter(|line| line.starts_with(' ')).count();
        let boards = agon(&["replay", text(&path), "--show", "board"]);
        let corner = boards.out.lines().next().unwrap();
        assert_eq!(boards.out.lines().filter(|line| *line == corner).count(), plies + 1, "{}", boards.out);
        let silent = agon(&["replay", text(&path), "--show", "none"]);
        assert!(silent.out.ends_with("proved: every line follows from the rules, and the seal fits\n"));
        assert_eq!(silent.out.lines().filter(|line| line.starts_with(' ')).count(), 0, "{}", silent.out);

        let mut told = agon(&["replay", text(&path), "--format", "json"]).json();
        assert_eq!(told["proved"], true);
        told.as_object_mut().unwrap().remove("proved");
        assert_eq!(told["plies"], plies);
        let record = Record::read(&fs::read_to_string(&path).unwrap()).unwrap();
        let result = serde_json::to_value(&record.result).unwrap();
        for key in ["winner", "reason", "score", "plies", "time_ms"] {
            assert_eq!(told[key], result[key], "{key}");
        }
        assert_eq!((&told["game"], &told["seed"]), (&json!(game), &json!(7)));
        assert_eq!(told["record"], text(&path));
    }
    for (game, _) in GAMES {
        check(game);
    }
}

#[test]
fn a_picture_is_drawn_of_any_position() {
    let folder = folder();
    let record = file(&folder, "game.jsonl", original());
    let drawn = |name: &str, more: &[&str]| {
        let picture = folder.path().join(name);
        let ran = agon(&[&["replay", text(&record), "--picture", text(&picture)], more].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(!ran.out.contains("   1 O"), "{}", ran.out);
        fs::read_to_string(picture).unwrap()
    };
    let end = drawn("end.svg", &[]);
    assert!(end.starts_with("<svg ") && end.trim_end().ends_with("</svg>"), "{end}");
    let plies = Record::read(original()).unwrap().result.plies.to_string();
    assert_eq!(end, drawn("last.svg", &["--ply", &plies, "--format", "json"]));
    assert_ne!(end, drawn("start.svg", &["--ply", "0"]));
    let ran = agon(&["replay", text(&record), "--picture", "/dev/null", "--ply", "999"]);
    assert_eq!((ran.code, ran.err), (2, format!("error: --ply 999: the game has only {plies} moves\n")));
}

#[test]
fn a_page_holds_the_whole_game() {
    let folder = folder();
    let record = file(&folder, "game.jsonl", original());
    let page = folder.path().join("game.html");
    let ran = agon(&["replay", text(&record), "--page", text(&page)]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{page}");
    assert_eq!(page.matches("\"move\":").count() as u32, Record::read(original()).unwrap().result.plies);
    // Nothing is asked of anybody else.
    assert!(!page.contains("src=") && !page.contains("href="), "{page}");
}

/// A changed record gives this exit code, and this is said of it in both formats.
#[track_caller]
fn check(changed: &str, code: i32, told: &str) {
    let folder = folder();
    let path = file(&folder, "game.jsonl", changed);
    let ran = agon(&["replay", text(&path)]);
    assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{told}: {}", ran.err);
    assert!(ran.err.contains(told), "`{told}` is not in: {}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.contains(text(&path)), "{}", ran.err);

    let ran = agon(&["replay", text(&path), "--format", "json"]);
    assert_eq!(ran.code, code);
    if code == 1 {
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(answer["proved"], false);
        assert!(answer["error"].as_str().unwrap().contains(told), "{answer}");
    }
}

#[test]
fn a_careless_edit_breaks_the_seal() {
    let text = original();
    let lines: Vec<&str> = text.lines().collect();
    let without = |at: usize| [&lines[..at], &lines[at + 1..]].concat().join("\n");
    check(&text.replacen("MOVE 1 1", "MOVE 1 2", 1), 1, "the seal is broken");
    check(&text.replacen("\"winner\":\"first\"", "\"winner\":\"second\"", 1), 1, "the seal is broken");
    check(&text.replacen("\"seed\":7", "\"seed\":8", 1), 1, "the seal is broken");
    check(&without(9), 1, "the seal is broken");
    check(&without(lines.len() - 2), 1, "the seal is broken");
    check(&without(lines.len() - 1), 1, "the record is cut off");
    check(&text[..text.len() / 2], 1, "the record is cut off");
    check(&text[..text.len() - 2], 1, "the record is cut off");
    check(lines[0], 1, "the record is cut off");
    check(&format!("{text}{text}"), 1, "the seal is broken");
}

#[test]
fn what_is_no_record_is_no_environment_for_a_proof() {
    check("", 2, "is no record of a game");
    check("garbage\n", 2, "is no record of a game");
    check("\u{0}\u{1}\u{2}", 2, "is no record of a game");
    check("{}\n", 2, "is no record of a game: line 1 is not a header");
    check(&original().replacen("\"record\":1", "\"record\":9", 1), 2, "version 9 is newer than this program's 1");
    let unknown = forged(original(), |record| record.header.game = "chess".to_owned());
    check(&unknown, 2, "is of the game `chess`, which this version does not know");
}

/// A record with something changed and a new seal.
fn forged(text: &str, change: impl FnOnce(&mut Record)) -> String {
    let mut record = Record::read(text).unwrap();
    change(&mut record);
    record.write()
}

/// The first line of the conversation that begins so.
fn line(record: &Record, start: &str) -> usize {
    record.entries.iter().position(|entry| entry.line.starts_with(start)).unwrap()
}

#[test]
fn a_forgery_is_refuted_by_the_rules() {
    #[track_caller]
    fn refuted(told: &str, change: impl FnOnce(&mut Record)) {
        check(&forged(original(), change), 1, told);
    }
    refuted("the rules refuse first's `MOVE 4 4 5 5`", |record| {
        let at = line(record, "MOVE");
        record.entries[at].line = "MOVE 4 4 5 5".to_owned();
        record.entries.truncate(at + 1);
    });
    // Another legal move is not what the opponent was told of.
    refuted("where the judge would say `OPP 1 1 1 3 ", |record| {
        let at = line(record, "MOVE");
        assert_ne!(record.entries[at].line, "MOVE 1 1 1 3");
        record.entries[at].line = "MOVE 1 1 1 3".to_owned();
    });
    refuted("line 12: first answers without having been asked", |record| {
        record.entries.swap(10, 11);
    });
    refuted("it no FINISH", |record| {
        let at = record.entries.iter().rposition(|entry| entry.line == "FINISH").unwrap();
        record.entries.remove(at);
    });
    refuted("while not both are ready to play", |record| {
        let at = line(record, "MOVE");
        record.entries.insert(at + 1, record.entries.last().unwrap().clone());
    });
    refuted("while not both are ready to play", |record| {
        let at = line(record, "OK");
        record.entries.remove(at);
    });
    refuted("is no command of the judge", |record| {
        let at = line(record, "TURN");
        record.entries[at].line = "TURNS".to_owned();
    });
    refuted("where the judge would say `TURN 10000 10000`", |record| {
        let at = line(record, "TURN");
        record.entries[at].line = "TURN 9999 10000".to_owned();
    });
    refuted("an answer without its time", |record| {
        let at = line(record, "MOVE");
        record.entries[at].moment = None;
    });
    refuted("answers without having been asked", |record| {
        let at = line(record, "MOVE");
        record.entries.insert(at, record.entries[at].clone());
    });
    refuted("the result says the winner is second, but the game gives first", |record| {
        assert_eq!(record.result.winner, Winner::First);
        record.result.winner = Winner::Second;
    });
    refuted("the result says the plies are 1, but", |record| record.result.plies = 1);
    refuted("the result says the score is ", |record| record.result.score = None);
    refuted("the result says the times are ", |record| record.result.time_ms = [1.0, 2.0]);
    refuted("bacteria has no parameter `hats`", |record| {
        record.header.parameters.insert("hats".to_owned(), "3".to_owned());
    });
}

#[test]
fn no_line_of_the_game_can_be_left_out() {
    let record = Record::read(original()).unwrap();
    for kind in ["OK", "OPP", "TURN", "MOVE"] {
        let mut record = record.clone();
        let at = line(&record, kind);
        record.entries.remove(at);
        check(&record.write(), 1, "line ");
    }
    let mut record = record;
    let last = record.entries.iter().rposition(|entry| entry.way == Way::From).unwrap();
    record.entries.truncate(last - 2);
    check(&record.write(), 1, "the result says ");
}

#[test]
fn a_drawn_board_is_proved_too() {
    let text = record_text("domineering");
    check(&forged(&text, |record| record.header.seed = 8), 1, "is not the line of the board");
    check(&forged(&text, |record| record.entries[2].line = "0 0 0 0 0 0 0 0".to_owned()), 1, "is not the line of the");
}
