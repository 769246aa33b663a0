//! `agon analyze`: where it starts, and what it shows first.

use serde_json::Value;

use crate::agon::run::{agon, agon_reading, command, file, finish, folder, text};

/// A refusal, in one line.
#[track_caller]
fn check_refused(arguments: &[&str], message: &str) {
    let ran = agon(&[&["analyze"], arguments].concat());
    assert_eq!((ran.code, ran.out.as_str(), ran.err.lines().count()), (2, "", 1), "{arguments:?}: {}", ran.err);
    assert!(ran.err.contains(message), "`{message}` is not in: {}", ran.err);
}

#[test]
fn records_of_every_game_are_analyzed() {
    let folder = folder();
    let check = |game: &str, board: &[&str], wanted: &str| {
        let record = folder.path().join(format!("{game}.jsonl"));
        let record = text(&record);
        let play = ["play", game, "--seed", "7", "--first", "greedy", "--second", "random", "--record", record];
        assert_eq!(agon(&[&play[..], board].concat()).code, 0, "{game}");
        let limits: &[&str] = if game == "domineering" { &[] } else { &["--nodes", "300"] };
        let named = [&["analyze", "--record", record, "--ply", "3"], limits].concat();
        let ran = agon(&named);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{game}: {}", ran.out);
        assert!(ran.out.contains(wanted), "{game}: {}", ran.out);
        let read = [&["analyze", game, "--record", "-", "--ply", "3"], limits].concat();
        let same = agon_reading(&read, std::fs::read(record).unwrap());
        assert_eq!(same.out.lines().next(), ran.out.lines().next(), "{game}: {}", same.err);
        let end = agon(&[&["analyze", game, "--record", record], limits].concat());
        assert!(end.out.contains("over") || end.out.contains("has won") || end.out.contains("drawn"), "{}", end.out);
        check_refused(&["--record", record, "--ply", "999"], "--ply 999: the game has only");
        record.to_owned()
    };
    let bacteria = check("bacteria", &[], "X to move");
    check("domineering", &["--set", "board=1 2 3 1/0 1 2 1/3 3 1 2/1 1 1 1"], "V to move");
    check("renju", &[], "White to move");
    let message = format!("`{bacteria}` is a record of bacteria, not of renju: say `agon analyze bacteria --record");
    check_refused(&["renju", "--record", &bacteria], &message);

    let petri = folder.path().join("petri.jsonl");
    let petri = text(&petri);
    assert_eq!(agon(&["play", "petri", "--turns", "2", "--record", petri]).code, 0);
    for arguments in [&["--record", petri][..], &["petri", "--record", petri], &["petri"]] {
        check_refused(arguments, "petri cannot be analyzed: there is no line of best moves where every cell");
    }
    check_refused(&["renju", "--record", "Cargo.toml"], "`Cargo.toml` is not a record of a game");
    check_refused(&["--record", "-"], "name the game of the record on standard input");
    check_refused(&["domineering"], "name a position, the file of one (- is standard input), or a --record");
    let sgf = file(&folder, "game.sgf", "(;GM[4]SZ[15];B[hh];W[hg];B[ig])");
    let ran = agon(&["analyze", "renju", "--record", text(&sgf), "--ply", "2", "--nodes", "300"]);
    assert!(ran.out.contains("7W7/7B7") && ran.out.contains("Black to move"), "{}{}", ran.out, ran.err);
}

#[test]
fn moves_are_read_as_people_write_them() {
    let position = |arguments: &[&str]| {
        let ran = agon(&[&["analyze"], arguments, &["--nodes", "300"]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}");
        // Whatever is next to a FEN is not part of it.
        ran.out.lines().next().unwrap().split("   ").next().unwrap().to_owned()
    };
    let renju = "15/15/15/15/15/15/7WB6/7B7/15/15/15/15/15/15/15 W 0 3";
    for moves in ["H8 H9 I9", "h8, h9, i9", "8 8/7 8/7 9"] {
        assert_eq!(position(&["renju", "--moves", moves]), renju, "{moves}");
    }
    assert_eq!(position(&["renju", "H8 H9", "--moves", "I9"]), renju);
    let bacteria = "x6/1x5/4o2/7/7/7/o5x x 1 2";
    for arguments in
        [&["b6 g7e5"][..], &["--moves", "1 1 2 2/1 7 3 5"], &["x5o/7/7/7/7/7/o5x x 0 1", "--moves", "a7b6 G7E5"]]
    {
        assert_eq!(position(&[&["bacteria"], arguments].concat()), bacteria, "{arguments:?}");
    }
    check_refused(&["bacteria", "--moves", "b6 g7g3"], "--moves: move 2, g7g3: distance 4 is neither");
    check_refused(&["bacteria", "--moves", "z9"], "--moves: move 1, z9: `a7b6`, `b6` (to divide), PASS, or");

    let counted =
        |arguments: &[&str]| agon(&[&["perft"], arguments, &["--format", "json"]].concat()).json()["nodes"].clone();
    let from = "15/15/15/15/15/15/7WB6/7B7/15/15/15/15/15/15/15 W 0 3";
    let one = |arguments: &[&str]| counted(&[&["renju", "1", "--divide"], arguments].concat());
    assert_eq!(one(&["--moves", "H8 H9 I9"]), one(&["--position", from]));
    assert_eq!(one(&["--set", "opening=H8/H9/7 9"]), one(&["--position", from]));
    let divided = agon(&["perft", "bacteria", "1", "--divide"]);
    assert!(divided.out.contains("a7b6  1 1 2 2 "), "{}", divided.out);
}

#[test]
fn a_forced_win_is_the_first_line() {
    let win = ["analyze", "renju", "H8 H9 G8 I9 F8 J11", "--nodes", "500"];
    let ran = agon(&win);
    let first = ran.out.lines().find(|line| line.starts_with(" 1 ")).unwrap();
    assert!(first.contains("wins in 3"), "{}", ran.out);
    let best = ran.out.lines().find_map(|line| line.strip_prefix("best   ")).unwrap();
    let best = best.split(' ').next().unwrap();
    assert!(first.contains(&format!("wins in 3  {best}, ")), "{}", ran.out);
    assert!(ran.out.contains(&format!("Black wins by force   {best} ")), "{}", ran.out);

    let ran = agon(&[&win[..], &["--format", "json"]].concat());
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [line, best, win] = &lines[..] else { panic!("{}", ran.out) };
    assert_eq!((&line["rank"], &line["wins_in"]), (&1.into(), &3.into()));
    assert_eq!(line["moves"][0], best["best"]);
    let judged: Vec<String> = win["win"][0].as_array().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(best["best"], judged.join(" "));
}

#[test]
fn lines_fit_the_terminal() {
    let ran = finish(command(&["analyze", "bacteria", "--nodes", "20000"]).env("COLUMNS", "60"));
    let widest = ran.out.lines().map(|line| line.chars().count()).max();
    assert!(ran.code == 0 && widest <= Some(60), "{widest:?}: {}", ran.out);
}

#[test]
fn the_opening_is_searched_when_asked_for() {
    let ran = agon(&["analyze", "renju", "H8"]);
    assert!(ran.out.contains("the champion's opening, not searched; --search searches it"), "{}", ran.out);
    // Black to make its third stone: every place is searched, for some thousand nodes in all.
    let ran = agon(&["analyze", "renju", "H8 H9", "--search", "--nodes", "60000", "--format", "json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines: Vec<serde_json::Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ranks: Vec<u64> = lines.iter().filter_map(|line| line["rank"].as_u64()).collect();
    assert_eq!(ranks, [3, 2, 1], "{}", ran.out);
    let best = &lines[2];
    assert!(best["letters"].as_array().unwrap().len() >= 2 && best["depth"].as_u64().unwrap() >= 2, "{best}");
    assert_eq!(lines[3]["letters"], best["letters"][0]);
    let ran = agon(&["analyze", "renju", "H8 H9 I9 G7", "--search"]);
    assert!(ran.code == 2 && ran.err.contains("--search: every position after the first three moves"), "{}", ran.err);
}

#[test]
fn the_letters_of_a_fen_are_explained() {
    let ran = agon(&["analyze", "bacteria", "--nodes", "500"]);
    assert!(ran.out.starts_with("x5o/7/7/7/7/7/o5x x 0 1   in the FEN, x is O and o is X\n"), "{}", ran.out);
    assert!(agon(&["games", "bacteria"]).out.contains("`x` is O here, and `o` is X"));
}

/// Near the end of Bacteria War the value of a position is proved, and reported as proved.
#[test]
fn endings_are_exact() {
    let fen = "xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxxx/xxxxxoo/xxxxxo1 o 0 30";
    let ran = agon(&["analyze", "bacteria", fen, "--nodes", "500"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.ends_with("exact: O wins by 41\n"), "{}", ran.out);
    let ran = agon(&["analyze", "bacteria", fen, "--nodes", "500", "--format", "json"]);
    let first: Value = serde_json::from_str(ran.out.lines().next().unwrap()).unwrap();
    let ending = serde_json::json!({ "exact": true, "low": -41, "high": -41, "best": "6 6 7 7" });
    assert_eq!(first, serde_json::json!({ "ending": ending }));
    assert!(ran.out.lines().last().unwrap().contains("\"best\""), "{}", ran.out);
    // Nothing is proved about the start.
    let ran = agon(&["analyze", "bacteria", "--nodes", "500"]);
    assert!(!ran.out.contains("exact") && !ran.out.contains("proved"), "{}", ran.out);
}
