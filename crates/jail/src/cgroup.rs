//! Limits of memory and processes by control groups, where this process may create them, and freezers.
//!
//! Both version 1 (with hierarchies for memory, for processes and for freezing) and version 2 (the unified one) are
//! supported; `hierarchy.rs` finds the place for groups in them. A keeper is in its group, so that its programs start
//! in it. If no group is available, [`super::memory`] monitors instead. `AGON_CGROUP=off` in the environment forces
//! that.
//!
//! If memory runs out, the kernel ends one process of a group, a program and not the keeper (see `service.rs`), and the
//! judge ends the rest when it notices. `memory.oom.group` of version 2 would end the keeper with its program.
//!
//! A group is named after the process that made it, including the pid namespace and the start time of that process. So
//! a group whose maker is gone differs from those of processes with the same pid in another namespace.
//! Sources: Linux, `Documentation/admin-guide/cgroup-v1/memory.rst`, `freezer-subsystem.rst` and `cgroup-v2.rst`.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::hierarchy;
use super::kernel::{numbers, read_from_start, read_record};

/// Memory of the keeper itself and of the kernel's coarse accounts, in a group without a program.
const NEAR_ZERO: u64 = 2 << 20;

/// A group below another one, for the programs of a keeper that stays outside.
const PROGRAM: &str = "program";

/// One control group with limits.
#[derive(Debug)]
pub struct Cgroup {
    path: PathBuf,
    version: CgroupVersion,
    /// On version 1: the group that limits processes.
    processes: Option<PathBuf>,
    limits_processes: bool,
    /// Counts the processes that the kernel killed in it.
    events: File,
    usage: File,
    stat: File,
    /// The most memory it used.
    peak: Option<File>,
    /// Its value when the program started, where the kernel cannot reset it.
    peak_before: AtomicU64,
    /// Kills by the kernel that concern earlier programs.
    kills_before: AtomicU64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CgroupVersion {
    V1,
    V2,
}

/// A group whose processes can be frozen and resumed.
#[derive(Debug)]
pub struct Freezer {
    path: PathBuf,
    version: CgroupVersion,
}

/// A folder in which groups can be created.
#[derive(Debug)]
struct Home {
    path: PathBuf,
    version: CgroupVersion,
}

static OFF: LazyLock<bool> = LazyLock::new(|| std::env::var_os("AGON_CGROUP").is_some_and(|value| value == "off"));
static MEMORY: LazyLock<Option<Home>> = LazyLock::new(|| {
    Home::version1("memory").or_else(|| {
        let leaf = format!("{}judge", prefix(&maker(std::process::id())?));
        Some(Home::new(hierarchy::version2(&leaf)?, CgroupVersion::V2))
    })
});
static PROCESSES: LazyLock<Option<Home>> = LazyLock::new(|| Home::version1("pids"));
static FREEZER: LazyLock<Option<Home>> = LazyLock::new(|| Home::version1("freezer"));
static NEXT: AtomicU64 = AtomicU64::new(0);
static REFUSED: AtomicBool = AtomicBool::new(false);

/// Forbids new groups: memory is monitored instead, as with `AGON_CGROUP=off`.
pub fn forbid() {
    REFUSED.store(true, Ordering::SeqCst);
}

/// Creates a group that limits memory in bytes, and processes besides its keeper; `None` if groups are not available.
pub fn make(memory: Option<u64>, processes: Option<u32>) -> Option<Cgroup> {
    // A refusal is final: the answer would be the same for every program.
    if *OFF || REFUSED.load(Ordering::SeqCst) {
        return None;
    }
    let made = MEMORY.as_ref().and_then(|home| Cgroup::open(&home.new_folder()?, home.version, memory, processes));
    if made.is_none() {
        forbid();
    }
    made
}

/// Returns how memory limits are enforced here, in a word or two: `cgroup v1`, `cgroup v2`, `watched`.
pub fn mechanism() -> &'static str {
    match make(Some(1 << 40), None) {
        None => "watched",
        Some(group) => {
            remove(&group.path);
            match group.version {
                CgroupVersion::V1 => "cgroup v1",
                CgroupVersion::V2 => "cgroup v2",
            }
        }
    }
}

/// Moves the calling process into a group. It must have one thread.
///
/// # Errors
/// The errors of writing the group's list of processes.
pub fn enter(path: &Path) -> io::Result<()> {
    // Moving a thread is fast; where there is no such list, moving a process takes milliseconds.
    let [tasks, processes] = ["tasks", "cgroup.procs"].map(|file| path.join(file));
    fs::write(if tasks.exists() { tasks } else { processes }, "0")
}

/// Returns the folder of a group in which a process can be started, on version 2, which saves the milliseconds of
/// moving it there.
pub fn birthplace(path: &Path) -> Option<File> {
    if path.join("tasks").exists() { None } else { File::open(path).ok() }
}

/// A freezer for the programs of a keeper in this group, if one is available.
pub fn freezer(group: Option<&Cgroup>) -> Option<Freezer> {
    if *OFF || REFUSED.load(Ordering::SeqCst) {
        return None;
    }
    if let Some(group) = group.filter(|group| group.version == CgroupVersion::V2) {
        // Below its own, so that the keeper keeps running when its program is frozen. It has no controllers, so the
        // group above may contain processes as well.
        let path = group.path.join(PROGRAM);
        // That of an earlier program may still exist: a group whose last process is dying cannot be removed.
        return (fs::create_dir(&path).is_ok() || path.is_dir())
            .then_some(Freezer { path, version: CgroupVersion::V2 });
    }
    let unified = || MEMORY.as_ref().filter(|home| home.version == CgroupVersion::V2);
    let home = FREEZER.as_ref().or_else(unified)?;
    Some(Freezer { path: home.new_folder()?, version: home.version })
}

/// Returns the identity of a process in the names of its groups: its pid namespace, pid and start time.
pub fn maker(pid: u32) -> Option<String> {
    let namespace = fs::read_link("/proc/self/ns/pid").ok()?;
    let namespace: String = namespace.to_str()?.chars().filter(char::is_ascii_digit).collect();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // After the name, which may contain anything, the start is the twentieth field.
    let start = stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(19)?;
    Some(format!("{namespace}-{pid}-{start}"))
}

/// Thaws all groups of a maker: frozen processes do not die.
pub fn thaw_all(maker: &str) {
    for path in groups_of(maker) {
        thaw(&path);
    }
}

/// Removes the empty groups of a maker.
pub fn remove_all(maker: &str) {
    for path in groups_of(maker) {
        remove(&path);
    }
}

/// Removes a group, if no process is left in it.
pub fn remove(group: &Path) {
    let _ = fs::remove_dir(group.join(PROGRAM));
    let _ = fs::remove_dir(group);
}

/// Returns the prefix of the names of a maker's groups.
fn prefix(maker: &str) -> String {
    format!("agon-{maker}-")
}

/// Returns the folders of a maker's groups, wherever groups can be created.
fn groups_of(maker: &str) -> Vec<PathBuf> {
    let prefix = prefix(maker);
    let homes = ["memory", "pids", "freezer"].into_iter().filter_map(hierarchy::version1);
    let entries = homes
        .chain(hierarchy::version2_candidates())
        .flat_map(|home| fs::read_dir(home).into_iter().flatten().flatten());
    let own = entries.filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(&prefix)));
    own.map(|entry| entry.path()).collect()
}

fn thaw(group: &Path) {
    let _ = fs::write(group.join("freezer.state"), "THAWED");
    for group in [group, &group.join(PROGRAM)] {
        let _ = fs::write(group.join("cgroup.freeze"), "0");
    }
}

/// Removes groups of this pid namespace whose maker no longer runs. One that still has a process stays.
fn remove_abandoned(parent: &Path) {
    let Some(own) = maker(std::process::id()) else { return };
    let namespace = own.split('-').next().unwrap_or_default();
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(of) = name.to_str().and_then(|name| name.strip_prefix("agon-")?.rsplit_once('-')) else { continue };
        let mut parts = of.0.split('-');
        let (space, pid) = (parts.next(), parts.next().and_then(|pid| pid.parse().ok()));
        if let (Some(space), Some(pid)) = (space, pid)
            && space == namespace
            && maker(pid).as_deref() != Some(of.0)
        {
            remove(&entry.path());
        }
    }
}

impl Home {
    fn version1(controller: &str) -> Option<Self> {
        Some(Self::new(hierarchy::version1(controller)?, CgroupVersion::V1))
    }

    fn new(path: PathBuf, version: CgroupVersion) -> Self {
        remove_abandoned(&path);
        Self { path, version }
    }

    /// Makes a folder with an unused name.
    fn new_folder(&self) -> Option<PathBuf> {
        let prefix = prefix(&maker(std::process::id())?);
        loop {
            let path = self.path.join(format!("{prefix}{}", NEXT.fetch_add(1, Ordering::Relaxed)));
            match fs::create_dir(&path) {
                Ok(()) => return Some(path),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(_) => return None,
            }
        }
    }
}

impl Cgroup {
    /// Sets the limits of a new group and opens its files; removes it if that fails.
    fn open(path: &Path, version: CgroupVersion, memory: Option<u64>, processes: Option<u32>) -> Option<Self> {
        let read = |file| File::open(path.join(file));
        let open = || -> io::Result<Self> {
            let [limit_file, events, usage, peak] = match version {
                CgroupVersion::V1 => [
                    "memory.limit_in_bytes",
                    "memory.oom_control",
                    "memory.usage_in_bytes",
                    "memory.max_usage_in_bytes",
                ],
                CgroupVersion::V2 => ["memory.max", "memory.events", "memory.current", "memory.peak"],
            };
            if let Some(limit) = memory {
                fs::write(path.join(limit_file), limit.to_string())?;
                // If swap is counted, it must not be a way around the limit.
                let _ = fs::write(path.join("memory.swap.max"), "0");
                let _ = fs::write(path.join("memory.memsw.limit_in_bytes"), limit.to_string());
            }
            let limiting = processes.and_then(|limit| limit_processes(path, version, limit));
            let writable = OpenOptions::new().read(true).write(true).open(path.join(peak));
            Ok(Self {
                version,
                events: read(events)?,
                usage: read(usage)?,
                stat: read("memory.stat")?,
                peak: writable.or_else(|_| read(peak)).ok(),
                peak_before: AtomicU64::new(0),
                kills_before: AtomicU64::new(0),
                limits_processes: limiting.is_some(),
                processes: limiting.filter(|limiting| limiting != path),
                path: path.to_owned(),
            })
        };
        let group = open();
        if group.is_err() {
            remove(path);
        }
        group.ok()
    }

    /// Returns its folders, in all its hierarchies. The keeper must be started in the first, or else enter it.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        [Some(&self.path), self.processes.as_ref()].into_iter().flatten().map(PathBuf::as_path)
    }

    pub const fn limits_processes(&self) -> bool {
        self.limits_processes
    }

    /// From now on it belongs to another program: earlier kills do not concern it, and its peak is reset if the kernel
    /// can do so.
    pub fn begin(&self) {
        self.kills_before.store(self.kills(), Ordering::SeqCst);
        if let Some(peak) = &self.peak {
            // Version 1 and Linux 6.12 can.
            let before = if peak.write_at(b"0", 0).is_ok() { 0 } else { number(peak) };
            self.peak_before.store(before, Ordering::Relaxed);
        }
    }

    /// Returns true if the kernel has killed a process of this group for lack of memory since [`Cgroup::begin`].
    pub fn has_killed(&self) -> bool {
        self.kills() > self.kills_before.load(Ordering::SeqCst)
    }

    /// The same since the last call.
    pub fn take_killed(&self) -> bool {
        let kills = self.kills();
        self.kills_before.swap(kills, Ordering::SeqCst) < kills
    }

    /// The peak memory since [`Cgroup::begin`], in bytes; `None` if the kernel does not report it.
    pub fn peak(&self) -> Option<u64> {
        let peak = self.peak.as_ref().map(number)?;
        // If an earlier program used more, the peak of this one is unknown.
        (peak > self.peak_before.load(Ordering::Relaxed)).then_some(peak)
    }

    /// The memory in use now, including the kernel's copies of files, in bytes.
    pub fn usage(&self) -> u64 {
        number(&self.usage)
    }

    /// Returns true if nothing is left of an ended program: files in memory that it wrote would be charged to the next
    /// one.
    pub fn is_empty(&self) -> bool {
        if number(&self.usage) <= NEAR_ZERO {
            return true;
        }
        // Memory that the kernel can reclaim does no harm.
        let text = read_from_start(&self.stat);
        let held: u64 = text
            .lines()
            .filter_map(|line| line.split_once(' '))
            .filter(|(key, _)| match self.version {
                CgroupVersion::V1 => ["rss", "shmem"].contains(key),
                CgroupVersion::V2 => ["anon", "shmem"].contains(key),
            })
            .filter_map(|(_, value)| value.trim().parse::<u64>().ok())
            .sum();
        held <= NEAR_ZERO
    }

    fn kills(&self) -> u64 {
        let text = read_record(&self.events);
        text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok()).unwrap_or(0)
    }
}

impl Freezer {
    /// Moves processes into the group until all are in; false if that fails.
    pub fn hold(&self, processes: impl Fn() -> Vec<u32>) -> bool {
        let list = self.path.join("cgroup.procs");
        // Each round may find processes started outside during the previous one.
        for _ in 0..100 {
            let inside = numbers(&fs::read_to_string(&list).unwrap_or_default());
            let outside: Vec<u32> = processes().into_iter().filter(|pid| !inside.contains(pid)).collect();
            if outside.is_empty() {
                return true;
            }
            for pid in outside {
                // One that has ended meanwhile can no longer be moved.
                let _ = fs::write(&list, pid.to_string());
            }
        }
        false
    }

    /// Freezes its processes, or resumes them; false if the kernel refuses.
    pub fn freeze(&self, frozen: bool) -> bool {
        let (file, text) = match (self.version, frozen) {
            (CgroupVersion::V1, true) => ("freezer.state", "FROZEN"),
            (CgroupVersion::V1, false) => ("freezer.state", "THAWED"),
            (CgroupVersion::V2, true) => ("cgroup.freeze", "1"),
            (CgroupVersion::V2, false) => ("cgroup.freeze", "0"),
        };
        fs::write(self.path.join(file), text).is_ok()
    }
}

impl Drop for Freezer {
    fn drop(&mut self) {
        self.freeze(false);
        let _ = fs::remove_dir(&self.path);
    }
}

/// Limits the processes of a group, not counting the keeper's own. Returns the folder of the group that does so, on
/// version 1 a new one; `None` if the controller is not available.
fn limit_processes(path: &Path, version: CgroupVersion, limit: u32) -> Option<PathBuf> {
    let path = match version {
        CgroupVersion::V1 => PROCESSES.as_ref()?.new_folder()?,
        CgroupVersion::V2 => path.to_owned(),
    };
    let set = fs::write(path.join("pids.max"), (u64::from(limit) + 1).to_string());
    if set.is_err() && version == CgroupVersion::V1 {
        remove(&path);
    }
    set.ok().map(|()| path)
}

fn number(file: &File) -> u64 {
    read_record(file).trim().parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_dead_judge_left_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let own = maker(std::process::id()).unwrap();
        let namespace = own.split('-').next().unwrap();
        // This process, once with its own start and once with that of another process that had the same number.
        let made = |name: String| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.join(PROGRAM)).unwrap();
            path
        };
        let stays = [format!("agon-{own}-0"), "agon-else".to_owned(), format!("agon-1{namespace}-1-1-0")].map(made);
        let goes = [format!("agon-{namespace}-{}-1-7", std::process::id()), format!("agon-{namespace}-1-1-judge")];
        let goes = goes.map(made);
        remove_abandoned(folder.path());
        for path in stays {
            assert!(path.is_dir(), "{}", path.display());
        }
        for path in goes {
            assert!(!path.exists(), "{}", path.display());
        }
    }
}
