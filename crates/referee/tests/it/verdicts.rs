//! Every way to misbehave, and the verdict it earns.

use crate::court;
use serde_json::json;

use std::time::{Duration, Instant};

use agon_referee::bout::Report;
use agon_referee::limits::GameLimits;
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict::{Mle, Ok, Re, Tle};
use agon_referee::verdict::{AgentVerdict, Verdict};
use court::{QUICK, ROOMY, bad, check, check_all, play};

#[test]
fn the_bot_plays_well_when_it_behaves() {
    check("well", Ok, "");
    check("carriage returns", Ok, "");
}

/// Nearly all of the time is spent waiting for the programs, so they wait side by side.
#[test]
fn no_answer_in_time() {
    let reads = "it has read all of its input";
    let stopped = "it was stopped, by a signal or a debugger (computed for ";
    let cases: [(&str, &[&str]); 13] = [
        ("silent at READY", &["no OK to READY within 3 s", "it sleeps (computed for "]),
        ("silent", &["no answer within", &format!("{reads}: it sleeps (computed for ")]),
        ("spin", &["an endless loop"]),
        ("spin in a child", &["an endless loop"]),
        ("no flush", &[&format!("{reads} and is waiting for more (computed for ")]),
        ("deaf", &["it has not read the last "]),
        ("late", &["computed for "]),
        ("deadlock", &["it waits for a lock, a timer or another of its threads (computed for "]),
        ("wait for a child", &["it sleeps (computed for "]),
        ("stop itself", &["no answer within", stopped]),
        ("stay after FINISH", &["did not exit within 500 ms of FINISH", "it sleeps (computed for "]),
        ("silent against SIGTERM", &["no answer within"]),
        ("half a line", &["`MOVE 1 1` without a newline"]),
    ];
    std::thread::scope(|scope| {
        for (way, words) in cases {
            scope.spawn(move || check_all(way, Tle, words));
        }
    });
}

#[test]
fn answers_that_are_not_in_the_format() {
    check("wrong at READY", Re, "answered `READY` to READY");
    check("speak before READY", Re, "answered `MOVE 1 1 2 2` to READY");
    check("100 MB in a line", Re, "longer than 4096 bytes");
    check("5000 bytes in a line", Re, "longer than 4096 bytes");
    check("binary", Re, "answered `\\x00\\xff\\xfe\\x80MOVE 1 1 2 2`");
    check("say ", Re, "answered an empty line: `MOVE …` expected");
    check("say MOVE", Re, "answered `MOVE`: `MOVE …` expected");
    check("say MOVE 1 1 2", Re, "answered `MOVE 1 1 2`: ");
    check("say MOVE 1 1 2 2 3", Re, "answered `MOVE 1 1 2 2 3`: ");
    check("say move 1 1 2 2", Re, "answered `move 1 1 2 2`: `MOVE …` expected");
    check("say MOVE 1 1 2 99999999999", Re, "answered `MOVE 1 1 2 99999999999`: ");
}

#[test]
fn illegal_moves() {
    check("say MOVE -1 -1 -1 -1", Re, "PASS is legal only when nothing else is");
    check("say MOVE 0 1 1 1", Re, "(0,1) is outside the board");
    let report = play(&bad("say MOVE 1 1 4 4"), "random", &ROOMY);
    let quoted = json!({"text": "`MOVE 1 1 4 4`", "key": "quoted-whole", "arguments": {"text": "MOVE 1 1 4 4"}});
    let far = "distance 3 is neither a division nor a leap";
    let error = json!({"text": far, "key": "bacteria-refusal-distance", "arguments": {"far": 3}});
    let legal = "`MOVE 1 1 1 2` (a7b7)";
    let wanted = json!({
        "verdict": "RE",
        "reason": format!("answered `MOVE 1 1 4 4`: {far}"),
        "kind": "illegal",
        "rule": "distance",
        "cause": format!("a move that is legal here: {legal}"),
        "reason_key": "fault-reason-illegal",
        "reason_arguments": {"answer": quoted, "error": error},
        "cause_messages": [{"key": "cause-legal-move", "arguments": {"example": legal}}],
    });
    let written = serde_json::to_value(&report.verdicts[0]).unwrap();
    assert_eq!(written, wanted);
    assert_eq!(serde_json::from_value::<AgentVerdict>(written).unwrap(), report.verdicts[0]);
    // From a record older than the keys of messages.
    let text =
        r#"{"verdict":"TLE","reason":"late","kind":"no-answer","limit_us":1,"wall_us":2,"cpu_us":0,"cause":"a\nb"}"#;
    let old: AgentVerdict = serde_json::from_str(text).unwrap();
    assert_eq!((old.reason_text(), old.cause_text().as_deref()), (Some("late"), Some("a\nb")));
    assert_eq!(serde_json::to_string(&old).unwrap(), text);
}

#[test]
fn speaking_out_of_turn() {
    check("move with OK", Re, "wrote `MOVE 1 1 2 2` before it was asked");
    check_all("speak twice", Re, &["before it was asked", "standard output is for answers only"]);
    check("say debug: 3", Re, "write messages to standard error");
    check("say 1 1 1 2", Re, "an answer that is legal here: `MOVE 1 ");
    check("speak after FINISH", Re, "wrote `bye` after FINISH");
    check("flood of lines", Re, "answered `MOVE 9 9 9 9`");
}

#[test]
fn ending_too_soon() {
    check("exit at READY", Re, "ended before FINISH (exit code 0)");
    check("exit after OK", Re, "ended before FINISH (exit code 0)");
    check("exit 0", Re, "ended before FINISH (exit code 0)");
    check("exit 3", Re, "ended before FINISH (exit code 3)");
    let raised = "its last message: `ValueError: no idea what to play`";
    check_all("raise", Re, &["ended before FINISH (exit code 1)", raised]);
    check_all("die by signal", Re, &["died by signal 11, SIGSEGV", "a wrong pointer, an index out of range"]);
    check("close output", Re, "closed its output before FINISH");
    check("close input", Re, "closed its input before FINISH");
    check("exit while a child keeps the pipes", Re, "ended before FINISH (exit code 0)");
    check("exit 3 after FINISH", Re, "ended after FINISH with exit code 3");
    check("die after FINISH", Re, "ended after FINISH with signal 6, SIGABRT");
}

#[test]
fn what_a_bot_leaves_behind_is_ended() {
    check("daemon", Ok, "");
    check("clean daemon", Ok, "");
    check("child keeps the pipes", Ok, "");
    check("many children", Ok, "");
}

#[test]
fn too_much_memory() {
    check_all("eat memory", Mle, &["exceeded the memory limit", ", and the limit is 128 MiB"]);
    check("eat memory in steps", Mle, "`python3");
    check("eat memory in a child", Mle, "exceeded the memory limit");
    check("shared memory is counted once", Ok, "");
}

#[test]
fn the_error_stream_is_drained_and_its_tail_kept() {
    let report = play(&bad("noise on stderr"), "random", &ROOMY);
    assert_eq!(report.verdicts[0].verdict, Ok);
    assert_eq!(report.stderr[0].len(), 64 << 10);
    assert!(report.stderr[0].ends_with("xxxthe end\n"));
}

#[test]
fn a_traceback_is_kept() {
    let report = play(&bad("raise"), "random", &ROOMY);
    assert!(report.stderr[0].contains("ValueError: no idea what to play"), "{}", report.stderr[0]);
}

#[test]
fn two_failures() {
    let verdicts = |report: &Report| report.verdicts.each_ref().map(|judged| judged.verdict);
    let report = play(&bad("wrong at READY"), &bad("exit at READY"), &ROOMY);
    assert_eq!((verdicts(&report), report.winner), ([Re, Re], Winner::Void));
    let report = play(&bad("silent at READY"), &bad("wrong at READY"), &QUICK);
    assert_eq!((verdicts(&report), report.winner), ([Tle, Re], Winner::Void));
    // The side that fails first loses, whatever the other does afterwards.
    let limits = GameLimits { exit_ms: 500, ..ROOMY };
    let report = play(&bad("exit 0"), &bad("stay after FINISH"), &limits);
    assert_eq!((verdicts(&report), report.winner), ([Re, Tle], Winner::Second));
    // At the end of a whole game both fail together.
    let report = play(&bad("exit 3 after FINISH"), &bad("speak after FINISH"), &ROOMY);
    assert_eq!((verdicts(&report), report.winner), ([Re, Re], Winner::Void));
}

#[test]
fn a_hung_bot_costs_its_clock_and_little_more() {
    let limits = GameLimits { clock_ms: 1000, exit_ms: 600_000, ..ROOMY };
    let start = Instant::now();
    let report = play(&bad("silent against SIGTERM"), "random", &limits);
    assert_eq!(report.verdicts[0].verdict, Tle);
    // Far more than a loaded machine needs to kill a program, far less than the time it has to exit by itself.
    assert!(start.elapsed() < Duration::from_mins(2), "{:?}", start.elapsed());
}

#[test]
fn a_program_that_will_be_frozen_is_looked_at_before() {
    let limits = GameLimits { freeze: true, clock_ms: 1000, ..ROOMY };
    let report = play(&bad("no flush"), "random", &limits);
    let cause = report.verdicts[0].cause_text().unwrap_or_default();
    assert!(cause.starts_with("it has read all of its input and is waiting for more"), "{cause}");
}

#[test]
fn who_runs_out_of_time_has_used_its_clock() {
    let limits = GameLimits { clock_ms: 1000, ..ROOMY };
    assert_eq!(play(&bad("silent"), "random", &limits).time[0], limits.clock());
}

#[test]
fn freezing_changes_nothing_for_the_well_behaved() {
    let limits = GameLimits { freeze: true, ..ROOMY };
    let report = play(&bad("well"), &bad("well"), &limits);
    assert_eq!(report.verdicts.each_ref().map(|judged| judged.verdict), [Verdict::Ok; 2]);
    assert!(report.plies > 10);
}

#[test]
fn a_source_file_that_does_not_compile() {
    let folder = tempfile::tempdir().unwrap();
    let broken = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    for (name, text) in [
        ("bot.c", "int main(void) { return missing; }"),
        ("bot.cpp", "int main() { return missing; }"),
        ("bot.py", "def broken(:\n"),
        ("bot.java", "class Main { void missing( }"),
        ("bot.rs", "fn main() { missing }"),
    ] {
        let report = play(&broken(name, text), "random", &QUICK);
        let judged = &report.verdicts[0];
        assert_eq!(judged.verdict, Verdict::Ce, "{name}: {judged:?}");
        let reason = judged.reason_text().unwrap();
        assert!(reason.contains("missing") || reason.contains("SyntaxError"), "{name}: {reason}");
        assert!(!reason.contains("building-"), "{name}: {reason}");
        assert_eq!((report.verdicts[1].verdict, report.winner), (Verdict::Ok, Winner::Second));
    }
    let both = broken("both.c", "nonsense");
    assert_eq!(play(&both, &both, &QUICK).winner, Winner::Void);
}
