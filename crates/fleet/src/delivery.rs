//! Results of a worker on their way to the coordinator of their run, which may be the next one of the run.

use std::time::{Duration, Instant};

use agon_game::hash::hex;
use agon_referee::process::interrupted;
use async_nats::Message;
use bytes::Bytes;
use sha2::{Digest, Sha256};
use tokio::sync::oneshot;
use tokio::time::sleep;

use crate::connect::{Fleet, NoAnswer};
use crate::subjects::{self, Verb};
use crate::timing::Timing;
use crate::wire::{self, RecordPart, ResultAnswer, ResultForm};

/// Maximum time that a result waits for a coordinator.
const MAX_AGE: Duration = Duration::from_hours(24);

/// The slowest network over which results get through.
const MIN_BYTES_PER_SECOND: u64 = 32 << 10;

/// Room for the headers of a result in a message of maximal size.
const HEADER_BYTES: usize = 4096;

/// Sends a result until a coordinator has it. The returned receiver gets true then, or false once no coordinator has
/// taken it for a while, or `is_over` without one: the result keeps waiting, but its worker need not.
pub(crate) fn send(
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
