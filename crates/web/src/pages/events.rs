//! Events that matter when something was wrong, for the host.

use std::fmt::Write as _;
use std::sync::Arc;

use agon_arena::export::csv_field;
use agon_boards::layout::{Page, coded};
use agon_boards::text::{localized, stated, t, time};
use agon_site::store::{COMMAND_LINE, EventFilter, EventKind, SiteEvent, SiteStore};
use axum::extract::{Query, State};
use axum::response::Response;
use maud::html;
use serde::Deserialize;

use crate::auth::Host;
use crate::download::as_csv;
use crate::error::{RequestError, SiteError, query_escaped};
use crate::layout::ShowPage as _;
use crate::site::{Site, SiteResult};

/// Events on a page.
const MAX_SHOWN: u32 = 100;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct EventsQuery {
    kind: String,
    name: String,
    before: Option<i64>,
}

impl EventsQuery {
    fn filter(&self) -> SiteResult<EventFilter> {
        let kind = match self.kind.as_str() {
            "" => None,
            name => {
                let unknown = || SiteError::bad(RequestError::UnknownKind);
                Some(EventKind::by_name(name).ok_or_else(unknown)?)
            }
        };
        Ok(EventFilter { kind, name: self.name.trim().to_owned(), before: self.before })
    }

    /// The same as part of an address, without the place.
    fn text(&self) -> String {
        format!("kind={}&name={}", query_escaped(&self.kind), query_escaped(self.name.trim()))
    }
}

/// The events, the newest first.
pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    host: Host,
    Query(query): Query<EventsQuery>,
) -> SiteResult<Response> {
    let filter = query.filter()?;
    let wanted = filter.clone();
    let events = site.read(move |store: &SiteStore| store.events(&wanted, MAX_SHOWN)).await?;
    let text = query.text();
    let more = events.last().filter(|_| events.len() == MAX_SHOWN as usize);
    let body = html! {
        h1 { (t!("events-title")) }
        form.row method="get" action="/host/events" {
            label { (t!("events-what-label")) select name="kind" {
                option value="" { (t!("events-everything")) }
                @for kind in EventKind::ALL {
                    option value=(kind.name()) selected[filter.kind == Some(kind)] { (localized(&kind)) }
                }
            } }
            label {
                (t!("events-account-label"))
                input name="name" value=(filter.name) maxlength="60" autocomplete="off";
            }
            button { (t!("events-show")) }
            a href={ "/host/events.csv?" (text) } { (t!("events-csv")) }
        }
        @if events.is_empty() { p.empty { (t!("events-none")) } } @else {
            div.scroll { table.wide {
                thead { tr {
                    th.name scope="col" { (t!("events-when")) }
                    th.name scope="col" { (t!("events-what")) }
                    th.name scope="col" { (t!("events-account")) }
                    th.name scope="col" { (t!("events-by")) }
                    th.name scope="col" { (t!("events-from")) }
                } }
                tbody { @for event in &events { tr {
                    th.name scope="row" { (time(event.at)) }
                    td.name {
                        (localized(&event.kind))
                        @if !event.detail.text.is_empty() { ": " (coded(&stated(&event.detail))) }
                    }
                    td.name {
                        @match event.account {
                            Some(id) if event.kind != EventKind::AccountDeleted => {
                                a href={ "/host/accounts/" (id) } { (event.name) }
                            }
                            _ => (event.name),
                        }
                    }
                    td.name { (event.by) }
                    td.name {
                        @if event.from == COMMAND_LINE { (t!("events-command-line")) } @else { (event.from) }
                    }
                } } }
            } }
            @if let Some(last) = more {
                p { a href={ "/host/events?" (text) "&before=" (last.id) } { (t!("events-earlier")) } }
            }
        }
    };
    Ok(Page::new(t!("events-title"), body).show(&host.0.visitor))
}

/// The same as a file, with all stored events.
pub(crate) async fn csv(
    State(site): State<Arc<Site>>,
    _host: Host,
    Query(query): Query<EventsQuery>,
) -> SiteResult<Response> {
    let filter = query.filter()?;
    let events = site.read(move |store: &SiteStore| store.events(&filter, u32::MAX)).await?;
    Ok(as_csv("events.csv", &table(&events)))
}

/// Comma-separated values (RFC 4180).
fn table(events: &[SiteEvent]) -> String {
    let mut text = "id,time,event,account,name,by,from,detail\r\n".to_owned();
    for SiteEvent { id, at, kind, account, name, by, from, detail } in events {
        let account = account.map_or_else(String::new, |account| account.to_string());
        let [name, by, from, detail] = [name, by, from, &detail.text].map(|text| csv_field(text));
        let _ = write!(text, "{id},{at},{},{account},{name},{by},{from},{detail}\r\n", kind.name());
    }
    text
}
