//! A game: live while it is played, afterwards every ply of it, and its record.

use std::sync::Arc;

use agon_referee::record::{Record, Winner};
use agon_site::access::{HIDDEN, inside, may_watch};
use agon_site::clock::ago;
use agon_site::store::{BoutKind, SiteBout};
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

use crate::error::SiteError;
use crate::games::{follow, record_text, with_record, without_record};
use crate::layout::{Page, data};
use crate::site::{Site, SiteResult};
use crate::viewer::{self, transcript};
use crate::visitor::Visitor;

pub async fn show(State(site): State<Arc<Site>>, visitor: Visitor, Path(id): Path<i64>) -> SiteResult<Response> {
    let bout = site.read(move |store| store.bout(id)).await?.ok_or(SiteError::NotFound)?;
    let title = format!("{} – {}", bout.seats[0].label(), bout.seats[1].label());
    if !may_watch(site.contest(bout.contest).as_ref(), &visitor, &bout) {
        return Ok(without_moves(&site, &bout, &title, HIDDEN).show(&visitor));
    }
    let open = inside(&visitor, &bout);
    let Some(drawn) = with_record(&site, id, move |record| drawn(&record, open)).await? else {
        if bout.winner.is_some() {
            return Ok(without_moves(&site, &bout, &title, without_record(&bout)).show(&visitor));
        }
        let body = html! {
            (heading(&site, &bout))
            section.game id="live" tabindex="0" data-events={ "/game/" (id) "/events" } {
                p { "The game is being played." }
                noscript { p { "The board needs scripts. Load this page again when the game is over." } }
            }
        };
        return Ok(Page::new(title, body).with_script("live.js").show(&visitor));
    };
    let game = drawn.map_err(SiteError::internal)?;
    let body = html! {
        (heading(&site, &bout))
        section.game id="game" tabindex="0" {
            noscript { p { "The board needs scripts. " (game["result"].as_str().unwrap_or_default()) } }
        }
        p.faint {
            "Keys: → or Space goes on, ← back, Page Up and Page Down ten at a time, Home and End to the ends. "
            a href={ "/game/" (id) "/record" } download={ "agon-" (id) ".jsonl" } { "Record" } " · "
            a href={ "/versus/" (bout.seats[0].program) "/" (bout.seats[1].program) } { "All their games" }
        }
        section id="evaluation" data-events={ "/game/" (id) "/evaluation" } {}
        (data(&game))
    };
    Ok(Page::new(title, body).with_script("evaluation.js").show(&visitor))
}

/// A game whose moves are not shown, and why: what its row says.
fn without_moves(site: &Site, bout: &SiteBout, title: &str, why: &str) -> Page {
    let body = html! {
        (heading(site, bout))
        p.notice { (why) }
        @match bout.winner {
            Some(Winner::First) => p {
                span.strong { (bout.seats[0].label()) } " has won after " (bout.plies) " moves: " (bout.reason)
            },
            Some(Winner::Second) => p {
                span.strong { (bout.seats[1].label()) } " has won after " (bout.plies) " moves: " (bout.reason)
            },
            None => p { "The game is being played." },
            _ => p { "No winner after " (bout.plies) " moves: " (bout.reason) },
        }
        p.faint { a href={ "/versus/" (bout.seats[0].program) "/" (bout.seats[1].program) } { "All their games" } }
    };
    Page::new(title, body)
}

fn heading(site: &Site, bout: &SiteBout) -> Markup {
    let contest = site.contest(bout.contest);
    html! {
        h1 { @for (at, seat) in bout.seats.iter().enumerate() {
            @if at == 1 { " – " }
            a href={ "/program/" (seat.program) } { (seat.label()) }
        } }
        p.faint {
            @if let Some(contest) = &contest { a href={ "/ladder/" (contest.slug) } { (contest.title) } " · " }
            "game " (bout.id) " · " (kind(bout)) " · " (ago(bout.begun))
        }
    }
}

fn kind(bout: &SiteBout) -> Markup {
    match bout.kind {
        BoutKind::Check => html! { "check of a new version, not rated" },
        BoutKind::Ladder => html! { "rated" },
        BoutKind::Asked { .. } => html! { "asked for by an author, not rated" },
        BoutKind::Final { id, .. } => html! { a href={ "/final/" (id) } { "a final" } ", not rated" },
    }
}

/// A recorded game as the viewer wants it.
fn drawn(text: &str, open: [bool; 2]) -> Result<serde_json::Value, String> {
    let record = Record::read(text).map_err(|error| error.to_string())?;
    let (start, moves) = transcript::replayed(&record)?;
    let failures = viewer::failures(&record, start.as_ref(), open);
    viewer::game(&record, start.as_ref(), &moves, &failures, open).map_err(|error| error.to_string())
}

/// The record of a game.
pub async fn record(State(site): State<Arc<Site>>, visitor: Visitor, Path(id): Path<i64>) -> SiteResult<Response> {
    let text = record_text(&site, &visitor, id).await?;
    let name = format!("attachment; filename=\"agon-{id}.jsonl\"");
    let headers = [(header::CONTENT_TYPE, "application/x-ndjson"), (header::CONTENT_DISPOSITION, name.as_str())];
    Ok((headers, text).into_response())
}

/// A running game as events.
pub async fn events(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<i64>,
    headers: HeaderMap,
) -> SiteResult<Response> {
    follow(&site, &visitor, id, &headers).await
}
