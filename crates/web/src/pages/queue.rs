//! What is waiting for its check, and what is being played.

use std::sync::Arc;

use agon_boards::layout::Page;
use agon_boards::text::{ago, localized, rich, t, time, until};
use agon_queue::progress::ages;
use agon_queue::waiting::{self, WaitReason, WaitingWork};
use agon_site::queue::{Estimate, about};
use axum::extract::State;
use axum::response::Response;
use maud::{Markup, html};

use super::front::now_playing;
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Games that are named where workers are busy.
const MAX_GAMES: usize = 8;

/// How long a submission waits.
pub(crate) async fn show(State(site): State<Arc<Site>>, visitor: Visitor) -> SiteResult<Response> {
    let (own, visible) = (Arc::clone(&site), Arc::clone(&visitor.competitions));
    let read = site.read(move |store| {
        Ok((store.check_queue()?, store.running()?, store.recent_times()?, waiting::read(&own.queue, store, &visible)?))
    });
    let (waiting, running, times, reasons) = read.await?;
    let (playing, ages) = (running.len(), ages(&running));
    let running: Vec<_> = running.into_iter().filter(|bout| visitor.sees(bout.competition)).collect();
    let before = waiting.queued + waiting.checking;
    let estimate = Estimate::new(waiting.queued, &ages, site.queue.capacity(), site.options.workers > 0, times);
    let body = html! {
        h1 { (t!("queue-title")) }
        p {
            (t!("queue-waiting", queued = waiting.queued, checking = waiting.checking)) " "
            (t!("queue-running", games = playing, most = site.queue.capacity())) " "
            (t!("queue-order"))
            @if site.options.fleet.is_some() {
                " " @if site.options.workers > 0 { (t!("queue-fleet-and-here")) } @else { (t!("queue-fleet")) }
            }
        }
        @if site.queue.fleet.idle().is_some() { p.notice { (t!("queue-fleet-idle")) } }
        p {
            @if let Some(Estimate { wait, check }) = estimate {
                (rich!(
                    "queue-estimate",
                    wait = html! { strong { (localized(&about(wait))) } },
                    check = localized(&about(check)),
                ))
            } @else if site.queue.plays() {
                (t!("queue-unknown"))
            } @else {
                (t!("queue-nothing"))
            }
        }
        @if let Some(oldest) = waiting.oldest.filter(|_| before > 0) {
            p.faint { (t!("queue-oldest", ago = ago(oldest))) }
        }
        @if !reasons.is_empty() {
            h2 { (t!("queue-why")) }
            ul { @for one in &reasons { li { (what(&site, &one.what)) " " (why(&one.why)) } } }
        }
        (now_playing(&site, &running))
    };
    Ok(Page::new(t!("queue-title"), body).show(&visitor))
}

/// What is waiting.
fn what(site: &Site, what: &WaitingWork) -> Markup {
    match what {
        WaitingWork::Checks(count) => html! { (t!("queue-what-checks", count = *count)) },
        WaitingWork::Final { id, title } => {
            rich!("queue-what-final", title = html! { a href={ "/final/" (id) } { (title) } })
        }
        WaitingWork::Asked(count) => html! { (t!("queue-what-asked", count = *count)) },
        WaitingWork::Ladder { competition } => {
            let competition = site.competition(*competition);
            let link = html! { @if let Some(competition) = competition {
                a href={ "/ladder/" (competition.slug) } { (competition_title(&competition)) }
            } };
            rich!("queue-what-ladder", title = link)
        }
    }
}

/// Why it is waiting, and until when.
fn why(why: &WaitReason) -> Markup {
    let links = |games: &[i64]| {
        html! { @for (at, game) in games.iter().take(MAX_GAMES).enumerate() {
            @if at > 0 { ", " }
            a href={ "/game/" (game) } { (game) }
        } @if games.len() > MAX_GAMES { " …" } }
    };
    match why {
        WaitReason::Stopped => html! { (t!("queue-why-stopped")) },
        WaitReason::NoWorkers => html! { (t!("queue-why-no-workers")) },
        WaitReason::Busy { games, until: Some(at) } => {
            rich!("queue-why-busy-until", games = links(games), at = time(*at), left = until(*at))
        }
        WaitReason::Busy { games, until: None } => rich!("queue-why-busy", games = links(games)),
        WaitReason::Round { games } => rich!("queue-why-round", games = links(games)),
        WaitReason::Checks(count) => html! { (t!("queue-why-checks", count = *count)) },
        WaitReason::Final(id) => {
            rich!("queue-why-final", link = html! { a href={ "/final/" (id) } { (t!("queue-a-final")) } })
        }
        WaitReason::Paused => html! { (t!("queue-why-paused")) },
    }
}
