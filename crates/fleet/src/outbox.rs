//! Results of a worker on their way to the coordinator of their run. A worker keeps each until a coordinator has it;
//! that may be the next one of the run.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use agon_game::hash::hex;
use agon_referee::process::interrupted;
use async_nats::Message;
use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::connect::{Fleet, NoAnswer};
use crate::lock::lock;
use crate::subjects::{self, Verb};
use crate::timing::Timing;
use crate::wire::{self, RecordPart, ResultAnswer, ResultForm};

/// Maximum length of all results that wait for a coordinator.
const MAX_BYTES: usize = 256 << 20;

/// How long a result waits for a coordinator.
const MAX_AGE: Duration = Duration::from_hours(24);

/// The slowest network over which results get through.
const MIN_BYTES_PER_SECOND: u64 = 32 << 10;

/// Room for the headers of a result in a message of maximal size.
const HEADER_BYTES: usize = 4096;

/// The results that no coordinator has taken yet.
#[derive(Default)]
pub struct Outbox(Mutex<Waiting>);

#[derive(Default)]
struct Waiting {
    /// The slots of each run.
    slots: BTreeMap<String, Vec<u32>>,
    bytes: usize,
    /// Number of results for which no coordinator was there when they were last sent.
    alone: usize,
}

impl Outbox {
    /// The slots whose results wait, by run.
    pub fn slots(&self) -> BTreeMap<String, Vec<u32>> {
        lock(&self.0).slots.clone()
    }

    /// Whether a result waits for whose run there is a coordinator, as far as is known.
    pub fn is_awaited(&self) -> bool {
        let waiting = lock(&self.0);
        waiting.slots.values().map(Vec::len).sum::<usize>() > waiting.alone
    }

    fn note_alone(&self, alone: &mut bool, now: bool) {
        let mut waiting = lock(&self.0);
        waiting.alone = waiting.alone + usize::from(now) - usize::from(*alone);
        *alone = now;
    }

    /// Adds a result; false if there is no room for it.
    fn add(&self, run: &str, slot: u32, bytes: usize) -> bool {
        let mut waiting = lock(&self.0);
        let room = waiting.bytes + bytes <= MAX_BYTES;
        if room {
            waiting.bytes += bytes;
            waiting.slots.entry(run.to_owned()).or_default().push(slot);
        }
        room
    }

    fn remove(&self, run: &str, slot: u32, bytes: usize) {
        let mut waiting = lock(&self.0);
        waiting.bytes -= bytes;
        if let Some(slots) = waiting.slots.get_mut(run) {
            if let Some(at) = slots.iter().position(|other| *other == slot) {
                slots.swap_remove(at);
            }
            if slots.is_empty() {
                waiting.slots.remove(run);
            }
        }
    }
}

/// Sends a result until a coordinator has it. What is returned receives true then, and false as soon as no coordinator
/// takes it for a while, or once it is not taken where `is_over`: the result goes on waiting, and its worker need not.
pub fn send(
    fleet: &Fleet,
    timing: &Timing,
    run: &str,
    form: ResultForm,
    payload: Vec<u8>,
    is_over: impl Fn() -> bool + Send + 'static,
) -> oneshot::Receiver<bool> {
    let (sender, receiver) = oneshot::channel();
    let (slot, bytes) = (form.slot, payload.len());
    if !fleet.outbox().add(run, slot, bytes) {
        let _ = sender.send(false);
        return receiver;
    }
    let (own, timing, run) = (fleet.clone(), timing.clone(), run.to_owned());
    fleet.spawn(async move {
        deliver(&own, &timing, &run, form, payload.into(), sender, is_over).await;
        own.outbox().remove(&run, slot, bytes);
    });
    receiver
}

async fn deliver(
    fleet: &Fleet,
    timing: &Timing,
    run: &str,
    form: ResultForm,
    payload: Bytes,
    report: oneshot::Sender<bool>,
    is_over: impl Fn() -> bool,
) {
    let (start, mut report) = (Instant::now(), Some(report));
    let (mut alone, mut failed, mut pause) = (false, None, timing.retry);
    while start.elapsed() < MAX_AGE {
        let sent = attempt(fleet, timing, run, &form, &payload).await;
        fleet.outbox().note_alone(&mut alone, sent == Err(NoAnswer::NoResponder));
        if sent.is_ok() {
            if let Some(report) = report {
                let _ = report.send(true);
            }
            return;
        }
        let since = *failed.get_or_insert_with(Instant::now);
        if since.elapsed() >= timing.max_silence || is_over() || interrupted() {
            report.take().map(|report| report.send(false));
        }
        if interrupted() {
            break;
        }
        sleep(pause).await;
        pause = (pause * 2).min(timing.heartbeat * 4);
    }
    fleet.outbox().note_alone(&mut alone, false);
}

/// Sends a result once. `Ok` if a coordinator has it, or will never take it.
async fn attempt(
    fleet: &Fleet,
    timing: &Timing,
    run: &str,
    form: &ResultForm,
    payload: &Bytes,
) -> Result<(), NoAnswer> {
    let identity = fleet.identity();
    let subject = subjects::to_run(&identity.user, Verb::Result, run);
    let max_bytes = fleet.client().server_info().max_payload.saturating_sub(HEADER_BYTES).max(HEADER_BYTES);
    let single = payload.len() <= max_bytes;
    let sha256 = if single { String::new() } else { hex(&Sha256::digest(payload)) };
    let mut sent = 0;
    for number in 0.. {
        let part = payload.slice(sent..payload.len().min(sent + max_bytes));
        sent += part.len();
        let whole = RecordPart { number, bytes: payload.len(), sha256: sha256.clone() };
        let form = ResultForm { part: (!single).then_some(whole), ..form.clone() };
        let headers = wire::write_result(identity, &subject, &form, &part);
        let wait = timing.answer + Duration::from_secs(part.len() as u64 / MIN_BYTES_PER_SECOND);
        let message = fleet.request(subject.clone(), headers, part, wait).await?;
        match read_answer(&message) {
            Some(ResultAnswer::Taken | ResultAnswer::Refused) => return Ok(()),
            Some(ResultAnswer::More) if sent < payload.len() => {}
            _ => return Err(NoAnswer::Late),
        }
    }
    Err(NoAnswer::Late)
}

fn read_answer(message: &Message) -> Option<ResultAnswer> {
    serde_json::from_slice(&message.payload).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_waits_is_known_and_bounded() {
        let outbox = Outbox::default();
        assert!(outbox.add("r", 1, 10) && outbox.add("r", 2, 10) && outbox.add("q", 1, 10));
        assert_eq!(outbox.slots(), [("q".to_owned(), vec![1]), ("r".to_owned(), vec![1, 2])].into());
        assert!(!outbox.add("r", 3, MAX_BYTES - 29));
        outbox.remove("q", 1, 10);
        assert!(outbox.add("r", 3, MAX_BYTES - 29));
        outbox.remove("r", 3, MAX_BYTES - 29);
        outbox.remove("r", 1, 10);
        let mut alone = false;
        assert!(outbox.is_awaited());
        outbox.note_alone(&mut alone, true);
        outbox.note_alone(&mut alone, true);
        assert!(!outbox.is_awaited());
        outbox.note_alone(&mut alone, false);
        assert!(outbox.is_awaited());
        outbox.remove("r", 2, 10);
        assert!(!outbox.is_awaited() && outbox.slots().is_empty());
    }
}
