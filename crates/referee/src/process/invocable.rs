//! A program that is run in a fresh process for every input: input, end of file, answer, exit.
//!
//! Starting a process is nearly all that such an answer costs, so everything else is kept small. One keeper starts all
//! invocations in one jail, from arguments and an environment that are laid out once; the pipes for output and errors
//! serve all of them, and their ends are seen by a pidfd and not by the end of a stream; the input is in its pipe, and
//! that pipe closed, before the program starts, so that it never waits for us.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_jail::{Keeper, ProcessExit};
use rustix::event::{PollFd, PollFlags};
use rustix::pipe::{PipeFlags, pipe_with};
use rustix::process::{Signal, pidfd_send_signal};

use super::asked::Asked;
use super::interrupt::interrupted;
use super::look::{LastLook, MAX_SLEEP};
use super::meter::{Delays, Meter, SAMPLE_PERIOD, Sample, parent_of, waited_by};
use super::path::find_program;
use super::pipes::{Flow, LineBuffer, READ_AT_END, READ_AT_ONCE, STDERR_PERIOD, StderrTail};
use super::poll::poll_for;
use super::program::{LOST, ProgramSpec, STOP_TIME, SpawnError};
use super::state::{self, ProcessSnapshot};
use super::times::{CpuClock, Moment, NORMAL_LATENCY, simulated_delay};
use crate::protocol::MAX_ANSWER_BYTES;

/// A stateless program that runs in a fresh process for every input. Dropping it ends whatever it left running.
pub struct Invocable {
    program: ProgramSpec,
    memory: u64,
    output: Pipe,
    errors: Pipe,
    tail: StderrTail,
    /// The length of the error stream before the last invocation.
    before: u64,
    /// Starts and ends the invocations, once it knows the program and its pipes.
    keeper: Option<Keeper>,
    /// The most memory under earlier keepers.
    peak: u64,
}

/// One run of the program: its output, end and times.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invocation {
    /// Everything that it wrote until it ended; the beginning if that is too long.
    pub output: Vec<u8>,
    pub end: End,
    /// The time from its start to its end.
    pub moment: Moment,
    /// What it was doing when its time was up.
    pub snapshot: Option<ProcessSnapshot>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    Exit(ProcessExit),
    /// It was killed because its time was up.
    Late,
    /// It wrote more than [`MAX_ANSWER_BYTES`] bytes, and was killed or had already ended.
    Overlong,
    /// It was killed because it exceeded its memory limit.
    OutOfMemory,
    Interrupted,
    /// The system refused to wait: a failure of the judge, in the system's words.
    Failed(String),
}

/// A program that closes its pipes is about to exit; for this long only its end is waited for.
const QUICK: Duration = Duration::from_millis(5);

/// What a pipe always accepts: a page.
const PAGE: usize = 4096;

impl Invocable {
    /// Makes a program ready to be run; `memory` limits each of its process trees, in bytes.
    ///
    /// # Errors
    /// [`SpawnError`] when there is no such program, or no pipe is available.
    pub fn new(program: &ProgramSpec, memory: u64) -> Result<Self, SpawnError> {
        let name = program.words.first().cloned().unwrap_or_default();
        if find_program(&name).is_none() {
            return Err(SpawnError::NotFound { program: name });
        }
        let refused = |source: io::Error| program.refused(source);
        Ok(Self {
            program: program.clone(),
            memory,
            output: Pipe::new().map_err(refused)?,
            errors: Pipe::new().map_err(refused)?,
            tail: StderrTail::default(),
            before: 0,
            keeper: None,
            peak: 0,
        })
    }

    /// Runs it once: the input, then the end of file, with the seed in `AGON_SEED`. Afterwards nothing of it is left
    /// running. A program whose time is up is sent `stop`, which makes its runtime show where it is.
    ///
    /// # Errors
    /// [`SpawnError`] when the system refuses to run it.
    pub fn run(
        &mut self,
        input: &[u8],
        seed: u64,
        limit: Duration,
        stop: Option<Signal>,
    ) -> Result<Invocation, SpawnError> {
        if interrupted() {
            return Ok(Invocation {
                output: Vec::new(),
                end: End::Interrupted,
                moment: Moment::default(),
                snapshot: None,
            });
        }
        self.before = self.tail.length();
        // The clock runs from before the start. When in that time the program began to run is not known.
        let from = Instant::now();
        let (pid, pidfd, mut feed) = self.start(input, seed)?;
        let look = LastLook::now();
        let asked = Asked { from, last: from, written: look.at() };
        let mut lines = LineBuffer::default();
        let mut watch = InvocationWatch { pid, from, meter: None };
        let (end, late) = self.wait(&pidfd, &mut feed, &mut lines, asked.written + limit, look, &mut watch);
        let seen = Instant::now();
        let (wall, judge_delay) = asked.until(seen, late);
        let snapshot = matches!(end, Some(End::Late))
            .then(|| ProcessSnapshot { state: state::of(pid, &self.processes(), None), unread: None });
        let cpu = CpuClock::new(pid).now();
        let Delays { all: delay, machine } =
            if wall < NORMAL_LATENCY { Delays::default() } else { watch.delays(|| self.processes(), seen) };
        let moment = Moment { wall, cpu, delay, machine, judge_delay, ..Moment::default() }.whole_micros();
        if let (Some(End::Late), Some(signal)) = (&end, stop) {
            self.stop_by(&pidfd, signal, Instant::now() + STOP_TIME);
        }
        let exit = self.keeper.as_mut().and_then(Keeper::end);
        let over_memory = self.keeper.as_ref().is_some_and(Keeper::take_over_memory);
        let lost = exit.is_none() && self.keeper.as_ref().is_some_and(Keeper::is_lost);
        // This ends: reading stops once the output is known to be too long.
        while lines.rest().len() <= MAX_ANSWER_BYTES && self.output.fill(|pipe| lines.fill(pipe)) == Flow::Data {}
        self.empty_pipes(lines.rest().len() > MAX_ANSWER_BYTES).map_err(|source| self.program.refused(source))?;
        let mut output = lines.rest().to_vec();
        let end = match end {
            _ if interrupted() => End::Interrupted,
            Some(End::Failed(text)) => End::Failed(text),
            _ if over_memory => End::OutOfMemory,
            Some(end) => end,
            None if lost => End::Failed(LOST.to_owned()),
            None if moment.least() > limit => End::Late,
            None if output.len() > MAX_ANSWER_BYTES => End::Overlong,
            None => End::Exit(exit.unwrap_or(ProcessExit::UNKNOWN)),
        };
        output.truncate(MAX_ANSWER_BYTES);
        Ok(Invocation { output, end, moment, snapshot })
    }

    /// Sends it a signal, and reads its error stream until it ends, or until `deadline`. If it cannot be stopped, there
    /// is no place to show.
    fn stop_by(&mut self, pidfd: &OwnedFd, signal: Signal, deadline: Instant) {
        if pidfd_send_signal(pidfd, signal).is_err() {
            return;
        }
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let mut fds = [PollFd::new(pidfd, PollFlags::IN), PollFd::new(&self.errors.ours, PollFlags::IN)];
            if poll_for(&mut fds, left.min(MAX_SLEEP)).is_err() {
                return;
            }
            let has_ended = !fds[0].revents().is_empty();
            self.errors.fill(|pipe| self.tail.drain(pipe, READ_AT_ONCE));
            if has_ended || left.is_zero() || interrupted() {
                return;
            }
        }
    }

    fn processes(&self) -> Vec<u32> {
        self.keeper.as_ref().map_or_else(Vec::new, Keeper::processes)
    }

    /// The end of all invocations' error streams.
    pub fn stderr(&self) -> String {
        self.tail.text()
    }

    /// The last `most` bytes of the last invocation's error stream.
    pub fn last_stderr(&self, most: usize) -> String {
        self.tail.since(self.before, most)
    }

    /// The most memory that an invocation was seen to use, in bytes; 0 when none was ever looked at.
    pub fn peak_memory(&self) -> u64 {
        self.keeper.as_ref().map_or(0, Keeper::peak_memory).max(self.peak)
    }

    /// Starts it, and returns the part of the input that did not fit into the pipe.
    fn start<'a>(&mut self, input: &'a [u8], seed: u64) -> Result<(u32, Arc<OwnedFd>, Option<Feed<'a>>), SpawnError> {
        if self.keeper.is_none() {
            let mut keeper = self.program.keeper(Some(self.memory))?;
            let launch = self.program.launch(&keeper)?;
            let loaded = keeper.load(&launch, self.output.theirs.as_fd(), self.errors.theirs.as_fd());
            loaded.map_err(|source| self.program.refused(source))?;
            self.keeper = Some(keeper);
        }
        self.feed(input, seed).map_err(|source| self.program.refused(source))
    }

    fn feed<'a>(&mut self, input: &'a [u8], seed: u64) -> io::Result<(u32, Arc<OwnedFd>, Option<Feed<'a>>)> {
        let (theirs, ours) = pipe_with(PipeFlags::CLOEXEC)?;
        // A write can only block if the input may not fit.
        if input.len() > PAGE {
            rustix::io::ioctl_fionbio(&ours, true)?;
        }
        let feed = Feed { pipe: File::from(ours), rest: input }.push()?;
        let keeper = self.keeper.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        let (pid, pidfd) = keeper.start(theirs.as_fd(), &format!("{SEED}={seed}"), true)?;
        Ok((pid, pidfd, feed))
    }

    /// Waits for its end, which is `None` when it has ended by itself, and returns how long the judge may have been
    /// late in seeing it; `look` is when it was started.
    fn wait(
        &mut self,
        pidfd: &OwnedFd,
        feed: &mut Option<Feed<'_>>,
        lines: &mut LineBuffer,
        deadline: Instant,
        mut look: LastLook,
        watch: &mut InvocationWatch,
    ) -> (Option<End>, Duration) {
        let failed =
            |error: io::Error| (Some(End::Failed(format!("cannot wait for a program: {error}"))), Duration::ZERO);
        let mut patient = feed.is_some();
        let mut served: Option<Instant> = None;
        loop {
            let mut left = deadline.saturating_duration_since(look.at());
            // Time taken by the machine is given back.
            let up = left.is_zero() && {
                let until = watch.extension(look.at(), deadline, &self.processes());
                left = until.map_or(Duration::ZERO, |until| until.saturating_duration_since(look.at()));
                until.is_none()
            };
            if !up {
                watch.observe(look.at(), || self.processes());
            }
            let quiet = served.map_or(Duration::ZERO, |at| STDERR_PERIOD.saturating_sub(look.at() - at));
            let mut timeout = left.min(if patient { MAX_SLEEP } else { QUICK });
            if !quiet.is_zero() {
                timeout = timeout.min(quiet);
            }
            let mut fds = Vec::with_capacity(4);
            fds.push(PollFd::new(pidfd, PollFlags::IN));
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
                if lines.rest().len() > MAX_ANSWER_BYTES {
                    return (Some(End::Overlong), Duration::ZERO);
                }
                if quiet.is_zero() {
                    self.errors.fill(|pipe| self.tail.drain(pipe, READ_AT_ONCE));
                    served = Some(look.at());
                }
            }
            if up {
                return (Some(End::Late), Duration::ZERO);
            }
            patient = true;
        }
    }

    /// Empties the pipes for the next invocation. If a process still writes to them, or the keeper has not ended all of
    /// the program, the next invocation gets new pipes and another keeper.
    fn empty_pipes(&mut self, overlong: bool) -> io::Result<()> {
        let mut flowing =
            overlong && self.output.fill(|pipe| StderrTail::default().drain(pipe, READ_AT_END)) == Flow::Data;
        flowing |= self.errors.fill(|pipe| self.tail.drain(pipe, READ_AT_END)) == Flow::Data;
        if flowing || self.keeper.as_ref().is_some_and(Keeper::is_broken) {
            (self.output, self.errors) = (Pipe::new()?, Pipe::new()?);
            self.give_keeper_back();
        }
        Ok(())
    }

    fn give_keeper_back(&mut self) {
        if let Some(mut keeper) = self.keeper.take() {
            keeper.end();
            self.peak = self.peak.max(keeper.peak_memory());
            keeper.give_back();
        }
    }
}

/// Measures an invocation that takes long.
struct InvocationWatch {
    pid: u32,
    from: Instant,
    /// Together with its keeper.
    meter: Option<(Meter, Option<u32>)>,
}

impl InvocationWatch {
    /// Looks at it now and then, once it takes longer than most do.
    fn observe(&mut self, now: Instant, processes: impl FnOnce() -> Vec<u32>) {
        let last = self.meter.as_ref().map_or(self.from, |(meter, _)| meter.base() + meter.last().at);
        if now.saturating_duration_since(last) >= SAMPLE_PERIOD {
            self.sample(now, &processes());
        }
    }

    fn sample(&mut self, now: Instant, processes: &[u32]) {
        match &mut self.meter {
            Some((meter, keeper)) => {
                let at = now.saturating_duration_since(meter.base());
                let sample = Sample::take(at, processes, *keeper, Some(meter.last()));
                if !sample.processes.is_empty() && !meter.is_closed() {
                    meter.add(sample);
                }
            }
            None => {
                let keeper = parent_of(self.pid);
                let first = Sample::take(Duration::ZERO, processes, keeper, None);
                // A fresh process has spent all of its waiting in this invocation.
                let early = first.waited().min(now.saturating_duration_since(self.from));
                self.meter = Some((Meter::new(self.from, now, first, early), keeper));
            }
        }
    }

    fn extension(&mut self, now: Instant, deadline: Instant, processes: &[u32]) -> Option<Instant> {
        self.sample(now, processes);
        self.meter.as_mut().and_then(|(meter, _)| meter.extension(now, deadline))
    }

    /// How long it had waited when its end was seen.
    fn delays(&mut self, processes: impl FnOnce() -> Vec<u32>, seen: Instant) -> Delays {
        if self.meter.is_none() && simulated_delay().is_none() {
            let waited = waited_by(self.pid).min(seen.saturating_duration_since(self.from));
            return Delays { all: waited, machine: waited };
        }
        let now = Instant::now();
        self.sample(now, &processes());
        self.meter.as_ref().map_or(Delays::default(), |(meter, _)| meter.delays_until(seen, now))
    }
}

/// The variable that holds the seed of an invocation.
const SEED: &str = "AGON_SEED";

/// Nothing of an invocation outlives it.
impl Drop for Invocable {
    fn drop(&mut self) {
        self.give_keeper_back();
    }
}

/// Input that is still to be written.
struct Feed<'a> {
    pipe: File,
    rest: &'a [u8],
}

impl Feed<'_> {
    /// Writes what fits. Returns `None` when all of it is written or the reader is gone; the pipe is then closed.
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
