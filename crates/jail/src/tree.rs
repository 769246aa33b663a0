//! The judge's knowledge of a program and its descendants, and the thread that monitors their memory.

use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Once, PoisonError};
use std::thread;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group, pidfd_send_signal};

use super::cgroup::Cgroup;
use super::kernel;
use super::memory::{self, Files, MemoryUsers};

/// Interval at which memory is measured without a control group, and checked with one.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Maximum number of processes of a program, including zombies, if no group counts the kernel's memory for them. A
/// program that leaves more behind than its keeper can reap would fill the system's process table.
const MAX_PROCESSES: usize = 4096;

/// The running programs. A tree is included from the start of its program until it is ended.
static RUNNING: Mutex<Vec<Arc<Tree>>> = Mutex::new(Vec::new());
static STARTED: Condvar = Condvar::new();

/// A keeper's program and all its descendants.
#[derive(Debug)]
pub(crate) struct Tree {
    keeper: u32,
    /// The kernel's list of the keeper's children, kept open: the judge looks at it after every slow answer.
    children: Option<File>,
    limit: Option<u64>,
    /// The maximum number of processes and threads, if no group limits them.
    processes: Option<u32>,
    pub cgroup: Option<Cgroup>,
    /// The memory file system that it writes to, if its use must be measured directly.
    space: Option<OwnedFd>,
    /// The program while it runs. Its pid remains valid as long as it is stored here, because the keeper reaps it
    /// later.
    main: Mutex<Option<(u32, Arc<OwnedFd>)>>,
    peak: AtomicU64,
    over: AtomicBool,
    /// True if it was killed because there were too many of them.
    crowded: AtomicBool,
    /// Files in memory that the program has had open.
    files: Mutex<Files>,
    /// Users of the memory at the highest use seen, and that use.
    users: Mutex<(u64, Option<MemoryUsers>)>,
    watched: Mutex<()>,
}

fn running() -> MutexGuard<'static, Vec<Arc<Tree>>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Leaves the programs that run to the process from which this one was forked.
pub(crate) fn disown() {
    if let Ok(mut running) = RUNNING.try_lock() {
        std::mem::forget(std::mem::take(&mut *running));
    }
}

/// Kills every running program: each is ended with all its descendants by whoever started it.
pub fn kill_all() {
    // Not under the lock: to find the descendants of many programs takes a while.
    let trees = running().clone();
    for tree in trees {
        tree.kill();
    }
}

impl Tree {
    pub(crate) fn new(
        keeper: u32,
        limit: Option<u64>,
        processes: Option<u32>,
        cgroup: Option<Cgroup>,
        space: Option<OwnedFd>,
    ) -> Arc<Self> {
        Arc::new(Self {
            keeper,
            children: File::open(format!("/proc/{keeper}/task/{keeper}/children")).ok(),
            limit,
            processes,
            cgroup,
            space,
            main: Mutex::new(None),
            peak: AtomicU64::new(0),
            over: AtomicBool::new(false),
            crowded: AtomicBool::new(false),
            watched: Mutex::default(),
            files: Mutex::default(),
            users: Mutex::default(),
        })
    }

    /// Prepares for another program: observations of the previous one are dropped. Not after it has started, because by
    /// then it may already have used too much memory.
    pub(crate) fn begin(&self) {
        let _watched = self.watched();
        self.over.store(false, Ordering::SeqCst);
        self.crowded.store(false, Ordering::SeqCst);
        self.peak.store(0, Ordering::Relaxed);
        *self.files.lock().unwrap_or_else(PoisonError::into_inner) = Files::default();
        *self.users() = (0, None);
        if let Some(cgroup) = &self.cgroup {
            cgroup.begin();
        }
    }

    /// From now on it is watched.
    pub(crate) fn started(self: &Arc<Self>, pid: u32, pidfd: Arc<OwnedFd>) {
        static ONCE: Once = Once::new();
        ONCE.call_once(|| {
            // Without it only control groups enforce the limits; every machine has threads.
            let _ = thread::Builder::new().name("memory".to_owned()).spawn(watch_forever);
        });
        *self.main() = Some((pid, pidfd));
        let mut running = running();
        running.push(Arc::clone(self));
        STARTED.notify_all();
    }

    /// The program is about to be ended by its keeper: from here on we must not signal its pid.
    pub(crate) fn ending(&self) -> Option<(u32, Arc<OwnedFd>)> {
        running().retain(|tree| !std::ptr::eq(&raw const **tree, self));
        self.main().take()
    }

    /// Returns the descendants of the keeper, without the keeper itself.
    pub(crate) fn processes(&self) -> Vec<u32> {
        match &self.children {
            Some(file) => memory::with_descendants(kernel::numbers(&kernel::read_from_start(file))),
            None => memory::descendants(self.keeper),
        }
    }

    /// Sends a signal to the program, its process group and its descendants as far as they are seen now.
    pub(crate) fn signal(&self, signal: Signal) {
        if let Some((pid, pidfd)) = &*self.main() {
            send(*pid, pidfd, signal);
        }
        kernel::signal_below(self.keeper, &self.processes(), signal);
    }

    pub(crate) fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Returns true if the tree has exceeded its memory limit.
    pub(crate) fn over_memory(&self) -> bool {
        self.over.load(Ordering::SeqCst) || self.cgroup.as_ref().is_some_and(Cgroup::has_killed)
    }

    /// The same since the last call. Waits for the thread that monitors the tree, so that its observations of this
    /// invocation kill nothing of the next one.
    pub(crate) fn take_over_memory(&self) -> bool {
        let _watched = self.watched();
        let over = self.over.swap(false, Ordering::SeqCst);
        self.cgroup.as_ref().is_some_and(Cgroup::take_killed) || over
    }

    /// Returns true if the tree was killed because it had too many processes.
    pub(crate) fn is_crowded(&self) -> bool {
        self.crowded.load(Ordering::SeqCst)
    }

    /// The most memory that the tree was seen to use, in bytes; 0 when it was never looked at.
    pub(crate) fn peak(&self) -> u64 {
        self.cgroup.as_ref().and_then(Cgroup::peak).unwrap_or(0).max(self.peak.load(Ordering::Relaxed))
    }

    /// Returns the users of the memory at the highest use seen, if it was ever near the limit.
    pub(crate) fn memory_users(&self) -> Option<MemoryUsers> {
        self.users().1.clone()
    }

    fn users(&self) -> MutexGuard<'_, (u64, Option<MemoryUsers>)> {
        self.users.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Determines who uses the memory, `used` bytes of it, before a program is killed for it. The kernel kills without
    /// asking, so from half of the limit on this is repeated for each additional sixteenth.
    fn look_at_users(&self, used: u64, limit: u64) {
        let before = self.users().0;
        if used < limit / 2 || used < before + limit / 16 {
            return;
        }
        let users = memory::users(&self.processes());
        if !users.largest.is_empty() {
            *self.users() = (used, Some(users));
        }
    }

    /// Bytes of the files that it has written into memory.
    fn written(&self) -> u64 {
        let space = self.space.as_ref().and_then(|space| rustix::fs::fstatvfs(space).ok());
        space.map_or(0, |space| (space.f_blocks - space.f_bfree) * space.f_frsize)
    }

    fn main(&self) -> MutexGuard<'_, Option<(u32, Arc<OwnedFd>)>> {
        self.main.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Held during a check, so that no program is killed, or blamed, for observations of the previous one.
    fn watched(&self) -> MutexGuard<'_, ()> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn watch(&self) {
        let _watched = self.watched();
        let counted = self.cgroup.is_none() || self.processes.is_some();
        let processes = if counted { self.processes() } else { Vec::new() };
        if processes.len() > MAX_PROCESSES || self.processes.is_some_and(|most| memory::tasks(&processes) > most) {
            self.crowded.store(true, Ordering::SeqCst);
            self.kill();
        }
        let Some(limit) = self.limit else { return };
        if let Some(cgroup) = &self.cgroup {
            // The kernel may have killed a child, and the program may wait for it forever.
            if cgroup.has_killed() {
                self.kill();
            } else {
                let used = cgroup.usage();
                if cgroup.peak().is_none() {
                    self.peak.fetch_max(used, Ordering::Relaxed);
                }
                self.look_at_users(used, limit);
            }
            return;
        }
        if self.over.load(Ordering::SeqCst) {
            // The remaining processes die one after another: the users of the memory have been determined before.
            self.kill();
            return;
        }
        let measure = |processes: &[u32]| {
            let mut files = self.files.lock().unwrap_or_else(PoisonError::into_inner);
            memory::used(processes, limit, &mut files) + self.written()
        };
        let mut used = measure(&processes);
        if used > limit {
            // The processes were examined one after another. If one of them ended meanwhile, its share of common memory
            // has been counted for it and again for the others.
            used = used.min(measure(&self.processes()));
        }
        self.peak.fetch_max(used, Ordering::Relaxed);
        self.look_at_users(used, limit);
        if used > limit {
            self.over.store(true, Ordering::SeqCst);
            self.kill();
        }
    }
}

/// Sends a signal to a process that has not been reaped, and to its process group.
pub(crate) fn send(pid: u32, pidfd: &OwnedFd, signal: Signal) {
    // It may have left the group that it was started in.
    let _ = pidfd_send_signal(pidfd.as_fd(), signal);
    if let Some(pid) = Pid::from_raw(pid as i32) {
        let _ = kill_process_group(pid, signal);
    }
}

fn watch_forever() {
    loop {
        let trees = {
            let mut running = running();
            while running.is_empty() {
                running = STARTED.wait(running).unwrap_or_else(PoisonError::into_inner);
            }
            running.clone()
        };
        for tree in &trees {
            tree.watch();
        }
        drop(trees);
        thread::sleep(POLL_INTERVAL);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::process::{Command, Stdio};
    use std::sync::mpsc;

    use super::*;

    /// Continues with the next program, or the next invocation, while the previous one is being checked and found to
    /// use too much. Returns the result of `next`, and whether the next one is blamed.
    fn go_on_while_watched<T: Send + 'static>(next: fn(&Tree) -> T) -> (T, bool) {
        let tree = Tree::new(std::process::id(), Some(1), None, None, None);
        let looking = tree.watched();
        let (sender, begins) = mpsc::channel();
        let watched = Arc::clone(&tree);
        let gone_on = thread::spawn(move || {
            sender.send(()).unwrap();
            next(&watched)
        });
        begins.recv().unwrap();
        for _ in 0..1_000 {
            thread::yield_now();
        }
        tree.over.store(true, Ordering::SeqCst);
        drop(looking);
        (gone_on.join().unwrap(), tree.over_memory())
    }

    #[test]
    fn who_used_the_memory_is_not_looked_at_again_while_all_of_them_die() {
        let mut shell =
            Command::new("sh").args(["-c", "sleep 600 & echo; wait"]).stdout(Stdio::piped()).spawn().unwrap();
        shell.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let tree = Tree::new(shell.id(), Some(1), None, None, None);
        let seen = (1, Some(MemoryUsers { processes: 2, largest: Vec::new() }));
        *tree.users() = seen.clone();
        tree.over.store(true, Ordering::SeqCst);
        tree.watch();
        assert_eq!(*tree.users(), seen);
        // It waits for its child, which is killed.
        assert!(shell.wait().unwrap().success());
    }

    /// Observations of a program are not held against one that starts meanwhile.
    #[test]
    fn a_program_begins_when_the_one_before_is_no_longer_looked_at() {
        assert_eq!(go_on_while_watched(Tree::begin), ((), false));
    }

    #[test]
    fn an_invocation_ends_when_it_is_no_longer_looked_at() {
        assert_eq!(go_on_while_watched(Tree::take_over_memory), (true, false));
    }
}
