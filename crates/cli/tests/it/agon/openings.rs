//! Series that begin with the openings of a file.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::agon::run::{BINARY, Ran, agon, file, folder, text, word};

/// A store with the files of openings next to it.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(folder())
    }

    fn file(&self, name: &str, content: &str) -> String {
        text(&file(&self.0, name, content)).to_owned()
    }

    fn run(&self, words: &[&str]) -> Ran {
        agon(&[words, &["--db", text(&self.0.path().join("games.db"))]].concat())
    }

    #[track_caller]
    fn printed(&self, words: &[&str]) -> String {
        let ran = self.run(words);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}\n{}", ran.out);
        ran.out
    }

    /// A match of two built-ins, and how many games it played now.
    #[track_caller]
    fn play(&self, words: &[&str]) -> u64 {
        let out = self.printed(&[&["match", "greedy", "random"], words].concat());
        let (_, now) = out.trim_end().rsplit_once('(').unwrap();
        now.split(' ').next().unwrap().parse().unwrap()
    }

    /// The headers of the records of the last series, in the order of the schedule.
    fn headers(&self) -> Vec<Value> {
        let header = |line: &str| {
            let game: Value = serde_json::from_str(line).unwrap();
            serde_json::from_str(game["record"].as_str().unwrap().lines().next().unwrap()).unwrap()
        };
        self.printed(&["export"]).lines().map(header).collect()
    }

    /// The line number of each game's opening in the file.
    fn lines(&self) -> Vec<u64> {
        self.headers().iter().map(|header| header["opening"]["line"].as_u64().unwrap()).collect()
    }

    fn list(&self) -> Vec<Value> {
        let out = self.printed(&["results", "--list", "--format", "json"]);
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Four openings as Gomocup has them; the second line is a comment.
const OFFSETS: &str = "0,0, 0,-1, 1,1\n# the first was direct\n0,0, 1,1, 2,0\n0,0, 1,0, -1,-1, 3,3\n\n0,0, -1,-1\n";

#[test]
fn each_opening_is_played_as_a_pair() {
    let place = Place::new();
    let book = place.file("book.txt", OFFSETS);
    assert_eq!(place.play(&["--game", "renju", "-n", "6", "--openings", &book]), 6);
    assert_eq!(place.lines(), [1, 1, 3, 3, 4, 4]);
    let headers = place.headers();
    assert_eq!(headers[0]["parameters"]["opening"], "8 8/7 8/9 9");
    assert_eq!(headers[0]["opening"]["file"], "book.txt");
    // The moves are of the game: they are on its board, and in its files.
    let sgf = place.printed(&["export", "--format", "sgf"]);
    assert!(sgf.contains(";B[hh];W[hg];B[ii]"), "{sgf}");
    let pgn = place.printed(&["export", "--format", "pgn"]);
    assert!(pgn.contains("1. H8 {book} H9 {book} 2. I7 {book} "), "{pgn}");
    assert!(pgn.contains("[Opening \"book.txt line 3\"]"), "{pgn}");
    let record = place.0.path().join("game.jsonl");
    place.printed(&["export", "--slot", "5", "--out", text(&record)]);
    let ran = agon(&["replay", text(&record)]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("\nopening  book.txt line 4\n"), "{}", ran.out);

    // More games continue in the file, and then from its beginning, which is reported.
    let ran = place.run(&["match", "greedy", "random", "--game", "renju", "-n", "6", "--openings", &book]);
    assert!(ran.out.contains("\n4 openings of book.txt for 3 pairs: 1 left\n"), "{}", ran.out);
    let ran = place.run(&["match", "greedy", "random", "--game", "renju", "-n", "10", "--openings", &book]);
    let few = "\n4 openings of book.txt are too few for 5 pairs: each is played up to 2 times\n";
    assert!(ran.out.contains(few) && ran.out.contains("(4 games played now)"), "{}", ran.out);
    assert_eq!(place.lines(), [1, 1, 3, 3, 4, 4, 6, 6, 1, 1]);
    let list = place.list();
    assert_eq!((list.len(), &list[0]["opening_file"]["file"]), (1, &Value::from("book.txt")));
    assert_eq!((&list[0]["opening_file"]["count"], &list[0]["opening_file"]["times"]), (&4.into(), &2.into()));
    assert!(place.printed(&["results", "--list"]).contains("openings of book.txt"));
}

/// The contents of a file are part of a series, its name is not.
#[test]
fn a_series_is_of_the_contents_of_its_file() {
    let place = Place::new();
    let book = place.file("book.txt", OFFSETS);
    let same = place.file("same.txt", OFFSETS);
    let other = place.file("other.txt", &OFFSETS.replace("-1,-1", "-1,0"));
    let play =
        |book: &str, more: &[&str]| place.play(&[&["--game", "renju", "-n", "2", "--openings", book], more].concat());
    assert_eq!(play(&book, &[]), 2);
    assert_eq!(play(&same, &[]), 0);
    assert_eq!(play(&other, &[]), 2);
    assert_eq!(play(&book, &["--opening-order", "random"]), 2);
    assert_eq!(play(&book, &["--opening-order", "sequential"]), 0);
    assert_eq!(place.play(&["--game", "renju", "-n", "2"]), 2);
    assert_eq!(place.list().len(), 4);
}

/// Positions of FEN and EPD, with names, played by built-ins and by an engine of another protocol.
#[test]
fn games_begin_at_positions() {
    let place = Place::new();
    let book = place.file(
        "book.epd",
        "x5o/7/2x1o2/7/7/7/o5x x 0 1\r\nx5o/7/2x1o2/7/7/7/o5x o hmvc 0; fmvn 3; id \"second; to move\";\r\n",
    );
    let engine = format!("uai:{} uai --engine greedy", word(BINARY));
    let words = ["match", "random", &engine, "--game", "bacteria", "-n", "4", "--openings", &book];
    let out = place.printed(&words);
    assert!(out.contains("2 openings of book.epd for 2 pairs: 0 left"), "{out}");
    let headers = place.headers();
    assert_eq!(headers[0]["parameters"]["position"], "x5o/7/2x1o2/7/7/7/o5x x 0 1");
    assert_eq!(headers[2]["opening"]["name"], "second; to move");
    let record = place.0.path().join("game.jsonl");
    for slot in ["0", "3"] {
        place.printed(&["export", "--slot", slot, "--out", text(&record)]);
        let ran = agon(&["replay", text(&record)]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    }
    let pgn = place.printed(&["export", "--format", "pgn"]);
    assert_eq!(pgn.matches("[SetUp \"1\"]\n[FEN \"x5o/7/2x1o2/7/7/7/o5x x 0 1\"]").count(), 2, "{pgn}");
    assert_eq!(pgn.matches("[Opening \"second; to move (book.epd line 2)\"]").count(), 2, "{pgn}");
    // The second player begins.
    let begun: Vec<&str> = pgn.split("\n\n").skip(1).step_by(2).take(4).collect();
    assert!(begun[..2].iter().all(|game| game.starts_with("1. ")), "{begun:?}");
    assert!(begun[2..].iter().all(|game| game.starts_with("3... ") && game.contains(" 4. ")), "{begun:?}");
}

#[test]
fn a_tournament_plays_the_same_openings_in_every_pairing() {
    let place = Place::new();
    let sgf = "(;GM[4]GN[direct];B[hh];W[hg];B[ii])\n(;GM[4];B[hh](;W[ig];B[jh])(;W[gg]))\n";
    let book = place.file("book.SGF", sgf);
    let agents = "[[agent]]\nagent = 'random'\n[[agent]]\nagent = 'greedy'\n[[agent]]\nagent = 'random'\nname = 'b'\n";
    let league = format!("game = 'renju'\ngames = 4\nopenings = '{book}'\nopening_order = 'sequential'\n{agents}");
    let league = place.file("league.toml", &league);
    let plan = place.printed(&["tournament", &league, "--dry-run"]);
    assert!(plan.contains("3 openings of book.SGF for 2 pairs: 1 left"), "{plan}");
    assert!(plan.contains("  direct (book.SGF line 1)\n"), "{plan}");
    place.printed(&["tournament", &league]);
    assert_eq!(place.lines(), [1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2]);
    let refused = |more: &str, message: &str| {
        let league = place.file("refused.toml", &format!("game = 'renju'\n{more}\n{agents}"));
        let ran = place.run(&["tournament", &league]);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""));
        assert!(ran.err.contains(message), "`{message}` is not in: {}", ran.err);
    };
    refused("openings = 'none.txt'", "openings: cannot read `none.txt`");
    refused("opening_order = 'random'", "opening_order: is for a file of openings; name it by `openings`");
    refused("openings = 4\nopening_plies = 2", "opening_plies: is for a file of openings; name it by `openings`");
    refused(&format!("openings = '{book}'\nopening_start = 0"), "opening_start: 0 given; a number from 1 expected");
    refused(
        &format!("openings = '{book}'\nopening_start = 4"),
        "has 3 openings: the first one played cannot be number 4",
    );
    refused(&format!("openings = '{book}'\nopening_order = 'mixed'"), "`mixed` given; sequential or random expected");
}

/// A series continues in a book where another one ended, and plays whole games only up to a ply.
#[test]
fn a_part_of_a_file_is_played() {
    let place = Place::new();
    let book = place.file("book.txt", OFFSETS);
    let words = ["--game", "renju", "-n", "4", "--openings", &book];
    let out = place.printed(&[&["match", "greedy", "random"], &words[..], &["--opening-start", "4"]].concat());
    assert!(out.contains("\n4 openings of book.txt (from number 4) for 2 pairs: 2 left\n"), "{out}");
    assert_eq!(place.lines(), [6, 6, 1, 1]);
    let out = place.printed(&[&["match", "greedy", "random"], &words[..], &["--opening-plies", "2"]].concat());
    assert!(out.contains("\n4 openings of book.txt (cut after 2 plies) for 2 pairs: 2 left\n"), "{out}");
    assert_eq!(place.lines(), [1, 1, 3, 3]);
    assert_eq!(place.headers()[0]["parameters"]["opening"], "8 8/7 8");
    let list = place.list();
    assert_eq!((&list[0]["opening_file"]["start"], &list[1]["opening_file"]["plies"]), (&4.into(), &2.into()));
    let agents = "[[agent]]\nagent = 'greedy'\n[[agent]]\nagent = 'random'\n";
    let league =
        format!("game = 'renju'\ngames = 2\nopenings = '{book}'\nopening_start = 2\nopening_plies = 1\n{agents}");
    let ran = place.run(&["tournament", &place.file("league.toml", &league)]);
    assert!(ran.err.contains("has 1 opening: the first one played cannot be number 2"), "{}", ran.err);
    let league = place.file("league.toml", &league.replace("opening_plies = 1", "opening_plies = 2"));
    place.printed(&["tournament", &league]);
    assert_eq!(place.lines(), [3, 3]);
    let ran = place.run(&["match", "greedy", "random", "--game", "renju", "--opening-plies", "2"]);
    assert_eq!(ran.code, 2);
}

/// The final positions of games can be read again.
#[test]
fn last_positions_are_written() {
    let place = Place::new();
    let ends = |game: &str| {
        place.play(&["--game", game, "-n", "2"]);
        let path = place.0.path().join(format!("{game}.epd"));
        place.printed(&["export", "--format", "epd", "--out", text(&path)]);
        let written = fs::read_to_string(&path).unwrap();
        assert_eq!(written.lines().count(), 2, "{written}");
        // A list of positions, as other commands read it.
        let list = place.0.path().join(format!("{game}.fen"));
        let ran = agon(&["convert", text(&path), text(&list)]);
        // The list cannot contain their names, which is reported.
        assert_eq!(ran.code, 0, "{}{written}", ran.err);
        let positions = fs::read_to_string(&list).unwrap();
        for (line, position) in written.lines().zip(positions.lines()) {
            assert!(line.starts_with(&format!("{position} id \"game ")), "{line} is not of {position}");
        }
        written
    };
    let written = ends("bacteria");
    assert!(written.contains(" id \"game 0\"; c0 \"greedy – random\"; c9 \"1-0\";\n"), "{written}");
    assert!(written.contains(" id \"game 1\"; c0 \"random – greedy\"; c9 \"0-1\";\n"), "{written}");
    ends("renju");
    ends("domineering");
    place.printed(&["match", "amoeba", "slime", "--game", "petri", "-n", "2", "--set", "turns=10"]);
    let ran = place.run(&["export", "--format", "epd"]);
    assert!(ran.code == 2 && ran.err.contains("in petri every cell acts in every turn"), "{}", ran.err);
}

#[test]
fn a_bad_file_is_refused_before_the_first_game() {
    let place = Place::new();
    let check = |game: &str, content: &str, more: &[&str], message: &str| {
        let book = place.file("bad.txt", content);
        let ran = place.run(&[&["match", "greedy", "random", "--game", game, "--openings", &book], more].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{message}");
        assert!(ran.err.contains(message), "`{message}` is not in: {}", ran.err);
        assert!(!place.0.path().join("games.db").exists());
    };
    check("renju", "0,0, 0,-1\n\n0,0, 0\n", &[], "bad.txt`, line 3: `0,0, 0` has 3 numbers");
    check("renju", "H8 H9\nH8 A1\n", &[], "bad.txt`, line 2: opening is refused at `A1`");
    check("bacteria", "x5o/7/7/7/7/7/o5x x 0 1\nx5o/7/7 x\n", &[], "bad.txt`, line 2: `x5o/7/7 x` is not a position");
    check("domineering", "3 4/3 4\n", &[], "bad.txt`, line 1: opening is refused at `3 4`");
    check("domineering", "", &[], "bad.txt` has no opening");
    check("renju", "H8\n", &["--set", "opening=H8"], "given although the parameters set one");
    check("renju", "H8\n", &["-n", "3"], "an even number from 2 is needed");
    let ran = place.run(&["match", "greedy", "random", "--game", "renju", "--opening-order", "random"]);
    assert_eq!(ran.code, 2);
    let ran =
        place.run(&["match", "greedy", "random", "--game", "renju", "--openings", "3", "--opening-order", "random"]);
    assert!(ran.code == 2 && ran.err.contains("--opening-order is for a file of openings"), "{}", ran.err);
    let book = place.file("good.txt", "H8\n");
    let ran = place.run(&["match", "amoeba", "slime", "--game", "petri", "--openings", &book]);
    assert!(ran.code == 2 && ran.err.contains("--openings is for bacteria, domineering and renju"), "{}", ran.err);
    let ran = place.run(&["match", "greedy", "sh -c true", "--game", "renju", "--openings", &book]);
    assert!(ran.code == 2 && ran.err.contains("is not known to understand OPENING lines"), "{}", ran.err);
    fs::write(place.0.path().join("good.txt"), b"\xff\xfeH\x008\x00").unwrap();
    let ran = place.run(&["match", "greedy", "random", "--game", "renju", "--openings", &book]);
    assert!(ran.code == 2 && ran.err.contains("good.txt` is no text in UTF-8"), "{}", ran.err);
}
