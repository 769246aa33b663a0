//! A program that is run in a fresh process for every input: input, end of file, answer, exit.
//!
//! Starting a process is nearly all that such an answer costs, so everything else is kept small. The arguments and the
//! environment are laid out once; the pipes for output and errors serve all invocations, whose ends are seen by a pidfd
//! and not by the end of a stream; the input is in its pipe, and that pipe closed, before the program starts, so that it
//! never waits for us. All invocations are one entry in the process registry, whose reaper measures their memory: to
//! enter a control group takes longer than most programs run.

use std::ffi::{CString, OsStr, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::spawn::{PosixSpawnAttr, PosixSpawnFileActions, PosixSpawnFlags, posix_spawn};
use nix::sys::signal::{SigSet, Signal};
use rustix::event::{PollFd, PollFlags};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::asked::Asked;
use super::exit::ProcessExit;
use super::interrupt::interrupted;
use super::look::{HEARTBEAT, LastLook};
use super::path::find_program;
use super::pipes::{Flow, LineBuffer, READ_AT_END, READ_AT_ONCE, STDERR_PERIOD, StderrTail};
use super::poll::poll_for;
use super::program::{ProgramSpec, SpawnError};
use super::registry::{self, Supervised};
use super::times::{self, CpuClock, Moment, NORMAL_LATENCY};
use crate::protocol::LONGEST_ANSWER;

/// A program that keeps no state and is run in a fresh process for every input. Dropping it ends whatever it left behind.
pub struct Invocable {
    name: String,
    path: CString,
    words: Vec<CString>,
    /// `NAME=value` each; the last one is the seed.
    environment: Vec<CString>,
    attributes: PosixSpawnAttr,
    output: Pipe,
    errors: Pipe,
    tail: StderrTail,
    supervised: Arc<Supervised>,
}

/// One run of the program: its output, end and times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invocation {
    /// Everything that it wrote until it ended; when that is too long, the beginning.
    pub output: Vec<u8>,
    /// How it ended.
    pub end: End,
    /// What it cost, from its start to its end.
    pub moment: Moment,
}

/// How an invocation ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// By itself.
    Exit(ProcessExit),
    /// It was killed, having used up its time.
    Late,
    /// It was killed, having written more than [`LONGEST_ANSWER`] bytes; or it ended like that.
    Overlong,
    /// It was killed, having used more memory than it may.
    OutOfMemory,
    /// [`super::interrupt`] was called.
    Interrupted,
    /// The system refused to wait for it: a failure of the judge, in the system's words.
    Failed(String),
}

/// A program that closes its pipes is about to exit; for so long its end alone is waited for.
const QUICK: Duration = Duration::from_millis(5);

/// What a pipe takes in any case: a page.
const PAGE: usize = 4096;

impl Invocable {
    /// Makes a program ready to be run; `memory` limits each of its process trees, in bytes.
    ///
    /// # Errors
    /// [`SpawnError`] when there is no such program, or no pipe to be had.
    pub fn new(program: &ProgramSpec, memory: u64) -> Result<Self, SpawnError> {
        let name = program.words.first().cloned().unwrap_or_default();
        let refused = |source: io::Error| SpawnError::Refused { program: name.clone(), source };
        let path = find_program(&name).ok_or_else(|| SpawnError::NotFound { program: name.clone() })?;
        let text = |bytes: Vec<u8>| CString::new(bytes).map_err(|error| refused(error.into()));
        let supervised = registry::register(Some(memory));
        let ours = [(registry::TAG.to_owned(), OsString::from(supervised.tag()))];
        let given: Vec<&(String, OsString)> = program.environment.iter().chain(&ours).collect();
        let replaced = |key: &OsStr| key == SEED || given.iter().any(|(name, _)| key == name.as_str());
        let inherited = std::env::vars_os().filter(|(key, _)| !replaced(key));
        let all = inherited.chain(given.iter().map(|(name, value)| (name.into(), value.clone())));
        let environment = all.map(|(key, value)| text([key.as_bytes(), b"=", value.as_bytes()].concat()));
        Ok(Self {
            path: text(path.into_os_string().into_vec())?,
            words: program.words.iter().map(|word| text(word.clone().into_bytes())).collect::<Result<_, _>>()?,
            environment: environment.chain([text(Vec::new())]).collect::<Result<_, _>>()?,
            attributes: attributes().map_err(|error| refused(error.into()))?,
            output: Pipe::new().map_err(refused)?,
            errors: Pipe::new().map_err(refused)?,
            tail: StderrTail::default(),
            supervised,
            name,
        })
    }

    /// Runs it once: the input, then the end of file, with the seed in `AGON_SEED`. Afterwards nothing of it is left.
    ///
    /// # Errors
    /// [`SpawnError`] when the system refuses to run it.
    pub fn run(&mut self, input: &[u8], seed: u64, limit: Duration) -> Result<Invocation, SpawnError> {
        if interrupted() {
            return Ok(Invocation { output: Vec::new(), end: End::Interrupted, moment: Moment::default() });
        }
        let seed = CString::new(format!("{SEED}={seed}")).unwrap_or_default();
        if let Some(last) = self.environment.last_mut() {
            *last = seed;
        }
        // The clock runs from before the start. What the judge's thread waits for a processor in it is not the program's.
        let before = LastLook::now();
        let from = before.at();
        let (pid, mut feed) = self.start(input).map_err(|source| {
            let program = self.name.clone();
            if source.kind() == io::ErrorKind::NotFound {
                SpawnError::NotFound { program }
            } else {
                SpawnError::Refused { program, source }
            }
        })?;
        let look = LastLook::now();
        let written = look.at();
        let starting = (written - from).saturating_sub(before.lateness(written, written));
        let mut lines = LineBuffer::default();
        let (end, late) = self.wait(pid, &mut feed, &mut lines, written + limit, look);
        let asked = Asked { from, last: from + starting, written };
        let (wall, judge_delay) = asked.until(Instant::now(), late);
        let cpu = CpuClock::of(pid.as_raw_pid() as u32).now();
        let delay = if wall < NORMAL_LATENCY { Duration::ZERO } else { times::run_delay(pid.as_raw_pid() as u32) };
        let moment = Moment { wall, cpu, delay, judge_delay, opponent_cpu: Duration::ZERO }.whole_micros();
        let exit = self.supervised.reap();
        // This ends: no more is read than what shows that it is too long.
        while lines.rest().len() <= LONGEST_ANSWER && self.output.fill(|pipe| lines.fill(pipe)) == Flow::Data {}
        self.empty_pipes(lines.rest().len() > LONGEST_ANSWER)
            .map_err(|source| SpawnError::Refused { program: self.name.clone(), source })?;
        let mut output = lines.rest().to_vec();
        let end = match end {
            _ if interrupted() => End::Interrupted,
            Some(End::Failed(text)) => End::Failed(text),
            _ if self.supervised.take_over_memory() => End::OutOfMemory,
            Some(end) => end,
            None if moment.least() > limit => End::Late,
            None if output.len() > LONGEST_ANSWER => End::Overlong,
            None => End::Exit(exit.unwrap_or(ProcessExit::Code(0))),
        };
        output.truncate(LONGEST_ANSWER);
        Ok(Invocation { output, end, moment })
    }

    /// The tail of what all invocations wrote to their error streams.
    pub fn stderr(&self) -> String {
        self.tail.text()
    }

    /// The most memory that an invocation was seen to use, in bytes; 0 when none was ever looked at.
    pub fn peak_memory(&self) -> u64 {
        self.supervised.peak()
    }

    /// Starts it, and returns what of the input did not fit into the pipe.
    fn start<'a>(&mut self, input: &'a [u8]) -> io::Result<(Pid, Option<Feed<'a>>)> {
        let (theirs, ours) = pipe_with(PipeFlags::CLOEXEC)?;
        // Only an input that may not fit can make a write wait.
        if input.len() > PAGE {
            rustix::io::ioctl_fionbio(&ours, true)?;
        }
        let feed = Feed { pipe: File::from(ours), rest: input }.push()?;
        let mut actions = PosixSpawnFileActions::init()?;
        for (fd, at) in [(&theirs, 0), (&self.output.theirs, 1), (&self.errors.theirs, 2)] {
            actions.add_dup2(fd.as_raw_fd(), at)?;
        }
        let pid = self.supervised.start(|| {
            let pid = posix_spawn(self.path.as_c_str(), &actions, &self.attributes, &self.words, &self.environment)?;
            Ok(pid.as_raw() as u32)
        })?;
        let pid = Pid::from_raw(pid as i32).ok_or(io::ErrorKind::NotFound)?;
        Ok((pid, feed))
    }

    /// Waits for its end, which is `None` when it has ended by itself, and returns how long the judge may have been late
    /// in seeing it; `look` is when it was started.
    fn wait(
        &mut self,
        pid: Pid,
        feed: &mut Option<Feed<'_>>,
        lines: &mut LineBuffer,
        deadline: Instant,
        mut look: LastLook,
    ) -> (Option<End>, Duration) {
        let failed =
            |error: io::Error| (Some(End::Failed(format!("cannot wait for a program: {error}"))), Duration::ZERO);
        // It is our child and has not been reaped, so only a want of descriptors can refuse this; it is killed then.
        let pidfd = match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(pidfd) => pidfd,
            Err(error) => return failed(error.into()),
        };
        let mut patient = feed.is_some();
        let mut served: Option<Instant> = None;
        loop {
            let left = deadline.saturating_duration_since(look.at());
            let quiet = served.map_or(Duration::ZERO, |at| STDERR_PERIOD.saturating_sub(look.at() - at));
            let mut timeout = left.min(if patient { HEARTBEAT } else { QUICK });
            if !quiet.is_zero() {
                timeout = timeout.min(quiet);
            }
            let mut fds = Vec::with_capacity(4);
            fds.push(PollFd::new(&pidfd, PollFlags::IN));
            if patient {
                fds.push(PollFd::new(&self.output.ours, PollFlags::IN));
                fds.extend(feed.as_ref().map(|feed| PollFd::new(&feed.pipe, PollFlags::OUT)));
                fds.extend(quiet.is_zero().then(|| PollFd::new(&self.errors.ours, PollFlags::IN)));
            }
            if let Err(error) = poll_for(&mut fds, timeout) {
                return failed(error);
            }
            if !fds[0].revents().is_empty() {
                return (None, look.lateness(look.at() + timeout, Instant::now()));
            }
            drop(fds);
            look = LastLook::now();
            if interrupted() {
                return (Some(End::Interrupted), Duration::ZERO);
            }
            if patient {
                *feed = match feed.take().map_or(Ok(None), Feed::push) {
                    Ok(feed) => feed,
                    Err(error) => return failed(error),
                };
                self.output.fill(|pipe| lines.fill(pipe));
                if lines.rest().len() > LONGEST_ANSWER {
                    return (Some(End::Overlong), Duration::ZERO);
                }
                if quiet.is_zero() {
                    self.errors.fill(|pipe| self.tail.drain(pipe, READ_AT_ONCE));
                    served = Some(look.at());
                }
            }
            if left.is_zero() {
                return (Some(End::Late), Duration::ZERO);
            }
            patient = true;
        }
    }

    /// Empties the pipes for the next invocation. Nobody should write to them any more; where somebody does, the next
    /// one gets a new pipe.
    fn empty_pipes(&mut self, overlong: bool) -> io::Result<()> {
        if overlong && self.output.fill(|pipe| StderrTail::default().drain(pipe, READ_AT_END)) == Flow::Data {
            self.output = Pipe::new()?;
        }
        if self.errors.fill(|pipe| self.tail.drain(pipe, READ_AT_END)) == Flow::Data {
            self.errors = Pipe::new()?;
        }
        Ok(())
    }
}

impl Drop for Invocable {
    fn drop(&mut self) {
        Arc::clone(&self.supervised).release();
    }
}

/// The variable that holds the seed of an invocation.
const SEED: &str = "AGON_SEED";

/// A process group of its own, and signals as a fresh program expects them: we ignore SIGPIPE, and may block some.
fn attributes() -> nix::Result<PosixSpawnAttr> {
    let mut attributes = PosixSpawnAttr::init()?;
    let flags = PosixSpawnFlags::POSIX_SPAWN_SETPGROUP
        | PosixSpawnFlags::POSIX_SPAWN_SETSIGDEF
        | PosixSpawnFlags::POSIX_SPAWN_SETSIGMASK;
    attributes.set_flags(flags)?;
    attributes.set_pgroup(nix::unistd::Pid::from_raw(0))?;
    attributes.set_sigmask(&SigSet::empty())?;
    let mut default = SigSet::empty();
    default.add(Signal::SIGPIPE);
    attributes.set_sigdefault(&default)?;
    Ok(attributes)
}

/// Input that is still to be written.
struct Feed<'a> {
    pipe: File,
    rest: &'a [u8],
}

impl Feed<'_> {
    /// Writes what fits. `None` when all of it is written or nobody will read it; the pipe is then closed.
    fn push(mut self) -> io::Result<Option<Self>> {
        while !self.rest.is_empty() {
            match self.pipe.write(self.rest) {
                Ok(n) => self.rest = &self.rest[n..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(Some(self)),
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(None),
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }
}

/// A pipe from the invocations to us. We keep both ends, so it never closes.
struct Pipe {
    ours: File,
    theirs: OwnedFd,
}

impl Pipe {
    fn new() -> io::Result<Self> {
        let (ours, theirs) = pipe_with(PipeFlags::CLOEXEC)?;
        rustix::io::ioctl_fionbio(ours.as_fd(), true)?;
        Ok(Self { ours: File::from(ours), theirs })
    }

    fn fill(&mut self, read: impl FnOnce(&mut File) -> Flow) -> Flow {
        read(&mut self.ours)
    }
}
