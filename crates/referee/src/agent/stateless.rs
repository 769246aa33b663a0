//! A program that keeps no state, in its seat for a bout that is played per action.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_game::Reason;
use agon_game::Stateless;
use agon_game::seed::{Stream, invocation_seed};
use rustix::process::Signal;

use super::builtin::{shielded, timed};
use super::prepared::{AgentError, Prepared, Programs};
use crate::cause;
use crate::fault_reason::{ActionFailure, LastWords};
use crate::limits::GameLimits;
use crate::process::{
    Delays, End, Invocable, Invocation, LOST, Moment, Process, ProcessEvent, ProcessExit, ProcessSnapshot,
    ProcessorSet, ProgramSpec, STDERR_KEPT, STOP_TIME, Seen, SpawnError, wait_for_event,
};
use crate::protocol::{BEGIN, END, MAX_ANSWER_BYTES, quote};
use crate::text;
use crate::verdict::Fault;

/// A program in its seat: run in a fresh process for every input, kept alive (LOOP), or built in.
pub struct StatelessProgram {
    start: ProgramStart,
    seed: u64,
    limit: Duration,
    exit: Duration,
    memory: u64,
    recheck_percent: u8,
    rechecks: Stream,
    /// The signal that makes it show where it is when its time for an action is up.
    stop: Option<Signal>,
    /// How much of its error stream for one action is shown, in bytes.
    stderr_shown: usize,
    /// The processors of the thread that seated it, for a program that is kept alive.
    processors: ProcessorSet,
}

enum ProgramStart {
    Builtin(Arc<dyn Stateless>),
    /// With the program to start once it has said that it stays alive.
    Fresh(Box<Invocable>, ProgramSpec),
    KeptAlive(Box<KeptAlive>),
}

/// How much of a program's error stream for one action is shown, in bytes.
pub(crate) const STDERR_SHOWN: usize = 2 << 10;

/// A program that reads one input after another.
struct KeptAlive {
    program: ProgramSpec,
    processors: ProcessorSet,
    process: Option<Process>,
    /// The length of the process's error stream when it was last asked.
    before: u64,
    /// The error stream of the last process that ended: what it wrote after it was last asked.
    stderr: String,
    last_stderr: String,
    stderr_shown: usize,
    peak: u64,
}

/// The result of one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Response {
    /// All of the program's answer, or why it has none.
    answer: Result<Vec<u8>, Failure>,
    moment: Moment,
}

/// Why an invocation has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Failure {
    /// The program's own.
    Own(Reason),
    /// Not the program's: the judge was stopped, or a built-in failed.
    Judge(Fault),
}

impl Failure {
    /// A program that cannot start has only itself to blame, unless its jail or the system has no room for any program.
    fn of_start(error: SpawnError) -> Self {
        if error.is_fault_of_judge() {
            Self::Judge(Fault::judge_failed(error))
        } else {
            Self::own(ActionFailure::Start { why: error.to_string() })
        }
    }

    fn own(failure: ActionFailure) -> Self {
        Self::Own(Arc::new(failure))
    }
}

impl StatelessProgram {
    pub(super) fn take(
        prepared: &Prepared,
        limits: &GameLimits,
        seed: u64,
        builtins: Programs,
    ) -> Result<Result<Self, Fault>, AgentError> {
        let start = match prepared {
            Prepared::Builtin(name) => {
                let unknown = || AgentError::Unknown { name: name.clone(), builtins: String::new(), meant: None };
                ProgramStart::Builtin(builtins(name).ok_or_else(unknown)?)
            }
            Prepared::Program(program) => {
                ProgramStart::Fresh(Box::new(Invocable::new(program, limits.memory())?), program.clone())
            }
            Prepared::Broken(fault) => return Ok(Err(fault.clone())),
        };
        Ok(Ok(Self {
            start,
            seed,
            limit: limits.invocation(),
            exit: limits.exit(),
            memory: limits.memory(),
            recheck_percent: limits.recheck_percent,
            rechecks: Stream::new(seed, "recheck"),
            stop: None,
            stderr_shown: STDERR_SHOWN,
            processors: ProcessorSet::of_thread(),
        }))
    }

    /// Its answer to BEGIN; `stays` recognises the answer of a program that stays alive.
    ///
    /// Such a program may wait for more although its input has ended: then whatever it has written by the end of its
    /// time counts.
    pub(crate) fn begin(&mut self, stays: impl Fn(&[u8]) -> bool) -> Response {
        let seed = invocation_seed(self.seed, "begin");
        match &mut self.start {
            ProgramStart::Builtin(builtin) => respond(builtin.as_ref(), BEGIN, seed),
            ProgramStart::Fresh(invocable, _) => match invocable.run(BEGIN.as_bytes(), seed, self.limit, None) {
                Ok(Invocation { output, end: End::Late, moment, .. }) if stays(&output) => {
                    Response { answer: Ok(output), moment }
                }
                invocation => {
                    judge_invocation(invocation, self.limit, self.memory, || invocable.last_stderr(STDERR_SHOWN))
                }
            },
            ProgramStart::KeptAlive(_) => Response::failed(Failure::own(ActionFailure::HasBegun)),
        }
    }

    /// From now on each action may take `limit`, at whose end it is sent `stop`; as much of its error stream is shown
    /// as is kept.
    pub(crate) fn debug(&mut self, limit: Duration, stop: Option<Signal>) {
        (self.limit, self.stop, self.stderr_shown) = (limit, stop, STDERR_KEPT);
    }

    /// The time limit of an action.
    pub(crate) const fn limit(&self) -> Duration {
        self.limit
    }

    /// From now on it is kept alive. Built-ins need not be.
    pub(crate) fn stay(&mut self) {
        if let ProgramStart::Fresh(_, program) = &self.start {
            let mut program = program.clone();
            program.environment.push(("AGON_SEED".to_owned(), self.seed.to_string().into()));
            self.start = ProgramStart::KeptAlive(Box::new(KeptAlive::new(program, self.processors.clone())));
        }
    }

    /// Whether a process is started for each action.
    pub(crate) const fn starts_for_each_action(&self) -> bool {
        matches!(self.start, ProgramStart::Fresh(..))
    }

    /// Its answer to an input; `action` numbers the bout's actions and gives the invocation its seed.
    pub(crate) fn ask(&mut self, input: &str, action: u32) -> Response {
        let seed = invocation_seed(self.seed, &action.to_string());
        match &mut self.start {
            ProgramStart::Builtin(builtin) => respond(builtin.as_ref(), input, seed),
            ProgramStart::Fresh(invocable, _) => {
                let invocation = invocable.run(input.as_bytes(), seed, self.limit, self.stop);
                judge_invocation(invocation, self.limit, self.memory, || invocable.last_stderr(STDERR_SHOWN))
            }
            ProgramStart::KeptAlive(program) => {
                program.stderr_shown = self.stderr_shown;
                program.ask(input, self.limit, self.memory, self.stop)
            }
        }
    }

    /// Asks again in a fresh process, if this action is checked twice; built-ins never are.
    pub(crate) fn ask_again(&mut self, input: &str, action: u32) -> Option<Response> {
        if self.recheck_percent == 0 || self.rechecks.below(100) >= self.recheck_percent.into() {
            return None;
        }
        let seed = invocation_seed(self.seed, &action.to_string());
        match &mut self.start {
            ProgramStart::Builtin(_) => None,
            ProgramStart::Fresh(invocable, _) => Some(judge_invocation(
                invocable.run(input.as_bytes(), seed, self.limit, None),
                self.limit,
                self.memory,
                String::new,
            )),
            ProgramStart::KeptAlive(program) => {
                let mut fresh = KeptAlive::new(program.program.clone(), program.processors.clone());
                let response = fresh.ask(input, self.limit, self.memory, None);
                fresh.end(self.exit);
                Some(response)
            }
        }
    }

    /// The end of its error stream from the time when it was last asked.
    pub(crate) fn last_stderr(&mut self) -> String {
        match &mut self.start {
            ProgramStart::Builtin(_) => String::new(),
            ProgramStart::Fresh(invocable, _) => invocable.last_stderr(self.stderr_shown),
            ProgramStart::KeptAlive(program) => match &mut program.process {
                Some(process) => process.stderr_since(program.before, self.stderr_shown),
                None => program.last_stderr.clone(),
            },
        }
    }

    /// What to do about a file that it reports as missing and cannot see.
    pub(crate) fn hint(&self, stderr: &str) -> Option<String> {
        match &self.start {
            ProgramStart::Builtin(_) => None,
            ProgramStart::Fresh(_, program) => program.sight().hint(stderr),
            ProgramStart::KeptAlive(alive) => alive.program.sight().hint(stderr),
        }
    }

    /// The bout is over: a program that was kept alive gets END, and is ended.
    pub(crate) fn finish(&mut self) {
        if let ProgramStart::KeptAlive(program) = &mut self.start {
            program.end(self.exit);
        }
    }

    /// The tail of its error stream, and the most memory it was seen to use, in bytes.
    pub(crate) fn traces(&self) -> (String, u64) {
        match &self.start {
            ProgramStart::Builtin(_) => (String::new(), 0),
            ProgramStart::Fresh(invocable, _) => (invocable.stderr(), invocable.peak_memory()),
            ProgramStart::KeptAlive(program) => (program.stderr.clone(), program.peak),
        }
    }
}

impl KeptAlive {
    const fn new(program: ProgramSpec, processors: ProcessorSet) -> Self {
        Self {
            program,
            processors,
            process: None,
            before: 0,
            stderr: String::new(),
            last_stderr: String::new(),
            stderr_shown: STDERR_SHOWN,
            peak: 0,
        }
    }

    fn ask(&mut self, input: &str, limit: Duration, memory: u64, stop: Option<Signal>) -> Response {
        self.last_stderr.clear();
        self.before = self.process.as_ref().map_or(0, Process::stderr_length);
        if self.process.is_none()
            && let Err(failure) = self.start(limit, memory)
        {
            self.end(Duration::ZERO);
            return Response::failed(failure);
        }
        let Some(process) = &mut self.process else {
            return Response::failed(Failure::own(ActionFailure::NotRunning));
        };
        if let Some(line) = process.pending_output().split(|&byte| byte == b'\n').next().filter(|line| !line.is_empty())
        {
            let failure = Failure::own(ActionFailure::EarlyOutput { wrote: quote(line) });
            self.end(Duration::ZERO);
            return Response::failed(failure);
        }
        let (answer, moment) = exchange(process, input, limit, stop);
        if answer.is_err() {
            // A later answer would be taken for the next one's.
            self.end(Duration::ZERO);
        }
        Response { answer, moment }
    }

    /// Starts it and repeats BEGIN, now as the first of its lines.
    fn start(&mut self, limit: Duration, memory: u64) -> Result<(), Failure> {
        let start = || Process::start(&self.program, Some(memory));
        let mut process = self.processors.during(start).map_err(Failure::of_start)?;
        let (begun, _) = exchange(&mut process, BEGIN, limit, None);
        self.process = Some(process);
        begun.map(drop)
    }

    /// Sends END, waits for the exit, and kills what is left. Nothing that it does after END is judged.
    fn end(&mut self, grace: Duration) {
        let Some(mut process) = self.process.take() else { return };
        if !grace.is_zero() {
            let deadline = Instant::now() + grace;
            if process.write(format!("{END}\n").as_bytes(), grace).is_ok() {
                let _ = process.wait(deadline);
            }
        }
        process.end();
        self.peak = self.peak.max(process.peak_memory());
        self.stderr = process.stderr();
        self.last_stderr = process.stderr_since(self.before, self.stderr_shown);
    }
}

/// Sends one input and a newline, and reads one line, measuring the time. A program that is late is sent `stop`.
fn exchange(
    process: &mut Process,
    input: &str,
    limit: Duration,
    stop: Option<Signal>,
) -> (Result<Vec<u8>, Failure>, Moment) {
    let judge = |why: String| Failure::Judge(Fault::judge_failed(why));
    let before = process.stderr_length();
    let ended = |process: &mut Process, exit: ProcessExit| {
        let stderr = process.stderr_since(before, STDERR_SHOWN);
        Failure::Own(with_last_words(ActionFailure::Ended { exit: exit.into() }, &stderr))
    };
    let asked = match process.write(format!("{input}\n").as_bytes(), limit) {
        Ok(asked) => asked,
        Err(error) => {
            let failure = match error.kind() {
                io::ErrorKind::TimedOut => Failure::own(ActionFailure::InputTimeout),
                io::ErrorKind::BrokenPipe => match process.wait(Instant::now() + EXIT_CODE_WAIT) {
                    Ok(Some(exit)) => ended(process, exit),
                    Ok(None) => Failure::own(ActionFailure::ClosedInput),
                    Err(error) => judge(format!("cannot wait for the end of a program: {error}")),
                },
                _ => judge(format!("cannot write to a program: {error}")),
            };
            return (Err(failure), Moment { cpu: process.take_cpu(), ..Moment::default() });
        }
    };
    let Seen { event, when, judge_delay, .. } =
        wait_for_event(&mut [Some(process), None], &[Some(asked.written + limit), None], asked.written);
    let (wall, judge_delay) = asked.until(when, judge_delay);
    let cpu = process.take_cpu();
    let Delays { all: delay, machine } = process.take_delays(when);
    let moment = Moment { wall, cpu, delay, machine, judge_delay, ..Moment::default() }.whole_micros();
    let snapshot = matches!(event, ProcessEvent::Late(_)).then(|| process.snapshot());
    if let (ProcessEvent::Late(_), Some(signal)) = (&event, stop) {
        // If it cannot be stopped, there is no place to show.
        let _ = process.stop_by(signal, Instant::now() + STOP_TIME);
    }
    let answer = match event {
        // It counts if it may have come in time.
        ProcessEvent::Line(line) if moment.least() <= limit => Ok(line),
        ProcessEvent::Interrupted => Err(Failure::Judge(Fault::interrupted())),
        _ if crate::process::interrupted() => Err(Failure::Judge(Fault::interrupted())),
        ProcessEvent::Failed(why) => Err(judge(why)),
        _ if process.over_memory() => Err(Failure::own(ActionFailure::of_memory(process.memory().1))),
        _ if process.is_lost() => Err(judge(LOST.to_owned())),
        ProcessEvent::Line(line) | ProcessEvent::Late(line) => Err(Failure::own(late(&line, limit, &moment, snapshot))),
        ProcessEvent::Overlong(line) => Err(Failure::own(overlong(&line))),
        ProcessEvent::Closed(None) => Err(Failure::own(ActionFailure::ClosedOutput)),
        ProcessEvent::Closed(Some(exit)) | ProcessEvent::Exited(exit) => Err(ended(process, exit)),
    };
    (answer, moment)
}

/// For a program that closed its input, to show its exit code.
const EXIT_CODE_WAIT: Duration = Duration::from_millis(100);

impl Response {
    /// The answer, empty if there is none; the time it took; and what the program itself did wrong, if anything.
    ///
    /// # Errors
    /// The fault that is not the program's own, for which the bout must end.
    pub(crate) fn into_parts(self) -> Result<(Vec<u8>, Moment, Option<Reason>), Fault> {
        match self.answer {
            Ok(output) => Ok((output, self.moment, None)),
            Err(Failure::Own(text)) => Ok((Vec::new(), self.moment, Some(text))),
            Err(Failure::Judge(fault)) => Err(fault),
        }
    }

    fn failed(failure: Failure) -> Self {
        Self { answer: Err(failure), moment: Moment::default() }
    }
}

fn respond(builtin: &dyn Stateless, input: &str, seed: u64) -> Response {
    let (answer, moment) = timed(|| shielded(|| builtin.respond(input.as_bytes(), seed)));
    Response { answer: answer.map(String::into_bytes).map_err(Failure::Judge), moment: moment.whole_micros() }
}

/// A program's output counts whatever its exit code, as in ALPHANO's driver. After a death by a signal nothing counts,
/// nor after a failure without output. `stderr` returns the end of its error stream.
fn judge_invocation(
    invocation: Result<Invocation, SpawnError>,
    limit: Duration,
    memory: u64,
    stderr: impl FnOnce() -> String,
) -> Response {
    let Invocation { output, end, moment, snapshot } = match invocation {
        Ok(invocation) => invocation,
        Err(error) => return Response::failed(Failure::of_start(error)),
    };
    let answer = match end {
        End::Exit(exit @ ProcessExit::Signal(_)) => {
            Err(Failure::Own(with_last_words(ActionFailure::Died { exit: exit.into() }, &stderr())))
        }
        End::Exit(exit @ ProcessExit::Code(1..)) if output.is_empty() => {
            Err(Failure::Own(with_last_words(ActionFailure::NoOutput { exit: exit.into() }, &stderr())))
        }
        End::Exit(ProcessExit::Code(_)) => Ok(output),
        End::Late => Err(Failure::own(late(&output, limit, &moment, snapshot))),
        End::Overlong => Err(Failure::own(overlong(&output))),
        End::OutOfMemory => Err(Failure::own(ActionFailure::of_memory(Some(memory)))),
        End::Interrupted => Err(Failure::Judge(Fault::interrupted())),
        End::Failed(why) => Err(Failure::Judge(Fault::judge_failed(why))),
    };
    Response { answer, moment }
}

/// A failure with the last line of the program's error stream that names an exception.
fn with_last_words(failure: ActionFailure, stderr: &str) -> Reason {
    const MAX_CHARS: usize = 100;
    let Some(line) = stderr.lines().map(str::trim).rfind(|line| !line.is_empty()) else { return Arc::new(failure) };
    let line = text::line(line);
    let line = match line.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    };
    Arc::new(LastWords::Said { failure, line })
}

fn late(wrote: &[u8], limit: Duration, spent: &Moment, snapshot: Option<ProcessSnapshot>) -> ActionFailure {
    let (ms, state) = (limit.as_millis() as u64, cause::of_late_action(spent, snapshot));
    match wrote {
        [] => ActionFailure::Timeout { ms, state },
        wrote => ActionFailure::TimeoutWrote { ms, wrote: quote(wrote), state },
    }
}

fn overlong(wrote: &[u8]) -> ActionFailure {
    ActionFailure::TooLong { answer: quote(wrote), limit: MAX_ANSWER_BYTES }
}
