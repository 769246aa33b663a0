//! `agon convert`.

use std::fs;

use agon_referee::record::Way;

use crate::agon::play::record_of;
use crate::agon::run::{BINARY, agon, file, folder, text};

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
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{step}");
        // What the format cannot express is reported.
        let note = match step {
            "jsonl sgf" => String::new(),
            "sgf psq" => "game.sgf`: left out: property AP".to_owned(),
            _ => "game.psq`: left out: properties PB, PW".to_owned(),
        };
        assert!(ran.err.is_empty() || ran.err.contains(&note) && !note.is_empty(), "{step}: {}", ran.err);
    }
    let record = record_of(&at("game.jsonl"));
    let answers = record.entries.iter().filter(|entry| entry.way == Way::From);
    let played: Vec<&str> = answers.filter_map(|entry| entry.spoken.as_deref()).collect();
    assert_eq!((played.len() as u32, played[0]), (record.result.plies, "H8"));
    assert_eq!(fs::read_to_string(at("game.txt")).unwrap().lines().collect::<Vec<_>>(), played);
    let sgf = fs::read_to_string(at("game.sgf")).unwrap();
    assert!(sgf.contains("PB[greedy]") && sgf.contains("PW[random]"), "{sgf}");
}

#[test]
fn a_position_is_drawn() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("game.sgf"), "(;GM[4]SZ[15];B[hh];W[hg];B[ig](;W[gh])(;W[ih]))").unwrap();
    fs::write(at("place.fen"), "7/2xxo2/2xxoo1/1xxooo1/2xoo2/3o3/7 x 0 10\n").unwrap();
    let draw = |from: &str, to: &str, more: &[&str]| {
        let ran = agon(&[&["convert", text(&at(from)), text(&at(to))], more].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{to}");
        fs::read(at(to)).unwrap()
    };
    let stones = |svg: &[u8]| String::from_utf8_lossy(svg).matches("stroke-width=\"1\"").count();
    assert_eq!(stones(&draw("game.sgf", "end.svg", &[])), 4);
    assert_eq!(stones(&draw("game.sgf", "second.svg", &["--ply", "2"])), 2);
    let [end, second] = [&[][..], &["--ply", "2"]].map(|more| draw("game.sgf", "game.png", more));
    assert!(&end[1..4] == b"PNG" && end != second);
    assert_eq!(&draw("place.fen", "place.png", &[])[1..4], b"PNG");
    let refused = |to: &str, ply: &str, part: &str| {
        let ran = agon(&["convert", text(&at("game.sgf")), text(&at(to)), "--ply", ply]);
        assert!(ran.code != 0 && ran.err.contains(part), "{}", ran.err);
    };
    refused("late.png", "9", "--ply 9: the main line has 4 moves");
    refused("late.psq", "1", "--ply is for the picture of a position");
}

/// A side that loses by an illegal move has also lost in SGF, although the rules see no end there.
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
        assert_eq!(ran.code, 0, "{opening}: {}", ran.err);
        fs::read_to_string(&moves).unwrap()
    };
    let plain = converted("none");
    assert!(plain.starts_with("H8\n"), "{plain}");
    assert_eq!(converted(""), plain);
    assert!(converted("8 8 / 7 8").starts_with("H8\nH9\n"));
}

#[test]
fn of_several_games_those_that_are_refused_are_left_out() {
    let folder = folder();
    let check = |name: &str, content: &str, to: &str, games: usize, note: &str| {
        let (from, to) = (file(&folder, name, content), folder.path().join(to));
        let ran = agon(&["convert", text(&from), text(&to)]);
        assert_eq!(ran.code, 0, "{}", ran.err);
        assert!(ran.err.contains(note), "`{note}` is not in: {}", ran.err);
        let written = fs::read_to_string(&to).unwrap();
        assert_eq!(written.lines().filter(|line| line.starts_with("(;") || line.contains('/')).count(), games);
    };
    let three = "(;B[hh])\n(;GM[4];B[hh];W[zz])\n(;B[hh];W[hg])\n(;B[hh];W[hh])";
    check("three.sgf", three, "two.sgf", 2, "left out: game 2: move 2, `zz`, is not on the board\n");
    check("three.sgf", three, "two.sgf", 2, "three.sgf`, line 4: left out: game 4: move 2, H8: ");
    let fen = "x5o/7/7/7/7/7/o5x x 0 1";
    check("list.fen", &format!("{fen}\n7/7 x\n{fen}\n"), "two.fen", 2, "left out: game 2: `7/7 x` is not a position");
    // Whoever asks for one of them wants that one.
    let from = folder.path().join("three.sgf");
    let ran = agon(&["convert", text(&from), text(&folder.path().join("one.sgf")), "--game", "2"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("line 2: move 2, `zz`"), "{}", ran.err);
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
    refused("again.txt", "H8\nH8\n", "move 2, H8: ");
    refused("words.txt", "H8\nhello\n", "line 2: neither PASS nor a point: `hello`");
    refused("none.txt", " \n\n", "no moves found; expected `H8 H9 I9`, or one move per line");
    refused(
        "middle.psq",
        "Piskvorky 15x15, 0:0, 0\n8,8,0\n8,9,5\n9;10,3\n7,9,1\n-1\n",
        "line 4: invalid move: `9;10,3`",
    );
    refused("number.psq", "Piskvorky 15x15, 0:0, 0\n8,8,0\n999999999999999999999,8,0\n", "is not on the board");
    refused("cut.sgf", "(;GM[4];B[hh]\n;W[hg]\n;B[i", "line 3: value has no closing bracket");
    refused("cut.SGF", "(;GM[4];B[hh]\n;W[hg]", "line 1: game has no closing `)`");
    refused("black.sgf", "(;GM[4];\nblack[hh])", "line 2: invalid property name: `black`; names are capital letters");
    let wide = folder.path().join("wide.psq");
    fs::write(&wide, b"\xff\xfeP\0i\0").unwrap();
    check(text(&wide), text(&target), "first line must begin with `Piskvorky`, not `Pi`");
    refused("empty.sgf", "", "empty.sgf`: ");
    refused("words.psq", "hello\n", "words.psq`: ");
    refused("words.jsonl", "hello\n", "words.jsonl`: line 1 is not a header");
    refused("game.pdf", "H8\n", "`.pdf` is not a format of a game; .jsonl, .sgf, .psq, .pos, .sav, .lib");
    check("none.sgf", text(&target), "cannot read `none.sgf`");

    let good = file(&folder, "good.txt", "H8\n");
    check(text(&good), "out.pdf", "cannot write `.pdf`; .sgf, .psq, .pos, .sav, .lib, .txt, .pgn or");
    check(text(&good), "/proc/none/out.sgf", "cannot make the folder `/proc/none` for the game; name another place");
    let record = folder.path().join("game.jsonl");
    agon(&["play", "bacteria", "--out", text(&record)]);
    check(text(&record), text(&target), "a record of bacteria, not of renju");
}

/// Byte order marks, line ends of other systems, blanks at the end, and endings in capital letters.
#[test]
fn files_of_other_systems_are_read() {
    let folder = folder();
    let moves = folder.path().join("moves.TXT");
    let check = |name: &str, content: &str, expected: &[&str]| {
        for content in [content.to_owned(), format!("\u{feff}{}  \r\n \r\n", content.replace('\n', "\r\n"))] {
            let from = file(&folder, name, &content);
            let ran = agon(&["convert", text(&from), text(&moves)]);
            assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{name}");
            assert_eq!(fs::read_to_string(&moves).unwrap().lines().collect::<Vec<_>>(), expected, "{name}");
        }
    };
    check("notime.PSQ", "Piskvorky 15x15, 0:0, 0\n8,8\n8,7\n9,7\n-1\n", &["H8", "H9", "I9"]);
    check("game.Psq", "Piskvorky 15x15, 0:0, 0\n8,8,0\n8,7,0\n", &["H8", "H9"]);
    check("lower.sgf", "(;gm[4]sz[15];b[hh];w[hg];b[if])\n", &["H8", "H9", "I10"]);
    check("upper.SGF", "(;GM[4]SZ[15]\n;B[hh])\n", &["H8"]);
    check("words.Txt", "H8\nh9\ni9\n\npass\n", &["H8", "H9", "I9", "PASS"]);

    let record = folder.path().join("game.jsonl");
    let words = ["play", "renju", "--second", "random", "--seed", "7", "--show", "none", "--out", text(&record)];
    assert_eq!(agon(&words).code, 0);
    let content = fs::read_to_string(&record).unwrap();
    let other = file(&folder, "other.JSONL", &format!("\u{feff}{}\r\n \n", content.replace('\n', "\r\n")));
    for words in [&["replay", text(&other)][..], &["convert", text(&other), text(&moves)]] {
        let ran = agon(words);
        assert_eq!(ran.code, 0, "{words:?}: {}", ran.err);
    }
    let twice = file(&folder, "twice.jsonl", &content.repeat(2));
    let ran = agon(&["replay", text(&twice)]);
    assert_eq!(ran.code, 1);
    let line = content.lines().count() + 1;
    assert!(ran.err.contains(&format!("line {line} is beyond the record")), "{}", ran.err);
}

#[test]
fn a_collection_is_read_whole_or_by_number() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let games = "(;GM[4]PB[ada]PW[bob]RE[B+R];B[hh];W[hg])\n(;GM[4];B[hh](;W[gg];B[ff])(;W[hg]))\n";
    let two = file(&folder, "two.sgf", games);
    let run = |words: &[&str]| agon(&[&["convert", text(&two)], words].concat());
    let (all, one) = (at("all.sgf"), at("one.txt"));
    assert_eq!(run(&[text(&all)]).code, 0);
    let written = fs::read_to_string(&all).unwrap();
    assert_eq!(written.matches("(;FF[4]").count(), 2, "{written}");
    assert!(written.contains("PB[ada]PW[bob]RE[B+R]") && written.contains("(;W[gg];B[ff])(;W[hg])"), "{written}");
    let ran = run(&[text(&one)]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("two.sgf` has 2 games: choose one with --game N, and .txt holds one"), "{}", ran.err);
    let ran = run(&[text(&one), "--game", "2"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.ends_with("two.sgf`, line 2: left out: 1 variation\n"), "{}", ran.err);
    assert_eq!(fs::read_to_string(&one).unwrap(), "H8\nG9\nF10\n");
    let ran = run(&[text(&one), "--game", "3"]);
    assert_eq!((ran.code, ran.err.contains("--game 3: `") && ran.err.contains("two.sgf` has 2 games")), (2, true));
    assert_eq!(run(&[text(&one), "--game", "0"]).code, 2);

    // A game that is not renju, or not legal, is named; the others are written, or chosen.
    let mixed = file(&folder, "mixed.sgf", "(;GM[4];B[hh])\n(;GM[1];B[aa])\n(;GM[4];B[hh];W[hh])");
    let check = |words: &[&str], message: &str| {
        let ran = agon(&[&["convert", text(&mixed), text(&all)], words].concat());
        assert_eq!(ran.code, if message.is_empty() { 0 } else { 2 }, "{}", ran.err);
        assert!(ran.err.contains(message), "{}", ran.err);
    };
    check(&["--game", "1"], "");
    check(&[], "");
    assert_eq!(fs::read_to_string(&all).unwrap().matches("(;FF[4]").count(), 1);
    check(&["--game", "2"], "mixed.sgf`: game 2: line 2: GM[1] is not renju");
    check(&["--game", "3"], "move 2, H8: ");

    // Analyses take the same files.
    for words in [&["renju", text(&two)][..], &["--record", text(&two), "renju"]] {
        let words = [&["analyze"], words, &["--nodes", "100", "--format", "json"]].concat();
        let ran = agon(&words);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("has 2 games: choose one with --game N"), "{}", ran.err);
        let ran = agon(&[&words[..], &["--game", "1"]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}");
    }
    let ran = agon(&["analyze", "bacteria", "--game", "2"]);
    assert_eq!((ran.code, ran.err.contains("--game is for a file with several games")), (2, true), "{}", ran.err);
}

/// Nothing in SGF is lost on the way to SGF, and whatever other formats lose is reported.
#[test]
fn sgf_comes_back_whole() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    let study = "(;PB[ada]PW[bob]EV[cup]DT[2024-01-02]RE[B+R]XY[kept]C[of the start];B[hh]C[a \\] b];W[hg]TR[hh]\
        (;B[ig]LB[gg:1](;W[gg])(;W[ff]))(;B[jf]))\n(;AB[hh][ii]AW[hg]PL[W];W[ig])\n";
    let (from, to) = (file(&folder, "study.sgf", study), at("again.sgf"));
    let ran = agon(&["convert", text(&from), text(&to)]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let written = fs::read_to_string(&to).unwrap().replace("FF[4]GM[4]CA[UTF-8]AP[Agon]SZ[15]", "");
    assert_eq!(written.replace('\n', ""), study.replace('\n', ""));
    let ran = agon(&["convert", text(&from), text(&at("study.lib")), "--game", "1"]);
    assert_eq!(ran.code, 0);
    assert!(ran.err.ends_with("`: left out: properties PB, PW, EV, DT, RE, XY, TR\n"), "{}", ran.err);
    assert_eq!(agon(&["convert", text(&at("study.lib")), text(&to)]).code, 0);
    let tree = fs::read_to_string(&to).unwrap();
    for part in ["C[of the start]", "C[a \\] b]", ";B[ig]LB[gg:1](;W[gg])(;W[ff])", "(;B[jf])"] {
        assert!(tree.contains(part), "{part} is not in {tree}");
    }
    let ran = agon(&["convert", text(&from), text(&at("second.psq")), "--game", "2"]);
    assert!(ran.code == 2 && ran.err.contains("the game begins at a position, which .psq cannot hold"), "{}", ran.err);
}

#[test]
fn a_game_lost_by_a_forbidden_move_is_read() {
    let folder = folder();
    let lost = "(;B[hh];W[hg];B[ih];W[aa];B[kk];W[ba];B[kj];W[ca];B[kh])";
    let (from, to) = (file(&folder, "lost.sgf", lost), folder.path().join("again.sgf"));
    let ran = agon(&["convert", text(&from), text(&to)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("lost.sgf`, line 1: move 9, K8, is forbidden (") && ran.err.ends_with("Black loses by it\n"),
        "{}",
        ran.err
    );
    let written = fs::read_to_string(&to).unwrap();
    assert!(written.contains("RE[W+F]") && written.ends_with("B[kh])\n"), "{written}");
    // An analysis begins before it.
    let ran = agon(&["analyze", "renju", text(&from), "--nodes", "100", "--format", "json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn positions_and_records_of_other_games() {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    assert_eq!(
        agon(&["play", "bacteria", "--second", "random", "--seed", "7", "--out", text(&at("game.jsonl"))]).code,
        0
    );
    let ran = agon(&["convert", text(&at("game.jsonl")), text(&at("game.fen"))]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let line = fs::read_to_string(at("game.fen")).unwrap();
    assert!(line.starts_with("x5o/7/7/7/7/7/o5x x 0 1 moves ") && line.lines().count() == 1, "{line}");
    assert_eq!(agon(&["convert", text(&at("game.fen")), text(&at("again.fen"))]).code, 0);
    assert_eq!(fs::read_to_string(at("again.fen")).unwrap(), line);
    let json = file(&folder, "one.json", "{\"board\": [[1,2],[0,1]], \"to_move\": \"H\"}\n");
    assert_eq!(agon(&["convert", text(&json), text(&at("one.fen"))]).code, 0);
    assert_eq!(fs::read_to_string(at("one.fen")).unwrap(), "12/01 ../.. H 0 2.5 0\n");
}
