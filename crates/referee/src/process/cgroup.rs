//! Memory limits by control group, where this process may make one.
//!
//! Version 1 (a memory hierarchy of its own) and version 2 (the unified one) are both used. A group is made once and
//! used again by the next program, because making one costs more than a whole game between instant bots. Where no group can be had,
//! [`super::memory`] watches instead. `AGON_CGROUP=off` in the environment forces that.
//!
//! A version 1 group is entered by the starting *thread* for the moment of the start, so that the program is born in it:
//! moving one's own thread costs microseconds. Moving another process, as version 2 needs, costs milliseconds, during
//! which the program is already running; what it allocates meanwhile is counted where it was.
//! Sources: Linux, `Documentation/admin-guide/cgroup-v1/memory.rst` and `cgroup-v2.rst`.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal};

use super::kernel::{numbers, read_from_start};

/// One control group with a memory limit.
#[derive(Debug)]
pub struct Cgroup {
    path: PathBuf,
    limit: u64,
    /// Counts the processes that the kernel killed in it.
    events: File,
    /// The most memory it used.
    peak: Option<File>,
    /// For version 1: the doors by which a thread goes in and comes home.
    doors: Option<[File; 2]>,
    /// Kills by the kernel before the present user came.
    kills_before: u64,
}

/// Where groups can be made, if anywhere.
#[derive(Clone, PartialEq, Eq, Debug)]
enum CgroupLocation {
    V1 { home: PathBuf },
    V2 { candidates: Vec<PathBuf> },
}

static LOCATION: LazyLock<Option<CgroupLocation>> = LazyLock::new(|| {
    if std::env::var_os("AGON_CGROUP").is_some_and(|value| value == "off") {
        return None;
    }
    let read = |file| fs::read_to_string(file).unwrap_or_default();
    find_location(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup"))
});
static FREE: Mutex<Vec<Cgroup>> = Mutex::new(Vec::new());
static NEXT: AtomicU64 = AtomicU64::new(0);
static REFUSED: Mutex<bool> = Mutex::new(false);

/// From now on no new group is made: memory is watched instead, as with `AGON_CGROUP=off`.
pub fn forbid() {
    *REFUSED.lock().unwrap_or_else(PoisonError::into_inner) = true;
}

/// A group with this limit in bytes, or `None` where none can be had.
pub fn take(limit: u64) -> Option<Cgroup> {
    let recycled = {
        let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
        let at = free.iter().position(|group| group.limit == limit);
        at.map(|at| free.swap_remove(at))
    };
    if let Some(mut group) = recycled {
        group.kills_before = group.kills();
        return Some(group);
    }
    // A refusal is final: the answer would be the same for every program.
    let mut refused = REFUSED.lock().unwrap_or_else(PoisonError::into_inner);
    if *refused {
        return None;
    }
    let made = LOCATION.as_ref().and_then(|location| make(location, limit));
    *refused = made.is_none();
    made
}

/// How memory limits are held here, in a word or two: `cgroup v1`, `cgroup v2`, `watched`.
pub fn mechanism() -> &'static str {
    match take(1 << 40) {
        None => "watched",
        Some(group) => {
            let mechanism = if group.doors.is_some() { "cgroup v1" } else { "cgroup v2" };
            let _ = fs::remove_dir(&group.path);
            mechanism
        }
    }
}

/// Returns a group whose user is gone.
pub fn give_back(group: Cgroup) {
    if group.processes().is_empty() {
        FREE.lock().unwrap_or_else(PoisonError::into_inner).push(group);
    }
}

/// Removes the groups made by this process; call it at the end of the program. Those of programs that were killed
/// before they could are removed by the next one that makes a group.
pub fn remove_all() {
    for group in FREE.lock().unwrap_or_else(PoisonError::into_inner).drain(..) {
        let _ = fs::remove_dir(&group.path);
    }
}

fn make(location: &CgroupLocation, limit: u64) -> Option<Cgroup> {
    let name = format!("agon-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let attempt = |parent: &Path, home: Option<&Path>| {
        remove_abandoned(parent);
        let path = parent.join(&name);
        fs::create_dir(&path).ok()?;
        let group = Cgroup::open(&path, home, limit);
        if group.is_err() {
            let _ = fs::remove_dir(&path);
        }
        group.ok()
    };
    match location {
        CgroupLocation::V1 { home } => attempt(home, Some(home)),
        CgroupLocation::V2 { candidates } => candidates.iter().find_map(|parent| attempt(parent, None)),
    }
}

/// Removes groups whose maker no longer runs.
fn remove_abandoned(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker = name.to_str().and_then(|name| name.strip_prefix("agon-")?.split('-').next()?.parse::<u32>().ok());
        if maker.is_some_and(|pid| !Path::new(&format!("/proc/{pid}")).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

impl Cgroup {
    /// Sets the limit of a new group and opens what is needed of it.
    fn open(path: &Path, home: Option<&Path>, limit: u64) -> io::Result<Self> {
        let read = |file| File::open(path.join(file));
        let write = |file: PathBuf| OpenOptions::new().write(true).open(file);
        let [limit_file, events, peak] = match home {
            Some(_) => ["memory.limit_in_bytes", "memory.oom_control", "memory.max_usage_in_bytes"],
            None => ["memory.max", "memory.events", "memory.peak"],
        };
        fs::write(path.join(limit_file), limit.to_string())?;
        // Where swap is counted, it must not be a way around the limit.
        let _ = fs::write(path.join("memory.swap.max"), "0");
        let _ = fs::write(path.join("memory.memsw.limit_in_bytes"), limit.to_string());
        Ok(Self {
            path: path.to_owned(),
            limit,
            events: read(events)?,
            peak: read(peak).ok(),
            doors: match home {
                Some(home) => Some([write(path.join("tasks"))?, write(home.join("tasks"))?]),
                None => None,
            },
            kills_before: 0,
        })
    }

    /// Starts a program inside the group.
    ///
    /// # Errors
    /// Those of [`Command::spawn`], or of entering the group.
    pub fn start(&self, command: &mut Command) -> io::Result<Child> {
        match &self.doors {
            Some([into, home]) => {
                into.write_at(b"0", 0)?;
                let child = command.spawn();
                home.write_at(b"0", 0)?;
                child
            }
            None => {
                let child = command.spawn()?;
                // It fails only when the program has already ended.
                let _ = fs::write(self.path.join("cgroup.procs"), child.id().to_string());
                Ok(child)
            }
        }
    }

    /// Whether the kernel has killed in this group for want of memory since its present user came.
    pub fn has_killed(&self) -> bool {
        self.kills() > self.kills_before
    }

    /// The most memory that any user of the group has used so far, in bytes; 0 when the kernel does not say.
    pub fn peak(&self) -> u64 {
        self.peak.as_ref().map_or(0, |file| read_from_start(file).trim().parse().unwrap_or(0))
    }

    /// Kills every process in the group, until none is left or a second of trying has passed.
    pub fn kill(&self) {
        for _ in 0..1000 {
            let processes = self.processes();
            if processes.is_empty() {
                return;
            }
            // Version 2 can do it at once.
            if fs::write(self.path.join("cgroup.kill"), "1").is_err() {
                for pid in processes.into_iter().filter_map(|pid| Pid::from_raw(pid as i32)) {
                    let _ = rustix::process::kill_process(pid, Signal::KILL);
                }
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Opened anew each time: version 1 shows an open file the list it first made for it.
    fn processes(&self) -> Vec<u32> {
        numbers(&fs::read_to_string(self.path.join("cgroup.procs")).unwrap_or_default())
    }

    fn kills(&self) -> u64 {
        let text = read_from_start(&self.events);
        text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok()).unwrap_or(0)
    }
}

/// Finds where groups may be made, from the texts of `/proc/self/mountinfo` and `/proc/self/cgroup`.
fn find_location(mounts: &str, membership: &str) -> Option<CgroupLocation> {
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
    let has_memory = |list: &str| list.split(',').any(|controller| controller == "memory");
    if let Some(root) = mount(&|kind, options| kind == "cgroup" && has_memory(options)) {
        return Some(CgroupLocation::V1 { home: root.join(path_of(&has_memory)?) });
    }
    let root = mount(&|kind, _| kind == "cgroup2")?;
    let own = root.join(path_of(&str::is_empty)?);
    // A group with processes of its own may not pass memory control on, so a sibling is tried first.
    let sibling = own.parent().filter(|parent| parent.starts_with(&root)).map(Path::to_owned);
    Some(CgroupLocation::V2 { candidates: sibling.into_iter().chain([own]).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_in_either_version() {
        let check = |mounts: &str, membership: &str, expected: Option<CgroupLocation>| {
            assert_eq!(find_location(mounts, membership), expected, "{membership}");
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
