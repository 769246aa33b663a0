//! What a keeper does in its own process: it starts programs, and ends them with all that they have started.

use std::ffi::CString;
use std::fs::{self, File, OpenOptions};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::spawn::{PosixSpawnAttr, PosixSpawnFileActions, PosixSpawnFlags, posix_spawn};
use nix::sys::signal::{SigSet, Signal};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::Pid;

use super::exit::ProcessExit;
use super::memory;
use super::message::{self, END, FREEZER, LONGEST, PROGRAM, Program, START, exit_numbers, receive, reply};
use super::system::{self, Processors, Reaped};

/// How long a keeper tries to end a program before it says that something is left. What is left it tries to end for ever.
const PATIENCE: Duration = Duration::from_secs(1);

/// How often a keeper whose program runs looks for the dead among its descendants, which would fill the table of processes.
const REAPING: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// By what the kernel chooses what to end where memory runs out.
const SCORE: &str = "/proc/self/oom_score_adj";

/// The score of a process that is never chosen, and of one that is chosen first.
const SPARED: &str = "-1000";
const CHOSEN: &str = "1000";

/// One program at a time, and what is needed to start it.
struct Service {
    socket: OwnedFd,
    program: Program,
    /// The program's output and errors.
    streams: Vec<OwnedFd>,
    main: Option<u32>,
    exit: Option<ProcessExit>,
    processors: Option<Processors>,
    /// [`SCORE`], and what it says of the keeper.
    score: Option<(File, String)>,
    children: Option<File>,
    freezer: Option<PathBuf>,
}

/// Serves the judge until it is gone, then ends what is left and leaves.
pub fn serve(socket: OwnedFd, group: Option<(PathBuf, PathBuf)>) -> ! {
    let own = std::process::id();
    // Where its group is full, the keeper must not be what the kernel ends. To ask for that needs a privilege.
    let spared = fs::write(SCORE, SPARED).map(|()| SPARED.to_owned()).or_else(|_| fs::read_to_string(SCORE)).ok();
    let score = OpenOptions::new().write(true).open(SCORE).ok().zip(spared);
    let mut service = Service {
        socket,
        program: Program::default(),
        streams: Vec::new(),
        main: None,
        exit: None,
        processors: None,
        score,
        children: File::open(format!("/proc/{own}/task/{own}/children")).ok(),
        freezer: None,
    };
    let mut space = vec![0; LONGEST];
    while service.wait()
        && let Some(request) = receive(service.socket.as_fd(), &mut space)
    {
        service.answer(request);
    }
    while !service.end(PATIENCE) {}
    if let Some(freezer) = &service.freezer {
        let _ = fs::remove_dir(freezer);
    }
    if let Some((group, home)) = group {
        let _ = fs::write(home, "0");
        let _ = fs::remove_dir(group);
    }
    system::exit(0)
}

impl Service {
    /// Waits for a request, or the end of the judge. Meanwhile the dead are reaped, all but the program itself.
    fn wait(&mut self) -> bool {
        loop {
            let timeout = if self.main.is_some() { Some(&REAPING) } else { None };
            let mut fds = [PollFd::new(&self.socket, PollFlags::IN)];
            match poll(&mut fds, timeout) {
                Ok(0) => {
                    for pid in self.children().into_iter().filter(|&pid| Some(pid) != self.main) {
                        let _ = system::reap(pid as i32);
                    }
                }
                Ok(_) => return true,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return false,
            }
        }
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
                let numbers = match result {
                    Ok(pid) => [0, pid, 0],
                    Err(error) => [error as i32, 0, 0],
                };
                reply(self.socket.as_fd(), numbers);
            }
            Some(FREEZER) => {
                self.freezer = request.text().map(|path| PathBuf::from(std::ffi::OsString::from_vec(path.to_vec())));
            }
            Some(END) => {
                let all = self.end(PATIENCE);
                let [kind, value] = exit_numbers(self.exit.take());
                reply(self.socket.as_fd(), [kind, value, i32::from(all)]);
            }
            _ => {}
        }
    }

    /// Starts the program, in a process group of its own and with signals as a fresh program expects them.
    fn start(&mut self, request: &mut message::Request) -> Result<i32, Errno> {
        let processors = request.take(size_of::<Processors>()).and_then(|bytes| Processors::try_from(bytes).ok());
        let variable = request.text().map(<[u8]>::to_vec).unwrap_or_default();
        let again = request.take(1) == Some(&[1]);
        let [output, errors] = self.streams.as_slice() else { return Err(Errno::EBADF) };
        let [input] = request.descriptors.as_slice() else { return Err(Errno::EBADF) };
        if let Some(processors) = processors.filter(|processors| self.processors.as_ref() != Some(processors)) {
            system::set_processors(&processors);
            self.processors = Some(processors);
        }
        let mut actions = PosixSpawnFileActions::init()?;
        for (fd, at) in [(input, 0), (output, 1), (errors, 2)] {
            actions.add_dup2(fd.as_raw_fd(), at)?;
        }
        let mut environment: Vec<&CString> = self.program.environment.iter().collect();
        let variable = CString::new(variable).unwrap_or_default();
        if !variable.is_empty() {
            environment.push(&variable);
        }
        self.exit = None;
        // Where memory runs out, the kernel is to end a program and not its keeper.
        self.set_score(CHOSEN);
        let pid =
            posix_spawn(self.program.path.as_c_str(), &actions, &attributes()?, &self.program.words, &environment);
        if let Some((_, own)) = &self.score {
            self.set_score(own);
        }
        if !again {
            // As long as they are open here, nobody sees that the program has closed them.
            self.streams.clear();
        }
        let pid = pid?.as_raw();
        self.main = Some(pid as u32);
        Ok(pid)
    }

    fn set_score(&self, score: &str) {
        if let Some((file, _)) = &self.score {
            let _ = file.write_at(score.as_bytes(), 0);
        }
    }

    /// Ends the program and all its descendants, and reaps them; true when nothing is left.
    ///
    /// A chain of processes each of which starts the next one and ends is caught by looking again at once as long as there is
    /// somebody new. What only its tracer can release stays when the time is over.
    fn end(&mut self, patience: Duration) -> bool {
        if self.reap() {
            return true;
        }
        let deadline = Instant::now() + patience;
        if let Some(freezer) = &self.freezer {
            thaw(freezer);
        }
        let (mut killed, mut new) = (Vec::new(), true);
        loop {
            if let Some(group) = self.main.and_then(|pid| Pid::from_raw(pid as i32)) {
                let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
            }
            // Who is below them comes to us when they are gone, so the quick rounds kill children alone. A process that does
            // not die, because its tracer holds it in its exit, may have the tracer below it.
            let now = if new { self.children() } else { memory::descendants(std::process::id()) };
            for pid in now.iter().filter_map(|&pid| Pid::from_raw(pid as i32)) {
                let _ = rustix::process::kill_process(pid, rustix::process::Signal::KILL);
            }
            new = now.iter().any(|pid| !killed.contains(pid));
            killed = now;
            if self.reap() {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            if !new {
                system::wait_for_child(Duration::from_millis(5));
            }
        }
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

/// Lets a frozen group go on: the frozen do not die before.
fn thaw(freezer: &std::path::Path) {
    let _ = fs::write(freezer.join("freezer.state"), "THAWED");
    let _ = fs::write(freezer.join("cgroup.freeze"), "0");
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
