//! A separate judge process, so that an attack that beats it ends no other test: it may hang, it may die, and whatever
//! it leaves behind is ended here.
//!
//! A test calls [`each`] with its name and its cases. For every case the test program runs itself again with this one
//! test, which then calls the closure with the case; where memory limits are held by control groups and where they are
//! watched, as wanted.

use std::fs::{self, File};
use std::hash::{DefaultHasher, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, kill_process};

use super::processes::{children, command_of, ends_within, processes_of};

/// How memory limits are enforced in a case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hold {
    /// By control groups, if there are any.
    Groups,
    /// By watching.
    Watched,
}

/// Both ways.
pub const BOTH: &[Hold] = &[Hold::Groups, Hold::Watched];

/// For what only a control group can count. Without one, nothing is run.
pub const GROUPS: &[Hold] = &[Hold::Groups];

/// Far more than any judge takes for a case on a loaded machine.
const CASE_TIMEOUT: Duration = Duration::from_mins(2);

const CASE: &str = "HOSTILE_CASE";
const BOT: &str = "HOSTILE_BOT";

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

/// Runs the test once for every case and every way to limit memory, each in a separate judge. `test` is the name of the
/// calling test.
pub fn each(test: &str, holds: &[Hold], cases: &[&str], run: impl Fn(&str)) {
    if let Ok(case) = std::env::var(CASE) {
        if holds != GROUPS || groups_can_be_made() {
            run(&case);
        }
        return tidy_up();
    }
    let mut failed = Vec::new();
    for hold in holds {
        for case in cases {
            let _lock = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
            if let Err(error) = one(test, *hold, case) {
                failed.push(format!("==== {case} ({hold:?}): {error}"));
            }
        }
    }
    assert!(failed.is_empty(), "{} cases failed:\n{}", failed.len(), failed.join("\n"));
}

fn one(test: &str, hold: Hold, case: &str) -> Result<(), String> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let folder = tempfile::tempdir().unwrap();
    // Its processes are known by this name, which no other test's have.
    let name = format!("hx{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let bot = folder.path().join(&name);
    fs::copy(compiled(), &bot).unwrap();
    // Processes that outlive the judge become ours, and are ended.
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).unwrap();

    let output = folder.path().join("output");
    let file = File::create(&output).unwrap();
    let mut command = Command::new("sh");
    // A bot is to know which process is the judge: it has our first process's id.
    command.args(["-c", "HOSTILE_JUDGE=$$ exec \"$0\" \"$@\""]).arg(std::env::current_exe().unwrap());
    command.args(["--exact", test, "--nocapture"]).env(CASE, case).env(BOT, &bot);
    match hold {
        Hold::Groups => command.env_remove("AGON_CGROUP"),
        Hold::Watched => command.env("AGON_CGROUP", "off"),
    };
    let start = Instant::now();
    let mut judge =
        command.stdin(Stdio::null()).stdout(file.try_clone().unwrap()).stderr(file).spawn().expect("the test itself");
    let ended = ends_within(Pid::from_child(&judge), CASE_TIMEOUT);
    let took = start.elapsed();
    if !ended {
        let _ = judge.kill();
    }
    // Before the judge is reaped, so that a tracer that holds it is gone.
    let mut survivors: Vec<String> = processes_of(&name).into_iter().map(|pid| format!("{name} {pid}")).collect();
    let _ = fs::remove_file(&bot);
    end_all(&name);
    let status = judge.wait().unwrap();
    survivors.extend(end_children());
    end_all(&name);
    remove_litter(&name);
    let said = || String::from_utf8_lossy(&fs::read(&output).unwrap_or_default()).into_owned();
    if !ended {
        return Err(format!("the judge hangs\n{}", said()));
    }
    if !status.success() {
        return Err(format!("{status} after {took:?}\n{}", said()));
    }
    if !said().contains("1 passed") {
        return Err(format!("`{test}` is not a test\n{}", said()));
    }
    if !survivors.is_empty() {
        return Err(format!("{survivors:?} outlive the judge\n{}", said()));
    }
    if std::env::var_os("HOSTILE_SHOW").is_some() {
        eprintln!("{case} ({hold:?}) {took:?}\n{}", said());
    }
    Ok(())
}

/// The hostile program of a case, as a user names it: `bot("daemon hang")`.
pub fn bot(words: &str) -> String {
    format!("'{}' {words}", std::env::var(BOT).expect("within a case"))
}

/// The name of the hostile program's processes in this case.
pub fn name() -> String {
    let path = PathBuf::from(std::env::var(BOT).expect("within a case"));
    path.file_name().unwrap().to_str().unwrap().to_owned()
}

/// The file that the hostile program creates when it is to move and will not.
pub fn on_turn() -> PathBuf {
    PathBuf::from(format!("{}.turn", std::env::var(BOT).expect("within a case")))
}

/// Whether control groups enforce memory limits here.
fn groups_can_be_made() -> bool {
    agon_jail::cgroup::mechanism() != "watched"
}

/// A judge's work at its end.
pub fn tidy_up() {
    agon_jail::retire_all();
}

/// The hostile program, compiled: once for all tests, until its source changes.
fn compiled() -> &'static Path {
    static PROGRAM: OnceLock<PathBuf> = OnceLock::new();
    PROGRAM.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/hostile");
        let mut files: Vec<PathBuf> = fs::read_dir(&source).unwrap().flatten().map(|entry| entry.path()).collect();
        files.sort();
        let mut hasher = DefaultHasher::new();
        for file in &files {
            hasher.write(&fs::read(file).unwrap());
        }
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let program = folder.join(format!("hostile-{:016x}", hasher.finish()));
        if program.exists() {
            return program;
        }
        // Another test may do the same at this moment.
        let building = folder.join(format!("hostile-building-{}", std::process::id()));
        let compiler = Command::new("gcc")
            .args(["-O1", "-pthread", "-o"])
            .arg(&building)
            .args(["main.c", "memory.c", "attacks.c"])
            .current_dir(&source)
            .status()
            .unwrap();
        assert!(compiler.success(), "{} does not compile", source.display());
        fs::rename(&building, &program).unwrap();
        program
    })
}

/// Ends all processes of this name.
fn end_all(name: &str) {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let found = processes_of(name);
        if found.is_empty() || Instant::now() > deadline {
            return;
        }
        for pid in found {
            let pid = Pid::from_raw(pid as i32).unwrap();
            let _ = kill_process(pid, Signal::KILL);
            // Those that are ours by now.
            let _ = rustix::process::waitpid(Some(pid), WaitOptions::NOHANG);
        }
    }
}

/// Ends the processes that have become our children, which happens to the judge's when it dies; returns those that did
/// not end by themselves soon.
fn end_children() -> Vec<String> {
    let start = Instant::now();
    let mut killed = Vec::new();
    loop {
        while let Ok(Some(_)) = rustix::process::wait(WaitOptions::NOHANG) {}
        let children = children();
        if children.is_empty() {
            return killed;
        }
        if start.elapsed() > Duration::from_mins(1) {
            for pid in children {
                killed.push(format!("{} {pid}", command_of(pid).unwrap_or_default()));
                let _ = kill_process(Pid::from_raw(pid as i32).unwrap(), Signal::KILL);
            }
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Removes the files that programs of this name left in memory.
fn remove_litter(name: &str) {
    for entry in fs::read_dir("/dev/shm").into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(&format!("{name}-")) {
            let _ = fs::remove_file(entry.path());
        }
    }
}
