//! Every process that was started here, and all that it leaves behind.
//!
//! A program may fork, leave its process group, start a new session, or orphan a daemon. Three things find it all:
//! the process group takes what stayed; this process is the *child subreaper* of everything below it, so orphans become
//! its own children instead of init's; and every program carries a tag in its environment that its descendants
//! inherit, which tells whose orphan it is. An orphan that wiped its tag belongs to nobody and goes at once.

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
use super::{Exit, kernel, memory};

/// The environment variable by which a process tree is recognised.
pub const TAG: &str = "AGON_WARD";

/// How often memory is looked at and strays are searched while programs run.
const TICK: Duration = Duration::from_millis(20);

/// One started program and its process tree.
#[derive(Debug)]
pub struct Ward {
    token: u64,
    tag: String,
    pid: AtomicU32,
    limit: Option<u64>,
    peak: AtomicU64,
    over: AtomicBool,
    cgroup: Option<Cgroup>,
}

/// Closed for writing while a program is being started: for that moment its process is already our child and not yet
/// known.
static GATE: RwLock<()> = RwLock::new(());
static LIVE: LazyLock<Mutex<HashMap<u64, Arc<Ward>>>> = LazyLock::new(Mutex::default);
static ARRIVAL: Condvar = Condvar::new();
static NEXT: AtomicU64 = AtomicU64::new(1);

fn live() -> MutexGuard<'static, HashMap<u64, Arc<Ward>>> {
    LIVE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program in its own process group and enters it in the census. `memory` is the limit of its tree in bytes.
///
/// # Errors
/// Those of [`Command::spawn`].
pub fn start(command: &mut Command, memory: Option<u64>) -> io::Result<(Child, Arc<Ward>)> {
    settle();
    let ward = Ward::new(memory, memory.and_then(cgroup::take));
    command.env(TAG, &ward.tag).process_group(0);

    let _gate = GATE.read().unwrap_or_else(PoisonError::into_inner);
    let child = match &ward.cgroup {
        Some(cgroup) => cgroup.start(command),
        None => command.spawn(),
    }?;
    ward.pid.store(child.id(), Ordering::Relaxed);
    let ward = Arc::new(ward);
    live().insert(ward.token, Arc::clone(&ward));
    ARRIVAL.notify_all();
    Ok((child, ward))
}

/// Makes this process the one to which orphans go, and starts the warden.
fn settle() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without it orphans go to init and are only found where a cgroup holds them.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        let _ = thread::Builder::new().name("warden".to_owned()).spawn(watch);
    });
}

/// Enters a program in the census that is run again and again, one process at a time: [`Ward::start`] starts one and
/// [`Ward::reap`] ends it. `memory` is the limit of each one's tree in bytes; it is always watched.
pub fn enrol(memory: Option<u64>) -> Arc<Ward> {
    settle();
    let ward = Arc::new(Ward::new(memory, None));
    live().insert(ward.token, Arc::clone(&ward));
    ARRIVAL.notify_all();
    ward
}

/// Kills every process group in the census.
pub fn kill_all() {
    for ward in live().values() {
        ward.kill();
    }
}

impl Ward {
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

    /// Starts a process of an enrolled program, by whatever starts it in a group of its own and returns its pid.
    ///
    /// # Errors
    /// Those of `spawn`.
    pub fn start(&self, spawn: impl FnOnce() -> io::Result<u32>) -> io::Result<u32> {
        let _gate = GATE.read().unwrap_or_else(PoisonError::into_inner);
        let pid = spawn()?;
        self.pid.store(pid, Ordering::Relaxed);
        Ok(pid)
    }

    /// Ends the process of an enrolled program, if it has not ended, with all that it started, and says how it ended;
    /// `None` when there was none.
    pub fn reap(&self) -> Option<Exit> {
        let exit = {
            // No sweep may take it for a stray between forgetting it and reaping it.
            let _gate = GATE.read().unwrap_or_else(PoisonError::into_inner);
            // Its pid is still its own here, so nobody else can be hit.
            self.signal(Signal::KILL);
            let pid = Pid::from_raw(self.pid.swap(0, Ordering::Relaxed) as i32)?;
            let status = rustix::process::waitid(WaitId::Pid(pid), WaitIdOptions::EXITED).ok().flatten()?;
            match status.exit_status() {
                Some(code) => Exit::Code(code),
                None => Exit::Signal(status.terminating_signal().unwrap_or(0)),
            }
        };
        // What left the process group has become our child; each death may hand us another one.
        for _ in 0..10_000 {
            let mut mine = strays();
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

    /// Takes the ward out of the census once its main process has been reaped, and kills what is left of its tree.
    pub fn release(self: Arc<Self>) {
        self.kill();
        // From here on the pid is no longer ours to signal.
        self.pid.store(0, Ordering::Relaxed);
        live().remove(&self.token);
        // Closing the gate waits for every program that is being started, so it is closed only for a reason.
        if !strays().is_empty() {
            let _gate = GATE.write().unwrap_or_else(PoisonError::into_inner);
            sweep();
        }
    }

    fn look_at_memory(&self) {
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
            strays().into_iter().filter(|&pid| tag_of(pid).as_deref() == Some(&self.tag)).flat_map(memory::tree),
        );
        let used = memory::used(&tree, limit);
        self.peak.fetch_max(used, Ordering::Relaxed);
        if used > limit {
            self.over.store(true, Ordering::SeqCst);
            self.kill();
        }
    }
}

/// Its last user returns the cgroup.
impl Drop for Ward {
    fn drop(&mut self) {
        if let Some(cgroup) = self.cgroup.take() {
            cgroup::give_back(cgroup);
        }
    }
}

/// The warden's round: looks at memory, and ends strays that belong to nobody.
fn watch() {
    loop {
        let wards: Vec<Arc<Ward>> = {
            let mut wards = live();
            while wards.is_empty() {
                wards = ARRIVAL.wait(wards).unwrap_or_else(PoisonError::into_inner);
            }
            wards.values().cloned().collect()
        };
        for ward in wards {
            ward.look_at_memory();
        }
        {
            let _gate = GATE.write().unwrap_or_else(PoisonError::into_inner);
            sweep();
        }
        thread::sleep(TICK);
    }
}

/// Our children that we did not start.
fn strays() -> Vec<u32> {
    static CHILDREN: LazyLock<Option<File>> = LazyLock::new(|| {
        let pid = std::process::id();
        File::open(format!("/proc/{pid}/task/{pid}/children")).ok()
    });
    // Orphans are handed to the first thread, so its children are enough.
    let mut children = match &*CHILDREN {
        Some(file) => kernel::numbers(&kernel::read_from_start(file)),
        None => memory::children(std::process::id()),
    };
    if !children.is_empty() {
        let known: HashSet<u32> = live().values().map(|ward| ward.pid.load(Ordering::Relaxed)).collect();
        children.retain(|pid| !known.contains(pid));
    }
    children
}

/// Kills and reaps every stray whose ward is not in the census. Call it with the gate closed.
fn sweep() {
    // Each death may hand us further orphans; a tree that grows faster than this is beyond any cure but a cgroup.
    for _ in 0..10_000 {
        let mut strays = strays();
        if strays.is_empty() {
            return;
        }
        let tags: HashSet<String> = live().values().map(|ward| ward.tag.clone()).collect();
        strays.retain(|&pid| tag_of(pid).is_none_or(|tag| !tags.contains(&tag)));
        if strays.is_empty() {
            return;
        }
        end(strays);
    }
}

/// Kills and reaps children of ours.
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
