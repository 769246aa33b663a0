//! What a keeper guarantees about its program.

use std::ffi::CString;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use agon_jail::{Jail, Keeper, ProcessExit, Program};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::setpriority_process;
use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};

/// A shell that runs this script below a keeper, and what it writes.
struct Shell {
    keeper: Keeper,
    output: BufReader<File>,
    /// Its input, which it may wait for.
    _input: OwnedFd,
}

impl Shell {
    fn start(limit: Option<u64>, script: &str) -> Self {
        let text = |text: &str| CString::new(text).unwrap();
        let program = Program {
            path: text("/bin/sh"),
            words: ["sh", "-c", script].map(text).to_vec(),
            environment: vec![text("PATH=/usr/bin:/bin")],
        };
        let pipe = || pipe_with(PipeFlags::CLOEXEC).unwrap();
        let ((theirs, input), (output, written)) = (pipe(), pipe());
        let mut keeper = Keeper::take(limit, &Jail::default()).unwrap();
        keeper.load(&program, written.as_fd(), written.as_fd()).unwrap();
        keeper.start(theirs.as_fd(), "SAID=yes", false).unwrap();
        Self { keeper, output: BufReader::new(File::from(output)), _input: input }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }
}

fn lives(pid: &str) -> bool {
    Path::new("/proc").join(pid).exists()
}

#[test]
fn a_program_runs_and_its_exit_is_known() {
    let mut shell = Shell::start(None, "echo $SAID; exit 3");
    let mut all = String::new();
    shell.output.read_to_string(&mut all).unwrap();
    assert_eq!(all, "yes\n");
    assert_eq!(shell.keeper.end(), Some(ProcessExit::Code(3)));
    shell.keeper.give_back();
}

/// A niceness may not be taken back, so a copy of this test runs with it.
#[test]
fn programs_are_as_nice_as_the_judge() {
    const NICE: &str = "AGON_TEST_NICE";
    if std::env::var_os(NICE).is_some() {
        setpriority_process(None, 15).unwrap();
        let mut shell = Shell::start(None, "nice; sh -c nice");
        assert_eq!([shell.line(), shell.line()], ["15", "15"]);
        shell.keeper.end();
        return;
    }
    let test = "keeper::programs_are_as_nice_as_the_judge";
    let ran = Command::new(std::env::current_exe().unwrap()).args([test, "--exact"]).env(NICE, "1").output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stdout));
}

#[test]
fn whatever_detaches_itself_is_ended() {
    for script in [
        "setsid sleep 600 & echo $!; exec sleep 600",
        "(setsid sh -c 'echo $$; exec sleep 600' &) ; exec sleep 600",
        "(env -i setsid sh -c 'echo $$; exec sleep 600' &) ; exit 0",
    ] {
        let mut shell = Shell::start(Some(64 << 20), script);
        let pid = shell.line();
        assert!(lives(&pid), "{script}");
        shell.keeper.end();
        assert!(!lives(&pid), "{script}: {pid}");
    }
}

/// What is killed dies on a processor, and in the background of a busy machine it would hardly get one.
#[test]
fn a_program_in_the_background_of_a_busy_machine_ends_at_once() {
    let mut one = CpuSet::new();
    one.set(sched_getcpu());
    sched_setaffinity(None, &one).unwrap();
    let mut shell = Shell::start(None, "sleep 600 & echo $!; exec sleep 600");
    let pid = shell.line();
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        // Each runs where this thread runs.
        for _ in 0..32 {
            scope.spawn(|| {
                while !is_done.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        shell.keeper.set_background(true);
        let exit = shell.keeper.end();
        is_done.store(true, Ordering::Relaxed);
        assert_eq!(exit, Some(ProcessExit::Signal(9)));
    });
    assert!(!lives(&pid));
}

#[test]
fn a_program_that_cannot_run_is_refused_in_the_systems_words() {
    let mut keeper = Keeper::take(None, &Jail::default()).unwrap();
    let program = Program { path: c"/nowhere/at/all".into(), words: vec![c"all".into()], environment: Vec::new() };
    let null = File::open("/dev/null").unwrap();
    keeper.load(&program, null.as_fd(), null.as_fd()).unwrap();
    let error = keeper.start(null.as_fd(), "", false).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
    let long = Program { words: vec![CString::new(vec![b'x'; 1 << 20]).unwrap()], ..program };
    assert!(keeper.load(&long, null.as_fd(), null.as_fd()).is_err());
}

/// CPU time of a process so far, in ticks: the fourteenth and the fifteenth field.
fn ticks(pid: &str) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields: Vec<&str> = text.rsplit_once(')').unwrap().1.split_ascii_whitespace().collect();
    fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
}

/// Whether a process gets anywhere within this time, which it would on the slowest machine.
fn runs(pid: &str, time: Duration) -> bool {
    let before = ticks(pid);
    let deadline = std::time::Instant::now() + time;
    while std::time::Instant::now() < deadline {
        if ticks(pid) > before {
            return true;
        }
        std::thread::yield_now();
    }
    false
}

#[test]
fn a_frozen_program_does_not_run() {
    // With a memory group, and without, where version 1 still may have a freezer.
    for limit in [Some(64 << 20), None] {
        let mut shell = Shell::start(limit, "setsid sh -c 'echo $$; while :; do :; done' & while :; do :; done");
        let pid = shell.line();
        assert!(runs(&pid, Duration::from_mins(1)), "before");
        shell.keeper.freeze(true);
        // What it was doing when it was frozen may be accounted a tick later.
        runs(&pid, Duration::from_millis(50));
        assert!(!runs(&pid, Duration::from_millis(200)), "frozen");
        shell.keeper.freeze(false);
        assert!(runs(&pid, Duration::from_mins(1)), "afterwards");
        shell.keeper.freeze(true);
        shell.keeper.end();
        assert!(!lives(&pid), "what is frozen is ended");
    }
}

/// The scheduling policy of a process: the forty-first field.
fn policy(pid: u32) -> u32 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    text.rsplit_once(')').unwrap().1.split_ascii_whitespace().nth(38).unwrap().parse().unwrap()
}

/// However many processes wait for the processors, the dead are reaped.
#[test]
fn a_keeper_runs_before_its_program_where_it_may() {
    const ROUND_ROBIN: u32 = 2;
    let may =
        std::process::Command::new("chrt").args(["-r", "1", "true"]).output().is_ok_and(|out| out.status.success());
    let mut shell = Shell::start(None, "echo $PPID; echo $$; exec sleep 600");
    let [keeper, program] = [(); 2].map(|()| policy(shell.line().parse().unwrap()));
    assert_eq!((keeper, program), (if may { ROUND_ROBIN } else { 0 }, 0));
    shell.keeper.end();
}

/// The program itself does not reap its children, and its keeper cannot.
#[test]
fn a_program_with_too_many_dead_children_is_ended() {
    let script = "import os, time\nfor _ in range(5000):\n if os.fork() == 0: os._exit(0)\ntime.sleep(600)";
    let mut shell = Shell::start(None, &format!("exec python3 -c '{script}'"));
    let mut all = String::new();
    shell.output.read_to_string(&mut all).unwrap();
    assert_eq!(all, "");
    assert_eq!(shell.keeper.end(), Some(ProcessExit::Signal(9)));
}
