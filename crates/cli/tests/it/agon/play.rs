//! `agon play` of games that end as games should.

use std::path::Path;

use agon_referee::agent::Language;
use agon_referee::process::find_program;
use agon_referee::record::{Record, Termination, Way};
use agon_referee::verdict::Verdict;
use serde_json::Value;

use crate::agon::run::{BINARY, GAMES, agon, agon_reading, file, folder, is_slow, shallow_sample, text};

/// The record of a game.
#[track_caller]
pub fn record_of(path: &Path) -> Record {
    Record::read(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Plays a game and reads its record.
#[track_caller]
fn recorded(arguments: &[&str]) -> Record {
    let folder = folder();
    let path = folder.path().join("game.jsonl");
    let ran = agon(&[&["play", "--out", text(&path), "--show", "none"], arguments].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}: {}", ran.out);
    let record = record_of(&path);
    assert!(record.is_clean(), "{arguments:?}: {}", ran.out);
    record
}

/// The answers of both sides, READY's among them.
fn answers(record: &Record) -> Vec<&str> {
    record.entries.iter().filter(|entry| entry.way == Way::From).map(|entry| entry.line.as_str()).collect()
}

#[test]
fn each_agent_has_processors_of_its_own_where_there_are_two() {
    let folder = folder();
    let script = "read -r _; while read -r name value; do \
                  [ \"$name\" != Cpus_allowed_list: ] || echo \"$value\" >&2; done < /proc/$$/status; exit 3";
    let bot = file(&folder, "bot.sh", script);
    let path = folder.path().join("game.jsonl");
    let bot = format!("sh '{}'", bot.display());
    let ran = agon(&["play", "renju", "--first", &bot, "--second", &bot, "--out", text(&path), "--show", "none"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let [first, second] = record_of(&path).result.stderr;
    assert!(!first.is_empty() && !second.is_empty(), "{first} and {second}");
    let one = std::thread::available_parallelism().is_ok_and(|processors| processors.get() == 1);
    assert_eq!(first == second, one, "{first} and {second}");
}

#[test]
fn a_result_in_json_has_every_key() {
    #[track_caller]
    fn check(game: &str, first: &str, second: &str, has_score: bool) {
        let result = agon(&["play", game, "--first", first, "--second", second, "--seed", "7", "--format", "json"]);
        let result = result.json();
        let keys: Vec<&String> = result.as_object().unwrap().keys().collect();
        assert_eq!(
            keys,
            [
                "game",
                "winner",
                "reason",
                "score",
                "verdicts",
                "faults",
                "causes",
                "plies",
                "time_ms",
                "disturbed",
                "seed",
                "agents",
                "jail",
                "record",
            ]
        );
        assert_eq!(result["game"], game);
        assert_eq!(result["agents"], serde_json::json!([first, second]));
        assert_eq!(result["verdicts"], serde_json::json!(["OK", "OK"]));
        assert_eq!(result["faults"], serde_json::json!([null, null]));
        assert_eq!(result["seed"], 7);
        assert_eq!(result["record"], Value::Null);
        assert!(["first", "second", "draw"].contains(&result["winner"].as_str().unwrap()), "{result}");
        assert!(!result["reason"].as_str().unwrap().is_empty());
        assert!(result["plies"].as_u64().unwrap() > 0);
        assert!(result["time_ms"].as_array().unwrap().iter().all(|ms| ms.as_f64().unwrap() > 0.0), "{result}");
        match (has_score, &result["score"]) {
            (false, Value::Null) => {}
            (true, Value::Array(points)) => {
                let [first, second] = [0, 1].map(|at| points[at].as_f64().unwrap());
                let winner = match first.total_cmp(&second) {
                    std::cmp::Ordering::Greater => "first",
                    std::cmp::Ordering::Less => "second",
                    std::cmp::Ordering::Equal => "draw",
                };
                assert_eq!(result["winner"], winner, "{result}");
            }
            (_, score) => panic!("{game} has the score {score}"),
        }
    }
    for (game, has_score) in [("bacteria", true), ("domineering", true), ("renju", false)] {
        for (first, second) in [("greedy", "greedy"), ("greedy", "random"), ("random", "greedy")] {
            check(game, first, second, has_score);
        }
    }
}

#[test]
fn a_pipe_gets_a_line_a_move() {
    #[track_caller]
    fn check(game: &str, [first, second]: [&str; 2]) {
        let ran = agon(&["play", game, "--first", "random", "--second", "greedy", "--seed", "7"]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(!ran.out.contains('\x1b'), "{}", ran.out);
        let lines: Vec<&str> = ran.out.lines().collect();
        let [heading, moves @ .., headline, first_line, second_line, last] = lines.as_slice() else {
            panic!("{}", ran.out)
        };
        assert!(heading.ends_with(&format!(": {first} random – {second} greedy")), "{heading}");
        for (at, line) in moves.iter().enumerate() {
            let seat = if at % 2 == 0 { first } else { second };
            assert!(line.trim_start().starts_with(&format!("{} {seat} ", at + 1)), "{line}");
        }
        assert!(headline.starts_with(&format!("{second} greedy wins")), "{headline}");
        assert!(first_line.starts_with(&format!("first  {first}")) && first_line.ends_with("random"), "{first_line}");
        assert!(second_line.contains(" OK ") && second_line.ends_with("greedy"), "{second_line}");
        assert_eq!(*last, format!("{} plies, seed 7", moves.len()));
    }
    for (game, seats) in GAMES {
        check(game, seats);
    }
}

#[test]
fn a_game_is_shown_as_asked() {
    #[track_caller]
    fn check(how: &str, boards: bool, moves: bool) {
        let ran = agon(&["play", "domineering", "--seed", "7", "--show", how]);
        assert_eq!(ran.code, 0);
        assert_eq!(ran.out.matches("\nclocks ").count() > 1, boards, "{}", ran.out);
        assert_eq!(ran.out.lines().any(|line| line.starts_with("   1 H ")), moves, "{}", ran.out);
        assert!(ran.out.contains("plies, seed 7"), "{}", ran.out);
    }
    check("board", true, true);
    check("line", false, true);
    check("none", false, false);
}

/// The record without the parts that vary between runs: times.
fn timeless(record: &Record) -> Vec<String> {
    let lines = record.entries.iter().map(|entry| {
        let line = match entry.line.split_once(' ') {
            Some(("TURN", _)) => "TURN",
            Some(("OPP", _)) => entry.line.rsplit_once(' ').unwrap().0,
            _ => &entry.line,
        };
        format!("{} {:?} {line}", entry.side, entry.way)
    });
    let (header, result) = (&record.header, &record.result);
    lines
        .chain([format!("{:?} {:?} {:?}", header.game, header.parameters, header.agents)])
        .chain([format!("{} {} {:?} {} {:?}", result.winner, result.reason, result.score, result.plies, result.stderr)])
        .collect()
}

#[test]
fn a_seed_gives_the_same_game_again() {
    for (game, _) in GAMES {
        let [once, again, other] = ["7", "7", "8"]
            .map(|seed| timeless(&recorded(&[game, "--first", "random", "--second", "random", "--seed", seed])));
        assert_eq!(once, again, "{game}");
        assert_ne!(once, other, "{game}");
    }
}

/// Starting positions of games: as usual, after openings of one move and of two or three, on boards of other sizes.
const STARTS: [(&str, &[&str]); 12] = [
    ("bacteria", &[]),
    ("bacteria", &["opening=1 1 1 2"]),
    ("bacteria", &["opening=1 1 3 3/1 7 1 6"]),
    ("bacteria", &["position=x5o/7/2x1o2/7/7/7/o5x x 0 3"]),
    ("bacteria", &["position=x5o/7/2x1o2/7/7/7/o5x o 0 3", "opening=d4"]),
    ("domineering", &[]),
    ("domineering", &["opening=4 4/-1 -1/1 1"]),
    ("domineering", &["rows=5", "columns=7", "opening=1 1/2 7"]),
    ("domineering", &["rows=3", "columns=1"]),
    ("renju", &[]),
    ("renju", &["opening=H8"]),
    ("renju", &["opening=H8/H9/J10/J9"]),
];

/// True if this machine can run programs with this extension.
fn is_there(extension: &str) -> bool {
    let language = Language::by_extension(Path::new(&format!("bot.{extension}"))).unwrap();
    find_program(language.compiler()).is_some()
}

#[test]
fn samples_play_alike_in_every_language_wherever_a_game_begins() {
    let place = folder();
    let play = |game: &str, parameters: &[&str], languages: [&str; 2]| {
        let [first, second] = languages.map(|extension| {
            let path = file(&place, &format!("{game}.{extension}"), &shallow_sample(game, extension));
            text(&path).to_owned()
        });
        // Time for the whole depth on any machine.
        let mut arguments = vec![game, "--first", &first, "--second", &second, "--seed", "7", "--clock", "1h"];
        arguments.extend(parameters.iter().flat_map(|parameter| ["--set", parameter]));
        let record = recorded(&arguments);
        assert_eq!(record.header.agents.each_ref().map(|agent| agent.agent.as_str()), [first, second]);
        record
    };
    for (game, parameters) in STARTS {
        let expected = play(game, parameters, ["c", "py"]);
        // Each language plays one of the seats, and both with AGON_SLOW.
        let pairs: &[[&str; 2]] = if is_slow() {
            &[["py", "java"], ["java", "rs"], ["rs", "cpp"], ["cpp", "c"], ["js", "c"], ["rb", "js"]]
        } else {
            &[["java", "rs"], ["cpp", "c"], ["js", "rb"]]
        };
        for &languages in pairs.iter().filter(|languages| languages.iter().all(|extension| is_there(extension))) {
            let record = play(game, parameters, languages);
            assert_eq!(answers(&record), answers(&expected), "{game} {parameters:?}: {languages:?}");
        }
    }
    let kinds = |languages| play("renju", &[], languages).header.agents.map(|agent| agent.kind);
    assert_eq!(
        (kinds(["java", "rs"]), kinds(["cpp", "c"])),
        (["JAVA", "RUST"].map(Into::into), ["CPP20", "C20"].map(Into::into))
    );
}

#[test]
fn a_built_in_plays_alike_as_a_program() {
    for (game, _) in GAMES {
        let program = format!("'{BINARY}' agent {game} random");
        let inside = recorded(&[game, "--first", "random", "--second", "random", "--seed", "7"]);
        let outside = recorded(&[game, "--first", "random", "--second", &program, "--seed", "7"]);
        assert_eq!(outside.header.agents[1].kind, "command");
        assert_eq!(answers(&inside), answers(&outside), "{game}");
    }
}

#[test]
fn limits_and_parameters_are_in_the_record() {
    let record = recorded(&[
        "domineering",
        "--seed",
        "7",
        "--clock",
        "4321ms",
        "--memory",
        "512",
        "--freeze",
        "--set",
        "rows=3",
        "--set",
        "columns=4",
        "--set",
        "bonus=0",
    ]);
    let limits = record.header.limits;
    assert_eq!((limits.clock_ms, limits.memory_mib, limits.freeze), (4321, 512, true));
    let parameters: Vec<_> = record.header.parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
    assert_eq!(parameters, ["bonus=0", "columns=4", "rows=3"]);
    let message: Vec<&str> = record.entries.iter().map(|entry| entry.line.as_str()).collect();
    assert_eq!(message[3], "READY FIRST");
    assert!(message[..3].iter().all(|row| row.split(' ').count() == 4), "{message:?}");
    assert!(message.contains(&"TURN 4321 4321"), "{message:?}");
}

#[test]
fn a_frozen_program_still_plays() {
    let [c, python] = ["c", "py"].map(|extension| format!("crates/cli/tests/bots/domineering.{extension}"));
    let record = recorded(&["domineering", "--first", &c, "--second", &python, "--freeze", "--seed", "7"]);
    assert!(record.header.limits.freeze);
}

#[test]
fn a_given_board_is_played_on() {
    let folder = folder();
    let board = file(&folder, "board.txt", "1 1 2\n0 3  1\n\n");
    let record = recorded(&["domineering", "--board", text(&board)]);
    let message: Vec<&str> = record.entries.iter().take(3).map(|entry| entry.line.as_str()).collect();
    assert_eq!(message, ["1 1 2", "0 3 1", "READY FIRST"]);
}

#[test]
fn a_clean_game_keeps_no_record_unless_asked() {
    let folder = folder();
    let path = folder.path().join("new/folder/a game.jsonl");
    let mut run = crate::agon::run::command(&["play", "bacteria", "--show", "none"]);
    let ran = crate::agon::run::finish(run.env("AGON_STATE", folder.path()));
    assert_eq!(ran.code, 0);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

    let ran = agon(&["play", "bacteria", "--show", "none", "--out", text(&path)]);
    // A path with a typing error is noticed.
    let made = format!("note: made the folder `{}` for the record\n", text(path.parent().unwrap()));
    assert_eq!(ran.err, made);
    let hint = format!("replay   agon replay '{}'", text(&path));
    assert_eq!(ran.out.lines().last(), Some(hint.as_str()));
    assert!(record_of(&path).is_clean());
}

#[test]
fn the_result_is_printed_even_if_the_record_cannot_be_written() {
    let ran = agon(&["play", "bacteria", "--show", "none", "--seed", "7", "--out", "/dev/full"]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.ends_with("plies, seed 7\n"), "{}", ran.out);
    assert!(ran.err.starts_with("error: cannot "), "{}", ran.err);
}

/// A person who resigns has lost, and has broken no rule.
#[test]
fn a_person_may_resign() {
    let folder = folder();
    let check = |seats: [&str; 2], lines: &str, game: &str, reason: &str| {
        let record = folder.path().join("game.jsonl");
        let words = ["play", game, "--first", seats[0], "--second", seats[1], "--seed", "1", "--out", text(&record)];
        let ran = agon_reading(&words, lines);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        assert!(ran.out.contains(reason) && !ran.out.contains("failed"), "{}", ran.out);
        let result = record_of(&record).result;
        assert_eq!(result.verdicts.map(|judged| judged.verdict), [Verdict::Ok; 2]);
        assert_eq!(result.termination, Some(Termination::Resignation));
        // The rules agree that the game can have ended so.
        let proved = agon(&["replay", text(&record), "--show", "none"]);
        assert!(proved.code == 0 && proved.out.contains("proved: "), "{}{}", proved.out, proved.err);
    };
    check(["human", "random"], "resign\n", "renju", "White random wins: Black resigns");
    check(["human", "greedy"], "h8\nresign\n", "renju", "White greedy wins: Black resigns");
    check(["greedy", "human"], "resign\n", "bacteria", "O greedy wins 3–2: X resigns");
    // At the end of the input, too.
    check(["human", "greedy"], "", "domineering", ": H resigns");
}
