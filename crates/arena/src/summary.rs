//! What tables and statistics need from a bout's record.

use std::time::Duration;

use agon_game::Side;
use agon_message::Stated;
use agon_referee::fault_kind::FaultKind;
use agon_referee::process::Moment;
use agon_referee::record::{Record, Termination, Way, Winner};
use agon_referee::verdict::{AgentVerdict, Verdict};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::slot::Slot;

/// Why a side of a bout failed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SideFault {
    /// The reason, in one line.
    #[serde(flatten, with = "agon_message::reason")]
    pub reason: Stated,
    /// `None` if the fault is the judge's own, or the bout was stored before kinds were.
    #[serde(flatten)]
    pub kind: Option<FaultKind>,
}

/// The faults of both sides; `None` of a side whose verdict is OK.
pub type SideFaults = Box<[Option<SideFault>; 2]>;

/// The faults of a bout; `None` if neither side failed.
pub(crate) fn side_faults(faults: [Option<SideFault>; 2]) -> Option<SideFaults> {
    faults.iter().any(Option::is_some).then(|| Box::new(faults))
}

impl SideFault {
    /// The fault of a verdict; `None` if that is OK.
    pub fn of_verdict(judged: &AgentVerdict) -> Option<Self> {
        let fault = judged.fault()?;
        Some(Self { reason: fault.short_reason(), kind: fault.kind })
    }
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// Its number in the run.
    pub slot: u32,
    /// The agents of the first and the second side, by their place in the plan.
    pub seats: [usize; 2],
    /// The seed of its game.
    pub seed: u64,
    /// The side that won, if any.
    pub winner: Winner,
    /// What decided the bout.
    #[serde(flatten, with = "agon_message::reason")]
    pub reason: Stated,
    pub verdicts: [Verdict; 2],
    /// Why each side failed, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faults: Option<SideFaults>,
    /// What ended it before the rules did, if not a fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub termination: Option<Termination>,
    /// Points, if the game has any.
    pub score: Option<[f64; 2]>,
    /// Moves played, including those of an opening.
    pub plies: u32,
    /// Time used by each side, in milliseconds.
    pub time_ms: [f64; 2],
    /// How long each side waited for a processor on its own turns, in milliseconds; not measured for answers within the
    /// first millisecond.
    pub delay_ms: [f64; 2],
    /// Moves during which the machine kept each side from a processor for long.
    pub disturbed: [u32; 2],
    /// When it began, in seconds since 1970 (UTC).
    pub started: u64,
    /// A digest of the start and the moves: equal for bouts with the same moves.
    #[serde(rename = "course")]
    pub game_digest: i64,
}

impl Summary {
    /// The summary of a record that was played for a slot.
    pub fn new(slot: &Slot, record: &Record) -> Self {
        let result = &record.result;
        let delay = |side: Side| {
            let moments = record.entries.iter().filter(|entry| entry.side == side).filter_map(|entry| entry.moment);
            millis(moments.map(|moment: Moment| moment.delay).sum())
        };
        Self {
            slot: slot.number,
            seats: slot.seats,
            seed: slot.seed,
            winner: result.winner,
            reason: result.reason.clone(),
            verdicts: result.verdicts.each_ref().map(|judged| judged.verdict),
            faults: side_faults(result.verdicts.each_ref().map(SideFault::of_verdict)),
            termination: result.termination,
            score: result.score.map(|score| score.map(agon_game::GameScore::as_f64)),
            plies: result.plies,
            time_ms: result.time_ms,
            delay_ms: Side::BOTH.map(delay),
            disturbed: result.disturbed,
            started: record.header.started,
            game_digest: game_digest(record),
        }
    }

    /// The number of its pair in the run.
    pub const fn pair(&self) -> u32 {
        self.slot / 2
    }

    /// Half points of the first and the second side; `None` for a void bout.
    pub const fn halves(&self) -> Option<[u8; 2]> {
        halves(self.winner)
    }

    /// Whether adjudication ended it.
    pub fn is_adjudicated(&self) -> bool {
        self.termination == Some(Termination::Adjudication)
    }

    /// Why a side failed; `None` if its verdict is OK.
    pub fn fault(&self, side: Side) -> Option<&SideFault> {
        self.faults.as_ref()?[side.index()].as_ref()
    }

    /// Whether both agents got the verdict OK.
    pub fn is_clean(&self) -> bool {
        self.verdicts == [Verdict::Ok; 2]
    }
}

fn millis(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

/// A digest of everything that both agents were sent before READY and of all their answers, without times and clocks.
pub fn game_digest(record: &Record) -> i64 {
    let mut hash = Sha256::new();
    let mut ready = false;
    for entry in &record.entries {
        ready |= entry.way == Way::From;
        if entry.way == Way::From || !ready {
            hash.update(&entry.line);
            hash.update("\n");
        }
    }
    let digest = hash.finalize();
    i64::from_le_bytes(std::array::from_fn(|at| digest[at]))
}

/// Half points of the first and the second side; `None` for a void bout.
pub const fn halves(winner: Winner) -> Option<[u8; 2]> {
    match winner {
        Winner::First => Some([2, 0]),
        Winner::Second => Some([0, 2]),
        Winner::Draw => Some([1, 1]),
        Winner::Void => None,
    }
}
