//! The front page, the search, and addresses for machines.

use std::cmp::Reverse;
use std::sync::Arc;

use agon_arena::store::StoreError;
use agon_boards::layout::Page;
use agon_boards::picture::illustration;
use agon_boards::text::{ago, game_title, rich, t, until};
use agon_catalog::Game;
use agon_site::clock::now;
use agon_site::names::composed;
use agon_site::store::{BoutKind, Competition, CompetitionPhase, PlacedProgram, SiteBout, SiteFinal, SiteStore};
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::preview::{Preview, site_picture};
use super::stage::stage;
use super::{finals, following, notices, parts};
use crate::error::SiteError;
use crate::layout::{ShowPage as _, competition_title};
use crate::metrics::SiteState;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// How long an announcement stays on the front page, in seconds: 30 days.
const ANNOUNCED_SECONDS: i64 = 30 * 86_400;

/// Programs of each ladder on the start page, and competitions that have closed.
const TOP: u32 = 5;
const PAST: usize = 5;

/// How many competitions with an end are shown next to the board.
const SHOWN: usize = 4;

/// How many of the last results are shown there if it has room, with fewer competitions than this; each takes the place
/// of two.
const RESULTS: u32 = 6;
const ROOM: usize = 3;

pub(crate) async fn start(State(site): State<Arc<Site>>, visitor: Visitor) -> SiteResult<Response> {
    let open: Vec<Competition> = visitor
        .competitions
        .iter()
        .filter(|competition| competition.phase(now()) == CompetitionPhase::Running)
        .cloned()
        .collect();
    let own = Arc::clone(&site);
    let (private, entered) = (visitor.private(), visitor.entered.clone());
    let read = site.read(move |store| {
        let (mut tops, mut last) = (Vec::new(), Vec::new());
        for competition in open {
            let top = store.best(competition.id, TOP)?;
            last.extend(store.recent(competition.id, i64::MAX, RESULTS)?);
            tops.push((competition, top));
        }
        last.sort_by_key(|bout| Reverse(bout.id));
        last.truncate(RESULTS as usize);
        // What one has entered comes first, ladders without programs last.
        tops.sort_by_key(|(one, top)| (!entered.contains(&one.id), top.is_empty()));
        Ok((
            (tops, last),
            own.featured.choose(&own.queue.live, &own.competitions(), &private, store)?,
            store.running()?,
            store.announcements(3)?,
            running_finals(store)?,
            store.finals_to_come()?,
        ))
    });
    let ((tops, last), featured, mut running, announcements, mut finals, mut to_come) = read.await?;
    let headline = headline(&visitor, &tops);
    running.retain(|bout| visitor.sees(bout.competition));
    finals.retain(|(one, _)| visitor.sees(one.competition));
    to_come.retain(|coming| visitor.sees(coming.competition));
    let playing = featured.as_ref().filter(|featured| featured.is_live()).map(|featured| featured.bout.id);
    let news = following::since_last_visit(&site, &visitor, true).await?;
    let body = html! {
        @for (_, text, created) in announcements.iter().filter(|(.., created)| now() - created < ANNOUNCED_SECONDS) {
            p.notice { (parts::linked(text)) " " span.faint { (ago(*created)) } }
        }
        (notices::list(&visitor))
        (own_competitions(&visitor))
        @if visitor.account.is_none() {
            section.hero {
                div {
                    h1 { (t!("front-heading")) }
                    p { (t!("front-lead")) }
                }
                p.actions {
                    a.button.primary href="/submit" { (t!("front-submit")) }
                    a.button href="/rules" { (t!("front-rules")) }
                }
            }
        } @else { h1.unseen { (t!("front-title")) } }
        @for (one, played) in &finals { (final_card(one, *played)) }
        (finals::to_come(&to_come))
        div.stage data-game=[playing] {
            @if let Some(featured) = &featured { (stage(&site, featured)) }
            div.stage-side data-part="contests" { (now_on(&visitor, headline, &last)) }
        }
        @if running.len() > 1 {
            section data-part="playing" { h2 { (t!("front-playing")) } (now_playing(&site, &running)) }
        }
        @if visitor.account.is_some() { (news) } @else { (following::place()) }
        (ways(&visitor))
        p.faint { a href="/join" { (t!("front-code")) } }
        section data-part="ladders" {
            h2 { (t!("front-ladders")) }
            (ladders(&tops, headline.map(|(competition, _)| competition.id)))
        }
        (past(&visitor))
    };
    let preview = Preview { title: &t!("front-heading"), text: &t!("front-lead"), path: "/", picture: &site_picture() };
    Ok(Page::new(t!("front-title"), body).with_head(preview.head(&site)).with_script("front.js").show(&visitor))
}

/// The running finals, and how many of their games have a result.
fn running_finals(store: &SiteStore) -> Result<Vec<(SiteFinal, u64)>, StoreError> {
    let finals = store.running_finals()?.into_iter();
    let counted = finals.map(|one| {
        let played = store.final_played(one.id)?;
        Ok((one, played))
    });
    counted.collect()
}

/// A running final.
fn final_card(one: &SiteFinal, played: u64) -> Markup {
    let games = one.plan.bouts();
    html! {
        a.card.way href={ "/final/" (one.id) } {
            span.live-mark { (t!("front-live")) }
            span {
                strong { (one.title) }
                span.faint { (t!("finals-pairing-played", played = played, all = games)) }
                (parts::share_bar(played as f64 / games.max(1) as f64))
            }
        }
    }
}

/// The competitions that end and the scheduled ones; the one that ends first comes first.
fn limited(visitor: &Visitor) -> Vec<&Competition> {
    let now = now();
    let mut limited: Vec<&Competition> =
        visitor.competitions.iter().filter(|competition| competition.phase(now) != CompetitionPhase::Closed).collect();
    limited.retain(|competition| competition.closes.is_some() || competition.phase(now) == CompetitionPhase::Coming);
    limited.sort_by_key(|competition| {
        let coming = competition.phase(now) == CompetitionPhase::Coming;
        (coming, if coming { competition.opens } else { competition.closes })
    });
    limited
}

/// The competition with the podium: the one that ends first, or else a permanent one; none whose podium would be empty.
fn headline<'a>(visitor: &Visitor, tops: &'a [CompetitionTop]) -> Option<&'a CompetitionTop> {
    let first = limited(visitor).first().copied().filter(|one| one.phase(now()) == CompetitionPhase::Running);
    let found = first.map_or_else(|| tops.first(), |first| tops.iter().find(|(one, _)| one.id == first.id));
    found.filter(|(_, top)| parts::has_podium(top))
}

/// A competition with its best programs.
type CompetitionTop = (Competition, Vec<PlacedProgram>);

/// The competitions that end and the scheduled ones, with the time left, the best three of one, and the last results if
/// there is room.
fn now_on(visitor: &Visitor, headline: Option<&CompetitionTop>, last: &[SiteBout]) -> Markup {
    let now = now();
    let limited = limited(visitor);
    html! {
        @for competition in limited.iter().take(SHOWN) {
            a.card.competition href={ "/ladder/" (competition.slug) } {
                span.thumb { (illustration(competition.game)) }
                span {
                    strong { (competition_title(competition)) }
                    span.faint { (game_title(competition.game)) }
                    (time_left(competition, now))
                }
            }
        }
        @if let Some((competition, top)) = headline {
            section.card {
                h2 { a href={ "/ladder/" (competition.slug) } { (competition_title(competition)) } }
                (parts::podium(top))
            }
        }
        @if limited.len() < ROOM && !last.is_empty() {
            section.card {
                h2 { a href="/games" { (t!("games-last")) } }
                ol.short { @for bout in last.iter().take(RESULTS as usize - 2 * limited.len()) { li {
                    a href={ "/game/" (bout.id) } { (bout.seats[0].label()) " – " (bout.seats[1].label()) }
                    span { (parts::result(bout, None)) }
                } } }
            }
        }
    }
}

/// How much of a competition has passed, and what is left.
fn time_left(competition: &Competition, now: i64) -> Markup {
    let begun = competition.opens.unwrap_or(competition.created);
    html! {
        @match (competition.phase(now), competition.closes) {
            (CompetitionPhase::Coming, _) => {
                span.tag { (t!("front-opens", left = until(competition.opens.unwrap_or_default()))) }
            },
            (_, Some(closes)) => {
                (parts::share_bar((now - begun) as f64 / (closes - begun).max(1) as f64))
                span.left { (t!("front-closes", left = until(closes))) }
            },
            _ => {},
        }
    }
}

/// What visitors can do here.
fn ways(visitor: &Visitor) -> Markup {
    let games: Vec<Game> = Game::all();
    let picture = |at: usize| illustration(games[at % games.len()]);
    html! {
        nav.ways-cards aria-label=(t!("front-ways")) {
            a.card.way href="/board" {
                span.thumb { (picture(0)) }
                span { strong { (t!("layout-play")) } span.faint { (t!("front-play")) } }
            }
            a.card.way href="/submit" {
                span.thumb { (picture(2)) }
                span { strong { (t!("layout-submit")) } span.faint { (t!("front-submit-way")) } }
            }
            a.card.way href="/games" {
                span.thumb { (picture(1)) }
                span { strong { (t!("front-watch")) } span.faint { (t!("front-watch-way")) } }
            }
            @if visitor.account.is_none() {
                a.card.way href="/rules" {
                    span.thumb { (picture(3)) }
                    span { strong { (t!("layout-rules")) } span.faint { (t!("front-read-way")) } }
                }
            }
        }
    }
}

/// The competitions that the visitor has entered, and those to which the visitor was invited.
fn own_competitions(visitor: &Visitor) -> Markup {
    let open: Vec<&Competition> = visitor.own_competitions().collect();
    html! {
        @if !open.is_empty() {
            section.own-competitions {
                h2 { (t!("front-own")) }
                ul { @for competition in open { li {
                    span.thumb { (illustration(competition.game)) }
                    a href={ "/ladder/" (competition.slug) } { (competition_title(competition)) }
                    a.button.small href={ "/submit?competition=" (competition.slug) } { (t!("layout-submit")) }
                } } }
            }
        }
    }
}

/// The ladders without an end, except the one whose best are on the podium; those without programs in a line.
fn ladders(tops: &[CompetitionTop], shown: Option<i64>) -> Markup {
    let standing = tops.iter().filter(|(one, _)| one.closes.is_none() && shown != Some(one.id));
    let (empty, played): (Vec<_>, Vec<_>) = standing.partition(|(_, top)| top.is_empty());
    // A new site has nothing but empty ones.
    let (cards, line) = if played.is_empty() && shown.is_none() { (empty, played) } else { (played, empty) };
    html! {
        div.tops { @for (competition, top) in cards { (ladder_card(competition, top)) } }
        @if !line.is_empty() {
            p {
                (t!("front-empty")) " "
                @for (at, (competition, _)) in line.iter().enumerate() {
                    @if at > 0 { " · " }
                    a href={ "/ladder/" (competition.slug) } { (competition_title(competition)) }
                }
            }
        }
    }
}

fn ladder_card(competition: &Competition, top: &[PlacedProgram]) -> Markup {
    html! {
        section.card.top {
            header {
                span.thumb { (illustration(competition.game)) }
                h3 { a href={ "/ladder/" (competition.slug) } { (competition_title(competition)) } }
            }
            (short_ladder(competition, top))
        }
    }
}

/// The competitions that have closed last.
fn past(visitor: &Visitor) -> Markup {
    let now = now();
    let mut closed: Vec<&Competition> =
        visitor.competitions.iter().filter(|competition| competition.phase(now) == CompetitionPhase::Closed).collect();
    closed.sort_by_key(|competition| Reverse(competition.closes));
    closed.truncate(PAST);
    html! {
        @if !closed.is_empty() { section {
            h2 { (t!("front-closed")) }
            ul.plain { @for competition in closed { li {
                a href={ "/ladder/" (competition.slug) } { (competition_title(competition)) }
                span.faint { " · " (game_title(competition.game)) " · " (parts::when(competition)) }
            } } }
        } }
    }
}

pub(crate) fn now_playing(site: &Site, running: &[SiteBout]) -> Markup {
    html! {
        ul.live { @for bout in running.iter().take(8) {
            li { a href={ "/game/" (bout.id) } {
                span.dot aria-hidden="true" {} (bout.seats[0].label()) " – " (bout.seats[1].label())
                span.faint {
                    " · " @if let Some(own) = site.competition(bout.competition) { (competition_title(&own)) }
                    @match bout.kind {
                        BoutKind::Check => { ", " (t!("front-check")) }
                        BoutKind::Final { .. } => { ", " (t!("front-final")) }
                        BoutKind::Asked { .. } => { ", " (t!("front-asked")) }
                        BoutKind::Ladder => {}
                    }
                }
            } }
        } }
    }
}

fn short_ladder(competition: &Competition, programs: &[PlacedProgram]) -> Markup {
    html! {
        @if programs.is_empty() {
            @let link = html! { a href={ "/submit?competition=" (competition.slug) } { (t!("ladder-first")) } };
            p.empty { (rich!("ladder-empty", link = link)) }
        }
        ol.short { @for PlacedProgram { place, program } in programs {
            li {
                span { span.place { (parts::place(*place)) } (parts::program(program)) }
                span {
                    @if program.is_ranked() {
                        (parts::form(&program.form)) " " span.strong { (format!("{:.0}", program.rating)) }
                    } @else { span.faint { (t!("ladder-unrated")) } }
                }
            }
        } }
    }
}

/// Leads to the game most worth watching.
pub(crate) async fn watch(State(site): State<Arc<Site>>, visitor: Visitor) -> SiteResult<Redirect> {
    let own = Arc::clone(&site);
    let featured = site
        .read(move |store| own.featured.choose(&own.queue.live, &own.competitions(), &visitor.private(), store))
        .await?;
    Ok(Redirect::temporary(
        &featured.map_or_else(|| "/games".to_owned(), |featured| format!("/game/{}", featured.bout.id)),
    ))
}

#[derive(Deserialize)]
pub(crate) struct SearchQuery {
    #[serde(default)]
    q: String,
}

pub(crate) async fn search(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<SearchQuery>,
) -> SiteResult<Response> {
    let asked = query.q.trim().to_owned();
    // Names are kept composed; keyboards of some systems decompose Hangul and accents.
    let text = composed(&asked);
    let found = site.read(move |store| if text.is_empty() { Ok(Vec::new()) } else { store.find_programs(&text, 50) });
    let mut found = found.await?;
    found.retain(|program| visitor.sees(program.competition));
    let body = html! {
        h1 { (t!("layout-search")) }
        form.row action="/search" {
            input type="search" name="q" value=(asked) aria-label=(t!("layout-find")) maxlength="60";
            button { (t!("layout-search")) }
        }
        @if found.is_empty() && !asked.is_empty() {
            p.empty { (t!("search-nothing", text = &asked)) }
        }
        ul.plain { @for program in &found {
            li {
                (parts::program(program))
                span.faint {
                    " · " @if let Some(own) = site.competition(program.competition) { (competition_title(&own)) } " · "
                    (format!("{:.0}", program.rating))
                }
            }
        } }
    };
    Ok(Page::new(t!("layout-search"), body).show(&visitor))
}

/// Whether the site works: it answers, and its store can be read.
pub(crate) async fn health(State(site): State<Arc<Site>>) -> SiteResult<&'static str> {
    site.read(SiteStore::counts).await?;
    Ok("ok\n")
}

pub(crate) async fn metrics(State(site): State<Arc<Site>>) -> SiteResult<Response> {
    let own = Arc::clone(&site);
    let state = SiteState {
        workers: site.queue.capacity(),
        read_only: site.queue.maintenance.is_read_only(),
        storage: site.queue.maintenance.storage(),
    };
    let text = site.read(move |store| own.metrics.render(&state, store)).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}

/// A page that is not there.
pub(crate) async fn nowhere() -> SiteError {
    SiteError::NotFound
}
