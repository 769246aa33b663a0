//! Engines of other arenas under the judge, and ours spoken to as other arenas do.

use agon_referee::record::Record;

use crate::agon::play::record_of;
use crate::agon::run::{BINARY, agon, agon_reading, command as command_of, file, finish, folder, root, text, word};

/// The engine that behaves in this way, as an agent.
fn engine(protocol: &str, way: &str) -> String {
    format!("{protocol}:{}", command(protocol, way))
}

fn command(protocol: &str, way: &str) -> String {
    let script = root().join("crates/cli/tests/engines/engine.py");
    format!("python3 '{}' {protocol} {way}", script.display())
}

fn game(protocol: &str) -> &'static str {
    if protocol == "uai" { "bacteria" } else { "renju" }
}

/// A clock that no machine is too loaded for.
const ROOMY: &str = "60s";

/// Plays a game and reads its record.
#[track_caller]
fn played(clock: &str, arguments: &[&str]) -> Record {
    let folder = folder();
    let path = folder.path().join("game.jsonl");
    let common = ["play", "--out", text(&path), "--show", "none", "--seed", "7", "--clock", clock];
    let ran = agon(&[&common, arguments].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{arguments:?}: {}", ran.out);
    record_of(&path)
}

/// The verdict of both sides, and the reason of the one that lost by it.
fn verdicts(record: &Record) -> [String; 2] {
    record.result.verdicts.each_ref().map(|judged| judged.verdict.to_string())
}

#[test]
fn our_own_engines_play_through_a_bridge() {
    #[track_caller]
    fn check(protocol: &str, player: &str, engine: &str) {
        let agent = format!("{protocol}:{} {protocol} --engine {engine}", word(BINARY));
        for agents in [[player, &agent], [&agent, player]] {
            let record = played(ROOMY, &[game(protocol), "--first", agents[0], "--second", agents[1]]);
            assert!(record.is_clean(), "{:?}", record.result);
            let at = usize::from(agents[0] == player);
            let note = &record.header.agents[at];
            assert_eq!((note.kind.as_str(), note.agent.as_str()), (protocol, agent.as_str()));
        }
    }
    check("uai", "random", "greedy");
    check("uai", "greedy", "random");
    check("gomocup", "random", "greedy");
    check("gomocup", "greedy", "random");
}

#[test]
fn engines_of_others_play() {
    #[track_caller]
    fn check(protocol: &str, way: &str) -> Record {
        let record = played(ROOMY, &[game(protocol), "--first", &engine(protocol, way), "--second", "random"]);
        assert!(record.is_clean(), "{protocol} {way}: {:?}", record.result);
        record
    }
    let message = check("uai", "well").result.stderr[0].clone();
    assert!(message.starts_with("go btime "), "{message}");
    // If engines stay longer than the judge allows, the bridge does not.
    check("uai", "stay");
    let message = check("gomocup", "well").result.stderr[0].clone();
    for line in
        ["START 15", "INFO rule 4", "INFO max_memory 805306368", "INFO timeout_match ", "INFO time_left ", "END"]
    {
        assert!(message.lines().any(|said| said.starts_with(line)), "`{line}` is not in: {message}");
    }
    // Black's first stone is forced: the engine is shown it, and then sent the others.
    assert_eq!(message.lines().filter(|&said| said == "BOARD").count(), 1, "{message}");
    assert!(message.contains("\nTURN "), "{message}");
    check("gomocup", "suggest");
}

#[test]
fn the_processor_time_of_an_engine_is_counted() {
    let record = played(ROOMY, &["bacteria", "--first", &engine("uai", "burn"), "--second", "random"]);
    let most = record.entries.iter().filter_map(|entry| entry.moment).map(|moment| moment.cpu).max().unwrap();
    assert!(most.as_millis() >= 20, "{most:?}");
}

#[test]
fn the_memory_of_an_engine_is_counted() {
    let record =
        played(ROOMY, &["renju", "--memory", "128", "--first", "random", "--second", &engine("gomocup", "eat")]);
    assert_eq!(verdicts(&record), ["OK", "MLE"], "{:?}", record.result);
}

#[test]
fn bad_engines_get_the_verdict_they_earn() {
    #[track_caller]
    fn check(protocol: &str, way: &str, verdict: &str, reason: &str, stderr: &str) {
        let agent = engine(protocol, way);
        // Those that never answer get little time.
        let [clock, ready] = if verdict == "TLE" { ["1s", "3s"] } else { [ROOMY, ROOMY] };
        let limits = ["--first", "random", "--second", &agent, "--ready", ready];
        let record = played(clock, &[&[game(protocol)], &limits[..]].concat());
        assert_eq!(verdicts(&record), ["OK", verdict], "{protocol} {way}: {:?}", record.result);
        let message = record.result.verdicts[1].reason.clone().unwrap_or_default();
        assert!(message.text.contains(reason), "{protocol} {way}: `{reason}` is not in: {message}");
        let said = &record.result.stderr[1];
        assert!(said.contains(stderr), "{protocol} {way}: `{stderr}` is not in: {said}");
    }
    for protocol in ["uai", "gomocup"] {
        let ended = "ended before FINISH (exit code 2)";
        check(protocol, "crash", "RE", ended, "something went wrong\nlast lines of the engine (> to it, < from it):\n");
        check(protocol, "crash", "RE", ended, "`\nerror: the engine `python3` has ended (exit status: 3)");
        check(protocol, "die", "RE", ended, "error: the engine `python3` has ended (signal: 11 (SIGSEGV)");
        check(protocol, "close", "RE", ended, "error: the engine `python3` has closed its output");
        check(protocol, "silent", "TLE", "no answer within", "");
        check(protocol, "deaf", "TLE", "no OK to READY within 3 s", "");
    }
    let ended = "ended before FINISH (exit code 2)";
    check("uai", "nonsense", "RE", ended, "said `bestmove h9`: `h9` is not a move");
    check("uai", "unreachable", "RE", ended, "said `bestmove d4`: `d4` is illegal: nothing divides to there");
    check("uai", "illegal", "RE", "answered `MOVE 7 4 6 4`: d1 (7,4) holds no bacterium of yours", "");
    check("gomocup", "nonsense", "RE", ended, "said `ERROR no idea`: a move was expected");
    check("gomocup", "refuse", "RE", ended, "said `ERROR too small`: it refuses a board of 15 x 15");
    check("gomocup", "illegal", "RE", "answered `MOVE 8 8`: H8 (8,8) is taken by Black", "");
    check("gomocup", "outside", "RE", "answered `MOVE 1 16`: (1,16) is outside the board", "");
}

/// A bridge between a judge's lines and an engine: its answers, and what it sent the engine about the game.
#[track_caller]
fn bridged(options: &[&str], protocol: &str, way: &str, judge: &str) -> (String, Vec<String>) {
    let script = root().join("crates/cli/tests/engines/engine.py");
    let engine = ["--", "python3", text(&script), protocol, way];
    let mut run = command_of(&[&["bridge", protocol], options, &engine].concat());
    // A busy machine may take long to start the engine.
    let ran = finish(run.env("AGON_READY", "1m").write_stdin(judge));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let passed_over = |line: &str| ["INFO time", "agon score=", "ABOUT"].iter().any(|start| line.starts_with(start));
    let message = ran.err.lines().filter(|line| !passed_over(line));
    (ran.out, message.map(str::to_owned).collect())
}

#[test]
fn positions_are_sent_as_the_engine_wants_them() {
    // The moves of an opening are on the engine's board; a forced move is not asked for.
    let judge = "OPENING 1 1 1 2\nREADY SECOND\nTURN 10000 9000\nFINISH\n";
    let (answers, message) = bridged(&["--option", "Hash=64", "--option", "Clear Hash=now"], "uai", "well", judge);
    assert_eq!(answers, "OK\nMOVE 1 7 1 6\n");
    let expected = [
        "setoption name Hash value 64",
        "setoption name Clear Hash value now",
        "go btime 9000 wtime 9900 binc 0 winc 0",
    ];
    assert_eq!(message, expected);

    let judge = "READY SECOND\nOPP 8 8 1\nTURN 10000 10000\nOPP 9 9 1\nTURN 9000 9000\nOPP -1 -1 1\nTURN 8000 8000\n";
    let usual = ["START 15", "INFO max_memory 805306368", "INFO game_type 1", "INFO rule 4"];
    let turns = ["TURN 7,7", "TURN 8,8"];
    let board = ["BOARD", "7,7,2", "6,6,1", "8,8,2", "6,8,1", "DONE", "END"];
    let (answers, message) = bridged(&["--option", "max_node=9"], "gomocup", "well", judge);
    assert_eq!(answers, "OK\nMOVE 7 7\nMOVE 9 7\nMOVE 6 6\n");
    let board_seen: Vec<&str> = board.into_iter().filter(|&line| line != "DONE").collect();
    assert_eq!(message, [&usual[..], &["INFO max_node 9"], &turns, &["RESTART"], &board_seen].concat());

    // If nodes are requested, clocks are not sent, or do not decide.
    let judge_of_one = "READY FIRST\nTURN 10000 10000\nFINISH\n";
    assert_eq!(bridged(&["--nodes", "700"], "uai", "well", judge_of_one).1, ["go nodes 700"]);
    let (_, message) = bridged(&["--nodes", "700"], "gomocup", "well", judge_of_one);
    assert_eq!(message, [&usual[..], &["INFO max_node 700", "END"]].concat());

    // A brain that does not know RESTART is restarted.
    let (answers, message) = bridged(&[], "gomocup", "plain", judge);
    assert_eq!(answers, "OK\nMOVE 7 7\nMOVE 9 7\nMOVE 6 6\n");
    assert_eq!(message, [&usual[..], &turns, &["RESTART"], &usual, &board_seen].concat());
}

#[test]
fn an_answer_too_many_answers_no_other_question() {
    let judge = "READY FIRST\nTURN 10000 10000\nOPP 1 7 1 6 5\nTURN 10000 10000\nFINISH\n";
    let (answers, message) = bridged(&[], "uai", "twice", judge);
    assert_eq!(answers, bridged(&[], "uai", "well", judge).0);
    let dropped = "warning: the engine `python3` was not asked and said `bestmove g7`: dropped";
    assert_eq!(message.iter().filter(|line| *line == dropped).count(), 1, "{message:?}");

    let judge = "READY SECOND\nOPP 8 8 1\nTURN 10000 10000\nOPP 9 9 1\nTURN 9000 9000\nFINISH\n";
    let (answers, message) = bridged(&[], "gomocup", "twice", judge);
    assert_eq!(answers, bridged(&[], "gomocup", "well", judge).0);
    assert!(message.iter().any(|line| line.ends_with("said `14,14`: dropped")), "{message:?}");

    // So does an incomplete line, and one from an engine that does not identify itself.
    for way in ["torn", "mute"] {
        assert_eq!(bridged(&[], "gomocup", way, judge).0, answers, "{way}");
    }
}

/// The second answer comes when the next question has been asked for long.
#[test]
fn a_late_answer_answers_no_other_question() {
    let judge = "READY SECOND\nOPP 8 8 1\nTURN 10000 10000\nOPP 9 9 1\nTURN 9000 9000\nFINISH\n";
    let (answers, message) = bridged(&[], "gomocup", "late", judge);
    assert_eq!(answers, bridged(&[], "gomocup", "well", judge).0);
    assert!(message.iter().any(|line| line.ends_with("said `14,14`: dropped")), "{message:?}");
    // Nor is a question lost on an engine that ignores whatever arrives right after its answer.
    assert_eq!(bridged(&[], "gomocup", "busy", judge).0, answers);
    let judge = "READY FIRST\nTURN 10000 10000\nOPP 1 7 1 6 5\nTURN 10000 10000\nFINISH\n";
    assert_eq!(bridged(&[], "uai", "late", judge).0, bridged(&[], "uai", "well", judge).0);
}

#[test]
fn what_an_engine_makes_of_its_options_belongs_to_its_start() {
    let engine = engine("gomocup", "heavy");
    let few = ["--ready", "1m", "--max-plies", "6"];
    // Its options take 4 s.
    let record = played("3s", &[&["renju", "--first", "random", "--second", &engine], &few[..]].concat());
    assert_eq!(verdicts(&record), ["OK", "OK"], "{:?}", record.result);
}

#[test]
fn a_bridge_calls_an_engine_late_that_is_later_than_ready() {
    for protocol in ["uai", "gomocup"] {
        let script = root().join("crates/cli/tests/engines/engine.py");
        let said = |way: &str, ready: Option<&str>| {
            let mut run = command_of(&["bridge", protocol, "--", "python3", text(&script), protocol, way]);
            let ran = finish(run.envs(ready.map(|ready| ("AGON_READY", ready))).write_stdin("READY FIRST\nFINISH\n"));
            assert_eq!((ran.code, ran.out.as_str()), (0, "OK\n"), "{}", ran.err);
            ran.err
        };
        // ALPHANO's time is 3 s.
        for (way, ready) in [("slow", None), ("unhurried", Some("500ms"))] {
            let said = said(way, ready);
            assert_eq!(said.matches("has not answered").count(), 1, "{said}");
            assert!(said.contains("in time: it has said nothing"), "{said}");
        }
        assert!(!said("unhurried", Some("1m")).contains("has not answered"), "{protocol}");
        // The judge passes on what --ready says.
        let engine = engine(protocol, "unhurried");
        let record = played(ROOMY, &[game(protocol), "--first", &engine, "--second", "random", "--ready", "1m"]);
        assert!(!record.result.stderr[0].contains("has not answered"), "{:?}", record.result);
    }
}

#[test]
fn options_of_the_bridge_itself_are_refused() {
    #[track_caller]
    fn check(protocol: &str, options: &[&str], message: &str) {
        let ran = agon(&[&["bridge", protocol], options, &["--", BINARY, protocol]].concat());
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{options:?}");
        assert!(ran.err.contains(message), "`{message}` is not in: {}", ran.err);
    }
    let clock = "--option timeout_turn: the bridge sends it for every move, from the judge's clock";
    check("gomocup", &["--option", "timeout_turn=500"], clock);
    check("gomocup", &["--option", "time_left=500"], "--option time_left: the bridge sends it for every move");
    check("gomocup", &["--option", "rule=1"], "--option rule: the bridge sends it: renju is rule 4");
    check("gomocup", &["--nodes", "5", "--option", "max_node=9"], "--option max_node: --nodes sends it");
    check("uai", &["--option", "=5"], "it has no name");
}

#[test]
fn engines_that_know_only_a_time_for_each_move_play() {
    let judge = "READY FIRST\nTURN 10000 10000\nFINISH\n";
    assert_eq!(bridged(&["--movetime", "250ms"], "uai", "well", judge).1, ["go movetime 250"]);
    let script = root().join("crates/cli/tests/engines/engine.py");
    let engine = ["bridge", "gomocup", "--movetime", "1s", "--", "python3", text(&script), "gomocup", "well"];
    // As the first player it would not be asked: the first stone of renju has only one place.
    let ran = agon_reading(&engine, "READY SECOND\nOPP 8 8 1\nTURN 10000 10000\nFINISH\n");
    let times: Vec<&str> = ran.err.lines().filter(|line| line.starts_with("INFO time")).collect();
    assert_eq!(times, ["INFO timeout_match 0", "INFO timeout_turn 1000", "INFO time_left 2147483647"], "{}", ran.err);
}

#[test]
fn engines_understand_openings() {
    let folder = folder();
    let database = folder.path().join("agon.db");
    for protocol in ["uai", "gomocup"] {
        let engine = engine(protocol, "well");
        let series = ["match", "random", &engine, "--game", game(protocol), "-n", "4", "--db", text(&database)];
        let ran = agon(&[&series[..], &["--format", "json"]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        let result: serde_json::Value = serde_json::from_str(ran.out.lines().last().unwrap()).unwrap();
        assert_eq!(result["games"], 4, "{result}");
        let list = agon(&["export", "--failed", "--db", text(&database)]);
        assert_eq!((list.code, list.out.as_str()), (0, ""), "{}", list.err);
    }
    let plan = format!(
        "game = 'renju'\ngames = 2\n[[agent]]\nagent = \"{}\"\nname = 'brain'\n[[agent]]\nagent = 'random'\n",
        engine("gomocup", "well")
    );
    let plan = file(&folder, "plan.toml", &plan);
    let ran = agon(&["tournament", text(&plan), "--db", text(&database), "--dry-run"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("brain – random"), "{}", ran.out);
}

#[test]
fn what_cannot_be_bridged_is_refused() {
    #[track_caller]
    fn check(arguments: &[&str], message: &str) {
        let ran = agon(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{arguments:?}");
        assert!(ran.err.starts_with("error: ") && ran.err.contains(message), "`{message}` is not in: {}", ran.err);
    }
    check(&["play", "renju", "--first", "uai:python3"], "uai is spoken by engines of bacteria, not of renju");
    check(&["play", "petri", "--first", "gomocup:python3"], "gomocup is spoken by engines of renju, not of petri");
    check(&["play", "bacteria", "--first", "uai:./none"], "no such file: `./none`");
    check(&["play", "bacteria", "--first", "uai:"], "no agent is named `uai:`");
    check(&["play", "bacteria", "--first", "uai:sh 'x"], "has a quote that is not closed");
    check(&["bridge", "uci", "./engine"], "[possible values: uai, gomocup]");
    check(&["bridge", "uai"], "<ENGINE>");
    check(&["bridge", "uai", "./none"], "cannot run the engine `./none`: No such file or directory");
    check(&["bridge", "uai", "--option", "Hash", "./none"], "NAME=VALUE expected");
    check(&["uai", "--engine", "noname"], "bacteria has no built-in player `noname`; it has random, greedy");
    check(&["gomocup", "--engine", "noname"], "renju has no built-in player `noname`; it has random, greedy");
    let ran = agon_reading(&["bridge", "uai", "--", BINARY, "uai"], "READY FIRST\nHELLO\n");
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("the judge said `HELLO`: no command of the judge"), "{}", ran.err);
}

#[test]
fn ours_can_be_spoken_to_from_a_shell() {
    let ran = agon_reading(&["uai"], "uai\nposition startpos moves b7\ngo movetime 10\n");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.starts_with("id name Agon ") && ran.out.contains("\nuaiok\n"), "{}", ran.out);
    assert!(ran.out.lines().last().is_some_and(|last| last.starts_with("bestmove ")), "{}", ran.out);

    let ran = agon_reading(&["gomocup"], "ABOUT\r\nSTART 15\r\nINFO rule 4\r\nINFO timeout_turn 10\r\nBEGIN\r\n");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let lines: Vec<&str> = ran.out.lines().filter(|line| !line.starts_with("MESSAGE ")).collect();
    assert!(lines[0].starts_with("name=\"Agon "), "{}", ran.out);
    assert_eq!(lines[1..], ["OK", "7,7"]);
}
