//! Programs that are started anew for every action: every way to misbehave, the consequences, and the record.

use crate::court;

use std::path::Path;
use std::time::Duration;

use agon_catalog::Game;
use agon_game::Side;
use agon_referee::limits::GameLimits;
use agon_referee::record::{Record, RecordEntry, Way, Winner};
use agon_referee::replay::prove;
use agon_referee::verdict::AgentVerdict;
use agon_referee::verdict::Verdict::{self, Ce, Ok, Re};
use court::dish::{play, setup};
use court::left::Left;

/// Long enough for a shell on a loaded machine.
const PATIENT: GameLimits = GameLimits {
    clock_ms: 1,
    ready_ms: 1,
    exit_ms: 300,
    memory_mib: 64,
    freeze: false,
    invocation_ms: 60_000,
    recheck_percent: 0,
    ..GameLimits::ALPHANO
};

/// For cells that never answer; they say BEGIN late, too, on a loaded machine, so it is not too short.
const QUICK: GameLimits = GameLimits { invocation_ms: 700, ..PATIENT };

/// The cell that misbehaves in this way.
fn bad(way: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/cell.sh");
    format!("sh '{}' '{way}'", script.display())
}

fn verdicts(record: &Record) -> [Verdict; 2] {
    record.result.verdicts.each_ref().map(|judged| judged.verdict)
}

/// A side's answers, actions only.
fn actions(record: &Record, side: Side) -> Vec<&RecordEntry> {
    record.entries.iter().filter(|entry| entry.side == side && entry.moment.is_some()).collect()
}

/// Plays the bad cell in either seat against a good one: its colony is one cell, whose every action has this answer and
/// a remark that contains this; the game continues to its end.
fn check_with(limits: &GameLimits, way: &str, answer: &str, remark: &str) {
    for side in Side::BOTH {
        let bot = bad(way);
        let agents = if side == Side::First { [&*bot, "sample"] } else { ["sample", &*bot] };
        let record = play(agents, &setup(2), limits);
        assert_eq!(verdicts(&record), [Ok, Ok], "`{way}` as {side}");
        let actions = actions(&record, side);
        assert_eq!(actions.len(), 2, "`{way}` as {side}");
        for entry in &actions {
            let said = entry.remark.clone().unwrap_or_default();
            assert_eq!(entry.line, answer, "`{way}` as {side}");
            assert!(
                said.text.contains(remark) && said.text.is_empty() == remark.is_empty(),
                "`{way}` as {side}: `{said}`"
            );
        }
        let remarked = record.result.invocations.unwrap().remarked;
        assert_eq!(remarked[side.index()], if remark.is_empty() { 0 } else { 2 }, "`{way}` as {side}");
        nothing_survives(&record.result.stderr[side.index()], way);
    }
}

fn check(way: &str, answer: &str, remark: &str) {
    check_with(&PATIENT, way, answer, remark);
}

/// The processes that a cell reported leaving must be gone.
fn nothing_survives(stderr: &str, way: &str) {
    let left = Left::of(stderr);
    assert_eq!(left.is_empty(), !matches!(way, "daemon" | "child"), "`{way}`: {stderr}");
    for process in left {
        assert!(!process.exists(), "{process:?} of `{way}` survives");
    }
}

#[test]
fn no_answer_in_time() {
    check_with(&QUICK, "hang", "", "no answer within 700 ms");
    check_with(&QUICK, "hang after it", "", "no answer within 700 ms; wrote `MOVE E\\n`");
    check_with(&QUICK, "hang", "", ": it sleeps");
    check_with(&QUICK, "hang against SIGTERM", "", "no answer within 700 ms");
}

#[test]
fn crashes_and_failures() {
    check("crash", "", "died by signal 11, SIGSEGV");
    check("crash after it", "", "died by signal 11, SIGSEGV");
    check("fail", "", "no output, exit code 3");
    check("fail after it", "REST\n", "");
    check("eat memory", "", "exceeded the memory limit");
}

#[test]
fn what_is_no_action() {
    check("silent", "", "no output");
    check("say JUMP N", "JUMP N", "the first word must be");
    check("say MOVE N\\nMOVE N", "MOVE N\nMOVE N", "the second word must be");
    check("say REST\\n\\n", "REST\n\n", "");
    check("say REST\\n\\n\\n", "REST\n\n\n", "the first word must be");
    check("say EAT S", "EAT S", "no corpse is there: S");
    check("binary", "\u{fffd}\0MOVE E", "the first word must be");
    check("flood", "", "longer than 4096 bytes");
    check("5000 bytes", "", "longer than 4096 bytes");
}

#[test]
fn of_a_long_answer_is_kept_what_decides_the_action() {
    let check = |way: &str, line: &str, whole: usize, remark: &str| {
        check(way, line, remark);
        let record = play([&bad(way), "sample"], &setup(2), &PATIENT);
        for entry in actions(&record, Side::First) {
            assert_eq!((entry.line.as_str(), entry.line.len() as u64 + entry.cut), (line, whole as u64), "`{way}`");
        }
    };
    check("explain at length", &format!("REST {}", "A".repeat(59)), 4005, "");
    check("talk at length", &"\u{1}".repeat(64), 4000, "the first word must be");
    check("attack with many digits", "ATTACK E 2", 4011, "no living cell is there: E");
    let explained = format!("REST {}", "A".repeat(59));
    check_loop(&PATIENT, "loop explains itself at length", [(&explained, ""); 4]);
}

#[test]
fn the_error_stream_and_the_input_delay_no_agent() {
    check("daemon", "REST\n", "");
    check("child", "REST\n", "");
    check("noise on stderr", "REST\n", "");
    let record = play([&bad("fail"), "sample"], &setup(2), &PATIENT);
    assert_eq!(record.result.stderr[0], "no idea what to do\n".repeat(2));
    // An input may be longer than a pipe is sure to take; a shell drops no newline from it, for there is none.
    let mut large = setup(1);
    for (name, length) in [("width", 255), ("height", 250)] {
        large.parameters.insert(name.to_owned(), length.to_string());
    }
    let record = play([&bad("count"), &bad("begin: say 4 8 0")], &large, &PATIENT);
    let input = "255 250\n".len() + 256 * 250 + "\n1 1 4 8".len();
    assert_eq!(actions(&record, Side::First)[0].line, format!("REST {input}\n"));
}

/// Plays the cell that stays alive and lists its answers, each with its remark.
fn check_loop(limits: &GameLimits, way: &str, expected: [(&str, &str); 4]) {
    let record = play([&bad(way), &bad("loop well")], &setup(4), limits);
    assert_eq!(verdicts(&record), [Ok, Ok], "`{way}`");
    let actions = actions(&record, Side::First);
    let found: Vec<(&str, &str)> =
        actions.iter().map(|entry| (entry.line.as_str(), entry.remark_text().unwrap_or(""))).collect();
    assert_eq!(found, expected, "`{way}`");
}

#[test]
fn programs_that_stay_alive() {
    let all = |pair| [pair; 4];
    check_loop(&PATIENT, "loop well", all(("REST", "")));
    check_loop(&PATIENT, "loop stays after END", all(("REST", "")));
    check_loop(&PATIENT, "loop dies", all(("", "ended before END (exit code 3)")));
    let (moves, dead) = (("MOVE E", ""), ("", "ended before END (exit code 3)"));
    check_loop(&PATIENT, "loop dies later", [moves, moves, dead, moves]);
    let pending_output = ("", "wrote `MOVE E` before it was asked");
    check_loop(&PATIENT, "loop twice", [moves, pending_output, moves, pending_output]);
    check_loop(&QUICK, "loop hangs", all(("", "no answer within 700 ms: it sleeps")));
    check_loop(&PATIENT, "loop closes its output", all(("", "closed its output before END")));
    let long = format!("answered `{}…` (5000 bytes): longer than 4096 bytes", "A".repeat(80));
    check_loop(&PATIENT, "loop floods", all(("", &long)));
}

/// The cell that fails at BEGIN loses with verdict RE before anybody acts.
fn check_begin(limits: &GameLimits, way: &str, reason: &str) {
    for side in Side::BOTH {
        let bot = bad(way);
        let agents = if side == Side::First { [&*bot, "sample"] } else { ["sample", &*bot] };
        let record = play(agents, &setup(2), limits);
        let judged = &record.result.verdicts[side.index()];
        let text = judged.reason_text().unwrap_or_default();
        assert!(text.contains(reason), "`{way}` as {side}: `{text}`");
        let (winner, expected) = match side {
            Side::First => (Winner::Second, [Re, Ok]),
            Side::Second => (Winner::First, [Ok, Re]),
        };
        assert_eq!((verdicts(&record), record.result.winner, record.result.plies), (expected, winner, 0), "`{way}`");
    }
}

#[test]
fn whoever_fails_at_begin_is_out() {
    check_begin(&QUICK, "begin: hang", "no answer within 700 ms");
    check_begin(&QUICK, "begin: hang after it", "no answer within 700 ms; wrote `4 8 0\\n`");
    check_begin(&PATIENT, "begin: crash", "died by signal 11, SIGSEGV");
    check_begin(&PATIENT, "begin: fail", "no output, exit code 3");
    check_begin(&PATIENT, "begin: silent", "answered an empty line to BEGIN: three numbers HP ENERGY ACIDITY expected");
    check_begin(&PATIENT, "begin: flood", "longer than 4096 bytes");
    check_begin(&PATIENT, "begin: say 4 8", "answered `4 8` to BEGIN: three numbers HP ENERGY ACIDITY expected");
    check_begin(&PATIENT, "begin: say 4 8 1", "4 + 8 + 1 is 13, not 12");
    check_begin(&PATIENT, "begin: say 4 -1 9", "`-1` is not a whole number from 0 to 12");
    check_begin(&PATIENT, "does not read", "`REST` to BEGIN: three numbers HP ENERGY ACIDITY expected");
    let both = play([&bad("begin: silent"), &bad("begin: crash")], &setup(2), &PATIENT);
    assert_eq!((verdicts(&both), both.result.winner), ([Re, Re], Winner::Void));
    let begun = play([&bad("begin: fail after it"), "sample"], &setup(1), &PATIENT);
    assert_eq!(verdicts(&begun), [Ok, Ok]);
}

#[test]
fn what_does_not_compile_is_out() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("cell.js", "function (\n"), ("cell.rb", "def broken(\n"), ("cell.py", "def broken(:\n")] {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        let record = play([&path.display().to_string(), "sample"], &setup(1), &PATIENT);
        assert_eq!((verdicts(&record), record.result.winner), ([Ce, Ok], Winner::Second), "{name}");
    }
}

#[test]
fn a_state_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("state");
    let check = |bot: String, differs: bool| {
        let limits = GameLimits { recheck_percent: 100, ..PATIENT };
        let record = play([&bot, "clojure"], &setup(6), &limits);
        let tally = record.result.invocations.unwrap();
        assert!(tally.rechecked[0] > 0 && tally.rechecked[1] == 0, "{bot}: {tally:?}");
        assert_eq!((tally.differing[0] > 0, tally.differing[1]), (differs, 0), "{bot}: {tally:?}");
    };
    check(format!("{} '{}'", bad("keep a state"), file.display()), true);
    check(bad("loop keeps a state"), true);
    check(bad("draw from the seed"), false);
    check(bad("say DIVIDE N"), false);
    check(bad("loop well"), false);
    let record = play([&bad("say REST"), "sample"], &setup(2), &PATIENT);
    assert_eq!(record.result.invocations.unwrap().rechecked, [0, 0]);
}

#[test]
fn a_changed_record_is_refused() {
    let record = play(["coordinated", &bad("say JUMP")], &setup(8), &PATIENT);
    let check = |what: &str, change: &dyn Fn(&mut Record)| {
        let mut changed = record.clone();
        change(&mut changed);
        assert_ne!(changed, record, "{what}");
        let mut state = Game::PETRI.initial_state(&setup(8)).unwrap();
        let error = prove(&changed, state.as_mut()).expect_err(what).to_string();
        assert!(error.contains(what), "{what}: {error}");
    };
    let first = record.entries.iter().position(|entry| entry.moment.is_some()).unwrap();
    let jump = record.entries.iter().position(|entry| entry.line == "JUMP").unwrap();
    check("is remarked with `nothing`", &|record| record.entries[jump].remark = None);
    check("is remarked with `tired`", &|record| record.entries[jump].remark = Some("tired".into()));
    check("is remarked with", &|record| record.entries[jump].line = "REST".to_owned());
    check("where second would be asked", &|record| {
        let again = record.entries[first].clone();
        record.entries.insert(first, again);
    });
    check("first acts, where second would be asked", &|record| drop(record.entries.remove(jump)));
    check("the game gives", &|record| drop(record.entries.pop()));
    check("after the end of the game", &|record| {
        let again = record.entries[first].clone();
        record.entries.push(again);
    });
    check("an answer without its time", &|record| record.entries[first].moment = None);
    check("the times are", &|record| record.entries[first].moment.as_mut().unwrap().wall *= 2);
    check("counts although it took", &|record| {
        record.entries[jump].moment.as_mut().unwrap().wall = PATIENT.invocation() * 2;
    });
    check("not both programs have begun", &|record| {
        let second = record.entries.iter_mut().filter(|entry| entry.way == Way::From).nth(1).unwrap();
        second.line = "5 5 5".to_owned();
    });
    check("answers before BEGIN", &|record| drop(record.entries.remove(0)));
    check("only one BEGIN", &|record| record.entries[0].line = "END".to_owned());
    check("which the judge writes down whole", &|record| record.entries[0].cut = 1);
    check("which the judge writes down whole", &|record| record.entries[1].cut = 1);
    check("which the judge writes down whole", &|record| {
        let entry = &mut record.entries[jump];
        (entry.cut, entry.line) = (1, "x".repeat(65));
    });
    check("the winner is", &|record| record.result.winner = Winner::Second);
    check("the score is", &|record| record.result.score = None);
    check("the actions are", &|record| record.result.plies += 1);
    check("the remarks are", &|record| record.result.invocations = None);
    check("the verdict RE is", &|record| record.result.verdicts[1].verdict = Re);
    let fault =
        |verdict: Verdict| AgentVerdict { verdict, reason: Some("so it is".into()), kind: None, cause: Vec::new() };
    check("second got TLE", &|record| record.result.verdicts[1] = fault(Verdict::Tle));
    check("second got CE", &|record| record.result.verdicts[1] = fault(Ce));
    check("the reason is luck", &|record| record.result.reason = "luck".into());
    check("the key of the reason is", &|record| {
        record.result.reason.keyed.as_mut().unwrap().key = "renju-ending-passed".to_owned();
    });
    check("the disturbed moves are", &|record| record.result.disturbed[0] += 3);
    let counts = |record: &mut Record, rechecked: u32, differing: u32| {
        record.result.invocations.as_mut().unwrap().rechecked[0] = rechecked;
        record.result.invocations.as_mut().unwrap().differing[0] = differing;
    };
    check("1 invocations of first were repeated", &|record| counts(record, 1, 0));
    check("that could be", &|record| {
        record.header.limits.recheck_percent = 5;
        counts(record, 999, 0);
    });
    check("2 with another answer", &|record| {
        record.header.limits.recheck_percent = 5;
        counts(record, 1, 2);
    });
    check("stands after", &|record| record.entries[first].at = Duration::from_secs(9_999));
    check("is more than the", &|record| record.entries.iter_mut().for_each(|entry| entry.at = Duration::ZERO));
    check("no reason why it ended", &|record| record.entries.truncate(first));
}
