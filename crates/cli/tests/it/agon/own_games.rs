//! Games whose rules are a program: named by their file everywhere, recorded with a digest of the rules, and proved by
//! asking the rules again.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;

use crate::agon::run::{Ran, agon, agon_reading, command, finish, folder, text};

const OTHELLO: &str = "examples/games/othello";
const GOOFSPIEL: &str = "examples/games/goofspiel";
const PIG: &str = "examples/games/pig";

/// The output of a run that exited with 0.
#[track_caller]
fn done(words: &[&str]) -> String {
    let ran = agon(words);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{words:?}\n{}", ran.out);
    ran.out
}

/// A new game of the starter in Python.
fn stones(folder: &TempDir, name: &str) -> PathBuf {
    let path = folder.path().join(name);
    done(&["game", "new", name, "python", text(&path)]);
    path
}

#[test]
fn a_new_game_is_whole() {
    let folder = folder();
    let path = stones(&folder, "heap");
    let at = text(&path);
    let names: Vec<String> = ["README.md", "rules.py", "sample.py"].map(str::to_owned).into();
    let mut found: Vec<String> =
        fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    found.sort();
    assert_eq!(found, names);
    let checked = done(&["game", "check", at, "--games", "3"]);
    assert!(checked.contains("  ok    every listed move is accepted") && !checked.contains("FAIL"), "{checked}");
    let json: Value = serde_json::from_str(&done(&["game", "check", at, "--games", "3", "--format", "json"])).unwrap();
    assert_eq!((&json["passes"], &json["games"]), (&Value::from(true), &Value::from(3)));
    let sample = path.join("sample.py");
    let played = done(&["play", at, "--first", text(&sample), "--second", "random", "--show", "none"]);
    assert!(played.contains("the last stone is taken"), "{played}");
    assert!(done(&["games", at]).contains("MOVE n takes n stones"));
    let rules = path.join("rules.py");
    let text_of = fs::read_to_string(&rules).unwrap();
    fs::write(&rules, text_of.replace("plies 60", "plies 60\nclock blitz 1+0.01 for long series")).unwrap();
    let record = folder.path().join("blitz.jsonl");
    done(&["play", at, "--clock", "blitz", "--show", "none", "--out", text(&record)]);
    let header = fs::read_to_string(&record).unwrap();
    assert!(header.contains("\"clock_ms\":1000,\"increment_ms\":10"), "{}", header.lines().next().unwrap());
    assert!(done(&["games", at]).contains("--clock blitz      for long series: 1+0.01"));
    let db = folder.path().join("blitz.db");
    done(&["match", "random", "greedy", "--clock", "blitz", "--game", at, "-n", "2", "--db", text(&db)]);

    let again = agon(&["game", "new", "heap", "python", at]);
    assert_eq!((again.code, again.err.contains("is there already")), (2, true), "{}", again.err);
    let refused = |words: &[&str], part: &str| {
        let ran = agon(words);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{words:?}");
        assert!(ran.err.contains(part), "{words:?}: {}", ran.err);
    };
    refused(&["game", "new", "Heap"], "small letters, digits and hyphens");
    refused(&["game", "new", "renju"], "a built-in game");
    refused(&["game", "new", "heap2", "pyton"], "did you mean `python`?");
    refused(&["play", at, "--clock", "slow"], "or `500ms/move` expected, not `slow`; heap@");
    refused(&["play", "./no-such-rules.py"], "no such file of rules: `./no-such-rules.py`");
    refused(&["play", "examples/games/README.md"], "unknown extension (.c .cpp");
    refused(&["play", "examples/games"], "a file `rules`");
}

#[test]
fn a_folder_of_rules_needs_no_slash() {
    // A path with blanks is quoted.
    fn unquoted((at, part): (usize, &str)) -> Vec<&str> {
        if at % 2 == 1 { vec![part] } else { part.split_whitespace().collect() }
    }
    let folder = folder();
    let at = |words: &[&str]| finish(command(words).current_dir(folder.path()));
    let made = at(&["game", "new", "heap"]);
    assert_eq!(made.code, 0, "{}", made.err);
    let played = at(&["play", "heap", "--first", "random", "--second", "greedy", "--show", "none", "--out", "a.jsonl"]);
    assert_eq!((played.code, played.err.as_str()), (0, ""), "{}", played.out);
    // The suggested next command works as printed.
    let replay = played.out.lines().find_map(|line| line.strip_prefix("replay   agon ")).unwrap();
    let words: Vec<&str> = replay.split('\'').enumerate().flat_map(unquoted).collect();
    assert!(words.contains(&"--rules"), "{replay}");
    assert!(at(&words).out.contains("proved"), "{replay}");
    let new = at(&["new", "heap"]);
    assert_eq!(new.code, 0, "{}", new.err);
    let readme = fs::read_to_string(folder.path().join("heap_bot/README.md")).unwrap();
    assert!(readme.contains("&& agon replay game.jsonl --rules "), "{readme}");
    let analysed = at(&["analyze", "heap", "--set", "stones=7", "--nodes", "400"]);
    assert!(analysed.out.contains("best   3"), "it leaves four: {}{}", analysed.out, analysed.err);
    let refused = at(&["analyze", "renju", "--set", "stones=7"]);
    assert_eq!((refused.code, refused.err.lines().count()), (2, 1), "{}", refused.err);
    fs::create_dir(folder.path().join("empty")).unwrap();
    let refused = at(&["game", "check", "empty"]);
    assert_eq!((refused.code, refused.out.as_str()), (2, ""), "{}", refused.err);
}

#[test]
fn runs_of_rules_that_are_not_given_are_no_damage() {
    let folder = folder();
    let path = stones(&folder, "stored");
    let db = folder.path().join("games.db");
    done(&["match", "greedy", "random", "--game", text(&path), "-n", "2", "--openings", "0", "--db", text(&db)]);
    let listed = agon(&["results", "--list", "--db", text(&db)]);
    assert!(listed.err.contains("run 1: the rules of `stored@"), "{}{}", listed.out, listed.err);
    assert!(listed.err.contains("--rules FILE") && !listed.err.contains("damaged"), "{}", listed.err);
}

#[test]
fn messages_name_what_is_there() {
    let folder = folder();
    let path = stones(&folder, "named");
    let at = text(&path);
    let refused = |words: &[&str], part: &str| {
        let ran = agon(words);
        assert_eq!((ran.code, ran.err.lines().count()), (2, 1), "{words:?}: {}", ran.err);
        assert!(ran.err.contains(part), "{words:?}: {}", ran.err);
    };
    refused(&["new", "named@0123456789ab"], "is a game of others: name its rules as --rules FILE, or a site");
    refused(&["game", "check", at, "--set", "stones=99"], "stones is `99`; 5 to 60 expected");
    refused(&["play", "heap", "--server", "localhost"], "--server is `localhost`: an address such as");
    assert!(done(&["game", "check", at, "-n", "2", "--all-parameters"]).contains("ok    every game ends"));
    assert!(done(&["game", "check", at, "-n", "2"]).contains("--all-parameters tries their other values"));
    // What the rules say is refused word by word, and the champion is not named where there is none.
    let ran = agon_reading(&["play", at, "--first", "human", "--second", "random"], "resign\n");
    assert!(ran.out.contains("hint asks `mcts`") && !ran.out.contains("champion"), "{}", ran.out);
    assert!(done(&["play", "--help"]).contains("--rules <FILE>"));
    let listed = done(&["games", at]).split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(listed.contains("[mcts:1 to mcts:5; default 5]"), "{listed}");
    let rules = path.join("rules.py");
    let changed = fs::read_to_string(&rules).unwrap().replace("stones 5..60 21", "stones 5..60 99");
    fs::write(&rules, changed).unwrap();
    refused(&["play", at], "the default of the parameter `stones`, `99`, is not in its range, `5..60`");
}

#[test]
fn a_broken_law_is_named() {
    let folder = folder();
    let path = stones(&folder, "broken");
    let rules = path.join("rules.py");
    let changed = fs::read_to_string(&rules).unwrap().replace("for taken in (1, 2, 3)", "for taken in (1, 2, 4)");
    fs::write(&rules, changed.replace("if move not in self.moves():", "if move not in (\"1\", \"2\"):")).unwrap();
    let ran = agon(&["game", "check", text(&path)]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("FAIL  every listed move is accepted"), "{}", ran.out);
    assert!(ran.out.contains("they refuse `4`, which they list as legal"), "{}", ran.out);
}

#[test]
fn a_record_is_proved_by_the_rules_that_judged_it() {
    let folder = folder();
    let path = stones(&folder, "proved");
    let record = folder.path().join("game.jsonl");
    let (at, record) = (text(&path), text(&record));
    done(&["play", at, "--first", "greedy", "--second", "random", "--show", "none", "--out", record]);
    let replayed = done(&["replay", record, "--rules", at]);
    assert!(replayed.contains("proved: every line follows from the rules"), "{replayed}");
    let refused = |words: &[&str]| -> Ran {
        let ran = agon(words);
        assert_eq!(ran.code, 2, "{words:?}: {}", ran.out);
        ran
    };
    let without = refused(&["replay", record]);
    assert!(without.err.contains("the rules of `proved@") && without.err.contains("--rules FILE"), "{}", without.err);
    let rules = path.join("rules.py");
    fs::write(&rules, fs::read_to_string(&rules).unwrap() + "# another game\n").unwrap();
    let changed = refused(&["replay", record, "--rules", at]);
    assert!(changed.err.contains("have changed: those given are of `proved@"), "{}", changed.err);
}

#[test]
fn othello_is_counted_inspected_and_analysed() {
    let counted = done(&["lab", "perft", OTHELLO, "4", "--format", "json"]);
    let nodes: Vec<u64> =
        counted.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["nodes"].as_u64().unwrap()).collect();
    assert_eq!(nodes, [1, 4, 12, 56, 244]);
    let start = "...........................WB......BW........................... B";
    let asked = format!("{{\"position\": \"{start}\"}}\n{{\"position\": \"x\"}}\n");
    let ran = agon_reading(&["inspect", OTHELLO], asked);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!((ran.code, lines.len()), (0, 2), "{}{}", ran.out, ran.err);
    assert!(lines[0].contains("\"turn\":\"first\"") && lines[0].contains("\"3 4\""), "{}", lines[0]);
    assert!(lines[1].contains("error"), "{}", lines[1]);
}

#[test]
fn samples_play_series_with_openings_and_stores() {
    let folder = folder();
    let db = folder.path().join("games.db");
    let sample = format!("{OTHELLO}/sample.py");
    let played = done(&[
        "match",
        "greedy",
        "random",
        "--game",
        OTHELLO,
        "--games",
        "4",
        "--openings",
        "4",
        "--db",
        text(&db),
        "-j",
        "1",
    ]);
    assert!(played.contains("greedy"), "{played}");
    let results = done(&["results", "--db", text(&db), "--rules", OTHELLO]);
    assert!(results.contains("greedy") && results.contains("random"), "{results}");
    let without = agon(&["results", "--db", text(&db)]);
    assert!(without.code == 2 && without.err.contains("--rules FILE"), "{}{}", without.out, without.err);
    let opened = done(&["play", OTHELLO, "--first", &sample, "--set", "opening=3 4/3 3", "--show", "none"]);
    assert!(opened.contains("neither side has a move"), "{opened}");
}

/// The lines that an agent was sent and that it wrote, from a record.
fn lines_of(record: &Path, side: &str) -> Vec<String> {
    let text = fs::read_to_string(record).unwrap();
    let entries = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let of = entries.filter(|entry| entry["to"] == side || entry["from"] == side);
    of.map(|entry| entry["line"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn hidden_choices_are_sent_to_neither_side() {
    let folder = folder();
    let record = folder.path().join("game.jsonl");
    let sample = format!("{GOOFSPIEL}/sample.py");
    let words = ["play", GOOFSPIEL, "--first", &sample, "--second", "random", "--show", "none", "--out", text(&record)];
    done(&words);
    let (first, second) = (lines_of(&record, "first"), lines_of(&record, "second"));
    assert!(first.iter().chain(&second).all(|line| !line.starts_with("OPP")), "{first:?}");
    assert_eq!(first[0], "INFO cards 13");
    // The second side bids without having seen the first bid, and learns of both afterwards.
    let turn = second.iter().position(|line| line.starts_with("TURN")).unwrap();
    assert!(second[..turn].iter().all(|line| !line.starts_with("INFO bids")), "{second:?}");
    let bids = second.iter().find(|line| line.starts_with("INFO bids")).unwrap();
    let bid = first.iter().find(|line| line.starts_with("MOVE")).unwrap();
    assert!(bids.starts_with(&bid.replace("MOVE", "INFO bids")), "{bids} after {bid}");
    assert!(done(&["replay", text(&record), "--rules", GOOFSPIEL]).contains("proved"));
    // A player's own view: of the moves, its own alone.
    let page = folder.path().join("second.html");
    let words = ["replay", text(&record), "--rules", GOOFSPIEL, "--seat", "second", "--show", "board"];
    let seen = done(&[&words[..], &["--out", text(&page)]].concat());
    let is_move = |line: &&str| line.split_whitespace().next().is_some_and(|word| word.parse::<u32>().is_ok());
    let moves_of = |seat: &str| seen.lines().filter(is_move).filter(|line| line.contains(&format!(" {seat} "))).count();
    assert_eq!((moves_of("First"), moves_of("Second")), (13, 13), "{seen}");
    let hidden = seen.lines().filter(|line| line.contains("(hidden)")).collect::<Vec<_>>();
    assert!(hidden.len() == 13 && hidden.iter().all(|line| line.contains(" First ")), "{seen}");
    // What it learned of the public moves stands below them.
    assert_eq!(seen.matches("INFO second: bids ").count(), 13, "{seen}");
    let clocked = ["play", GOOFSPIEL, "--first", &sample, "--second", "random", "--show", "none", "--clock", "5s"];
    done(&clocked);
    assert_eq!(fs::read_to_string(&page).unwrap().matches("(hidden)").count(), 13);
}

#[test]
fn people_play_games_with_secrets() {
    // Against a player that bids first: neither the board nor the line of its move shows the bid.
    let words = ["play", GOOFSPIEL, "--first", "random", "--second", "human", "--set", "cards=3", "--seed", "4"];
    let ran = agon_reading(&words, "3\nundo\n2\n1\n".to_owned());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let before = ran.out.split("Second 3").next().unwrap();
    assert!(before.contains("1 First (hidden)") && before.contains("\nFirst: bids: ?\n"), "{before}");
    assert!(before.contains("\nFirst: ? ?\nSecond: 1 2 3\n"), "{before}");
    assert!(ran.out.contains("\nINFO bids "), "{}", ran.out);
    assert!(ran.out.contains("no: what has been seen cannot be taken back"), "{}", ran.out);
    assert!(ran.out.contains("all cards are played"), "{}", ran.out);
    // Two people at one terminal.
    let words = ["play", GOOFSPIEL, "--first", "human", "--second", "human", "--set", "cards=3"];
    let ran = agon_reading(&words, "3\n2\n1\n1\n2\n3\n".to_owned());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("1 First (hidden)") && ran.out.contains("2 Second (hidden)"), "{}", ran.out);
}

#[test]
fn a_person_plays_the_built_in_players() {
    let folder = folder();
    let path = stones(&folder, "by-hand");
    for opponent in ["random", "greedy", "mcts:1"] {
        let words = ["play", text(&path), "--first", "human", "--second", opponent, "--set", "stones=5", "--seed", "1"];
        // Whatever it takes, one of these ends the game; what is not legal is asked for again.
        let ran = agon_reading(&words, "1\n1\n2\n3\n1\n1\n".to_owned());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{opponent}: {}", ran.out);
        assert!(ran.out.contains("wins: the last stone is taken"), "{opponent}: {}", ran.out);
    }
}

#[test]
fn chance_follows_from_the_seed() {
    let folder = folder();
    let records = ["1", "1", "2"].map(|seed| {
        let record = folder.path().join(format!("{seed}.jsonl"));
        let sample = format!("{PIG}/sample.py");
        let words = ["play", PIG, "--first", &sample, "--second", &sample, "--show", "none", "--seed", seed];
        done(&[&words[..], &["--set", "goal=30", "--out", text(&record)]].concat());
        let lines = lines_of(&record, "first");
        lines.into_iter().filter(|line| line.starts_with("INFO rolled")).collect::<Vec<_>>()
    });
    assert!(records[0].len() > 3 && records[0] == records[1] && records[0] != records[2], "{records:?}");
}

#[test]
fn rules_that_fail_interrupt_the_game_and_blame_no_agent() {
    let folder = folder();
    let path = stones(&folder, "failing");
    let rules = path.join("rules.py");
    let failing = fs::read_to_string(&rules).unwrap().replace("self.stones -= int(move)", "self.stones //= 0");
    fs::write(&rules, failing).unwrap();
    let ran = agon(&["play", text(&path), "--first", "random", "--second", "random", "--format", "json"]);
    let result: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}{}", ran.out, ran.err));
    assert_eq!(result["winner"], "void", "{result}");
    assert_eq!(result["verdicts"], serde_json::json!(["INTERRUPTED", "INTERRUPTED"]), "{result}");
    assert!(result["reason"].as_str().unwrap().contains("the rules of Failing failed"), "{result}");
}
