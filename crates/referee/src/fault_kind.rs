//! The kind of a fault, as data for programs; people read the sentence next to it.

use std::borrow::Cow;
use std::time::Duration;

use agon_message::messages;
use serde::{Deserialize, Serialize};

use crate::clock::is_zero;
use crate::process::{Moment, ProcessExit, ProcessSnapshot, ProgramState};

/// The kind of a fault, with its arguments. A fault without one is the judge's own, or comes from an older record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum FaultKind {
    /// No answer to READY in its time.
    NoReady(TimeSpent),
    /// No answer to TURN while there was time left.
    NoAnswer(TimeSpent),
    /// An answer to TURN when no time was left.
    LateAnswer(TimeSpent),
    /// It was still running when its time after FINISH was up.
    NoExit(TimeSpent),
    /// It does not read its input.
    NoInput {
        /// What it had to read it; earlier records lack this.
        #[serde(flatten)]
        time: Option<TimeSpent>,
    },
    /// It answered READY with something other than `OK`.
    NotOk {
        /// It would be `OK` in capitals.
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        small_letters: bool,
    },
    /// It exceeded the memory limit, in MiB.
    Memory {
        #[serde(skip_serializing_if = "Option::is_none", default)]
        limit_mib: Option<u64>,
    },
    /// It ended with this exit code.
    Exit {
        code: i32,
        /// After FINISH, when it should have ended with 0.
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        finished: bool,
        /// Its error stream is blank.
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        silent: bool,
    },
    /// It was ended by this signal.
    Signal {
        signal: i32,
        /// After FINISH.
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        finished: bool,
    },
    /// It closed its input or its output.
    Closed,
    /// An answer to TURN that is not a MOVE.
    NoMove,
    /// An answer that is longer than the judge reads.
    TooLong,
    /// A move that the rules refuse.
    Illegal {
        /// Name of the rule that it breaks: [`MoveError::rule`](agon_game::MoveError::rule).
        #[serde(skip_serializing_if = "Option::is_none", default)]
        rule: Option<Cow<'static, str>>,
    },
    /// Output before a question, or after its answer.
    PendingOutput {
        /// After FINISH.
        #[serde(skip_serializing_if = "std::ops::Not::not", default)]
        finished: bool,
    },
    /// No answer to BEGIN, or one that the rules reject.
    NoBegin,
    /// The source does not compile.
    Compile(CompileFailure),
}

messages! {
    /// The name of a kind of fault, for tables.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum FaultName {
        NoReady = "no answer to READY in time",
        NotOk = "an answer to READY other than OK",
        NoAnswer = "no answer to TURN in time",
        LateAnswer = "an answer after the end of its time",
        NoExit = "no exit after FINISH",
        NoInput = "does not read its input",
        Memory = "out of memory",
        Exit = "ended before FINISH",
        ExitCode = "an exit code other than 0",
        Signal = "a crash",
        Closed = "closed its input or output",
        NoMove = "an answer that is no MOVE",
        TooLong = "an answer that is too long",
        Illegal = "an illegal move",
        PendingOutput = "output that was not asked for",
        NoBegin = "no valid answer to BEGIN",
        Compile = "does not compile",
        /// The judge's, or from a record older than kinds.
        Other = "another failure",
    }
}

/// Why a source was not compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "failure", rename_all = "kebab-case")]
pub enum CompileFailure {
    /// The compiler's errors.
    Errors,
    /// The compiler exceeded its time limit.
    Time,
    /// The compiler exceeded its memory limit.
    Memory,
    /// The compiler wrote more than it may.
    Disk,
}

/// The time a program had for an answer and where it went, in microseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct TimeSpent {
    /// The time that it had.
    pub limit_us: u64,
    /// What it was granted beyond that: the margin, and what the machine took from its earlier moves.
    #[serde(skip_serializing_if = "is_zero", default)]
    pub granted_us: u64,
    /// Wall time until the answer, or until the judge stopped waiting.
    pub wall_us: u64,
    /// CPU time of all its threads.
    pub cpu_us: u64,
    /// As [`Moment::machine`].
    #[serde(skip_serializing_if = "is_zero", default)]
    pub machine_us: u64,
    /// As [`Moment::judge_delay`].
    #[serde(skip_serializing_if = "is_zero", default)]
    pub judge_us: u64,
    /// What it was doing when the judge stopped waiting.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub state: Option<ProgramState>,
    /// For a program that waited for more input: whether its answer came when its input ended.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub unflushed: Option<bool>,
    /// An answer was begun: only its newline was missing.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub partial: bool,
    /// It had spent most of its clock in earlier moves without computing.
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub idle: bool,
}

impl TimeSpent {
    /// An answer that had `limit`, and `granted` beyond that, and cost this.
    pub fn new(limit: Duration, granted: Duration, spent: &Moment, snapshot: Option<ProcessSnapshot>) -> Self {
        let micros = |time: Duration| time.as_micros() as u64;
        // A program that is abandoned at the end of its time has used all of it.
        let wall_us = spent.wall.as_nanos().div_ceil(1000) as u64;
        Self {
            limit_us: micros(limit),
            granted_us: micros(granted),
            wall_us,
            cpu_us: micros(spent.cpu),
            machine_us: micros(spent.machine),
            judge_us: micros(spent.judge_delay),
            state: snapshot.map(|snapshot| snapshot.state),
            unflushed: None,
            partial: false,
            idle: false,
        }
    }

    /// Whether it would have been late even on a machine that does nothing else.
    pub const fn is_late(&self) -> bool {
        self.wall_us.saturating_sub(self.machine_us.saturating_add(self.judge_us))
            > self.limit_us.saturating_add(self.granted_us)
    }

    /// What the machine took from it, and its wall time, in milliseconds.
    pub(crate) const fn waited(&self) -> (u64, u64) {
        (self.machine_us / 1000, self.wall_us / 1000)
    }
}

impl FaultKind {
    /// How a program ended, before FINISH or afterwards; `stderr` is the end of its error stream.
    pub fn of_exit(exit: ProcessExit, finished: bool, stderr: &str) -> Self {
        match exit {
            ProcessExit::Code(code) => Self::Exit { code, finished, silent: stderr.trim().is_empty() },
            ProcessExit::Signal(signal) => Self::Signal { signal, finished },
        }
    }

    /// Its name for display.
    pub const fn name(&self) -> FaultName {
        match self {
            Self::NoReady(_) => FaultName::NoReady,
            Self::NotOk { .. } => FaultName::NotOk,
            Self::NoAnswer(_) => FaultName::NoAnswer,
            Self::LateAnswer(_) => FaultName::LateAnswer,
            Self::NoExit(_) => FaultName::NoExit,
            Self::NoInput { .. } => FaultName::NoInput,
            Self::Memory { .. } => FaultName::Memory,
            Self::Exit { finished: false, .. } => FaultName::Exit,
            Self::Exit { finished: true, .. } => FaultName::ExitCode,
            Self::Signal { .. } => FaultName::Signal,
            Self::Closed => FaultName::Closed,
            Self::NoMove => FaultName::NoMove,
            Self::TooLong => FaultName::TooLong,
            Self::Illegal { .. } => FaultName::Illegal,
            Self::PendingOutput { .. } => FaultName::PendingOutput,
            Self::NoBegin => FaultName::NoBegin,
            Self::Compile(_) => FaultName::Compile,
        }
    }

    /// The time for the answer, if this is a time fault.
    pub const fn time(&self) -> Option<&TimeSpent> {
        match self {
            Self::NoReady(time) | Self::NoAnswer(time) | Self::LateAnswer(time) | Self::NoExit(time) => Some(time),
            Self::NoInput { time } => time.as_ref(),
            _ => None,
        }
    }

    /// Whether the program ended by a failure of its own, which has a place in its source: a signal, or an exit code
    /// other than 0.
    pub const fn is_crash(&self) -> bool {
        match self {
            Self::Exit { code, .. } => *code != 0,
            Self::Signal { .. } | Self::Closed => true,
            _ => false,
        }
    }

    /// Whether it came after the game.
    pub const fn is_after_game(&self) -> bool {
        matches!(
            self,
            Self::NoExit(_)
                | Self::Exit { finished: true, .. }
                | Self::Signal { finished: true, .. }
                | Self::PendingOutput { finished: true }
        )
    }

    /// True if it concerns the answer to TURN, so that it belongs to a move of the game.
    pub const fn is_of_move(&self) -> bool {
        !self.is_after_game()
            && !matches!(self, Self::NoReady(_) | Self::NotOk { .. } | Self::NoBegin | Self::Compile(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::{AgentVerdict, Verdict};

    #[test]
    fn the_time_given_back_decides() {
        let check = |limit: u64, granted, wall, machine, judge, late| {
            let ms = Duration::from_millis;
            let spent = Moment { wall: ms(wall), machine: ms(machine), judge_delay: ms(judge), ..Moment::default() };
            let time = TimeSpent::new(ms(limit), ms(granted), &spent, None);
            assert_eq!(time.is_late(), late, "{time:?}");
        };
        check(1000, 0, 1001, 0, 0, true);
        check(1000, 0, 1000, 0, 0, false);
        check(1000, 0, 1324, 914, 0, false);
        check(1000, 0, 1324, 323, 0, true);
        check(1000, 0, 1324, 300, 24, false);
        check(1000, 324, 1324, 0, 0, false);
    }

    #[test]
    fn kinds_are_stored_beside_the_sentence() {
        let read = |text: &str| serde_json::from_str::<AgentVerdict>(text).unwrap();
        let time = TimeSpent { limit_us: 10_000, wall_us: 11_000, cpu_us: 3, ..TimeSpent::default() };
        let kind = FaultKind::NoAnswer(TimeSpent { state: Some(ProgramState::WaitsForInput), ..time });
        let judged = AgentVerdict {
            verdict: Verdict::Tle,
            reason: Some("no answer".into()),
            kind: Some(kind),
            cause: Vec::new(),
        };
        let text = serde_json::to_string(&judged).unwrap();
        let stored = r#"{"verdict":"TLE","reason":"no answer","kind":"no-answer","limit_us":10000,"wall_us":11000,"#;
        assert_eq!(text, stored.to_owned() + r#""cpu_us":3,"state":"waits-for-input"}"#);
        assert_eq!(read(&text), judged);
        let unread = AgentVerdict { kind: Some(FaultKind::NoInput { time: Some(time) }), ..judged };
        assert_eq!(read(&serde_json::to_string(&unread).unwrap()), unread);
        let before = r#"{"verdict":"TLE","reason":"does not read its input","kind":"no-input"}"#;
        assert_eq!(read(before).kind, Some(FaultKind::NoInput { time: None }));
        // From an older version, and from a newer one.
        assert_eq!(read(r#"{"verdict":"TLE","reason":"late"}"#).kind, None);
        assert_eq!(read(r#"{"verdict":"TLE","reason":"late","kind":"unheard-of","x":1}"#).kind, None);
        assert_eq!(serde_json::to_string(&AgentVerdict::from(None)).unwrap(), r#"{"verdict":"OK"}"#);
        let exit = FaultKind::of_exit(ProcessExit::Code(3), false, " \n");
        assert_eq!(serde_json::to_string(&exit).unwrap(), r#"{"kind":"exit","code":3,"silent":true}"#);
    }
}
