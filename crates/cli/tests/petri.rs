//! The petri dish by the command line: every command of it, and cells in every language.

use std::fs;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A place where `agon` keeps what it keeps, and where the repository is.
struct Place {
    folder: TempDir,
    repository: PathBuf,
}

/// What a run of `agon` left.
struct Run {
    code: i32,
    out: String,
    err: String,
}

impl Place {
    fn new() -> Self {
        let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Self { folder: tempfile::tempdir().expect("a temporary folder"), repository }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    fn run_with(&self, words: &[&str], input: &str) -> Run {
        let output = Command::new(agon())
            .args(words)
            .current_dir(&self.repository)
            .env("AGON_CACHE", self.path("cache"))
            .env("AGON_STATE", self.path("state"))
            .env_remove("AGON_SEED")
            .write_stdin(input)
            .output()
            .expect("agon runs");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
        Run { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs `agon`, which must succeed, and returns what it printed.
    fn run(&self, words: &[&str]) -> String {
        let Run { code, out, err } = self.run_with(words, "");
        assert_eq!(code, 0, "{words:?}: {err}");
        out
    }

    fn json(&self, words: &[&str]) -> Value {
        let out = self.run(&[words, &["--format", "json"]].concat());
        serde_json::from_str(&out).unwrap_or_else(|error| panic!("{words:?}: {error}: {out}"))
    }

    /// Runs `agon`, which must refuse with this in its message.
    fn refuses(&self, words: &[&str], input: &str, message: &str) {
        let Run { code, err, .. } = self.run_with(words, input);
        assert!(code == 2 && err.contains(message), "{words:?}: {code} {err}");
    }

    /// The answers of both programs to all that they were asked in a game, BEGIN included.
    fn answers(&self, words: &[&str]) -> Vec<String> {
        let record = self.path("game.jsonl");
        self.run(&[&["play", "petri", "--show", "none", "--record", &record], words].concat());
        let text = fs::read_to_string(&record).expect("the record");
        self.run(&["replay", &record]);
        let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let lines = lines.filter(|line| line["from"].is_string());
        lines.map(|line| format!("{} {}", line["from"], line["line"].as_str().unwrap_or_default().trim_end())).collect()
    }
}

fn agon() -> &'static str {
    env!("CARGO_BIN_EXE_agon")
}

/// The command that is a species as a program.
fn species(name: &str) -> String {
    format!("'{}' agent petri {name}", agon())
}

const GAMES: &str = include_str!("../../rules/tests/data/petri/games.jsonl");

#[test]
fn recorded_games_pass_through_inspect() {
    let Run { code, out, .. } = Place::new().run_with(&["inspect", "petri"], GAMES);
    assert_eq!((code, out.lines().count(), GAMES.lines().count()), (0, 176, 176));
    for (game, answer) in GAMES.lines().zip(out.lines()) {
        let game: Value = serde_json::from_str(game).expect("JSON");
        let answer: Value = serde_json::from_str(answer).expect("JSON");
        for key in ["final", "boards", "states"] {
            assert_eq!(answer[key], game[key], "{key} of game {}", game["id"]);
        }
    }
}

#[test]
fn inspect_says_what_is_wrong_and_goes_on() {
    let place = Place::new();
    let ask = |question: &str| place.run_with(&["inspect", "petri"], question).out.trim_end().to_owned();
    let check = |question: &str, answer: &str| assert_eq!(ask(question), answer, "{question}");
    let game = |actions: &str| {
        format!(r#"{{"width": 4, "height": 4, "maxTurns": 1, "species": [[4,8,0],[4,8,0]], "actions": {actions}}}"#)
    };
    check(&game("[]"), r#"{"boards":[],"final":{"cells":[1,1],"turns":0,"winner":null},"states":[]}"#);
    check(&game(r#"[[2, "REST"]]"#), r#"{"error":"action 1: seat 2, but seat 1 is to act"}"#);
    check(&game(r#"[[1, ""], [2, ""], [1, ""]]"#), r#"{"error":"action 3: the game is over"}"#);
    check(&game("[]").replace("[4,8,0]]", "[4,8,1]]"), r#"{"error":"4 + 8 + 1 is 13, not 12"}"#);
    let narrow = game("[]").replace("\"width\": 4", "\"width\": 2");
    check(&narrow, r#"{"error":"a dish cannot be 2 wide or high: 3 to 255"}"#);
    assert_eq!(ask(&format!("nonsense\n{}", game("[]"))).lines().count(), 2);
    let moved = game(r#"[[1, "MOVE W"], [2, "REST"]]"#);
    let published = moved.replace("\"actions\"", "\"rules\": \"published\", \"actions\"");
    assert_ne!(ask(&moved), ask(&published), "in the published driver a move is free");
}

#[test]
fn a_species_is_a_program() {
    let place = Place::new();
    let check = |words: &[&str], input: &str, answer: &str| {
        let Run { code, out, err } = place.run_with(&[&["agent", "petri"], words].concat(), input);
        assert_eq!((code, out.as_str()), (0, answer), "{words:?} {input:?}: {err}");
    };
    let dish = "4 4\n....\n.o..\n..x.\n....\n\n1 1 5 2";
    check(&["amoeba"], "BEGIN", "5 7 0\n");
    check(&["amoeba"], dish, "ATTACK SE 2\n");
    // Whether it stays alive is for the command line to say, not for the species.
    check(&["clojure"], "BEGIN", "4 6 2\n");
    check(&["clojure", "--loop"], "BEGIN\n", "4 6 2 LOOP\n");
    let two = format!("BEGIN\n{dish}\n{dish}\nEND\nnever read");
    check(&["amoeba", "--loop"], &two, "5 7 0 LOOP\nATTACK SE 2\nATTACK SE 2\n");
    check(&["amoeba", "--loop"], "", "");
    place.refuses(&["agent", "petri", "amoeba"], "HELLO", "BEGIN or a dish expected: `HELLO`: width and height");
    place.refuses(&["agent", "petri", "amoeba", "--loop"], "4 4\n...", "row 0 `...`");
    place.refuses(&["agent", "petri", "nobody"], "", "petri has no built-in player `nobody`; it has hungry,");
    place.refuses(&["agent", "bacteria", "greedy", "--loop"], "", "--loop is for petri");
}

#[test]
fn species_answer_as_programs_as_they_do_within() {
    let place = Place::new();
    let check = |name: &str, word: &str| {
        let common = ["--turns", "7", "--seed", "5", "--second", "slime"];
        let within = place.answers(&[&["--first", name], &common[..]].concat());
        let program = format!("{} {word}", species(name));
        let mut outside = place.answers(&[&["--first", &program], &common[..]].concat());
        assert!(within.len() > 30, "{name}: {within:?}");
        let announced = |answers: &[String]| answers[0].trim_end_matches(" LOOP").to_owned();
        assert_eq!(announced(&outside), announced(&within));
        outside[0].clone_from(&within[0]);
        assert_eq!(outside, within, "{name} {word}");
    };
    for name in ["coordinated", "amoeba", "clojure"] {
        check(name, "");
        check(name, "--loop");
    }
    // A program that is run anew gets the very seed that the species within draws from.
    check("node480", "");
    check("evolution", "");
}

#[test]
fn sample_cells_play_alike_in_every_language() {
    let place = Place::new();
    let play = |extension: &str| {
        let cell = format!("agents/petri/sample.{extension}");
        place.answers(&["--first", &cell, "--second", "coordinated", "--turns", "6", "--seed", "1"])
    };
    let expected = play("c");
    assert!(expected.len() > 20, "{expected:?}");
    for extension in ["cpp", "py", "java", "js", "rb", "rs"] {
        assert_eq!(play(extension), expected, "sample.{extension}");
    }
}

#[test]
fn a_game_is_shown_turn_by_turn() {
    let place = Place::new();
    let words = ["play", "petri", "--width", "6", "--height", "5", "--turns", "20", "--seed", "3"];
    let out = place.run(&words);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "Battle for the Petri Dish: 1 coordinated – 2 evolution");
    let turns = lines.iter().filter(|line| line.contains(" 1 DIVIDE") || line.contains("REST")).count();
    assert!((10..=40).contains(&turns), "{out}");
    assert!(out.contains(" actions, seed 3\n"), "{out}");
    let board = place.run(&[&words[..], &["--show", "board"]].concat());
    assert!(board.contains("cells  1") && board.contains("energy 1") && board.contains("used 1 0."), "{board}");
    let result = place.json(&words);
    assert_eq!(result["agents"], json!(["coordinated", "evolution"]));
    assert_eq!(result["invocations"]["rechecked"], json!([0, 0]));
}

#[test]
fn what_cannot_be_is_refused() {
    let place = Place::new();
    let check = |words: &[&str], message: &str| place.refuses(words, "", message);
    check(&["play", "petri", "--width", "3"], "width is `3`; 4 to 255 expected");
    check(&["play", "petri", "--turns", "9", "--set", "turns=9"], "parameter `turns` is given twice");
    check(&["play", "bacteria", "--width", "7"], "bacteria has no parameter `width`; it has none");
    check(&["play", "petri", "--check-stateless=101"], "101 is not in 0..=100");
    check(&["play", "petri", "--first", "greedy"], "`greedy` is no agent here: not a built-in player (hungry,");
    check(&["perft", "petri", "3"], "petri has many actors a turn: its lines of play cannot be counted");
    check(&["petri", "score", "amoeba", "nobody"], "`nobody` is no agent here");
    check(&["petri", "score", "amoeba", "slime", "--height", "256"], "height is `256`; 4 to 255 expected");
    check(&["petri", "league", "--dish", "10"], "`10`: WIDTHxHEIGHT expected, as 10x4");
    check(&["petri", "league", "--dish", "3x9"], "width is `3`; 4 to 255 expected");
}

#[test]
fn a_state_is_found_out_and_an_honest_cell_is_not_accused() {
    let place = Place::new();
    let file = place.path("state");
    let play = |act: &str| {
        let cell = format!("sh -c 'case \"$(cat)\" in BEGIN) echo 4 8 0 ;; *) {act} ;; esac'");
        place.run(&["play", "petri", "--first", &cell, "--turns", "8", "--check-stateless=100", "--show", "none"])
    };
    let counts = format!("echo x >>{file}; if [ $(($(wc -l <{file}) % 2)) = 0 ]; then echo REST; else echo MOVE N; fi");
    let cheat = play(&counts);
    assert!(cheat.contains("answers differ when asked again: it keeps a state"), "{cheat}");
    let honest = play("if [ $((AGON_SEED % 2)) = 0 ]; then echo REST; else echo DIVIDE E; fi");
    assert!(honest.contains("first  0 of ") && !honest.contains("keeps a state"), "{honest}");
}

#[test]
fn a_failure_at_begin_is_explained() {
    let out = Place::new().run(&["play", "petri", "--first", "echo 4 8", "--second", "amoeba", "--show", "none"]);
    let reason = "first failed: RE: answered `4 8` to BEGIN: `4 8`: three numbers HP ENERGY ACIDITY expected";
    assert!(out.contains(reason) && out.contains("limits   2000 ms an invocation, 1024 MiB"), "{out}");
}

#[test]
fn a_changed_record_is_refused() {
    let place = Place::new();
    let record = place.path("game.jsonl");
    place.run(&["play", "petri", "--turns", "5", "--show", "none", "--record", &record]);
    assert!(place.run(&["replay", &record]).contains("proved"));
    let text = fs::read_to_string(&record).expect("the record");
    fs::write(&record, text.replacen("REST", "MOVE N", 1)).expect("writing");
    let Run { code, err, .. } = place.run_with(&["replay", &record], "");
    assert!(code == 1 && err.contains("the seal is broken"), "{code} {err}");
}

#[test]
fn a_score_counts_wins_however_many_games_are_played_at_once() {
    let place = Place::new();
    let words = ["petri", "score", "slime", "node480", "--games", "21", "--seed", "7"];
    let score = place.json(&[&words[..], &["--jobs", "1"]].concat());
    assert_eq!(place.json(&[&words[..], &["--jobs", "3"]].concat()), score);
    let number = |value: &Value| value.as_u64().expect("a number");
    let wins = [number(&score["wins"][0]), number(&score["wins"][1])];
    assert!(wins[0] > 0 && wins[1] > 0 && wins[0] + wins[1] + number(&score["draws"]) == 21, "{score}");
    let sizes = [&score["games"], &score["width"], &score["height"], &score["turns"], &score["seed"]].map(number);
    assert_eq!(sizes, [21, 10, 4, 150, 7]);
    let text = place.run(&["petri", "score", "coordinated", "hungry", "--games", "10"]);
    assert_eq!(text, "coordinated 10 : 0 hungry   0 draws in 10 games on 10 × 4\n");
}

#[test]
fn a_program_is_scored_through_the_referee() {
    let place = Place::new();
    let dish = ["--games", "4", "--width", "5", "--height", "4", "--turns", "12"];
    let program = species("amoeba");
    let played = place.json(&[&["petri", "score", &program, "coordinated"], &dish[..]].concat());
    // Neither of them draws anything, so it is the same as within.
    let within = place.json(&[&["petri", "score", "amoeba", "coordinated"], &dish[..]].concat());
    assert_eq!(played, within);
    let failed = place.json(&[&["petri", "score", "echo 4 8", "hungry"], &dish[..]].concat());
    assert_eq!(failed["wins"], json!([0, 4]));
    assert!(failed["faults"][0].as_str().expect("a fault").starts_with("RE: answered `4 8` to BEGIN"), "{failed}");
}

#[test]
fn the_league_takes_all_species_and_any_program() {
    let place = Place::new();
    let words = ["petri", "league", "echo 4 8", "--games", "2", "--dish", "6x5", "--dish", "5x5", "--turns", "40"];
    let league = place.json(&words);
    let dishes = league["dishes"].as_array().expect("dishes");
    assert_eq!(dishes.len(), 2);
    for dish in dishes {
        let standing = dish["standing"].as_array().expect("a standing");
        assert_eq!((standing.len(), &standing[10]["name"]), (11, &json!("echo 4 8")));
        let wins: Vec<u64> = standing.iter().map(|line| line["wins"].as_u64().expect("a number")).collect();
        assert!(wins.is_sorted_by(|a, b| a >= b) && wins.iter().sum::<u64>() <= 110, "{dish}");
        for line in &standing[..10] {
            assert_eq!(line["against"]["echo 4 8"], 2, "{line}");
        }
    }
    let text = place.run(&words);
    assert!(text.contains("6 × 5, 40 turns, 2 games of every pair") && text.contains("coordinated"), "{text}");
    assert!(text.contains("echo 4 8 failed: RE: answered `4 8` to BEGIN"), "{text}");
}
