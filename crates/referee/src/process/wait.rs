//! Waiting for an event of one or two programs: an answer, an end, a deadline.

use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::thread::sched_yield;

use super::exit::ProcessExit;
use super::interrupt::interrupted;
use super::pipes::Flow;
use super::program::Process;
use super::times::timespec;

/// An event of a program that is waited for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProcessEvent {
    /// A whole line, without its newline.
    Line(Vec<u8>),
    /// More than [`crate::protocol::LONGEST_ANSWER`] bytes without a newline: their beginning.
    Overlong(Vec<u8>),
    /// It closed its output; with its exit, if that followed at once.
    Closed(Option<ProcessExit>),
    /// It ended.
    Exited(ProcessExit),
    /// The deadline passed; what there was of a line.
    Late(Vec<u8>),
    /// [`super::interrupt`] was called.
    Interrupted,
}

/// An answer that takes longer than this is worth asking the kernel whether the machine delayed it.
const SLOW: Duration = Duration::from_millis(1);

/// How often the processor is offered to the others before waiting with `poll`. An instant bot on the same core answers
/// in that time, and setting a timer, which costs more than all the rest of a ply on a virtual machine, is saved. A
/// program that has once taken longer is waited for at once ever after: offering the processor to one that thinks, or to
/// its opponent that thinks ahead on the same core, would only make us late for its answer.
const YIELDS: usize = 2;

/// How long a program that closed its output is given to show its exit code.
const EXIT_SHOWN: Duration = Duration::from_millis(100);

/// Waits until one of the processes that has a deadline answers, ends, or is late. Returns which, what, and when it was
/// seen. Meanwhile the error streams of all of them are kept from filling.
///
/// # Panics
/// If none of them has a deadline: there is nothing to wait for.
pub fn wait_for_event(
    processes: &mut [Option<&mut Process>; 2],
    deadlines: &[Option<Instant>; 2],
) -> (usize, ProcessEvent, Instant) {
    let start = Instant::now();
    let instant = |process: &Process| !process.thinks;
    if processes
        .iter()
        .zip(deadlines)
        .all(|(process, deadline)| deadline.is_none() || process.as_deref().is_none_or(instant))
    {
        for _ in 0..YIELDS {
            sched_yield();
            for (at, (process, deadline)) in processes.iter_mut().zip(deadlines).enumerate() {
                if deadline.is_some()
                    && let Some(process) = process
                    && process.read_output() == Flow::Data
                    && let Some(event) = process.pending()
                {
                    return (at, event, Instant::now());
                }
            }
        }
        if start.elapsed() >= SLOW {
            processes.iter_mut().flatten().for_each(|process| process.thinks = true);
        }
    }
    let mut slow = false;
    loop {
        let now = Instant::now();
        let mut nearest: Option<Instant> = None;
        for (at, (process, deadline)) in processes.iter_mut().zip(deadlines).enumerate() {
            let (Some(process), &Some(deadline)) = (process, deadline) else { continue };
            if let Some(event) = process.pending() {
                return (at, event, now);
            }
            if interrupted() {
                return (at, ProcessEvent::Interrupted, now);
            }
            // Seen closed when it was looked at between two turns: nothing that is waited for would tell it again.
            if process.stdout.is_none() {
                return (at, ProcessEvent::Closed(process.exit_within(EXIT_SHOWN)), now);
            }
            if now >= deadline {
                return (at, ProcessEvent::Late(process.lines.rest().to_vec()), now);
            }
            if !slow && now - start >= SLOW {
                process.note_slow();
            }
            nearest = Some(nearest.map_or(deadline, |nearest| nearest.min(deadline)));
        }
        slow |= now - start >= SLOW;
        let deadline = nearest.expect("somebody is waited for");
        let wake = if slow { deadline } else { deadline.min(start + SLOW) };
        let woken = poll_streams(processes, deadlines, slow, wake.saturating_duration_since(now));

        for (at, (process, woken)) in processes.iter_mut().zip(woken).enumerate() {
            let Some(process) = process else { continue };
            if woken.stderr {
                process.drain_stderr();
            }
            if !woken.stdout && !woken.exit {
                continue;
            }
            let flow = process.read_output();
            // The answer is in time if it could be read now, so this is the moment to look at the clock.
            let now = Instant::now();
            if let Some(event) = process.pending() {
                return (at, event, now);
            }
            if flow == Flow::Closed {
                return (at, ProcessEvent::Closed(process.exit_within(EXIT_SHOWN)), now);
            }
            if flow == Flow::Dry
                && let Some(exit) = process.exit()
            {
                // What it wrote last may have come after the look into the pipe.
                while process.read_output() == Flow::Data {}
                return (at, process.pending().unwrap_or(ProcessEvent::Exited(exit)), now);
            }
        }
    }
}

/// What of a process has something to say.
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

/// Waits for anything to happen to the processes: of those with a deadline an answer or their end, of all of them
/// something on the error stream. In the first millisecond only answers are waited for: every further thing to watch
/// makes an instant bot's round trip longer.
fn poll_streams(
    processes: &[Option<&mut Process>; 2],
    deadlines: &[Option<Instant>; 2],
    slow: bool,
    timeout: Duration,
) -> [Woken; 2] {
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
        if slow && let Some(stderr) = &process.stderr {
            watch(stderr.as_fd(), Source::Stderr);
        }
    }
    // An interrupted call is no harm: nothing has happened then, and the caller waits again.
    let _ = poll(&mut fds, Some(&timespec(timeout)));
    let mut woken = [Woken::default(); 2];
    for (fd, (at, source)) in fds.iter().zip(sources) {
        let happened = !fd.revents().is_empty();
        match source {
            Source::Stdout => woken[at].stdout = happened,
            Source::Exit => woken[at].exit = happened,
            Source::Stderr => woken[at].stderr = happened,
        }
    }
    woken
}

impl Process {
    /// The event that the bytes already read amount to.
    fn pending(&mut self) -> Option<ProcessEvent> {
        match self.lines.take() {
            Some(line) if line.len() > crate::protocol::LONGEST_ANSWER => Some(ProcessEvent::Overlong(line)),
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

    /// Its exit, if it comes within this time.
    fn exit_within(&mut self, time: Duration) -> Option<ProcessExit> {
        if self.exit().is_none() {
            let mut fds = [PollFd::from_borrowed_fd(self.pidfd(), PollFlags::IN)];
            let _ = poll(&mut fds, Some(&timespec(time)));
        }
        self.exit()
    }
}
