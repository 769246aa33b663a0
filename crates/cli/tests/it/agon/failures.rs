//! Failing agents: what their authors see.

use std::fs;

use serde_json::json;

use crate::agon::play::record_of;
use crate::agon::run::{BINARY, Ran, agon, command, environment, fifo, file, finish, folder, text, word};

/// Answers READY, grumbles, and tries a move that no rule allows.
const ILLEGAL: &str = r#"
import sys
for line in sys.stdin:
    if line.startswith("READY"):
        print("OK", flush=True)
    if line.startswith("TURN"):
        print("thinking\x1b[31m hard", file=sys.stderr)
        print("MOVE 1 1 4 4", flush=True)
"#;

/// Its traceback contains the path under which Agon keeps the source.
const RAISING: &str = "
$stdout.sync = true
STDIN.each_line do |line|
  puts 'OK' if line.start_with?('READY')
  raise 'no idea' if line.start_with?('TURN')
end
";

#[test]
fn a_failure_names_the_file_of_the_author() {
    let folder = folder();
    let (bot, record) = (file(&folder, "bot.rb", RAISING), folder.path().join("game.jsonl"));
    let ran = agon(&["play", "bacteria", "--first", text(&bot), "--show", "none", "--out", text(&record)]);
    assert!(ran.code == 0 && ran.out.contains("its last message: `bot.rb:5:in "), "{}{}", ran.out, ran.err);
    let explained = agon(&["explain", text(&record), "--nodes", "100"]);
    for shown in [&ran.out, &explained.out] {
        assert!(shown.contains("bot.rb:5:in ") && !shown.contains("program.rb"), "{shown}");
    }
}

#[test]
fn a_failure_explains_itself() {
    let folder = folder();
    let bot = file(&folder, "bot.py", ILLEGAL);
    let mut run = command(&["play", "bacteria", "--first", text(&bot), "--seed", "7", "--show", "none"]);
    let ran = finish(run.env("AGON_STATE", folder.path()));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    let records: Vec<_> = fs::read_dir(folder.path().join("records")).unwrap().map(|e| e.unwrap().path()).collect();
    let [record] = records.as_slice() else { panic!("{records:?}") };
    let message = [
        "X greedy wins: first failed: RE: answered `MOVE 1 1 4 4`: distance 3 is neither\n  a division nor a leap\n",
        "\nfirst (O): RE\n  answered `MOVE 1 1 4 4`: distance 3 is neither",
        "  a move that is legal here: `MOVE 1 1 1 2` (a7b7)\n",
        "last lines (> to the agent, < from it)\n",
        " s > READY FIRST\n",
        " s < OK\n",
        " s > TURN 10000 10000\n",
        " s < MOVE 1 1 4 4\n",
        "  end of its error stream\n    thinking\u{fffd}[31m hard\n",
        "\nposition x5o/7/7/7/7/7/o5x x 0 1   in the FEN, x is O and o is X\n",
        "limits   10000 ms a game, 60000 ms for READY, 40000 ms to exit, 1024 MiB, jail ",
        &format!("replay   agon replay {}\n", word(text(record))),
        &format!("again    agon ask {} {}\n", word(text(record)), word(text(&bot))),
    ];
    let mut rest = ran.out.as_str();
    for part in message {
        let at = rest.find(part).unwrap_or_else(|| panic!("`{part}` is not message in time:\n{}", ran.out));
        rest = &rest[at + part.len()..];
    }
    assert!(!ran.out.contains("second (X)"), "{}", ran.out);

    // The line shown asks for the failing answer again.
    let asked = agon(&["ask", text(record), text(&bot), "--format", "json"]);
    assert!(asked.code == 1 && asked.out.contains("1 1 4 4"), "{}{}", asked.out, asked.err);
    let replayed = agon(&["replay", text(record)]);
    assert_eq!(replayed.code, 0, "{}", replayed.err);
    assert!(replayed.out.contains("first (O): RE\n  answered `MOVE 1 1 4 4`"), "{}", replayed.out);
}

/// Plays bacteria between two agents.
fn between(first: &str, second: &str, more: &[&str]) -> Ran {
    agon(&[&["play", "bacteria", "--first", first, "--second", second, "--format", "json"], more].concat())
}

#[test]
fn verdicts_are_in_the_result() {
    #[track_caller]
    fn check(first: &str, limits: &[&str], verdict: &str, reason: &str) {
        let result = between(first, "greedy", limits).json();
        assert_eq!(result["verdicts"], json!([verdict, "OK"]), "{first}");
        assert_eq!(result["winner"], "second", "{first}");
        assert_eq!(result["faults"][1], json!(null));
        let fault = result["faults"][0].as_str().unwrap();
        assert!(fault.contains(reason), "{first}: {fault}");
        let record = record_of(result["record"].as_str().unwrap().as_ref());
        assert_eq!(record.result.verdicts[0].reason_text(), Some(fault));
    }
    check(
        "sh -c 'read ready; echo OK; read turn; read finish'",
        &["--clock", "100ms"],
        "TLE",
        "no answer within 100 ms",
    );
    check("sh -c 'read ready; echo OK; read turn; exit 3'", &[], "RE", "exit code 3");
    check("sh -c 'read ready; echo OK; read turn; kill -SEGV $$'", &[], "RE", "SIGSEGV");
    check("sh -c 'read ready; echo HELLO; read turn'", &[], "RE", "`HELLO` to READY: `OK` expected");
    check("sh -c 'read ready; echo OK; exec cat >&2'", &[], "RE", "closed its output before FINISH");
    check("false", &[], "RE", "ended before FINISH");
}

/// Closes its output, and says so in a fifo.
const CLOSING: &str = "read ready; echo OK; exec >&2; echo closed > \"$1\"; exec cat";

/// Gets ready only when the other has closed its output.
const WAITING: &str = "read ready; read closed < \"$1\"; echo OK; exec cat";

#[test]
fn an_output_closed_before_its_turn_is_seen_at_once() {
    let folder = folder();
    let [closing, waiting] = [("closing.sh", CLOSING), ("waiting.sh", WAITING)].map(|(name, script)| {
        let script = file(&folder, name, script);
        format!("sh '{}' '{}'", text(&script), text(&folder.path().join("fifo")))
    });
    fifo(&folder.path().join("fifo"));
    // A jail would not let the two meet in the fifo.
    let bots = ["play", "bacteria", "--first", &closing, "--second", &waiting, "--jail", "none", "--format", "json"];
    assert_eq!(agon(&bots).json()["faults"][0], "closed its output before FINISH");
}

#[test]
fn a_source_that_does_not_compile_loses() {
    let folder = folder();
    let [c, python] = [("bad.c", "int main() { return x; }\n"), ("bad.py", "def f(:\n")]
        .map(|(name, content)| file(&folder, name, content));
    let one = between(text(&c), "greedy", &[]).uncompiled();
    assert_eq!((&one["verdicts"], &one["winner"], &one["plies"]), (&json!(["CE", "OK"]), &json!("second"), &json!(0)));
    assert!(one["faults"][0].as_str().unwrap().contains("‘x’ undeclared"), "{one}");
    let both = between(text(&c), text(&python), &[]).uncompiled();
    assert_eq!((&both["verdicts"], &both["winner"]), (&json!(["CE", "CE"]), &json!("void")));

    let message = agon(&["play", "renju", "--first", text(&c), "--second", text(&python)]).out;
    assert!(
        message.starts_with(
            "no result: both failed: first CE: C20 does not compile it; second CE: PYTHON3\n  does not compile it\n"
        ),
        "{message}"
    );
    assert!(message.contains("\nfirst (Black): CE\n  C20 does not compile it:\n  bad.c: In function"), "{message}");
    assert!(message.contains("\nsecond (White): CE\n  PYTHON3 does not compile it:\n"), "{message}");
    assert!(message.contains("SyntaxError"), "{message}");
}

#[test]
fn a_missing_compiler_is_named_with_its_remedy() {
    #[track_caller]
    fn check(agent: &str, message: &str) {
        let empty = folder();
        let mut run = command(&["play", "bacteria", "--second", agent]);
        let ran = finish(run.env("PATH", empty.path()));
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{agent}");
        assert!(ran.err.contains(message), "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    }
    check("PYPY3:agents/bacteria/sample.py", "PYPY3 needs `pypy3`, which is not installed; on Debian or Ubuntu: apt");
    check("agents/bacteria/sample.py", "PYTHON3 needs `python3`, which is not installed; on Debian or Ubuntu: apt");
    check("agents/bacteria/sample.c", "C20 needs `gcc`");
    check("agents/bacteria/sample.cpp", "CPP20 needs `g++`");
    check("agents/bacteria/sample.java", "apt-get install default-jdk-headless");
    check("agents/bacteria/sample.rs", "see https://rustup.rs");
}

#[test]
fn a_program_gets_its_seed() {
    let ran = between("sh -c 'echo seed $AGON_SEED >&2; exit 1'", "greedy", &[]);
    let record = record_of(ran.json()["record"].as_str().unwrap().as_ref());
    let stderr = &record.result.stderr[0];
    let seed = stderr.trim().strip_prefix("seed ").and_then(|seed| seed.parse::<u64>().ok());
    assert!(seed.is_some(), "{stderr}");
}

/// One rule for all commands: a game that was played is a success, whatever its verdicts; one that was not played is a
/// failure.
#[test]
fn the_exit_code_says_whether_a_game_was_played() {
    let folder = folder();
    let (broken, failing) = (file(&folder, "bad.py", "def f(:\n"), file(&folder, "dies.py", "1 / 0\n"));
    let database = folder.path().join("agon.db");
    let play = |bot: &str| agon(&["play", "domineering", "--first", bot, "--second", "greedy", "--show", "none"]);
    let series =
        |bot: &str| agon(&["match", bot, "greedy", "--game", "domineering", "-n", "2", "--db", text(&database)]);
    for ran in [play(text(&broken)), series(text(&broken))] {
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.err.contains("error: ") && ran.err.contains("does not compile"), "{}", ran.err);
    }
    assert_eq!(play(text(&failing)).code, 0);
    // Nowhere to keep the record: that is said before the game, which is played.
    let occupied = file(&folder, "occupied", "x");
    let mut run =
        command(&["play", "domineering", "--first", text(&failing), "--second", "greedy", "--format", "json"]);
    let ran = finish(run.env("AGON_STATE", occupied.join("x")));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.starts_with("warning: the record of a failed game will not be kept: cannot write to"),
        "{}",
        ran.err
    );
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
    assert!(ran.out.contains(r#""verdicts":["RE","OK"]"#), "{}", ran.out);
    // Built-in players do not fail.
    let mut run = command(&["play", "domineering", "--show", "none"]);
    assert_eq!(finish(run.env("AGON_STATE", occupied.join("x"))).err, "");
    // A file that was asked for is a part of the job.
    let out = occupied.join("game.jsonl");
    let ran = agon(&["play", "domineering", "--show", "none", "--out", text(&out)]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{}", ran.err);
}

#[test]
fn a_file_that_may_not_grow_is_an_error() {
    let folder = folder();
    let database = folder.path().join("agon.db");
    let series = format!(
        "ulimit -f 64; exec {} match greedy random --game bacteria -n 400 --db {}",
        word(BINARY),
        word(text(&database))
    );
    let mut run = assert_cmd::Command::new("sh");
    let variables = environment().into_iter().filter_map(|(name, value)| Some((name, value?)));
    run.args(["-c", &series]).envs(variables);
    let ran = finish(&mut run);
    assert_eq!(ran.code, 2, "{}", ran.err);
    let message = ran.err.lines().last().unwrap_or_default();
    assert!(message.starts_with("error: the store cannot be written: its file may not grow"), "{}", ran.err);
}

#[test]
fn what_strangers_wrote_steers_no_terminal() {
    // A compiler quotes the line that it does not understand.
    let folder = folder();
    let source = file(&folder, "bot.py", "x = '\x1b[2J\u{9b}31m\u{202e}\u{7}' +\n");
    let arguments = ["play", "bacteria", "--first", text(&source), "--show", "none", "--color", "always"];
    let ran = agon(&arguments);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.out.contains("CE"), "{}", ran.out);
    let ours = |text: &str| text.replace("\x1b[0m", "").replace("\x1b[1m", "").replace("\x1b[2m", "");
    for steering in ["\x1b[2J", "\u{9b}", "\u{202e}", "\u{7}"] {
        assert!(!ours(&ran.out).contains(steering), "{:?}", ran.out);
    }
    assert!(ran.out.contains("\u{fffd}[2J\u{fffd}31m\\u{202e}\u{fffd}"), "{:?}", ran.out);
    let arguments = [&arguments[..arguments.len() - 2], &["--format", "json"]].concat();
    let result = agon(&arguments).uncompiled();
    let fault = result["faults"][0].as_str().unwrap();
    assert!(!fault.contains(['\x1b', '\u{9b}', '\u{202e}']) && fault.lines().count() > 2, "{fault:?}");
}

#[test]
fn invisible_marks_are_shown() {
    #[track_caller]
    fn check(mark: &str, shown: &str) {
        let bot = format!("sh -c 'read ready; printf \"{mark}OK{mark}\\n\"; read turn'");
        let result = between(&bot, "greedy", &[]).json();
        assert_eq!(result["faults"][0], json!(format!("answered `{shown}OK{shown}` to READY: `OK` expected")));
        let ran = agon(&["replay", result["record"].as_str().unwrap()]);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""));
        assert!(!ran.out.contains(['\u{feff}', '\u{202e}', '\u{200f}', '\u{2067}']), "{:?}", ran.out);
    }
    check("\u{feff}", "\\u{feff}");
    check("\u{202e}", "\\u{202e}");
    check("\u{200f}", "\\u{200f}");
    check("\u{2067}", "\\u{2067}");
}
