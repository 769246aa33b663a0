//! What waits for its check, and what is being played.

use std::sync::Arc;

use agon_site::queue::{Estimate, about};
use axum::extract::State;
use axum::response::Response;
use maud::html;

use super::front::now_playing;
use crate::layout::Page;
use crate::site::{Site, SiteResult};
use crate::submissions::ages;
use crate::text::{ago, rich, said, t};
use crate::visitor::Visitor;

/// How long a submission waits.
pub async fn show(State(site): State<Arc<Site>>, visitor: Visitor) -> SiteResult<Response> {
    let read = site.read(|store| Ok((store.check_queue()?, store.running()?, store.recent_times()?)));
    let (waiting, running, times) = read.await?;
    let (playing, ages) = (running.len(), ages(&running));
    let running: Vec<_> = running.into_iter().filter(|bout| visitor.sees(bout.contest)).collect();
    let before = waiting.queued + waiting.checking;
    let estimate = Estimate::new(waiting.queued, &ages, site.capacity(), site.options.workers > 0, times);
    let body = html! {
        h1 { (t!("queue-title")) }
        p {
            (t!("queue-waiting", queued = waiting.queued, checking = waiting.checking)) " "
            (t!("queue-running", games = playing, most = site.capacity())) " "
            (t!("queue-order"))
            @if site.options.fleet.is_some() {
                " " @if site.options.workers > 0 { (t!("queue-fleet-and-here")) } @else { (t!("queue-fleet")) }
            }
        }
        @if site.fleet.idle().is_some() { p.notice { (t!("queue-fleet-idle")) } }
        p {
            @if let Some(Estimate { wait, check }) = estimate {
                (rich!(
                    "queue-estimate",
                    wait = html! { strong { (said(&about(wait))) } },
                    check = said(&about(check)),
                ))
            } @else if site.plays() {
                (t!("queue-unknown"))
            } @else {
                (t!("queue-nothing"))
            }
        }
        @if let Some(oldest) = waiting.oldest.filter(|_| before > 0) {
            p.faint { (t!("queue-oldest", ago = ago(oldest))) }
        }
        (now_playing(&site, &running))
    };
    Ok(Page::new(t!("queue-title"), body).show(&visitor))
}
