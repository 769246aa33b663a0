//! How a fleet stands, as anybody sees it who may listen.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use tokio::task::JoinHandle;

use crate::connect::Fleet;
use crate::error::FleetError;
use crate::notice::{RunStatus, WorkerStatus, now_ms};
use crate::presence::{Presence, SILENCE};
use crate::subjects;

/// How far a clock may be off before it is told.
const SKEW_MS: u64 = 5000;

/// How many jobs that were given up are shown.
const DEAD_SHOWN: u64 = 20;

/// How long a worker that is told to go may take to answer.
const ANSWER: Duration = Duration::from_secs(2);

/// A job that was given up.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DeadJob {
    pub run: String,
    pub game: String,
    pub slots: Vec<u32>,
    pub why: String,
    /// When, in milliseconds since 1970 (UTC).
    pub now_ms: u64,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Overview {
    /// The workers that are there, by name.
    pub workers: Vec<WorkerStatus>,
    /// The runs that somebody coordinates, by name.
    pub runs: Vec<RunStatus>,
    /// Games that all workers play at once, if all have some.
    pub slots: usize,
    pub busy: usize,
    /// Games a minute of all runs together.
    pub per_minute: f64,
    /// Seconds until the games of all runs are played at that rate; `None` when nothing is played.
    pub left_s: Option<f64>,
    /// Jobs that were given up in the last week, the last one last.
    pub dead: Vec<DeadJob>,
    /// What is wrong, in words.
    pub faults: Vec<String>,
}

/// Hears how a fleet stands as long as it lives.
pub struct FleetWatch {
    fleet: Fleet,
    heard: Arc<Mutex<Heard>>,
    task: JoinHandle<()>,
}

#[derive(Default)]
struct Heard {
    presence: Presence,
    runs: BTreeMap<String, (RunStatus, Instant)>,
    /// By how many milliseconds clocks of machines were off when they were heard last.
    skewed: BTreeMap<String, (i64, Instant)>,
}

impl Heard {
    /// Notes the clock of a machine.
    fn clock(&mut self, host: &str, told_ms: u64) {
        let off = told_ms as i64 - now_ms() as i64;
        if off.unsigned_abs() > SKEW_MS {
            self.skewed.insert(host.to_owned(), (off, Instant::now()));
        } else {
            self.skewed.remove(host);
        }
    }

    fn worker(&mut self, status: WorkerStatus) {
        self.clock(&status.host, status.now_ms);
        self.presence.heard(status);
    }

    fn run(&mut self, status: RunStatus) {
        self.clock(&status.host, status.now_ms);
        self.runs.retain(|_, (_, at)| at.elapsed() < SILENCE);
        self.skewed.retain(|_, (_, at)| at.elapsed() < SILENCE);
        if status.ended {
            self.runs.remove(&status.run);
        } else {
            self.runs.insert(status.run.clone(), (status, Instant::now()));
        }
    }
}

impl FleetWatch {
    /// Begins to listen, and asks everybody how they stand.
    pub fn new(fleet: &Fleet) -> Self {
        let heard = Arc::default();
        let task = fleet.spawn(listen(fleet.clone(), Arc::clone(&heard)));
        Self { fleet: fleet.clone(), heard, task }
    }

    /// How the fleet stands, as far as it has been heard.
    pub fn overview(&self) -> Overview {
        let dead = self.fleet.wait(dead(&self.fleet));
        let heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        let mut workers: Vec<WorkerStatus> = heard.presence.present().cloned().collect();
        workers.sort_by(|a, b| a.worker.cmp(&b.worker));
        let alive = heard.runs.values().filter(|(_, at)| at.elapsed() < SILENCE);
        let runs: Vec<RunStatus> = alive.map(|(status, _)| status.clone()).collect();
        let per_minute = runs.iter().fold(0.0, |sum, run| sum + run.per_minute);
        let left: u64 = runs.iter().map(|run| run.games.saturating_sub(run.played)).sum();
        // Of a machine that is gone nobody knows the clock.
        let skewed = heard.skewed.iter().filter(|(_, (_, at))| at.elapsed() < SILENCE);
        let clock = |(host, (off, _)): (&String, &(i64, Instant))| {
            let (seconds, way) = (off.unsigned_abs() / 1000, if *off > 0 { "ahead of" } else { "behind" });
            format!("the clock of {host} is {seconds} s {way} this machine's; set both by the network (NTP)")
        };
        let mut faults: Vec<String> = skewed.map(clock).collect();
        faults.extend(runs.iter().filter_map(|run| idle(run, &workers)));
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

/// Why nobody plays a run, if that is so.
fn idle(run: &RunStatus, workers: &[WorkerStatus]) -> Option<String> {
    let willing = |worker: &&WorkerStatus| !worker.draining && !worker.refused.contains_key(&run.run);
    if workers.iter().any(|worker| willing(&worker)) {
        return None;
    }
    Some(format!("nobody plays run {} ({} of {})", run.run, run.title, run.game))
}

/// Tells a worker to finish its games and go. Whether it has answered.
///
/// # Errors
/// [`FleetError`] when the server does not take the message.
pub fn drain(fleet: &Fleet, worker: &str) -> Result<bool, FleetError> {
    fleet.wait(async {
        let request = async_nats::Request::new().timeout(Some(ANSWER));
        match fleet.client().send_request(subjects::drain(worker), request).await {
            Ok(_) => Ok(true),
            Err(error)
                if matches!(
                    error.kind(),
                    async_nats::RequestErrorKind::NoResponders | async_nats::RequestErrorKind::TimedOut
                ) =>
            {
                Ok(false)
            }
            Err(error) => Err(fleet.refused("pass a message on", &error)),
        }
    })
}

async fn listen(fleet: Fleet, heard: Arc<Mutex<Heard>>) {
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
                if let Ok(status) = serde_json::from_slice(&message.payload) {
                    heard.lock().unwrap_or_else(PoisonError::into_inner).worker(status);
                }
            }
            Some(message) = runs.next() => {
                if let Ok(status) = serde_json::from_slice(&message.payload) {
                    heard.lock().unwrap_or_else(PoisonError::into_inner).run(status);
                }
            }
            else => return,
        }
    }
}

/// The jobs that were given up last.
async fn dead(fleet: &Fleet) -> Vec<DeadJob> {
    // Whoever looks is not to wait for a server that is away.
    if fleet.client().connection_state() != async_nats::connection::State::Connected {
        return Vec::new();
    }
    let Ok(stream) = fleet.context().get_stream(subjects::DEAD).await else { return Vec::new() };
    let state = &stream.cached_info().state;
    let (first, last) = (state.first_sequence.max(1), state.last_sequence);
    let mut found = Vec::new();
    for place in last.saturating_sub(DEAD_SHOWN - 1).max(first)..=last {
        if let Ok(message) = stream.get_raw_message(place).await {
            found.extend(serde_json::from_slice::<DeadJob>(&message.payload).ok());
        }
    }
    found
}
