//! The process registry: every program that was started here, and the processes that it leaves behind.
//!
//! A program may fork, leave its process group, start a new session, or orphan a daemon. Three mechanisms find them all:
//! the process group holds what stayed in it; this process is the *child subreaper* of everything below it, so orphans
//! become its children instead of init's; and every program has a tag in its environment, which its descendants
//! inherit, so that an orphan can be assigned to its program. An orphan without a tag is killed at once. A thread, the
//! reaper, looks for orphans and measures memory.

use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, Once, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::cgroup::{self, Cgroup};
use super::exit::ProcessExit;
use super::{kernel, memory};

/// The environment variable by which a process tree is recognised.
pub const TAG: &str = "AGON_SUPERVISED";

/// How often the reaper measures memory and looks for orphans while programs run.
const REAPER_PERIOD: Duration = Duration::from_millis(20);

/// One started program and its process tree.
#[derive(Debug)]
pub struct Supervised {
    token: u64,
    tag: String,
    pid: AtomicU32,
    limit: Option<u64>,
    peak: AtomicU64,
    over: AtomicBool,
    cgroup: Option<Cgroup>,
}

/// Held for reading while a program is being started: for that moment its process is our child and not yet registered, so
/// it must not be taken for an orphan.
static START_LOCK: RwLock<()> = RwLock::new(());
static REGISTRY: LazyLock<Mutex<HashMap<u64, Arc<Supervised>>>> = LazyLock::new(Mutex::default);
static REGISTERED: Condvar = Condvar::new();
static NEXT: AtomicU64 = AtomicU64::new(1);

fn registry() -> MutexGuard<'static, HashMap<u64, Arc<Supervised>>> {
    REGISTRY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program in its own process group and registers it. `memory` is the limit of its tree in bytes.
///
/// # Errors
/// Those of [`Command::spawn`].
pub fn start(command: &mut Command, memory: Option<u64>) -> io::Result<(Child, Arc<Supervised>)> {
    start_reaper();
    let supervised = Supervised::new(memory, memory.and_then(cgroup::take));
    command.env(TAG, &supervised.tag).process_group(0);

    let _lock = START_LOCK.read().unwrap_or_else(PoisonError::into_inner);
    let child = match &supervised.cgroup {
        Some(cgroup) => cgroup.start(command),
        None => command.spawn(),
    }?;
    supervised.pid.store(child.id(), Ordering::Relaxed);
    let supervised = Arc::new(supervised);
    registry().insert(supervised.token, Arc::clone(&supervised));
    REGISTERED.notify_all();
    Ok((child, supervised))
}

/// Makes this process the child subreaper of its descendants, and starts the reaper.
fn start_reaper() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without it orphans go to init and are only found where a cgroup holds them.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        let _ = thread::Builder::new().name("reaper".to_owned()).spawn(reap_forever);
    });
}

/// Registers a program that is run again and again, one process at a time: [`Supervised::start`] starts one and
/// [`Supervised::reap`] ends it. `memory` is the limit of each process tree in bytes, measured by the reaper.
pub fn register(memory: Option<u64>) -> Arc<Supervised> {
    start_reaper();
    let supervised = Arc::new(Supervised::new(memory, None));
    registry().insert(supervised.token, Arc::clone(&supervised));
    REGISTERED.notify_all();
    supervised
}

/// Kills the process group of every registered program.
pub fn kill_all() {
    for supervised in registry().values() {
        supervised.kill();
    }
}

impl Supervised {
    fn new(limit: Option<u64>, cgroup: Option<Cgroup>) -> Self {
        let token = NEXT.fetch_add(1, Ordering::Relaxed);
        Self {
            token,
            tag: format!("{}-{token}", std::process::id()),
            pid: AtomicU32::new(0),
            limit,
            peak: AtomicU64::new(0),
            over: AtomicBool::new(false),
            cgroup,
        }
    }

    /// The value of [`TAG`] in the environment of its processes.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// Starts a process of a registered program. `spawn` starts it in a group of its own and returns its pid.
    ///
    /// # Errors
    /// Those of `spawn`.
    pub fn start(&self, spawn: impl FnOnce() -> io::Result<u32>) -> io::Result<u32> {
        let _lock = START_LOCK.read().unwrap_or_else(PoisonError::into_inner);
        let pid = spawn()?;
        self.pid.store(pid, Ordering::Relaxed);
        Ok(pid)
    }

    /// Ends the process of a registered program, if it has not ended, with all that it started, and returns how it
    /// ended; `None` when there was none.
    pub fn reap(&self) -> Option<ProcessExit> {
        let exit = {
            // No sweep may take it for an orphan after its pid is forgotten and before it is reaped.
            let _lock = START_LOCK.read().unwrap_or_else(PoisonError::into_inner);
            // Its pid is still its own here, so nobody else can be hit.
            self.signal(Signal::KILL);
            let pid = Pid::from_raw(self.pid.swap(0, Ordering::Relaxed) as i32)?;
            let status = rustix::process::waitid(WaitId::Pid(pid), WaitIdOptions::EXITED).ok().flatten()?;
            match status.exit_status() {
                Some(code) => ProcessExit::Code(code),
                None => ProcessExit::Signal(status.terminating_signal().unwrap_or(0)),
            }
        };
        // What left the process group has become our child; each death may hand us another one.
        for _ in 0..10_000 {
            let mut mine = orphans();
            mine.retain(|&pid| tag_of(pid).as_deref() == Some(&self.tag));
            if mine.is_empty() {
                break;
            }
            end(mine);
        }
        Some(exit)
    }

    /// Whether a process has used more memory than it may since this was last asked.
    pub fn take_over_memory(&self) -> bool {
        self.over.swap(false, Ordering::SeqCst)
    }

    /// Sends a signal to the program's process group.
    pub fn signal(&self, signal: Signal) {
        if let Some(pid) = Pid::from_raw(self.pid.load(Ordering::Relaxed) as i32) {
            let _ = rustix::process::kill_process_group(pid, signal);
        }
    }

    /// Kills the program's process group, and its cgroup where it has one.
    pub fn kill(&self) {
        self.signal(Signal::KILL);
        if let Some(cgroup) = &self.cgroup {
            cgroup.kill();
        }
    }

    /// Whether the tree has used more memory than it may.
    pub fn over_memory(&self) -> bool {
        self.over.load(Ordering::SeqCst) || self.cgroup.as_ref().is_some_and(Cgroup::has_killed)
    }

    /// The most memory that the tree was seen to use, in bytes; 0 when it was never looked at.
    pub fn peak(&self) -> u64 {
        self.cgroup.as_ref().map_or(0, Cgroup::peak).max(self.peak.load(Ordering::Relaxed))
    }

    /// Removes the program from the registry once its main process has been reaped, and kills what is left of its tree.
    pub fn release(self: Arc<Self>) {
        self.kill();
        // From here on the pid is no longer ours to signal.
        self.pid.store(0, Ordering::Relaxed);
        registry().remove(&self.token);
        // The write lock waits for every program that is being started, so it is taken only when there is an orphan.
        if !orphans().is_empty() {
            let _lock = START_LOCK.write().unwrap_or_else(PoisonError::into_inner);
            sweep();
        }
    }

    fn measure_memory(&self) {
        let Some(limit) = self.limit else { return };
        if let Some(cgroup) = &self.cgroup {
            // The kernel may have killed a child, and the program may wait for it in vain.
            if cgroup.has_killed() {
                self.kill();
            }
            return;
        }
        let pid = self.pid.load(Ordering::Relaxed);
        if pid == 0 {
            return;
        }
        let mut tree = memory::tree(pid);
        tree.extend(
            orphans().into_iter().filter(|&pid| tag_of(pid).as_deref() == Some(&self.tag)).flat_map(memory::tree),
        );
        let used = memory::used(&tree, limit);
        self.peak.fetch_max(used, Ordering::Relaxed);
        if used > limit {
            self.over.store(true, Ordering::SeqCst);
            self.kill();
        }
    }
}

/// The last user returns the cgroup.
impl Drop for Supervised {
    fn drop(&mut self) {
        if let Some(cgroup) = self.cgroup.take() {
            cgroup::give_back(cgroup);
        }
    }
}

/// The reaper: measures the memory of every program, and ends orphans that belong to none.
fn reap_forever() {
    loop {
        let programs: Vec<Arc<Supervised>> = {
            let mut registered = registry();
            while registered.is_empty() {
                registered = REGISTERED.wait(registered).unwrap_or_else(PoisonError::into_inner);
            }
            registered.values().cloned().collect()
        };
        for supervised in programs {
            supervised.measure_memory();
        }
        {
            let _lock = START_LOCK.write().unwrap_or_else(PoisonError::into_inner);
            sweep();
        }
        thread::sleep(REAPER_PERIOD);
    }
}

/// Children of this process that it did not start.
fn orphans() -> Vec<u32> {
    static CHILDREN: LazyLock<Option<File>> = LazyLock::new(|| {
        let pid = std::process::id();
        File::open(format!("/proc/{pid}/task/{pid}/children")).ok()
    });
    // The kernel gives orphans to the first thread, so its children are enough.
    let mut children = match &*CHILDREN {
        Some(file) => kernel::numbers(&kernel::read_from_start(file)),
        None => memory::children(std::process::id()),
    };
    if !children.is_empty() {
        let known: HashSet<u32> =
            registry().values().map(|supervised| supervised.pid.load(Ordering::Relaxed)).collect();
        children.retain(|pid| !known.contains(pid));
    }
    children
}

/// Kills and reaps every orphan whose program is not registered. The start lock must be held for writing.
fn sweep() {
    // Each death may hand us further orphans; a tree that grows faster than this is beyond any cure but a cgroup.
    for _ in 0..10_000 {
        let mut orphans = orphans();
        if orphans.is_empty() {
            return;
        }
        let tags: HashSet<String> = registry().values().map(|supervised| supervised.tag.clone()).collect();
        orphans.retain(|&pid| tag_of(pid).is_none_or(|tag| !tags.contains(&tag)));
        if orphans.is_empty() {
            return;
        }
        end(orphans);
    }
}

/// Kills and reaps children of this process.
fn end(children: Vec<u32>) {
    for pid in children.into_iter().filter_map(|pid| Pid::from_raw(pid as i32)) {
        let _ = rustix::process::kill_process(pid, Signal::KILL);
        let _ = rustix::process::waitid(WaitId::Pid(pid), WaitIdOptions::EXITED);
    }
}

/// The tag in a process's environment.
fn tag_of(pid: u32) -> Option<String> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    environment.split(|&byte| byte == 0).find_map(|variable| {
        let value = str::from_utf8(variable).ok()?.strip_prefix(TAG)?.strip_prefix('=')?;
        Some(value.to_owned())
    })
}
