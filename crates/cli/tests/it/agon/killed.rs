//! A judge that is killed by SIGKILL and so can clean up nothing: its programs end all the same.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tempfile::TempDir;

use crate::agon::run::{BINARY, environment, folder, root, text};

/// Far longer than anything takes here.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Whom the signal hits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Hit {
    Judge,
    ProcessGroup,
    /// As with Ctrl-C, which is not SIGKILL: the judge itself ends everything.
    Interrupt,
}

/// The hostile program of the referee's tests, under a name that no other process has.
struct Bot {
    folder: TempDir,
    name: String,
}

impl Bot {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let folder = folder();
        let name = format!("hk{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
        let program = folder.path().join(&name);
        fs::write(&program, compiled()).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Self { folder, name }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// Its processes, without those that are dead but not reaped.
    fn processes(&self) -> Vec<i32> {
        let pids =
            fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let ours = |pid: &i32| {
            let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
            let (start, end) = (text.find('(')? + 1, text.rfind(')')?);
            (text[start..end] == self.name && !text[end..].starts_with(") Z")).then_some(())
        };
        pids.filter(|pid| ours(pid).is_some()).collect()
    }
}

/// The hostile program, compiled. Other tests compile it in other processes at the same time.
fn compiled() -> &'static [u8] {
    static PROGRAM: OnceLock<Vec<u8>> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../referee/tests/bots/hostile");
        let folder = folder();
        let program = folder.path().join("hostile");
        let mut compiler = Command::new("gcc");
        compiler.args(["-O1", "-pthread", "main.c", "memory.c", "attacks.c", "-o"]).arg(&program).current_dir(source);
        assert!(compiler.status().unwrap().success());
        fs::read(program).unwrap()
    })
}

/// Nothing is left even if a test fails.
impl Drop for Bot {
    fn drop(&mut self) {
        let _ = fs::remove_file(self.path());
        let start = Instant::now();
        while start.elapsed() < TIMEOUT {
            let processes = self.processes();
            if processes.is_empty() {
                return;
            }
            for pid in processes {
                let _ = kill_process(Pid::from_raw(pid).unwrap(), Signal::KILL);
            }
        }
    }
}

fn until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TIMEOUT, "{what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Starts the judge in its own process group.
fn start(arguments: &[&str], groups: bool) -> Child {
    let mut command = Command::new(BINARY);
    command.args(arguments).current_dir(root()).stdin(Stdio::null()).process_group(0);
    for (name, value) in environment() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    // The program says by a file that it is on turn, and its processes are looked for by their name.
    command.env("AGON_JAIL", "none");
    if groups {
        command.env_remove("AGON_CGROUP")
    } else {
        command.env("AGON_CGROUP", "off")
    };
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

/// Kills the judge in the middle of a game with a program that does this when it is to move; all its processes end.
#[track_caller]
fn check(game: &str, words: &str, hit: Hit) {
    for groups in [true, false] {
        let bot = Bot::new();
        let program = text(&bot.path()).to_owned();
        let record = bot.folder.path().join("record");
        let (first, second) = (format!("'{program}' {words}"), format!("'{program}' well"));
        let mut arguments = vec!["play", game, "--first", &first, "--out", text(&record)];
        if game == "petri" {
            arguments.extend(["--invocation", "60s"]);
        } else {
            arguments.extend(["--second", &second, "--clock", "60s"]);
        }
        let mut judge = start(&arguments, groups);
        let mut heading = String::new();
        let mut out = BufReader::new(judge.stdout.take().unwrap());
        out.read_line(&mut heading).unwrap();
        let on_turn = PathBuf::from(format!("{program}.turn"));
        until("it is never to move", || on_turn.exists());
        assert!(!bot.processes().is_empty(), "{words}");
        let pid = Pid::from_child(&judge);
        match hit {
            Hit::Judge => kill_process(pid, Signal::KILL),
            Hit::ProcessGroup => kill_process_group(pid, Signal::KILL),
            Hit::Interrupt => kill_process(pid, Signal::INT),
        }
        .unwrap();
        until("the judge does not end", || judge.try_wait().unwrap().is_some());
        if hit == Hit::Interrupt {
            assert_eq!(judge.wait().unwrap().code(), Some(130), "{words}");
            assert_eq!(bot.processes(), [0; 0], "{words}, groups: {groups}");
        }
        until(&format!("{words} outlives the judge, groups: {groups}, {hit:?}"), || bot.processes().is_empty());
    }
}

#[test]
fn a_killed_judge_leaves_no_program_behind() {
    check("bacteria", "well hang", Hit::Judge);
    check("bacteria", "well spin", Hit::Judge);
    check("bacteria", "well spin", Hit::ProcessGroup);
    check("bacteria", "leave-group spin", Hit::Judge);
    check("bacteria", "leaderless spin", Hit::Judge);
    check("petri", "well spin", Hit::Judge);
    check("petri", "well spin", Hit::ProcessGroup);
    check("petri", "well 'loop spin'", Hit::Judge);
}

#[test]
fn a_killed_judge_leaves_no_daemon_behind() {
    for words in ["daemon spin", "own-subreaper spin", "sibling-of-thread hang", "namespace hang", "exec-chain:1 hang"]
    {
        check("bacteria", words, Hit::Judge);
    }
    check("bacteria", "tracer-child spin", Hit::Judge);
    check("bacteria", "tracer-daemon spin", Hit::ProcessGroup);
    check("bacteria", "daemon spin", Hit::ProcessGroup);
    check("petri", "daemon spin", Hit::Judge);
    check("petri", "daemon spin", Hit::ProcessGroup);
}

#[test]
fn an_interrupted_judge_ends_whatever_its_programs_do() {
    for words in
        ["leave-group hang", "tracer-child hang", "tracer-daemon hang", "flood-errors hang", "exec-chain:8 hang"]
    {
        check("bacteria", words, Hit::Interrupt);
    }
    check("petri", "leave-group hang", Hit::Interrupt);
    check("petri", "tracer-child 'loop hang'", Hit::Interrupt);
    check("petri", "flood-errors spin", Hit::Interrupt);
}
