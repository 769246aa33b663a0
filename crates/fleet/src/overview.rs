//! The state of a fleet, as its workers and coordinators publish it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use agon_referee::signing::PrivateKey;
use bytes::Bytes;
use futures_util::StreamExt as _;
use serde::Serialize;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::connect::Fleet;
use crate::error::FleetError;
use crate::keys::{self, Kind};
use crate::lock::lock;
use crate::notice::{DeadJob, RunStatus, WorkerStatus, now_ms};
use crate::presence::Presence;
use crate::roll::Roll;
use crate::wire::DrainAnswer;
use crate::{subjects, wire};

/// A clock that is off by more is a fault.
const MAX_SKEW_MS: u64 = 5000;

/// Maximum number of ended runs whose abandoned jobs are shown.
const MAX_ENDED: usize = 100;

/// Timeout for a worker's answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(2);

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Overview {
    /// The workers that are present, by name.
    pub workers: Vec<WorkerStatus>,
    /// The runs that have a coordinator, by name.
    pub runs: Vec<RunStatus>,
    /// Number of games that all workers can play at once.
    pub slots: usize,
    pub busy: usize,
    /// Games a minute of all runs together.
    pub per_minute: f64,
    /// Seconds until the games of all runs are played at that rate; `None` if nothing is being played.
    pub left_s: Option<f64>,
    /// Jobs abandoned by these runs, and by those that ended while they were observed, the latest one last.
    pub dead: Vec<DeadJob>,
    pub faults: Vec<String>,
}

/// Follows the state of a fleet.
pub struct FleetWatch {
    seen: Arc<Mutex<Seen>>,
    task: JoinHandle<()>,
}

struct Seen {
    /// Time after its last status at which a worker or run counts as gone.
    max_silence: Duration,
    presence: Presence,
    roll: Roll,
    runs: BTreeMap<String, (RunStatus, Instant)>,
    /// Jobs abandoned by ended runs, by run.
    dead: BTreeMap<String, Vec<DeadJob>>,
    /// Clock differences of machines in milliseconds, and when they were seen.
    skewed: BTreeMap<String, (i64, Instant)>,
}

impl Seen {
    fn new(max_silence: Duration) -> Self {
        Self {
            max_silence,
            presence: Presence::new(max_silence),
            roll: Roll::default(),
            runs: BTreeMap::new(),
            dead: BTreeMap::new(),
            skewed: BTreeMap::new(),
        }
    }

    /// Records the clock of a machine.
    fn clock(&mut self, host: &str, its_ms: u64) {
        let off = its_ms as i64 - now_ms() as i64;
        if off.unsigned_abs() > MAX_SKEW_MS {
            self.skewed.insert(host.to_owned(), (off, Instant::now()));
        } else {
            self.skewed.remove(host);
        }
    }

    fn worker(&mut self, status: WorkerStatus) {
        self.clock(&status.host, status.now_ms);
        self.presence.update(status);
    }

    fn run(&mut self, status: RunStatus) {
        self.clock(&status.host, status.now_ms);
        let max_silence = self.max_silence;
        self.runs.retain(|_, (_, at)| at.elapsed() < max_silence);
        self.skewed.retain(|_, (_, at)| at.elapsed() < max_silence);
        self.dead.remove(&status.run);
        if status.ended {
            self.runs.remove(&status.run);
            if !status.dead.is_empty() && self.dead.len() < MAX_ENDED {
                self.dead.insert(status.run, status.dead);
            }
        } else {
            self.runs.insert(status.run.clone(), (status, Instant::now()));
        }
    }
}

impl FleetWatch {
    /// Observes a fleet whose workers and runs count as gone this time after their last status.
    pub fn new(fleet: &Fleet, max_silence: Duration) -> Self {
        let seen = Arc::new(Mutex::new(Seen::new(max_silence)));
        let task = fleet.spawn(listen(fleet.clone(), Arc::clone(&seen)));
        Self { seen, task }
    }

    pub fn overview(&self) -> Overview {
        let seen = lock(&self.seen);
        let mut workers: Vec<WorkerStatus> = seen.presence.present().cloned().collect();
        workers.sort_by(|a, b| a.worker.cmp(&b.worker));
        let alive = seen.runs.values().filter(|(_, at)| at.elapsed() < seen.max_silence);
        let runs: Vec<RunStatus> = alive.map(|(status, _)| status.clone()).collect();
        let per_minute = runs.iter().fold(0.0, |sum, run| sum + run.per_minute);
        let left: u64 = runs.iter().map(|run| run.games.saturating_sub(run.played)).sum();
        // The clock of a machine that is gone is unknown.
        let skewed = seen.skewed.iter().filter(|(_, (_, at))| at.elapsed() < seen.max_silence);
        let clock = |(host, (off, _)): (&String, &(i64, Instant))| {
            let (seconds, way) = (off.unsigned_abs() / 1000, if *off > 0 { "ahead of" } else { "behind" });
            format!("the clock of {host} is {seconds} s {way} this machine's; set both by the network (NTP)")
        };
        let mut faults: Vec<String> = skewed.map(clock).collect();
        faults.extend(runs.iter().filter_map(|run| idle(run, &workers)));
        let mut dead: Vec<DeadJob> =
            runs.iter().map(|run| &run.dead).chain(seen.dead.values()).flatten().cloned().collect();
        dead.sort_by_key(|job| job.now_ms);
        Overview {
            slots: workers.iter().map(|worker| worker.slots).sum(),
            busy: workers.iter().map(|worker| worker.busy).sum(),
            left_s: (per_minute > 0.0).then(|| left as f64 * 60.0 / per_minute),
            per_minute,
            workers,
            runs,
            dead,
            faults,
        }
    }
}

impl Drop for FleetWatch {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The fault of a run that no worker plays, if that is so.
fn idle(run: &RunStatus, workers: &[WorkerStatus]) -> Option<String> {
    let willing = |worker: &&WorkerStatus| !worker.draining && !worker.refused.contains_key(&run.run);
    if workers.iter().any(|worker| willing(&worker)) {
        return None;
    }
    Some(format!("no worker plays run {} ({} of {})", run.run, run.title, run.game))
}

/// Response to an order to a worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Drained {
    /// It finishes its games, and stops.
    Yes,
    /// There is no such worker.
    Missing,
    /// It refuses, for this reason.
    Refused(String),
}

/// Orders a worker to finish its games and stop; it must trust the key.
///
/// # Errors
/// [`FleetError`] when the server does not take the message.
pub fn drain(fleet: &Fleet, worker: &str, key: &PrivateKey) -> Result<Drained, FleetError> {
    fleet.wait(async {
        let refused = |error: &dyn std::fmt::Display| fleet.refused("pass a message on", error);
        let Some(status) = present(fleet, worker).await? else { return Ok(Drained::Missing) };
        let client = fleet.client();
        let answers = client.subscribe(subjects::answer(&status.user, worker)).await;
        let mut answers = answers.map_err(|error| refused(&error))?;
        let (subject, headers, payload) = wire::drain_order(key, worker.to_owned(), status.session.clone());
        client.publish_with_headers(subject, headers, payload).await.map_err(|error| refused(&error))?;
        let answered = async {
            while let Some(message) = answers.next().await {
                let is_its =
                    keys::worker_key(Kind::Answer, &message, &message.payload).is_ok_and(|key| key == status.key);
                if is_its
                    && let Ok(answer) = serde_json::from_slice::<DrainAnswer>(&message.payload)
                    && answer.session == status.session
                {
                    return answer.refused.map_or(Drained::Yes, Drained::Refused);
                }
            }
            Drained::Missing
        };
        Ok(timeout(ANSWER_TIMEOUT, answered).await.unwrap_or(Drained::Missing))
    })
}

/// The last status of a worker, if it is there.
async fn present(fleet: &Fleet, worker: &str) -> Result<Option<WorkerStatus>, FleetError> {
    let refused = |error: &dyn std::fmt::Display| fleet.refused("show its workers", error);
    let client = fleet.client();
    let mut statuses = client.subscribe(subjects::worker("*", worker)).await.map_err(|error| refused(&error))?;
    client.publish(subjects::ASK, Bytes::new()).await.map_err(|error| refused(&error))?;
    let mut roll = Roll::default();
    let found = async {
        while let Some(message) = statuses.next().await {
            if let Ok(status) = roll.status(&message)
                && !status.leaving
            {
                return Some(status);
            }
        }
        None
    };
    Ok(timeout(ANSWER_TIMEOUT, found).await.ok().flatten())
}

async fn listen(fleet: Fleet, seen: Arc<Mutex<Seen>>) {
    let client = fleet.client();
    let (Ok(mut workers), Ok(mut runs)) =
        (client.subscribe(subjects::WORKERS).await, client.subscribe(subjects::RUNS).await)
    else {
        return;
    };
    let _ = client.publish(subjects::ASK, Bytes::new()).await;
    loop {
        tokio::select! {
            Some(message) = workers.next() => {
                let seen = &mut *lock(&seen);
                if let Ok(status) = seen.roll.status(&message) {
                    seen.worker(status);
                }
            }
            Some(message) = runs.next() => {
                if let Ok(status) = serde_json::from_slice(&message.payload) {
                    lock(&seen).run(status);
                }
            }
            else => return,
        }
    }
}
