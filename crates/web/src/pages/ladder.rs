//! The ladder of a contest, and the list of games.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::html;
use serde::Deserialize;

use super::parts;
use crate::error::SiteError;
use crate::layout::Page;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Programs on a page.
const ROWS: u32 = 100;

/// Games on a page.
const GAMES: u32 = 50;

#[derive(Deserialize)]
pub struct LadderQuery {
    #[serde(default)]
    from: u32,
}

/// A contest and its ladder.
pub async fn ladder(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(slug): Path<String>,
    Query(query): Query<LadderQuery>,
) -> SiteResult<Response> {
    let contest = site.contest_at(&slug).ok_or(SiteError::NotFound)?;
    let (id, game) = (contest.id, contest.game);
    let from = query.from;
    let read = site.read(move |store| {
        Ok((store.ladder(id, from, ROWS)?, store.ladder_size(id, 0.0)?.0, store.recent(id, i64::MAX, 10)?))
    });
    let (programs, size, recent) = read.await?;
    let body = html! {
        h1 { (contest.title) }
        p { (game.summary()) ". " a href={ "/rules/" (game.name()) } { "Rules" } " · "
            a href={ "/submit?contest=" (contest.slug) } { "Submit a program" } }
        (parts::ladder(&site, &programs, from + 1, &visitor))
        nav.pages aria-label="pages" {
            @if from > 0 { a href={ "?from=" (from.saturating_sub(ROWS)) } rel="prev" { "← Better" } }
            @if from + ROWS < size { a href={ "?from=" (from + ROWS) } rel="next" { "Weaker →" } }
        }
        p.faint { "⚓ marks the built-in champion's levels: fixed points, which games leave as they are. New versions play at once, older ones more seldom." }
        @if !recent.is_empty() {
            h2 { "Last games" }
            (parts::games(&site, &recent, None, false))
            p { a href={ "/games?contest=" (contest.slug) } { "All games" } }
        }
    };
    Ok(Page::new(format!("Ladder of {}", contest.title), body).show(&visitor))
}

#[derive(Deserialize)]
pub struct GamesQuery {
    #[serde(alias = "game")]
    contest: Option<String>,
    before: Option<i64>,
}

/// The games that are being played, and the last ones.
pub async fn games(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<GamesQuery>,
) -> SiteResult<Response> {
    let chosen = query.contest.as_deref().map(|slug| site.contest_at(slug).ok_or(SiteError::NotFound)).transpose()?;
    let (contests, only) = (site.contests(), chosen.as_ref().map(|contest| contest.id));
    let before = query.before.unwrap_or(i64::MAX);
    let read = site.read(move |store| {
        let mut recent = Vec::new();
        for contest in contests.iter().filter(|contest| only.is_none_or(|only| only == contest.id)) {
            recent.extend(store.recent(contest.id, before, GAMES)?);
        }
        recent.sort_by_key(|bout| std::cmp::Reverse(bout.id));
        recent.truncate(GAMES as usize);
        Ok((store.running()?, recent))
    });
    let (running, recent) = read.await?;
    let running: Vec<_> = running.into_iter().filter(|bout| only.is_none_or(|only| only == bout.contest)).collect();
    let of = chosen.as_ref().map(|contest| format!("contest={}&", contest.slug)).unwrap_or_default();
    let body = html! {
        h1 { @if let Some(contest) = &chosen { "Games of " (contest.title) } @else { "Games" } }
        ul.tabs { li { a href="/games" aria-current=[chosen.is_none().then_some("page")] { "All" } }
            @for contest in site.contests().iter() { li { a href={ "/games?contest=" (contest.slug) } aria-current=[(only == Some(contest.id)).then_some("page")] { (crate::layout::short_title(contest)) } } } }
        @if !running.is_empty() { h2 { "Playing now" } (parts::games(&site, &running, None, true)) h2 { "Played" } }
        @if recent.is_empty() { p { "None yet. The first games are played as soon as somebody submits a program." } }
        @else { (parts::games(&site, &recent, None, true)) }
        @if let Some(last) = recent.last().filter(|_| recent.len() == GAMES as usize) {
            nav.pages aria-label="pages" { a href={ "?" (of) "before=" (last.id) } rel="next" { "Older →" } }
        }
    };
    Ok(Page::new("Games", body).show(&visitor))
}
