//! A host's day on one page: what failed, who is stuck, what rests, and whether there is room.

use std::sync::Arc;

use agon_boards::layout::{Page, coded, sentence};
use agon_boards::text::{ago, localized, stated, t};
use agon_site::clock::now;
use agon_site::store::TroubledVersion;
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use crate::auth::Host;
use crate::layout::ShowPage as _;
use crate::site::{Site, SiteResult};

/// How far back it looks, in seconds.
const DAY_SECONDS: i64 = 86_400;

/// Rows of each list.
const MAX_ROWS: u32 = 50;

pub(crate) async fn show(State(site): State<Arc<Site>>, host: Host) -> SiteResult<Response> {
    let read = site.read(|store| {
        let since = now() - DAY_SECONDS;
        let lists =
            (store.failed_checks(since, MAX_ROWS)?, store.stuck_programs(MAX_ROWS)?, store.resting_versions(MAX_ROWS)?);
        Ok((lists, store.check_queue()?, store.running()?.len()))
    });
    let ((failed, stuck, resting), queue, running) = read.await?;
    let storage = site.queue.maintenance.storage();
    let body = html! {
        h1 { (t!("today-title")) }
        p {
            (t!("queue-waiting", queued = queue.queued, checking = queue.checking)) " "
            (t!("queue-running", games = running, most = site.queue.capacity()))
            @if let Some(oldest) = queue.oldest { " " (t!("queue-oldest", ago = ago(oldest))) }
        }
        @if let Some(shortage) = storage.shortage { p.problem role="alert" { (sentence(&localized(&shortage))) } }
        @else { p { (t!("today-room", free = format!("{:.1}", storage.free as f64 / f64::from(1 << 30)))) } }
        @if site.options.fleet.is_some() {
            p {
                a href="/host/fleet" { (t!("fleet-title")) }
                @if let Some(idle) = site.queue.fleet.idle() { " " (t!("host-fleet-idle", why = idle)) }
            }
        }
        h2 { (t!("today-stuck")) }
        (list(&stuck, &t!("today-no-stuck")))
        h2 { (t!("today-resting")) }
        (list(&resting, &t!("today-no-resting")))
        h2 { (t!("today-failed")) }
        (list(&failed, &t!("today-no-failed")))
    };
    Ok(Page::new(t!("today-title"), body).show(&host.0.visitor))
}

fn list(versions: &[TroubledVersion], none: &str) -> Markup {
    html! {
        @if versions.is_empty() { p.empty { (none) } } @else {
            ul.plain { @for one in versions { li {
                a href={ "/version/" (one.version) } { (one.label) }
                " · " a href={ "/host/accounts/" (one.account) } { (one.owner) }
                span.faint { " · " (ago(one.at)) }
                @if let Some(first) = one.message.lines.first() { br; (coded(&stated(first))) }
            } } }
        }
    }
}
