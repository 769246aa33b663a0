//! A running program with its pipes.

use std::cell::OnceCell;
use std::ffi::{CString, OsString};
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_game::Evaluation;
use agon_jail::{Jail, JailError, Keeper, Level, MemoryUsers, ProcessExit, Program, Writes};
use rustix::event::{PollFd, PollFlags};
use rustix::fs::{Mode, fchmod};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::asked::Asked;
use super::environment;
use super::interrupt::interrupted;
use super::log;
use super::look::MAX_SLEEP;
use super::meter::{Delays, Meter, SAMPLE_PERIOD, Sample, parent_of};
use super::path::find_program;
use super::pipes::{Flow, LineBuffer, MAX_TIMED_BYTES, READ_AT_END, READ_AT_ONCE, STDERR_PERIOD, StderrTail};
use super::poll::poll_for;
use super::processors::ProcessorSet;
use super::remains::{self, Remains};
use super::state::{self, ProcessSnapshot};
use super::tap::StderrTap;
use super::times::{CpuClock, NORMAL_LATENCY};
use crate::builds::BuildLease;
use crate::evaluation;
use crate::paths;
use crate::sight::Sight;

/// Why a game cannot continue after a program lost its keeper.
pub const LOST: &str = "the process of the judge that keeps a program was killed";

/// Time within which most programs exit after FINISH.
const QUICK_EXIT: Duration = Duration::from_millis(5);

/// How long a program whose time is up may take to show where it is: the names of its calls must be looked up.
pub(crate) const STOP_TIME: Duration = Duration::from_secs(20);

/// How long the signal that stops a program may take before its input ends.
const SIGNAL_TIME: Duration = Duration::from_millis(500);

/// Time that helpers have to end after their program, as Python's resource tracker and Erlang's port program do when a
/// pipe closes. Time that they wait for a processor does not count.
const HELPER_GRACE: Duration = Duration::from_millis(250);

/// The same, including the wait for processors.
const MAX_HELPER_GRACE: Duration = Duration::from_secs(5);

/// Poll interval for new helpers while one runs, and while none is seen.
const HELPER_INTERVAL: Duration = Duration::from_millis(20);
const LOOK_INTERVAL: Duration = Duration::from_millis(1);

/// Who may reopen a pipe of a program: whoever sees the program's files in /proc, in the direction of the pipe.
const READ_BY_ALL: Mode = Mode::RUSR.union(Mode::RGRP).union(Mode::ROTH);
const WRITTEN_BY_ALL: Mode = Mode::WUSR.union(Mode::WGRP).union(Mode::WOTH);

/// Number of looks in a row that must find no process. The kernel may leave some out while others end.
///
/// Source: proc(5), `/proc/pid/task/tid/children`.
const QUIET_LOOKS: u32 = 3;

/// How often in a row an empty error stream is searched for evaluations before it is searched less often.
const MAX_SILENT_LOOKS: u32 = 16;

/// How much of a program's error stream is searched for its evaluation, from the end.
const EVALUATION_BYTES: usize = 16 << 10;

/// What to run: a program and its arguments, without a shell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgramSpec {
    /// The program, looked up in PATH when it names no folder, and its arguments.
    pub words: Vec<String>,
    /// Its own variables. Otherwise it finds PATH, a HOME of its own, LANG and the roots of version managers, and
    /// nothing from the judge's environment; [`inherited_environment`](super::inherited_environment) is for our own
    /// programs.
    pub environment: Vec<(String, OsString)>,
    /// What it may see and use.
    pub jail: Jail,
    /// Keeps a compiled program in the cache.
    pub build: Option<Arc<BuildLease>>,
    /// The file or folder that the user named and that it was compiled from.
    pub source: Option<PathBuf>,
}

impl ProgramSpec {
    /// A program with these words and no jail: one of the user's own.
    pub fn unjailed(words: Vec<String>) -> Self {
        Self { words, environment: Vec::new(), jail: Jail::default(), build: None, source: None }
    }

    /// What it sees.
    pub fn sight(&self) -> Sight {
        Sight::new(&self.jail, self.source.as_deref(), &self.words)
    }

    /// A keeper for it; `memory` limits its whole tree, in bytes.
    pub(super) fn keeper(&self, memory: Option<u64>) -> Result<Keeper, SpawnError> {
        Keeper::take(memory, &self.jail).map_err(|source| match self.jail.level {
            Level::None => self.refused(source),
            level => SpawnError::Jail { level, source },
        })
    }

    /// The program as this keeper starts it: found in PATH, with a clean environment and its own variables.
    pub(super) fn launch(&self, keeper: &Keeper) -> Result<Program, SpawnError> {
        let name = self.name();
        let text = |bytes: Vec<u8>| CString::new(bytes).map_err(|error| self.refused(error.into()));
        // If it is not found, the system refuses it.
        let path = find_program(&name).unwrap_or_else(|| name.into());
        // It starts in a folder of its own.
        let path = paths::whole(&path);
        let common = environment::clean(&self.words, keeper.space()).into_iter();
        let common = common.filter(|(key, _)| self.environment.iter().all(|(name, _)| key != name));
        let variables = common
            .chain(self.environment.iter().cloned())
            .map(|(key, value)| text([key.as_bytes(), b"=", value.as_bytes()].concat()));
        Ok(Program {
            path: text(path.into_os_string().into_vec())?,
            words: self.words.iter().map(|word| text(word.clone().into_bytes())).collect::<Result<_, _>>()?,
            environment: variables.collect::<Result<_, _>>()?,
        })
    }

    /// Why it cannot be started.
    pub(super) fn refused(&self, source: io::Error) -> SpawnError {
        let (program, level) = (self.name(), self.jail.level);
        match source.kind() {
            _ if JailError::downcast(&source).is_some() => SpawnError::Jail { level, source },
            io::ErrorKind::NotFound => SpawnError::NotFound { program },
            _ => SpawnError::Refused { program, source },
        }
    }

    fn name(&self) -> String {
        self.words.first().cloned().unwrap_or_default()
    }
}

/// A program that could not be started.
#[derive(Debug, thiserror::Error)]
pub enum SpawnError {
    #[error("there is no program `{program}`")]
    NotFound { program: String },
    #[error("cannot run `{program}`: {source}")]
    Refused { program: String, source: io::Error },
    #[error("cannot run a program at jail level {level}: {source}; see `agon doctor`")]
    Jail { level: Level, source: io::Error },
}

/// The system's errors for a file that is not a program or may not be run, and for words that are too long.
const NO_PROGRAM: [Errno; 12] = [
    Errno::ACCESS,
    Errno::ISDIR,
    Errno::LIBBAD,
    Errno::LOOP,
    Errno::MSGSIZE,
    Errno::NAMETOOLONG,
    Errno::NOENT,
    Errno::NOEXEC,
    Errno::NOTDIR,
    Errno::PERM,
    Errno::TOOBIG,
    Errno::TXTBSY,
];

impl SpawnError {
    /// Whether the program is not at fault: its jail could not be built, or the system had no descriptor, process or
    /// memory left.
    pub fn is_fault_of_judge(&self) -> bool {
        match self {
            Self::NotFound { .. } => false,
            Self::Refused { source, .. } => {
                // A word with a zero byte has no error number.
                source.kind() != io::ErrorKind::InvalidInput
                    && !NO_PROGRAM.iter().any(|error| source.raw_os_error() == Some(error.raw_os_error()))
            }
            Self::Jail { .. } => true,
        }
    }
}

/// A running program with its three pipes. Dropping it kills it and everything below it.
#[derive(Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Process {
    pid: u32,
    /// Kept: finding it would cost a system call for every answer.
    cpu: CpuClock,
    cpu_seen: Duration,
    /// The same for what it has started, which is checked only after a slow answer.
    started_cpu_seen: Duration,
    pidfd: Arc<OwnedFd>,
    stdin: Option<File>,
    pub(super) stdout: Option<File>,
    pub(super) stderr: Option<File>,
    pub(super) lines: LineBuffer,
    tail: StderrTail,
    /// The length of its error stream when it was last searched for an evaluation, and how often that found nothing.
    evaluated: u64,
    silent_looks: u32,
    /// The keeper that started it and ends it; returned by [`Process::end`].
    keeper: Option<Keeper>,
    exit: Option<ProcessExit>,
    /// It has taken longer over an answer than an instant bot does.
    pub(super) thinks: bool,
    /// Measures the pending answer, once it is known to be slow.
    meter: Option<Meter>,
    /// The run-queue delay of its threads when they were last looked at.
    delay_seen: Duration,
    /// The process that has started it, once known.
    keeper_pid: OnceCell<Option<u32>>,
    /// It has been seen to take processors from its opponent.
    crowds: bool,
    /// When it was last observed during its opponent's turn, and the CPU time it had used by then.
    crowded: Option<(Instant, Duration)>,
    peak: u64,
    over_memory: bool,
    /// Its keeper was killed.
    lost: bool,
    sight: Sight,
    /// Its folder on the machine, if its writes there are examined.
    inspected: Option<PathBuf>,
    /// The names of the processes that it left running when it ended.
    orphans: Vec<String>,
}

impl Process {
    /// Starts a program; `memory` limits its whole tree, in bytes.
    ///
    /// # Errors
    /// [`SpawnError`] when there is no such program or it may not be run.
    pub fn start(program: &ProgramSpec, memory: Option<u64>) -> Result<Self, SpawnError> {
        let refused = |source: io::Error| program.refused(source);
        let (theirs_in, stdin) = pipe_with(PipeFlags::CLOEXEC).map_err(io::Error::from).map_err(refused)?;
        let (stdout, theirs_out) = pipe_with(PipeFlags::CLOEXEC).map_err(io::Error::from).map_err(refused)?;
        let (stderr, theirs_err) = pipe_with(PipeFlags::CLOEXEC).map_err(io::Error::from).map_err(refused)?;
        // Otherwise /dev/stdin and the like, which reopen a pipe, would check the permissions of its creator's user.
        for (theirs, mode) in [(&theirs_in, READ_BY_ALL), (&theirs_out, WRITTEN_BY_ALL), (&theirs_err, WRITTEN_BY_ALL)]
        {
            fchmod(theirs, mode).map_err(|error| refused(error.into()))?;
        }
        for ours in [&stdin, &stdout, &stderr] {
            rustix::io::ioctl_fionbio(ours, true).map_err(|error| refused(error.into()))?;
        }
        let mut keeper = program.keeper(memory)?;
        let launch = program.launch(&keeper)?;
        let started = keeper
            .load(&launch, theirs_out.as_fd(), theirs_err.as_fd())
            .and_then(|()| keeper.start(theirs_in.as_fd(), "", false));
        let (pid, pidfd) = match started {
            Ok(started) => started,
            Err(error) => {
                keeper.end();
                keeper.give_back();
                return Err(refused(error));
            }
        };
        let mut tail = StderrTail::default();
        if log::is_kept() {
            tail.keep_times();
        }
        Ok(Self {
            pid,
            cpu: CpuClock::new(pid),
            cpu_seen: Duration::ZERO,
            started_cpu_seen: Duration::ZERO,
            pidfd,
            stdin: Some(File::from(stdin)),
            stdout: Some(File::from(stdout)),
            stderr: Some(File::from(stderr)),
            lines: LineBuffer::default(),
            tail,
            evaluated: 0,
            silent_looks: 0,
            keeper: Some(keeper),
            exit: None,
            thinks: false,
            meter: None,
            delay_seen: Duration::ZERO,
            keeper_pid: OnceCell::new(),
            crowds: false,
            crowded: None,
            peak: 0,
            over_memory: false,
            lost: false,
            sight: program.sight(),
            inspected: program
                .jail
                .folder
                .clone()
                .filter(|_| program.jail.level == Level::Full && program.jail.writes == Writes::Kept),
            orphans: Vec::new(),
        })
    }

    /// What it is doing now, for the author of a program whose time is up.
    pub fn snapshot(&self) -> ProcessSnapshot {
        let input = self.stdin.as_ref();
        let inode = input.and_then(|pipe| Some(rustix::fs::fstat(pipe).ok()?.st_ino));
        ProcessSnapshot {
            state: state::of(self.pid, &self.processes(), inode),
            unread: input.and_then(|pipe| rustix::io::ioctl_fionread(pipe).ok()),
        }
    }

    pub const fn pid(&self) -> u32 {
        self.pid
    }

    /// Writes to its standard input, waiting no longer than `timeout` for room in the pipe, and returns when.
    ///
    /// # Errors
    /// `BrokenPipe` when it has closed its input or ended; `TimedOut` when it does not read; any other error is a
    /// failure of the system.
    pub fn write(&mut self, mut bytes: &[u8], timeout: Duration) -> io::Result<Asked> {
        let from = Instant::now();
        let mut last = from;
        while !bytes.is_empty() {
            let Some(stdin) = &mut self.stdin else { return Err(io::ErrorKind::BrokenPipe.into()) };
            match stdin.write(bytes) {
                Ok(n) => bytes = &bytes[n..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if interrupted() {
                        return Err(io::ErrorKind::BrokenPipe.into());
                    }
                    self.await_reading(from, from + timeout)?;
                    last = Instant::now();
                }
                Err(error) => return Err(error),
            }
        }
        Ok(Asked { from, last, written: Instant::now() })
    }

    /// Waits for a while until it reads what it has been sent since `from`. As with an answer, time that the machine
    /// takes from it extends the deadline.
    fn await_reading(&mut self, from: Instant, deadline: Instant) -> io::Result<()> {
        let now = Instant::now();
        let wake = if now - from < NORMAL_LATENCY {
            deadline.min(from + NORMAL_LATENCY)
        } else {
            self.note_slow(now - from);
            self.observe(now);
            if now < deadline { deadline } else { self.extension(now, deadline).ok_or(io::ErrorKind::TimedOut)? }
        };
        let Some(stdin) = &self.stdin else { return Err(io::ErrorKind::BrokenPipe.into()) };
        poll_for(&mut [PollFd::new(stdin, PollFlags::OUT)], wake.saturating_duration_since(now).min(MAX_SLEEP))?;
        Ok(())
    }

    /// From now on its lines may have this many bytes.
    pub const fn allow_lines_of(&mut self, bytes: usize) {
        self.lines.set_limit(bytes);
    }

    /// The next line among those already read.
    pub fn next_line(&mut self) -> Option<Vec<u8>> {
        self.lines.take()
    }

    /// What it writes to its output within this time after its input has ended. Its error stream in that time is not
    /// kept: that is about the end of the input, not about what came before.
    pub fn last_output(&mut self, time: Duration) -> &[u8] {
        self.drain_stderr_of(READ_AT_END);
        let errors = self.stderr.take();
        let _ = self.wait(Instant::now() + time);
        drop(errors);
        self.pending_output()
    }

    /// Output that the judge has not requested, after one look into the pipe.
    pub fn pending_output(&mut self) -> &[u8] {
        if let Some(stdout) = &mut self.stdout
            && self.lines.fill(stdout) == Flow::Closed
        {
            self.stdout = None;
        }
        self.lines.rest()
    }

    /// CPU time of all threads of the process since the last call. After a slow answer it includes that of running
    /// descendants since they were last checked. Zero once the process is gone.
    pub fn take_cpu(&mut self) -> Duration {
        let own = self.cpu.now();
        let mut used = own.saturating_sub(std::mem::replace(&mut self.cpu_seen, own));
        if self.meter.is_some() {
            let started = self.started_cpu();
            used += started.saturating_sub(std::mem::replace(&mut self.started_cpu_seen, started));
        }
        used
    }

    /// CPU time that it and its descendants have used since they were last checked; this does not check them.
    pub fn cpu_since(&self) -> Duration {
        self.cpu.now().saturating_sub(self.cpu_seen) + self.started_cpu().saturating_sub(self.started_cpu_seen)
    }

    /// CPU time of its running descendants. Finding it takes longer than an instant bot's whole answer.
    fn started_cpu(&self) -> Duration {
        let started = self.processes().into_iter().filter(|&pid| pid != self.pid);
        started.map(|pid| CpuClock::new(pid).now()).sum()
    }

    /// How long the answer that was seen at this moment was delayed; zero for an answer within the first millisecond.
    pub fn take_delays(&mut self, seen: Instant) -> Delays {
        if self.meter.is_none() {
            return Delays::default();
        }
        let now = Instant::now();
        self.sample(now);
        self.meter.take().map_or(Delays::default(), |meter| meter.delays_until(seen, now))
    }

    /// Its pending answer, asked for this long ago, is slow: the machine may be to blame. How much of the delay since
    /// the last look came before the question is unknown; at most the answer's own time came after it.
    pub(crate) fn note_slow(&mut self, asked_ago: Duration) {
        if self.meter.is_some() {
            return;
        }
        let base = Instant::now();
        let first = self.look_at(Duration::ZERO, None);
        let waited = first.waited();
        let early = waited.saturating_sub(self.delay_seen).min(asked_ago);
        self.delay_seen = waited;
        let asked = base.checked_sub(asked_ago).unwrap_or(base);
        self.meter = Some(Meter::new(asked, base, first, early));
    }

    /// Looks at its threads, only done of a process that is slow.
    fn sample(&mut self, now: Instant) {
        let Some(mut meter) = self.meter.take() else { return };
        let sample = self.look_at(now.saturating_duration_since(meter.base()), Some(meter.last()));
        // For one that has ended, the last look counts.
        if !sample.processes.is_empty() && !meter.is_closed() {
            self.delay_seen = sample.waited();
            meter.add(sample);
        }
        self.meter = Some(meter);
    }

    fn look_at(&mut self, at: Duration, before: Option<&Sample>) -> Sample {
        let keeper = *self.keeper_pid.get_or_init(|| parent_of(self.pid));
        Sample::take(at, &self.processes(), keeper, before)
    }

    /// Called now and then while it is waited for.
    pub(super) fn observe(&mut self, now: Instant) {
        let due = |meter: &Meter| now.saturating_duration_since(meter.base()) >= meter.last().at + SAMPLE_PERIOD;
        if self.meter.as_ref().is_some_and(due) {
            self.sample(now);
        }
    }

    /// How long it has waited for processors since it was asked, as last observed.
    pub(super) fn kept_waiting(&self) -> Duration {
        self.meter.as_ref().map_or(Duration::ZERO, |meter| meter.delays().all)
    }

    /// Until when it is waited for although its deadline has passed, since the machine took a part of its time; `None`
    /// if its time is up.
    pub(super) fn extension(&mut self, now: Instant, deadline: Instant) -> Option<Instant> {
        self.sample(now);
        self.meter.as_mut()?.extension(now, deadline)
    }

    /// Called now and then while its opponent is on turn and waits for processors: if it uses them meanwhile, all its
    /// threads go behind every other program, from then on whenever it is not on turn. On a processor of its own it
    /// loses nothing.
    pub(super) fn make_way(&mut self, now: Instant) {
        let Some(keeper) = &self.keeper else { return };
        let soon = self.crowded.is_some_and(|(at, _)| now.saturating_duration_since(at) < MAX_SLEEP / 2);
        if keeper.is_in_background() || soon || keeper.level() == Level::None {
            return;
        }
        let used = self.cpu.now() + self.started_cpu();
        let (at, before) = self.crowded.replace((now, used)).unwrap_or((now, used));
        // A program that only waits uses next to nothing.
        if used.saturating_sub(before) * 4 > now.saturating_duration_since(at) {
            self.crowds = true;
            self.set_background(true);
        }
    }

    /// If it is on turn, it runs like any program; if its opponent is, it stays behind if it has been in the way
    /// before.
    pub fn take_turn(&mut self, on_turn: bool) {
        self.crowded = None;
        self.set_background(self.crowds && !on_turn);
    }

    fn set_background(&mut self, background: bool) {
        if let Some(keeper) = &mut self.keeper {
            keeper.set_background(background);
        }
    }

    /// It and all of its descendants.
    fn processes(&self) -> Vec<u32> {
        self.keeper.as_ref().map_or(Vec::new(), Keeper::processes)
    }

    /// Binds it, and its descendants, to processors.
    pub fn bind(&self, processors: &ProcessorSet) {
        for pid in self.processes() {
            processors.bind_process(pid);
        }
    }

    /// Freezes or resumes it and all its descendants.
    pub fn freeze(&mut self, frozen: bool) {
        if let Some(keeper) = &mut self.keeper {
            keeper.freeze(frozen);
        }
    }

    /// Whether its process tree has exceeded its memory limit.
    pub fn over_memory(&self) -> bool {
        self.over_memory || self.keeper.as_ref().is_some_and(Keeper::over_memory)
    }

    /// Whether its keeper was killed, so that nothing that followed can be held against it.
    pub fn is_lost(&self) -> bool {
        self.lost || self.keeper.as_ref().is_some_and(Keeper::is_lost)
    }

    /// The most memory that its tree was seen to use, in bytes, known after [`Process::end`]; 0 when it ended too soon.
    pub const fn peak_memory(&self) -> u64 {
        self.peak
    }

    /// The most memory that its process tree was seen to use so far, and its limit, in bytes; and which processes used
    /// it when it was near the limit.
    pub fn memory(&self) -> (u64, Option<u64>, Option<MemoryUsers>) {
        let keeper = self.keeper.as_ref();
        let of = |keeper: &Keeper| (keeper.peak_memory(), keeper.limit(), keeper.memory_users());
        keeper.map_or((self.peak, None, None), of)
    }

    /// The end of the error stream of a program that has ended, nothing left out.
    pub fn last_words(&mut self) -> String {
        self.drain_stderr_of(READ_AT_END);
        self.stderr()
    }

    /// The tail of its error stream so far.
    pub fn stderr(&self) -> String {
        self.tail.text()
    }

    /// The lines of its error stream since the last call with their times, if a log is kept.
    pub fn take_timed_lines(&mut self) -> Vec<(Instant, String)> {
        self.tail.take_timed_lines()
    }

    /// How many bytes of its error stream have been read so far.
    pub const fn stderr_length(&self) -> u64 {
        self.tail.length()
    }

    /// The last `most` bytes of its error stream after this length.
    pub fn stderr_since(&mut self, length: u64, most: usize) -> String {
        self.drain_stderr();
        self.tail.since(length, most)
    }

    /// Sends its error stream to this tap from now on.
    pub fn tap_stderr(&mut self, tap: StderrTap) {
        self.tail.tap_by(tap);
    }

    /// Its error stream since the last call: the last evaluation that it reported there, and the end of the rest, at
    /// most `most` bytes and a mark.
    pub fn take_messages(&mut self, most: usize) -> (Option<Evaluation>, Option<String>) {
        if self.tail.length() == 0 && !self.tail.is_followed() {
            // Looking costs part of an instant bot's round trip, and most such bots write nothing.
            self.silent_looks += 1;
            if self.silent_looks > MAX_SILENT_LOOKS && !self.silent_looks.is_multiple_of(MAX_SILENT_LOOKS) {
                return (None, None);
            }
        }
        self.drain_stderr();
        let before = std::mem::replace(&mut self.evaluated, self.tail.length());
        if before == self.evaluated {
            return (None, None);
        }
        let written = self.tail.since(before, EVALUATION_BYTES);
        let evaluation = evaluation::last_in(&written);
        (evaluation, evaluation::messages(written, most))
    }

    /// How it ended, if it has. Its descendants are ended then.
    pub fn exit(&mut self) -> Option<ProcessExit> {
        if self.exit.is_none()
            && let Some(keeper) = &mut self.keeper
        {
            let mut fds = [PollFd::from_borrowed_fd(self.pidfd.as_fd(), PollFlags::IN)];
            if poll_for(&mut fds, Duration::ZERO).is_ok() && !fds[0].revents().is_empty() {
                self.orphans = left_running(keeper, self.pid, self.sight.program());
                self.exit = keeper.end().or(Some(ProcessExit::UNKNOWN));
            }
        }
        self.exit
    }

    /// Waits until it has ended by itself or `deadline` has passed, and beyond that for as long as the machine kept it
    /// from its processors; meanwhile its pipes are drained. A look after the deadline decides, since the judge itself
    /// may be late.
    ///
    /// # Errors
    /// The system's error when it refuses to wait.
    pub fn wait(&mut self, deadline: Instant) -> io::Result<Option<ProcessExit>> {
        // Ends its input: a program that only waits for more can see that there is none.
        self.stdin = None;
        // While it ends, it may use a processor like any other.
        self.take_turn(true);
        let asked = Instant::now();
        if !self.ends_at_once(deadline)? {
            self.note_slow(asked.elapsed());
        }
        let mut served: Option<Instant> = None;
        loop {
            let now = Instant::now();
            if let Some(exit) = self.exit() {
                self.drain(READ_AT_END);
                return Ok(Some(exit));
            }
            if interrupted() {
                return Ok(None);
            }
            self.observe(now);
            let mut left = deadline.saturating_duration_since(now);
            if left.is_zero() {
                let Some(until) = self.extension(now, deadline) else { return Ok(None) };
                left = until.saturating_duration_since(now);
            }
            let mut fds = vec![PollFd::new(&self.pidfd, PollFlags::IN)];
            let rest = served.map_or(Duration::ZERO, |at| STDERR_PERIOD.saturating_sub(now - at));
            if rest.is_zero() {
                let pipes = [&self.stdout, &self.stderr].into_iter().flatten();
                fds.extend(pipes.map(|pipe| PollFd::new(pipe, PollFlags::IN)));
                poll_for(&mut fds, left.min(MAX_SLEEP))?;
                served = Some(Instant::now());
            } else {
                poll_for(&mut fds, left.min(rest))?;
            }
            drop(fds);
            self.drain(READ_AT_ONCE);
        }
    }

    /// Whether it ends before `deadline` and as quickly as most programs do after FINISH. An exiting program closes its
    /// pipes first; waking up for that would only be in its way.
    ///
    /// # Errors
    /// As [`Self::wait`].
    pub fn ends_at_once(&self, deadline: Instant) -> io::Result<bool> {
        let mut fds = [PollFd::new(&self.pidfd, PollFlags::IN)];
        poll_for(&mut fds, deadline.saturating_duration_since(Instant::now()).min(QUICK_EXIT))?;
        Ok(!fds[0].revents().is_empty())
    }

    /// Sends it a signal that makes its runtime show where it is, and waits for its end until `deadline`.
    ///
    /// # Errors
    /// As [`Self::wait`].
    pub fn stop_by(&mut self, signal: Signal, deadline: Instant) -> io::Result<()> {
        pidfd_send_signal(&self.pidfd, signal)?;
        // Waiting for its end closes its input, which might make it go on elsewhere before the signal arrives.
        let mut fds = [PollFd::new(&self.pidfd, PollFlags::IN)];
        poll_for(&mut fds, SIGNAL_TIME.min(deadline.saturating_duration_since(Instant::now())))?;
        self.wait(deadline)?;
        Ok(())
    }

    /// From now on the whole of its error stream is kept, up to 16 MiB.
    pub fn keep_stderr(&mut self) {
        self.tail.keep_times();
    }

    /// Its error stream: from the beginning if all of it is kept, else the tail.
    pub fn kept_stderr(&mut self) -> String {
        let lines = self.tail.take_timed_lines();
        if lines.is_empty() || self.tail.length() > MAX_TIMED_BYTES as u64 {
            return self.tail.text();
        }
        lines.into_iter().flat_map(|(_, line)| [line, "\n".to_owned()]).collect()
    }

    /// Kills it and everything below it, and waits until all of it is gone. Its last output is kept.
    pub fn end(&mut self) {
        let Some(mut keeper) = self.keeper.take() else { return };
        self.stdin = None;
        self.lost = keeper.is_lost();
        if self.exit.is_none() {
            self.exit = keeper.end();
        }
        self.over_memory |= keeper.over_memory();
        self.peak = keeper.peak_memory();
        keeper.give_back();
        self.drain(READ_AT_END);
        self.stdout = None;
        self.stderr = None;
    }

    /// The folder that it started in as it left it, once it has ended by itself and before [`Process::end`]; for jails
    /// with [`Writes::Kept`](agon_jail::Writes::Kept).
    ///
    /// # Errors
    /// As [`Keeper::folder`].
    pub fn folder(&mut self) -> io::Result<OwnedFd> {
        self.keeper.as_mut().ok_or(io::ErrorKind::BrokenPipe)?.folder()
    }

    /// What it sees.
    pub const fn sight(&self) -> &Sight {
        &self.sight
    }

    /// What it has left behind, after it has ended by itself and before [`Process::end`]: processes by their names, and
    /// the new or changed files in its folder, if its jail keeps them.
    pub fn remains(&mut self) -> Remains {
        let files = match &self.inspected {
            Some(folder) => {
                let before = folder.clone();
                self.folder().and_then(|folder| remains::changed(&folder, &before)).unwrap_or_default()
            }
            None => Vec::new(),
        };
        Remains { processes: self.orphans.clone(), files }
    }

    pub(super) fn pidfd(&self) -> BorrowedFd<'_> {
        self.pidfd.as_fd()
    }

    /// Reads what the error stream has now, but not endlessly.
    pub(super) fn drain_stderr(&mut self) {
        self.drain_stderr_of(READ_AT_ONCE);
    }

    fn drain_stderr_of(&mut self, most: usize) {
        if let Some(stderr) = &self.stderr
            && matches!(self.tail.drain(stderr, most), Flow::Closed | Flow::Failed(_))
        {
            self.stderr = None;
        }
    }

    /// Reads what both streams have: at most `most` of the error stream, and of the output enough to prove it too long.
    fn drain(&mut self, most: usize) {
        self.drain_stderr_of(most);
        if let Some(stdout) = &mut self.stdout {
            let mut spill = LineBuffer::default();
            let lines =
                if self.lines.rest().len() > crate::protocol::MAX_ANSWER_BYTES { &mut spill } else { &mut self.lines };
            if matches!(lines.fill(stdout), Flow::Closed | Flow::Failed(_)) {
                self.stdout = None;
            }
        }
    }
}

/// Returns the names of processes that still run when the time for helpers of an ended program is over.
fn left_running(keeper: &Keeper, main: u32, program: &str) -> Vec<String> {
    let begun = Instant::now();
    let mut meter: Option<Meter> = None;
    let mut seen: Vec<u32> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let named = |names: Vec<String>| if names.is_empty() { vec![program.to_owned()] } else { names };
    let mut quiet = 0;
    // How much longer than requested the judge slept: the machine kept its helpers waiting, too.
    let mut overslept = Duration::ZERO;
    loop {
        let others: Vec<u32> = keeper.processes().into_iter().filter(|&pid| pid != main).collect();
        let living: Vec<(u32, String)> =
            others.iter().filter_map(|&pid| Some((pid, state::name_of_living(pid)?))).collect();
        // Processes that replace each other end before they can be looked at, but then there are new ones.
        let is_quiet = living.is_empty() && others.iter().all(|pid| seen.contains(pid));
        quiet = if is_quiet { quiet + 1 } else { 0 };
        if quiet == QUIET_LOOKS {
            // Processes killed because there were too many of them did not end in time.
            return if keeper.is_crowded() { named(names) } else { Vec::new() };
        }
        if !living.is_empty() {
            names = living.iter().map(|(_, name)| name.clone()).collect();
        }
        if others.is_empty() {
            continue;
        }
        let pids: Vec<u32> = living.iter().map(|&(pid, _)| pid).collect();
        let sample = Sample::take(begun.elapsed(), &pids, None, meter.as_ref().map(Meter::last));
        match &mut meter {
            Some(meter) => meter.add(sample),
            None => meter = Some(Meter::new(begun, begun, sample, Duration::ZERO)),
        }
        let kept_waiting = meter.as_ref().map_or(Duration::ZERO, |meter| meter.delays().all);
        let grace = (HELPER_GRACE + kept_waiting.max(overslept)).min(MAX_HELPER_GRACE);
        let rest = grace.saturating_sub(begun.elapsed());
        if rest.is_zero() || interrupted() {
            return named(names);
        }
        let ends: Vec<OwnedFd> =
            pids.iter().filter_map(|&pid| pidfd_open(Pid::from_raw(pid as i32)?, PidfdFlags::empty()).ok()).collect();
        let mut fds: Vec<PollFd> = ends.iter().map(|end| PollFd::new(end, PollFlags::IN)).collect();
        seen = others;
        let pause = if fds.is_empty() { LOOK_INTERVAL } else { HELPER_INTERVAL };
        let (asked, slept) = (rest.min(pause), Instant::now());
        let _ = poll_for(&mut fds, asked);
        overslept += slept.elapsed().saturating_sub(asked);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}
