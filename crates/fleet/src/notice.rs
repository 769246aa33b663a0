//! Information that coordinators and workers publish about themselves.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use agon_arena::Plan;
use agon_arena::store::Quarantine;
use agon_referee::agent::PortableAgent;
use agon_referee::signing::{PrivateKey, PublicKey};
use serde::{Deserialize, Serialize};

use crate::keys::{self, Kind, WIRE};

/// Everything a worker must know about a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RunNotice {
    pub run: String,
    /// Differs from that of an earlier notice of the same run.
    pub revision: String,
    pub plan: Plan,
    pub agents: Vec<PortableAgent>,
    /// The version of Agon that decides the games.
    pub agon: String,
    /// A digest of its networks, policies and books.
    pub data: String,
    pub processors: usize,
    /// Labels that a worker must have.
    pub labels: Vec<String>,
    /// The languages of the programs if each job brings its own two agents and limits, and the plan has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub languages: Option<Vec<String>>,
    /// Permitted silence of a worker before its job is handed out again, in milliseconds.
    pub lease_ms: u64,
}

/// An abandoned job.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DeadJob {
    pub run: String,
    pub game: String,
    pub slots: Vec<u32>,
    pub why: String,
    /// Time, in milliseconds since 1970 (UTC).
    pub now_ms: u64,
}

/// A notice with the signature of its coordinator.
#[derive(Serialize, Deserialize)]
struct SignedNotice {
    wire: u32,
    key: String,
    signature: String,
    /// The notice as JSON.
    notice: String,
}

impl RunNotice {
    /// The notice with a coordinator's signature, as an object.
    pub(crate) fn write(&self, key: &PrivateKey) -> Vec<u8> {
        let notice = serde_json::to_string(self).expect("notices are plain data");
        let context = Kind::Notice.context(&self.run);
        let signature = key.sign_bytes(&context, notice.as_bytes());
        let signed = SignedNotice { wire: WIRE, key: key.public().to_string(), signature, notice };
        serde_json::to_vec(&signed).expect("notices are plain data")
    }

    /// Reads the notice of a run that a coordinator has announced with this key, as this revision; an error says why
    /// it is none.
    pub(crate) fn read(object: &[u8], run: &str, revision: &str, key: &PublicKey) -> Result<Self, String> {
        let signed: SignedNotice = serde_json::from_slice(object)
            .map_err(|error| format!("its notice is not from this version of Agon: {error}"))?;
        keys::check_wire(Some(&signed.wire.to_string()))?;
        let text = signed.notice.as_bytes();
        let signer = keys::verify(&signed.key, Kind::Notice, run, text, &signed.signature);
        if signer.as_ref() != Ok(key) {
            return Err("its notice is not signed by the key that announces it".to_owned());
        }
        let notice: Self = serde_json::from_slice(text)
            .map_err(|error| format!("its notice is not from this version of Agon: {error}"))?;
        if (notice.run.as_str(), notice.revision.as_str()) != (run, revision) {
            return Err("its notice is that of another run, or of an earlier start".to_owned());
        }
        Ok(notice)
    }
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct RunStatus {
    pub run: String,
    /// Revision of its notice.
    pub revision: String,
    pub host: String,
    /// The kind of run, as in [`Plan::title`].
    pub title: String,
    pub game: String,
    pub agents: Vec<String>,
    /// Games that are stored.
    pub played: u64,
    pub games: u64,
    /// Games that are handed out.
    pub out: usize,
    /// Games a minute since the coordinator was started.
    pub per_minute: f64,
    /// Latest faults, in words.
    pub faults: Vec<String>,
    /// The workers whose games no longer count.
    #[serde(default)]
    pub quarantined: Vec<Quarantine>,
    /// Number of replayed games, by worker.
    #[serde(default)]
    pub audits: BTreeMap<String, AuditCount>,
    /// Abandoned jobs, the latest one last.
    #[serde(default)]
    pub dead: Vec<DeadJob>,
    /// True if no further job may start.
    pub ended: bool,
    /// The coordinator's clock, in milliseconds since 1970 (UTC).
    pub now_ms: u64,
}

/// Number of faults listed in a status.
const MAX_FAULTS: usize = 5;

/// Number of abandoned jobs listed in a status.
const MAX_DEAD: usize = 20;

impl RunStatus {
    /// Adds a fault; only the last ones are kept.
    pub(crate) fn fault(&mut self, what: String) {
        self.faults.push(what);
        if self.faults.len() > MAX_FAULTS {
            self.faults.remove(0);
        }
    }

    /// Adds an abandoned job; only the latest ones are kept.
    pub(crate) fn dead_letter(&mut self, job: DeadJob) {
        self.dead.push(job);
        if self.dead.len() > MAX_DEAD {
            self.dead.remove(0);
        }
    }
}

/// Counts of a worker's replayed games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct AuditCount {
    pub games: u64,
    /// Games with another result, or with other moves if they are deterministic.
    pub differed: u64,
}

impl AuditCount {
    pub(crate) fn add(&mut self, differed: bool) {
        self.games += 1;
        self.differed += u64::from(differed);
    }
}

#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct WorkerStatus {
    pub worker: String,
    /// User name on its server, and the key with which it signs.
    #[serde(default)]
    pub user: String,
    #[serde(default)]
    pub key: String,
    /// Differs each time it starts.
    #[serde(default)]
    pub session: String,
    pub host: String,
    pub agon: String,
    /// A digest of its networks, policies and books.
    pub data: String,
    /// Number of games it plays at once.
    pub slots: usize,
    pub processors: usize,
    pub games: Vec<String>,
    pub labels: Vec<String>,
    /// The jail of programs; `None` if it takes no programs.
    pub jail: Option<String>,
    /// The languages that it can compile and run.
    pub languages: Vec<String>,
    /// Number of its slots that have a job.
    pub busy: usize,
    /// The slots that it holds, by run.
    pub hands: BTreeMap<String, Vec<u32>>,
    /// The slots whose results it keeps until a coordinator takes them, by run.
    #[serde(default)]
    pub kept: BTreeMap<String, Vec<u32>>,
    pub played: u64,
    /// Games a minute since it was started.
    pub per_minute: f64,
    /// Reason why it refuses a run, by run.
    pub refused: BTreeMap<String, String>,
    #[serde(default)]
    pub measured: Option<Measured>,
    /// The number of its games by the clock.
    #[serde(default)]
    pub timed: u64,
    /// Number of games in which the machine disturbed a clock.
    #[serde(default)]
    pub disturbed: u64,
    /// Reason why it stops by itself, if it does.
    #[serde(default)]
    pub trouble: Option<String>,
    /// True if it finishes its games and then stops.
    pub draining: bool,
    /// True if this is its last status.
    pub leaving: bool,
    /// Its clock, in milliseconds since 1970 (UTC).
    pub now_ms: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Nodes a second of a search that is the same everywhere.
    pub nodes_per_second: u64,
    /// True if its games are bound to their own processors.
    pub bound: bool,
    /// The longest delay of a sleep, in microseconds.
    pub late_us: u64,
    /// Share of time in which a busy program did not run.
    pub lost: f64,
}

/// This machine's clock, in milliseconds since 1970 (UTC).
pub(crate) fn now_ms() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64)
}
