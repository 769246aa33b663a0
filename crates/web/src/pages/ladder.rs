//! The ladder of a game, and the list of games.

use std::sync::Arc;

use agon_rules::catalog::Game;
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

/// The ladder of a game.
pub async fn ladder(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(name): Path<String>,
    Query(query): Query<LadderQuery>,
) -> SiteResult<Response> {
    let game = Game::by_name(&name).ok_or(SiteError::NotFound)?;
    let from = query.from;
    let read = site.read(move |store| {
        Ok((store.ladder(game, from, ROWS)?, store.ladder_size(game, 0.0)?.0, store.recent(game, i64::MAX, 10)?))
    });
    let (programs, size, recent) = read.await?;
    let own = visitor.account.as_ref().map(|account| account.id);
    let body = html! {
        h1 { (game.title()) }
        p { (game.summary()) ". " a href={ "/rules/" (game.name()) } { "Rules" } " · "
            a href={ "/submit?game=" (game.name()) } { "Submit a program" } }
        (parts::ladder(&site, &programs, from + 1, own))
        nav.pages aria-label="pages" {
            @if from > 0 { a href={ "?from=" (from.saturating_sub(ROWS)) } rel="prev" { "← Better" } }
            @if from + ROWS < size { a href={ "?from=" (from + ROWS) } rel="next" { "Weaker →" } }
        }
        p.faint { "⚓ marks the built-in champion's levels: fixed points, which games leave as they are. New versions play at once, older ones more seldom." }
        @if !recent.is_empty() {
            h2 { "Last games" }
            (parts::games(&recent, None, false))
            p { a href={ "/games?game=" (game.name()) } { "All games" } }
        }
    };
    Ok(Page::new(format!("Ladder of {}", game.title()), body).show(&visitor))
}

#[derive(Deserialize)]
pub struct GamesQuery {
    game: Option<String>,
    before: Option<i64>,
}

/// The games that are being played, and the last ones.
pub async fn games(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<GamesQuery>,
) -> SiteResult<Response> {
    let chosen = query.game.as_deref().map(|name| Game::by_name(name).ok_or(SiteError::NotFound)).transpose()?;
    let before = query.before.unwrap_or(i64::MAX);
    let read = site.read(move |store| {
        let mut recent = Vec::new();
        for game in Game::ALL.into_iter().filter(|game| chosen.is_none_or(|chosen| chosen == *game)) {
            recent.extend(store.recent(game, before, GAMES)?);
        }
        recent.sort_by_key(|bout| std::cmp::Reverse(bout.id));
        recent.truncate(GAMES as usize);
        Ok((store.running()?, recent))
    });
    let (running, recent) = read.await?;
    let running: Vec<_> = running.into_iter().filter(|bout| chosen.is_none_or(|game| game == bout.game)).collect();
    let of = chosen.map(|game| format!("game={}&", game.name())).unwrap_or_default();
    let body = html! {
        h1 { @if let Some(game) = chosen { "Games of " (game.title()) } @else { "Games" } }
        ul.tabs { li { a href="/games" aria-current=[chosen.is_none().then_some("page")] { "All" } }
            @for game in Game::ALL { li { a href={ "/games?game=" (game.name()) } aria-current=[(chosen == Some(game)).then_some("page")] { (crate::layout::short_title(game)) } } } }
        @if !running.is_empty() { h2 { "Playing now" } (parts::games(&running, None, true)) h2 { "Played" } }
        @if recent.is_empty() { p { "None yet. The first games are played as soon as somebody submits a program." } }
        @else { (parts::games(&recent, None, true)) }
        @if let Some(last) = recent.last().filter(|_| recent.len() == GAMES as usize) {
            nav.pages aria-label="pages" { a href={ "?" (of) "before=" (last.id) } rel="next" { "Older →" } }
        }
    };
    Ok(Page::new("Games", body).show(&visitor))
}
