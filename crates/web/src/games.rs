//! The record of a game, and a running one as events: for pages and for the API.

use std::convert::Infallible;
use std::sync::Arc;

use agon_arena::store::StoreError;
use agon_boards::limits::{Effort, Place, held};
use agon_message::Locale;
use agon_site::access::{AccessError, inside, may_watch, redacted};
use agon_site::store::SiteBout;
use axum::body::Body;
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use crate::error::{RequestError, SiteError};
use crate::live;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Why a finished game has no record.
pub(crate) const fn without_record(bout: &SiteBout) -> RequestError {
    if bout.is_forfeit { RequestError::NotPlayed } else { RequestError::RecordGone }
}

/// Refuses the moves of a game to those who may not see them yet.
///
/// # Errors
/// [`SiteError::Forbidden`].
pub(crate) fn watching(site: &Site, visitor: &Visitor, bout: &SiteBout) -> SiteResult<()> {
    if may_watch(site.competition(bout.competition).as_ref(), visitor, bout) {
        Ok(())
    } else {
        Err(SiteError::Forbidden(Arc::new(AccessError::MovesHidden)))
    }
}

/// The record of a game as a visitor may have it: without the error streams of others' programs, and sealed again.
pub(crate) async fn record_text(site: &Arc<Site>, visitor: &Visitor, id: i64) -> SiteResult<String> {
    let bout = site.read(move |store| store.bout(id)).await?.ok_or(SiteError::NotFound)?;
    watching(site, visitor, &bout)?;
    let open = inside(visitor, &bout);
    let redacted = with_record(site, id, move |text| redacted(&text, open)).await?;
    match (redacted, bout.winner) {
        (Some(redacted), _) => redacted.map_err(SiteError::internal),
        (None, Some(_)) => Err(SiteError::Gone(Arc::new(without_record(&bout)))),
        (None, None) => Err(SiteError::NotFound),
    }
}

/// Uses the record of a game, if it has one. It is read where it is used: a job that waits for a thread has no record
/// in memory.
///
/// # Errors
/// [`SiteError::Internal`] when the store fails.
pub(crate) async fn with_record<T: Send + 'static>(
    site: &Arc<Site>,
    id: i64,
    job: impl FnOnce(String) -> T + Send + 'static,
) -> SiteResult<Option<T>> {
    let reading = Arc::clone(site);
    let done = move |_: &Effort| Ok::<_, StoreError>(reading.look(|store| store.record_of_bout(id))?.map(job));
    Ok(site.rooms.records.run(done).await??)
}

/// A running game as events, from the one after `last-event-id` on.
pub(crate) async fn follow(
    site: &Arc<Site>,
    visitor: &Visitor,
    id: i64,
    headers: &HeaderMap,
    locale: Locale,
) -> SiteResult<Response> {
    let places = site.watch(visitor)?;
    // A game that no longer exists ends with the event `gone`.
    if let Some(bout) = site.read(move |store| store.bout(id)).await? {
        watching(site, visitor, &bout)?;
    }
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse::<usize>().ok());
    let from = last.map_or(0, |last| last.saturating_add(1));
    let stopping = site.queue.signals.stopping.subscribe();
    let followed = site.queue.live.find(id).map(|live| live.follow(from, locale, stopping));
    let body = followed.map_or_else(live::gone, |follower| Body::from_stream(live::parts(follower)));
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok(held((headers, body).into_response(), places))
}

/// Events as a response that no proxy holds back.
pub(crate) fn stream(events: mpsc::Receiver<Result<Event, Infallible>>, places: Vec<Place>) -> Response {
    let sse = Sse::new(ReceiverStream::new(events)).keep_alive(KeepAlive::default());
    held(([("x-accel-buffering", "no")], sse).into_response(), places)
}
