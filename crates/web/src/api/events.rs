//! Events that matter when something was wrong.

use std::sync::Arc;

use agon_boards::json::Json;
use agon_site::store::{EventFilter, EventKind, SiteEvent, SiteStore};
use axum::extract::{Query, State};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::visitor::ApiVisitor;
use crate::site::{Site, SiteResult};

/// The most events in an answer.
const MAX_EVENTS: u32 = 1000;

/// An event.
#[derive(Serialize, ToSchema)]
#[schema(as = SecurityEvent)]
pub(super) struct ApiEvent {
    /// Its number.
    id: i64,
    /// The time.
    at: i64,
    /// What happened.
    event: EventKind,
    /// The account concerned; null if there is none, or it is unknown.
    account: Option<i64>,
    /// The name of that account at that time; empty without one.
    name: String,
    /// The name of the acting account, if that is another one.
    by: String,
    /// The address that the request came from, or `command line`.
    from: String,
    /// More about it, in words.
    detail: String,
    /// What the detail says, the same in every version; null without one, and if the detail is a name.
    detail_key: Option<String>,
}

impl From<SiteEvent> for ApiEvent {
    fn from(event: SiteEvent) -> Self {
        let SiteEvent { id, at, kind, account, name, by, from, detail } = event;
        let detail_key = detail.keyed.map(|keyed| keyed.key);
        Self { id, at, event: kind, account, name, by, from, detail: detail.text, detail_key }
    }
}

/// Events.
#[derive(Serialize, ToSchema)]
#[schema(as = SecurityEvents)]
pub(super) struct ApiEvents {
    /// These, the newest first.
    events: Vec<ApiEvent>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct EventsParams {
    /// What happened; everything by default.
    event: Option<EventKind>,
    /// The name of an account that it is about, or that acted.
    name: Option<String>,
    /// Events before this number, for paging.
    before: Option<i64>,
    /// The most events in the answer.
    #[serde(default = "most")]
    #[param(minimum = 1, maximum = 1000, default = 100)]
    limit: u32,
}

const fn most() -> u32 {
    100
}

/// The events, the newest first
///
/// Who signed in from where and who was refused; changes of passwords, tokens and rights; exports. The 5000 newest of
/// each kind are kept. Scope `host`.
#[utoipa::path(
    get, path = "/api/v1/host/events", operation_id = "security_events", tag = "host",
    params(EventsParams),
    responses((status = 200, body = ApiEvents), (status = 403, description = "Not the host"))
)]
pub(super) async fn events(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Query(query): Query<EventsParams>,
) -> SiteResult<Json<ApiEvents>> {
    visitor.host()?;
    let EventsParams { event, name, before, limit } = query;
    let filter = EventFilter { kind: event, name: name.unwrap_or_default(), before };
    let limit = limit.clamp(1, MAX_EVENTS);
    let events = site.read(move |store: &SiteStore| store.events(&filter, limit)).await?;
    Ok(Json(ApiEvents { events: events.into_iter().map(ApiEvent::from).collect() }))
}
