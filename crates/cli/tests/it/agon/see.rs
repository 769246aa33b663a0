//! Seeing what went wrong: live lines, error streams beside their moves, repeated questions, lost games.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;

use agon_referee::record::{Record, RecordEntry, Way};
use rustix::process::Signal;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::agon::improve::{send, start};
use crate::agon::play::record_of;
use crate::agon::run::{Ran, agon, file, folder, text};

/// A bot that plays these moves in turn, and reports what it reads.
fn scripted(folder: &TempDir, name: &str, moves: &[&str]) -> PathBuf {
    let code = format!(
        "import sys\nmoves = iter({moves:?})\nfor line in sys.stdin:\n    word = line.split()[0]\n    \
         print('read', word, file=sys.stderr, flush=True)\n    if word == 'READY': print('OK', flush=True)\n    \
         if word == 'TURN': print('MOVE', next(moves), flush=True)\n"
    );
    file(folder, name, &code)
}

/// A game of renju that the first side loses by its third move, on an occupied point.
fn failed(folder: &TempDir, more: &[&str]) -> (Ran, PathBuf) {
    let first = scripted(folder, "bot.py", &["8 8", "9 9", "8 8"]);
    let second = scripted(folder, "other.py", &["7 8", "7 7", "7 6"]);
    let path = folder.path().join("game.jsonl");
    let words = ["play", "renju", "--first", text(&first), "--second", text(&second), "--out", text(&path)];
    let ran = agon(&[&words[..], more].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    (ran, path)
}

#[track_caller]
fn asked(words: &[&str], code: i32) -> String {
    let ran = agon(&[&["ask"], words].concat());
    assert_eq!(ran.code, code, "{words:?}: {} {}", ran.out, ran.err);
    if code == 2 { ran.err } else { ran.out }
}

#[test]
fn lines_are_shown_as_they_come() {
    let folder = folder();
    let (ran, _) = failed(&folder, &["--io"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(lines[0].starts_with("Renju: "), "{}", ran.out);
    let part = |line: &str| line.get(9..).unwrap_or_default().trim().to_owned();
    let said: Vec<String> = lines.iter().map(|line| part(line)).collect();
    let place = |wanted: &str| {
        let at = said.iter().position(|line| line.starts_with(wanted));
        at.unwrap_or_else(|| panic!("`{wanted}` is not in\n{}", ran.out))
    };
    assert!(place("first  > READY FIRST") < place("first  < OK"));
    assert!(place("first  > TURN 10000 10000") < place("first  ! read TURN"));
    assert!(place("first  ! read TURN") < place("first  < MOVE 8 8"), "{}", ran.out);
    assert!(place("first  < MOVE 8 8") < place("second > OPP 8 8 "));
    // A long path breaks the line.
    let words: Vec<&str> = ran.out.split_whitespace().collect();
    assert!(words.join(" ").contains("first failed: RE: answered"), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'), "a pipe has no colours");

    let (ran, _) = failed(&folder, &["--io", "first"]);
    assert!(ran.out.contains(" first  < MOVE 9 9\n") && !ran.out.contains(" second < "), "{}", ran.out);
    for (words, message) in [
        (&["renju", "--io", "--format", "json"][..], "leave out --io, or write the lines with --log FILE"),
        (&["renju", "--io", "--show", "board"], "cannot be used with"),
        (&["petri", "--io"], "--io is for bacteria, domineering and renju, not for petri"),
    ] {
        let ran = agon(&[&["play"], words].concat());
        assert!(ran.code == 2 && ran.err.contains(message), "{words:?}: {}", ran.err);
    }
}

#[test]
fn what_a_bot_wrote_stands_beside_its_move() {
    let folder = folder();
    let (_, path) = failed(&folder, &["--show", "none"]);
    let record = record_of(&path);
    let said = |entry: &&RecordEntry| entry.way == Way::From && entry.moment.is_some();
    let said: Vec<Option<&str>> = record.entries.iter().filter(said).map(|entry| entry.messages.as_deref()).collect();
    assert_eq!(said[..3], [Some("read TURN"), Some("read OPP\nread TURN"), Some("read OPP\nread TURN")]);
    let shown = agon(&["replay", text(&path)]);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.contains("\n       ! read OPP\n       ! read TURN\n"), "{}", shown.out);
    assert!(shown.out.lines().any(|line| line.starts_with("sealed only: ") && line.ends_with(", messages")));

    // The page opens where the game failed, with the answer as the board names its places.
    let page = folder.path().join("game.html");
    assert_eq!(agon(&["replay", text(&path), "--out", text(&page)]).code, 0);
    let page = fs::read_to_string(&page).unwrap();
    let (_, rest) = page.split_once("data-game=\"0\">").unwrap();
    let game: Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    let stderr = "read OPP\nread TURN";
    let answer = "`MOVE 8 8`";
    let failing = json!({ "ply": 4, "side": 0, "answer": answer, "letters": "H8", "cells": [112], "stderr": stderr });
    let mut found = game["failing"].clone();
    let message = found.as_object_mut().unwrap().remove("answer_message").unwrap();
    assert_eq!(message, json!({ "key": "quoted-whole", "arguments": { "text": "MOVE 8 8" } }));
    assert_eq!(found, failing);
    assert_eq!(game["steps"][1]["stderr"], "read OPP\nread TURN");
}

#[test]
fn a_flood_of_messages_is_cut() {
    let folder = folder();
    let code = "import sys\nmoves = iter(['8 8', '9 9', '8 8'])\nfor line in sys.stdin:\n    \
                word = line.split()[0]\n    if word == 'READY': print('OK', flush=True)\n    \
                if word == 'TURN':\n        \
                print(('x' * 99 + '\\n') * 2000 + 'end', file=sys.stderr, flush=True)\n        \
                print('MOVE', next(moves), flush=True)\n";
    let bot = file(&folder, "bot.py", code);
    let path = folder.path().join("game.jsonl");
    let words = ["play", "renju", "--first", text(&bot), "--second", "random", "--show", "none", "--out", text(&path)];
    assert_eq!(agon(&words).code, 0);
    let record = Record::read(&fs::read_to_string(&path).unwrap()).unwrap();
    let kept: Vec<&String> = record.entries.iter().filter_map(|entry| entry.messages.as_ref()).collect();
    assert!(kept.len() >= 2 && kept.iter().all(|text| text.len() < 2100 && text.starts_with("…\n")), "{kept:?}");
    assert!(kept[0].ends_with("\nend"), "{kept:?}");
    assert_eq!(agon(&["replay", text(&path)]).code, 0);
}

#[test]
fn a_fixed_bot_is_asked_again() {
    let folder = folder();
    let (_, path) = failed(&folder, &["--show", "none"]);
    let (record, before) = (text(&path), fs::read(&path).unwrap());
    let fixed = scripted(&folder, "fixed.py", &["8 8", "9 9", "10 10"]);
    let out = asked(&[record, text(&fixed)], 0);
    for part in [
        "move 5 of 5: first (Black)\n",
        "  asked        one process from the start\n  input        OPP 7 7 ",
        "\n               TURN ",
        "  answer       J6    10 10   in ",
        "\n  judge        legal, another move\n  end of its error stream\n    read OPP\n    read TURN\n",
        "  in the game  `MOVE 8 8`   RE: answered `MOVE 8 8`",
    ] {
        assert!(out.contains(part), "`{part}` is not in\n{out}");
    }
    // The same bot fails again.
    let bot = folder.path().join("bot.py");
    let again = asked(&[record, text(&bot)], 1);
    assert!(again.contains("  judge        RE\n    answered `MOVE 8 8`: H8"), "{again}");
    let json: Value = serde_json::from_str(&asked(&[record, text(&bot), "--ply", "3", "--format", "json"], 0)).unwrap();
    assert_eq!(
        [&json["ply"], &json["same"], &json["move"], &json["letters"]],
        [&json!(3), &json!(true), &json!("9 9"), &json!("I7"),]
    );
    assert_eq!((&json["stderr"], &json["recorded"]["move"]), (&json!("read OPP\nread TURN"), &json!("9 9")));

    let all = asked(&[record, text(&fixed), "--all", "--side", "first"], 0);
    assert!(all.contains("\n2 of 3 answers as in the game\nasked in one process from the start\n"), "{all}");
    // After another move the protocol cannot describe the rest of the game, unless it knows OPENING lines.
    let other = scripted(&folder, "other-one.py", &["8 8", "9 8", "10 10"]);
    let all = asked(&[record, text(&other), "--all", "--side", "first"], 0);
    assert!(all.contains("\n1 of 2 answers as in the game\n") && all.contains("1 later move not asked for"), "{all}");
    let error = asked(&[record, text(&other), "--ply", "5"], 2);
    assert!(error.contains("does not come to move 5: at move 3 it plays H7 where the game has I7"), "{error}");
    assert!(!error.contains("is that of"), "{error}");
    // Someone who names a move of a built-in player may have meant one of the bot.
    let against = folder.path().join("random.jsonl");
    let words =
        ["play", "renju", "--first", text(&fixed), "--second", "random", "--seed", "1", "--out", text(&against)];
    assert_eq!(agon(&words).code, 0);
    let error = asked(&[text(&against), text(&fixed), "--ply", "4"], 2);
    assert!(error.contains(" (move 4 is that of random, White; `") && error.contains("` was Black)"), "{error}");
    let greedy = ["--all", "--side", "first", "--format", "json"];
    let greedy: Value = serde_json::from_str(&asked(&[&[record, "greedy"], &greedy[..]].concat(), 0)).unwrap();
    assert_eq!((&greedy["moves"], &greedy["asked"], &greedy["failed"]), (&json!(3), &json!(3), &json!(0)));

    for (words, message) in [
        (&[record][..], "a record and a program expected, as `agon ask game.jsonl bot.py`"),
        (&[text(&fixed), record], "is the record: it goes first, as `agon ask "),
        (&[record, "greedy", "--ply", "6"], "--ply 6: the game of"),
        (&[record, "greedy", "--all"], "which side is the program's"),
        (&["--slot", "1", record, "greedy"], "--slot names the game: leave out the record"),
    ] {
        let error = asked(words, 2);
        assert!(error.contains(message), "{words:?}: {error}");
    }
    assert_eq!(fs::read(&path).unwrap(), before, "nothing recorded is changed");
}

/// A game of renju in which White does nothing while Black makes five.
fn looked_on(folder: &TempDir) -> PathBuf {
    let black = scripted(folder, "black.py", &["8 8", "8 9", "8 10", "8 7", "8 6"]);
    let white = scripted(folder, "white.py", &["7 8", "1 1", "1 3", "1 5"]);
    let path = folder.path().join("lost.jsonl");
    let words = ["play", "renju", "--first", text(&black), "--second", text(&white), "--show", "none"];
    assert_eq!(agon(&[&words[..], &["--out", text(&path)]].concat()).code, 0);
    path
}

#[test]
fn a_lost_game_is_explained() {
    let folder = folder();
    let path = looked_on(&folder);
    let ran = agon(&["explain", text(&path), "--nodes", "20000"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.lines().nth(1).unwrap().starts_with("Black "), "{}", ran.out);
    // Where long paths are folded does not matter.
    let words = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(" wins: Black has made a five on"), "{}", ran.out);
    for part in ["judged by the champion, 20 000 nodes a position", "let the opponent win by force: ", "  better  "] {
        assert!(ran.out.contains(part), "`{part}` is not in\n{}", ran.out);
    }
    let board = ran.out.lines().find_map(|line| line.strip_prefix("  board   ")).unwrap();
    assert!(board.starts_with("agon board ") && board.contains(".jsonl") && board.contains(" --ply "), "{board}");
    let page = folder.path().join("why.html");
    let words = ["explain", text(&path), "--nodes", "20000", "--format", "json", "--out", text(&page)];
    let found = agon(&words).json();
    assert_eq!(found["worst"][0]["side"], "second");
    assert_eq!(found["moves"].as_array().unwrap().len(), 9);
    let board = found["worst"][0]["board"].as_str().unwrap();
    assert!(board.contains("moves=8.8/7.8/8.9/1.1") && board.contains("&ply="), "{board}");
    let ply = found["worst"][0]["ply"].as_u64().unwrap();
    assert_eq!(board.matches('/').count() as u64, 3 + ply, "the moves to it and no more: {board}");
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("Where it was lost") && page.contains(&format!("\"opens\":{ply}")), "{ply}");
    assert!(page.contains("\"better\":[{\"kind\":\"ring\",\"tone\":\"better\",\"width\":4,\"at\":"), "{page}");

    let petri = folder.path().join("petri.jsonl");
    assert_eq!(agon(&["play", "petri", "--turns", "2", "--show", "none", "--out", text(&petri)]).code, 0);
    let ran = agon(&["explain", text(&petri)]);
    assert!(ran.code == 2 && ran.err.contains("has no engine that judges its positions"), "{}", ran.err);
    let ran = agon(&["explain", text(&path), "--out", "why.txt"]);
    assert!(ran.code == 2 && ran.err.contains("a file that ends in .html expected"), "{}", ran.err);
}

#[test]
fn a_game_of_domineering_is_explained_with_proof() {
    let folder = folder();
    let path = folder.path().join("game.jsonl");
    let words = ["play", "domineering", "--size", "4", "--seed", "3", "--first", "random", "--second", "random"];
    assert_eq!(agon(&[&words[..], &["--show", "none", "--out", text(&path)]].concat()).code, 0);
    let found = agon(&["explain", text(&path), "--side", "first", "--all", "--format", "json"]).json();
    assert_eq!(found["proved"], true, "{found}");
    for loss in found["worst"].as_array().unwrap() {
        let of = |when: &str| loss[when]["value"].as_f64().unwrap();
        assert!((of("before") - of("after") - loss["loss"].as_f64().unwrap()).abs() < 0.01, "{loss}");
        assert!(!loss["better"].as_array().unwrap().is_empty(), "{loss}");
    }
}

#[test]
fn what_was_better_is_said_to_be_unknown_where_nothing_is_proved() {
    let folder = folder();
    let path = folder.path().join("game.jsonl");
    let words = ["play", "domineering", "--seed", "3", "--first", "random", "--second", "random", "--show", "none"];
    assert_eq!(agon(&[&words[..], &["--out", text(&path)]].concat()).code, 0);
    let page = folder.path().join("why.html");
    let ran = agon(&["explain", text(&path), "--all", "--side", "first", "--nodes", "500", "--out", text(&page)]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let words = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
    let unknown =
        "better not known, and the loss is an estimate: the position is not proved in these limits; --nodes 5000";
    assert!(words.contains(&format!("{unknown} proves more")), "{}", ran.out);
    // Each move has one or the other.
    assert_eq!(ran.out.matches("\n  better  ").count(), ran.out.matches("\n  board   ").count(), "{}", ran.out);
    assert!(ran.out.ends_with(&format!("\nthe page is `{}`\n", page.display())), "{}", ran.out);
    assert!(fs::read_to_string(page).unwrap().contains(unknown));
}

#[test]
fn a_series_says_by_what_games_were_lost() {
    let folder = folder();
    let db = folder.path().join("games.db");
    let play = ["match", "random", "greedy", "--game", "bacteria", "-n", "4", "--db", text(&db)];
    assert_eq!(agon(&play).code, 0);
    let ran = agon(&["results", "--why", "--games", "1", "--db", text(&db)]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    for part in ["random lost ", "  as first         ", "  worst move       ", "agon explain --db "] {
        assert!(ran.out.contains(part), "`{part}` is not in\n{}", ran.out);
    }
    let words = ["results", "--why", "--games", "1", "--db", text(&db), "--format", "json"];
    let found = agon(&words).json();
    assert_eq!((&found["games"], &found["analysed"].as_array().unwrap().len()), (&json!(4), &1));
    let ran = agon(&["results", "--why", "--agent", "no-one", "--db", text(&db)]);
    assert!(ran.code == 2 && ran.err.contains("has no agent `no-one`; it has random, greedy"), "{}", ran.err);
    let slot = found["analysed"][0]["slot"].as_u64().unwrap().to_string();
    let ran = agon(&["explain", "--db", text(&db), "--slot", &slot, "--nodes", "1000"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let ran = agon(&["ask", "--db", text(&db), "--slot", &slot, "greedy", "--ply", "5"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn a_recorded_game_opens_on_the_board_before_a_move() {
    let folder = folder();
    let (_, record) = failed(&folder, &[]);
    let opened = |more: &[&str]| {
        let words = ["board", text(&record), "--no-open", "--listen", "127.0.0.1:0"];
        let mut child = start(&[&words[..], more].concat());
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let shown: Vec<String> = lines.take(2).map(Result::unwrap).collect();
        send(&child, Signal::INT);
        assert_eq!(child.wait().unwrap().code(), Some(0));
        assert!(shown[0].starts_with("boards at http://127.0.0.1:"), "{shown:?}");
        shown[1].split_once("/board/analysis#").unwrap().1.to_owned()
    };
    assert!(opened(&["--ply", "2"]).ends_with("moves=8.8/7.8&ply=1"));
    assert!(opened(&[]).ends_with("moves=8.8/7.8/9.9/7.7&ply=4"));
    let refused = |words: &[&str], problem: &str| {
        let ran = agon(words);
        assert!(ran.code == 2 && ran.err.contains(problem), "{}", ran.err);
    };
    refused(&["board", text(&record), "--ply", "5"], "--ply 5: the game has 4 moves");
    refused(&["board", "--ply", "5"], "required arguments were not provided");
    let petri = folder.path().join("petri.jsonl");
    assert_eq!(agon(&["play", "petri", "--turns", "1", "--show", "none", "--out", text(&petri)]).code, 0);
    refused(&["board", text(&petri)], "petri has no analysis board");
}

/// Moves have one number everywhere: from 1 over both sides, those of the opening among them.
#[test]
fn moves_are_numbered_with_those_of_the_opening() {
    let folder = folder();
    let bot = scripted(&folder, "bot.py", &["8 8"]);
    let book = file(&folder, "book.txt", "0,0, 0,-1, 1,1\n");
    let db = folder.path().join("agon.db");
    let series = ["match", text(&bot), "greedy", "--game", "renju", "-n", "2", "--openings", text(&book)];
    let ran = agon(&[&series[..], &["--openings-understood", "--db", text(&db)]].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    let faults = agon(&["results", "--faults", "--db", text(&db), "--format", "json"]).json();
    assert_eq!(faults["faults"][0]["moves"], json!([4, 5]), "{faults}");

    let game = ["--db", text(&db), "--slot", "0"];
    let ran = |command: &str, more: &[&str]| agon(&[&[command], &game[..], more].concat());
    let replayed = ran("replay", &[]);
    assert!(replayed.out.starts_with("   4 White "), "{}", replayed.out);
    assert_eq!(ran("replay", &["--ply", "3"]).code, 0);
    let asked = ran("ask", &[text(&bot)]);
    assert!(asked.code == 1 && asked.out.starts_with("move 5 of 5: first (Black)\n"), "{}{}", asked.out, asked.err);
    let asked = ran("ask", &[text(&bot), "--ply", "5", "--format", "json"]).out;
    assert_eq!(serde_json::from_str::<Value>(&asked).unwrap()["ply"], 5);
    let explained = ran("explain", &["--nodes", "1000", "--side", "second", "--format", "json"]).json();
    assert_eq!(explained["moves"][0]["ply"], 4, "{explained}");
    let record = folder.path().join("game.jsonl");
    let exported = agon(&["export", "--db", text(&db), "--slot", "0", "--out", text(&record)]);
    assert_eq!(exported.code, 0, "{}", exported.err);
    let analyzed = agon(&["analyze", "renju", "--record", text(&record), "--ply", "2"]);
    let opening = "--ply 2: the game begins after an opening of 3 moves";
    for ran in [analyzed, ran("replay", &["--ply", "2"]), ran("board", &["--ply", "2"])] {
        assert!(ran.code == 2 && ran.err.contains(opening), "{}{}", ran.out, ran.err);
    }
    let ran = ran("ask", &[text(&bot), "--ply", "2"]);
    assert!(ran.code == 2 && ran.err.contains(opening), "{}{}", ran.out, ran.err);
}
