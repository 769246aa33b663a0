//! Verdicts on agents.

use std::fmt;
use std::time::Duration;

use agon_game::MoveError;
use serde::{Deserialize, Serialize};

use crate::process::Moment;
use crate::protocol::{is_ok, quote};
use crate::text::plain;

/// The verdict on one agent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// A normal end, whoever won.
    Ok,
    /// Time limit exceeded: no answer in time.
    Tle,
    /// Runtime error: an answer that is not in the format, an illegal move, an end before FINISH, a crash.
    Re,
    Mle,
    /// Compile error: the source file does not compile.
    Ce,
    /// The judge itself failed or was stopped; never held against the agent.
    Interrupted,
}

impl Verdict {
    /// As records and results spell it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Tle => "TLE",
            Self::Re => "RE",
            Self::Mle => "MLE",
            Self::Ce => "CE",
            Self::Interrupted => "INTERRUPTED",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A verdict other than OK, and why, in words for the agent's author.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error("{verdict}: {reason}")]
pub struct Fault {
    pub verdict: Verdict,
    /// Why: "answered `MOVE 1 1 4 4`: distance 3 is neither a division nor a leap".
    pub reason: String,
    /// What the judge saw of the cause, and what the author may look for; a line or two. A record does not prove it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cause: Option<String>,
}

impl Fault {
    /// A fault: its verdict, and its reason in words.
    pub fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, reason: reason.into(), cause: None }
    }

    /// The same with its cause.
    #[must_use]
    pub fn because(self, cause: impl Into<String>) -> Self {
        Self { cause: Some(cause.into()), ..self }
    }

    /// The fault of no agent: the judge was stopped.
    pub(crate) fn interrupted() -> Self {
        Self::new(Verdict::Interrupted, "the judge was stopped")
    }

    /// The fault of no agent: the judge could not do its work, and why, in the system's words.
    pub(crate) fn judge_failed(why: impl fmt::Display) -> Self {
        Self::new(Verdict::Interrupted, format!("the judge failed: {why}"))
    }

    /// The fault of an answer that came after the end of the clock: the agent's if that is certain, the judge's if it
    /// was kept from a processor for so long that the answer may have been there in time.
    pub(crate) fn late(answer: &[u8], moment: &Moment, left: Duration) -> Self {
        let answer = quote(answer);
        if moment.least() > left {
            let (took, left) = (moment.wall.as_millis(), left.as_millis());
            return Self::new(Verdict::Tle, format!("answered {answer} after {took} ms with {left} ms left"));
        }
        let [least, wall, left, waited] =
            [moment.least(), moment.wall, left, moment.judge_delay].map(|time| time.as_micros() as f64 / 1000.0);
        let reason = format!(
            "answered {answer} after {least} to {wall} ms with {left} ms left: the judge was itself kept from a \
             processor for up to {waited} ms and cannot decide whether the answer was in time; the machine is too busy"
        );
        Self::new(Verdict::Interrupted, reason)
    }

    /// The fault of an answer to READY that is not `OK`, if it is one.
    pub(crate) fn not_ready(answer: &[u8]) -> Option<Self> {
        let refused = || Self::new(Verdict::Re, format!("answered {} to READY: `OK` expected", quote(answer)));
        (!is_ok(answer)).then(refused)
    }

    /// The fault of an answer to TURN that is not in the format.
    pub(crate) fn no_move(answer: &[u8]) -> Self {
        Self::new(Verdict::Re, format!("answered {}: `MOVE …` expected", quote(answer)))
    }

    /// The fault of a move that the rules refuse.
    pub(crate) fn illegal(answer: &[u8], error: &MoveError) -> Self {
        Self::new(Verdict::Re, format!("answered {}: {error}", quote(answer)))
    }

    /// The fault of a program that is asked per action and does not begin: what it did wrong instead.
    pub(crate) fn begin_failed(failure: &str) -> Self {
        Self::new(Verdict::Re, format!("asked to BEGIN: {failure}"))
    }

    /// The fault of an answer to BEGIN that the rules refuse.
    pub(crate) fn begin_refused(answer: &[u8], error: &MoveError) -> Self {
        Self::new(Verdict::Re, format!("answered {} to BEGIN: {error}", quote(answer.trim_ascii_end())))
    }

    /// The verdict and the first line of the reason: a compiler's message has many.
    pub fn headline(&self) -> String {
        let line = self.reason.lines().next().unwrap_or_default();
        format!("{}: {}", self.verdict, line.trim_end_matches(':'))
    }
}

/// The reason of a failure by memory; `limit` in bytes.
pub(crate) fn exceeded_memory(limit: Option<u64>) -> String {
    let limit = limit.map_or_else(String::new, |limit| format!(" ({} MiB)", limit >> 20));
    format!("exceeded the memory limit{limit}")
}

/// One agent's verdict in a result: OK, or a fault.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AgentVerdict {
    pub verdict: Verdict,
    /// Why, when it is not OK.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
    /// What the judge saw of the cause, where it saw any: see [`Fault::cause`].
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cause: Option<String>,
}

impl AgentVerdict {
    /// Reason and cause for people: lines that steer no terminal. Empty when the verdict is OK.
    pub fn explanation(&self) -> Vec<String> {
        let texts = [&self.reason, &self.cause].into_iter().flatten();
        texts.flat_map(|text| plain(text).lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    /// The fault, if it is one.
    pub(crate) fn fault(&self) -> Option<Fault> {
        let fault = || Fault {
            verdict: self.verdict,
            reason: self.reason.clone().unwrap_or_default(),
            cause: self.cause.clone(),
        };
        (self.verdict != Verdict::Ok).then(fault)
    }
}

impl From<Option<Fault>> for AgentVerdict {
    fn from(fault: Option<Fault>) -> Self {
        match fault {
            None => Self { verdict: Verdict::Ok, reason: None, cause: None },
            Some(fault) => Self { verdict: fault.verdict, reason: Some(fault.reason), cause: fault.cause },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_answer_that_is_certainly_late_loses() {
        let check = |wall, judge_delay, left, reason| {
            let [wall, judge_delay, left] = [wall, judge_delay, left].map(Duration::from_micros);
            let fault = Fault::late(b"MOVE 1 1", &Moment { wall, judge_delay, ..Moment::default() }, left);
            assert_eq!(fault.to_string(), reason);
        };
        check(10_001, 0, 10_000, "TLE: answered `MOVE 1 1` after 10 ms with 10 ms left");
        check(30_000, 19_000, 10_000, "TLE: answered `MOVE 1 1` after 30 ms with 10 ms left");
        check(
            30_000,
            20_500,
            10_000,
            "INTERRUPTED: answered `MOVE 1 1` after 9.5 to 30 ms with 10 ms left: the judge was itself kept from a \
             processor for up to 20.5 ms and cannot decide whether the answer was in time; the machine is too busy",
        );
    }
}
