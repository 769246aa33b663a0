//! The cause of a failure in words: what the judge has seen, and what the author may look for.
//!
//! A cause accompanies the reason of a verdict and proves nothing: only the judge saw the times and memory that it
//! reports.

use std::time::Duration;

use agon_game::GameState;
use agon_message::{Message, Stated, messages};

use crate::advice::{self, Advice, FlushCall, StderrCall};
use crate::evaluation;
use crate::fault_reason::{Doing, LateAction};
use crate::process::{MemoryUsers, Moment, ProcessExit, ProcessSnapshot, ProgramState};
use crate::protocol::{Quoted, is_ok_in_small_letters, quote, quote_ends};
use crate::sight::Sight;

messages! {
    /// A line of a cause.
    pub enum Cause {
        Computes { times: Times } = "{times}: an endless loop, or too long a search?",
        KeptFromComputing { times: Times } = "{times}: too many programs, or an endless loop?",
        ComputesInTurn { times: Times } = "{times}: `TURN` carries its time left, which it must check",
        Spent(times: Times),
        NotBusy { ran: Ran } = "it was not busy: {ran}",
        NotBusyLate { ran: Ran } = "it was not busy: {ran}; did it sleep or wait?",
        LacksNewline { ran: Ran } =
            "it waits for its next line of input ({ran}): its answer lacks the newline at the end",
        WaitsForMore { ran: Ran } = "it has read all of its input and is waiting for more ({ran})",
        HasRead { doing: Doing, ran: Ran } = "it has read all of its input: {doing} ({ran})",
        Unread { bytes: u64, doing: Doing, ran: Ran } =
            "it has not read the last {bytes} bytes that it was sent: {doing} ({ran})",
        UnreadByte { doing: Doing, ran: Ran } = "it has not read the last 1 byte that it was sent: {doing} ({ran})",
        Stays { doing: Doing, ran: Ran } = "{doing} ({ran})",
        CheckFlush { call: FlushCall } =
            "check that it flushes its output ({call}) and does not wait for a line the judge never sends",
        Unflushed { wrote: Quoted, call: FlushCall } =
            "when its input ended it wrote {wrote}: it had not flushed its answer ({call}), or it waited for another \
             line before answering",
        UnflushedOrUnread { wrote: Quoted, call: FlushCall } =
            "when its input ended it wrote {wrote}: it had not flushed its answer ({call}), or had not read the line",
        WaitsForLine { call: FlushCall } =
            "it reads a line that the judge does not send, or it never flushes its answer ({call})",
        WaitsForTimer =
            "it waits for a timer, for a result that never comes, or for a line that the judge does not send",
        Idles { ms: u64 } = "it did not compute for {ms} ms of its moves: it sleeps, or waits for a timer",
        /// For the whole clock, in milliseconds.
        ClockUsed { used: u64, clock: u64 } = "its earlier moves had used {used} of the {clock} ms",
        MustExit = "a program must exit when it reads FINISH, or at the end of its input",
        EndedByItself = "it ended by itself: does it leave its loop, or return from main, too early?",
        MayNotBeRun = "as a shell says of a program that may not be run",
        NotFound = "as a shell reports a program that it does not find",
        Message { text: String } = "its message: {text}",
        LastMessage { text: String } = "its last message: {text}",
        ThenWrote { text: String } = "then it wrote {text}",
        LegalAnswer { example: String } = "an answer that is legal here: {example}",
        LegalMove { example: String } = "a move that is legal here: {example}",
        Capitals = "write MOVE in capitals",
        AnswersOnly(rule: AnswersOnly),
        OneAnswer { rule: AnswersOnly } = "each question has one line for an answer; {rule}",
        Signal(signal: SignalCause),
        Memory(memory: MemoryCause),
        Advice(advice: Advice),
    }

    /// Where messages belong.
    pub enum AnswersOnly {
        Stderr { call: StderrCall } = "standard output is for answers only; write messages to standard error: {call}",
    }

    /// What times alone show, in milliseconds.
    pub enum Times {
        Computed { cpu: String, wall: String } = "it computed for {cpu} of {wall} ms",
        ComputedOnSeveral { cpu: String, wall: String } =
            "it computed all the time, {cpu} ms on several processors within {wall} ms",
        Kept { cpu: String, wall: String, delay: String } =
            "it computed for {cpu} of {wall} ms, and for {delay} ms the machine kept it waiting for a processor",
    }

    /// How much a program computed, in milliseconds.
    pub enum Ran {
        Computed { cpu: String, wall: String } = "computed for {cpu} of {wall} ms",
        Waited { cpu: String, wall: String, delay: String } =
            "computed for {cpu} of {wall} ms, waited for a processor for {delay} ms",
    }

    /// What a signal usually means.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum SignalCause {
        Sigill = "SIGILL: an instruction that this processor does not have, or undefined behaviour",
        Sigtrap = "SIGTRAP: a trap of the compiler's checks, or a breakpoint",
        Sigabrt = "SIGABRT: a failed assertion, an uncaught C++ exception, or a corrupted heap",
        Sigbus = "SIGBUS: access to an address that does not exist",
        Sigfpe = "SIGFPE: a whole number divided by zero",
        Sigkill = "SIGKILL: another process killed it, or the system for want of memory",
        Sigsegv = "SIGSEGV: a wrong pointer, an index out of range, or a recursion without end",
        Sigpipe = "SIGPIPE: it wrote to a pipe without a reader",
        Sigalrm = "SIGALRM: its own alarm clock",
        Sigterm = "SIGTERM: another process asked it to end",
        Sigsys = "SIGSYS: a system call that the jail does not have; build 32-bit programs for 64 bits, or use --jail \
                  none",
    }

    /// How much memory a program used, and which of its processes used it.
    pub enum MemoryCause {
        Used(used: MemoryUsed),
        ByOne { used: MemoryUsed, processes: Stated } = "{used}; when last seen: {processes}",
        BySeveral { used: MemoryUsed, processes: Stated } =
            "{used}; the largest processes when last seen: {processes}",
    }

    /// How much memory a program used: `256 MiB`.
    pub enum MemoryUsed {
        OfLimit { used: String, limit: String } = "it used {used}, and the limit is {limit}",
        Limit { limit: String } = "the limit is {limit}",
        Used { used: String } = "it used {used}",
    }

    /// Processes and their memory.
    pub enum MemoryProcesses {
        One { name: String, pid: u32, memory: String } = "{name} (process {pid}) {memory}",
        Several { name: String, processes: usize, memory: String } = "{name} ({processes} processes) {memory}",
        And { first: Stated, next: Stated } = "{first}, {next}",
        AndOneMore { first: Stated } = "{first}, and 1 more",
        AndMore { first: Stated, count: usize } = "{first}, and {count} more",
    }
}

/// Messages as lines.
fn lines<M: Message>(messages: impl IntoIterator<Item = M>) -> Vec<Stated> {
    messages.into_iter().map(|message| Stated::from(&message)).collect()
}

/// Where messages belong, in the language of the program.
fn answers_only(program: &Sight) -> AnswersOnly {
    AnswersOnly::Stderr { call: advice::stderr(program) }
}

/// A delay that is worth a word.
const NOTABLE_DELAY: Duration = Duration::from_millis(5);

/// What a program that waited for more input wrote after its input had ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Buffered<'a> {
    /// This was not tried, or shows nothing.
    Unknown,
    /// This: it was in a buffer.
    Answer(&'a str),
    /// Nothing, although earlier answers had come.
    Nothing,
}

/// Why there was no answer in time. `spent` shows where the time went, `wrote` is the beginning of the answer, if there
/// was one.
pub fn of_silence(
    spent: &Moment,
    snapshot: Option<ProcessSnapshot>,
    wrote: &[u8],
    buffered: Buffered,
    program: &Sight,
) -> Vec<Stated> {
    if let Some(times) = of_times(spent) {
        let busy = is_busy(spent);
        return lines([if busy { Cause::Computes { times } } else { Cause::KeptFromComputing { times } }]);
    }
    let ran = ran(spent);
    let Some(ProcessSnapshot { state, unread }) = snapshot else { return lines([Cause::NotBusy { ran }]) };
    if matches!(state, ProgramState::WaitsForInput | ProgramState::Polls) && !wrote.is_empty() {
        return lines([Cause::LacksNewline { ran }]);
    }
    let doing = state.into();
    match unread {
        Some(1) => lines([Cause::UnreadByte { doing, ran }]),
        Some(bytes @ 2..) => lines([Cause::Unread { bytes, doing, ran }]),
        _ if !state.may_wait_for_input() => lines([Cause::HasRead { doing, ran }]),
        _ => {
            let waits = match state {
                ProgramState::WaitsForInput => Cause::WaitsForMore { ran },
                _ => Cause::HasRead { doing, ran },
            };
            let ahead = advice::line_by_line(program);
            let call = advice::flush(program);
            let cause = match buffered {
                Buffered::Unknown => Cause::CheckFlush { call },
                Buffered::Answer(text) => {
                    let wrote = quote(text.as_bytes());
                    match ahead {
                        None => Cause::Unflushed { wrote, call },
                        Some(_) => Cause::UnflushedOrUnread { wrote, call },
                    }
                }
                // Nothing more came when its input ended, but nothing would come from an unflushed stream either.
                Buffered::Nothing if state == ProgramState::WaitsForInput => {
                    return lines([waits, Cause::WaitsForLine { call }]);
                }
                Buffered::Nothing => return lines([waits, Cause::WaitsForTimer]),
            };
            lines([waits, cause].into_iter().chain(ahead.map(Cause::Advice)))
        }
    }
}

/// Why an answer came too late.
pub fn of_lateness(spent: &Moment) -> Vec<Stated> {
    lines([match of_times(spent) {
        Some(times) if is_busy(spent) => Cause::ComputesInTurn { times },
        Some(times) => Cause::Spent(times),
        None => Cause::NotBusyLate { ran: ran(spent) },
    }])
}

/// Why a program that does not compute in its moves has no time left.
pub fn of_idling(idle: Duration) -> Vec<Stated> {
    lines([Cause::Idles { ms: idle.as_millis() as u64 }])
}

/// Adds what was left on the clock to a cause, if an answer had much less time than the game.
pub fn with_used_clock(mut cause: Vec<Stated>, left: Duration, clock: Duration) -> Vec<Stated> {
    if left * 4 < clock * 3 {
        let [used, clock] = [clock.saturating_sub(left), clock].map(|time| time.as_millis() as u64);
        // After the first line, which stands for the whole where space is short.
        cause.insert(cause.len().min(1), Stated::from(&Cause::ClockUsed { used, clock }));
    }
    cause
}

/// Why an action has no answer in time, without figures, so that similar failures are counted together.
pub fn of_late_action(spent: &Moment, snapshot: Option<ProcessSnapshot>) -> LateAction {
    match snapshot.map(|snapshot| snapshot.state) {
        Some(ProgramState::Runs) => LateAction::Computes,
        _ if is_busy(spent) => LateAction::Computes,
        _ if of_times(spent).is_some() => LateAction::KeptWaiting,
        Some(ProgramState::WaitsForInput | ProgramState::Polls) => LateAction::WaitsForInput,
        Some(ProgramState::Unknown) | None => LateAction::NotBusy,
        Some(state) => LateAction::Does(state.into()),
    }
}

/// Why a program stayed after FINISH.
pub fn of_staying(spent: &Moment, snapshot: ProcessSnapshot) -> Vec<Stated> {
    let seen = match of_times(spent) {
        Some(times) => Cause::Spent(times),
        None => Cause::Stays { doing: snapshot.state.into(), ran: ran(spent) },
    };
    lines([seen, Cause::MustExit])
}

/// What the times alone show: it was busy, or the machine kept it from running.
fn of_times(spent: &Moment) -> Option<Times> {
    let Moment { wall, cpu, delay, .. } = *spent;
    let times = || (ms(cpu), ms(wall));
    if is_busy(spent) {
        let (text, all) = times();
        let several = cpu > wall * 6 / 5;
        Some(if several {
            Times::ComputedOnSeveral { cpu: text, wall: all }
        } else {
            Times::Computed { cpu: text, wall: all }
        })
    } else if delay >= NOTABLE_DELAY && delay * 4 >= wall && (cpu + delay) * 5 >= wall * 4 {
        let (text, all) = times();
        Some(Times::Kept { cpu: text, wall: all, delay: ms(delay) })
    } else {
        None
    }
}

/// Whether most of the time went into computing.
fn is_busy(spent: &Moment) -> bool {
    !spent.wall.is_zero() && spent.cpu * 5 >= spent.wall * 4
}

fn ran(spent: &Moment) -> Ran {
    let (cpu, wall) = (ms(spent.cpu), ms(spent.wall));
    if spent.delay >= NOTABLE_DELAY {
        Ran::Waited { cpu, wall, delay: ms(spent.delay) }
    } else {
        Ran::Computed { cpu, wall }
    }
}

/// Whole milliseconds, below ten with a tenth.
fn ms(time: Duration) -> String {
    let tenths = (time.as_micros() + 50) / 100;
    if tenths < 100 && !tenths.is_multiple_of(10) {
        format!("{}.{}", tenths / 10, tenths % 10)
    } else {
        ((tenths + 5) / 10).to_string()
    }
}

/// Which processes used the memory: `peak` and `limit` in bytes, and the largest processes at the last look.
pub fn of_memory(peak: u64, limit: Option<u64>, users: Option<&MemoryUsers>) -> Vec<Stated> {
    let mib = |bytes: u64| match (bytes as f64 / f64::from(1 << 20) * 10.0).round() / 10.0 {
        mib if mib >= 10.0 => format!("{mib:.0} MiB"),
        mib => format!("{mib} MiB"),
    };
    let used = match limit {
        Some(limit) if peak > 0 => MemoryUsed::OfLimit { used: mib(peak), limit: mib(limit) },
        Some(limit) => MemoryUsed::Limit { limit: mib(limit) },
        None => MemoryUsed::Used { used: mib(peak) },
    };
    let only = |used| lines([Cause::Memory(MemoryCause::Used(used))]);
    let Some(users) = users else { return only(used) };
    let listed = users.largest.iter().map(|user| {
        let (name, memory) = (quote(user.name.as_bytes()).to_string(), mib(user.bytes));
        Stated::from(&match user.processes {
            1 => MemoryProcesses::One { name, pid: user.pid, memory },
            processes => MemoryProcesses::Several { name, processes, memory },
        })
    });
    let listed = listed.reduce(|first, next| Stated::from(&MemoryProcesses::And { first, next }));
    let Some(first) = listed else { return only(used) };
    let left = users.processes - users.largest.iter().map(|user| user.processes).sum::<usize>();
    let processes = match left {
        0 => first,
        1 => Stated::from(&MemoryProcesses::AndOneMore { first }),
        count => Stated::from(&MemoryProcesses::AndMore { first, count }),
    };
    lines([Cause::Memory(if users.processes == 1 {
        MemoryCause::ByOne { used, processes }
    } else {
        MemoryCause::BySeveral { used, processes }
    })])
}

/// Why a program ended, based on how it ended and on the last line of its error stream.
pub fn of_exit(exit: ProcessExit, stderr: &str, program: &Sight) -> Vec<Stated> {
    let meaning = match exit {
        ProcessExit::Code(0) => Some(Cause::EndedByItself),
        ProcessExit::Code(126) => Some(Cause::MayNotBeRun),
        ProcessExit::Code(127) => Some(Cause::NotFound),
        // Elsewhere it is an exit code like any other.
        ProcessExit::Code(code @ 129..=159) if advice::is_shell(program) => of_signal(code - 128).map(Cause::Signal),
        ProcessExit::Code(_) => None,
        ProcessExit::Signal(signal) => of_signal(signal).map(Cause::Signal),
    };
    // A shell that reports a missing program may give advice after it.
    let missing = (exit == ProcessExit::Code(127)).then(|| stderr.lines().rfind(|line| line.contains("not found")));
    let missing = missing.flatten().map(|line| Cause::Message { text: quote_ends(line.trim().as_bytes()) });
    let message = missing.or_else(|| last_message(stderr));
    lines(meaning.into_iter().chain(message).chain(advice::of_message(stderr, program).map(Cause::Advice)))
}

/// The line in which a program says why it failed: the last line of its error stream that is not a place in a call
/// stack, a mark under a line of source, advice of a runtime, or a score.
pub fn last_message(stderr: &str) -> Option<Cause> {
    let lines: Vec<&str> = stderr.lines().collect();
    Some(Cause::LastMessage { text: quote_ends(lines[message_line(stderr)?].trim().as_bytes()) })
}

/// The number of that line, from 0; `None` if nothing was written.
pub fn message_line(stderr: &str) -> Option<usize> {
    let raw: Vec<&str> = stderr.lines().collect();
    let lines: Vec<&str> = raw.iter().map(|line| line.trim()).collect();
    let says = |line: &str| !line.is_empty() && evaluation::parse(line).is_none();
    // The first error of the compiler follows this line.
    let types = lines.iter().position(|line| line.contains("Unable to compile TypeScript:"));
    let types = types.and_then(|at| Some(at + 1 + lines[at + 1..].iter().position(|line| says(line))?));
    // Node names its version last, and may list the fields of an error's object after the error.
    let node = lines.iter().rposition(|line| says(line)).filter(|&last| lines[last].starts_with("Node.js v"));
    let error = node.and_then(|last| lines[..last].iter().rposition(|line| names_an_error(line)));
    let panic = lines.iter().rposition(|line| line.starts_with("panic: "));
    let panic = panic.filter(|&at| lines[at..].iter().any(|line| line.starts_with("goroutine ")));
    types.or(error).or(panic).or_else(|| {
        let mut rest = lines.len();
        while let Some(at) = lines[..rest].iter().rposition(|line| says(line)) {
            // Ruby marks a place in the line of source above.
            let marks = lines[at].contains('^') && lines[at].chars().all(|c| matches!(c, '^' | '~' | ' '));
            rest = if marks { at.saturating_sub(1) } else { at };
            if !marks && !is_about_a_message(raw[at]) {
                return Some(at);
            }
        }
        lines.iter().rposition(|line| says(line))
    })
}

/// The most useful lines of an error stream, at most this many: its end, or the message and the innermost places of the
/// stack if these alone would fill them.
pub fn end_of(stderr: &str, most: usize) -> Vec<&str> {
    let lines: Vec<&str> = stderr.trim_end().lines().collect();
    let end = lines.len().saturating_sub(most);
    let from = message_line(stderr).map_or(end, |message| end.min(message));
    lines.into_iter().skip(from).take(most).collect()
}

/// Whether a line begins like a JavaScript error: `TypeError: x is not a function`, `Error [CODE]: text`.
fn names_an_error(line: &str) -> bool {
    let line = line.strip_prefix("Uncaught ").unwrap_or(line);
    let name = line.split([':', ' ']).next().unwrap_or_default();
    let ends = name.len() < line.len() && (name.ends_with("Error") || name.ends_with("Exception"));
    ends && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Starts of lines that follow the message of a crash in some language: headings and ends of call stacks, and notices
/// of a runtime about itself.
const ABOUT_MESSAGES: [&str; 34] = [
    "$",
    "% halt",
    "??:? ",
    "Backtrace for:",
    "Backtrace:",
    "Call history:",
    "CallStack (from HasCallStack):",
    "Called from ",
    "Calls:",
    "Current stack trace:",
    "ERROR: Stream user_input:",
    "Error termination. Backtrace:",
    "Execution halted",
    "For built-in help, use ?-",
    "For online help and background, visit",
    "Full report at:",
    "Node.js v",
    "Please run ?- license.",
    "Possible solutions: ",
    "Raised at ",
    "Raised by primitive",
    "Re-raised at ",
    "SWI-Prolog comes with ABSOLUTELY NO WARRANTY",
    "Stack trace:",
    "Stacktrace:",
    "Welcome to SWI-Prolog",
    "/tmp/clojure-",
    "error: called from",
    "in expression starting at ",
    "in file included from ",
    "note: run with `RUST_BACKTRACE",
    "stack backtrace:",
    "stack traceback:",
    "unhandled condition in --disable-debugger mode",
];

/// Whether a line merely follows the message of a crash: a frame of the call stack, source, data, or a notice of a
/// runtime about itself.
fn is_about_a_message(raw: &str) -> bool {
    let line = raw.trim();
    // C++ says there what was thrown.
    if raw.starts_with([' ', '\t']) && !line.starts_with("what():") {
        return true;
    }
    let place =
        |rest: &str| rest.ends_with(')') || rest.rsplit(':').next().is_some_and(|end| end.parse::<u32>().is_ok());
    let numbered = |line: &str, ends: &[&str]| {
        let rest = line.trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < line.len() && ends.iter().any(|end| rest.starts_with(end))
    };
    ABOUT_MESSAGES.iter().any(|start| line.starts_with(start))
        || line.strip_prefix("at ").is_some_and(place)
        || line.strip_prefix("... ").and_then(|rest| rest.strip_suffix(" more")).is_some()
        || line.strip_prefix("from ").is_some_and(|rest| rest.contains(":in "))
        || line.starts_with("==") && line.ends_with("ABORTING")
        || line.strip_prefix('#').is_some_and(|rest| numbered(rest, &[" "]))
        || numbered(line, &[": (", ": 0x"])
        || line.chars().all(|c| "{}[](),;-=".contains(c))
        // Tcl quotes what it ran; Forth marks a word in the line of source.
        || line.starts_with('"') && line.ends_with('"')
        || line.contains(">>>") && line.contains("<<<")
        // Pike: `bot.pike:1: main()`.
        || line.split_once(": ").is_some_and(|(place, call)| {
            place.rsplit(':').next().is_some_and(|number| number.parse::<u32>().is_ok())
                && call.ends_with(')')
                && !call.contains(' ')
        })
}

/// What a signal usually means.
const fn of_signal(signal: i32) -> Option<SignalCause> {
    Some(match signal {
        4 => SignalCause::Sigill,
        5 => SignalCause::Sigtrap,
        6 => SignalCause::Sigabrt,
        7 => SignalCause::Sigbus,
        8 => SignalCause::Sigfpe,
        9 => SignalCause::Sigkill,
        11 => SignalCause::Sigsegv,
        13 => SignalCause::Sigpipe,
        14 => SignalCause::Sigalrm,
        15 => SignalCause::Sigterm,
        31 => SignalCause::Sigsys,
        _ => return None,
    })
}

/// A legal move in the judge's notation and, where people write it otherwise, as on the board: `MOVE 8 8` (H8).
pub fn example(state: &dyn GameState) -> Option<String> {
    let arguments = state.example()?;
    let mut after = state.boxed_clone();
    let letters = after.answer(&arguments).ok().and_then(|_| after.letters());
    Some(match letters.filter(|letters| *letters != arguments) {
        Some(letters) => format!("`MOVE {arguments}` ({letters})"),
        None => format!("`MOVE {arguments}`"),
    })
}

/// What is wrong with an answer to TURN that is not a move, and what would be one.
pub fn of_no_move(answer: &[u8], example: Option<String>, program: Option<&Sight>) -> Vec<Stated> {
    let text = String::from_utf8_lossy(answer);
    let text = text.trim();
    let numbers =
        |text: &str| text.split(|c: char| c.is_whitespace() || c == ',').all(|word| word.parse::<f64>().is_ok());
    let almost = text.is_empty() || text.to_ascii_uppercase().starts_with("MOVE") || numbers(text);
    let format = example.map(|example| Cause::LegalAnswer { example });
    let advice = program.and_then(|program| advice::of_message(text, program)).map(Cause::Advice);
    let stray = (!almost).then(|| Cause::AnswersOnly(answers_only(program.unwrap_or(&Sight::default()))));
    let is_small = !text.starts_with("MOVE") && text.to_ascii_uppercase().starts_with("MOVE ");
    lines(advice.or(stray).or(is_small.then_some(Cause::Capitals)).into_iter().chain(format))
}

/// What would have been right instead of a move that the rules reject.
pub fn of_illegal(example: Option<String>) -> Vec<Stated> {
    lines(example.map(|example| Cause::LegalMove { example }))
}

/// Why an answer to READY is not `OK`; `more` is the output after that line. Empty if the reason says it all.
pub fn of_not_ready(answer: &[u8], more: &[u8], program: &Sight) -> Vec<Stated> {
    // The output is an answer, and not a stray message.
    if is_ok_in_small_letters(answer) {
        return Vec::new();
    }
    let text = [answer, b"\n", more].concat();
    let advice = advice::of_message(&String::from_utf8_lossy(&text), program).map(Cause::Advice);
    // An interpreter may begin its message with an empty line.
    let said = more.split(|&byte| byte == b'\n').find(|line| !line.trim_ascii().is_empty());
    let said = said.filter(|_| answer.trim_ascii().is_empty());
    let said = said.map(|line| Cause::ThenWrote { text: quote_ends(line.trim_ascii()) });
    lines(said.into_iter().chain([advice.unwrap_or_else(|| Cause::AnswersOnly(answers_only(program)))]))
}

/// Why there was output before a question.
pub fn of_pending_output(program: &Sight) -> Vec<Stated> {
    lines([Cause::OneAnswer { rule: answers_only(program) }])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::MemoryUser;

    fn text(lines: &[Stated]) -> String {
        lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    fn spent(wall: u64, cpu: u64, delay: u64) -> Moment {
        let [wall, cpu, delay] = [wall, cpu, delay].map(Duration::from_micros);
        Moment { wall, cpu, delay, ..Moment::default() }
    }

    #[test]
    fn a_clock_that_was_used_up_before_is_named() {
        let ms = Duration::from_millis;
        let cause = || ["it was busy", "its last message: x"].map(Stated::from).to_vec();
        assert_eq!(with_used_clock(cause(), ms(4_000), ms(5_000)), cause());
        let named = "its earlier moves had used 4548 of the 5000 ms";
        let whole = format!("it was busy\n{named}\nits last message: x");
        assert_eq!(text(&with_used_clock(cause(), ms(452), ms(5_000))), whole);
        assert_eq!(text(&with_used_clock(Vec::new(), ms(452), ms(5_000))), named);
    }

    #[test]
    fn silence_has_a_cause() {
        let check = |spent: Moment, state, unread, wrote: &str, expected: &str| {
            let snapshot = Some(ProcessSnapshot { state, unread });
            let cause = text(&of_silence(&spent, snapshot, wrote.as_bytes(), Buffered::Unknown, &Sight::default()));
            assert!(cause.starts_with(expected), "{cause}\n{expected}");
        };
        let busy = "it computed for 498 of 500 ms: an endless loop, or too long a search?";
        check(spent(500_000, 498_000, 0), ProgramState::Runs, Some(0), "", busy);
        let several = "it computed all the time, 1900 ms on several processors within 500 ms: an endless loop";
        check(spent(500_000, 1_900_000, 0), ProgramState::Runs, Some(0), "", several);
        let kept = "it computed for 185 of 500 ms, and for 310 ms the machine kept it waiting for a processor: too \
                    many programs, or an endless loop?";
        check(spent(500_000, 185_000, 310_000), ProgramState::Runs, Some(0), "", kept);
        let waits = "it has read all of its input and is waiting for more (computed for 2.1 of 500 ms)\ncheck that \
                     it flushes its output (print(…, flush=True) in Python";
        check(spent(500_000, 2_100, 0), ProgramState::WaitsForInput, Some(0), "", waits);
        let polls = "it has read all of its input: it waits for an event, in poll or select (computed for 2 of 500 \
                     ms)\ncheck that it flushes its output (";
        check(spent(500_000, 2_000, 0), ProgramState::Polls, Some(0), "", polls);
        let locks = "it has read all of its input: it waits for a lock, a timer or another of its threads \
                     (computed for 2 of 500 ms)\ncheck that it flushes its output (";
        check(spent(500_000, 2_000, 0), ProgramState::WaitsForThread, Some(0), "", locks);
        let half = "it waits for its next line of input (computed for 2 of 500 ms): its answer lacks the newline";
        check(spent(500_000, 2_000, 0), ProgramState::WaitsForInput, Some(0), "MOVE 1 1", half);
        let asleep = "it has read all of its input: it sleeps (computed for 0.2 of 500 ms)";
        check(spent(500_000, 200, 0), ProgramState::Sleeps, Some(0), "", asleep);
        let deaf = "it has not read the last 15 bytes that it was sent: it sleeps (computed for 0.2 of 500 ms, waited \
                    for a processor for 20 ms)";
        check(spent(500_000, 200, 20_000), ProgramState::Sleeps, Some(15), "", deaf);
        assert_eq!(
            text(&of_silence(&spent(500_000, 0, 0), None, b"", Buffered::Unknown, &Sight::default())),
            "it was not busy: computed for 0 of 500 ms"
        );
    }

    #[test]
    fn lateness_has_a_cause() {
        let check = |spent: Moment, expected: &str| assert_eq!(text(&of_lateness(&spent)), expected);
        check(
            spent(520_000, 500_000, 0),
            "it computed for 500 of 520 ms: `TURN` carries its time left, which it must check",
        );
        check(spent(520_000, 3_000, 0), "it was not busy: computed for 3 of 520 ms; did it sleep or wait?");
    }

    #[test]
    fn a_late_action_has_a_cause_without_figures() {
        let check = |spent: Moment, state: Option<ProgramState>, expected: &str| {
            let cause = of_late_action(&spent, state.map(|state| ProcessSnapshot { state, unread: None }));
            assert!(cause.to_string().starts_with(expected), "{cause}");
        };
        check(spent(500_000, 490_000, 0), None, "it was still computing");
        check(spent(500_000, 190_000, 300_000), Some(ProgramState::Runs), "it was still computing");
        check(spent(500_000, 190_000, 300_000), None, "the machine kept it waiting");
        check(spent(500_000, 1_000, 0), None, "it did not compute all the time");
        check(spent(500_000, 1_000, 0), Some(ProgramState::WaitsForInput), "it is waiting for more input: check that");
        check(spent(500_000, 1_000, 0), Some(ProgramState::Sleeps), "it sleeps");
    }

    #[test]
    fn memory_has_users() {
        let user =
            |name: &str, pid, mib: u64| MemoryUser { name: name.to_owned(), processes: 1, pid, bytes: mib << 20 };
        let users = MemoryUsers { processes: 5, largest: vec![user("python3", 7, 200), user("a b", 9, 3)] };
        assert_eq!(
            text(&of_memory(256 << 20, Some(256 << 20), Some(&users))),
            "it used 256 MiB, and the limit is 256 MiB; the largest processes when last seen: `python3` (process 7) \
             200 MiB, `a b` (process 9) 3 MiB, and 3 more"
        );
        let one = MemoryUsers { processes: 1, largest: vec![user("bot", 7, 300)] };
        assert_eq!(
            text(&of_memory(300 << 20, Some(256 << 20), Some(&one))),
            "it used 300 MiB, and the limit is 256 MiB; when last seen: `bot` (process 7) 300 MiB"
        );
        let bomb = MemoryUser { processes: 57, ..user("python3", 7, 250) };
        let many = MemoryUsers { processes: 58, largest: vec![bomb, user("sh", 5, 1)] };
        assert_eq!(
            text(&of_memory(300 << 20, Some(256 << 20), Some(&many))),
            "it used 300 MiB, and the limit is 256 MiB; the largest processes when last seen: `python3` (57 processes) \
             250 MiB, `sh` (process 5) 1 MiB"
        );
        assert_eq!(text(&of_memory(0, Some(256 << 20), None)), "the limit is 256 MiB");
    }

    #[test]
    fn an_exit_has_a_meaning() {
        let program = |words: &str| {
            let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
            Sight::new(&agon_jail::Jail::default(), None, &words)
        };
        let check = |exit, stderr, expected: Option<&str>| {
            assert_eq!(text(&of_exit(exit, stderr, &program("/bin/bash bot.sh"))), expected.unwrap_or_default());
        };
        check(ProcessExit::Code(3), "", None);
        check(ProcessExit::Code(1), "Traceback:\nValueError: no\n\n", Some("its last message: `ValueError: no`"));
        let segv = "SIGSEGV: a wrong pointer, an index out of range, or a recursion without end";
        check(ProcessExit::Signal(11), "", Some(segv));
        check(ProcessExit::Code(139), "", Some(segv));
        // A runtime has exit codes of its own.
        assert_eq!(of_exit(ProcessExit::Code(139), "", &program("dotnet bot.dll")), []);
        let shell = "as a shell reports a program that it does not find";
        let said = "pyenv: python3.12: command not found\n\nIt exists in these versions:\n  3.12.1\n";
        let expected = format!("{shell}\nits message: `pyenv: python3.12: command not found`");
        check(ProcessExit::Code(127), said, Some(&expected));
        check(ProcessExit::Code(127), "oh\n", Some(&format!("{shell}\nits last message: `oh`")));
        let cause = "Caused by: java.lang.ClassNotFoundException: Main";
        let said = format!("Error: Could not find or load main class Main\n{cause}\n");
        let source = Sight::new(&agon_jail::Jail::default(), Some("Main.java".as_ref()), &["java".to_owned()]);
        let of_source = text(&of_exit(ProcessExit::Code(1), &said, &source));
        assert!(of_source.starts_with(&format!("its last message: `{cause}`\na Java source starts at its")));
        let of_command = text(&of_exit(ProcessExit::Code(1), &said, &program("java Main")));
        assert!(of_command.contains("java -cp DIR Bot") && !of_command.contains("rename"), "{of_command}");
        let old = text(&of_exit(ProcessExit::Signal(31), "", &program("sml @SMLload=bot")));
        assert!(old.contains("build 32-bit programs for 64 bits"), "{old}");
    }

    #[test]
    fn an_empty_answer_to_ready_is_shown_with_what_follows() {
        let said = |answer: &[u8], more: &[u8]| text(&of_not_ready(answer, more, &Sight::default()));
        let php = said(b"", b"Fatal error: Uncaught Error: Call to undefined function ctype_digit()\nStack trace:\n");
        assert!(php.starts_with("then it wrote `Fatal error: Uncaught Error: Call to undefined"), "{php}");
        assert!(said(b"", b"").starts_with("standard output is for answers only"));
        assert!(said(b"hello", b"OK\n").starts_with("standard output is for answers only"));
        assert_eq!([said(b"ok", b""), said(b" Ok ", b"debug")], ["", ""], "the reason asks for capitals");
        assert!(said(b"[0.1s][warning] Failed to start thread", b"").contains("64 processes and threads at once"));
    }

    #[test]
    fn the_message_of_a_crash_is_found_among_the_places_of_its_stack() {
        let check = |stderr: &str, expected: &str| {
            assert_eq!(
                last_message(stderr).unwrap().to_string(),
                format!("its last message: `{expected}`"),
                "{stderr}"
            );
        };
        check(
            "bot.js:4\nfunction put(m) { t[m[0]] = 1; }\n                         ^\n\nTypeError: Cannot set \
             properties of undefined\n    at put (bot.js:4:37)\n    at Socket.ondata (node:internal:246:23)\n\n\
             Node.js v20.20.2\n",
            "TypeError: Cannot set properties of undefined",
        );
        check(
            "node:internal\n  throw err;\n  ^\n\nError: Cannot find module './x'\nRequire stack:\n- /bot.js\n    \
             at f (a:1:2) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/bot.js' ]\n}\n\nNode.js v20.20.2\n",
            "Error: Cannot find module './x'",
        );
        check(
            "depth 3\nException in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: Index 5\n\tat \
             Main.f(Main.java:3)\n\tat Main.main(Main.java:2)\n",
            "Exception in thread \"main\" java.lang.ArrayIndexOutOfBoundsException: Index 5",
        );
        let caused = "Exception in thread \"main\" java.lang.Error\n\tat A.a(A.java:1)\nCaused by: \
                      java.io.IOException: full\n\tat A.b(A.java:2)\n\t... 1 more\n";
        check(caused, "Caused by: java.io.IOException: full");
        check(
            "bot.rb:4:in `<main>': undefined method `foo' for nil (NoMethodError)\n\n  x.foo if l\n   ^^^^\n",
            "bot.rb:4:in `<main>': undefined method `foo' for nil (NoMethodError)",
        );
        check(
            "bot.rb:1:in `f': no (RuntimeError)\n\tfrom bot.rb:3:in `<main>'\n",
            "bot.rb:1:in `f': no (RuntimeError)",
        );
        check(
            "thread 'main' panicked at bot.rs:1:9:\nindex out of bounds: the len is 0 but the index is 14\nnote: run \
             with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
            "index out of bounds: the len is 0 but the index is 14",
        );
        check(
            "panic: no move\n\ngoroutine 1 [running]:\nmain.main()\n\t/a.go:4 +0x1d\nexit status 2\n",
            "panic: no move",
        );
        check("==7==ERROR: x\nSUMMARY: heap-buffer-overflow\n==7==ABORTING\n", "SUMMARY: heap-buffer-overflow");
        for (stderr, expected) in IN_LANGUAGES {
            check(stderr, expected);
        }
        // A text that merely looks like part of a stack is all there is.
        check("at the end of my ideas\n", "at the end of my ideas");
        check("^^^\n", "^^^");
        check("at f (a:1)\nat g (a:2)\n", "at g (a:2)");
        assert!(last_message("\n \n").is_none());
        let deep = "one\ntwo\nError: no\n    at f (a:1)\n    at g (a:2)\n    at h (a:3)\n\nNode.js v20\n";
        assert_eq!(end_of(deep, 3), ["Error: no", "    at f (a:1)", "    at g (a:2)"]);
        assert_eq!(end_of("one\ntwo\nthree\n\n", 2), ["two", "three"]);
        assert!(end_of("", 2).is_empty());
    }

    /// Error streams of interpreters and runtimes after a crash, and the line with the error.
    const IN_LANGUAGES: [(&str, &str); 28] = [
        ("Error in f(1) : no board\nCalls: f\nExecution halted\n", "Error in f(1) : no board"),
        (
            "lua5.4: e.lua:2: attempt to index a nil value\nstack traceback:\n\te.lua:2: in main chunk\n\t[C]: in ?\n",
            "lua5.4: e.lua:2: attempt to index a nil value",
        ),
        (
            "** (RuntimeError) no board\n    e.exs:1: (file)\n    (elixir 1.14.0) lib/code.ex:1245: Code.f/2\n",
            "** (RuntimeError) no board",
        ),
        (
            "escript: exception error: no function clause matching lists:nth(2,[])\n  in function  \
             erl_eval:local_func/8 (erl_eval.erl, line 644)\n  in call from init:start_em/1 \n",
            "escript: exception error: no function clause matching lists:nth(2,[])",
        ),
        (
            "bot: Prelude.head: empty list\nCallStack (from HasCallStack):\n  error, called at x.hs:1:2\n",
            "bot: Prelude.head: empty list",
        ),
        (
            "Fatal error: exception Failure(\"hd\")\nRaised at Stdlib.failwith in file \"stdlib.ml\", line 29\nCalled \
             from Bot in file \"bot.ml\", line 1\n",
            "Fatal error: exception Failure(\"hd\")",
        ),
        (
            "car: contract violation\n  expected: pair?\n  given: 1\n  context...:\n   body of \"e.rkt\"\n",
            "car: contract violation",
        ),
        (
            "Backtrace:\nIn ice-9/eval.scm:\n    155:9  0 (_ _)\n\ne.scm:1:9: In procedure car: Wrong type argument: \
             1\n",
            "e.scm:1:9: In procedure car: Wrong type argument: 1",
        ),
        (
            "\nError: (import) cannot import from undefined module: nonesuch\n\n\tCall history:\n\n\t<syntax>\t  \
             (import (chicken io) (nonesuch))\t<--\n",
            "Error: (import) cannot import from undefined module: nonesuch",
        ),
        (
            "Unhandled TYPE-ERROR in thread 1:\n  The value\n    1\n  is not of type\n    LIST\n\nBacktrace for: 1\n0: \
             (F 1)\n1: (EVAL-TLF (F 1) 1 NIL)\n\nunhandled condition in --disable-debugger mode, quitting\n",
            "Unhandled TYPE-ERROR in thread 1:",
        ),
        (
            "Execution error (NullPointerException) at user/f (e.clj:1).\nCannot invoke \"Object.f()\"\n\nFull report \
             at:\n/tmp/clojure-27.edn\n",
            "Cannot invoke \"Object.f()\"",
        ),
        (
            "Caught: groovy.lang.E: No signature of method: x\nPossible solutions: or()\ngroovy.lang.E: No signature \
             of method: x\nPossible solutions: or()\n\tat e.f(e.groovy:1)\n",
            "groovy.lang.E: No signature of method: x",
        ),
        (
            "can't read \"y\": no such variable\n    while executing\n\"expr {$x + $y} \"\n    (procedure \"f\" line \
             1)\n    invoked from within\n\"f 1\"\n    (file \"e.tcl\" line 2)\n",
            "can't read \"y\": no such variable",
        ),
        ("no board\n  in sub f at e.raku line 1\n  in block <unit> at e.raku line 1\n\n", "no board"),
        (
            "ERROR: atom_length/2: Arguments are not sufficiently instantiated\nWelcome to SWI-Prolog (threaded)\n\
             SWI-Prolog comes with ABSOLUTELY NO WARRANTY. This is free software.\nPlease run ?- license. for \
             details.\n\nFor built-in help, use ?- help(Topic).\n\n% halt\n",
            "ERROR: atom_length/2: Arguments are not sufficiently instantiated",
        ),
        (
            "Attempt to index the empty array with 3.\ne.pike:1: /main()->main()\n",
            "Attempt to index the empty array with 3.",
        ),
        (
            "\nin file included from *OS command line*:-1\ne.fs:1: Invalid memory address\n: f 0 @ ; \
             >>>f<<<\nBacktrace:\n$7F80D7C8D4D0 @ \n",
            "e.fs:1: Invalid memory address",
        ),
        (
            "PHP Fatal error:  Uncaught Error: Call to undefined function f() in e.php:2\nStack trace:\n#0 e.php(3): \
             f()\n#1 {main}\n  thrown in e.php on line 2\n",
            "PHP Fatal error:  Uncaught Error: Call to undefined function f() in e.php:2",
        ),
        (
            "\nUnhandled Exception:\nSystem.E: no\n  at Bot.Main () [0x0] in <3>:0 \n[ERROR] FATAL UNHANDLED \
             EXCEPTION: System.E: no\n  at Bot.Main () [0x0] in <3>:0 \n",
            "[ERROR] FATAL UNHANDLED EXCEPTION: System.E: no",
        ),
        (
            "Unhandled exception. System.E: no\n   at Program.Main() in /bot.cs:line 3\n",
            "Unhandled exception. System.E: no",
        ),
        (
            "ERROR STOP no board\n\nError termination. Backtrace:\n#0  0x7ff9496218c2 in ???\n\tat \
             ../csu/libc-start.c:360\n#7  0x5638b1f1f100 in ???\n",
            "ERROR STOP no board",
        ),
        ("Runtime error 200 at $00000000004010C8\n  $00000000004010C8\n\n", "Runtime error 200 at $00000000004010C8"),
        (
            "Unhandled exception: no board (Exception)\n  from e.cr:1:1 in '__crystal_main'\n  from ???\n",
            "Unhandled exception: no board (Exception)",
        ),
        (
            "core.exception.ArrayIndexError@e.d(1): index [1] is out of bounds\n----------------\n??:? \
             onArrayIndexError [0x7f]\n",
            "core.exception.ArrayIndexError@e.d(1): index [1] is out of bounds",
        ),
        (
            "error: no board\nerror: called from\n    f at line 2 column 3\n    e.m at line 4 column 1\n",
            "error: no board",
        ),
        (
            "ERROR: LoadError: UndefVarError: `x` not defined\nStacktrace:\n [1] top-level scope\n   @ e.jl:3\nin \
             expression starting at e.jl:3\n",
            "ERROR: LoadError: UndefVarError: `x` not defined",
        ),
        (
            "index.ts:859\n    return new TSError(diagnosticText)\n           ^\nTSError: ⨯ Unable to compile \
             TypeScript:\nbot.ts:1:5 - error TS2322: Type 'string' is not assignable\n\n1 let x: number = \"a\";\n     \
             \x20~\n\n    at createTSError (index.ts:859:12) {\n  diagnosticCodes: [ 2322 ]\n}\n",
            "bot.ts:1:5 - error TS2322: Type 'string' is not assignable",
        ),
        (
            "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::_M_range_check\n",
            "what():  vector::_M_range_check",
        ),
    ];

    #[test]
    fn a_stray_message_differs_from_a_wrong_format() {
        let check = |answer: &str, stray: bool| {
            let cause = text(&of_no_move(answer.as_bytes(), Some("`MOVE 1 1 1 2` (a7b7)".to_owned()), None));
            assert_eq!(cause.contains("standard error"), stray, "{answer}: {cause}");
            assert!(cause.ends_with("an answer that is legal here: `MOVE 1 1 1 2` (a7b7)"), "{cause}");
        };
        check("debug: 1 1", true);
        check("OK", true);
        check("move 1 1 1 2", false);
        assert!(text(&of_no_move(b"Move 1 1 1 2", None, None)).contains("MOVE in capitals"));
        check("MOVE1", false);
        check("1 1 1 2", false);
        check("1,1,1,2", false);
        check("", false);
    }
}
