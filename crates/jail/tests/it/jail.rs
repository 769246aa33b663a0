//! What a program sees and may do in a jail of level full. If this machine has none, that is reported and nothing is
//! tested.

use std::ffi::CString;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use agon_jail::{Jail, Keeper, Level, ProcessExit, Program, Writes, probe};
use rustix::event::{PollFd, PollFlags};
use rustix::pipe::{PipeFlags, pipe_with};

/// A jail that shows a folder and starts in it.
fn jail(folder: &Path) -> Jail {
    Jail { visible: vec![folder.to_owned()], folder: Some(folder.to_owned()), ..empty() }
}

/// A jail that shows only the system.
fn empty() -> Jail {
    Jail { level: Level::Full, disk: 16 << 20, processes: 64, ..Jail::default() }
}

/// Whether there is a jail to test.
fn possible() -> bool {
    let probe = probe();
    for obstacle in &probe.obstacles {
        eprintln!("not tested: {}", obstacle.why);
    }
    probe.level == Level::Full
}

/// The result of a script.
struct Run {
    output: String,
    exit: Option<ProcessExit>,
    keeper: Keeper,
}

/// Runs a shell script to its end, with so much memory.
fn run_within(memory: u64, jail: &Jail, script: &str) -> Run {
    let text = |text: &str| CString::new(text).unwrap();
    let program = Program {
        path: text("/bin/sh"),
        words: ["sh", "-c", script].map(text).to_vec(),
        environment: vec![text("PATH=/usr/local/bin:/usr/bin:/bin")],
    };
    let pipe = || pipe_with(PipeFlags::CLOEXEC).unwrap();
    let ((theirs, _input), (output, written)): ((OwnedFd, OwnedFd), (OwnedFd, OwnedFd)) = (pipe(), pipe());
    let mut keeper = Keeper::take(Some(memory), jail).unwrap();
    keeper.load(&program, written.as_fd(), written.as_fd()).unwrap();
    let (_, pidfd) = keeper.start(theirs.as_fd(), "", false).unwrap();
    drop(written);
    let mut bytes = Vec::new();
    File::from(output).read_to_end(&mut bytes).unwrap();
    rustix::event::poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], None).unwrap();
    let exit = keeper.end();
    Run { output: String::from_utf8_lossy(&bytes).into_owned(), exit, keeper }
}

fn run(jail: &Jail, script: &str) -> Run {
    run_within(256 << 20, jail, script)
}

fn output(jail: &Jail, script: &str) -> String {
    let run = run(jail, script);
    run.keeper.give_back();
    run.output
}

/// A folder whose files only its owner may read, as root's are.
fn private_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bot"), "moves\n").unwrap();
    fs::set_permissions(folder.path().join("bot"), fs::Permissions::from_mode(0o600)).unwrap();
    folder
}

#[test]
fn a_program_sees_the_system_and_its_own_folder() {
    if !possible() {
        return;
    }
    let (own, other) = (private_folder(), private_folder());
    let jail = jail(own.path());
    assert_eq!(output(&jail, "cat bot; pwd"), format!("moves\n{}\n", own.path().display()));
    for hidden in [
        "/root",
        "/home",
        "/etc/shadow",
        "/sys/fs/cgroup",
        "/proc/1/fd/0",
        "/dev/tty",
        &other.path().display().to_string(),
    ] {
        let listed = output(&jail, &format!("ls {hidden} 2>&1 && echo seen"));
        assert!(!listed.contains("seen"), "{hidden}: {listed}");
    }
    assert_eq!(output(&jail, "id -u; id -g; hostname; ls /dev | tr '\\n' ' '").split_whitespace().count(), 13);
    // Itself, the shell, and `ls`.
    let seen = output(&jail, "ls /proc | grep -c '^[0-9]'");
    assert!(["0", "1", "2", "3"].contains(&seen.trim()), "{seen}");
}

#[test]
fn what_is_not_its_own_cannot_be_written() {
    if !possible() {
        return;
    }
    let own = private_folder();
    let jail = jail(own.path());
    for path in [
        "/new",
        "/usr/new",
        "/etc/new",
        "/etc/passwd",
        "/dev/new",
        "/proc/self/oom_score_adj",
        "/proc/sys/kernel/hostname",
    ] {
        let answer = output(&jail, &format!("(echo 1 > {path}) 2>&1 && echo written"));
        assert!(!answer.contains("written"), "{path}: {answer}");
    }
    for path in ["new", "bot", "/tmp/new", "/dev/shm/new"] {
        assert_eq!(output(&jail, &format!("echo 1 > {path} && echo written")), "written\n", "{path}");
    }
    assert_eq!(fs::read_to_string(own.path().join("bot")).unwrap(), "moves\n");
    assert!(!own.path().join("new").exists());
}

#[test]
fn nothing_is_left_for_the_next_program() {
    if !possible() {
        return;
    }
    let own = private_folder();
    let jail = jail(own.path());
    for trace in [
        "echo 1 > /tmp/trace",
        "mkdir /dev/shm/trace",
        "echo 1 > trace",
        "rm bot",
        "chmod 700 /tmp",
        "touch -d @1 .",
        "echo 1 > /tmp/x; rm /tmp/x",
    ] {
        let run = run(&jail, trace);
        assert_eq!(run.exit, Some(ProcessExit::Code(0)), "{trace}");
        assert!(run.keeper.is_broken(), "{trace}: this keeper serves no other program");
        run.keeper.give_back();
        assert_eq!(output(&jail, "ls /tmp /dev/shm | grep trace; cat bot"), "moves\n", "{trace}");
    }
    let number = || output(&jail, "echo $$; for i in 1 2 3; do sleep 0; done");
    assert_eq!((number(), number()), (number(), number()), "processes are numbered anew");
    let run = run(&jail, "cat bot > /dev/null; ls /tmp");
    assert!(!run.keeper.is_broken(), "who only reads leaves nothing");
}

#[test]
fn what_a_compiler_writes_is_kept_for_the_judge() {
    if !possible() {
        return;
    }
    let own = private_folder();
    let jail = Jail { writes: Writes::Kept, ..jail(own.path()) };
    let mut run = run(&jail, "cp bot program; rm bot");
    let folder = run.keeper.folder().unwrap();
    let at = |name: &str| format!("/proc/self/fd/{}/{name}", folder.as_raw_fd());
    assert_eq!(fs::read_to_string(at("program")).unwrap(), "moves\n");
    assert!(!Path::new(&at("bot")).exists());
    assert!(own.path().join("bot").exists() && !own.path().join("program").exists());
}

#[test]
fn everything_ends_with_the_program() {
    if !possible() {
        return;
    }
    let mark = format!("{}.25", 70_000 + std::process::id());
    for script in [
        format!("setsid sleep {mark} & exit 0"),
        format!("(setsid env -i sh -c 'setsid sleep {mark} & exec sleep {mark}' &); exit 0"),
        format!("kill -9 1; kill -STOP 1; sleep {mark} & exit 0"),
    ] {
        let script = script.replace("sleep", "/bin/sleep");
        let run = run(&empty(), &format!("exec >/dev/null 2>&1; {script}"));
        assert_eq!(run.exit, Some(ProcessExit::Code(0)), "{script}");
        let running = Command::new("ps").args(["-eo", "args"]).output().unwrap();
        assert!(!String::from_utf8_lossy(&running.stdout).contains(&mark), "{script}");
        run.keeper.give_back();
    }
}

#[test]
fn files_in_memory_are_limited_and_count_as_memory() {
    if !possible() {
        return;
    }
    let fill = |path: &str| format!("dd if=/dev/zero of={path} bs=1M count=64 2>&1 | tail -1; echo ended");
    let filled = output(&empty(), &fill("/tmp/big"));
    assert!(filled.contains("16777216 bytes") || filled.contains("16 MiB"), "{filled}");
    let wide = Jail { disk: 1 << 30, ..empty() };
    let run = run_within(32 << 20, &wide, &fill("/tmp/big"));
    assert!(run.keeper.over_memory(), "{}", run.output);
}

#[test]
fn processes_are_limited() {
    if !possible() {
        return;
    }
    let jail = Jail { processes: 20, ..empty() };
    // A shell that cannot fork ends.
    let answer = output(&jail, "for i in $(seq 100); do sleep 5 & done; echo all");
    assert!(!answer.contains("all"), "{answer}");
    assert!(output(&jail, "for i in $(seq 10); do sleep 0 & done; wait; echo all").contains("all"));
}

/// Makes a copy of this test program a judge that is going to be killed: `running` or `frozen`.
const DOOMED: &str = "AGON_TEST_DOOMED";

#[test]
fn a_jail_ends_with_its_judge() {
    if let Ok(what) = std::env::var(DOOMED) {
        doomed(&what);
    }
    if !possible() {
        return;
    }
    for what in ["running", "frozen"] {
        let mut judge = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "jail::a_jail_ends_with_its_judge", "--nocapture"])
            .env(DOOMED, what)
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // The harness speaks first.
        let mut lines = BufReader::new(judge.stdout.take().unwrap()).lines();
        let pid = lines.find_map(|line| Some(line.unwrap().strip_prefix("program ")?.to_owned())).unwrap();
        let own = Path::new("/proc").join(&pid);
        assert!(own.exists(), "{what}");
        judge.kill().unwrap();
        judge.wait().unwrap();
        let deadline = Instant::now() + Duration::from_mins(1);
        while own.exists() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(!own.exists(), "{what}: {pid} lives on without its judge");
    }
}

/// Is a judge until it is killed.
fn doomed(what: &str) -> ! {
    let program = Program {
        path: c"/bin/sleep".into(),
        words: [c"sleep", c"600"].map(Into::into).to_vec(),
        environment: Vec::new(),
    };
    let null = File::options().read(true).write(true).open("/dev/null").unwrap();
    let mut keeper = Keeper::take(Some(64 << 20), &empty()).unwrap();
    keeper.load(&program, null.as_fd(), null.as_fd()).unwrap();
    let (pid, _) = keeper.start(null.as_fd(), "", false).unwrap();
    keeper.freeze(what == "frozen");
    println!("\nprogram {pid}");
    std::thread::sleep(Duration::from_mins(10));
    std::process::exit(1)
}

/// The same without privileges: this test runs the others again as another user.
#[test]
fn all_of_this_holds_for_a_judge_without_privileges() {
    if !rustix::process::geteuid().is_root() || !possible() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o777)).unwrap();
    let program = folder.path().join("jail");
    fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(&program)
        .arg("jail::")
        .env("TMPDIR", folder.path())
        .output()
        .unwrap();
    let (lines, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{lines}{errors}");
    assert!(lines.contains("10 passed"), "{lines}");
}

/// Runs one test of this file again where parts of `/proc` are hidden, as in a container.
#[test]
fn a_probe_reports_what_a_jail_lacks() {
    const HIDDEN: &str = "JAIL_TEST_PROC_IS_HIDDEN";
    if std::env::var_os(HIDDEN).is_some() {
        let found = probe();
        assert_eq!((found.level, found.obstacles), (Level::Full, Vec::new()));
        let lacks: Vec<&str> = found.lacks.iter().map(|lack| lack.what).collect();
        assert!(lacks.len() == 2 && lacks[0].contains("no /proc") && lacks[1].contains("a new jail"), "{lacks:?}");
        // Programs still run, each in its own jail.
        let first = run(&empty(), "echo $$; [ ! -e /proc/self ]");
        assert!(first.keeper.is_broken());
        let second = run(&empty(), "echo $$; [ ! -e /proc/self ]");
        assert_eq!((first.exit, &first.output), (Some(ProcessExit::Code(0)), &second.output));
        agon_jail::retire_all();
        return;
    }
    if !possible() {
        return;
    }
    assert_eq!(probe().lacks, [], "this machine hides something");
    let own = std::env::current_exe().unwrap();
    let script = format!(
        "mount -t tmpfs none /proc/sys && exec '{}' --exact jail::a_probe_reports_what_a_jail_lacks",
        own.display()
    );
    let output = Command::new("unshare")
        .args(["--map-root-user", "--mount", "sh", "-c", &script])
        .env(HIDDEN, "yes")
        .output()
        .unwrap();
    let lines = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && lines.contains("1 passed"), "{lines}");
}
