//! What visitors follow, and what has happened to it and to their own programs since their last visit.
//!
//! An account's list is in the store. Without an account the list is in the browser, and its script asks for the page
//! with it in the query.

use std::sync::Arc;

use agon_boards::layout::Page;
use agon_boards::picture::illustration;
use agon_boards::text::{ago, rich, t};
use agon_site::clock::now;
use agon_site::news::{self, ProgramNews};
use agon_site::programs::follow;
use agon_site::store::{Followed, MAX_FOLLOWED, SiteBout};
use axum::extract::{Query, State};
use axum::http::Uri;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::parts;
use crate::auth::SignedIn;
use crate::error::SiteError;
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// News of someone who was never here, or long ago, are of this many days.
const OLDEST_DAYS: i64 = 14;

fn oldest() -> i64 {
    now() - OLDEST_DAYS * 86_400
}

/// What is followed, as a script or a form names it.
fn address(followed: Followed) -> String {
    match followed {
        Followed::Program(id) => format!("/program/{id}"),
        Followed::Person(id) => format!("/person/{id}"),
    }
}

/// The button that follows, or follows no more; a script makes it work without an account.
pub(super) fn button(visitor: &Visitor, followed: Followed, already: bool) -> Markup {
    let address = address(followed);
    html! {
        @if visitor.account.is_some() {
            form.inline method="post" action={ (address) "/" (if already { "unfollow" } else { "follow" }) } {
                button aria-pressed=(already) {
                    @if already { (t!("following-stop")) } @else { (t!("following-begin")) }
                }
            }
            @if already { " " a href="/following" { (t!("following-all")) } }
        } @else {
            button type="button" hidden data-follow=(address) data-begin=(t!("following-begin"))
                data-stop=(t!("following-stop")) data-most=(MAX_FOLLOWED)
                data-full=(t!("following-full", limit = MAX_FOLLOWED)) {}
            a href="/following" hidden { (t!("following-all")) }
        }
    }
}

/// Whether an account follows something.
pub(super) async fn is_followed(site: &Arc<Site>, visitor: &Visitor, followed: Followed) -> SiteResult<bool> {
    let Some(account) = visitor.account.as_ref().map(|account| account.id) else { return Ok(false) };
    Ok(site.read(move |store| store.followed(account)).await?.contains(&followed))
}

/// Where a browser's script shows what it follows; invisible until then.
pub(super) fn place() -> Markup {
    html! { section data-following hidden {} }
}

/// What has happened since the last visit to the programs that an account owns or follows.
pub(super) async fn since_last_visit(site: &Arc<Site>, visitor: &Visitor, brief: bool) -> SiteResult<Markup> {
    let Some(account) = visitor.account.as_ref().map(|account| account.id) else { return Ok(html! {}) };
    let (owners, hidden) = (visitor.owners().map(Followed::Person).collect::<Vec<_>>(), visitor.hidden.clone());
    let read = site.read(move |store| {
        let Some(since) = store.last_visit(account)? else { return Ok(None) };
        let mut followed = owners;
        followed.extend(store.followed(account)?);
        let news = news::of(store, &followed, &hidden, since.max(oldest()))?;
        Ok(Some((since, news, store.running()?)))
    });
    let Some((since, mut news, running)) = read.await? else { return Ok(html! {}) };
    if brief {
        news.retain(ProgramNews::is_any);
    }
    Ok(html! {
        @if !news.is_empty() {
            section.card.news data-part="news" {
                h2 { (t!("news-title")) " " span.faint { (ago(since)) } }
                (list(site, &news, &running))
                @if brief { p { a href="/following" { (t!("following-all")) } } }
            }
        }
    })
}

/// The programs and their news, a line each.
fn list(site: &Site, news: &[ProgramNews], running: &[SiteBout]) -> Markup {
    html! {
        ul.plain.news-list { @for one in news { li {
            @let program = &one.program;
            span.thumb { (illustration(program.game)) }
            div {
                p {
                    strong { a href={ "/program/" (program.id) } { (program.name) } }
                    " " (parts::owner(program))
                }
                p.faint {
                    @if let Some(competition) = site.competition(program.competition) {
                        a href={ "/ladder/" (competition.slug) } { (competition_title(&competition)) }
                    }
                    @if let Some(place) = one.place { " · " (t!("news-place", place = place)) }
                    @if program.active.is_some() || program.builtin.is_some() {
                        " · " (format!("{:.0}", program.rating))
                    }
                    @if let Some(rise) = one.rise { " " (parts::change(rise.round() as i32)) }
                }
                p {
                    @let live = running
                        .iter()
                        .find(|bout| bout.seats.iter().any(|seat| !seat.stands_in && seat.program == program.id));
                    @if let Some(bout) = live {
                        a.live-mark href={ "/game/" (bout.id) } { (t!("news-playing")) } " "
                        span.unseen { "· " }
                    }
                    @if !one.is_any() { span.faint { (t!("news-nothing")) } }
                    @if let (1.., Some(last)) = (one.games, one.last) {
                        (t!(
                            "news-games",
                            count = one.games,
                            wins = one.wins,
                            draws = one.draws,
                            losses = one.games - one.wins - one.draws,
                        ))
                        " " a href={ "/game/" (last) } { (t!("news-last")) }
                    }
                    @for version in &one.versions { " · " (t!("news-version", number = version)) }
                    @if let Some((opponent, bout)) = &one.best {
                        " · "
                        (rich!("news-best", name = html! { a href={ "/game/" (bout) } { (opponent.name) } }))
                    }
                }
            }
        } } }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct FollowingQuery {
    /// Addresses of programs and people, `/program/3` and `/person/4`, with commas between them.
    of: String,
    /// The time of the last visit.
    since: Option<i64>,
}

/// What an [`address`] names.
fn read_address(text: &str) -> Option<Followed> {
    let (kind, id) = text.strip_prefix('/')?.split_once('/')?;
    let id = id.parse().ok()?;
    match kind {
        "program" => Some(Followed::Program(id)),
        "person" => Some(Followed::Person(id)),
        _ => None,
    }
}

/// What a browser says that it follows; what cannot be read is left out.
fn read_list(text: &str) -> Vec<Followed> {
    text.split(',').filter_map(read_address).take(2 * MAX_FOLLOWED as usize).collect()
}

/// What a visitor follows.
pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<FollowingQuery>,
) -> SiteResult<Response> {
    let account = visitor.account.as_ref().map(|account| account.id);
    let hidden = visitor.hidden.clone();
    let read = site.read(move |store| {
        let (followed, since) = match account {
            Some(account) => (store.followed(account)?, store.last_visit(account)?),
            None => (read_list(&query.of), query.since),
        };
        let visited = since.filter(|since| (oldest()..=now()).contains(since));
        let mut people = Vec::new();
        for one in &followed {
            if let Followed::Person(id) = *one
                && let Some((person, _)) = store.account(id)?
            {
                people.push(person);
            }
        }
        Ok((news::of(store, &followed, &hidden, visited.unwrap_or_else(oldest))?, people, visited, store.running()?))
    });
    let (news, people, visited, running) = read.await?;
    let body = html! {
        h1 { (t!("following-title")) }
        @if account.is_none() { p.faint { (t!("following-browser")) } }
        div data-part="following" data-following-all[account.is_none()] {
            @if news.is_empty() && people.is_empty() { p.empty { (t!("following-none")) } }
            @else {
                p.faint {
                    @match visited {
                        Some(visited) => { (t!("news-since", ago = ago(visited))) }
                        None => { (t!("news-recent", days = OLDEST_DAYS)) }
                    }
                }
                (list(&site, &news, &running))
                @if !people.is_empty() {
                    p { (t!("following-people")) " " @for (at, person) in people.iter().enumerate() {
                        @if at > 0 { ", " }
                        a href={ "/person/" (person.id) } { (person.name) }
                    } }
                }
            }
        }
    };
    Ok(Page::new(t!("following-title"), body).with_script("follow.js").show(&visitor))
}

/// Follows a program or a person, or no more: `/program/3/follow`, `/person/4/unfollow`.
pub(crate) async fn set(State(site): State<Arc<Site>>, member: SignedIn, address: Uri) -> SiteResult<Response> {
    let (address, verb) = address.path().rsplit_once('/').ok_or(SiteError::NotFound)?;
    let (followed, begin) = (read_address(address).ok_or(SiteError::NotFound)?, verb == "follow");
    let (account, hidden) = (member.account.id, member.visitor.hidden.clone());
    site.change(move |store| follow(store, account, &hidden, followed, begin)).await?;
    Ok(Redirect::to(address).into_response())
}
