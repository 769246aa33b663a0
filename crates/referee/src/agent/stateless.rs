//! A program that keeps no state, in its seat for a bout by invocations.

use std::io;
use std::time::{Duration, Instant};

use agon_game::Stateless;
use agon_game::seed::Stream;

use super::builtin::{shielded, thread_cpu};
use super::seat::interrupted;
use super::{AgentError, Prepared, Programs};
use crate::limits::GameLimits;
use crate::process::{End, Event, Exit, Invocable, Invocation, Moment, Process, Program, SpawnError, attend};
use crate::protocol::{BEGIN, END, LONGEST_ANSWER, quote};
use crate::verdict::Fault;

/// A program in its seat: run anew for every input, kept alive (LOOP), or within this one.
pub struct StatelessProgram {
    mode: Mode,
    seed: u64,
    limit: Duration,
    exit: Duration,
    memory: u64,
    recheck_percent: u8,
    rechecks: Stream,
}

enum Mode {
    Builtin(Box<dyn Stateless>),
    /// With what is started when it turns out to stay alive.
    Fresh(Box<Invocable>, Program),
    KeptAlive(Box<Staying>),
}

/// A program that reads one input after another.
struct Staying {
    program: Program,
    process: Option<Process>,
    /// The error streams of those that had to be started anew.
    stderr: String,
    peak: u64,
}

/// What a program had to say to one input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Said {
    /// Its answer, all of it; nothing when there is a problem.
    pub output: Vec<u8>,
    /// What it cost.
    pub moment: Moment,
    /// Why it said nothing that counts.
    pub problem: Option<Problem>,
}

/// Why an invocation has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Problem {
    /// The program's own fault, in words for its author.
    Own(String),
    /// Nobody's: the judge was stopped, or a built-in failed.
    Judge(Fault),
}

impl StatelessProgram {
    pub(super) fn take(
        prepared: &Prepared,
        limits: &GameLimits,
        seed: u64,
        builtins: Programs,
    ) -> Result<Result<Self, Fault>, AgentError> {
        let mode = match prepared {
            Prepared::Builtin(name) => {
                let unknown = || AgentError::Unknown { name: name.clone(), builtins: String::new() };
                Mode::Builtin(builtins(name).ok_or_else(unknown)?)
            }
            Prepared::Program(program) => {
                Mode::Fresh(Box::new(Invocable::new(program, limits.memory())?), program.clone())
            }
            Prepared::Broken(fault) => return Ok(Err(fault.clone())),
        };
        Ok(Ok(Self {
            mode,
            seed,
            limit: limits.invocation(),
            exit: limits.exit(),
            memory: limits.memory(),
            recheck_percent: limits.recheck_percent,
            rechecks: Stream::new(seed, "recheck"),
        }))
    }

    /// What it says to BEGIN; `accepted` says whether an answer is one of a program that stays alive.
    ///
    /// Such a program may well wait for more although its input has ended: then what it has written by the end of its
    /// time counts.
    pub(crate) fn begin(&mut self, stays: impl Fn(&[u8]) -> bool) -> Said {
        let seed = self.seed_of("begin");
        match &mut self.mode {
            Mode::Builtin(builtin) => respond(builtin.as_ref(), BEGIN, seed),
            Mode::Fresh(invocable, _) => match invocable.run(BEGIN.as_bytes(), seed, self.limit) {
                Ok(Invocation { output, end: End::Late, moment }) if stays(&output) => {
                    Said { output, moment: moment.whole_micros(), problem: None }
                }
                invocation => judge_invocation(invocation, self.limit),
            },
            Mode::KeptAlive(_) => Said::problem("has begun already"),
        }
    }

    /// From now on it is kept alive. Built-ins need not be.
    pub(crate) fn stay(&mut self) {
        if let Mode::Fresh(_, program) = &self.mode {
            let mut program = program.clone();
            program.environment.push(("AGON_SEED".to_owned(), self.seed.to_string().into()));
            let staying = Staying { program, process: None, stderr: String::new(), peak: 0 };
            self.mode = Mode::KeptAlive(Box::new(staying));
        }
    }

    /// Its answer to an input; `action` numbers the bout's actions and gives the invocation its seed.
    pub(crate) fn ask(&mut self, input: &str, action: u32) -> Said {
        let seed = self.seed_of(&action.to_string());
        match &mut self.mode {
            Mode::Builtin(builtin) => respond(builtin.as_ref(), input, seed),
            Mode::Fresh(invocable, _) => {
                judge_invocation(invocable.run(input.as_bytes(), seed, self.limit), self.limit)
            }
            Mode::KeptAlive(staying) => staying.ask(input, self.limit, self.memory),
        }
    }

    /// Asks again in a fresh process, if this action is one to be asked twice; built-ins never are.
    pub(crate) fn ask_again(&mut self, input: &str, action: u32) -> Option<Said> {
        if self.recheck_percent == 0 || self.rechecks.below(100) >= self.recheck_percent.into() {
            return None;
        }
        let seed = self.seed_of(&action.to_string());
        match &mut self.mode {
            Mode::Builtin(_) => None,
            Mode::Fresh(invocable, _) => {
                Some(judge_invocation(invocable.run(input.as_bytes(), seed, self.limit), self.limit))
            }
            Mode::KeptAlive(staying) => {
                let program = staying.program.clone();
                let mut fresh = Staying { program, process: None, stderr: String::new(), peak: 0 };
                let said = fresh.ask(input, self.limit, self.memory);
                fresh.end(self.exit);
                Some(said)
            }
        }
    }

    /// The bout is over: a program that was kept alive is told so, and ended.
    pub(crate) fn finish(&mut self) {
        if let Mode::KeptAlive(staying) = &mut self.mode {
            staying.end(self.exit);
        }
    }

    /// The tail of its error stream, and the most memory it was seen to use, in bytes.
    pub(crate) fn traces(&self) -> (String, u64) {
        match &self.mode {
            Mode::Builtin(_) => (String::new(), 0),
            Mode::Fresh(invocable, _) => (invocable.stderr(), invocable.peak_memory()),
            Mode::KeptAlive(staying) => (staying.stderr.clone(), staying.peak),
        }
    }

    /// The seed of one invocation: unrelated to all others, and small enough for any JSON reader.
    fn seed_of(&self, purpose: &str) -> u64 {
        Stream::new(self.seed, purpose).next() >> 11
    }
}

impl Staying {
    fn ask(&mut self, input: &str, limit: Duration, memory: u64) -> Said {
        if self.process.is_none()
            && let Err(problem) = self.start(limit, memory)
        {
            self.end(Duration::ZERO);
            return Said { output: Vec::new(), moment: Moment::default(), problem: Some(problem) };
        }
        let Some(process) = &mut self.process else { return Said::problem("is not running") };
        if let Some(line) = process.unasked().split(|&byte| byte == b'\n').next().filter(|line| !line.is_empty()) {
            let said = Said::problem(&format!("wrote {} before it was asked", quote(line)));
            self.end(Duration::ZERO);
            return said;
        }
        let start = Instant::now();
        let (answer, end) = exchange(process, input, start + limit, limit);
        let wall = end.saturating_duration_since(start);
        let moment = Moment { wall, cpu: process.take_cpu(), delay: process.take_delay() }.whole_micros();
        match answer {
            Ok(output) => Said { output, moment, problem: None },
            Err(problem) => {
                // An answer that came later would be taken for the next one's.
                self.end(Duration::ZERO);
                Said { output: Vec::new(), moment, problem: Some(problem) }
            }
        }
    }

    /// Starts it and repeats BEGIN, now as the first of its lines.
    fn start(&mut self, limit: Duration, memory: u64) -> Result<(), Problem> {
        let mut process =
            Process::start(&self.program, Some(memory)).map_err(|error| Problem::Own(error.to_string()))?;
        let (begun, _) = exchange(&mut process, BEGIN, Instant::now() + limit, limit);
        let _ = (process.take_cpu(), process.take_delay());
        self.process = Some(process);
        begun.map(drop)
    }

    /// Says END, waits for the exit, and makes sure of it. Nothing that it does after END is judged.
    fn end(&mut self, patience: Duration) {
        let Some(mut process) = self.process.take() else { return };
        if !patience.is_zero() {
            let deadline = Instant::now() + patience;
            if process.write(format!("{END}\n").as_bytes(), deadline).is_ok() {
                process.wait(deadline);
            }
        }
        process.end();
        self.peak = self.peak.max(process.peak_memory());
        self.stderr = process.stderr();
    }
}

/// One input and a newline, and one line back; and when that was seen.
fn exchange(
    process: &mut Process,
    input: &str,
    deadline: Instant,
    limit: Duration,
) -> (Result<Vec<u8>, Problem>, Instant) {
    if let Err(error) = process.write(format!("{input}\n").as_bytes(), deadline) {
        let text = match error.kind() {
            io::ErrorKind::TimedOut => "does not read its input".to_owned(),
            _ => match process.wait(Instant::now() + SHOWN) {
                Some(exit) => format!("ended before END ({exit})"),
                None => "closed its input before END".to_owned(),
            },
        };
        return (Err(Problem::Own(text)), Instant::now());
    }
    let (_, event, at) = attend(&mut [Some(process), None], &[Some(deadline), None]);
    let answer = match event {
        Event::Line(line) if at <= deadline => Ok(line),
        Event::Interrupted => Err(Problem::Judge(interrupted())),
        _ if crate::process::interrupted() => Err(Problem::Judge(interrupted())),
        _ if process.over_memory() => Err(Problem::Own("used more memory than it may".to_owned())),
        Event::Line(line) | Event::Late(line) => Err(Problem::Own(late(&line, limit))),
        Event::Overlong(line) => Err(Problem::Own(overlong(&line))),
        Event::Closed(None) => Err(Problem::Own("closed its output before END".to_owned())),
        Event::Closed(Some(exit)) | Event::Exited(exit) => Err(Problem::Own(format!("ended before END ({exit})"))),
    };
    (answer, at)
}

/// How long a program that closed its input is given to show its exit code.
const SHOWN: Duration = Duration::from_millis(100);

impl Said {
    /// What the program itself did wrong, if anything.
    ///
    /// # Errors
    /// The fault that is not its own, for which the bout must end.
    pub(crate) fn own_problem(&self) -> Result<Option<String>, Fault> {
        match &self.problem {
            None => Ok(None),
            Some(Problem::Own(text)) => Ok(Some(text.clone())),
            Some(Problem::Judge(fault)) => Err(fault.clone()),
        }
    }

    fn problem(text: &str) -> Self {
        Self { output: Vec::new(), moment: Moment::default(), problem: Some(Problem::Own(text.to_owned())) }
    }
}

fn respond(builtin: &dyn Stateless, input: &str, seed: u64) -> Said {
    let (start, cpu) = (Instant::now(), thread_cpu());
    let answer = shielded(|| builtin.respond(input.as_bytes(), seed));
    let moment = Moment { wall: start.elapsed(), cpu: thread_cpu().saturating_sub(cpu), delay: Duration::ZERO };
    match answer {
        Ok(text) => Said { output: text.into_bytes(), moment: moment.whole_micros(), problem: None },
        Err(fault) => Said { output: Vec::new(), moment: moment.whole_micros(), problem: Some(Problem::Judge(fault)) },
    }
}

/// What a program wrote counts whatever its exit code, as the contest's driver had it; a death by a signal leaves nothing
/// that counts, nor does a failure that wrote nothing.
fn judge_invocation(invocation: Result<Invocation, SpawnError>, limit: Duration) -> Said {
    let Invocation { output, end, moment } = match invocation {
        Ok(invocation) => invocation,
        Err(error) => return Said::problem(&error.to_string()),
    };
    let moment = moment.whole_micros();
    let problem = match end {
        End::Exit(Exit::Signal(_)) => Problem::Own(format!("died by {}", exit_of(end))),
        End::Exit(Exit::Code(0)) => return Said { output, moment, problem: None },
        End::Exit(_) if output.is_empty() => Problem::Own(format!("no output, {}", exit_of(end))),
        End::Exit(_) => return Said { output, moment, problem: None },
        End::Late => Problem::Own(late(&output, limit)),
        End::Overlong => Problem::Own(overlong(&output)),
        End::OutOfMemory => Problem::Own("used more memory than it may".to_owned()),
        End::Interrupted => Problem::Judge(interrupted()),
    };
    Said { output: Vec::new(), moment, problem: Some(problem) }
}

fn exit_of(end: End) -> String {
    match end {
        End::Exit(exit) => exit.to_string(),
        _ => String::new(),
    }
}

fn late(wrote: &[u8], limit: Duration) -> String {
    let wrote = if wrote.is_empty() { String::new() } else { format!("; wrote {}", quote(wrote)) };
    format!("no answer within {} ms{wrote}", limit.as_millis())
}

fn overlong(wrote: &[u8]) -> String {
    format!("answered {}: longer than {LONGEST_ANSWER} bytes", quote(wrote))
}
