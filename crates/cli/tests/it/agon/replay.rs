//! `agon replay`: what it shows, and what it refuses.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use agon_catalog::{Game, Setup};
use agon_message::Stated;
use agon_referee::fault_kind::FaultKind;
use agon_referee::record::{Record, Termination, Way, Winner};
use agon_referee::replay;
use agon_referee::verdict::{AgentVerdict, Verdict};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::agon::run::{GAMES, agon, file, folder, text};

/// The record of one game of bacteria, as text.
fn original() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| record_text("bacteria"))
}

fn record_text(game: &str) -> String {
    let folder = folder();
    let path = folder.path().join("game.jsonl");
    let ran = agon(&["play", game, "--second", "random", "--seed", "7", "--show", "none", "--out", text(&path)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    fs::read_to_string(path).unwrap()
}

/// The output for a record without faults and signature.
const EXTENT: &str = "\
proved: every line follows from the rules, and the seal fits
by the rules: questions, moves, score, plies, time_ms, disturbed, winner, verdicts, reason
sealed only: agents, limits, agon, started, at_us, wall_us, cpu_us, delay_us, machine_us, \
judge_us, opponent_cpu_us, peak_mb, stderr
unsigned: a sealed part can be changed and sealed again
";

#[test]
fn every_game_replays() {
    #[track_caller]
    fn check(game: &str) {
        let folder = folder();
        let path: PathBuf = folder.path().join("game.jsonl");
        let played = agon(&["play", game, "--seed", "7", "--out", text(&path)]);
        let (before, _) = played.out.split_once("\nreplay   ").unwrap();
        let (_, moves) = before.split_once('\n').unwrap();

        // As played, without the heading.
        let lines = agon(&["replay", text(&path)]);
        assert_eq!((lines.code, lines.err.as_str()), (0, ""));
        assert_eq!(lines.out, format!("{moves}\n{EXTENT}"));

        let plies = moves.lines().filter(|line| line.starts_with(' ')).count();
        let boards = agon(&["replay", text(&path), "--show", "board"]);
        let corner = boards.out.lines().next().unwrap();
        assert_eq!(boards.out.lines().filter(|line| *line == corner).count(), plies + 1, "{}", boards.out);
        let silent = agon(&["replay", text(&path), "--show", "none"]);
        assert!(silent.out.ends_with(EXTENT), "{}", silent.out);
        assert_eq!(silent.out.lines().filter(|line| line.starts_with(' ')).count(), 0, "{}", silent.out);

        let mut message = agon(&["replay", text(&path), "--format", "json"]).json();
        assert_eq!(message["proved"], true);
        let rules = ["questions", "moves", "score", "plies", "time_ms", "disturbed", "winner", "verdicts", "reason"];
        assert_eq!((&message["follows"], &message["signed_by"]), (&json!(rules), &json!(null)));
        assert!(message["sealed"].as_array().unwrap().contains(&json!("wall_us")), "{message}");
        message.as_object_mut().unwrap().remove("proved");
        assert_eq!(message["plies"], plies);
        let record = Record::read(&fs::read_to_string(&path).unwrap()).unwrap();
        let result = serde_json::to_value(&record.result).unwrap();
        for key in ["winner", "reason", "score", "plies", "time_ms"] {
            assert_eq!(message[key], result[key], "{key}");
        }
        assert_eq!((&message["game"], &message["seed"]), (&json!(game), &json!(7)));
        assert_eq!(message["record"], text(&path));
    }
    for (game, _) in GAMES {
        check(game);
    }
}

#[test]
fn a_picture_is_drawn_of_any_position() {
    let folder = folder();
    let record = file(&folder, "game.jsonl", original());
    let drawn = |name: &str, more: &[&str]| {
        let picture = folder.path().join(name);
        let ran = agon(&[&["replay", text(&record), "--out", text(&picture)], more].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(!ran.out.contains("   1 O"), "{}", ran.out);
        fs::read_to_string(picture).unwrap()
    };
    let end = drawn("end.svg", &[]);
    assert!(end.starts_with("<svg ") && end.trim_end().ends_with("</svg>"), "{end}");
    let plies = Record::read(original()).unwrap().result.plies.to_string();
    assert_eq!(end, drawn("last.svg", &["--ply", &plies, "--format", "json"]));
    assert_ne!(end, drawn("start.svg", &["--ply", "0"]));
    // As PNG, too.
    let png = folder.path().join("end.png");
    let ran = agon(&["replay", text(&record), "--out", text(&png)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert_eq!(&fs::read(&png).unwrap()[1..4], b"PNG");
    let ran = agon(&["replay", text(&record), "--ply", "2"]);
    let [before, after] = [ran.out.lines().next().unwrap(), "proved: "];
    assert!(ran.code == 0 && before.trim_start().starts_with('1') && ran.out.contains(after), "{}", ran.out);
    let ran = agon(&["replay", text(&record), "--picture", "/dev/null", "--ply", "999"]);
    assert_eq!((ran.code, ran.err), (2, format!("error: --ply 999: the game has only {plies} moves\n")));
}

#[test]
fn a_page_holds_the_whole_game() {
    let folder = folder();
    let record = file(&folder, "game.jsonl", original());
    let page = folder.path().join("game.html");
    let ran = agon(&["replay", text(&record), "--out", text(&page)]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"), "{page}");
    assert_eq!(page.matches("\"move\":").count() as u32, Record::read(original()).unwrap().result.plies);
    // Nothing is requested from any other host.
    assert!(!page.contains("src=") && !page.contains("href=\""), "{page}");
}

/// A changed record gives this exit code, and this is said of it in both formats.
#[track_caller]
fn check(changed: &str, code: i32, message: &str) {
    let folder = folder();
    let path = file(&folder, "game.jsonl", changed);
    let ran = agon(&["replay", text(&path)]);
    assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{message}: {}", ran.err);
    assert!(ran.err.contains(message), "`{message}` is not in: {}", ran.err);
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.err.contains(text(&path)), "{}", ran.err);

    let ran = agon(&["replay", text(&path), "--format", "json"]);
    assert_eq!(ran.code, code);
    if code == 1 {
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(answer["proved"], false);
        assert!(answer["error"].as_str().unwrap().contains(message), "{answer}");
    }
}

#[test]
fn a_careless_edit_breaks_the_seal() {
    let text = original();
    let lines: Vec<&str> = text.lines().collect();
    let without = |at: usize| [&lines[..at], &lines[at + 1..]].concat().join("\n");
    check(&text.replacen("MOVE 1 1", "MOVE 1 2", 1), 1, "the seal is broken");
    check(&text.replacen("\"winner\":\"first\"", "\"winner\":\"second\"", 1), 1, "the seal is broken");
    check(&text.replacen("\"seed\":7", "\"seed\":8", 1), 1, "the seal is broken");
    check(&without(9), 1, "the seal is broken");
    check(&without(lines.len() - 2), 1, "the seal is broken");
    check(&without(lines.len() - 1), 1, "the record is cut off");
    check(&text[..text.len() / 2], 1, "the record is cut off");
    check(&text[..text.len() - 2], 1, "the record is cut off");
    check(lines[0], 1, "the record is cut off");
    check(&format!("{text}{text}"), 1, "is beyond the record, which ends with the seal before it");
}

#[test]
fn what_is_no_record_is_no_environment_for_a_proof() {
    check("", 2, "is not a record of a game");
    check("garbage\n", 2, "is not a record of a game: line 1 is not a header: a JSON object expected");
    check("\u{0}\u{1}\u{2}", 2, "is not a record of a game");
    check("{}\n", 2, "is not a record of a game: line 1 is not a header");
    check(&original().replacen("\"record\":1", "\"record\":9", 1), 2, "version 9 is newer than this program's 1");
    let unknown = forged(original(), |record| record.header.game = "chess".to_owned());
    check(&unknown, 2, "this version does not know the game `chess`");
}

/// A record with something changed and a new seal.
fn forged(text: &str, change: impl FnOnce(&mut Record)) -> String {
    let mut record = Record::read(text).unwrap();
    change(&mut record);
    record.write()
}

/// The first line of the conversation that begins so.
fn line(record: &Record, start: &str) -> usize {
    record.entries.iter().position(|entry| entry.line.starts_with(start)).unwrap()
}

/// A version that had no name for the rule left it out.
#[test]
fn an_illegal_move_without_the_name_of_its_rule_is_proved() {
    let folder = folder();
    let code = "import sys\nfor line in sys.stdin:\n    if line.startswith('READY'): print('OK', flush=True)\n    \
                if line.startswith('TURN'): print('MOVE 1 1 4 4', flush=True)\n";
    let bot = file(&folder, "bot.py", code);
    let path = folder.path().join("game.jsonl");
    let ran = agon(&["play", "bacteria", "--first", text(&bot), "--show", "none", "--out", text(&path)]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    let written = fs::read_to_string(&path).unwrap();
    let named = |rule: Option<&'static str>| {
        let kind = Some(FaultKind::Illegal { rule: rule.map(Into::into) });
        forged(&written, |record| record.result.verdicts[0].kind = kind)
    };
    assert_eq!(named(Some("distance")), written);
    let unnamed = file(&folder, "unnamed.jsonl", &named(None));
    assert_eq!(agon(&["replay", text(&unnamed)]).code, 0);
    check(&named(Some("taken")), 1, "the kind of the verdict on first is");
}

#[test]
fn a_forgery_is_refuted_by_the_rules() {
    #[track_caller]
    fn refuted(message: &str, change: impl FnOnce(&mut Record)) {
        check(&forged(original(), change), 1, message);
    }
    refuted("the rules refuse first's `MOVE 4 4 5 5`", |record| {
        let at = line(record, "MOVE");
        record.entries[at].line = "MOVE 4 4 5 5".to_owned();
        record.entries.truncate(at + 1);
    });
    // Another legal move is not the move that the opponent was sent.
    refuted("where the judge would say `OPP 1 1 1 3 ", |record| {
        let at = line(record, "MOVE");
        assert_ne!(record.entries[at].line, "MOVE 1 1 1 3");
        record.entries[at].line = "MOVE 1 1 1 3".to_owned();
    });
    refuted("line 12: first answers without having been asked", |record| {
        record.entries.swap(10, 11);
    });
    refuted("it no FINISH", |record| {
        let at = record.entries.iter().rposition(|entry| entry.line == "FINISH").unwrap();
        record.entries.remove(at);
    });
    refuted("while not both are ready to play", |record| {
        let at = line(record, "MOVE");
        record.entries.insert(at + 1, record.entries.last().unwrap().clone());
    });
    refuted("while not both are ready to play", |record| {
        let at = line(record, "OK");
        record.entries.remove(at);
    });
    refuted("is not a command of the judge", |record| {
        let at = line(record, "TURN");
        record.entries[at].line = "TURNS".to_owned();
    });
    refuted("where the judge would say `TURN 10000 10000`", |record| {
        let at = line(record, "TURN");
        record.entries[at].line = "TURN 9999 10000".to_owned();
    });
    refuted("an answer without its time", |record| {
        let at = line(record, "MOVE");
        record.entries[at].moment = None;
    });
    refuted("answers without having been asked", |record| {
        let at = line(record, "MOVE");
        record.entries.insert(at, record.entries[at].clone());
    });
    refuted("the result says the winner is second, but the game gives first", |record| {
        assert_eq!(record.result.winner, Winner::First);
        record.result.winner = Winner::Second;
    });
    refuted("the result says the plies are 1, but", |record| record.result.plies = 1);
    refuted("the result says the score is ", |record| record.result.score = None);
    refuted("the result says the times are ", |record| record.result.time_ms = [1.0, 2.0]);
    refuted("bacteria has no parameter `hats`", |record| {
        record.header.parameters.insert("hats".to_owned(), "3".to_owned());
    });
}

#[test]
fn what_the_judge_would_not_have_written_is_refused() {
    #[track_caller]
    fn refuted(message: &str, change: impl FnOnce(&mut Record)) {
        check(&forged(original(), change), 1, message);
    }
    // Lines that are said twice.
    for kind in ["TURN", "OPP"] {
        refuted("line ", |record| {
            let at = line(record, kind);
            record.entries.insert(at, record.entries[at].clone());
        });
    }
    refuted("while an answer is awaited", |record| {
        let at = line(record, "TURN");
        record.entries.insert(at, record.entries[at].clone());
    });
    refuted("where the judge would say TURN to second", |record| {
        let at = line(record, "OPP");
        record.entries.drain(at + 1..at + 3);
    });
    // The result's parts that follow from the game.
    refuted("the result says the reason is a lie, but the game gives", |record| {
        record.result.reason = "a lie".into();
    });
    refuted("the result says the disturbed moves are [3, 0], but", |record| record.result.disturbed[0] += 3);
    refuted("the result says the verdict on first is", |record| {
        // An answer that loses has exactly one verdict.
        let at = line(record, "MOVE");
        record.entries[at].line = "MOVE 1 1 4 4".to_owned();
        record.entries.truncate(at + 1);
        record.result.verdicts[0] =
            AgentVerdict { verdict: Verdict::Mle, reason: Some("too fat".into()), kind: None, cause: Vec::new() };
    });
    // A game in progress, without an end.
    refuted("no reason why it ended", |record| {
        let at = record.entries.iter().rposition(|entry| entry.line.starts_with("OPP")).unwrap();
        record.entries.drain(at..at + 3);
        record.result.winner = Winner::Void;
    });
    let fault =
        |verdict: Verdict| AgentVerdict { verdict, reason: Some("so it is".into()), kind: None, cause: Vec::new() };
    refuted("first got CE, but the game gives both programs were started", |record| {
        record.result.verdicts[0] = fault(Verdict::Ce);
    });
    refuted("it no TURN", |record| {
        let at = line(record, "TURN");
        record.entries.truncate(at);
        record.result.verdicts = [fault(Verdict::Tle), fault(Verdict::Re)];
    });
    // Times that cannot have been measured.
    refuted("stands after", |record| record.entries[7].at = Duration::from_secs(1000));
    refuted("is more than the", |record| {
        for entry in &mut record.entries {
            entry.at = Duration::ZERO;
        }
    });
    refuted("does not fit the", |record| {
        let at = line(record, "MOVE");
        for entry in &mut record.entries[at..] {
            entry.at += Duration::from_secs(5);
        }
    });
    // The mark of a disturbed move, which the times do not bear out.
    let mut marked: Vec<String> = original().lines().map(str::to_owned).collect();
    marked.pop();
    let at = marked.iter().position(|line| line.contains("wall_us")).unwrap();
    marked[at] = marked[at].replace('}', ",\"disturbed\":true}");
    let body: String = marked.iter().flat_map(|line| [line, "\n"]).collect();
    let seal = agon_game::hash::hex(&Sha256::digest(&body));
    check(&format!("{body}{{\"sha256\":\"{seal}\"}}\n"), 1, "`disturbed` does not follow from the times");
}

#[test]
fn an_answer_that_loses_has_one_verdict_and_one_reason() {
    let folder = folder();
    let bots = [
        ("sh -c 'read ready; echo HELLO; read turn'", "RE", "answered `HELLO` to READY: `OK` expected"),
        ("sh -c 'read ready; echo OK; read turn; echo MOVE 1 1 4 4; cat'", "RE", "answered `MOVE 1 1 4 4`: distance 3"),
        ("sh -c 'read ready; echo OK; read turn; echo PASS; cat'", "RE", "answered `PASS`: `MOVE …` expected"),
    ];
    for (bot, verdict, reason) in bots {
        let path = folder.path().join("game.jsonl");
        let ran = agon(&["play", "bacteria", "--first", bot, "--out", text(&path), "--format", "json"]).json();
        assert_eq!(ran["verdicts"][0], verdict);
        assert!(ran["faults"][0].as_str().unwrap().starts_with(reason), "{ran}");
        let message = agon(&["replay", text(&path), "--format", "json"]).json();
        assert!(message["follows"].as_array().unwrap().contains(&json!("verdicts")), "{message}");
        let record = fs::read_to_string(&path).unwrap();
        for kind in [Verdict::Tle, Verdict::Mle, Verdict::Interrupted, Verdict::Ce] {
            let changed = forged(&record, |record| record.result.verdicts[0].verdict = kind);
            check(&changed, 1, &format!("the result says the verdict on first is {kind}, but the game gives RE"));
        }
        let changed = forged(&record, |record| record.result.verdicts[0].reason = Some("it smells".into()));
        check(&changed, 1, "the result says the reason of the verdict on first is it smells");
        // Another version may phrase it differently.
        let other = file(&folder, "other.jsonl", &forged(&record, |record| record.header.agon = "0.0.9".to_owned()));
        let message = agon(&["replay", text(&other), "--format", "json"]).json();
        assert!(message["sealed"].as_array().unwrap().contains(&json!("reason")), "{message}");
    }
    // What no answer shows must be believed, and that is reported.
    let path = folder.path().join("silent.jsonl");
    let bot = "sh -c 'read ready; echo OK; read turn; exit 3'";
    let ran = agon(&["play", "bacteria", "--first", bot, "--out", text(&path), "--format", "json"]).json();
    assert_eq!(ran["verdicts"][0], "RE");
    let message = agon(&["replay", text(&path), "--format", "json"]).json();
    let sealed = message["sealed"].as_array().unwrap();
    assert!(["winner", "verdicts", "reason"].iter().all(|part| sealed.contains(&json!(part))), "{message}");
    assert!(!message["follows"].as_array().unwrap().contains(&json!("winner")), "{message}");
}

#[test]
fn a_side_whose_time_ran_out_has_used_its_clock() {
    let folder = folder();
    let path = folder.path().join("game.jsonl");
    let bot = "sh -c 'read ready; echo OK; read turn; read finish'";
    let limits = ["--clock", "100ms", "--record", text(&path), "--format", "json"];
    let ran = agon(&[&["play", "bacteria", "--first", bot], &limits[..]].concat()).json();
    assert_eq!((&ran["verdicts"][0], &ran["time_ms"][0]), (&json!("TLE"), &json!(100.0)));
    let record = fs::read_to_string(&path).unwrap();
    check(&forged(&record, |record| record.result.time_ms[0] = 50.0), 1, "the times are [50.0, 0.0]");
    // As earlier records had it.
    let old = file(&folder, "old.jsonl", &forged(&record, |record| record.result.time_ms[0] = 0.0));
    assert_eq!(agon(&["replay", text(&old)]).code, 0);
    // The cause is recorded, not proved.
    let other = forged(&record, |record| record.result.verdicts[0].cause = vec!["bad luck".into()]);
    let ran = agon(&["replay", text(&file(&folder, "other.jsonl", &other))]);
    assert!(ran.code == 0 && ran.out.contains("\n  bad luck\n"), "{}", ran.out);
}

#[test]
fn no_name_in_a_record_steers_a_terminal() {
    let folder = folder();
    let named = forged(original(), |record| {
        record.header.agents = record.header.agents.clone().map(|mut agent| {
            agent.agent = "\x1b[2Jx\u{202e}\ny".to_owned();
            agent
        });
    });
    let record = file(&folder, "game.jsonl", &named);
    let page = folder.path().join("game.html");
    for more in [&["--color", "always"][..], &["--show", "board", "--color", "always"], &["--out", text(&page)]] {
        let ran = agon(&[&["replay", text(&record)], more].concat());
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(!ran.out.contains("\x1b[2J") && !ran.out.contains('\u{202e}'), "{:?}", ran.out);
        assert!(ran.out.contains("\u{fffd}[2Jx\\u{202e}\\ny"), "{:?}", ran.out);
    }
    assert!(!fs::read_to_string(page).unwrap().contains(['\x1b', '\u{202e}']));
    let unknown = forged(original(), |record| record.header.game = "\x1b[2J\u{202e}".to_owned());
    check(&unknown, 2, "does not know the game `\u{fffd}[2J\\u{202e}`");
    let broken = forged(original(), |record| record.entries[0].line = "\x1b[2J".to_owned());
    let record = file(&folder, "broken.jsonl", &broken);
    let ran = agon(&["replay", text(&record), "--color", "always"]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("`\u{fffd}[2J` is not a command"), "{:?}", ran.err);
}

#[test]
fn no_line_of_the_game_can_be_left_out() {
    let record = Record::read(original()).unwrap();
    for kind in ["OK", "OPP", "TURN", "MOVE"] {
        let mut record = record.clone();
        let at = line(&record, kind);
        record.entries.remove(at);
        check(&record.write(), 1, "line ");
    }
    let mut record = record;
    let last = record.entries.iter().rposition(|entry| entry.way == Way::From).unwrap();
    record.entries.truncate(last - 2);
    check(&record.write(), 1, "the result says ");
}

#[test]
fn a_drawn_board_is_proved_too() {
    let text = record_text("domineering");
    check(&forged(&text, |record| record.header.seed = 8), 1, "is not the line of the board");
    check(&forged(&text, |record| record.entries[2].line = "0 0 0 0 0 0 0 0".to_owned()), 1, "is not the line of the");
}

/// Results that a forger can write under a transcript: every winner with every pair of verdicts, every way in which a
/// game was ended, and the reasons that the judge gives.
fn forged_results(record: &Record) -> Vec<Record> {
    let verdicts = [Verdict::Ok, Verdict::Tle, Verdict::Re, Verdict::Mle, Verdict::Ce, Verdict::Interrupted];
    let terminations = [
        None,
        Some(Termination::Resignation),
        Some(Termination::Time),
        Some(Termination::Agreement),
        Some(Termination::Adjudication),
    ];
    // What an answer shows keeps its reason.
    let judged = |side: usize, verdict: Verdict| {
        let known = &record.result.verdicts[side];
        let reason = (verdict != Verdict::Ok).then(|| "so it is".to_owned());
        if known.verdict == verdict {
            known.clone()
        } else {
            AgentVerdict { verdict, reason: reason.map(Into::into), kind: None, cause: Vec::new() }
        }
    };
    let mut all = Vec::new();
    for winner in [Winner::First, Winner::Second, Winner::Draw, Winner::Void] {
        for (one, other) in verdicts.into_iter().flat_map(|one| verdicts.map(|other| (one, other))) {
            let both = [judged(0, one), judged(1, other)];
            let [first, second] =
                both.each_ref().map(|judged| format!("{}: {}", judged.verdict, judged.reason_text().unwrap_or("")));
            let reasons = [
                record.result.reason.clone(),
                format!("first failed: {first}").into(),
                format!("second failed: {second}").into(),
                Stated::from(match [one, other] {
                    [Verdict::Interrupted, _] => first,
                    [_, Verdict::Interrupted] => second,
                    _ => format!("both failed: first {first}; second {second}"),
                }),
            ];
            for (termination, reason) in terminations.iter().flat_map(|end| reasons.iter().map(move |why| (end, why))) {
                let mut forged = record.clone();
                forged.result.winner = winner;
                forged.result.verdicts.clone_from(&both);
                forged.result.termination = *termination;
                forged.result.reason.clone_from(reason);
                all.push(forged);
            }
        }
    }
    all
}

#[test]
fn a_winner_that_does_not_follow_is_refused_whatever_else_the_result_says() {
    let folder = folder();
    let path = folder.path().join("programs.jsonl");
    let bot = "sh -c 'read ready; echo OK; read turn; echo MOVE 1 1 4 4; cat'";
    agon(&["play", "bacteria", "--first", bot, "--second", "random", "--show", "none", "--out", text(&path)]);
    let check = |text: &str, programs: bool| {
        let mut record = Record::read(text).unwrap();
        if programs {
            // As if programs had played it.
            for agent in &mut record.header.agents {
                agent.kind = "command".to_owned();
            }
        }
        let won = record.result.winner;
        // What an answer has lost stays lost, whatever came afterwards.
        let shown = record.result.verdicts.each_ref().map(|judged| judged.verdict);
        let decided = !record.is_clean();
        let all = forged_results(&record);
        assert_eq!(all.len(), 2880);
        let mut turned = 0;
        for forged in all {
            let (game, header) = (Game::by_name(&forged.header.game).unwrap(), &forged.header);
            let setup = Setup { seed: header.seed, parameters: header.parameters.clone() };
            let mut state = game.initial_state(&setup).unwrap();
            let Ok(proof) = replay::examine(&forged, state.as_mut()) else { continue };
            let result = &forged.result;
            let verdicts = result.verdicts.each_ref().map(|judged| judged.verdict);
            let what = format!("{} {verdicts:?} {:?} {}", result.winner, result.termination, result.reason);
            assert_eq!(result.termination, None, "no one has ended it: {what}");
            let failed = verdicts.map(|verdict| verdict != Verdict::Ok);
            if failed != [false; 2] && verdicts != shown {
                let sealed = |part| proof.sealed.contains(&part) && !proof.proved.contains(&part);
                assert!(["winner", "verdicts", "reason"].into_iter().all(sealed), "only believed: {what}");
            }
            if verdicts.contains(&Verdict::Interrupted) {
                assert_eq!(result.winner, Winner::Void, "{what}");
                continue;
            }
            assert!(programs || failed == [false; 2], "a built-in engine does not fail: {what}");
            let wanted = match failed.map(|failed| failed && !decided) {
                [false, false] => won,
                [true, false] => Winner::Second,
                [false, true] => Winner::First,
                [true, true] => Winner::Void,
            };
            assert_eq!(result.winner, wanted, "{what}");
            turned += u32::from(result.winner != won && result.winner != Winner::Void);
        }
        turned
    };
    assert_eq!(check(original(), false), 0);
    // The winner may have failed after FINISH in three ways: the judge alone has seen whether it did.
    assert_eq!(check(original(), true), 3);
    let lost = fs::read_to_string(&path).unwrap();
    assert_eq!(check(&lost, true), 0, "who has lost by an answer has lost");
}
