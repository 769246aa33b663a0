//! A keeper as the judge sees it.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::cgroup::{self, Cgroup, Freezer};
use super::exit::ProcessExit;
use super::failure::{JailError, Step};
use super::jail::{Jail, Level};
use super::kernel;
use super::memory::MemoryUsers;
use super::message::{self, END, FOLDER, FRESH, Program, SPACE, START, exit_of, send};
use super::space::Space;
use super::spawner;
use super::system::{self, Processors};
use super::tree::{self, Tree};

/// Keepers that wait for a next program.
static FREE: Mutex<Vec<Keeper>> = Mutex::new(Vec::new());

/// Each is a process, and at level full a set of namespaces.
const MAX_FREE_KEEPERS: usize = 64;

/// Time that the judge waits for its keepers to end before it exits.
const SHUTDOWN_GRACE: Duration = Duration::from_secs(2);

/// Time that the judge waits for a killed program to disappear if it no longer has a keeper.
const KILL_TIMEOUT: Duration = Duration::from_millis(200);

/// How a program is suspended while its opponent thinks.
#[derive(Debug)]
enum Freezing {
    /// No freezer has been looked for.
    Unknown,
    ByGroup(Freezer),
    BySignals,
}

/// A process of ours that starts and ends programs, one at a time. Dropping it ends its program.
#[derive(Debug)]
pub struct Keeper {
    socket: OwnedFd,
    pid: u32,
    /// Itself, by a name that no other process gets.
    pidfd: Option<OwnedFd>,
    limit: Option<u64>,
    jail: Jail,
    /// Folder for temporary files of a program that has no root of its own.
    space: Option<Space>,
    /// Processors that the keeper is bound to.
    processors: Option<Processors>,
    tree: Arc<Tree>,
    freezing: Freezing,
    /// True if the program, or something it started, runs only when no other program wants to.
    background: bool,
    /// A program has been started and not been ended.
    busy: bool,
    /// True if it cannot serve another program: something is left of the last one, such as a file, or the keeper itself
    /// was killed.
    broken: bool,
}

impl Keeper {
    /// A keeper whose programs may use this many bytes of memory, each with all its descendants, in a jail.
    ///
    /// # Errors
    /// If the system provides no process or socket, or the jail cannot be built.
    pub fn take(limit: Option<u64>, jail: &Jail) -> io::Result<Self> {
        loop {
            let free = {
                let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
                let at = free.iter().rposition(|keeper| keeper.limit == limit && keeper.jail == *jail);
                at.map(|at| free.remove(at))
            };
            match free {
                // It may have been killed meanwhile.
                Some(keeper) if keeper.is_lost() => {}
                Some(keeper) => return Ok(keeper),
                None => return Self::new(limit, jail),
            }
        }
    }

    fn new(limit: Option<u64>, jail: &Jail) -> io::Result<Self> {
        // At level full, the user of the jail has a limit of its own.
        let processes = (jail.level == Level::Landlock).then_some(jail.processes);
        let keeper = |cgroup: Option<Cgroup>| -> io::Result<Self> {
            let own_space = match jail.level {
                Level::Landlock => {
                    let made = Space::new(&std::env::temp_dir());
                    Some(made.step(|| "make a folder for temporary files".to_owned())?)
                }
                Level::None | Level::Full => None,
            };
            let groups = cgroup.iter().flat_map(Cgroup::paths);
            let (socket, pid) = spawner::keeper(groups, own_space.as_ref().map(Space::path), jail)?;
            // If no group counts them, the files of the jail are counted by scanning.
            let pidfd = Pid::from_raw(pid as i32).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok());
            let measured = cgroup.is_none() && limit.is_some() && jail.level == Level::Full;
            let space = if measured { Some(ask_folder(pidfd.as_ref(), &socket, &[FOLDER, SPACE])?) } else { None };
            let counted = processes.filter(|_| !cgroup.as_ref().is_some_and(Cgroup::limits_processes));
            Ok(Self {
                socket,
                pid,
                pidfd,
                limit,
                jail: jail.clone(),
                space: own_space,
                processors: None,
                tree: Tree::new(pid, limit, counted, cgroup, space),
                freezing: Freezing::Unknown,
                background: false,
                busy: false,
                broken: false,
            })
        };
        let wanted = limit.is_some() || processes.is_some();
        if let Some(group) = wanted.then(|| cgroup::make(limit, processes)).flatten() {
            match keeper(Some(group)) {
                Ok(keeper) => return Ok(keeper),
                // It could not enter the group: memory is monitored instead.
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe || JailError::downcast(&error).is_some() => {
                    return Err(error);
                }
                Err(_) => cgroup::forbid(),
            }
        }
        keeper(None)
    }

    /// Says which program the next starts will run, and where its output and errors go.
    ///
    /// # Errors
    /// If the arguments and the environment together are longer than about 200 KB, or the keeper is gone.
    pub fn load(&mut self, program: &Program, output: BorrowedFd<'_>, errors: BorrowedFd<'_>) -> io::Result<()> {
        send(self.socket.as_fd(), &program.request(), &[output, errors])
    }

    /// Starts the program with this input, and with one more variable `NAME=value` in its environment unless that is
    /// empty. It runs on the processors of the calling thread. `again` says that it will be started again before
    /// another one is loaded. Returns its process id and a pidfd.
    ///
    /// # Errors
    /// The errors of `posix_spawn`, a [`JailError`] inside if the program could not be put into its jail, or
    /// `BrokenPipe` if the keeper was killed.
    pub fn start(&mut self, input: BorrowedFd<'_>, variable: &str, again: bool) -> io::Result<(u32, Arc<OwnedFd>)> {
        let processors = system::processors();
        if self.processors.as_ref() != Some(&processors) {
            // Everything it starts inherits the binding.
            system::set_processors(self.pid, &processors);
            self.processors = Some(processors);
        }
        let mut request = vec![START];
        message::push(&mut request, variable.as_bytes());
        request.push(u8::from(again));
        if !std::mem::replace(&mut self.busy, true) {
            self.tree.begin();
        }
        let (_, pidfd) = send(self.socket.as_fd(), &request, &[input])
            .and_then(|()| spawner::reply_of(&self.socket, || wake(self.pidfd.as_ref())))
            .inspect_err(|_| self.broken = true)??;
        let pidfd = Arc::new(pidfd.ok_or(io::ErrorKind::BrokenPipe)?);
        // The keeper may know it by another number.
        match kernel::pid_of(pidfd.as_fd()) {
            Some(pid) => {
                self.tree.started(pid, Arc::clone(&pidfd));
                Ok((pid, pidfd))
            }
            None => {
                self.end();
                Err(io::ErrorKind::NotFound.into())
            }
        }
    }

    /// Ends the program, if it has not ended, and everything it has started; returns how it ended, if that is known.
    /// Always returns within seconds: processes that cannot be killed are left to the keeper.
    pub fn end(&mut self) -> Option<ProcessExit> {
        // A killed process needs a processor to die, and with the lowest priority it might wait too long for one.
        self.set_background(false);
        let main = self.tree.ending();
        if let Freezing::ByGroup(freezer) = std::mem::replace(&mut self.freezing, Freezing::Unknown) {
            // A frozen process dies only when it is thawed.
            if let Some((pid, pidfd)) = &main {
                tree::send(*pid, pidfd, Signal::KILL);
            }
            self.tree.kill();
            drop(freezer);
        }
        let answer = if self.broken {
            Err(io::ErrorKind::BrokenPipe.into())
        } else {
            // A program that has stopped its keeper would do so again.
            let kill = || {
                if let Some((pid, pidfd)) = &main {
                    tree::send(*pid, pidfd, Signal::KILL);
                    self.tree.kill();
                }
                wake(self.pidfd.as_ref());
            };
            send(self.socket.as_fd(), &[END], &[]).and_then(|()| spawner::reply_of(&self.socket, kill))
        };
        if let Ok(Ok(([_, exit, left], _))) = answer {
            self.broken |= left != FRESH;
            return exit_of(exit);
        }
        self.broken = true;
        // Without its keeper, the known processes are killed from here; the spawner ends those it inherits.
        if let Some((pid, pidfd)) = main {
            tree::send(pid, &pidfd, Signal::KILL);
            self.tree.kill();
            if let Some(keeper) = &self.pidfd {
                let _ = pidfd_send_signal(keeper, Signal::KILL);
            }
            wait_until_gone(&pidfd, KILL_TIMEOUT);
        }
        None
    }

    /// The program's tree of processes, without its keeper.
    pub fn processes(&self) -> Vec<u32> {
        self.tree.processes()
    }

    /// Suspends or resumes the program and everything it has started: by a control group's freezer, which cannot be
    /// escaped, if available, otherwise by signals.
    pub fn freeze(&mut self, frozen: bool) {
        if matches!(self.freezing, Freezing::Unknown) {
            let freezer = cgroup::freezer(self.tree.cgroup.as_ref());
            self.freezing = freezer.map_or(Freezing::BySignals, Freezing::ByGroup);
        }
        if let Freezing::ByGroup(freezer) = &self.freezing {
            // New processes stay in their group.
            if (!frozen || freezer.hold(|| self.tree.processes())) && freezer.freeze(frozen) {
                return;
            }
            self.freezing = Freezing::BySignals;
        }
        self.tree.signal(if frozen { Signal::STOP } else { Signal::CONT });
    }

    /// Runs the program and its descendants only on processors that no other program wants, or normally. Processes
    /// started later inherit this.
    pub fn set_background(&mut self, background: bool) {
        if std::mem::replace(&mut self.background, background) == background {
            return;
        }
        for pid in self.tree.processes() {
            for thread in kernel::threads(pid) {
                system::set_background(thread, background);
            }
        }
    }

    /// Returns true if they run only on processors that no other program wants.
    pub const fn is_in_background(&self) -> bool {
        self.background
    }

    /// Returns true if the program and its descendants have exceeded the memory limit.
    pub fn over_memory(&self) -> bool {
        self.tree.over_memory()
    }

    /// The same since the last call.
    pub fn take_over_memory(&self) -> bool {
        self.tree.take_over_memory()
    }

    /// Returns true if they were killed because there were too many of them.
    pub fn is_crowded(&self) -> bool {
        self.tree.is_crowded()
    }

    /// The most memory that they were seen to use, in bytes; 0 when they were never looked at.
    pub fn peak_memory(&self) -> u64 {
        self.tree.peak()
    }

    /// Returns the users of the memory when it was seen nearly exhausted, if ever.
    pub fn memory_users(&self) -> Option<MemoryUsers> {
        self.tree.memory_users()
    }

    /// The folder that the program started in, as the program that has ended left it; for jails with
    /// [`Writes::Kept`](super::jail::Writes::Kept).
    ///
    /// # Errors
    /// If there is no such folder, or the keeper is gone.
    pub fn folder(&mut self) -> io::Result<OwnedFd> {
        ask_folder(self.pidfd.as_ref(), &self.socket, &[FOLDER])
    }

    /// The folder for the program's temporary files, under the name that it has for the program; `None` if the program
    /// sees the system's.
    pub fn space(&self) -> Option<&Path> {
        match self.jail.level {
            Level::Full => Some(Path::new("/tmp")),
            Level::Landlock => self.space.as_ref().map(Space::path),
            Level::None => None,
        }
    }

    /// Returns the level of its jail.
    pub const fn level(&self) -> Level {
        self.jail.level
    }

    /// The most memory that its programs may use, in bytes.
    pub const fn limit(&self) -> Option<u64> {
        self.limit
    }

    /// Returns true if it cannot start another program: it was killed, or something of the last one is left.
    pub const fn is_broken(&self) -> bool {
        self.broken
    }

    /// Returns true if the keeper itself was killed: its program must not be blamed for the consequences.
    pub fn is_lost(&self) -> bool {
        let mut fds = [PollFd::new(&self.socket, PollFlags::empty())];
        matches!(poll(&mut fds, Some(&Timespec::default())), Ok(1..)) && fds[0].revents().contains(PollFlags::HUP)
    }

    /// Returns a keeper whose program has been ended, to serve another one. One that cannot, or whose control group
    /// still has memory that is not free, is let go.
    pub fn give_back(mut self) {
        self.busy = false;
        let clean = self.tree.cgroup.as_ref().is_none_or(Cgroup::is_empty);
        if clean && !self.broken {
            let mut free = FREE.lock().unwrap_or_else(PoisonError::into_inner);
            free.push(self);
            if free.len() > MAX_FREE_KEEPERS {
                // The one that has waited longest.
                let old = free.remove(0);
                drop(free);
                drop(old);
            }
        }
    }
}

/// The keeper ends its program when its socket is closed.
impl Drop for Keeper {
    fn drop(&mut self) {
        if self.busy {
            let _ = self.tree.ending();
        }
    }
}

/// The folder that a request asks the keeper for that has this pidfd and socket.
fn ask_folder(pidfd: Option<&OwnedFd>, socket: &OwnedFd, request: &[u8]) -> io::Result<OwnedFd> {
    send(socket.as_fd(), request, &[])?;
    let (_, folder) = spawner::reply_of(socket, || wake(pidfd))??;
    folder.ok_or(io::ErrorKind::BrokenPipe.into())
}

/// In a process forked from the judge by others: leaves the spawner, the keepers and their programs to the judge, and
/// creates its own when needed.
pub fn disown() {
    // Locks held by another thread of the judge at that moment stay locked here.
    if let Ok(mut free) = FREE.try_lock() {
        std::mem::take(&mut *free).into_iter().for_each(std::mem::forget);
    }
    spawner::disown();
    tree::disown();
}

/// Ends waiting keepers, and removes their control groups; to be called before the judge exits.
pub fn retire_all() {
    let keepers = std::mem::take(&mut *FREE.lock().unwrap_or_else(PoisonError::into_inner));
    let deadline = Instant::now() + SHUTDOWN_GRACE;
    let left: Vec<(Option<OwnedFd>, Vec<PathBuf>)> = keepers
        .into_iter()
        .map(|mut keeper| {
            (keeper.pidfd.take(), keeper.tree.cgroup.iter().flat_map(Cgroup::paths).map(Path::to_owned).collect())
        })
        .collect();
    for (pidfd, groups) in left {
        if let Some(pidfd) = pidfd {
            wait_until_gone(&pidfd, deadline.saturating_duration_since(Instant::now()));
        }
        for group in groups {
            cgroup::remove(&group);
        }
    }
    spawner::dismiss(deadline);
}

/// Resumes a keeper that a program has stopped.
fn wake(pidfd: Option<&OwnedFd>) {
    if let Some(pidfd) = pidfd {
        let _ = pidfd_send_signal(pidfd, Signal::CONT);
    }
}

fn wait_until_gone(pidfd: &OwnedFd, time: Duration) {
    let time = Timespec { tv_sec: time.as_secs() as i64, tv_nsec: i64::from(time.subsec_nanos()) };
    let _ = poll(&mut [PollFd::new(pidfd, PollFlags::IN)], Some(&time));
}
