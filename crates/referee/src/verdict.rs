//! Verdicts on agents.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use agon_game::MoveError;
use agon_message::{IntoReason, Keyed, Stated, StatedArgument, messages, text_arguments};
use serde::{Deserialize, Serialize};

use crate::fault_kind::{CompileFailure, FaultKind, TimeSpent};
use crate::fault_reason::FaultReason;
use crate::process::{Moment, ProcessSnapshot, ProgramState};
use crate::protocol::{is_ok, is_ok_in_small_letters, quote};
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
    /// Its spelling in records and results.
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
#[serde(try_from = "StoredVerdict", into = "StoredVerdict")]
pub struct Fault {
    pub verdict: Verdict,
    /// The reason: "answered `MOVE 1 1 4 4`: distance 3 is neither a division nor a leap".
    pub reason: Stated,
    /// Its kind, with arguments; programs decide by this and never by the reason.
    pub kind: Option<FaultKind>,
    /// What the judge saw of the cause, and what the author may look for, line by line. A record does not prove it.
    pub cause: Box<[Stated]>,
}

messages! {
    /// A verdict with its reason, as one line.
    pub enum Headline {
        Fault { verdict: Verdict, reason: Stated } = "{verdict}: {reason}",
    }
}

text_arguments!(Verdict);

/// The question that a program did not answer in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    Ready,
    Turn,
}

impl Fault {
    /// A fault: its verdict and its reason.
    pub fn new(verdict: Verdict, reason: impl IntoReason) -> Self {
        Self { verdict, reason: Stated::from(&*reason.into_reason()), kind: None, cause: Box::default() }
    }

    /// The same with this kind.
    #[must_use]
    pub(crate) fn of_kind(self, kind: FaultKind) -> Self {
        Self { kind: Some(kind), ..self }
    }

    /// The same with its cause.
    #[must_use]
    pub fn because(self, cause: impl Into<Box<[Stated]>>) -> Self {
        Self { cause: cause.into(), ..self }
    }

    /// The fault of no agent: the judge was stopped.
    pub(crate) fn interrupted() -> Self {
        Self::new(Verdict::Interrupted, FaultReason::JudgeStopped)
    }

    /// The fault of no agent: the judge could not do its work, and why, in the system's words.
    pub(crate) fn judge_failed(why: impl fmt::Display) -> Self {
        Self::new(Verdict::Interrupted, FaultReason::JudgeFailed { why: why.to_string() })
    }

    /// The fault of an answer that came after the end of the clock, which had `left` and was granted `granted` beyond
    /// that: the agent's if that is certain, or else the machine's, which kept the judge from a processor for so long
    /// that the answer may have been in time.
    pub(crate) fn late(answer: &[u8], moment: &Moment, left: Duration, granted: Duration) -> Self {
        let answer = quote(answer);
        let time = TimeSpent::new(left, granted, moment, None);
        let kind = FaultKind::LateAnswer(time);
        let [took, ms] = [moment.wall, left].map(|time| time.as_millis() as u64);
        if time.is_late() {
            return Self::new(Verdict::Tle, FaultReason::LateAnswer { answer, took, left: ms }).of_kind(kind);
        }
        let [least, most, left, judge] = [moment.least(), moment.wall, left, moment.judge_delay]
            .map(|time| (time.as_micros() as f64 / 1000.0).to_string());
        let reason = if moment.machine.is_zero() {
            FaultReason::PerhapsLate { answer, least, most, left, judge }
        } else {
            let (waited, wall) = time.waited();
            FaultReason::LateOnBusyMachine { answer, took, left: ms, waited, wall, judge }
        };
        Self::new(Verdict::Interrupted, reason).of_kind(kind)
    }

    /// The fault of a question without an answer in `limit` plus `granted`: the agent's, unless the machine kept it
    /// from its processors. `wrote` is the part of an answer that exists; `limit` is what was left of `clock`, if the
    /// program has one for the whole game.
    pub(crate) fn no_answer(
        question: Question,
        wrote: &[u8],
        (limit, clock): (Duration, Option<Duration>),
        granted: Duration,
        spent: &Moment,
        snapshot: Option<ProcessSnapshot>,
    ) -> Self {
        let wrote = (!wrote.is_empty()).then(|| quote(wrote));
        // A look after the deadline has decided: that the judge itself was late means nothing.
        let spent = Moment { judge_delay: Duration::ZERO, ..*spent };
        let time = TimeSpent { partial: wrote.is_some(), ..TimeSpent::new(limit, granted, &spent, snapshot) };
        let (reason, kind) = match question {
            Question::Ready => {
                let within = limit.into();
                let reason = match wrote {
                    None => FaultReason::ReadyTimeout { within },
                    Some(wrote) => FaultReason::ReadyWithoutNewline { within, wrote },
                };
                (reason, FaultKind::NoReady(time))
            }
            Question::Turn => {
                let ms = limit.as_millis() as u64;
                let clock = clock.filter(|clock| limit < *clock).map(Into::into);
                let reason = match (clock, wrote) {
                    (None, None) => FaultReason::TurnTimeout { ms },
                    (None, Some(wrote)) => FaultReason::TurnWithoutNewline { ms, wrote },
                    (Some(clock), None) => FaultReason::ClockTimeout { ms, clock },
                    (Some(clock), Some(wrote)) => FaultReason::ClockWithoutNewline { ms, clock, wrote },
                };
                (reason, FaultKind::NoAnswer(time))
            }
        };
        Self::of_time(reason, &time).of_kind(kind)
    }

    /// The fault of a program that has not read its input within `limit` plus `granted`: the agent's, unless the
    /// machine kept it from its processors.
    pub(crate) fn no_input(limit: Duration, granted: Duration, spent: &Moment, snapshot: ProcessSnapshot) -> Self {
        let time = TimeSpent::new(limit, granted, spent, Some(snapshot));
        Self::of_time(FaultReason::InputTimeout, &time).of_kind(FaultKind::NoInput { time: Some(time) })
    }

    /// The fault of a program whose time is up: its own, or the machine's if the machine kept it from its processors.
    fn of_time(reason: FaultReason, time: &TimeSpent) -> Self {
        if time.is_late() {
            return Self::new(Verdict::Tle, reason);
        }
        let (waited, wall) = time.waited();
        Self::new(Verdict::Interrupted, FaultReason::BusyMachine { reason: Stated::from(&reason), waited, wall })
    }

    /// The fault of an answer to READY that is not `OK`, if it is one.
    pub(crate) fn not_ready(answer: &[u8]) -> Option<Self> {
        if is_ok(answer) {
            return None;
        }
        let small_letters = is_ok_in_small_letters(answer);
        let answer = quote(answer);
        let reason =
            if small_letters { FaultReason::OkInSmallLetters { answer } } else { FaultReason::NotOk { answer } };
        Some(Self::new(Verdict::Re, reason).of_kind(FaultKind::NotOk { small_letters }))
    }

    /// The fault of an answer to TURN that is not in the format.
    pub(crate) fn no_move(answer: &[u8]) -> Self {
        Self::new(Verdict::Re, FaultReason::NoMove { answer: quote(answer) }).of_kind(FaultKind::NoMove)
    }

    /// The fault of a move that the rules refuse.
    pub(crate) fn illegal(answer: &[u8], error: &MoveError) -> Self {
        let kind = FaultKind::Illegal { rule: error.rule().map(Into::into) };
        Self::new(Verdict::Re, FaultReason::Illegal { answer: quote(answer), error: error.clone() }).of_kind(kind)
    }

    /// The fault of a program that is asked per action and does not begin: what it did wrong instead.
    pub(crate) fn begin_failed(failure: Stated) -> Self {
        Self::new(Verdict::Re, FaultReason::BeginFailed { failure }).of_kind(FaultKind::NoBegin)
    }

    /// The fault of an answer to BEGIN that the rules refuse.
    pub(crate) fn begin_refused(answer: &[u8], error: &MoveError) -> Self {
        let answer = quote(answer.trim_ascii_end());
        let reason = FaultReason::BeginRefused { answer, error: error.clone() };
        Self::new(Verdict::Re, reason).of_kind(FaultKind::NoBegin)
    }

    /// Whether the machine was too busy to judge the agent: the agent is not at fault, and the bout must be played
    /// again.
    pub fn is_of_machine(&self) -> bool {
        is_of_machine(self.verdict, self.kind.as_ref())
    }

    /// True if the program was perhaps still loading when its time for READY was up: it did not wait for input.
    pub fn may_load(&self) -> bool {
        let loads = |time: &TimeSpent| !time.state.is_some_and(ProgramState::may_wait_for_input);
        self.verdict == Verdict::Tle && matches!(&self.kind, Some(FaultKind::NoReady(time)) if loads(time))
    }

    /// The verdict, and the reason in one line.
    pub fn headline(&self) -> Headline {
        Headline::Fault { verdict: self.verdict, reason: self.short_reason() }
    }

    /// The reason without the compiler's message, which has many lines.
    pub fn short_reason(&self) -> Stated {
        if self.kind != Some(FaultKind::Compile(CompileFailure::Errors)) {
            return self.reason.clone();
        }
        match self.reason.keyed.as_ref().and_then(|keyed| keyed.arguments.get("language")) {
            Some(StatedArgument::Text(language)) => {
                Stated::from(&FaultReason::NotCompiled { language: language.clone() })
            }
            // From a record that has only the text.
            _ => self.reason.text.lines().next().unwrap_or_default().trim_end_matches(':').into(),
        }
    }
}

/// Whether a time fault is the machine's.
fn is_of_machine(verdict: Verdict, kind: Option<&FaultKind>) -> bool {
    verdict == Verdict::Interrupted && kind.is_some_and(|kind| kind.time().is_some())
}

/// One agent's verdict in a result: OK, or a fault.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(from = "StoredVerdict", into = "StoredVerdict")]
pub struct AgentVerdict {
    pub verdict: Verdict,
    /// The reason, if it is not OK.
    pub reason: Option<Stated>,
    /// As [`Fault::kind`].
    pub kind: Option<FaultKind>,
    /// What the judge saw of the cause, if anything: see [`Fault::cause`].
    pub cause: Vec<Stated>,
}

impl AgentVerdict {
    /// OK.
    pub const OK: Self = Self { verdict: Verdict::Ok, reason: None, kind: None, cause: Vec::new() };

    /// Reason and cause for people: lines that steer no terminal. Empty when the verdict is OK.
    pub fn explanation(&self) -> Vec<String> {
        let texts = self.reason.iter().chain(&self.cause);
        texts.flat_map(|text| plain(&text.text).lines().map(str::to_owned).collect::<Vec<_>>()).collect()
    }

    /// Reason and cause, one message for each line; empty if the verdict is OK. A compiler's message is only in
    /// English.
    pub fn lines(&self) -> Vec<Stated> {
        let Some(fault) = self.fault() else { return Vec::new() };
        let mut reason = fault.reason.text.lines();
        let first = Stated { text: reason.next().unwrap_or_default().to_owned(), ..fault.short_reason() };
        let lines = [first].into_iter().chain(reason.map(Stated::from)).chain(fault.cause);
        lines.map(|line| line.map_texts(&|text| plain(text))).collect()
    }

    /// The reason in English; `None` when the verdict is OK.
    pub fn reason_text(&self) -> Option<&str> {
        self.reason.as_ref().map(|reason| reason.text.as_str())
    }

    /// The cause in English; `None` if the judge saw none.
    pub fn cause_text(&self) -> Option<String> {
        joined(&self.cause)
    }

    /// Whether the machine was too busy to judge the agent: the agent is not at fault, and the bout must be played
    /// again.
    pub fn is_of_machine(&self) -> bool {
        is_of_machine(self.verdict, self.kind.as_ref())
    }

    /// The fault, if it is one.
    pub fn fault(&self) -> Option<Fault> {
        let fault = || Fault {
            verdict: self.verdict,
            reason: self.reason.clone().unwrap_or_default(),
            kind: self.kind.clone(),
            cause: self.cause.as_slice().into(),
        };
        (self.verdict != Verdict::Ok).then(fault)
    }
}

impl From<Option<Fault>> for AgentVerdict {
    fn from(fault: Option<Fault>) -> Self {
        match fault {
            None => Self::OK,
            Some(Fault { verdict, reason, kind, cause }) => {
                Self { verdict, reason: Some(reason), kind, cause: cause.into_vec() }
            }
        }
    }
}

/// Lines in English as one text.
fn joined(lines: &[Stated]) -> Option<String> {
    let lines: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// A verdict as records store it: the English of its reason and cause, with keys and arguments for translations.
#[derive(Serialize, Deserialize)]
struct StoredVerdict {
    verdict: Verdict,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reason: Option<String>,
    #[serde(flatten)]
    kind: Option<FaultKind>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    cause: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    reason_key: Option<String>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty", default)]
    reason_arguments: BTreeMap<String, StatedArgument>,
    /// For each line of the cause; empty if no line has any.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    cause_messages: Vec<Option<Box<Keyed>>>,
}

impl From<AgentVerdict> for StoredVerdict {
    fn from(AgentVerdict { verdict, reason, kind, cause }: AgentVerdict) -> Self {
        let text = joined(&cause);
        let cause_messages: Vec<_> = cause.into_iter().map(|line| line.keyed).collect();
        let cause_messages = if cause_messages.iter().any(Option::is_some) { cause_messages } else { Vec::new() };
        let (reason, keyed) = reason.map_or((None, None), |reason| (Some(reason.text), reason.keyed));
        let keyed = keyed.map(|keyed| (Some(keyed.key), keyed.arguments));
        let (reason_key, reason_arguments) = keyed.unwrap_or_default();
        Self { verdict, reason, kind, cause: text, reason_key, reason_arguments, cause_messages }
    }
}

impl From<StoredVerdict> for AgentVerdict {
    fn from(stored: StoredVerdict) -> Self {
        let StoredVerdict { verdict, reason, kind, cause, reason_key, reason_arguments, cause_messages } = stored;
        let mut cause: Vec<Stated> = cause.unwrap_or_default().lines().map(Stated::from).collect();
        for (line, keyed) in cause.iter_mut().zip(cause_messages) {
            line.keyed = keyed;
        }
        let keyed = reason_key.map(|key| Box::new(Keyed { key, arguments: reason_arguments }));
        let reason = reason.map(|text| Stated { text, keyed });
        Self { verdict, reason, kind, cause }
    }
}

impl From<Fault> for StoredVerdict {
    fn from(fault: Fault) -> Self {
        AgentVerdict::from(Some(fault)).into()
    }
}

impl TryFrom<StoredVerdict> for Fault {
    type Error = &'static str;

    fn try_from(stored: StoredVerdict) -> Result<Self, Self::Error> {
        AgentVerdict::from(stored).fault().ok_or("the verdict of a fault is not OK")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_answer_that_is_certainly_late_loses() {
        let check = |wall, machine, judge_delay, left, reason: &str| {
            let [wall, machine, judge_delay, left] = [wall, machine, judge_delay, left].map(Duration::from_micros);
            let moment = Moment { wall, machine, judge_delay, ..Moment::default() };
            let fault = Fault::late(b"MOVE 1 1", &moment, left, Duration::ZERO);
            assert_eq!(fault.to_string(), reason);
            let of_machine = AgentVerdict::from(Some(fault)).is_of_machine();
            assert_eq!(of_machine, reason.starts_with("INTERRUPTED"));
        };
        check(10_001, 0, 0, 10_000, "TLE: answered `MOVE 1 1` after 10 ms with 10 ms left");
        check(30_000, 0, 19_000, 10_000, "TLE: answered `MOVE 1 1` after 30 ms with 10 ms left");
        check(
            30_000,
            0,
            20_500,
            10_000,
            "INTERRUPTED: answered `MOVE 1 1` after 9.5 to 30 ms with 10 ms left: the judge was itself kept from a \
             processor for up to 20.5 ms and cannot decide whether the answer was in time; the machine is too busy",
        );
        check(
            1_324_000,
            300_000,
            30_000,
            1_000_000,
            "INTERRUPTED: answered `MOVE 1 1` after 1324 ms with 1000 ms left: it waited for a processor for 300 of \
             1324 ms, and the judge for up to 30 ms; the machine is too busy",
        );
        check(1_324_000, 300_000, 0, 1_000_000, "TLE: answered `MOVE 1 1` after 1324 ms with 1000 ms left");
    }

    #[test]
    fn a_late_ready_is_no_late_answer() {
        let check = |question, limit: u64, machine: u64, wrote: &str, reason: &str| {
            let ms = Duration::from_millis;
            let spent = Moment { wall: ms(limit + 500), machine: ms(machine), ..Moment::default() };
            let time = (ms(limit), Some(ms(3000)));
            let fault = Fault::no_answer(question, wrote.as_bytes(), time, Duration::ZERO, &spent, None);
            assert_eq!(fault.to_string(), reason);
        };
        check(Question::Ready, 3000, 0, "", "TLE: no OK to READY within 3 s");
        check(Question::Ready, 1500, 0, "OK", "TLE: no OK to READY within 1500 ms; wrote `OK` without a newline");
        check(Question::Turn, 3000, 0, "", "TLE: no answer within 3000 ms");
        check(Question::Turn, 736, 0, "", "TLE: no answer within 736 ms, the rest of its 3 s for the game");
        check(
            Question::Ready,
            3000,
            2914,
            "",
            "INTERRUPTED: no OK to READY within 3 s: it waited for a processor for 2914 of 3500 ms; the machine is too \
             busy",
        );
    }

    #[test]
    fn an_ok_in_small_letters_needs_capitals() {
        let reason = |answer: &[u8]| Fault::not_ready(answer).map(|fault| fault.reason.text);
        assert_eq!(reason(b"ok").as_deref(), Some("answered `ok` to READY: `OK` in capitals expected"));
        assert_eq!(reason(b"Ok ").as_deref(), Some("answered `Ok ` to READY: `OK` in capitals expected"));
        assert_eq!(reason(b"NO").as_deref(), Some("answered `NO` to READY: `OK` expected"));
        assert_eq!(reason(b"OK"), None);
    }
}
