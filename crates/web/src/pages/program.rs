//! A program: its rating over time, its opponents, its versions; and the parts for its author only.

use std::sync::Arc;

use agon_arena::stats::Interval;
use agon_boards::layout::Page;
use agon_boards::picture::illustration;
use agon_boards::text::{ago, localized, rich, t};
use agon_site::openings;
use agon_site::programs::{CURVE_GAMES, MAX_ASKED_GAMES, may_ask, meeting};
use agon_site::store::{CheckState, Followed, LadderPlayer, Meeting, OwnResult, SiteProgram, SiteVersion};
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::parts::SavedQuery;
use super::{following, insight, notices, own_program, parts};
use crate::auth::SignedIn;
use crate::by_hand;
use crate::error::SiteError;
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Games on a page.
const GAMES: u32 = 20;

const OPPONENTS: u32 = 60;

/// Rated games from which versions are rated, and causes and phases counted.
const RESULTS: u32 = 2000;

#[derive(Deserialize)]
pub(crate) struct ProgramQuery {
    before: Option<i64>,
    saved: Option<String>,
}

pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Query(query): Query<ProgramQuery>,
) -> SiteResult<Response> {
    let before = query.before.unwrap_or(i64::MAX);
    let owners: Vec<i64> = visitor.owners().collect();
    let read = site.read(move |store| {
        let Some(program) = store.program(id)? else { return Ok(None) };
        let place = store.place_of(&program)?;
        let owned = program.account.is_some_and(|account| owners.contains(&account));
        let results = store.results_of(id, RESULTS)?;
        let games = store.bouts_of(id, before, GAMES)?;
        let mut challengers = Vec::new();
        for owner in owners {
            let own = store.programs_of(owner)?.into_iter();
            challengers.extend(
                own.filter(|own| own.competition == program.competition && own.id != id && own.active.is_some()),
            );
        }
        let deletable = owned && store.may_be_deleted(id)?;
        let rest = (store.meetings(id, OPPONENTS)?, store.versions(id)?, challengers, deletable);
        Ok(Some((program, place, results, games, rest)))
    });
    let (program, place, results, games, rest) = read.await?.ok_or(SiteError::NotFound)?;
    let (meetings, versions, challengers, deletable) = rest;
    let own = visitor.is(program.account);
    let followed = following::is_followed(&site, &visitor, Followed::Program(id)).await?;
    let strength = site.queue.ratings.strength(&program);
    // A level that it is surely above, and has not lost to.
    let is_weaker = |meeting: &&Meeting| {
        meeting.name.contains(':')
            && strength.is_some_and(|rating| meeting.rating < rating.low)
            && 2 * meeting.wins + meeting.draws >= meeting.games
    };
    let done = query.saved.as_deref().filter(|_| own).and_then(own_program::done);
    let body = html! {
        @if let Some(done) = done { p.notice role="status" { (done) } }
        @if own { (notices::removals(&visitor, Some(program.competition))) }
        div.headline {
            span.thumb { (illustration(program.game)) }
            div {
                h1 { (program.name) }
                p {
                    @if let Some(competition) = site.competition(program.competition) {
                        a href={ "/ladder/" (competition.slug) } { (competition_title(&competition)) }
                    }
                    " · " (parts::owner(&program))
                    @if let Some((_, number)) = program.active { " · " (t!("program-plays", number = number)) }
                    @if program.withdrawn { " · " span.verdict { (t!("program-withdrawn")) } }
                    @if program.barred { " · " span.verdict { (t!("program-barred")) } }
                    " " (parts::form(&program.form))
                }
                p.actions {
                    @if own { a.button href="#manage" { (t!("program-manage")) } }
                    @else { (following::button(&visitor, Followed::Program(id), followed)) }
                    @if site.options.workers > 0 && by_hand::may_ask(&visitor, &program) {
                        a.button href={ "/board/" (program.game.name()) "?program=" (program.id) } {
                            (t!("program-by-hand"))
                        }
                    }
                    @if !own && visitor.account.is_some() { (challenge(&program, &challengers)) }
                }
            }
        }
        @let competition = site.competition(program.competition).filter(openings::are_read);
        @let playing = versions.iter().find(|version| program.active.is_some_and(|(id, _)| version.id == id));
        @let reads = competition.and(playing).and_then(|version| version.reads_openings);
        (facts(&program, place, strength.as_ref(), rival(&site, &program, &meetings), reads))
        @if let Some(weaker) = meetings.iter().find(is_weaker) {
            @let name = html! { a href={ "/program/" (weaker.opponent) } { (weaker.name) } };
            p { (rich!("program-stronger", name = name)) }
        }
        div data-part="chart" { (insight::chart(&program, &results[..results.len().min(CURVE_GAMES as usize)])) }
        @if own && site.options.workers > 0 && program.game.has_turns() { (opened(&program)) }
        @if !versions.is_empty() {
            h2 { (t!("program-versions")) } (version_table(&site, &program, &versions, &results, own))
        }
        @if !meetings.is_empty() {
            h2 { (t!("program-opponents")) }
            div data-part="matchups" { (insight::matchups(program.id, &meetings)) }
        }
        @if insight::has_losses(&results) {
            h2 { (t!("program-endings")) } div data-part="losses" { (insight::losses(&results)) }
        }
        h2 { (t!("layout-games")) }
        @if games.is_empty() && program.withdrawn { p.empty { (t!("program-withdrawn-no-games")) } }
        @else if games.is_empty() && program.builtin.is_some() { p.empty { (t!("program-builtin-no-games")) } }
        @else if games.is_empty() { p.empty { (t!("program-no-games")) } }
        @else { div data-part="games" { (parts::games(&site, &games, Some(program.id), false)) } }
        @if let Some(last) = games.last().filter(|_| games.len() == GAMES as usize) {
            nav.pages aria-label=(t!("pages-label")) {
                a href={ "?before=" (last.id) } rel="next" { (t!("games-older")) }
            }
        }
        @if own { (own_program::forms(&program, deletable)) }
    };
    Ok(Page::new(program.name.clone(), body).with_script("follow.js").show(&visitor))
}

/// Games with a program that make it a rival.
const MIN_RIVAL_GAMES: u32 = 2;

/// The program of a user that it has met most often; of several, the closest in points.
fn rival<'a>(site: &Site, program: &SiteProgram, meetings: &'a [Meeting]) -> Option<&'a Meeting> {
    let users = site.queue.ratings.trends(program.competition);
    let met = meetings.iter().filter(|one| one.games >= MIN_RIVAL_GAMES && users.contains_key(&one.opponent));
    let distance = |one: &Meeting| (one.rating - program.rating).abs();
    met.max_by(|one, other| one.games.cmp(&other.games).then(distance(other).total_cmp(&distance(one))))
        .filter(|_| program.builtin.is_none())
}

/// A program's facts at a glance: its rating, and separately the points that decide its place.
///
/// `reads` is whether it reads OPENING lines, if the competition has openings and that is known.
fn facts(
    program: &SiteProgram,
    place: Option<u32>,
    strength: Option<&Interval>,
    rival: Option<&Meeting>,
    reads: Option<bool>,
) -> Markup {
    html! {
        dl.facts {
            @if program.fixed {
                div {
                    dt { (t!("column-rating")) }
                    dd { (format!("{:.0}", program.rating)) " " (t!("program-fixed")) }
                }
            } @else {
                div {
                    dt { abbr title=(t!("column-rating-title")) { (t!("column-rating")) } }
                    dd {
                        @if let Some(rating) = strength { (parts::rating(rating)) }
                        @else { span.faint { (t!("rating-few")) } }
                    }
                }
                div {
                    dt { abbr title=(t!("column-elo")) { (t!("column-points")) } }
                    dd { (format!("{:.0}", program.rating)) }
                }
            }
            @if program.builtin.is_none() { div { dt { (t!("program-place")) } dd { (parts::place(place)) } } }
            div { dt { (t!("column-games")) } dd { (program.games) } }
            div { dt { (t!("program-results")) } dd { (program.wins) " · " (program.draws) " · " (program.losses()) } }
            @if let Some(rival) = rival {
                div {
                    dt { abbr title=(t!("program-rival-title")) { (t!("program-rival")) } }
                    dd {
                        a href={ "/versus/" (program.id) "/" (rival.opponent) } { (rival.name) } " "
                        (rival.wins) "–" (rival.draws) "–" (rival.games - rival.wins - rival.draws)
                    }
                }
            }
            div { dt { (t!("column-faults")) } dd class=[(program.faults > 0).then_some("bad")] { (program.faults) } }
            @if let Some(reads) = reads {
                div {
                    dt { (t!("terms-openings")) }
                    dd { @if reads { (t!("openings-read")) } @else { (t!("openings-unread")) } }
                }
            }
            @if program.repeats > 0 {
                div {
                    dt { abbr title=(t!("column-repeats-title")) { (t!("column-repeats")) } }
                    dd { (program.repeats) }
                }
            }
        }
    }
}

/// Who may play against one of the user's programs.
fn opened(program: &SiteProgram) -> Markup {
    html! {
        form.row method="post" action={ "/program/" (program.id) "/by-hand" } {
            @if program.by_hand {
                span { (t!("program-by-hand-all")) }
                button.small { (t!("program-by-hand-close")) }
            } @else {
                input type="hidden" name="open" value="yes";
                span { (t!("program-by-hand-own")) }
                button.small { (t!("program-by-hand-open")) }
            }
        }
    }
}

/// Leads to the page of two programs, where games between them can be requested.
fn challenge(program: &SiteProgram, challengers: &[SiteProgram]) -> Markup {
    html! {
        @for own in challengers.iter().take(4) {
            a.button href={ "/versus/" (own.id) "/" (program.id) } { (t!("program-challenge", name = &own.name)) }
        }
    }
}

/// The share of the points of a version's games, if it has any.
fn share(results: &[OwnResult], version: u32) -> Option<f64> {
    let points: Vec<f64> =
        results.iter().filter(|one| one.version == Some(version)).map(|result| result.points).collect();
    (!points.is_empty()).then(|| points.iter().sum::<f64>() / points.len() as f64)
}

fn version_table(
    site: &Site,
    program: &SiteProgram,
    versions: &[SiteVersion],
    results: &[OwnResult],
    own: bool,
) -> Markup {
    let active = program.active.map(|(_, number)| number);
    let together = site.queue.ratings.together(program.competition);
    let strength = |number: u32| together.get(&LadderPlayer { program: program.id, version: Some(number) });
    html! {
        div.scroll { table.wide.cards {
            thead { tr { th scope="col" { (t!("column-version")) } th.name scope="col" { (t!("ladder-language")) }
                th.name scope="col" { (t!("column-state")) }
                th scope="col" { abbr title=(t!("column-rating-title")) { (t!("column-rating")) } }
                th scope="col" { (t!("column-won")) } th scope="col" { (t!("column-games")) }
                th scope="col" { (t!("column-submitted")) } @if own { td {} } } }
            tbody { @for version in versions {
                tr class=[(active == Some(version.number)).then_some("own")] {
                    th scope="row" { "v" (version.number) }
                    td.name { (version.language.title()) }
                    td.name class=[(version.state == CheckState::Failed).then_some("bad")] {
                        @if active == Some(version.number) { (t!("version-plays")) }
                        @else { (localized(&version.state)) }
                    }
                    td data-label=(t!("column-rating")) {
                        @if let Some(rating) = strength(version.number) { (parts::rating(rating)) }
                    }
                    td data-label=(t!("column-won")) {
                        @if let Some(share) = share(results, version.number) { (format!("{:.0} %", 100.0 * share)) }
                    }
                    td data-label=(t!("column-games")) { (version.games) }
                    td data-label=(t!("column-submitted")) { (ago(version.submitted)) }
                    @if own { td.name {
                        a href={ "/version/" (version.id) } { (t!("version-source")) }
                        @let passed = version.state == CheckState::Passed && active != Some(version.number);
                        @if passed && !program.withdrawn {
                            form.inline method="post" action={ "/program/" (program.id) "/activate" } {
                                input type="hidden" name="number" value=(version.number);
                                button.small { (t!("version-activate")) }
                            }
                        }
                    } }
                }
            } }
        } }
    }
}

#[derive(Deserialize)]
pub(crate) struct ActivateForm {
    number: u32,
}

/// Makes another version the active one.
pub(crate) async fn activate(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(id): Path<i64>,
    Form(form): Form<ActivateForm>,
) -> SiteResult<Response> {
    site.activate(&member.visitor, id, form.number).await?;
    Ok(Redirect::to(&format!("/program/{id}")).into_response())
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct ByHandForm {
    open: Option<String>,
}

/// Lets everyone play against one of the user's programs, or only its author.
pub(crate) async fn set_by_hand(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(id): Path<i64>,
    Form(form): Form<ByHandForm>,
) -> SiteResult<Response> {
    site.set_by_hand(&member.visitor, id, form.open.is_some()).await?;
    Ok(Redirect::to(&format!("/program/{id}")).into_response())
}

#[derive(Deserialize)]
pub(crate) struct AskForm {
    games: u32,
}

pub(crate) async fn ask(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path((one, other)): Path<(i64, i64)>,
    Form(form): Form<AskForm>,
) -> SiteResult<Response> {
    site.ask_for_games(&member.visitor, member.account.id, [one, other], form.games).await?;
    Ok(Redirect::to(&format!("/versus/{one}/{other}?saved=yes")).into_response())
}

/// Two programs against each other.
pub(crate) async fn versus(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path((one, other)): Path<(i64, i64)>,
    Query(query): Query<SavedQuery>,
) -> SiteResult<Response> {
    let (first, second, meeting, bouts) = site.consult(move |store| meeting(store, one, other)).await?;
    let body = html! {
        h1 { (first.name) " – " (second.name) }
        p { (parts::program(&first)) " " span.strong { (format!("{:.0}", first.rating)) } ", "
            (parts::program(&second)) " " span.strong { (format!("{:.0}", second.rating)) } }
        @if let Some(meeting) = &meeting {
            p {
                (t!(
                    "versus-games",
                    count = meeting.games,
                    wins = meeting.wins,
                    draws = meeting.draws,
                    losses = meeting.games - meeting.wins - meeting.draws,
                    name = &first.name,
                ))
            }
            (parts::share_bar(parts::share(meeting)))
        }
        @if query.saved.is_some() {
            p.notice role="status" {
                (rich!("versus-asked", link = html! { a href="/me" { (t!("versus-asked-link")) } }))
            }
        }
        @if may_ask(&visitor, [&first, &second]) {
            form.row method="post" action={ "/versus/" (one) "/" (other) "/ask" } {
                label {
                    (t!("versus-ask")) " "
                    input type="number" name="games" value="2" min="1" max=(MAX_ASKED_GAMES) required;
                }
                button.primary { (t!("versus-play")) }
            }
        }
        @if bouts.is_empty() {
            p.empty {
                (t!("versus-none"))
                @if may_ask(&visitor, [&first, &second]) { " " (t!("versus-first")) }
            }
        } @else {
            (parts::games(&site, &bouts, Some(one), false))
        }
    };
    Ok(Page::new(format!("{} – {}", first.name, second.name), body).show(&visitor))
}
