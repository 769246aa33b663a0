//! Messages that must arrive, and heartbeats.

use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::Context;
use async_nats::jetstream::object_store::ObjectStore;
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::time::{sleep, timeout};

use crate::connect::Fleet;
use crate::subjects;

/// The pause before a message is sent again that the server has not taken.
const RETRY_DELAY: Duration = Duration::from_millis(250);

/// How often a coordinator or worker publishes its status.
const HEARTBEAT_INTERVAL: Duration = Duration::from_secs(1);

/// The pause after an answer to [`subjects::ASK`]: many may ask at once.
const ASK_DELAY: Duration = Duration::from_millis(20);

/// Sends a message until the server has it, or until `stop` returns true. Whether the server has it. A message that is
/// sent twice is kept once: the server knows it by its name.
pub async fn until_kept(
    context: &Context,
    subject: &str,
    mut headers: HeaderMap,
    name: &str,
    payload: Bytes,
    stop: impl Fn() -> bool,
) -> bool {
    headers.insert(async_nats::header::NATS_MESSAGE_ID, name);
    loop {
        if let Ok(kept) = context.publish_with_headers(subject.to_owned(), headers.clone(), payload.clone()).await
            && kept.await.is_ok()
        {
            return true;
        }
        if stop() {
            return false;
        }
        sleep(RETRY_DELAY).await;
    }
}

/// The same for an object.
pub async fn object_until_kept(objects: &ObjectStore, name: &str, content: &[u8], stop: impl Fn() -> bool) -> bool {
    loop {
        let mut reader = content;
        if objects.put(name, &mut reader).await.is_ok() {
            return true;
        }
        if stop() {
            return false;
        }
        sleep(RETRY_DELAY).await;
    }
}

/// Publishes statuses, each on its subject, every second and when someone asks for them.
pub async fn heartbeat(fleet: Fleet, mut statuses: impl FnMut() -> Vec<(String, HeaderMap, Bytes)>) {
    let Ok(mut asks) = fleet.client().subscribe(subjects::ASK).await else { return };
    loop {
        for (subject, headers, payload) in statuses() {
            let _ = fleet.client().publish_with_headers(subject, headers, payload).await;
        }
        match timeout(HEARTBEAT_INTERVAL, asks.next()).await {
            Ok(Some(_)) => sleep(ASK_DELAY).await,
            Ok(None) => return,
            Err(_) => {}
        }
    }
}
