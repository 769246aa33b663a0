//! The record of a game, and a running one as events: for pages and for the API.

use std::convert::Infallible;
use std::sync::Arc;

use agon_site::access::{HIDDEN, inside, may_watch, redacted};
use agon_site::store::SiteBout;
use axum::http::{HeaderMap, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;
use tokio_stream::wrappers::ReceiverStream;

use crate::error::SiteError;
use crate::live;
use crate::rate::{LimitedAction, LimitedActor};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Why a game has no record any more.
pub const GONE: &str =
    "The record of this game is no longer kept: the site drops the oldest ones. Result and ratings stay.";

/// Refuses the moves of a game to those who may not see them yet.
///
/// # Errors
/// [`SiteError::Forbidden`].
pub fn watching(site: &Site, visitor: &Visitor, bout: &SiteBout) -> SiteResult<()> {
    if may_watch(site.contest(bout.contest).as_ref(), visitor, bout) {
        Ok(())
    } else {
        Err(SiteError::Forbidden(HIDDEN))
    }
}

/// The record of a game as a visitor may have it: without the error streams of programs of others, and sealed again.
pub async fn record_text(site: &Arc<Site>, visitor: &Visitor, id: i64) -> SiteResult<String> {
    let read = site.read(move |store| {
        let Some(bout) = store.bout(id)? else { return Ok(None) };
        Ok(Some((bout, store.record_of_bout(id)?)))
    });
    let (bout, text) = read.await?.ok_or(SiteError::NotFound)?;
    watching(site, visitor, &bout)?;
    let text = match (text, bout.winner) {
        (Some(text), _) => text,
        (None, Some(_)) => return Err(SiteError::Gone(GONE)),
        (None, None) => return Err(SiteError::NotFound),
    };
    let open = inside(visitor, &bout);
    let redacted = spawn_blocking(move || redacted(&text, open));
    redacted.await.map_err(SiteError::internal)?.map_err(SiteError::internal)
}

/// A running game as events, from the one after `last-event-id` on.
pub async fn follow(site: &Arc<Site>, visitor: &Visitor, id: i64, headers: &HeaderMap) -> SiteResult<Response> {
    site.take(LimitedAction::Watch, LimitedActor::at(visitor.address))?;
    // A game that is no more ends with the event `gone`.
    if let Some(bout) = site.read(move |store| store.bout(id)).await? {
        watching(site, visitor, &bout)?;
    }
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse::<usize>().ok());
    let from = last.map_or(0, |last| last.saturating_add(1));
    let body = site.live.find(id).map_or_else(live::gone, |live| live.follow(from, site.stopping.subscribe()));
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache"),
        (header::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, body).into_response())
}

/// Events as a response that no proxy holds back.
pub fn stream(events: mpsc::Receiver<Result<Event, Infallible>>) -> Response {
    let sse = Sse::new(ReceiverStream::new(events)).keep_alive(KeepAlive::default());
    ([("x-accel-buffering", "no")], sse).into_response()
}
