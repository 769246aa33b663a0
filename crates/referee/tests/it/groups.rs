//! Control groups that others create or remove: the judge creates new ones, and never touches foreign ones.
//!
//! Each test is a separate judge, see [`court::isolated`]. Without control groups they check nothing.

use crate::court;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use agon_referee::limits::GameLimits;
use agon_referee::verdict::Verdict::{Mle, Ok};
use court::attack::check;
use court::isolated::{GROUPS, bot, each};
use court::{ROOMY, play};
use rustix::process::{Pid, Signal, kill_process};

/// The folders of this process's control groups, and those next to them: where a judge may create groups.
fn places() -> Vec<PathBuf> {
    let membership = fs::read_to_string("/proc/self/cgroup").unwrap();
    let place = |line: &str| {
        let mut fields = line.splitn(3, ':').skip(1);
        let (controllers, path) = (fields.next()?, fields.next()?);
        let root = match controllers {
            "" => "/sys/fs/cgroup",
            "memory" => "/sys/fs/cgroup/memory",
            _ => return None,
        };
        Some(Path::new(root).join(path.trim_start_matches('/')))
    };
    let own: Vec<PathBuf> = membership.lines().filter_map(place).filter(|path| path.exists()).collect();
    let above = own.iter().filter_map(|path| path.parent().map(Path::to_owned));
    above.chain(own.clone()).filter(|path| path.starts_with("/sys/fs/cgroup")).collect()
}

/// The control groups whose names speak of this judge.
fn groups() -> Vec<PathBuf> {
    let pid = std::process::id().to_string();
    let own = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("agon") && name.split(|c: char| !c.is_ascii_digit()).any(|number| number == pid)
    };
    let entries = places().into_iter().flat_map(|place| fs::read_dir(place).into_iter().flatten().flatten());
    let mut groups: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(own).collect();
    groups.sort();
    groups.dedup();
    groups
}

/// The name with the number at its end raised by so much.
fn later(group: &Path, by: u64) -> PathBuf {
    let name = group.file_name().unwrap().to_str().unwrap();
    let number = name.rfind('-').unwrap() + 1;
    let next = name[number..].parse::<u64>().unwrap() + by;
    group.with_file_name(format!("{}{next}", &name[..number]))
}

/// Only a control group counts pages that no process holds.
fn groups_hold() {
    check("eat:shm-closed", &[Mle]);
}

/// Another process had our pid, its groups still exist, and some are in use: they are neither used nor emptied, and
/// ours are created all the same.
#[test]
fn groups_of_the_same_name() {
    each("groups::groups_of_the_same_name", GROUPS, &["well"], |words| {
        assert_eq!(play(&bot(words), "random", &ROOMY).verdicts[0].verdict, Ok);
        let last = groups().pop().expect("a group of the judge");
        let stale: Vec<PathBuf> = (1..40).map(|by| later(&last, by)).filter(|path| !path.exists()).collect();
        let mut stranger = Command::new("sleep").arg("600").spawn().unwrap();
        for path in &stale {
            fs::create_dir(path).unwrap();
        }
        fs::write(stale[0].join("cgroup.procs"), stranger.id().to_string()).unwrap();
        // New limits, for which there is no group yet.
        let limits = GameLimits { memory_mib: 100, ..ROOMY };
        let held = [play(&bot("eat:shm-closed"), "random", &limits), play(&bot(words), "random", &limits)];
        groups_hold();
        let stranger_lives = stranger.try_wait().unwrap().is_none();
        let _ = stranger.kill();
        stranger.wait().unwrap();
        for path in &stale {
            let _ = fs::remove_dir(path);
        }
        assert!(stranger_lives, "a process of a foreign group was killed");
        assert_eq!(held.map(|report| report.verdicts[0].verdict), [Mle, Ok]);
    });
}

/// Another program removes our idle groups between two games, with the keepers that wait in them.
#[test]
fn groups_that_vanish() {
    each("groups::groups_that_vanish", GROUPS, &["well"], |words| {
        for _ in 0..3 {
            check(words, &[Ok]);
            groups_hold();
            let groups = groups();
            assert!(!groups.is_empty(), "no group in {:?}", places());
            for group in groups {
                for pid in fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default().lines() {
                    let _ = kill_process(Pid::from_raw(pid.parse().unwrap()).unwrap(), Signal::KILL);
                }
                let start = Instant::now();
                while fs::remove_dir(&group).is_err() && group.exists() {
                    assert!(start.elapsed() < Duration::from_mins(1), "{} is still in use", group.display());
                }
            }
        }
        check(words, &[Ok]);
    });
}

/// When the judge is done and has cleaned up, none of its groups is left.
#[test]
fn groups_are_removed_at_the_end() {
    each("groups::groups_are_removed_at_the_end", GROUPS, &["well"], |words| {
        for _ in 0..4 {
            check(words, &[Ok]);
        }
        groups_hold();
        court::isolated::tidy_up();
        assert_eq!(groups(), Vec::<PathBuf>::new());
    });
}
