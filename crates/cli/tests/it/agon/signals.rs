//! Ctrl-C, and pipes without a reader.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, pipe};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, Signal, kill_process};

use crate::agon::play::record_of;
use crate::agon::run::{BINARY, environment, file, folder, root, text};

/// A run to start by hand.
fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    for (name, value) in environment() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    // The program writes to a file which of its processes must not outlive the judge.
    command.env("AGON_JAIL", "none");
    command
}

#[track_caller]
fn interrupt(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Answers READY, leaves a daemon behind, writes down the processes that must not outlive the judge, and hangs.
const HANGING: &str = "\
read ready
sleep 1000 &
setsid sleep 1000 &
echo $$ $! > \"$1\"
echo OK
trap '' TERM INT
while :; do sleep 1000; done
";

#[test]
fn an_interrupted_game_is_recorded_and_leaves_nothing_behind() {
    #[track_caller]
    fn check(signal: Signal) {
        let folder = folder();
        let script = file(&folder, "hang.sh", HANGING);
        let (pids, record) = (folder.path().join("pids"), folder.path().join("game.jsonl"));
        let bot = format!("sh '{}' '{}'", text(&script), text(&pids));
        let mut run = command(&["play", "bacteria", "--first", &bot, "--out", text(&record)]);
        let mut child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        // Both have answered READY, so the hanging one is now on turn.
        let mut heading = String::new();
        out.read_line(&mut heading).unwrap();
        assert!(heading.starts_with("Bacteria War: "), "{heading}");
        interrupt(&child, signal);

        let (mut rest, mut err) = (String::new(), String::new());
        out.read_to_string(&mut rest).unwrap();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(130), ""), "{rest}");
        assert!(rest.starts_with("no result: INTERRUPTED: the judge was stopped\n"), "{rest}");
        let record = record_of(&record);
        assert_eq!(record.result.winner, Winner::Void);
        assert_eq!(record.result.verdicts[0].verdict, Verdict::Interrupted);
        let pids = std::fs::read_to_string(pids).unwrap();
        assert_eq!(pids.split_whitespace().count(), 2, "{pids}");
        for pid in pids.split_whitespace() {
            assert!(!Path::new("/proc").join(pid).exists(), "process {pid} outlives the judge");
        }
    }
    check(Signal::INT);
    check(Signal::TERM);
}

/// Begins, then leaves a daemon behind in its first action, and hangs.
const HANGING_CELL: &str = "\
if [ \"$(cat)\" = BEGIN ]; then echo 4 8 0; exit; fi
setsid sleep 1000 &
echo $$ $! > \"$1\"
trap '' TERM INT
while :; do sleep 1000; done
";

#[test]
fn an_interrupted_invocation_is_recorded_and_leaves_nothing_behind() {
    let folder = folder();
    let script = file(&folder, "hang.sh", HANGING_CELL);
    let (fifo, record) = (folder.path().join("fifo"), folder.path().join("game.jsonl"));
    crate::agon::run::fifo(&fifo);
    let mut pids = BufReader::new(OpenOptions::new().read(true).write(true).open(&fifo).unwrap());
    let cell = format!("sh '{}' '{}'", text(&script), text(&fifo));
    let words = ["play", "petri", "--first", &cell, "--invocation", "60s", "--out", text(&record)];
    let child = command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut message = String::new();
    pids.read_line(&mut message).unwrap();
    interrupt(&child, Signal::INT);

    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(130), b"".as_slice()), "{out}");
    assert!(out.contains("no result: INTERRUPTED: the judge was stopped\n"), "{out}");
    assert_eq!(record_of(&record).result.winner, Winner::Void);
    assert_eq!(command(&["replay", text(&record)]).stdout(Stdio::null()).status().unwrap().code(), Some(0));
    assert_eq!(message.split_whitespace().count(), 2, "{message}");
    for pid in message.split_whitespace() {
        assert!(!Path::new("/proc").join(pid).exists(), "process {pid} outlives the judge");
    }
}

#[test]
fn a_game_of_built_in_cells_can_be_interrupted() {
    let folder = folder();
    let record = folder.path().join("game.jsonl");
    let words = ["--width", "255", "--height", "255", "--turns", "5000", "--record", text(&record)];
    let words =
        [&["play", "petri", "--first", "coordinated", "--second", "amoeba", "--show", "line"], &words[..]].concat();
    let mut child = command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut heading = String::new();
    out.read_line(&mut heading).unwrap();
    interrupt(&child, Signal::INT);
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert!(rest.contains("no result: INTERRUPTED: the judge was stopped\n"), "{rest}");
    assert_eq!(record_of(&record).result.winner, Winner::Void);
    assert_eq!(command(&["replay", text(&record)]).stdout(Stdio::null()).status().unwrap().code(), Some(0));
}

/// A cell that rests, and says where each game begins.
const RESTING_CELL: &str = "\
read line
case $line in BEGIN*) echo begun > \"$1\"; echo 4 8 0;; *) echo REST;; esac
";

#[test]
fn an_interrupted_score_shows_what_was_played() {
    let folder = folder();
    let script = file(&folder, "rest.sh", RESTING_CELL);
    let fifo = folder.path().join("fifo");
    crate::agon::run::fifo(&fifo);
    let mut begun = BufReader::new(OpenOptions::new().read(true).write(true).open(&fifo).unwrap());
    let cell = format!("sh '{}' '{}'", text(&script), text(&fifo));
    let size = ["--size", "4x4", "--turns", "5", "--games", "5000", "--jobs", "1", "--format", "json"];
    let words = [&["petri", "score", &cell, "hungry"], &size[..]].concat();
    let child = command(&words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The trial, two games, and the beginning of a third.
    for _ in 0..4 {
        begun.read_line(&mut String::new()).unwrap();
    }
    interrupt(&child, Signal::INT);
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout);
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(130), b"".as_slice()), "{out}");
    let score: serde_json::Value = serde_json::from_str(&out).unwrap();
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    let games = number(&score["games"]);
    assert!((2..5000).contains(&games) && score["stopped"] == true, "{score}");
    let counted = number(&score["wins"][0]) + number(&score["wins"][1]) + number(&score["draws"]);
    assert_eq!((counted, &score["faults"]), (games, &serde_json::json!([null, null])), "{score}");
}

#[test]
fn an_interrupted_compiler_is_no_compile_error() {
    let folder = folder();
    let compiler = file(&folder, "gcc", "#!/bin/sh\necho compiling > \"$FIFO\"\nexec sleep 1000\n");
    std::fs::set_permissions(&compiler, PermissionsExt::from_mode(0o755)).unwrap();
    let fifo = folder.path().join("fifo");
    crate::agon::run::fifo(&fifo);
    // Open both ways, so that opening does not block.
    let mut reader: File = OpenOptions::new().read(true).write(true).open(&fifo).unwrap();

    let mut run = command(&["play", "bacteria", "--first", "agents/bacteria/sample.c"]);
    let path = std::env::var("PATH").unwrap();
    run.env("PATH", format!("{}:{path}", text(folder.path()))).env("FIFO", &fifo).env("AGON_STATE", folder.path());
    let child = run.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let timeout = Timespec { tv_sec: 20, tv_nsec: 0 };
    let ready = retry_on_intr(|| poll(&mut [PollFd::new(&reader, PollFlags::IN)], Some(&timeout)));
    assert_eq!(ready, Ok(1), "it never compiles");
    let mut message = [0; 10];
    reader.read_exact(&mut message).unwrap();
    assert_eq!(&message, b"compiling\n");
    interrupt(&child, Signal::INT);

    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert_eq!((output.stdout.as_slice(), output.stderr.as_slice()), (b"".as_slice(), b"".as_slice()));
    assert!(!folder.path().join("records").exists());
}

#[test]
fn a_closed_pipe_is_no_error() {
    #[track_caller]
    fn check(arguments: &[&str], input: &str) {
        let (reader, writer) = pipe().unwrap();
        drop(reader);
        let mut run = command(arguments);
        if !input.is_empty() {
            let place = folder();
            run.stdin(File::open(file(&place, "input", input)).unwrap());
        }
        let output = run.stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), err.as_ref()), (Some(0), ""), "{arguments:?}");
    }
    let place = folder();
    let record = place.path().join("game.jsonl");
    let played = command(&["play", "bacteria", "--out", text(&record)]).stdout(Stdio::null()).status().unwrap();
    assert!(played.success());
    check(&["perft", "bacteria", "3"], "");
    check(&["perft", "bacteria", "3", "--divide"], "");
    check(&["games"], "");
    check(&["games", "--format", "json"], "");
    check(&["completions", "bash"], "");
    check(&["--help"], "");
    check(&["play", "bacteria"], "");
    check(&["play", "bacteria", "--show", "board"], "");
    check(&["play", "bacteria", "--format", "json"], "");
    check(&["replay", text(&record)], "");
    check(&["replay", text(&record), "--format", "json"], "");
    check(&["inspect", "bacteria"], "{}\n{}\n");
    check(&["agent", "bacteria", "greedy"], "READY FIRST\n");
    check(&["play", "petri"], "");
    check(&["agent", "petri", "amoeba"], "BEGIN");
    check(&["agent", "petri", "amoeba", "--loop"], "BEGIN\n");
    check(&["petri", "score", "amoeba", "slime", "--games", "2"], "");
    check(&["petri", "league", "--games", "1", "--size", "4x4"], "");
}
