//! Scores reported by agents, adjudication by them, and logs of agents' output.

use std::fs;
use std::path::PathBuf;

use agon_game::{Evaluation, Score};
use agon_referee::adjudication::DrawRule;
use agon_referee::record::{Record, RecordEntry, Termination, Way, Winner};
use tempfile::TempDir;

use crate::agon::play::record_of;
use crate::agon::run::{BINARY, Ran, agon, file, folder, quick_bot, root, text, word};

/// A bot for domineering that reports these scores, one for each move, the last one for all that follow.
fn bot(folder: &TempDir, name: &str, scores: &[&str]) -> PathBuf {
    let sample = quick_bot("domineering.py");
    let report = format!(
        "            said = {scores:?}\n            number = globals().get('number', -1) + 1\n            \
         globals()['number'] = number\n            print('agon score=' + said[min(number, len(said) - 1)] + ' depth=' \
         + str(number + 1) + ' nodes=77 time=5', file=sys.stderr, flush=True)\n"
    );
    let line = "            print(\"MOVE\", x, y, flush=True)\n";
    assert!(sample.contains(line));
    file(folder, name, &sample.replace(line, &(report + line)))
}

#[track_caller]
fn played(folder: &TempDir, agents: [&str; 2], more: &[&str]) -> (Record, PathBuf) {
    let path = folder.path().join("game.jsonl");
    let game = ["play", "domineering", "--size", "8", "--seed", "7", "--show", "none", "--out", text(&path)];
    let ran = agon(&[&game[..], &["--first", agents[0], "--second", agents[1]], more].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    (record_of(&path), path)
}

fn evaluations(record: &Record, side: agon_game::Side) -> Vec<Option<Evaluation>> {
    let answers = record.entries.iter().filter(|entry| entry.side == side && entry.way == Way::From);
    answers.filter(|entry| entry.moment.is_some()).map(|entry| entry.evaluation).collect()
}

fn proved(path: &std::path::Path) -> Ran {
    agon(&["replay", text(path)])
}

#[test]
fn a_program_reports_its_scores() {
    let folder = folder();
    let bot = bot(&folder, "bot.py", &["35", "-120", "M5"]);
    let (record, path) = played(&folder, [text(&bot), "greedy"], &[]);
    assert!(record.is_clean(), "{:?}", record.result);
    let said = evaluations(&record, agon_game::Side::First);
    let scores: Vec<Score> = said.iter().map(|said| said.unwrap().score).collect();
    assert_eq!(scores[..4], [Score::Centi(35), Score::Centi(-120), Score::Win(5), Score::Win(5)]);
    let second = said[1].unwrap();
    assert_eq!((second.depth, second.nodes, second.time.unwrap().as_millis()), (Some(2), Some(77), 5));
    // They are in their moves, and no longer in the error stream.
    assert_eq!(record.result.stderr[0], "");
    assert!(evaluations(&record, agon_game::Side::Second).iter().all(Option::is_none));
    let text_of = fs::read_to_string(&path).unwrap();
    assert!(text_of.contains(r#""eval":{"score":35,"depth":1,"nodes":77,"ms":5}"#), "{text_of}");
    assert!(text_of.contains(r#""eval":{"win":5,"depth":3,"nodes":77,"ms":5}"#), "{text_of}");

    let shown = proved(&path);
    assert_eq!(shown.code, 0, "{}", shown.err);
    assert!(shown.out.contains("  +0.35/1") && shown.out.contains("  -1.20/2"), "{}", shown.out);
    assert!(
        shown.out.lines().any(|line| line.starts_with("sealed only: ") && line.ends_with(", eval")),
        "{}",
        shown.out
    );
    let page = folder.path().join("game.html");
    assert_eq!(agon(&["replay", text(&path), "--out", text(&page)]).code, 0);
    assert!(fs::read_to_string(&page).unwrap().contains(r#""eval":{"text":"+0.35/1","share":0.104}"#));
}

#[test]
fn built_in_players_and_engines_of_others_report_theirs() {
    let folder = folder();
    let path = folder.path().join("game.jsonl");
    let words = ["play", "bacteria", "--first", "champion:1", "--second", "random", "--out", text(&path)];
    assert_eq!(agon(&words).code, 0);
    assert!(evaluations(&record_of(&path), agon_game::Side::First).iter().flatten().count() > 0);
    for (protocol, game) in [("uai", "bacteria"), ("gomocup", "renju")] {
        let path = folder.path().join("game.jsonl");
        // The lowest level that never moves without a search.
        let agent = format!("{protocol}:{} {protocol} --engine champion:4", word(BINARY));
        let words = ["play", game, "--first", "random", "--second", &agent, "--show", "none", "--out", text(&path)];
        let ran = agon(&[&words[..], &["--clock", "60s"]].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
        let record = record_of(&path);
        let said = evaluations(&record, agon_game::Side::Second);
        assert!(said.iter().flatten().all(|said| said.depth.is_some() && said.nodes.is_some()), "{protocol} {said:?}");
        assert!(said.iter().flatten().count() * 2 > said.len(), "{protocol} {said:?}");
        assert_eq!(proved(&path).code, 0);
    }
}

#[test]
fn game_files_have_the_scores() {
    let folder = folder();
    let (bot, db) = (bot(&folder, "bot.py", &["35"]), folder.path().join("games.db"));
    let words = ["match", text(&bot), "greedy", "--game", "domineering", "--size", "4", "-n", "2", "--db", text(&db)];
    assert_eq!(agon(&words).code, 0);
    let pgn = agon(&["export", "--format", "pgn", "--db", text(&db)]).out;
    let first = pgn.lines().find(|line| line.starts_with("1. ")).unwrap();
    assert!(first.contains(" {+0.35/1 0.") && first.contains("s}"), "{pgn}");
}

/// The record with something changed, and a new seal.
fn forged(record: &Record, folder: &TempDir, change: impl FnOnce(&mut Record)) -> PathBuf {
    let mut record = record.clone();
    change(&mut record);
    file(folder, "forged.jsonl", &record.write())
}

#[test]
fn scores_end_a_game() {
    let folder = folder();
    let calm = bot(&folder, "calm.py", &["90", "5", "-10", "0"]);
    let (calm, draw) = (text(&calm), ["--draw", "movenumber=3", "movecount=2", "score=10"]);
    let (record, path) = played(&folder, [calm, calm], &draw);
    assert_eq!(record.result.reason.text, "adjudicated: both scores within 0.10 for 2 moves");
    assert_eq!((record.result.winner, record.result.plies), (Winner::Draw, 6));
    assert_eq!(record.result.termination, Some(Termination::Adjudication));
    assert!(record.is_clean() && proved(&path).code == 0);
    let refused = |change: fn(&mut Record), expected: &str| {
        let ran = proved(&forged(&record, &folder, change));
        assert!(ran.code == 1 && ran.err.contains(expected), "`{expected}` is not in: {}", ran.err);
    };
    // The rule must have held, and must have been applied when it did.
    refused(
        |record| {
            let scored = |entry: &&mut RecordEntry| entry.evaluation.is_some();
            record.entries.iter_mut().rfind(scored).unwrap().evaluation = Some(Evaluation::new(Score::Centi(11)));
        },
        "the game was adjudicated",
    );
    let early = DrawRule { move_number: 0, move_count: 1, score: 10 };
    let refused_early = proved(&forged(&record, &folder, |record| {
        record.header.limits.adjudication.draw = Some(early);
    }));
    assert!(refused_early.code == 1 && refused_early.err.contains("after the game was adjudicated"));
    refused(|record| record.header.limits.adjudication.draw = None, "the game was adjudicated");
    refused(|record| record.result.winner = Winner::First, "the winner is first");
    refused(|record| record.result.termination = None, "adjudication");

    let losing = bot(&folder, "losing.py", &["-700"]);
    let winning = bot(&folder, "winning.py", &["0", "0", "800"]);
    let resign = ["--resign", "movecount=2", "score=600"];
    let (record, path) = played(&folder, [text(&losing), "greedy"], &resign);
    assert_eq!(record.result.reason.text, "adjudicated: the score of first at most -6.00 for 2 moves");
    assert_eq!((record.result.winner, record.result.plies), (Winner::Second, 3));
    assert_eq!(proved(&path).code, 0);
    let two_sided = [&resign[..], &["twosided=true"]].concat();
    let (record, _) = played(&folder, [text(&losing), "greedy"], &two_sided);
    assert_eq!(record.result.termination, None);
    let (record, path) = played(&folder, [text(&losing), text(&winning)], &two_sided);
    assert_eq!((record.result.winner, record.result.plies), (Winner::Second, 8));
    assert_eq!(proved(&path).code, 0);

    let (record, path) = played(&folder, ["greedy", "random"], &["--max-plies", "5"]);
    assert_eq!((record.result.reason.text.as_str(), record.result.plies), ("adjudicated: 5 plies were played", 5));
    assert_eq!(proved(&path).code, 0);
}

#[test]
fn adjudicated_games_are_counted() {
    let folder = folder();
    let db = folder.path().join("games.db");
    let words = ["match", "greedy", "random", "--game", "domineering", "--size", "8", "-n", "4", "--db", text(&db)];
    let ran = agon(&[&words[..], &["--max-plies", "4"]].concat());
    assert!(ran.out.contains("4 of 4 games adjudicated: 4 draws and 0 wins\n"), "{}", ran.out);
    assert_eq!(agon(&["results", "--db", text(&db), "--format", "json"]).json()["adjudicated"], 4);
    let pgn = agon(&["export", "--format", "pgn", "--db", text(&db)]).out;
    assert_eq!(pgn.matches("[Termination \"adjudication\"]").count(), 4, "{pgn}");
    let plan = "game = 'domineering'\ngames = 2\nmax_plies = 4\n[parameters]\nrows = 8\ncolumns = 8\n[draw]\n\
                movecount = 2\nscore = 3\n[[agent]]\nagent = 'greedy'\n[[agent]]\nagent = 'random'\n";
    let plan = file(&folder, "plan.toml", plan);
    let ran = agon(&["tournament", text(&plan), "--db", text(&db)]);
    assert!(ran.out.contains("2 of 2 games adjudicated"), "{}{}", ran.err, ran.out);
    for (words, expected) in [
        (&["--draw", "movecount=2"][..], "--draw: score= is missing"),
        (&["--resign", "score=600,movecount=0"], "--resign: movecount=0 would end every game"),
    ] {
        let ran = agon(&[&["match", "greedy", "random", "--game", "renju"], words].concat());
        assert!(ran.code == 2 && ran.err.contains(expected), "{}", ran.err);
    }
    let ran = agon(&["play", "petri", "--max-plies", "4"]);
    assert!(ran.code == 2 && ran.err.contains("--max-plies is for "), "{}", ran.err);
}

#[test]
fn a_stored_game_is_replayed_without_an_export() {
    let folder = folder();
    let db = folder.path().join("games.db");
    let bad = file(
        &folder,
        "bad.py",
        "import sys\nfor line in sys.stdin:\n    if line.startswith('READY'):\n        \
                   print('OK', flush=True)\n    if line.startswith('TURN'):\n        raise ValueError('no idea')\n",
    );
    let words = ["match", text(&bad), "greedy", "--game", "renju", "-n", "2", "--db", text(&db)];
    assert_eq!(agon(&words).code, 0);
    let ran = agon(&["replay", "--db", text(&db), "--slot", "1"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("RE: ended before FINISH (exit code 1)") && ran.out.contains("proved"), "{}", ran.out);
    for (words, expected) in [
        (&["--slot", "9"][..], "run 1 has no game 9"),
        (&["--slot", "1", "--run", "7"], "there is no run 7"),
        (&["game.jsonl", "--slot", "1"], "cannot be used with"),
        (&["--run", "1"], "--slot"),
        (&[], "--slot"),
    ] {
        let ran = agon(&[&["replay", "--db", text(&db)], words].concat());
        assert!(ran.code == 2 && ran.err.contains(expected), "`{expected}` is not in: {}", ran.err);
    }

    let faults = agon(&["results", "--faults", "--db", text(&db)]).out;
    let game = format!("--db {} --run 1 --slot 0", word(text(&db)));
    let commands = format!("  agon replay {game}\n  agon ask {game} {}\n", word(text(&bad)));
    for part in
        ["bad.py: RE in 2 of its 2 games, on moves 1 to 2\n", "ended before FINISH", "ValueError: no idea", &commands]
    {
        assert!(faults.contains(part), "`{part}` is not in: {faults}");
    }
    let json = agon(&["results", "--faults", "--db", text(&db), "--format", "json"]).json();
    assert_eq!((&json["faults"][0]["verdict"], &json["faults"][0]["games"]), (&"RE".into(), &2.into()));
    let clean = folder.path().join("clean.db");
    assert_eq!(agon(&["match", "greedy", "random", "--game", "renju", "-n", "2", "--db", text(&clean)]).code, 0);
    assert_eq!(agon(&["results", "--faults", "--db", text(&clean)]).out, "no agent failed in the 2 games of run 1\n");
}

/// The engine that behaves in this way, bridged.
fn engine(protocol: &str, way: &str) -> String {
    let script = root().join("crates/cli/tests/engines/engine.py");
    format!("{protocol}:python3 '{}' {protocol} {way}", script.display())
}

#[test]
fn a_late_engine_is_quoted() {
    let folder = folder();
    let path = folder.path().join("game.jsonl");
    // The bridge reports it half of the margin before the judge ends it.
    let agent = format!("margin=1s {}", engine("uai", "silent"));
    let words = ["play", "bacteria", "--second", &agent, "--clock", "5s", "--show", "none", "--out", text(&path)];
    assert_eq!(agon(&words).code, 0);
    let result = record_of(&path).result;
    let cause = result.verdicts[1].cause_text().unwrap_or_default();
    assert!(cause.contains("its last message: `the engine `python3` has not answered `go btime "), "{cause}");
    assert!(cause.contains("the last line that it has said is `readyok`"), "{cause}");
    assert!(result.stderr[1].contains("last lines of the engine (> to it, < from it):\n"), "{}", result.stderr[1]);
    assert!(result.stderr[1].contains(" s > `position fen "), "{}", result.stderr[1]);
    // So is one that fails.
    let agent = engine("uai", "nonsense");
    let words = ["play", "bacteria", "--second", &agent, "--show", "none", "--out", text(&path)];
    assert_eq!(agon(&words).code, 0);
    let result = record_of(&path).result;
    assert!(result.stderr[1].contains(" s < `bestmove h9`\nerror: the engine `python3` said"), "{}", result.stderr[1]);
}

#[test]
fn the_end_of_a_long_message_is_shown() {
    let folder = folder();
    let missing = format!("/{}/weights.bin", "folder/".repeat(30));
    let bot = file(&folder, "bot.py", &format!("open('{missing}')\n"));
    let ran = agon(&["play", "renju", "--first", text(&bot)]);
    assert!(ran.out.contains("weights.bin'`\n"), "{}", ran.out);
}

#[test]
fn a_log_has_all_that_was_said() {
    let folder = folder();
    let logs = folder.path().join("logs");
    let bot = bot(&folder, "bot.py", &["35"]);
    let db = folder.path().join("games.db");
    let words = ["match", text(&bot), "greedy", "--game", "domineering", "--size", "4", "-n", "2", "--db", text(&db)];
    let ran = agon(&[&words[..], &["--log", text(&logs)]].concat());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let log = fs::read_to_string(logs.join("game-0.log")).unwrap();
    for part in [
        " first  > READY FIRST\n",
        " first  < OK\n",
        " first  ! agon score=35 depth=1 nodes=77 time=5\n",
        " < MOVE ",
        "# first  OK\n",
    ] {
        assert!(log.contains(part), "`{part}` is not in: {log}");
    }
    // Moves of microseconds: which of them a message belongs to is not seen from outside.
    let order = [" first  > READY ", " ! agon score=35 depth=1 ", " ! agon score=35 depth=2 "]
        .map(|part| log.find(part).unwrap());
    assert!(order.is_sorted(), "{log}");
    assert!(logs.join("game-1.log").is_file());

    // A bridged engine's own conversation, too.
    let path = folder.path().join("game.log");
    let agent = engine("uai", "well");
    let ran = agon(&["play", "bacteria", "--second", &agent, "--show", "none", "--log", text(&path)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let log = fs::read_to_string(&path).unwrap();
    for part in ["second ! engine > uai\n", "second ! engine < uaiok\n", "second ! engine < bestmove "] {
        assert!(log.contains(part), "`{part}` is not in: {log}");
    }
    let ran = agon(&["play", "bacteria", "--log", text(&path.join("game.log"))]);
    assert!(ran.code == 2 && ran.err.contains("for the log; name another place"), "{}", ran.err);
}
