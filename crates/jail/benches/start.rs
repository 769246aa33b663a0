//! Cost of a jailed start: `/bin/true` from start to exit, by `posix_spawn`, by bubblewrap, and at each level.
//!
//! `cargo bench -p agon-jail` prints the median of each and the difference from `posix_spawn`. All take turns, so that
//! a machine whose speed drifts favours none. `new jail` is the first start in a jail, `full` the following ones.
//! Bubblewrap (`bwrap`) makes the same namespaces and mounts the same folders; if it is missing, that line is omitted.
//! Then come the starts of runtimes.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::os::fd::AsFd;
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use agon_jail::{Jail, Keeper, Level, Program};
use nix::spawn::{PosixSpawnAttr, PosixSpawnFileActions, posix_spawn};
use nix::sys::wait::waitpid;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::thread::{CpuSet, sched_setaffinity};

const ROUNDS: usize = 300;
const RUNTIME_ROUNDS: usize = 31;
/// A name and what to measure.
type Way = (&'static str, Box<dyn FnMut()>);

const TRUE: &CStr = c"/bin/true";

fn main() -> ExitCode {
    let mut core = CpuSet::new();
    core.set(0);
    sched_setaffinity(None, &core).expect("pinning to the first core");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let jail = |level| Jail {
        level,
        visible: vec![folder.path().to_owned()],
        folder: Some(folder.path().to_owned()),
        disk: 64 << 20,
        processes: 64,
        ..Jail::default()
    };
    let bwrap = Command::new("bwrap").arg("--version").output().is_ok();
    let mut ways: Vec<Way> = vec![("posix_spawn", Box::new(bare))];
    if bwrap {
        let folder = folder.path().display().to_string();
        ways.push(("bwrap", Box::new(move || wrapped(&folder))));
    }
    let probe = agon_jail::probe();
    for level in Level::ALL.into_iter().filter(|&level| level <= probe.level) {
        let jail = jail(level);
        ways.push((level.name(), Box::new(move || kept(&jail))));
    }
    if probe.level == Level::Full {
        let mut number = 0;
        let jail = jail(Level::Full);
        ways.push((
            "new jail",
            Box::new(move || {
                // No keeper that waits has one like it.
                number += 1;
                kept(&Jail { disk: (64 << 20) + number * 4096, ..jail.clone() });
            }),
        ));
    }
    let mut times: Vec<Vec<Duration>> = ways.iter().map(|_| Vec::new()).collect();
    for _ in 0..ROUNDS {
        for ((_, way), times) in ways.iter_mut().zip(&mut times) {
            let start = Instant::now();
            way();
            times.push(start.elapsed());
        }
    }
    let medians: Vec<f64> = times
        .iter_mut()
        .map(|times| {
            times.sort_unstable();
            times[times.len() / 2].as_secs_f64() * 1e3
        })
        .collect();
    for ((name, _), median) in ways.iter().zip(&medians) {
        println!("{name:<12} {median:>6.2} ms   {:>+6.2} ms", median - medians[0]);
    }
    drop(ways);
    runtimes(&jail(Level::None), &jail(probe.level));
    agon_jail::retire_all();
    ExitCode::SUCCESS
}

/// Prints how long a runtime takes to start and to end, at level none and at the strongest.
fn runtimes(bare: &Jail, jailed: &Jail) {
    for words in [
        &["/usr/bin/python3", "-c", "pass"][..],
        &["/usr/bin/node", "-e", "0"],
        &["/usr/bin/java", "-XX:-UsePerfData", "-version"],
    ] {
        if !std::path::Path::new(words[0]).exists() {
            continue;
        }
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..RUNTIME_ROUNDS {
            for (jail, times) in [bare, jailed].into_iter().zip(&mut times) {
                let start = Instant::now();
                run(jail, words);
                times.push(start.elapsed());
            }
        }
        let [bare, full] = times.map(|mut times| {
            times.sort_unstable();
            times[times.len() / 2].as_secs_f64() * 1e3
        });
        println!("{:<18} none {bare:>6.1} ms   {} {full:>6.1} ms   ratio {:.2}", words[0], jailed.level, full / bare);
    }
}

/// The least that a judge could do.
fn bare() {
    let (actions, attributes) =
        (PosixSpawnFileActions::init().expect("actions"), PosixSpawnAttr::init().expect("attributes"));
    let none: [&CStr; 0] = [];
    let pid = posix_spawn(TRUE, &actions, &attributes, &[TRUE], &none).expect("it starts");
    waitpid(pid, None).expect("it ends");
}

fn wrapped(folder: &str) {
    let words = "--unshare-all --unshare-user --die-with-parent --new-session --cap-drop ALL --ro-bind /usr /usr \
                 --ro-bind /opt /opt --symlink usr/bin /bin --symlink usr/sbin /sbin --symlink usr/lib /lib --symlink \
                 usr/lib64 /lib64 --ro-bind /etc/alternatives /etc/alternatives --ro-bind /etc/ld.so.cache \
                 /etc/ld.so.cache --proc /proc --dev /dev --tmpfs /tmp --tmpfs /dev/shm --clearenv";
    let status = Command::new("bwrap")
        .args(words.split_ascii_whitespace())
        .args(["--ro-bind", folder, folder, "--chdir", folder, "/bin/true"])
        .stdin(Stdio::null())
        .status();
    assert!(status.is_ok_and(|status| status.success()), "bwrap runs");
}

/// Like the judge for a fresh game: takes a waiting keeper, if there is one, and returns it.
fn kept(jail: &Jail) {
    run(jail, &["/bin/true"]);
}

fn run(jail: &Jail, words: &[&str]) {
    let null = File::options().read(true).write(true).open("/dev/null").expect("/dev/null opens");
    let words: Vec<CString> = words.iter().map(|&word| CString::new(word).expect("a word")).collect();
    let program = Program { path: words[0].clone(), words, environment: Vec::new() };
    let mut keeper = Keeper::take(Some(512 << 20), jail).expect("a keeper");
    keeper.load(&program, null.as_fd(), null.as_fd()).expect("it is loaded");
    let (_, pidfd) = keeper.start(null.as_fd(), "", false).expect("it starts");
    poll(&mut [PollFd::new(&pidfd, PollFlags::IN)], None).expect("it ends");
    keeper.end();
    keeper.give_back();
}
