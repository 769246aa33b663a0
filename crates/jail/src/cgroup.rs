//! Memory limits by control group, where this process may make one, and freezers.
//!
//! Version 1 (hierarchies of their own for memory and for freezing) and version 2 (the unified one) are both used. A group is
//! entered by a keeper when that is made, so that its programs are born in it. Where no group can be had, [`super::memory`]
//! watches instead. `AGON_CGROUP=off` in the environment forces that.
//!
//! A group is named after the process that made it, with the pid namespace and the start of that process, so that a group whose
//! maker is gone can be told from those of others, who may have the same pid in another namespace.
//! Sources: Linux, `Documentation/admin-guide/cgroup-v1/memory.rst`, `freezer-subsystem.rst` and `cgroup-v2.rst`.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::kernel::{numbers, read_from_start};

/// Memory that the keeper itself and the kernel's coarse accounts may amount to in a group that nobody else uses.
const NEAR_ZERO: u64 = 2 << 20;

/// One control group with a memory limit.
#[derive(Debug)]
pub struct Cgroup {
    path: PathBuf,
    version: CgroupVersion,
    /// Counts the processes that the kernel killed in it.
    events: File,
    usage: File,
    stat: File,
    /// The most memory it used.
    peak: Option<File>,
    /// Kills by the kernel that concern earlier programs.
    kills_before: AtomicU64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CgroupVersion {
    V1,
    V2,
}

/// A group whose processes can be stopped and let go on.
#[derive(Debug)]
pub struct Freezer {
    path: PathBuf,
    version: CgroupVersion,
}

/// Where groups can be made, if anywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
enum CgroupLocation {
    V1 { home: PathBuf },
    V2 { candidates: Vec<PathBuf> },
}

static OFF: LazyLock<bool> = LazyLock::new(|| std::env::var_os("AGON_CGROUP").is_some_and(|value| value == "off"));
static LOCATION: LazyLock<Option<CgroupLocation>> = LazyLock::new(|| find_location("memory"));
static FREEZER: LazyLock<Option<CgroupLocation>> = LazyLock::new(|| find_location("freezer"));
static NEXT: AtomicU64 = AtomicU64::new(0);
static REFUSED: AtomicBool = AtomicBool::new(false);

/// From now on no new group is made: memory is watched instead, as with `AGON_CGROUP=off`.
pub fn forbid() {
    REFUSED.store(true, Ordering::SeqCst);
}

/// A new group with this limit in bytes, or `None` where none can be had.
pub fn make(limit: u64) -> Option<Cgroup> {
    // A refusal is final: the answer would be the same for every program.
    if *OFF || REFUSED.load(Ordering::SeqCst) {
        return None;
    }
    let made = LOCATION.as_ref().and_then(|location| match location {
        CgroupLocation::V1 { home } => new_folder(home).and_then(|path| Cgroup::open(&path, CgroupVersion::V1, limit)),
        CgroupLocation::V2 { candidates } => {
            candidates.iter().find_map(|parent| Cgroup::open(&new_folder(parent)?, CgroupVersion::V2, limit))
        }
    });
    if made.is_none() {
        forbid();
    }
    made
}

/// How memory limits are held here, in a word or two: `cgroup v1`, `cgroup v2`, `watched`.
pub fn mechanism() -> &'static str {
    match make(1 << 40) {
        None => "watched",
        Some(group) => {
            let _ = fs::remove_dir(&group.path);
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
/// Those of writing the group's list of processes.
pub fn enter(path: &Path) -> io::Result<()> {
    // To move a thread is quick; where there is no such list, moving a process takes milliseconds.
    let [tasks, processes] = ["tasks", "cgroup.procs"].map(|file| path.join(file));
    fs::write(if tasks.exists() { tasks } else { processes }, "0")
}

/// A freezer for the programs of a keeper in this group, where one can be had.
pub fn freezer(group: Option<&Cgroup>) -> Option<Freezer> {
    if *OFF || REFUSED.load(Ordering::SeqCst) {
        return None;
    }
    if let Some(group) = group.filter(|group| group.version == CgroupVersion::V2) {
        // Below its own, so that the keeper goes on when its program is frozen.
        let path = group.path.join("program");
        fs::create_dir(&path).ok()?;
        return Some(Freezer { path, version: CgroupVersion::V2 });
    }
    match FREEZER.as_ref()? {
        CgroupLocation::V1 { home } => {
            let path = new_folder(home)?;
            Some(Freezer { path, version: CgroupVersion::V1 })
        }
        CgroupLocation::V2 { .. } => None,
    }
}

/// Makes a folder of a name that nobody else has, and removes those whose maker no longer runs.
fn new_folder(parent: &Path) -> Option<PathBuf> {
    let own = maker(std::process::id())?;
    if NEXT.load(Ordering::Relaxed) < 2 {
        // Once for memory and once for the freezer is enough.
        remove_abandoned(parent);
    }
    loop {
        let path = parent.join(format!("agon-{own}-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
        match fs::create_dir(&path) {
            Ok(()) => return Some(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(_) => return None,
        }
    }
}

/// What a process is known by in the names of its groups: its pid namespace, pid and start.
pub fn maker(pid: u32) -> Option<String> {
    let namespace = fs::read_link("/proc/self/ns/pid").ok()?;
    let namespace: String = namespace.to_str()?.chars().filter(char::is_ascii_digit).collect();
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // After the name, which may have anything in it, the start is the twentieth field.
    let start = stat.rsplit_once(')')?.1.split_ascii_whitespace().nth(19)?;
    Some(format!("{namespace}-{pid}-{start}"))
}

/// Lets everything go on that is frozen in the groups of a maker: what is frozen does not die before.
pub fn thaw_all(maker: &str) {
    for path in groups_of(maker) {
        thaw(&path);
    }
}

/// Removes the groups of a maker in which no process is left.
pub fn remove_all(maker: &str) {
    for path in groups_of(maker) {
        let _ = fs::remove_dir(path.join("program"));
        let _ = fs::remove_dir(path);
    }
}

/// The folders of a maker's groups, wherever groups can be made.
fn groups_of(maker: &str) -> Vec<PathBuf> {
    let prefix = format!("agon-{maker}-");
    let homes = [&LOCATION, &FREEZER].into_iter().filter_map(|location| location.as_ref());
    let parents = homes.flat_map(|location| match location {
        CgroupLocation::V1 { home } => vec![home.clone()],
        CgroupLocation::V2 { candidates } => candidates.clone(),
    });
    let entries = parents.flat_map(|parent| fs::read_dir(parent).into_iter().flatten().flatten());
    let own = entries.filter(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(&prefix)));
    own.map(|entry| entry.path()).collect()
}

fn thaw(group: &Path) {
    let _ = fs::write(group.join("freezer.state"), "THAWED");
    let _ = fs::write(group.join("program/cgroup.freeze"), "0");
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
            let _ = fs::remove_dir(entry.path().join("program"));
            let _ = fs::remove_dir(entry.path());
        }
    }
}

impl Cgroup {
    /// Sets the limit of a new group and opens what is needed of it; removes it when that fails.
    fn open(path: &Path, version: CgroupVersion, limit: u64) -> Option<Self> {
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
            fs::write(path.join(limit_file), limit.to_string())?;
            // Where swap is counted, it must not be a way around the limit.
            let _ = fs::write(path.join("memory.swap.max"), "0");
            let _ = fs::write(path.join("memory.memsw.limit_in_bytes"), limit.to_string());
            let writable = OpenOptions::new().read(true).write(true).open(path.join(peak));
            Ok(Self {
                path: path.to_owned(),
                version,
                events: read(events)?,
                usage: read(usage)?,
                stat: read("memory.stat")?,
                peak: writable.or_else(|_| read(peak)).ok(),
                kills_before: AtomicU64::new(0),
            })
        };
        let group = open();
        if group.is_err() {
            let _ = fs::remove_dir(path);
        }
        group.ok()
    }

    /// Its folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// From now on it is another program's: earlier kills do not concern it, and its peak is counted anew where the kernel can.
    pub fn begin(&self) {
        self.kills_before.store(self.kills(), Ordering::SeqCst);
        if let Some(peak) = &self.peak {
            let _ = peak.write_at(b"0", 0);
        }
    }

    /// Whether the kernel has killed in this group for want of memory since [`Cgroup::begin`].
    pub fn has_killed(&self) -> bool {
        self.kills() > self.kills_before.load(Ordering::SeqCst)
    }

    /// The same since this was last asked.
    pub fn take_killed(&self) -> bool {
        let kills = self.kills();
        self.kills_before.swap(kills, Ordering::SeqCst) < kills
    }

    /// The most memory that was used in it since [`Cgroup::begin`], or ever where the kernel cannot count anew; in bytes, 0 when
    /// the kernel does not say.
    pub fn peak(&self) -> u64 {
        self.peak.as_ref().map_or(0, number)
    }

    /// The memory that is used in it now, the kernel's copies of files among it; in bytes.
    pub fn usage(&self) -> u64 {
        number(&self.usage)
    }

    /// Whether nothing is left of a program that has ended: files in memory that it wrote would be charged to the next one.
    pub fn is_empty(&self) -> bool {
        if number(&self.usage) <= NEAR_ZERO {
            return true;
        }
        // What the kernel can give back when it is needed hurts nobody.
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
        let text = read_from_start(&self.events);
        text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok()).unwrap_or(0)
    }
}

impl Freezer {
    /// Takes processes in, until all of them are in it; false when that fails.
    pub fn hold(&self, processes: impl Fn() -> Vec<u32>) -> bool {
        let list = self.path.join("cgroup.procs");
        // Each round may find what was born outside in the round before.
        for _ in 0..100 {
            let inside = numbers(&fs::read_to_string(&list).unwrap_or_default());
            let outside: Vec<u32> = processes().into_iter().filter(|pid| !inside.contains(pid)).collect();
            if outside.is_empty() {
                return true;
            }
            for pid in outside {
                // One that has ended meanwhile is no longer there to be moved.
                let _ = fs::write(&list, pid.to_string());
            }
        }
        false
    }

    /// Stops its processes, or lets them go on; false when the kernel refuses.
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

fn number(file: &File) -> u64 {
    read_from_start(file).trim().parse().unwrap_or(0)
}

fn find_location(controller: &str) -> Option<CgroupLocation> {
    let read = |file| fs::read_to_string(file).unwrap_or_default();
    locate(controller, &read("/proc/self/mountinfo"), &read("/proc/self/cgroup"))
}

/// Finds where groups of a controller may be made, from the texts of `/proc/self/mountinfo` and `/proc/self/cgroup`.
fn locate(controller: &str, mounts: &str, membership: &str) -> Option<CgroupLocation> {
    let mount = |wanted: &dyn Fn(&str, &str) -> bool| {
        mounts.lines().find_map(|line| {
            let (left, right) = line.split_once(" - ")?;
            let mut right = right.split(' ');
            let (kind, options) = (right.next()?, right.nth(1)?);
            wanted(kind, options).then(|| left.split(' ').nth(4).map(PathBuf::from))?
        })
    };
    let path_of = |wanted: &dyn Fn(&str) -> bool| {
        membership.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let controllers = fields.next()?;
            wanted(controllers).then(|| fields.next().map(|path| path.trim_start_matches('/').to_owned()))?
        })
    };
    let has_it = |list: &str| list.split(',').any(|name| name == controller);
    if let Some(root) = mount(&|kind, options| kind == "cgroup" && has_it(options)) {
        return Some(CgroupLocation::V1 { home: root.join(path_of(&has_it)?) });
    }
    let root = mount(&|kind, _| kind == "cgroup2")?;
    let own = root.join(path_of(&str::is_empty)?);
    // A group with processes of its own may not pass memory control on, so a sibling is tried first.
    let sibling = own.parent().filter(|parent| parent.starts_with(&root)).map(Path::to_owned);
    let candidates = sibling.into_iter().chain([own]).collect();
    Some(CgroupLocation::V2 { candidates })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_in_either_version() {
        let check = |mounts: &str, membership: &str, expected: Option<CgroupLocation>| {
            assert_eq!(locate("memory", mounts, membership), expected, "{membership}");
        };
        check(
            "30 20 0:25 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n",
            "4:memory:/jobs/a\n0::/\n",
            Some(CgroupLocation::V1 { home: "/sys/fs/cgroup/memory/jobs/a".into() }),
        );
        check(
            "30 20 0:25 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n",
            "0::/user.slice/user-1000.slice/session-2.scope\n",
            Some(CgroupLocation::V2 {
                candidates: vec![
                    "/sys/fs/cgroup/user.slice/user-1000.slice".into(),
                    "/sys/fs/cgroup/user.slice/user-1000.slice/session-2.scope".into(),
                ],
            }),
        );
        check("1 1 0:1 / / rw - ext4 /dev/vda rw\n", "0::/\n", None);
        check("", "", None);
    }
}
