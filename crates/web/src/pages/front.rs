//! The start, the search, and what machines ask for.

use std::sync::Arc;

use agon_site::clock::{ago, now};
use agon_site::names::composed;
use agon_site::store::{BoutKind, Competition, CompetitionPhase, SiteBout, SiteProgram, SiteStore};
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::{notices, parts};
use crate::error::SiteError;
use crate::layout::Page;
use crate::metrics::SiteState;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Programs of each ladder on the start page, and competitions that have closed.
const TOP: u32 = 5;
const PAST: usize = 5;

pub async fn start(State(site): State<Arc<Site>>, visitor: Visitor) -> SiteResult<Response> {
    let standing: Vec<Competition> = visitor.standing().cloned().collect();
    let read = site.read(move |store| {
        let mut tops = Vec::new();
        for contest in standing {
            let top = store.best(contest.id, TOP)?;
            tops.push((contest, top));
        }
        Ok((tops, store.running()?, store.announcements(3)?))
    });
    let (tops, running, announcements) = read.await?;
    let body = html! {
        @for (_, text, created) in &announcements { p.notice { (text) " " span.faint { (ago(*created)) } } }
        (notices::list(&visitor))
        @if visitor.account.is_none() {
            section.hero {
                h1 { "Programs that play against each other" }
                p {
                    "Write a program that reads and writes lines. "
                    "Submit it here, watch it play, read why it lost, and climb."
                }
                p { a.button href="/submit" { "Submit a program" } " " a href="/rules" { "Rules and samples" } }
            }
        } @else { h1 { "Ladders" } }
        @if !running.is_empty() { section { h2 { "Playing now" } (now_playing(&site, &running)) } }
        (contest_list(&visitor))
        div.tops {
            @for (contest, top) in &tops {
                section { h2 { a href={ "/ladder/" (contest.slug) } { (contest.title) } } (short_ladder(contest, top)) }
            }
        }
    };
    Ok(Page::new("Arena", body).show(&visitor))
}

/// The competitions that begin and end: those that are open and those to come, and the last ones that have closed.
fn contest_list(visitor: &Visitor) -> Markup {
    let now = now();
    let limited = |contest: &&Competition| contest.opens.is_some_and(|opens| opens > now) || contest.closes.is_some();
    let (closed, mut others): (Vec<_>, Vec<_>) =
        visitor.contests.iter().filter(limited).partition(|contest| contest.phase(now) == CompetitionPhase::Closed);
    others.sort_by_key(|contest| (contest.phase(now) == CompetitionPhase::Coming, contest.opens.max(contest.closes)));
    let mut closed = closed;
    closed.sort_by_key(|contest| std::cmp::Reverse(contest.closes));
    closed.truncate(PAST);
    html! {
        @if !others.is_empty() || !closed.is_empty() { section {
            h2 { "Competitions" }
            ul.plain { @for contest in others.iter().chain(&closed) { li {
                a href={ "/ladder/" (contest.slug) } { (contest.title) }
                span.faint { " · " (contest.game.title()) " · " (parts::when(contest)) }
            } } }
        } }
    }
}

pub fn now_playing(site: &Site, running: &[SiteBout]) -> Markup {
    html! {
        ul.live { @for bout in running.iter().take(8) {
            li { a href={ "/game/" (bout.id) } {
                span.dot aria-hidden="true" {} (bout.seats[0].label()) " – " (bout.seats[1].label())
                span.faint {
                    " · " @if let Some(contest) = site.contest(bout.contest) { (contest.title) }
                    @if bout.kind != BoutKind::Ladder { ", " (bout.kind.name()) }
                }
            } }
        } }
    }
}

fn short_ladder(contest: &Competition, programs: &[(u32, SiteProgram)]) -> Markup {
    html! {
        @if programs.is_empty() {
            p.faint { "No programs yet. " a href={ "/submit?contest=" (contest.slug) } { "Submit the first one" } "." }
        }
        ol.short { @for (place, program) in programs {
            li {
                span { span.place { (place) } (parts::program(program)) }
                span { (parts::form(&program.form)) " " span.strong { (format!("{:.0}", program.rating)) } }
            }
        } }
    }
}

#[derive(Deserialize)]
pub struct SearchQuery {
    #[serde(default)]
    q: String,
}

pub async fn search(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<SearchQuery>,
) -> SiteResult<Response> {
    let asked = query.q.trim().to_owned();
    // Names are kept composed; keyboards of some systems decompose Hangul and accents.
    let text = composed(&asked);
    let found = site.read(move |store| if text.is_empty() { Ok(Vec::new()) } else { store.find_programs(&text, 50) });
    let found = found.await?;
    let body = html! {
        h1 { "Search" }
        form.row action="/search" {
            input type="search" name="q" value=(asked) aria-label="Program or person" maxlength="60";
            button { "Search" }
        }
        @if found.is_empty() && !asked.is_empty() {
            p { "No program and no owner has a name that begins with “" (asked) "”." }
        }
        ul.plain { @for program in &found {
            li {
                (parts::program(program))
                span.faint {
                    " · " @if let Some(contest) = site.contest(program.contest) { (contest.title) } " · "
                    (format!("{:.0}", program.rating))
                }
            }
        } }
    };
    Ok(Page::new("Search", body).show(&visitor))
}

/// Whether the site works: it answers, and its store can be read.
pub async fn health(State(site): State<Arc<Site>>) -> SiteResult<&'static str> {
    site.read(SiteStore::counts).await?;
    Ok("ok\n")
}

pub async fn metrics(State(site): State<Arc<Site>>) -> SiteResult<Response> {
    let own = Arc::clone(&site);
    let state = SiteState { workers: site.capacity(), read_only: site.is_read_only(), storage: site.storage() };
    let text = site.read(move |store| own.metrics.render(&state, store)).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}

/// A page that is not there.
pub async fn nowhere() -> SiteError {
    SiteError::NotFound
}
