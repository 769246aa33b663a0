//! Why an agent got its verdict, as data: the English sentence with the key and arguments for translations.

use std::time::Duration;

use agon_game::MoveError;
use agon_jail::ProcessExit;
use agon_message::{Stated, messages};

use crate::process::ProgramState;
use crate::protocol::Quoted;

messages! {
    /// The reason of a fault.
    pub enum FaultReason {
        ReadyTimeout { within: Span } = "no OK to READY within {within}",
        ReadyWithoutNewline { within: Span, wrote: Quoted } =
            "no OK to READY within {within}; wrote {wrote} without a newline",
        TurnTimeout { ms: u64 } = "no answer within {ms} ms",
        TurnWithoutNewline { ms: u64, wrote: Quoted } = "no answer within {ms} ms; wrote {wrote} without a newline",
        /// The rest of its clock for the game, which is longer.
        ClockTimeout { ms: u64, clock: Span } = "no answer within {ms} ms, the rest of its {clock} for the game",
        ClockWithoutNewline { ms: u64, clock: Span, wrote: Quoted } =
            "no answer within {ms} ms, the rest of its {clock} for the game; wrote {wrote} without a newline",
        InputTimeout = "does not read its input",
        /// A fault by time that is the machine's; times in milliseconds.
        BusyMachine { reason: Stated, waited: u64, wall: u64 } =
            "{reason}: it waited for a processor for {waited} of {wall} ms; the machine is too busy",
        /// Times in milliseconds.
        LateAnswer { answer: Quoted, took: u64, left: u64 } = "answered {answer} after {took} ms with {left} ms left",
        /// Times in milliseconds.
        PerhapsLate { answer: Quoted, least: String, most: String, left: String, judge: String } =
            "answered {answer} after {least} to {most} ms with {left} ms left: the judge was itself kept from a \
             processor for up to {judge} ms and cannot decide whether the answer was in time; the machine is too busy",
        /// Times in milliseconds.
        LateOnBusyMachine { answer: Quoted, took: u64, left: u64, waited: u64, wall: u64, judge: String } =
            "answered {answer} after {took} ms with {left} ms left: it waited for a processor for {waited} of {wall} \
             ms, and the judge for up to {judge} ms; the machine is too busy",
        NotOk { answer: Quoted } = "answered {answer} to READY: `OK` expected",
        OkInSmallLetters { answer: Quoted } = "answered {answer} to READY: `OK` in capitals expected",
        NoMove { answer: Quoted } = "answered {answer}: `MOVE …` expected",
        TooLong { answer: Quoted, limit: usize } = "answered {answer}: longer than {limit} bytes",
        Illegal { answer: Quoted, error: MoveError } = "answered {answer}: {error}",
        BeginFailed { failure: Stated } = "asked to BEGIN: {failure}",
        BeginRefused { answer: Quoted, error: MoveError } = "answered {answer} to BEGIN: {error}",
        Memory { limit_mib: u64 } = "exceeded the memory limit ({limit_mib} MiB)",
        MemoryWithoutLimit = "exceeded the memory limit",
        EarlyOutput { wrote: Quoted } = "wrote {wrote} before it was asked",
        OutputAfterFinish { wrote: Quoted } = "wrote {wrote} after FINISH",
        Died { exit: Exit } = "died by {exit}",
        Ended { exit: Exit } = "ended before FINISH ({exit})",
        EndedAfterFinish { exit: Exit } = "ended after FINISH with {exit}",
        ClosedInput = "closed its input before FINISH",
        ClosedOutput = "closed its output before FINISH",
        NoExit { ms: u64 } = "did not exit within {ms} ms of FINISH",
        DoesNotStay { reason: Stated, variable: &'static str } =
            "does not stay for another game after FINISH ({reason}): leave out --stay, or have it wait for the next \
             READY where {variable} is set",
        CompileErrors { language: String, errors: String } = "{language} does not compile it:\n{errors}",
        /// The first line of the above.
        NotCompiled { language: String } = "{language} does not compile it",
        CompilerTimeout { compiler: &'static str, seconds: u64 } = "{compiler} did not finish within {seconds} s",
        CompilerMemory { compiler: &'static str, limit_mib: u64 } =
            "{compiler} exceeded its memory limit ({limit_mib} MiB)",
        CompilerOutput { compiler: &'static str, limit_mib: u64 } =
            "{compiler} wrote more than its limit ({limit_mib} MiB)",
        JudgeStopped = "the judge was stopped",
        JudgeFailed { why: String } = "the judge failed: {why}",
        BuiltinFailed { why: String } = "the built-in player failed: {why}",
        RulesRefuse { answer: Quoted, error: MoveError } = "the rules refuse {answer}: {error}",
        RecordFull { actions: u32, limit_mib: usize } =
            "the record of {actions} actions reached its limit ({limit_mib} MiB); play on a smaller board or for \
             fewer turns",
    }

    /// Why a program that is asked per action has no answer.
    #[derive(Clone, PartialEq, Eq)]
    pub enum ActionFailure {
        Timeout { ms: u64, state: LateAction } = "no answer within {ms} ms: {state}",
        TimeoutWrote { ms: u64, wrote: Quoted, state: LateAction } = "no answer within {ms} ms; wrote {wrote}: {state}",
        TooLong { answer: Quoted, limit: usize } = "answered {answer}: longer than {limit} bytes",
        Refused { answer: Quoted, error: MoveError } = "answered {answer}: {error}",
        EarlyOutput { wrote: Quoted } = "wrote {wrote} before it was asked",
        InputTimeout = "does not read its input",
        Ended { exit: Exit } = "ended before END ({exit})",
        Died { exit: Exit } = "died by {exit}",
        NoOutput { exit: Exit } = "no output, {exit}",
        ClosedInput = "closed its input before END",
        ClosedOutput = "closed its output before END",
        Memory { limit_mib: u64 } = "exceeded the memory limit ({limit_mib} MiB)",
        MemoryWithoutLimit = "exceeded the memory limit",
        NotRunning = "is not running",
        HasBegun = "has begun already",
        /// Another failure, in the words of the system.
        Start { why: String } = "{why}",
    }

    /// A failure with the last line of an error stream.
    pub enum LastWords {
        Said { failure: ActionFailure, line: String } = "{failure}: {line}",
    }

    /// What a program was doing whose action came too late, without figures.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum LateAction {
        Computes = "it was still computing, an endless loop?",
        KeptWaiting = "the machine kept it waiting for a processor, or an endless loop?",
        WaitsForInput = "it is waiting for more input: check that it flushes its output",
        NotBusy = "it did not compute all the time; did it sleep or wait?",
        Does(doing: Doing),
    }

    /// What a program is doing.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Doing {
        Runs = "it was running at the end",
        WaitsForInput = "it waits for input",
        Sleeps = "it sleeps",
        Stopped = "it was stopped, by a signal or a debugger",
        Polls = "it waits for an event, in poll or select",
        Reads = "it reads something that is not its input",
        Writes = "it waits to write",
        WaitsForChild = "it waits for a program that it has started",
        WaitsForThread = "it waits for a lock, a timer or another of its threads",
        WaitsForDisk = "it waits for a disk",
        Unknown = "the system does not say what it waits for",
    }

    /// How a program ended.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Exit {
        Code { code: i32 } = "exit code {code}",
        Signal { number: i32, name: &'static str } = "signal {number}, {name}",
    }

    /// A time limit.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Span {
        Seconds { count: u64 } = "{count} s",
        Milliseconds { count: u64 } = "{count} ms",
    }
}

impl From<ProcessExit> for Exit {
    fn from(exit: ProcessExit) -> Self {
        match exit {
            ProcessExit::Code(code) => Self::Code { code },
            ProcessExit::Signal(number) => Self::Signal { number, name: agon_jail::signal_name(number) },
        }
    }
}

impl From<ProgramState> for Doing {
    fn from(state: ProgramState) -> Self {
        match state {
            ProgramState::Runs => Self::Runs,
            ProgramState::WaitsForInput => Self::WaitsForInput,
            ProgramState::Sleeps => Self::Sleeps,
            ProgramState::Stopped => Self::Stopped,
            ProgramState::Polls => Self::Polls,
            ProgramState::Reads => Self::Reads,
            ProgramState::Writes => Self::Writes,
            ProgramState::WaitsForChild => Self::WaitsForChild,
            ProgramState::WaitsForThread => Self::WaitsForThread,
            ProgramState::WaitsForDisk => Self::WaitsForDisk,
            ProgramState::Unknown => Self::Unknown,
        }
    }
}

impl From<Duration> for Span {
    fn from(time: Duration) -> Self {
        match time.as_millis() as u64 {
            ms if ms >= 1000 && ms.is_multiple_of(1000) => Self::Seconds { count: ms / 1000 },
            ms => Self::Milliseconds { count: ms },
        }
    }
}

impl FaultReason {
    /// The reason of a failure by memory; `limit` in bytes.
    pub(crate) fn of_memory(limit: Option<u64>) -> Self {
        limit.map_or(Self::MemoryWithoutLimit, |limit| Self::Memory { limit_mib: limit >> 20 })
    }
}

impl ActionFailure {
    /// As [`FaultReason::of_memory`].
    pub(crate) fn of_memory(limit: Option<u64>) -> Self {
        limit.map_or(Self::MemoryWithoutLimit, |limit| Self::Memory { limit_mib: limit >> 20 })
    }
}
