//! The petri dish by the command line: every command of it, and cells in every language.

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::run::{BINARY, agon, agon_reading, file, folder, text};

/// A run that must succeed: what it printed.
#[track_caller]
fn printed(words: &[&str]) -> String {
    let ran = agon(words);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}");
    ran.out
}

/// The result of a run, as JSON.
#[track_caller]
fn result(words: &[&str]) -> Value {
    agon(&[words, &["--format", "json"]].concat()).json()
}

/// A run that must be refused with this in its message.
#[track_caller]
fn refused(words: &[&str], input: &str, message: &str) {
    let ran = agon_reading(words, input);
    assert!(ran.code == 2 && ran.err.contains(message), "{words:?}: {} {}", ran.code, ran.err);
}

/// The answers of both programs to all that they were asked in a game, BEGIN included.
fn answers(words: &[&str]) -> Vec<String> {
    let folder = folder();
    let record = folder.path().join("game.jsonl");
    printed(&[&["play", "petri", "--show", "none", "--out", text(&record)], words].concat());
    printed(&["replay", text(&record)]);
    let record = fs::read_to_string(&record).unwrap();
    let lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let lines = lines.filter(|line| line["from"].is_string());
    lines.map(|line| format!("{} {}", line["from"], line["line"].as_str().unwrap_or_default().trim_end())).collect()
}

/// The command that is a species as a program.
fn species(name: &str) -> String {
    format!("'{BINARY}' agent petri {name}")
}

const GAMES: &str = include_str!("../../../rules/tests/data/petri/games.jsonl");

#[test]
fn recorded_games_pass_through_inspect() {
    let ran = agon_reading(&["inspect", "petri"], GAMES);
    assert_eq!((ran.code, ran.out.lines().count(), GAMES.lines().count()), (0, 176, 176));
    for (game, answer) in GAMES.lines().zip(ran.out.lines()) {
        let game: Value = serde_json::from_str(game).unwrap();
        let answer: Value = serde_json::from_str(answer).unwrap();
        for key in ["final", "boards", "states"] {
            assert_eq!(answer[key], game[key], "{key} of game {}", game["id"]);
        }
    }
}

#[test]
fn inspect_says_what_is_wrong_and_goes_on() {
    let ask = |question: &str| agon_reading(&["inspect", "petri"], question).out.trim_end().to_owned();
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
    let check = |words: &[&str], input: &str, answer: &str| {
        let ran = agon_reading(&[&["agent", "petri"], words].concat(), input);
        assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, answer, ""), "{words:?} {input:?}");
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
    refused(&["agent", "petri", "amoeba"], "HELLO", "BEGIN or a dish expected: `HELLO`: width and height");
    refused(&["agent", "petri", "amoeba", "--loop"], "4 4\n...", "row 0 `...`");
    refused(&["agent", "petri", "nobody"], "", "petri has no built-in player `nobody`; it has hungry,");
    refused(&["agent", "bacteria", "greedy", "--loop"], "", "--loop is for petri");
}

#[test]
fn species_answer_as_programs_as_they_do_within() {
    let check = |name: &str, word: &str| {
        let common = ["--turns", "7", "--seed", "5", "--second", "slime"];
        let within = answers(&[&["--first", name], &common[..]].concat());
        let program = format!("{} {word}", species(name));
        let mut outside = answers(&[&["--first", &program], &common[..]].concat());
        assert!(within.len() > 30, "{name}: {within:?}");
        let announced = |answers: &[String]| answers[0].trim_end_matches(" LOOP").to_owned();
        assert_eq!(announced(&outside), announced(&within));
        outside[0].clone_from(&within[0]);
        assert_eq!(outside, within, "{name} {word}");
    };
    for name in ["coordinated", "amoeba", "clojure", "champion"] {
        check(name, "");
        check(name, "--loop");
    }
    // A program that is run anew gets the very seed that the species within draws from.
    check("node480", "");
    check("evolution", "");
}

#[test]
fn sample_cells_play_alike_in_every_language() {
    let play = |extension: &str| {
        let cell = format!("agents/petri/sample.{extension}");
        answers(&["--first", &cell, "--second", "coordinated", "--turns", "6", "--seed", "1"])
    };
    let expected = play("c");
    assert!(expected.len() > 20, "{expected:?}");
    for extension in ["cpp", "py", "java", "js", "rb", "rs"] {
        assert_eq!(play(extension), expected, "sample.{extension}");
    }
}

#[test]
fn a_game_is_shown_turn_by_turn() {
    let words = ["play", "petri", "--size", "6x5", "--turns", "20", "--seed", "3"];
    let out = printed(&words);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "Battle for the Petri Dish: 1 coordinated – 2 evolution");
    let turns = lines.iter().filter(|line| line.contains(" 1 DIVIDE") || line.contains("REST")).count();
    assert!((10..=40).contains(&turns), "{out}");
    assert!(out.contains(" actions, seed 3\n"), "{out}");
    let board = printed(&[&words[..], &["--show", "board"]].concat());
    assert!(board.contains("cells  1") && board.contains("energy 1") && board.contains("used 1 0."), "{board}");
    let json = result(&words);
    assert_eq!(json["agents"], json!(["coordinated", "evolution"]));
    assert_eq!(json["invocations"]["rechecked"], json!([0, 0]));
}

#[test]
fn what_cannot_be_is_refused() {
    let check = |words: &[&str], message: &str| refused(words, "", message);
    check(&["play", "petri", "--width", "3"], "width is `3`; 4 to 255 expected");
    check(&["play", "petri", "--turns", "9", "--set", "turns=9"], "parameter `turns` is given twice");
    check(&["play", "petri", "--size", "3x9"], "width is `3`; 4 to 255 expected");
    check(&["play", "petri", "--size", "9", "--set", "width=9"], "parameter `width` is given twice");
    check(&["play", "petri", "--size", "9", "--width", "9"], "cannot be used with");
    check(&["play", "bacteria", "--width", "7"], "bacteria has no parameter `width`; it has opening");
    check(&["play", "petri", "--check-stateless=101"], "101 is not in 0..=100");
    check(&["play", "petri", "--first", "greedy"], "`greedy` is no agent here: not a built-in player (hungry,");
    check(&["perft", "petri", "3"], "petri has many actors a turn: its lines of play cannot be counted");
    check(&["petri", "score", "amoeba", "nobody"], "`nobody` is no agent here");
    check(&["petri", "score", "amoeba", "slime", "--height", "256"], "height is `256`; 4 to 255 expected");
    check(&["petri", "league", "--size", "10x"], "WIDTHxHEIGHT expected, as 10x4, or 6 for a square");
    check(&["petri", "league", "--size", "3"], "width is `3`; 4 to 255 expected");
    check(&["petri", "league", "--size", "3x9"], "width is `3`; 4 to 255 expected");
}

#[test]
fn a_gauntlet_counts_wins_and_can_say_no() {
    let words = ["petri", "gauntlet", "coordinated", "--against", "hungry", "--size", "10x4", "--games", "4"];
    let counted = result(&words);
    assert_eq!((&counted["opponents"][0]["wins"], &counted["dishes"]), (&json!([4]), &json!(["10x4"])));
    assert!(printed(&words).contains("hungry"), "{words:?}");
    assert_eq!(agon(&[&words[..], &["--least", "100"]].concat()).code, 0);
    let lost = ["petri", "gauntlet", "hungry", "--against", "coordinated", "--size", "10x4", "--games", "4"];
    assert_eq!(agon(&[&lost[..], &["--least", "1"]].concat()).code, 1);
    // Variants have names too.
    assert_eq!(result(&["petri", "score", "coordinated:punch3", "hungry", "--games", "2"])["wins"], json!([2, 0]));
}

#[test]
fn a_policy_is_tuned_step_by_step() {
    let folder = folder();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let train = |out: &str, generations: &str| {
        let words = ["train", "petri", "--out", out, "--generations", generations, "--species", "4/8/0", "--seed", "3"];
        result(&words)
    };
    let (whole, parts) = (file("whole.toml"), file("parts.toml"));
    assert_eq!(train(&whole, "2")["generations"], json!(2));
    train(&parts, "1");
    train(&parts, "2");
    let policy = |name: &str| {
        let text = fs::read_to_string(name).unwrap();
        assert!(text.starts_with("# agon train petri --out "), "{text}");
        text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n")
    };
    assert_eq!(policy(&whole), policy(&parts));
    let words = ["petri", "gauntlet", "--policy", &whole, "--against", "hungry", "--size", "10x4", "--games", "2"];
    assert_eq!(result(&words)["games"], json!(2));
    let other = ["train", "petri", "--out", &whole, "--seed", "4"];
    refused(&other, "", "is of another start, rivals, dishes, bouts, step or seed: remove it, or choose another --out");
    refused(&["train", "petri", "--out", &file("no"), "--species", "6/6"], "", "HP/ENERGY/ACIDITY expected");
}

#[test]
fn a_state_is_found_out_and_an_honest_cell_is_not_accused() {
    let folder = folder();
    let file = folder.path().join("state").display().to_string();
    let play = |act: &str| {
        let cell = format!("sh -c 'case \"$(cat)\" in BEGIN) echo 4 8 0 ;; *) {act} ;; esac'");
        printed(&["play", "petri", "--first", &cell, "--turns", "8", "--check-stateless=100", "--show", "none"])
    };
    let counts = format!("echo x >>{file}; if [ $(($(wc -l <{file}) % 2)) = 0 ]; then echo REST; else echo MOVE N; fi");
    let cheat = play(&counts);
    assert!(cheat.contains("answers differ when asked again: it keeps a state"), "{cheat}");
    let honest = play("if [ $((AGON_SEED % 2)) = 0 ]; then echo REST; else echo DIVIDE E; fi");
    assert!(honest.contains("first  0 of ") && !honest.contains("keeps a state"), "{honest}");
}

#[test]
fn a_failure_at_begin_is_explained() {
    let out = printed(&["play", "petri", "--first", "echo 4 8", "--second", "amoeba", "--show", "none"]);
    let reason = "\n  answered `4 8` to BEGIN: `4 8`: three numbers HP ENERGY ACIDITY expected";
    assert!(out.contains(reason) && out.contains("limits   2000 ms an invocation, 1024 MiB"), "{out}");
}

#[test]
fn a_changed_record_is_refused() {
    let folder = folder();
    let record = folder.path().join("game.jsonl");
    let page = folder.path().join("game.html");
    printed(&["play", "petri", "--turns", "5", "--show", "none", "--out", text(&record)]);
    assert!(printed(&["replay", text(&record), "--out", text(&page)]).contains("proved"));
    let page = fs::read_to_string(&page).unwrap();
    assert!(page.contains("DIVIDE"));
    assert!(page.contains(r#""origin":0,"#), "programs count from 0");
    let lines = fs::read_to_string(&record).unwrap();
    fs::write(&record, lines.replacen("REST", "MOVE N", 1)).unwrap();
    let ran = agon(&["replay", text(&record)]);
    assert!(ran.code == 1 && ran.err.contains("the seal is broken"), "{} {}", ran.code, ran.err);
}

#[test]
fn a_score_counts_wins_however_many_games_are_played_at_once() {
    let words = ["petri", "score", "slime", "node480", "--games", "21", "--seed", "7"];
    let score = result(&[&words[..], &["--jobs", "1"]].concat());
    assert_eq!(result(&[&words[..], &["--jobs", "3"]].concat()), score);
    let number = |value: &Value| value.as_u64().unwrap();
    let wins = [number(&score["wins"][0]), number(&score["wins"][1])];
    assert!(wins[0] > 0 && wins[1] > 0 && wins[0] + wins[1] + number(&score["draws"]) == 21, "{score}");
    let sizes = [&score["games"], &score["width"], &score["height"], &score["turns"], &score["seed"]].map(number);
    assert_eq!(sizes, [21, 10, 4, 150, 7]);
    let out = printed(&["petri", "score", "coordinated", "hungry", "--games", "10"]);
    assert_eq!(out, "coordinated 10 : 0 hungry   0 draws in 10 games on 10 × 4\n");
}

#[test]
fn a_program_is_scored_through_the_referee() {
    let dish = ["--games", "4", "--size", "5x4", "--turns", "12"];
    let program = species("amoeba");
    let played = result(&[&["petri", "score", &program, "coordinated"], &dish[..]].concat());
    // Neither of them draws anything, so it is the same as within.
    let within = result(&[&["petri", "score", "amoeba", "coordinated"], &dish[..]].concat());
    assert_eq!(played, within);
    let folder = folder();
    let failing = begins_once(&folder);
    let failed = result(&[&["petri", "score", &failing, "hungry"], &dish[..]].concat());
    assert_eq!(failed["wins"], json!([0, 4]));
    assert!(failed["faults"][0].as_str().unwrap().starts_with("RE: answered `4 8` to BEGIN"), "{failed}");
}

/// A program that begins well when it is tried, and never again.
fn begins_once(folder: &TempDir) -> String {
    let script = file(folder, "cell.sh", "[ -e $0.tried ] && exec echo 4 8\ntouch $0.tried\necho 4 8 0\n");
    format!("sh {}", text(&script))
}

#[test]
fn programs_that_cannot_begin_stop_a_series() {
    let folder = folder();
    let bad = file(&folder, "bad.c", "int main(void) { return x; }\n");
    let bad = text(&bad);
    let check = |words: &[&str]| {
        let ran = agon(&[words, &["--games", "1"]].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words:?}");
        for part in [
            format!("agent `{bad}`: C20 does not compile it:\nprogram.c: In function"),
            "agent `echo 4 8`: not ready to play: RE: answered `4 8` to BEGIN: ".to_owned(),
        ] {
            assert!(ran.err.contains(&part), "`{part}` is missing:\n{}", ran.err);
        }
    };
    check(&["petri", "score", bad, "echo 4 8"]);
    check(&["petri", "league", "echo 4 8", bad]);
    check(&["petri", "gauntlet", "echo 4 8", "--against", "hungry", "--against", bad]);
}

#[test]
fn the_league_takes_all_species_and_any_program() {
    let folder = folder();
    let failing = begins_once(&folder);
    let words = ["petri", "league", &*failing, "--games", "2", "--size", "6x5", "--size", "5x5", "--turns", "40"];
    let league = result(&words);
    let dishes = league["dishes"].as_array().unwrap();
    assert_eq!(dishes.len(), 2);
    for dish in dishes {
        let standing = dish["standing"].as_array().unwrap();
        assert_eq!((standing.len(), &standing[11]["name"]), (12, &json!(failing)));
        let wins: Vec<u64> = standing.iter().map(|line| line["wins"].as_u64().unwrap()).collect();
        assert!(wins.is_sorted_by(|a, b| a >= b) && wins.iter().sum::<u64>() <= 132, "{dish}");
        for line in &standing[..11] {
            assert_eq!(line["against"][&failing], 2, "{line}");
        }
    }
    fs::remove_file(folder.path().join("cell.sh.tried")).unwrap();
    let out = printed(&words);
    assert!(out.contains("6 × 5, 40 turns, 2 games of every pair") && out.contains("coordinated"), "{out}");
    assert!(out.contains(&format!("{failing} failed: RE: answered `4 8` to BEGIN")), "{out}");
}
