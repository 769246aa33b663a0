//! Heartbeats.

use std::time::Duration;

use async_nats::HeaderMap;
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::time::{sleep, timeout};

use crate::connect::Fleet;
use crate::subjects;

/// Delay after an answer to [`subjects::ASK`]: many may ask at once.
const ASK_DELAY: Duration = Duration::from_millis(20);

/// Publishes statuses, each on its subject, at this interval and on request.
pub(crate) async fn heartbeat(
    fleet: Fleet,
    interval: Duration,
    mut statuses: impl FnMut() -> Vec<(String, HeaderMap, Bytes)>,
) {
    let Ok(mut asks) = fleet.client().subscribe(subjects::ASK).await else { return };
    loop {
        for (subject, headers, payload) in statuses() {
            let _ = fleet.client().publish_with_headers(subject, headers, payload).await;
        }
        match timeout(interval, asks.next()).await {
            Ok(Some(_)) => sleep(ASK_DELAY).await,
            Ok(None) => return,
            Err(_) => {}
        }
    }
}
