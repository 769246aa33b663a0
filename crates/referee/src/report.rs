//! The judge's report on a bout, and its spectators.

use std::fmt;
use std::time::Duration;

use agon_game::{Evaluation, GameScore, GameState, Outcome, SeatName, Side};
use agon_message::{Stated, messages};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::process::{Moment, Remains, Tap};
use crate::verdict::{AgentVerdict, Fault, Headline, Verdict};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The side that moved first.
    First,
    /// The side that moved second.
    Second,
    /// Neither: the game was drawn.
    Draw,
    /// Neither: there was no game, or the judge was stopped.
    Void,
}

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Draw => "draw",
            Self::Void => "void",
        })
    }
}

impl From<Side> for Winner {
    fn from(side: Side) -> Self {
        match side {
            Side::First => Self::First,
            Side::Second => Self::Second,
        }
    }
}

impl Winner {
    /// The winner by the rules alone; void while the game goes on.
    pub(crate) fn by_rules(state: &dyn GameState) -> Self {
        match state.ending().map(|ending| ending.outcome) {
            Some(Outcome::Win(side)) => side.into(),
            Some(Outcome::Draw) => Self::Draw,
            None => Self::Void,
        }
    }

    /// The winner of a bout and why: by a fault during the game, else by a fault after its end, else by resignation or
    /// adjudication, else by the rules.
    pub(crate) fn decide(
        state: &dyn GameState,
        during: &[Option<Fault>; 2],
        at_all: &[Option<Fault>; 2],
        ended: Option<(Self, Stated)>,
    ) -> (Self, Stated) {
        let by_fault = |faults: &[Option<Fault>; 2]| {
            let (winner, reason) = match faults.each_ref().map(|fault| fault.as_ref().map(Fault::headline)) {
                [Some(fault), None] => (Self::Second, BoutReason::FirstFailed { fault }),
                [None, Some(fault)] => (Self::First, BoutReason::SecondFailed { fault }),
                [Some(first), Some(second)] => (Self::Void, BoutReason::BothFailed { first, second }),
                [None, None] => return None,
            };
            Some((winner, Stated::from(&reason)))
        };
        let stopped = at_all.iter().flatten().find(|fault| fault.verdict == Verdict::Interrupted);
        if let Some(fault) = stopped {
            let (verdict, reason) = (fault.verdict, fault.reason.clone());
            return (Self::Void, Stated::from(&Headline::Fault { verdict, reason }));
        }
        // A fault during the game decides it; nothing the winner does afterwards can undo that.
        by_fault(during).or_else(|| by_fault(at_all)).unwrap_or_else(|| {
            if let Some(ended) = ended {
                return ended;
            }
            let reason = match state.ending() {
                Some(ending) => Stated::from(&*ending.reason),
                None => Stated::from(&BoutReason::Unfinished),
            };
            (Self::by_rules(state), reason)
        })
    }
}

messages! {
    /// Why a bout ended, if the rules of its game do not say it.
    pub enum BoutReason {
        FirstFailed { fault: Headline } = "first failed: {fault}",
        SecondFailed { fault: Headline } = "second failed: {fault}",
        BothFailed { first: Headline, second: Headline } = "both failed: first {first}; second {second}",
        Resigned { side: SeatName } = "{side} resigns",
        TimeIsOver { side: SeatName } = "{side} has no time left",
        Agreed = "both players agree to a draw",
        Unfinished = "the game has not ended",
    }
}

/// How people or adjudication ended a game before its rules did.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Termination {
    Resignation,
    /// The side to move had no time left on a clock that the record does not have.
    Time,
    Agreement,
    /// Not people, but the rules of [`crate::adjudication`].
    Adjudication,
}

impl Termination {
    /// Those by people.
    pub const ALL: [Self; 3] = [Self::Resignation, Self::Time, Self::Agreement];

    /// The one with this [name](Self::name).
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().chain([Self::Adjudication]).find(|known| known.name() == name)
    }

    pub const fn name(self) -> &'static str {
        match self {
            Self::Resignation => "resignation",
            Self::Time => "time",
            Self::Agreement => "agreement",
            Self::Adjudication => "adjudication",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The direction of a line of the transcript.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Way {
    /// From the judge to the agent.
    To,
    /// From the agent to the judge.
    From,
}

/// In bytes of the record. A bout of 90 000 actions stays below it whatever its programs write.
pub const MAX_TRANSCRIPT_BYTES: usize = 60 << 20;

/// One line of the transcript.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordEntry {
    /// The time since the bout began.
    pub at: Duration,
    /// The agent it went to or came from.
    pub side: Side,
    /// Its direction: to the agent or from it.
    pub way: Way,
    /// The line without its newline; bytes that are not UTF-8 are replaced.
    pub line: String,
    /// For an action: how many bytes of the answer are missing from the line. The rest leads to the same action.
    pub cut: u64,
    /// For an answer to TURN or to a prompt: its time.
    pub moment: Option<Moment>,
    /// For an answer to TURN: the agent's evaluation of the position, if it gave one.
    pub evaluation: Option<Evaluation>,
    /// For an answer that was a move: the move as people write it, if that differs from the judge's notation.
    pub spoken: Option<String>,
    /// For an action: why the actor did not do what its program said.
    pub remark: Option<Stated>,
    /// For the first such actions of each kind: the end of the program's error stream at the time.
    pub stderr: Option<String>,
    /// For an answer to TURN: the end of what the agent had written to its error stream since its last answer, without
    /// what is in `evaluation`.
    pub messages: Option<String>,
}

/// How much of an error stream is kept with one answer, in bytes, and with all of a side.
pub const MAX_MESSAGE_BYTES: usize = 2 << 10;
pub const MAX_MESSAGES_BYTES: usize = 64 << 10;

impl RecordEntry {
    /// The remark in English.
    pub fn remark_text(&self) -> Option<&str> {
        self.remark.as_ref().map(|remark| remark.text.as_str())
    }

    /// The maximum number of bytes that it takes in a record.
    pub(crate) fn size(&self) -> usize {
        const FRAME: usize = 260;
        let escaped = |byte: u8| match byte {
            b'\n' | b'\r' | b'\t' | b'"' | b'\\' => 2,
            0..b' ' => 6,
            _ => 1,
        };
        let remark = self.remark.as_ref();
        let keyed = remark.and_then(|remark| remark.keyed.as_ref()).map(|keyed| json!(keyed).to_string());
        let texts = [Some(&self.line), self.spoken.as_ref(), remark.map(|remark| &remark.text), keyed.as_ref()];
        let texts = texts.into_iter().chain([self.stderr.as_ref(), self.messages.as_ref()]);
        FRAME + texts.flatten().flat_map(|text| text.bytes()).map(escaped).sum::<usize>()
    }
}

/// A move as it was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    pub side: Side,
    /// The arguments of the MOVE.
    pub arguments: String,
    pub moment: Moment,
    /// Both clocks after it: the time left in a session, the time used in a game played per action.
    pub clocks: [Duration; 2],
    /// For an action: why the actor did not do what its program said.
    pub remark: Option<Stated>,
    /// The agent's evaluation of the position in which it chose the move, if it gave one.
    pub evaluation: Option<Evaluation>,
    /// Its error stream in the meantime, as far as the record keeps that.
    pub messages: Option<String>,
}

/// Watches a bout as it is played.
pub trait Spectator {
    /// Receives what the programs read and write as it happens; asked once, before a bout of sessions begins.
    fn tap(&mut self) -> Option<Tap> {
        None
    }
    fn started(&mut self, _state: &dyn GameState, _clocks: [Duration; 2]) {}
    /// A move has been played.
    fn moved(&mut self, _state: &dyn GameState, _played: &Played) {}
    /// The bout has ended.
    fn ended(&mut self, _report: &Report) {}
}

/// A bout without a spectator.
impl Spectator for () {}

/// Counts that a bout played per action adds to its result, for each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct ActionCounts {
    /// Actions that differed from the program's answer, or for which it gave none.
    pub remarked: [u32; 2],
    /// Invocations that were repeated in a fresh process
    /// ([`GameLimits::recheck_percent`](crate::limits::GameLimits::recheck_percent)).
    pub rechecked: [u32; 2],
    /// Repeated invocations with a different answer: the mark of a program that keeps a state, or that draws random
    /// numbers from something else than `AGON_SEED`.
    pub differing: [u32; 2],
    /// How long a process took from its start to the end of its answer to BEGIN, in microseconds; 0 for a built-in and
    /// for a program that stays alive.
    #[serde(skip_serializing_if = "is_nothing", default)]
    pub begin_us: [u64; 2],
}

fn is_nothing(times: &[u64; 2]) -> bool {
    *times == [0, 0]
}

/// The judge's account of a bout.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    pub winner: Winner,
    pub reason: Stated,
    /// How it was ended, if not by its rules or a fault.
    pub termination: Option<Termination>,
    pub verdicts: [AgentVerdict; 2],
    /// Points, if the game has any.
    pub score: Option<[GameScore; 2]>,
    pub plies: u32,
    /// Time used by each side on its own turns.
    pub time: [Duration; 2],
    /// The transcript, line by line.
    pub entries: Vec<RecordEntry>,
    /// The tail of each agent's error stream.
    pub stderr: [String; 2],
    /// The most memory that each program's tree was seen to use, in bytes; 0 when unknown.
    pub peak_memory: [u64; 2],
    /// What each program left behind when it exited, in a session that required it to end.
    pub remains: [Remains; 2],
    /// The counts of a bout played per action.
    pub invocations: Option<ActionCounts>,
    /// The lines of both error streams in the order of their times since the bout began, if a log is kept (see
    /// [`crate::process::keep_log`]).
    pub messages: Vec<(Duration, Side, String)>,
}
