//! The queue within one process.

use std::collections::VecDeque;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use agon_referee::process::interrupted;

use super::error::RunError;
use super::event::RunEvent;
use super::queue::{GameJob, Lease, MAX_DELIVERIES, SlotReply, Submit, Take, Taken};
use super::worker::PlayedSlot;
use crate::slot::Slot;

/// How many slots may be handed out for each worker: one that is being played, and enough others to keep every worker
/// busy while the coordinator stores bouts.
const SLOTS_OUT: usize = 8;

/// How long the coordinator waits for replies before it checks whether to stop.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(200);

/// The coordinator's side of the queue. When it is dropped, the workers end.
pub struct LocalQueue {
    shared: Arc<Shared>,
    replies: Receiver<SlotReply>,
    workers: usize,
}

/// A worker's side of the queue.
pub struct LocalTaker {
    shared: Arc<Shared>,
    worker: usize,
    events: Sender<RunEvent>,
}

struct Shared {
    state: Mutex<State>,
    /// Notified of every change that a waiting worker must see.
    changed: Condvar,
    replies: Sender<SlotReply>,
}

#[derive(Default)]
struct State {
    waiting: VecDeque<Waiting>,
    withdrawn: bool,
    ended: bool,
}

/// A job that no worker plays yet.
struct Waiting {
    job: GameJob,
    /// How often it has been handed out.
    deliveries: u32,
    since: Instant,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reply(&self, reply: SlotReply) {
        // Without a receiver the run is over.
        let _ = self.replies.send(reply);
    }

    fn drop_all(&self, job: &GameJob) {
        job.slots.iter().for_each(|slot| self.reply(SlotReply::Dropped { slot: slot.number }));
    }

    /// Returns a job to the queue, unless it has no slots left.
    fn again(&self, job: GameJob, deliveries: u32, delay: Duration) {
        if job.slots.is_empty() {
            return;
        }
        let mut state = self.state();
        // An interrupted judge cannot play any more.
        if state.withdrawn || interrupted() {
            self.drop_all(&job);
        } else if deliveries >= MAX_DELIVERIES {
            for slot in job.slots {
                let slot = slot.number;
                self.reply(SlotReply::Failed { slot, error: RunError::GivenUp { slot, deliveries } });
            }
        } else {
            // It was due before the jobs behind it.
            state.waiting.push_front(Waiting { job, deliveries, since: Instant::now() + delay });
            self.changed.notify_one();
        }
    }
}

impl LocalQueue {
    /// A queue for this number of workers.
    pub fn new(workers: usize) -> Self {
        let (sender, replies) = mpsc::channel();
        let shared = Shared { state: Mutex::default(), changed: Condvar::new(), replies: sender };
        Self { shared: Arc::new(shared), replies, workers }
    }

    /// The worker's side for this number; `events` receives the bouts it begins.
    pub fn taker(&self, worker: usize, events: Sender<RunEvent>) -> LocalTaker {
        LocalTaker { shared: Arc::clone(&self.shared), worker, events }
    }
}

impl Drop for LocalQueue {
    fn drop(&mut self) {
        self.shared.state().ended = true;
        self.shared.changed.notify_all();
    }
}

impl Submit for LocalQueue {
    fn submit(&mut self, job: GameJob) -> Result<(), RunError> {
        let mut state = self.shared.state();
        if state.withdrawn {
            self.shared.drop_all(&job);
        } else {
            state.waiting.push_back(Waiting { job, deliveries: 0, since: Instant::now() });
            self.shared.changed.notify_one();
        }
        Ok(())
    }

    fn replies(&mut self) -> Vec<SlotReply> {
        match self.replies.recv_timeout(STOP_POLL_INTERVAL) {
            Ok(first) => std::iter::once(first).chain(self.replies.try_iter()).collect(),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => Vec::new(),
        }
    }

    fn stored(&mut self, _: &[u32]) {}

    fn withdraw(&mut self) {
        let mut state = self.shared.state();
        state.withdrawn = true;
        state.waiting.drain(..).for_each(|waiting| self.shared.drop_all(&waiting.job));
    }

    fn most(&self) -> usize {
        SLOTS_OUT * self.workers
    }

    fn job_size(&self) -> usize {
        // Another free worker plays the other bout of a pair at the same time.
        1
    }
}

impl Take for LocalTaker {
    fn take(&mut self, timeout: Duration) -> Taken {
        let until = Instant::now() + timeout;
        let mut state = self.shared.state();
        loop {
            if state.ended {
                return Taken::Ended;
            }
            let now = Instant::now();
            if let Some(at) = state.waiting.iter().position(|waiting| waiting.since <= now) {
                let Waiting { job, deliveries, .. } = state.waiting.remove(at).expect("a place in the queue");
                let (shared, events) = (Arc::clone(&self.shared), self.events.clone());
                let lease = LocalLease { shared, events, worker: self.worker, job, deliveries: deliveries + 1 };
                return Taken::Job(Box::new(lease));
            }
            if now >= until {
                return Taken::Nothing;
            }
            let next = state.waiting.iter().map(|waiting| waiting.since).min().map_or(until, |since| since.min(until));
            state = self.shared.changed.wait_timeout(state, next - now).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

struct LocalLease {
    shared: Arc<Shared>,
    events: Sender<RunEvent>,
    worker: usize,
    /// Without the slots already played.
    job: GameJob,
    deliveries: u32,
}

impl LocalLease {
    /// Takes the job out, so that it is not handed out again.
    fn rest(&mut self) -> GameJob {
        GameJob { slots: std::mem::take(&mut self.job.slots) }
    }
}

impl Lease for LocalLease {
    fn job(&self) -> &GameJob {
        &self.job
    }

    fn deliveries(&self) -> u32 {
        self.deliveries
    }

    fn elsewhere(&self) -> bool {
        false
    }

    fn withdrawn(&self) -> bool {
        self.shared.state().withdrawn
    }

    fn began(&mut self, slot: &Slot) {
        let _ = self.events.send(RunEvent::Started { worker: self.worker, slot: *slot });
    }

    fn played(&mut self, game: PlayedSlot) {
        self.job.slots.retain(|slot| slot.number != game.summary.slot);
        self.shared.reply(SlotReply::Played { worker: self.worker, game });
    }

    fn done(mut self: Box<Self>) {
        self.rest();
    }

    fn put_back(mut self: Box<Self>, delay: Duration, _: Option<RunError>) {
        let job = self.rest();
        self.shared.again(job, self.deliveries, delay);
    }

    fn refuse(mut self: Box<Self>, slot: u32, error: RunError) {
        let mut rest = self.rest();
        rest.slots.retain(|other| other.number != slot);
        self.shared.reply(SlotReply::Failed { slot, error });
        self.shared.drop_all(&rest);
    }
}

impl Drop for LocalLease {
    fn drop(&mut self) {
        let job = self.rest();
        self.shared.again(job, self.deliveries, Duration::ZERO);
    }
}
