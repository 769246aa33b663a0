//! `agon convert`.

use std::fs;

use agon_referee::record::Way;

use crate::play::record_of;
use crate::run::{BINARY, agon, file, folder, text};

#[test]
fn a_game_survives_every_format() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let ran = agon(&["play", "renju", "--second", "random", "--seed", "7", "--out", text(&at("game.jsonl"))]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for step in ["jsonl sgf", "sgf psq", "psq txt"] {
        let (from, to) = step.split_once(' ').unwrap();
        let [from, to] = [from, to].map(|extension| at(&format!("game.{extension}")));
        let ran = agon(&["convert", text(&from), text(&to)]);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""), "{step}");
    }
    let record = record_of(&at("game.jsonl"));
    let answers = record.entries.iter().filter(|entry| entry.way == Way::From);
    let played: Vec<&str> = answers.filter_map(|entry| entry.spoken.as_deref()).collect();
    assert_eq!((played.len() as u32, played[0]), (record.result.plies, "H8"));
    assert_eq!(fs::read_to_string(at("game.txt")).unwrap().lines().collect::<Vec<_>>(), played);
    let sgf = fs::read_to_string(at("game.sgf")).unwrap();
    assert!(sgf.contains("PB[greedy]") && sgf.contains("PW[random]"), "{sgf}");
}

/// Who loses by an illegal move has lost in SGF, too, although the rules see no end there.
#[test]
fn a_forfeit_is_written() {
    let folder = folder();
    let [record, game] = ["game.jsonl", "game.sgf"].map(|name| folder.path().join(name));
    let bot = "sh -c 'read l; echo OK; while read l; do case $l in TURN*) echo MOVE 1 1;; esac; done'";
    let ran = agon(&["play", "renju", "--second", bot, "--show", "none", "--out", text(&record)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(agon(&["convert", text(&record), text(&game)]).code, 0);
    let sgf = fs::read_to_string(&game).unwrap();
    assert!(sgf.contains("RE[B+F]"), "{sgf}");
}

#[test]
fn names_hide_nothing_in_files() {
    let folder = folder();
    let record = folder.path().join("game.jsonl");
    // The name of a program that claims to be another one.
    let bot = format!("sh -c 'exec \"$0\" agent renju greedy' '{BINARY}' \u{202e}yxal\u{200b}ag");
    let ran = agon(&["play", "renju", "--first", &bot, "--second", "random", "--seed", "7", "--out", text(&record)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    for extension in ["sgf", "psq"] {
        let file = folder.path().join(format!("game.{extension}"));
        assert_eq!(agon(&["convert", text(&record), text(&file)]).code, 0);
        let written = fs::read_to_string(&file).unwrap();
        assert!(!written.contains(['\u{202e}', '\u{200b}']) && written.contains("u{202e}yxal"), "{written:?}");
    }
}

#[test]
fn an_opening_is_part_of_the_game() {
    let folder = folder();
    let [record, moves] = ["game.jsonl", "game.txt"].map(|name| folder.path().join(name));
    let converted = |opening: &str| {
        let opening = format!("opening={opening}");
        let words = ["play", "renju", "--second", "random", "--seed", "7", "--set", &opening, "--out", text(&record)];
        assert_eq!(agon(&words).code, 0);
        let ran = agon(&["convert", text(&record), text(&moves)]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{opening}");
        fs::read_to_string(&moves).unwrap()
    };
    let plain = converted("none");
    assert!(plain.starts_with("H8\n"), "{plain}");
    assert_eq!(converted(""), plain);
    assert!(converted("8 8 / 7 8").starts_with("H8\nH9\n"));
}

#[test]
fn what_is_no_game_of_renju_is_refused() {
    let folder = folder();
    let target = folder.path().join("out.sgf");
    let check = |from: &str, to: &str, message: &str| {
        let ran = agon(&["convert", from, to]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{from}");
        assert!(ran.err.starts_with("error: ") && ran.err.contains(message), "`{message}` is not in: {}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(!target.exists());
    };
    let refused = |name: &str, content: &str, message: &str| {
        check(text(&file(&folder, name, content)), text(&target), message);
    };
    refused("corner.txt", "A1\n", "move 1, A1: ");
    refused("words.txt", "H8\nhello\n", "line 2: ");
    refused("empty.sgf", "", "empty.sgf`: ");
    refused("words.psq", "hello\n", "words.psq`: ");
    refused("words.jsonl", "hello\n", "words.jsonl`: line 1 is not a header");
    refused("game.pdf", "H8\n", "`.pdf` is not a format of a game; .jsonl, .sgf, .psq or .txt expected");
    check("none.sgf", text(&target), "cannot read `none.sgf`");

    let good = file(&folder, "good.txt", "H8\n");
    check(text(&good), "out.pdf", "cannot write `.pdf`; .sgf, .psq or .txt expected");
    check(text(&good), "/none/out.sgf", "cannot write the game `/none/out.sgf`; name another place");
    let record = folder.path().join("game.jsonl");
    agon(&["play", "bacteria", "--out", text(&record)]);
    check(text(&record), text(&target), "a record of bacteria, not of renju");
}
