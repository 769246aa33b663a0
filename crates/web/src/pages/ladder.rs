//! The ladder of a competition, and the list of games.

use std::sync::Arc;

use agon_catalog::Setup;
use agon_game::Interaction;
use agon_site::clock::{ago, now};
use agon_site::store::{Competition, CompetitionPhase, EntryRule, ReplayRule};
use axum::extract::{Path, Query, State};
use axum::response::Response;
use maud::{Markup, html};
use serde::Deserialize;

use super::parts;
use crate::error::SiteError;
use crate::layout::Page;
use crate::site::{Site, SiteResult};
use crate::viewer;
use crate::visitor::Visitor;

const ROWS: u32 = 100;

const GAMES: u32 = 50;

#[derive(Deserialize)]
pub struct LadderQuery {
    #[serde(default)]
    from: u32,
}

/// A competition and its ladder.
pub async fn ladder(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(slug): Path<String>,
    Query(query): Query<LadderQuery>,
) -> SiteResult<Response> {
    let contest = site.competition_at(&slug).ok_or(SiteError::NotFound)?;
    let (id, game) = (contest.id, contest.game);
    let from = query.from;
    let own = visitor.shelf("");
    let read = site.read(move |store| {
        let entered = own.map_or(Ok(false), |own| store.has_entered(id, own))?;
        let ladder = (store.ladder(id, from, ROWS)?, store.ladder_size(id)?);
        Ok((ladder, store.recent(id, i64::MAX, 10)?, store.finals_of(id)?, entered))
    });
    let ((programs, size), recent, finals, entered) = read.await?;
    let phase = contest.phase(now());
    let body = html! {
        h1 { (contest.title) }
        p {
            @if contest.title != game.title() { (game.title()) ": " } (game.summary) ". "
            a href={ "/rules/" (game.name()) } { "Rules" }
            @if phase == CompetitionPhase::Running {
                " · " a href={ "/submit?contest=" (contest.slug) } { "Submit a program" }
            }
            @if visitor.is_host() { " · " a href={ "/host/contests/" (id) } { "Change it" } }
        }
        (terms(&site, &contest, entered))
        @if !finals.is_empty() {
            p {
                @for one in &finals {
                    a href={ "/final/" (one.id) } { (one.title) }
                    span.faint { " · " (one.state.name()) " · " (ago(one.created)) } br;
                }
            }
        }
        (parts::ladder(&site, &programs, from + 1, &visitor))
        nav.pages aria-label="pages" {
            @if from > 0 { a href={ "?from=" (from.saturating_sub(ROWS)) } rel="prev" { "← Better" } }
            @if from + ROWS < size { a href={ "?from=" (from + ROWS) } rel="next" { "Weaker →" } }
        }
        p.faint {
            @if programs.iter().any(|program| program.fixed) {
                "⚓ marks the built-in champion's levels: fixed points, which games leave as they are. "
            }
            "New versions play at once, older ones less often."
        }
        @if !recent.is_empty() {
            h2 { "Last games" }
            (parts::games(&site, &recent, None, false))
            p { a href={ "/games?contest=" (contest.slug) } { "All games" } }
        }
    };
    Ok(Page::new(format!("Ladder of {}", contest.title), body).show(&visitor))
}

/// What is particular about a competition: when it is open, to whom, and under which limits.
fn terms(site: &Site, contest: &Competition, entered: bool) -> Markup {
    let limits = contest.limits(site.options.limits);
    let interaction =
        contest.game.initial_state(&Setup::default()).map_or(Interaction::Session, |start| start.interaction());
    let standing = contest.closes.is_none() && contest.opens.is_none();
    html! {
        @for paragraph in contest.description.split("\n\n").filter(|text| !text.trim().is_empty()) {
            p.text { (paragraph) }
        }
        dl.terms {
            @if !standing { dt { "When" } dd { (parts::when(contest)) } }
            dt { "Limits" }
            dd {
                (viewer::limits(&limits, interaction))
                @if let Some(daily) = contest.daily {
                    ", " (daily) @if daily == 1 { " submission" } @else { " submissions" } " a day"
                }
            }
            @for parameter in contest.game.parameters {
                @if let Some(value) = contest.parameters.get(parameter.name) {
                    dt { (parameter.name) } dd { (value) span.faint { " · " (parameter.meaning) } }
                }
            }
            @if contest.openings > 0 {
                dt { "Openings" }
                dd {
                    (contest.openings) " plies, drawn anew for each game: " code { "OPENING" }
                    " lines before READY have them"
                }
            }
            @if let Some(languages) = &contest.languages {
                dt { "Languages" }
                dd { (languages.iter().map(|language| language.name()).collect::<Vec<_>>().join(", ")) }
            }
            @if contest.entry == EntryRule::Invited {
                dt { "Entry" } dd { @if entered { "by invitation: you are in" } @else { "by invitation of the host" } }
            }
            @if contest.replays == ReplayRule::After {
                dt { "Moves" } dd { "shown when the competition has closed; until then to a game's two authors" }
            }
        }
    }
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
    let chosen =
        query.contest.as_deref().map(|slug| site.competition_at(slug).ok_or(SiteError::NotFound)).transpose()?;
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
        ul.tabs {
            li { a href="/games" aria-current=[chosen.is_none().then_some("page")] { "All" } }
            @for contest in site.contests().iter() {
                li {
                    a href={ "/games?contest=" (contest.slug) }
                        aria-current=[(only == Some(contest.id)).then_some("page")] {
                        (crate::layout::short_title(contest))
                    }
                }
            }
        }
        @if !running.is_empty() { h2 { "Playing now" } (parts::games(&site, &running, None, true)) h2 { "Played" } }
        @if recent.is_empty() { p { "None yet. The first games are played as soon as a program is submitted." } }
        @else { (parts::games(&site, &recent, None, true)) }
        @if let Some(last) = recent.last().filter(|_| recent.len() == GAMES as usize) {
            nav.pages aria-label="pages" { a href={ "?" (of) "before=" (last.id) } rel="next" { "Older →" } }
        }
    };
    Ok(Page::new("Games", body).show(&visitor))
}
