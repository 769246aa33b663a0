//! A person: the programs, the teams, and the last games.

use std::sync::Arc;

use agon_boards::layout::Page;
use agon_boards::text::{ago, t};
use agon_site::store::{Followed, SiteBout};
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;

use super::{cards, following, parts, teams};
use crate::error::SiteError;
use crate::layout::ShowPage as _;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Games on the page, and how many of each program are looked at for them.
const GAMES: usize = 20;

/// Programs whose games are shown.
const MAX_PROGRAMS: usize = 12;

/// The page of an account. One that has neither a program nor a team is shown to itself and to the host.
pub(crate) async fn show(State(site): State<Arc<Site>>, visitor: Visitor, Path(id): Path<i64>) -> SiteResult<Response> {
    let hidden = visitor.hidden.clone();
    let read = site.read(move |store| {
        let Some((account, _)) = store.account(id)? else { return Ok(None) };
        let (mut programs, teams) = (store.programs_of(id)?, store.teams_of(id)?);
        programs.retain(|program| !hidden.contains(&program.competition));
        let mut games: Vec<SiteBout> = Vec::new();
        for program in programs.iter().take(MAX_PROGRAMS) {
            games.extend(store.bouts_of(program.id, i64::MAX, GAMES as u32)?);
        }
        games.sort_by_key(|bout| std::cmp::Reverse(bout.id));
        games.dedup_by_key(|bout| bout.id);
        games.truncate(GAMES);
        Ok(Some((account, programs, teams, games)))
    });
    let (account, programs, teams, games) = read.await?.ok_or(SiteError::NotFound)?;
    if account.team {
        return Ok(Redirect::to(&format!("/team/{id}")).into_response());
    }
    if programs.is_empty() && teams.is_empty() && !visitor.is(Some(id)) && !visitor.is_host() {
        return Err(SiteError::NotFound);
    }
    let followed = following::is_followed(&site, &visitor, Followed::Person(id)).await?;
    let played: u32 = programs.iter().map(|program| program.games).sum();
    let points: f64 = programs.iter().map(|program| f64::from(program.wins) + f64::from(program.draws) / 2.0).sum();
    let body = html! {
        h1 { (account.name) }
        p.faint { (t!("person-since", ago = ago(account.created))) @if account.frozen { " · " (t!("teams-frozen")) } }
        dl.facts {
            div { dt { (t!("teams-programs")) } dd { (programs.len()) } }
            div { dt { (t!("person-games")) } dd { (played) } }
            @if played > 0 { div {
                dt { (t!("column-won")) }
                dd { (format!("{:.0} %", 100.0 * points / f64::from(played))) }
            } }
        }
        @if visitor.is(Some(id)) && visitor.account.is_some() { p { a href="/me" { (t!("person-account")) } } }
        @else { p.actions { (following::button(&visitor, Followed::Person(id), followed)) } }
        h2 { (t!("teams-programs")) }
        @if programs.is_empty() { p.empty { (t!("ladder-none")) } }
        (cards::of(&site, &programs))
        @if !teams.is_empty() { h2 { (t!("teams-title")) } (teams::links(&teams)) }
        @if !games.is_empty() { h2 { (t!("games-last")) } (parts::games(&site, &games, None, true)) }
    };
    Ok(Page::new(account.name.clone(), body).with_script("follow.js").show(&visitor))
}
