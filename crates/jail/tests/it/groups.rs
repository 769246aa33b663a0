//! What control groups do for a keeper. If none can be created, that is reported, and whatever only they do is not
//! tested.

use std::ffi::CString;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;

use agon_jail::{Jail, Keeper, Level, ProcessExit, Program, cgroup, try_level};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::pipe::{PipeFlags, pipe_with};

/// A program and its output.
struct Shell {
    pidfd: Arc<OwnedFd>,
    output: BufReader<File>,
}

impl Shell {
    fn start(keeper: &mut Keeper, script: &str) -> Self {
        let text = |text: &str| CString::new(text).unwrap();
        let program = Program {
            path: text("/bin/sh"),
            words: ["sh", "-c", script].map(text).to_vec(),
            environment: vec![text("PATH=/usr/bin:/bin")],
        };
        let null = File::open("/dev/null").unwrap();
        let (output, written) = pipe_with(PipeFlags::CLOEXEC).unwrap();
        keeper.load(&program, written.as_fd(), written.as_fd()).unwrap();
        let (_, pidfd) = keeper.start(null.as_fd(), "", false).unwrap();
        Self { pidfd, output: BufReader::new(File::from(output)) }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        line.trim().to_owned()
    }

    /// Its output until it has ended.
    fn rest(mut self) -> String {
        let mut text = String::new();
        self.output.read_to_string(&mut text).unwrap();
        poll(&mut [PollFd::new(&self.pidfd, PollFlags::IN)], None).unwrap();
        text
    }
}

fn keeper(memory: u64, level: Level) -> Keeper {
    let jail = Jail { level, processes: 20, disk: 1 << 30, ..Jail::default() };
    Keeper::take(Some(memory), &jail).unwrap()
}

/// The levels that work here.
fn levels() -> impl Iterator<Item = Level> {
    Level::ALL.into_iter().filter(|&level| level == Level::None || try_level(level).is_ok())
}

/// Whether there are groups.
fn possible() -> bool {
    let mechanism = cgroup::mechanism();
    eprintln!("groups: {mechanism}");
    mechanism != "watched"
}

#[test]
fn a_program_is_born_in_a_group_that_goes_with_its_keeper() {
    if !possible() {
        return;
    }
    // At level full it does not see where it is.
    let mut keeper = keeper(64 << 20, Level::None);
    let mut shell = Shell::start(&mut keeper, "cat /proc/self/cgroup; echo; sleep 600");
    let mut groups = Vec::new();
    loop {
        let line = shell.line();
        if line.is_empty() {
            break;
        }
        groups.extend(
            line.rsplit_once('/').filter(|(_, name)| name.starts_with("agon-")).map(|(_, name)| name.to_owned()),
        );
    }
    let group = groups.first().expect("a group of its own").clone();
    assert!(!group.ends_with("judge"), "{group}");
    let exists = || {
        let found = std::process::Command::new("find").args(["/sys/fs/cgroup", "-name", &group]).output().unwrap();
        !found.stdout.is_empty()
    };
    assert!(exists());
    keeper.end();
    drop(keeper);
    for _ in 0..500 {
        if !exists() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("{group} is left");
}

#[test]
fn the_keeper_outlives_a_program_that_wants_too_much_memory() {
    if !possible() {
        return;
    }
    // In its own memory, in a child's, and in files.
    for (script, levels) in [
        ("exec tail /dev/zero", levels().collect::<Vec<_>>()),
        ("tail /dev/zero; sleep 600", levels().collect()),
        (
            "head -c 200000000 /dev/zero > /dev/shm/big; sleep 600",
            levels().filter(|&level| level == Level::Full).collect(),
        ),
    ] {
        for level in levels {
            let mut keeper = keeper(48 << 20, level);
            Shell::start(&mut keeper, script).rest();
            assert!(keeper.over_memory(), "{level}: {script}");
            assert!(!keeper.is_lost(), "{level}: {script}");
            assert_eq!(keeper.end(), Some(ProcessExit::Signal(9)), "{level}: {script}");
            // What a kernel counts when it ends a process may be a few pages less.
            assert!(keeper.peak_memory() > 40 << 20, "{level}: {script}: {}", keeper.peak_memory());
            keeper.give_back();
        }
    }
}

#[test]
fn processes_are_limited_at_every_level_of_the_jail() {
    if !possible() {
        return;
    }
    for level in levels().filter(|&level| level != Level::None) {
        let mut keeper = keeper(256 << 20, level);
        // A shell that cannot fork ends.
        let output =
            Shell::start(&mut keeper, "for i in $(seq 100); do sleep 5 > /dev/null 2>&1 & done; echo all").rest();
        assert!(!output.contains("all"), "{level}: {output}");
        keeper.end();
        let output = Shell::start(&mut keeper, "for i in $(seq 18); do sleep 0.2 & done; wait; echo all").rest();
        assert!(output.contains("all"), "{level}: {output}");
        keeper.end();
        keeper.give_back();
    }
}

#[test]
fn a_keeper_serves_on_when_its_program_was_frozen() {
    for level in levels() {
        let mut keeper = keeper(64 << 20, level);
        for _ in 0..3 {
            let mut shell = Shell::start(&mut keeper, "sleep 600 & echo started; while :; do :; done");
            assert_eq!(shell.line(), "started");
            keeper.freeze(true);
            keeper.freeze(false);
            keeper.freeze(true);
            assert!(keeper.end().is_some());
            assert!(!keeper.is_broken() && !keeper.is_lost(), "{level}");
            assert_eq!(Shell::start(&mut keeper, "echo next").rest(), "next\n");
            keeper.end();
        }
        keeper.give_back();
    }
}
