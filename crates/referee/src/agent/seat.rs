//! An agent in its seat for a bout.

use std::io;
use std::time::{Duration, Instant};

use super::builtin::BuiltinPlayer;
use super::prepared::{AgentError, Builtins, Prepared, Programs};
use super::stateless::StatelessProgram;
use crate::cause::{self, Buffered};
use crate::fault_kind::FaultKind;
use crate::fault_reason::FaultReason;
use crate::limits::GameLimits;
use crate::process::{
    self, Asked, Delays, Moment, Process, ProcessEvent, ProcessExit, ProcessSnapshot, ProcessorSet, ProgramState,
};
use crate::protocol::{MAX_ANSWER_BYTES, quote, text_of};
use crate::sight::Sight;
use crate::verdict::{Fault, Question, Verdict};
use agon_message::Stated;

/// An agent in its seat.
pub enum Seat {
    /// A player within this program.
    Builtin(BuiltinPlayer),
    Process(Box<Process>),
    /// A program that is asked per action.
    Stateless(StatelessProgram),
    /// A source file that does not compile.
    Broken(Fault),
}

impl Seat {
    /// Seats an agent: starts its program, or creates its player from the seed.
    ///
    /// # Errors
    /// [`AgentError::Spawn`] when the program cannot be started, [`AgentError::Unknown`] when the game has no such
    /// built-in.
    pub fn take(prepared: &Prepared, limits: &GameLimits, seed: u64, builtins: Builtins) -> Result<Self, AgentError> {
        Ok(match prepared {
            Prepared::Builtin(name) => {
                let unknown = || AgentError::Unknown { name: name.clone(), builtins: String::new(), meant: None };
                Self::Builtin(BuiltinPlayer::new(builtins(name, seed).ok_or_else(unknown)?))
            }
            Prepared::Program(program) => {
                let mut program = program.clone();
                program.environment.push(("AGON_SEED".to_owned(), seed.to_string().into()));
                Self::Process(Box::new(Process::start(&program, Some(limits.memory()))?))
            }
            Prepared::Broken(fault) => Self::Broken(fault.clone()),
        })
    }

    /// Seats an agent for a game played per action: nothing starts yet.
    ///
    /// # Errors
    /// As [`Seat::take`].
    pub fn take_stateless(
        prepared: &Prepared,
        limits: &GameLimits,
        seed: u64,
        builtins: Programs,
    ) -> Result<Self, AgentError> {
        Ok(StatelessProgram::take(prepared, limits, seed, builtins)?.map_or_else(Self::Broken, Self::Stateless))
    }

    /// Binds a running program to processors, as one is that is started by a thread bound to them.
    pub fn bind(&self, processors: &ProcessorSet) {
        if let Self::Process(process) = self {
            process.bind(processors);
        }
    }

    /// The program that is asked per action.
    ///
    /// # Errors
    /// The fault of a seat that holds none.
    pub(crate) fn stateless(&mut self) -> Result<&mut StatelessProgram, Fault> {
        match self {
            Self::Stateless(program) => Ok(program),
            Self::Broken(fault) => Err(fault.clone()),
            _ => Err(Fault::new(Verdict::Interrupted, "seated for a session, not for a game played per action")),
        }
    }

    /// What to do about a file that its program reports as missing and cannot see.
    pub(crate) fn hint(&self, stderr: &str) -> Option<String> {
        match self {
            Self::Process(process) => process.sight().hint(stderr),
            Self::Stateless(program) => program.hint(stderr),
            Self::Builtin(_) | Self::Broken(_) => None,
        }
    }

    /// What a program that plays a session sees.
    pub(crate) fn sight(&self) -> Option<Sight> {
        match self {
            Self::Process(process) => Some(process.sight().clone()),
            _ => None,
        }
    }

    /// The running program, if it is one.
    pub(crate) fn process(&mut self) -> Option<&mut Process> {
        match self {
            Self::Process(process) => Some(process),
            _ => None,
        }
    }

    /// Sends lines to a program, which must read them within `limit` plus `granted`, and returns when it did. Other
    /// agents receive nothing.
    pub(crate) fn send(&mut self, lines: &str, limit: Duration, granted: Duration) -> Result<Asked, Fault> {
        let Some(process) = self.process() else { return Ok(Asked::now()) };
        let from = Instant::now();
        process.write(lines.as_bytes(), limit + granted).map_err(|error| match error.kind() {
            io::ErrorKind::TimedOut => {
                let (now, cpu, snapshot) = (Instant::now(), process.take_cpu(), process.snapshot());
                let Delays { all: delay, machine } = process.take_delays(now);
                let spent = Moment { wall: now - from, cpu, delay, machine, ..Moment::default() };
                let program = process.sight().clone();
                let wrote = process.pending_output();
                let cause = cause::of_silence(&spent, Some(snapshot), wrote, Buffered::Unknown, &program);
                Fault::no_input(limit, granted, &spent, snapshot).because(cause)
            }
            io::ErrorKind::BrokenPipe => match process.wait(Instant::now() + Duration::from_millis(100)) {
                Ok(exit) => ended(process, exit, FaultReason::ClosedInput),
                Err(error) => Fault::judge_failed(format!("cannot wait for the end of an agent: {error}")),
            },
            _ => Fault::judge_failed(format!("cannot write to an agent: {error}")),
        })
    }

    /// Reports output that the judge has not requested.
    pub(crate) fn check_silent(&mut self) -> Result<(), Fault> {
        let Some(process) = self.process() else { return Ok(()) };
        match process.pending_output() {
            [] => Ok(()),
            bytes => {
                let line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
                let reason = FaultReason::EarlyOutput { wrote: quote(line) };
                let kind = FaultKind::PendingOutput { finished: false };
                Err(Fault::new(Verdict::Re, reason).of_kind(kind).because(cause::of_pending_output(process.sight())))
            }
        }
    }
}

/// The fault of a program that ended too soon: memory comes first, since running out of it is what killed the program.
pub(crate) fn ended(process: &mut Process, exit: Option<ProcessExit>, otherwise: FaultReason) -> Fault {
    if process::interrupted() {
        return Fault::interrupted();
    }
    if process.over_memory() {
        return out_of_memory(process);
    }
    if process.is_lost() {
        return Fault::new(Verdict::Interrupted, process::LOST);
    }
    let Some(exit) = exit else { return Fault::new(Verdict::Re, otherwise).of_kind(FaultKind::Closed) };
    let reason = match exit {
        ProcessExit::Signal(_) => FaultReason::Died { exit: exit.into() },
        ProcessExit::Code(_) => FaultReason::Ended { exit: exit.into() },
    };
    let words = process.last_words();
    let mut cause = cause::of_exit(exit, &words, process.sight());
    cause.extend(process.sight().hint(&words).map(Stated::from));
    Fault::new(Verdict::Re, reason).of_kind(FaultKind::of_exit(exit, false, &words)).because(cause)
}

/// The fault of using too much memory.
pub(crate) fn out_of_memory(process: &Process) -> Fault {
    let (peak, limit, users) = process.memory();
    let cause = cause::of_memory(peak, limit, users.as_ref());
    let kind = FaultKind::Memory { limit_mib: limit.map(|limit| limit >> 20) };
    Fault::new(Verdict::Mle, FaultReason::of_memory(limit)).of_kind(kind).because(cause)
}

/// A snapshot of a program that has not answered in time; `None` if it has.
pub(crate) fn snapshot(process: &Process, event: &ProcessEvent) -> Option<ProcessSnapshot> {
    matches!(event, ProcessEvent::Late(_)).then(|| process.snapshot())
}

/// What a program was asked, and how much time it had.
pub(crate) struct Asking {
    pub question: Question,
    pub limit: Duration,
    /// The program's clock for the whole game, if it has one; the limit is what is left.
    pub clock: Option<Duration>,
    /// What it was granted beyond the limit.
    pub granted: Duration,
    /// One of its answers has been seen before.
    pub has_answered: bool,
}

/// Turns the outcome of waiting into an answer or a fault. `spent` is the time the answer took, and `snapshot` shows a
/// program that is late.
pub(crate) fn judge_event(
    process: &mut Process,
    event: ProcessEvent,
    asking: &Asking,
    spent: &Moment,
    snapshot: Option<ProcessSnapshot>,
) -> Result<Vec<u8>, Fault> {
    match event {
        ProcessEvent::Line(line) => Ok(line),
        // Stopping the judge kills the agents, which must not be held against them.
        _ if process::interrupted() => Err(Fault::interrupted()),
        ProcessEvent::Failed(why) => Err(Fault::judge_failed(why)),
        // Looked at only now: asking the kernel costs more than an instant bot's whole answer.
        _ if process.over_memory() => Err(out_of_memory(process)),
        _ if process.is_lost() => Err(ended(process, None, FaultReason::ClosedOutput)),
        ProcessEvent::Overlong(line) => {
            let reason = FaultReason::TooLong { answer: quote(&line), limit: MAX_ANSWER_BYTES };
            Err(Fault::new(Verdict::Re, reason).of_kind(FaultKind::TooLong))
        }
        ProcessEvent::Late(rest) => Err(late(process, &rest, asking, spent, snapshot)),
        ProcessEvent::Closed(exit) => Err(ended(process, exit, FaultReason::ClosedOutput)),
        ProcessEvent::Exited(exit) => Err(ended(process, Some(exit), FaultReason::ClosedOutput)),
        ProcessEvent::Interrupted => Err(Fault::interrupted()),
    }
}

/// How long a program whose time is up may flush its output after its input has ended.
const LAST_OUTPUT_WAIT: Duration = Duration::from_millis(200);

/// The fault of a program that has not answered in time; this is the part of an answer that it wrote.
fn late(
    process: &mut Process,
    rest: &[u8],
    asking: &Asking,
    spent: &Moment,
    snapshot: Option<ProcessSnapshot>,
) -> Fault {
    let Asking { question, limit, clock, granted, has_answered } = *asking;
    let mut fault = Fault::no_answer(question, rest, (limit, clock), granted, spent, snapshot);
    let idle = snapshot.filter(|snapshot| snapshot.unread == Some(0) && snapshot.state.may_wait_for_input());
    // Nothing that it does now counts. A program with its answer in a buffer writes it when its input ends.
    let unflushed = idle
        .filter(|_| rest.is_empty())
        .map(|snapshot| (snapshot.state, text_of(process.last_output(LAST_OUTPUT_WAIT).trim_ascii_end())));
    let buffered = match &unflushed {
        Some((_, text)) if !text.is_empty() => Buffered::Answer(text),
        // Threads that wait for each other do not see the end of the input.
        Some((ProgramState::WaitsForInput | ProgramState::Polls, _)) if has_answered => Buffered::Nothing,
        _ => Buffered::Unknown,
    };
    if let Some(FaultKind::NoReady(time) | FaultKind::NoAnswer(time)) = &mut fault.kind {
        time.unflushed = match buffered {
            Buffered::Answer(_) => Some(true),
            Buffered::Nothing => Some(false),
            Buffered::Unknown => None,
        };
    }
    let mut cause = cause::of_silence(spent, snapshot, rest, buffered, process.sight());
    cause.extend(cause::last_message(&process.last_words()).map(|message| Stated::from(&message)));
    fault.because(cause)
}

/// Checks a program's answer to READY.
pub(crate) fn judge_ready(answer: &[u8], seat: &mut Seat) -> Result<(), Fault> {
    Fault::not_ready(answer).map_or(Ok(()), |fault| {
        let Some(process) = seat.process() else { return Err(fault) };
        let program = process.sight().clone();
        let cause = cause::of_not_ready(answer, process.pending_output(), &program);
        Err(fault.because(cause))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::{ProgramSpec, wait_for_event};

    /// The fault of a program that waits for more input after it was sent a line.
    fn fault_of(script: &str, has_answered: bool) -> Fault {
        let words = ["python3", "-c", script].map(str::to_owned).to_vec();
        let mut process = Process::start(&ProgramSpec::unjailed(words), None).unwrap();
        process.write(b"TURN 1 1\n", Duration::from_secs(1)).unwrap();
        // It reports on its error stream when it has read the line.
        while process.stderr_since(0, 1).is_empty() {
            let deadline = Instant::now() + Duration::from_millis(10);
            wait_for_event(&mut [Some(&mut process), None], &[Some(deadline), None], Instant::now());
        }
        let snapshot = std::iter::repeat_with(|| process.snapshot())
            .find(|seen| seen.state == ProgramState::WaitsForInput)
            .expect("it waits for input in the end");
        let limit = Duration::from_millis(500);
        let spent = Moment { wall: limit + limit, ..Moment::default() };
        let asking = Asking { question: Question::Turn, limit, clock: None, granted: Duration::ZERO, has_answered };
        let fault = late(&mut process, b"", &asking, &spent, Some(snapshot));
        process.end();
        fault
    }

    #[test]
    fn a_program_that_reads_late_has_the_time_that_the_machine_took() {
        // More than a pipe can hold.
        let lines = "INFO x\n".repeat(20_000);
        let send = |seconds: &str, percent, granted| {
            process::simulate_delay(percent);
            let words = ["sh", "-c", &format!("sleep {seconds}; exec cat > /dev/null")].map(str::to_owned).to_vec();
            let mut seat = Seat::Process(Box::new(Process::start(&ProgramSpec::unjailed(words), None).unwrap()));
            let sent = seat.send(&lines, Duration::from_millis(500), Duration::from_millis(granted));
            seat.process().unwrap().end();
            sent
        };
        // 600 ms, 480 of them the machine's.
        assert_eq!(send("0.6", 80, 0).map(drop), Ok(()));
        assert_eq!(send("0.6", 0, 60_000).map(drop), Ok(()));
        // Its time is up at 556 ms, since a tenth of it is the machine's.
        let fault = send("9", 10, 0).unwrap_err();
        assert_eq!(fault.to_string(), "TLE: does not read its input");
        let Some(FaultKind::NoInput { time: Some(time) }) = fault.kind else { panic!("{fault:?}") };
        assert!(time.is_late() && (555_000..5_000_000).contains(&time.wall_us), "{time:?}");
    }

    #[test]
    fn a_forgotten_flush_differs_from_a_line_too_many() {
        let check = |script: &str, has_answered, unflushed, words: &str| {
            let fault = fault_of(script, has_answered);
            let cause = fault.cause.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
            assert!(cause.contains(words) && !cause.contains("EOFError"), "{cause}");
            assert_eq!(fault.kind.unwrap().time().unwrap().unflushed, unflushed, "{cause}");
        };
        let said = "import sys\nsys.stdin.readline()\nsys.stderr.write('x'); sys.stderr.flush()\n";
        let buffered = format!("{said}print('MOVE 1 1')\nsys.stdin.readline()\n");
        let came = "when its input ended it wrote `MOVE 1 1`: it had not flushed its answer";
        check(&buffered, false, Some(true), came);
        let more = format!("{said}sys.stdin.readline()\nraise EOFError\n");
        check(&more, true, Some(false), "it reads a line that the judge does not send, or it never flushes its answer");
        check(&more, false, None, "check that it flushes its output");
    }
}
