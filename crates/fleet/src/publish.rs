//! Messages that must arrive.

use std::time::Duration;

use async_nats::HeaderMap;
use async_nats::jetstream::Context;
use async_nats::jetstream::object_store::ObjectStore;
use bytes::Bytes;
use tokio::time::sleep;

/// The pause before a message is sent again that was not taken.
const AGAIN: Duration = Duration::from_millis(250);

/// Sends a message until the server has it, or until `stop` says that it is no use. Sent twice it is kept once: its name
/// tells the server that it is the same.
///
/// Whether it has arrived.
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
        sleep(AGAIN).await;
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
        sleep(AGAIN).await;
    }
}
