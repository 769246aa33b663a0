//! One stream of events for a page that updates itself: a notice that a part may look different, and, if it shows a
//! game in progress, the events of that game.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use agon_boards::limits::held;
use agon_boards::text::locale;
use agon_site::access::may_watch;
use axum::body::{Body, Bytes};
use axum::extract::{Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Deserialize;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use crate::live;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// The minimum time between two notices: a page is kept for two seconds.
const QUIET: Duration = Duration::from_secs(3);

/// How long a stream is silent at most: proxies close those that are silent for longer.
const SILENCE: Duration = Duration::from_secs(15);

const CHANGED: &[u8] = b"event: changed\ndata: null\n\n";

#[derive(Deserialize)]
pub(crate) struct ChangesQuery {
    /// The game that the page shows.
    game: Option<i64>,
}

/// The stream of a page.
pub(crate) async fn follow(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<ChangesQuery>,
    headers: HeaderMap,
) -> SiteResult<Response> {
    let places = site.watch(&visitor)?;
    let signals = &site.queue.signals;
    let changes = changes(signals.changed.subscribe(), signals.stopping.subscribe());
    let mut live = None;
    if let Some(id) = query.game
        && let Some(bout) = site.read(move |store| store.bout(id)).await?
        && visitor.sees(bout.competition)
        && may_watch(site.competition(bout.competition).as_ref(), &visitor, &bout)
    {
        live = site.queue.live.find(id);
    }
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse::<usize>().ok());
    let from = last.map_or(0, |last| last.saturating_add(1));
    let body = match live {
        Some(live) => {
            let game = live::parts(live.follow(from, locale(), signals.stopping.subscribe()));
            Body::from_stream(stream::select(Box::pin(game), Box::pin(changes)))
        }
        None => Body::from_stream(changes),
    };
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok(held((headers, body).into_response(), places))
}

/// A notice for each change, or for many changes together.
fn changes(
    changed: watch::Receiver<u64>,
    stopping: watch::Receiver<bool>,
) -> impl stream::Stream<Item = Result<Bytes, Infallible>> + Send {
    let began = Instant::now();
    stream::unfold((changed, stopping, began), |(mut changed, mut stopping, earliest)| async move {
        let woken = tokio::select! {
            seen = changed.changed() => seen.ok().map(|()| true),
            _ = stopping.wait_for(|stopping| *stopping) => None,
            () = tokio::time::sleep(SILENCE) => Some(false),
        };
        let text: &'static [u8] = if woken? {
            let quiet = tokio::select! {
                () = sleep_until(earliest) => true,
                _ = stopping.wait_for(|stopping| *stopping) => false,
            };
            if !quiet {
                return None;
            }
            changed.mark_unchanged();
            CHANGED
        } else {
            b":\n\n"
        };
        Some((Ok(Bytes::from_static(text)), (changed, stopping, Instant::now() + QUIET)))
    })
}

#[cfg(test)]
mod tests {
    use futures_util::StreamExt as _;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn many_changes_are_one_notice() {
        let (changed, stopping) = (watch::Sender::new(0_u64), watch::Sender::new(false));
        let mut stream = Box::pin(changes(changed.subscribe(), stopping.subscribe()));
        let begun = Instant::now();
        changed.send_modify(|count| *count += 1);
        assert_eq!(&stream.next().await.unwrap().unwrap()[..], CHANGED);
        assert!(begun.elapsed() < QUIET, "the first comes at once");
        for _ in 0..9 {
            changed.send_modify(|count| *count += 1);
        }
        assert_eq!(&stream.next().await.unwrap().unwrap()[..], CHANGED);
        assert!(begun.elapsed() >= QUIET && begun.elapsed() < SILENCE);
        assert_eq!(&stream.next().await.unwrap().unwrap()[..], b":\n\n", "nothing more has changed");
        stopping.send_replace(true);
        assert!(stream.next().await.is_none());
    }
}
