//! Waiting for an event of one or two programs: an answer, an end, a deadline.
//!
//! Nothing that a program does may keep the judge from the others: whenever it wakes, it checks the answers first, and
//! reads a limited amount of every error stream, at most once a millisecond.

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use agon_jail::ProcessExit;
use rustix::event::{PollFd, PollFlags};
use rustix::thread::sched_yield;

use super::interrupt::interrupted;
use super::look::{LastLook, MAX_SLEEP};
use super::pipes::{Flow, STDERR_PERIOD};
use super::poll::poll_for;
use super::program::Process;
use super::times::NORMAL_LATENCY;

/// An event of a program that is waited for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProcessEvent {
    /// A whole line, without its newline.
    Line(Vec<u8>),
    /// More than [`crate::protocol::MAX_ANSWER_BYTES`] bytes without a newline: their beginning.
    Overlong(Vec<u8>),
    /// It closed its output; with its exit, if that followed at once.
    Closed(Option<ProcessExit>),
    Exited(ProcessExit),
    /// The deadline passed, and a look after it found no answer; with the part of a line that was there.
    Late(Vec<u8>),
    Interrupted,
    /// The system refused to wait or to read: a failure of the judge, in the system's words.
    Failed(String),
}

/// An event, and when it was seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Which process: an index into those that were waited for.
    pub at: usize,
    pub event: ProcessEvent,
    pub when: Instant,
    /// How long before that it may have happened, unnoticed because the judge itself waited for a processor.
    pub judge_delay: Duration,
}

/// How often the processor is yielded before waiting with `poll`. An instant bot on the same core answers in that time,
/// which saves setting a timer, and that costs more than the rest of a ply on a virtual machine. A program that has
/// taken longer is waited for at once until it is quick again: yielding to one that thinks, or to its opponent that
/// thinks ahead on the same core, would only make us late for its answer.
const YIELDS: usize = 2;

/// How long a program that closed its output has to show its exit code.
const EXIT_SHOWN: Duration = Duration::from_millis(100);

/// Waits until one of the processes that has a deadline answers, ends, or is late; `asked` is when the last question
/// was written. A program from which the machine took a part of its time is late that much later. Meanwhile the error
/// streams of all of them are kept from filling.
///
/// One of them must have a deadline: otherwise there is nothing to wait for.
pub fn wait_for_event(
    processes: &mut [Option<&mut Process>; 2],
    deadlines: &[Option<Instant>; 2],
    asked: Instant,
) -> Seen {
    let mut look = LastLook::at_clock(asked);
    if let Some((at, event)) = yield_for_event(processes, deadlines, asked) {
        return seen(at, event, look, asked);
    }
    let mut served = [None; 2];
    let mut slow = false;
    loop {
        let now = Instant::now();
        if !slow && now - asked >= NORMAL_LATENCY {
            slow = true;
            look = LastLook::now();
            for (process, deadline) in processes.iter_mut().zip(deadlines) {
                if let (Some(process), Some(_)) = (process, deadline) {
                    process.note_slow(now - asked);
                }
            }
        }
        if slow {
            let waited_for = processes.iter_mut().zip(deadlines).filter(|(_, deadline)| deadline.is_some());
            waited_for.filter_map(|(process, _)| process.as_deref_mut()).for_each(|process| process.observe(now));
            make_way(processes, deadlines, now, asked);
        }
        let mut wake = if slow { now + MAX_SLEEP } else { asked + NORMAL_LATENCY };
        for (at, (process, deadline)) in processes.iter_mut().zip(deadlines).enumerate() {
            let (Some(process), &Some(deadline)) = (process, deadline) else { continue };
            if let Some(event) = process.pending() {
                return seen(at, event, look, look.at());
            }
            if interrupted() {
                return seen(at, ProcessEvent::Interrupted, look, look.at());
            }
            // It was seen closed between two turns: no event would show that again.
            if process.stdout.is_none() {
                return seen(at, process.closed(), look, look.at());
            }
            if now >= deadline {
                // The judge itself may have been late: a look after the deadline decides.
                if let Some(event) = process.look() {
                    return seen(at, event, look, look.at());
                }
                process.note_slow(now.saturating_duration_since(asked));
                match process.extension(now, deadline) {
                    Some(until) => wake = wake.min(until),
                    None => return seen(at, ProcessEvent::Late(process.lines.rest().to_vec()), look, look.at()),
                }
            } else {
                wake = wake.min(deadline);
            }
        }
        let start = if slow { Instant::now() } else { now };
        let watched = served.map(|at: Option<Instant>| slow && at.is_none_or(|at| at + STDERR_PERIOD <= start));
        if slow {
            served
                .iter()
                .flatten()
                .map(|&at| at + STDERR_PERIOD)
                .filter(|&at| at > start)
                .for_each(|at| wake = wake.min(at));
        } else {
            look = LastLook::at_clock(start);
        }
        let timeout = wake.saturating_duration_since(start);
        let woken = match poll_streams(processes, deadlines, slow, watched, timeout) {
            Ok(woken) => woken,
            Err(error) => {
                let at = usize::from(processes[0].is_none() || deadlines[0].is_none());
                return seen(at, ProcessEvent::failed("wait for the agents", error), look, wake);
            }
        };
        for (at, (process, woken)) in processes.iter_mut().zip(woken).enumerate() {
            if let Some(process) = process
                && (woken.stdout || woken.exit)
                && let Some(event) = process.look()
            {
                process.thinks &= slow;
                return seen(at, event, look, wake);
            }
        }
        if slow {
            look = LastLook::now();
        }
        for ((process, woken), served) in processes.iter_mut().zip(woken).zip(&mut served) {
            if let Some(process) = process
                && woken.stderr
            {
                process.drain_stderr();
                *served = Some(look.at());
            }
        }
    }
}

/// Keeps the program that is not on turn from taking the processors of the one that is.
fn make_way(processes: &mut [Option<&mut Process>; 2], deadlines: &[Option<Instant>; 2], now: Instant, asked: Instant) {
    let [first, second] = processes;
    let (waited, other) = match (first, second, deadlines) {
        (Some(first), Some(second), [Some(_), None]) => (first, second),
        (Some(first), Some(second), [None, Some(_)]) => (second, first),
        _ => return,
    };
    // A program on processors of its own is in no one else's way.
    if waited.kept_waiting() * 8 > now.saturating_duration_since(asked) {
        other.make_way(now);
    }
}

/// An event that is seen now, after it was waited for until `wake` at the latest; until the last look if it was not
/// waited for.
fn seen(at: usize, event: ProcessEvent, look: LastLook, wake: Instant) -> Seen {
    let when = Instant::now();
    Seen { at, event, when, judge_delay: look.lateness(wake, when) }
}

/// Yields the processor to the programs, if all that are waited for have been quick so far, and checks for their
/// answers.
fn yield_for_event(
    processes: &mut [Option<&mut Process>; 2],
    deadlines: &[Option<Instant>; 2],
    asked: Instant,
) -> Option<(usize, ProcessEvent)> {
    let thinks = |process: &Process| process.thinks;
    if processes
        .iter()
        .zip(deadlines)
        .any(|(process, deadline)| deadline.is_some() && process.as_deref().is_some_and(thinks))
    {
        return None;
    }
    for yields in 0..=YIELDS {
        // An instant bot on this core has answered already, if the kernel let it run as soon as it was asked.
        if yields > 0 {
            sched_yield();
        }
        for (at, (process, deadline)) in processes.iter_mut().zip(deadlines).enumerate() {
            if deadline.is_some()
                && let Some(process) = process
                && process.read_output() == Flow::Data
                && let Some(event) = process.pending()
            {
                return Some((at, event));
            }
        }
    }
    if asked.elapsed() >= NORMAL_LATENCY {
        processes.iter_mut().flatten().for_each(|process| process.thinks = true);
    }
    None
}

/// The streams of a process that have something to say.
#[derive(Clone, Copy, Default)]
struct Woken {
    stdout: bool,
    exit: bool,
    stderr: bool,
}

#[derive(Clone, Copy)]
enum Source {
    Stdout,
    Exit,
    Stderr,
}

/// Waits for anything to happen to the processes: for those with a deadline an answer or their end, for those `watched`
/// something on the error stream. In the first millisecond it only waits for answers: everything else to watch makes an
/// instant bot's round trip longer.
fn poll_streams(
    processes: &[Option<&mut Process>; 2],
    deadlines: &[Option<Instant>; 2],
    slow: bool,
    watched: [bool; 2],
    timeout: Duration,
) -> io::Result<[Woken; 2]> {
    let mut fds = Vec::with_capacity(6);
    let mut sources = Vec::with_capacity(6);
    for (at, (process, deadline)) in processes.iter().zip(deadlines).enumerate() {
        let Some(process) = process else { continue };
        let mut watch = |fd, source: Source| {
            fds.push(PollFd::from_borrowed_fd(fd, PollFlags::IN));
            sources.push((at, source));
        };
        if deadline.is_some() {
            if let Some(stdout) = &process.stdout {
                watch(stdout.as_fd(), Source::Stdout);
            }
            if slow {
                watch(process.pidfd(), Source::Exit);
            }
        }
        if watched[at]
            && let Some(stderr) = &process.stderr
        {
            watch(stderr.as_fd(), Source::Stderr);
        }
    }
    let mut woken = [Woken::default(); 2];
    poll_for(&mut fds, timeout)?;
    for (fd, (at, source)) in fds.iter().zip(sources) {
        let happened = !fd.revents().is_empty();
        match source {
            Source::Stdout => woken[at].stdout = happened,
            Source::Exit => woken[at].exit = happened,
            Source::Stderr => woken[at].stderr = happened,
        }
    }
    Ok(woken)
}

impl ProcessEvent {
    /// A failure of the judge: what it could not do, and why.
    fn failed(act: &str, error: impl Into<io::Error>) -> Self {
        Self::Failed(format!("cannot {act}: {}", error.into()))
    }
}

impl Process {
    /// The event that the bytes already read amount to.
    fn pending(&mut self) -> Option<ProcessEvent> {
        match self.lines.take() {
            Some(line) if line.len() > self.lines.limit() => Some(ProcessEvent::Overlong(line)),
            Some(line) => Some(ProcessEvent::Line(line)),
            None if self.lines.overlong() => Some(ProcessEvent::Overlong(self.lines.rest().to_vec())),
            None => None,
        }
    }

    fn read_output(&mut self) -> Flow {
        match &mut self.stdout {
            Some(stdout) => self.lines.fill(stdout),
            None => Flow::Closed,
        }
    }

    /// Looks once into the output, and at the process if that is empty.
    fn look(&mut self) -> Option<ProcessEvent> {
        let flow = self.read_output();
        if let Some(event) = self.pending() {
            return Some(event);
        }
        match flow {
            Flow::Data => None,
            Flow::Closed => Some(self.closed()),
            Flow::Failed(error) => Some(ProcessEvent::failed("read an answer", error)),
            Flow::Dry => {
                let exit = self.exit()?;
                // Its last output may have come after the look into the pipe. This ends: a line may not be long.
                while self.read_output() == Flow::Data {
                    if let Some(event) = self.pending() {
                        return Some(event);
                    }
                }
                Some(ProcessEvent::Exited(exit))
            }
        }
    }

    /// It has closed its output: returns its exit, if that comes soon.
    fn closed(&mut self) -> ProcessEvent {
        if self.exit().is_none() {
            let mut fds = [PollFd::from_borrowed_fd(self.pidfd(), PollFlags::IN)];
            if let Err(error) = poll_for(&mut fds, EXIT_SHOWN) {
                return ProcessEvent::failed("wait for the end of an agent", error);
            }
        }
        ProcessEvent::Closed(self.exit())
    }
}
