//! The work of a keeper in its own process: it starts programs, and ends them with everything they have started.

use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::fs::FileExt;
use std::time::{Duration, Instant};

use nix::spawn::{PosixSpawnAttr, PosixSpawnFileActions, PosixSpawnFlags, posix_spawn};
use nix::sys::signal::{SigSet, Signal};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::exit::ProcessExit;
use super::failure::{JailError, Step};
use super::filter;
use super::jail::{Jail, Level};
use super::kernel;
use super::memory;
use super::message::{
    self, ALIVE, CHANGED, END, FOLDER, FRESH, MAX_PACKET_BYTES, PROGRAM, Program, SPACE, START, exit_number, receive,
    reply, reply_result,
};
use super::root::Root;
use super::space::Space;
use super::system::{self, Forked, Reaped};
use super::walls::Walls;

/// Time that a keeper tries to end a program before it reports that something is left. It keeps trying afterwards.
const KILL_TIMEOUT: Duration = Duration::from_secs(1);

/// Interval of checks whether a killed program has ended, unless the end of a child says so.
const DEATH_INTERVAL: Duration = Duration::from_millis(5);

/// Interval at which a keeper reaps dead descendants of its running program, which would fill the process table.
const REAP_INTERVAL: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// The same after it has found [`MANY`]: some programs leave thousands in that time, and every walk of the process tree
/// has to visit them all.
const BUSY_REAP_INTERVAL: Timespec = Timespec { tv_sec: 0, tv_nsec: 2_000_000 };

/// With this many dead in one round the next round follows soon.
const MANY: usize = 50;

/// Maximum number of processes reaped before the keeper checks for a request.
const MAX_REAPED_AT_ONCE: usize = 5000;

/// Determines which process the kernel ends when memory runs out.
pub(crate) const SCORE: &str = "/proc/self/oom_score_adj";

/// The score of a process that is never chosen, and of one that is chosen first.
pub(crate) const SPARED: &str = "-1000";
const CHOSEN: &str = "1000";

/// [`SCORE`], and its value for the keeper.
pub(crate) struct OomScore {
    file: File,
    own: String,
}

impl OomScore {
    pub(crate) fn open() -> Option<Self> {
        let own = fs::read_to_string(SCORE).ok()?;
        Some(Self { file: OpenOptions::new().write(true).open(SCORE).ok()?, own })
    }

    fn set(&self, score: &str) {
        let _ = self.file.write_at(score.as_bytes(), 0);
    }
}

/// Serves one program at a time.
pub(crate) struct Service {
    socket: OwnedFd,
    jail: Jail,
    root: Option<Root>,
    /// Walls for each program at [`Level::Landlock`]: behind the same walls it could reach the keeper.
    walls: Option<Walls>,
    /// The folder for temporary files of programs without a root of their own.
    space: Option<Space>,
    program: Program,
    /// The program's output and errors.
    streams: Vec<OwnedFd>,
    main: Option<u32>,
    exit: Option<ProcessExit>,
    score: Option<OomScore>,
    children: Option<File>,
}

impl Service {
    /// Creates a keeper's service. It is in the root already, if it has one of its own, and has the space, if it has
    /// none.
    ///
    /// At [`Level::Full`] it puts itself behind the walls, so that everything it starts is behind them automatically.
    ///
    /// # Errors
    /// [`JailError`] when the walls cannot be raised.
    pub(crate) fn new(
        socket: OwnedFd,
        jail: Jail,
        root: Option<Root>,
        space: Option<Space>,
        score: Option<OomScore>,
    ) -> io::Result<Self> {
        let own = std::process::id();
        // In a jail of its own it ends all processes at once, without seeing them.
        let children = root.is_none().then(|| File::open(format!("/proc/{own}/task/{own}/children")).ok()).flatten();
        let mut walls = None;
        if jail.level != Level::None {
            let made = Walls::new(&jail, space.as_ref().map(Space::path))?;
            filter::put_on(&filter::common(jail.level)?).step(|| "put its own filter on".to_owned())?;
            if jail.level == Level::Full {
                // Its programs run as the same user, and must not examine it.
                rustix::process::set_dumpable_behavior(rustix::process::DumpableBehavior::NotDumpable)
                    .step(|| "hide itself".to_owned())?;
                made.raise()?;
            } else {
                walls = Some(made);
            }
        }
        Ok(Self {
            socket,
            jail,
            root,
            walls,
            space,
            program: Program::default(),
            streams: Vec::new(),
            main: None,
            exit: None,
            score,
            children,
        })
    }

    /// Serves the judge until it is gone, then ends the remaining processes and exits.
    pub(crate) fn serve(mut self) -> ! {
        let mut space = vec![0; MAX_PACKET_BYTES];
        while self.wait()
            && let Some(request) = receive(self.socket.as_fd(), &mut space)
        {
            self.answer(request);
        }
        while !self.end(KILL_TIMEOUT) {}
        drop(self.space);
        system::exit(0)
    }

    /// Waits for a request, or the end of the judge. Meanwhile the dead are reaped, all but the program itself.
    fn wait(&mut self) -> bool {
        let mut pause = &REAP_INTERVAL;
        loop {
            let timeout = self.main.is_some().then_some(pause);
            let mut fds = [PollFd::new(&self.socket, PollFlags::IN)];
            match poll(&mut fds, timeout) {
                Ok(0) => pause = if self.reap_orphans() < MANY { &REAP_INTERVAL } else { &BUSY_REAP_INTERVAL },
                Ok(_) => return true,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return false,
            }
        }
    }

    /// Reaps the dead except the program itself, whose exit has yet to be reported. Returns how many it reaped.
    fn reap_orphans(&self) -> usize {
        let mut reaped = 0;
        while reaped < MAX_REAPED_AT_ONCE
            && let Some(pid) = system::dead_child()
        {
            if Some(pid) == self.main {
                // It comes before all others from now on, so they are looked up among the children. If all processes
                // belong to the program, they are about to end anyway.
                let others = if self.root.is_some() { Vec::new() } else { self.children() };
                let others = others.into_iter().filter(|&other| other != pid);
                return reaped + others.filter(|&pid| matches!(system::reap(pid as i32), Reaped::Child(..))).count();
            }
            let _ = system::reap(pid as i32);
            reaped += 1;
        }
        reaped
    }

    fn answer(&mut self, mut request: message::Request) {
        match request.kind() {
            Some(PROGRAM) => {
                if let Some(program) = Program::read(&mut request) {
                    self.program = program;
                    self.streams = request.descriptors;
                }
            }
            Some(START) => {
                let result = self.start(&mut request);
                reply_result(self.socket.as_fd(), result.map(|pidfd| (0, Some(pidfd))));
            }
            Some(FOLDER) => {
                let space = request.take(1) == Some(&[SPACE]);
                reply_result(self.socket.as_fd(), self.folder(space).map(|folder| (0, Some(folder))));
            }
            Some(END) => {
                let left = match self.end(KILL_TIMEOUT) {
                    false => ALIVE,
                    true if self.renew() => FRESH,
                    true => CHANGED,
                };
                reply(self.socket.as_fd(), [0, exit_number(self.exit.take()), left]);
            }
            _ => {}
        }
    }

    /// Returns true if the next program will find the same state as the last one.
    fn renew(&self) -> bool {
        self.root.as_ref().is_none_or(Root::renew) && self.space.as_ref().is_none_or(|space| space.empty().is_ok())
    }

    fn folder(&self, space: bool) -> io::Result<OwnedFd> {
        match (&self.root, &self.jail.folder) {
            (Some(root), _) if space => root.space().try_clone(),
            (Some(root), _) => root.folder(),
            (None, Some(folder)) if !space => Ok(File::open(folder)?.into()),
            _ => Err(io::Error::from_raw_os_error(libc::ENOENT)),
        }
    }

    /// Starts the program in a process group of its own, with the signals of a fresh program.
    fn start(&mut self, request: &mut message::Request) -> io::Result<OwnedFd> {
        let variable = request.text().map(<[u8]>::to_vec).unwrap_or_default();
        let again = request.take(1) == Some(&[1]);
        let ([output, errors], [input]) = (self.streams.as_slice(), request.descriptors.as_slice()) else {
            return Err(io::Error::from_raw_os_error(libc::EBADF));
        };
        let variable = CString::new(variable).unwrap_or_default();
        self.exit = None;
        let streams = [input.as_fd(), output.as_fd(), errors.as_fd()];
        let started = match &self.walls {
            Some(walls) => self.start_within(walls, streams, &variable),
            None => self.start_at_once(streams, &variable),
        };
        if !again {
            // While they are open here, the judge cannot see that the program has closed them.
            self.streams.clear();
        }
        let pid = started?;
        self.main = Some(pid as u32);
        let pid = Pid::from_raw(pid).ok_or(io::ErrorKind::NotFound)?;
        Ok(pidfd_open(pid, PidfdFlags::empty())?)
    }

    fn environment<'a>(&'a self, variable: &'a CString) -> impl Iterator<Item = &'a CString> {
        self.program.environment.iter().chain((!variable.is_empty()).then_some(variable))
    }

    /// Starts the program normally, without walls.
    fn start_at_once(&self, streams: [BorrowedFd<'_>; 3], variable: &CString) -> io::Result<i32> {
        let mut actions = PosixSpawnFileActions::init()?;
        for (fd, at) in streams.into_iter().zip(0..) {
            actions.add_dup2(fd.as_raw_fd(), at)?;
        }
        let environment: Vec<&CString> = self.environment(variable).collect();
        // If memory runs out, the kernel should end a program and not its keeper.
        self.set_score(CHOSEN);
        let pid =
            posix_spawn(self.program.path.as_c_str(), &actions, &attributes()?, &self.program.words, &environment);
        if let Some(score) = &self.score {
            score.set(&score.own);
        }
        Ok(pid?.as_raw())
    }

    /// Starts the program behind its own walls.
    fn start_within(&self, walls: &Walls, streams: [BorrowedFd<'_>; 3], variable: &CString) -> io::Result<i32> {
        // Over this it reports a failure; that it runs shows when this is closed.
        let (ready, report) = message::pair()?;
        self.set_score(CHOSEN);
        let forked = system::fork();
        if !matches!(forked, Ok(Forked::Child))
            && let Some(score) = &self.score
        {
            score.set(&score.own);
        }
        match forked? {
            Forked::Parent(pid) => {
                drop(report);
                match message::receive_reply(ready.as_fd()) {
                    Err(_) => Ok(pid as i32),
                    Ok(refused) => {
                        while system::reap(pid as i32) == Reaped::Running {
                            system::wait_for_child(Duration::from_millis(1));
                        }
                        Err(refused.err().unwrap_or_else(|| io::ErrorKind::Other.into()))
                    }
                }
            }
            Forked::Child => {
                let error = self.become_program(walls, streams, variable);
                reply_result(report.as_fd(), Err(error));
                system::exit(1)
            }
        }
    }

    /// In a child: becomes the program. Returns only why it cannot.
    fn become_program(&self, walls: &Walls, streams: [BorrowedFd<'_>; 3], variable: &CString) -> io::Error {
        let step = || -> Result<(), JailError> {
            rustix::process::setpgid(None, None).step(|| "give it a process group".to_owned())?;
            system::set_streams(streams).step(|| "connect it".to_owned())
        };
        if let Err(error) = step() {
            return error.into();
        }
        if let Err(error) = walls.raise() {
            return error.into();
        }
        let environment = self.environment(variable).map(CString::as_c_str);
        system::execute(&self.program.path, &self.program.words, environment)
    }

    fn set_score(&self, score: &str) {
        if let Some(file) = &self.score {
            file.set(score);
        }
    }

    /// Ends the program and all its descendants, and reaps them; returns true if nothing is left.
    ///
    /// A chain of processes in which each one starts the next and ends is caught by scanning again immediately while
    /// new ones appear. Processes that only their tracer can release stay until the timeout.
    fn end(&mut self, timeout: Duration) -> bool {
        if self.root.is_some() {
            return self.end_all(timeout);
        }
        if self.reap() {
            return true;
        }
        let mut deadline = Instant::now() + timeout;
        let (mut killed, mut new) = (Vec::new(), true);
        loop {
            if let Some(group) = self.main.and_then(|pid| Pid::from_raw(pid as i32)) {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            // Their descendants become our children when they are gone, so the quick rounds kill only children. A
            // process that does not die, because its tracer holds it in its exit, may have the tracer below it.
            let now = if new { self.children() } else { memory::descendants(std::process::id()) };
            kernel::signal_below(std::process::id(), &now, rustix::process::Signal::KILL);
            new = now.iter().any(|pid| !killed.contains(pid));
            killed = now;
            if self.reap() {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            if !new {
                deadline += overslept();
            }
        }
    }

    /// The same if all processes except this one belong to the program.
    fn end_all(&mut self, timeout: Duration) -> bool {
        let mut deadline = Instant::now() + timeout;
        system::kill_all_others();
        while !self.reap() {
            if Instant::now() >= deadline {
                return false;
            }
            deadline += overslept();
            // Between the two a process may have been born.
            system::kill_all_others();
        }
        true
    }

    /// Reaps every descendant that has ended; true when there is none any more.
    fn reap(&mut self) -> bool {
        loop {
            match system::reap_any() {
                Reaped::Child(pid, exit) if Some(pid) == self.main => {
                    self.exit = Some(exit);
                    self.main = None;
                }
                Reaped::Child(..) => {}
                Reaped::Running => return false,
                Reaped::None => {
                    self.main = None;
                    return true;
                }
            }
        }
    }

    fn children(&self) -> Vec<u32> {
        match &self.children {
            Some(file) => super::kernel::numbers(&super::kernel::read_from_start(file)),
            None => memory::children(std::process::id()),
        }
    }
}

/// Waits briefly for a child to end; returns how much longer than planned it took. Whatever delayed this process, such
/// as a suspended or overloaded machine, also delayed those that are about to die.
fn overslept() -> Duration {
    let begun = Instant::now();
    system::wait_for_child(DEATH_INTERVAL);
    begun.elapsed().saturating_sub(DEATH_INTERVAL)
}

fn attributes() -> nix::Result<PosixSpawnAttr> {
    let mut attributes = PosixSpawnAttr::init()?;
    attributes.set_flags(
        PosixSpawnFlags::POSIX_SPAWN_SETPGROUP
            | PosixSpawnFlags::POSIX_SPAWN_SETSIGDEF
            | PosixSpawnFlags::POSIX_SPAWN_SETSIGMASK,
    )?;
    attributes.set_pgroup(nix::unistd::Pid::from_raw(0))?;
    attributes.set_sigmask(&SigSet::empty())?;
    let ignored = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGQUIT, Signal::SIGPIPE, Signal::SIGTSTP];
    attributes.set_sigdefault(&ignored.into_iter().collect())?;
    Ok(attributes)
}
