//! A separate judge process for every attack, so that one which beats it ends no other; and a check of what is left
//! when it is over.
//!
//! A test calls [`attacks`] or [`sources`] with its own name. For each of its cases the test program runs itself again,
//! as the requested user, with only this test, which then plays the case.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agon_jail::Level;
use rustix::process::{Pid, Signal, WaitOptions, kill_process};

use crate::escapes::attack::{ATTACKS, Attack};
use crate::escapes::house::{House, Machine, PASSWORD};
use crate::escapes::judge;
use crate::escapes::processes::{children, command_of, ends_within, processes_of};
use crate::escapes::source::{SOURCES, Source};

/// The case that a judge is to play, in its environment: a number in the list, and the name of the attacking program.
const CASE: &str = "ESCAPES_CASE";

/// The ordinary user as whom root plays.
const UNPRIVILEGED: u32 = 65534;

/// Far more than any judge takes for a case on a busy machine.
const CASE_TIMEOUT: Duration = Duration::from_mins(3);

/// The exit code of a judge on a machine that does not give the level.
const NO_SUCH_LEVEL: i32 = 77;

/// Judges at work, to distinguish them from whatever has outlived one.
static JUDGES: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// The user who plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum User {
    /// The user who runs the tests.
    Own,
    /// An ordinary user, if root runs the tests; otherwise nothing is played, since the user already is one.
    Unprivileged,
    /// An ordinary user in any case.
    Ordinary,
}

impl User {
    fn id(self) -> Option<u32> {
        let own = rustix::process::geteuid().as_raw();
        match self {
            Self::Own => Some(own),
            Self::Unprivileged => (own == 0).then_some(UNPRIVILEGED),
            Self::Ordinary => Some(if own == 0 { UNPRIVILEGED } else { own }),
        }
    }
}

/// Makes all attacks as a user at a level. `test` is the name of the calling test.
pub fn attacks(test: &str, user: User, level: Level) {
    let wanted = |attack: &&Attack| chosen(attack.name);
    let names = ATTACKS.iter().filter(wanted).map(|attack| attack.name);
    each(test, user, level, names.collect(), |name, house, program| {
        let attack = ATTACKS.iter().find(|attack| attack.name == name).unwrap();
        judge::play(attack, level, house, program);
    });
}

/// Compiles all hostile sources as a user at a level, the slow ones with `AGON_SLOW`. `test` is the name of the calling
/// test.
pub fn sources(test: &str, user: User, level: Level) {
    let rust = {
        let _alone = alone();
        Command::new("rustc").arg("--version").output().is_ok_and(|output| output.status.success())
    };
    // An ordinary user may have no access to the compiler of whoever runs the tests; and being slow once is enough.
    let own = user == User::Own;
    let slow = own && std::env::var_os("AGON_SLOW").is_some();
    let wanted =
        |source: &&Source| chosen(source.name) && (slow || !source.slow) && (!source.needs_rust() || rust && own);
    let names = SOURCES.iter().filter(wanted).map(|source| source.name);
    each(test, user, level, names.collect(), |name, house, _| {
        SOURCES.iter().find(|source| source.name == name).unwrap().compile(house);
    });
}

/// While this is held, no child of this process is taken for one that has outlived its judge.
pub fn alone() -> MutexGuard<'static, BTreeSet<u32>> {
    JUDGES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `ESCAPES_ONLY=name` selects the attacks whose names contain that.
fn chosen(name: &str) -> bool {
    std::env::var("ESCAPES_ONLY").map_or(true, |only| name.contains(&only))
}

fn each(test: &str, user: User, level: Level, names: Vec<&str>, play: impl Fn(&str, &House, &str)) {
    if let Ok(case) = std::env::var(CASE) {
        // The judge only exists here; anything dangerous must not start without a jail.
        assert_ne!(level, Level::None, "attacks are made within a jail alone");
        // In a suite at a negative nice value an attack would start there, and gain nothing by going there: reset
        // before anything that starts programs.
        if rustix::process::getpriority_process(None).is_ok_and(|nice| nice < 0) {
            rustix::process::setpriority_process(None, 0).unwrap();
        }
        if let Err(obstacle) = agon_jail::try_level(level) {
            eprintln!("{}: {}", obstacle.why, obstacle.remedy);
            agon_jail::retire_all();
            std::process::exit(NO_SUCH_LEVEL);
        }
        agon_jail::choose(level);
        let (name, program) = case.split_once(' ').unwrap();
        return play(name, &House::of(&std::env::current_dir().unwrap()), program);
    }
    let Some(user) = user.id() else { return };
    // Processes that outlive their judge become ours, and are detected.
    rustix::process::set_child_subreaper(Some(rustix::process::getpid())).unwrap();
    // Where every user can run it.
    let folder = tempfile::Builder::new().prefix("agon-escapes-").tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).unwrap();
    let executable = folder.path().join("escapes");
    fs::copy(std::env::current_exe().unwrap(), &executable).unwrap();
    let mut failed = Vec::new();
    let count = names.len();
    for name in names {
        match one(test, &executable, user, name) {
            Ok(true) => {}
            Ok(false) => return eprintln!("{test}: this machine does not give level {level} to user {user}"),
            Err(error) => failed.push(format!("==== {name}: {error}")),
        }
    }
    assert!(failed.is_empty(), "{} of {count} are not held:\n{}", failed.len(), failed.join("\n"));
}

/// Plays one case in a separate judge; false if the level is not available.
fn one(test: &str, executable: &Path, user: u32, name: &str) -> Result<bool, String> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    // Only the processes of the attacking program have this name.
    let program = format!("ex{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
    let house = House::new(user, &program);
    let before = house.contents();
    let machine = Machine::now();
    let output = house.path().join("output");
    let file = File::create(&output).unwrap();
    let mut command = Command::new(executable);
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).current_dir(house.home());
    command.env_clear().env(CASE, format!("{name} {program}")).env(PASSWORD.0, PASSWORD.1).env("LANG", "C.UTF-8");
    command
        .env("HOME", house.home())
        .env("AGON_CACHE", house.home().join("cache"))
        .env("AGON_STATE", house.home().join("state"));
    let mut path = "/usr/local/bin:/usr/bin:/bin".to_owned();
    if user == rustix::process::geteuid().as_raw() {
        // The one compiler that is often the user's own, wherever it is.
        let tools = std::env::var_os("PATH").unwrap_or_default();
        if let Some(folder) = std::env::split_paths(&tools).find(|folder| folder.join("rustc").is_file()) {
            path = format!("{path}:{}", folder.display());
        }
        for (variable, folder) in [("CARGO_HOME", ".cargo"), ("RUSTUP_HOME", ".rustup")] {
            let home = std::env::home_dir().unwrap_or_default().join(folder);
            command.env(variable, std::env::var_os(variable).map_or(home, PathBuf::from));
        }
    } else {
        command.uid(user).gid(user);
    }
    command.env("PATH", path);
    let start = Instant::now();
    command.stdin(Stdio::null()).stdout(file.try_clone().unwrap()).stderr(file);
    let mut judge = {
        let mut judges = alone();
        let judge = command.spawn().expect("the test itself");
        judges.insert(judge.id());
        judge
    };
    let ended = ends_within(Pid::from_child(&judge), CASE_TIMEOUT);
    if !ended {
        let _ = judge.kill();
    }
    let status = judge.wait().unwrap();
    alone().remove(&judge.id());
    let mut damage = survivors(&program);
    damage.extend(machine.damage(judge.id()));
    damage.extend(house.planted().iter().map(|path| format!("there is {}", path.display())));
    let after = house.contents();
    for (path, was) in &before {
        if after.get(path) != Some(was) && !path.ends_with("output") {
            damage.push(format!("{} was {was} and is {:?}", path.display(), after.get(path)));
        }
    }
    let said = String::from_utf8_lossy(&fs::read(&output).unwrap_or_default()).into_owned();
    if std::env::var_os("ESCAPES_SHOW").is_some() {
        eprintln!("==== {name}: {:?}, {status}\n{said}", start.elapsed());
    }
    if status.code() == Some(NO_SUCH_LEVEL) {
        eprintln!("{said}");
        return Ok(false);
    }
    if !ended {
        damage.push("the judge hangs".to_owned());
    } else if !status.success() {
        damage.push(format!("the judge ends with {status}"));
    } else if !said.contains("1 passed") {
        damage.push(format!("`{test}` is not a test"));
    }
    if damage.is_empty() { Ok(true) } else { Err(format!("{}\n{said}", damage.join("\n"))) }
}

/// The processes that remain some time after their judge has ended; they are ended now. They are those of the attacking
/// program, by its name, and those that have become ours, whatever their names.
fn survivors(program: &str) -> Vec<String> {
    let deadline = Instant::now() + Duration::from_mins(1);
    loop {
        let mut left: BTreeSet<u32> = processes_of(program).into_iter().collect();
        {
            // No process becomes a judge meanwhile.
            let judges = alone();
            for pid in children().into_iter().filter(|pid| !judges.contains(pid)) {
                let raw = Pid::from_raw(pid as i32).unwrap();
                if !matches!(rustix::process::waitpid(Some(raw), WaitOptions::NOHANG), Ok(Some(_)) | Err(_)) {
                    left.insert(pid);
                }
            }
        }
        if left.is_empty() {
            return Vec::new();
        }
        if Instant::now() > deadline {
            let output =
                left.iter().map(|pid| format!("process {pid} ({}) survives", command_of(*pid).unwrap_or_default()));
            let output = output.collect();
            for pid in left {
                let _ = kill_process(Pid::from_raw(pid as i32).unwrap(), Signal::KILL);
            }
            return output;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
