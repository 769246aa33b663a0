//! A program: its rating over time, its opponents, its versions; and what its author alone sees.

use std::sync::Arc;

use agon_site::clock::ago;
use agon_site::programs::{CURVE_GAMES, MAX_ASKED_GAMES, may_ask, meeting};
use agon_site::store::{CheckState, Meeting, SiteProgram, SiteVersion};
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::parts;
use crate::auth::SignedIn;
use crate::error::SiteError;
use crate::layout::Page;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Games on a page.
const GAMES: u32 = 30;

const OPPONENTS: u32 = 60;

#[derive(Deserialize)]
pub struct ProgramQuery {
    before: Option<i64>,
}

pub async fn show(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(id): Path<i64>,
    Query(query): Query<ProgramQuery>,
) -> SiteResult<Response> {
    let before = query.before.unwrap_or(i64::MAX);
    let read = site.read(move |store| {
        let Some(program) = store.program(id)? else { return Ok(None) };
        let place = store.place(program.contest, program.rating)?;
        let curve = if program.fixed { Vec::new() } else { store.ratings_of(id, CURVE_GAMES)? };
        let games = store.bouts_of(id, before, GAMES)?;
        Ok(Some((program, place, curve, games, store.meetings(id, OPPONENTS)?, store.versions(id)?)))
    });
    let (program, place, curve, games, meetings, versions) = read.await?.ok_or(SiteError::NotFound)?;
    let own = visitor.is(program.account);
    let together = site.together(program.contest);
    let body = html! {
        h1 { (program.name) }
        p {
            @if let Some(contest) = site.contest(program.contest) {
                a href={ "/ladder/" (contest.slug) } { (contest.title) }
            }
            " · " (parts::owner(&program))
            @if let Some((_, number)) = program.active { " · version " (number) " plays" }
            @if program.barred { " · " span.verdict { "disqualified" } }
        }
        dl.facts {
            div { dt { "Elo" } dd { (format!("{:.0}", program.rating)) @if program.fixed { " (fixed)" } } }
            @if let Some(rating) = together.get(&program.id).filter(|_| !program.fixed) {
                div {
                    dt { "All games" }
                    dd {
                        (format!("{:.0}", rating.value))
                        span.faint { (format!(" {:.0}–{:.0}", rating.low, rating.high)) }
                    }
                }
            }
            div { dt { "Place" } dd { (place) } }
            div { dt { "Games" } dd { (program.games) } }
            div { dt { "Won, drawn, lost" } dd { (program.wins) " · " (program.draws) " · " (program.losses()) } }
            div { dt { "Faults" } dd { (program.faults) } }
        }
        @if let Some(weaker) =
            meetings.iter().find(|meeting| meeting.rating <= program.rating && meeting.name.contains(':'))
        {
            @if !program.fixed && program.games > 0 {
                p { "Stronger than " a href={ "/program/" (weaker.opponent) } { (weaker.name) } " by its rating." }
            }
        }
        (chart(&program, &curve))
        @if !versions.is_empty() { h2 { "Versions" } (version_table(&program, &versions, own)) }
        @if !meetings.is_empty() { h2 { "By opponent" } (meeting_table(program.id, &meetings)) }
        h2 { "Games" }
        @if games.is_empty() { p { "None yet." } } @else { (parts::games(&site, &games, Some(program.id), false)) }
        @if let Some(last) = games.last().filter(|_| games.len() == GAMES as usize) {
            nav.pages aria-label="pages" { a href={ "?before=" (last.id) } rel="next" { "Older →" } }
        }
    };
    Ok(Page::new(program.name.clone(), body).show(&visitor))
}

fn version_table(program: &SiteProgram, versions: &[SiteVersion], own: bool) -> Markup {
    let active = program.active.map(|(_, number)| number);
    html! {
        div.scroll { table.wide {
            thead { tr { th scope="col" { "Version" } th.name scope="col" { "Language" } th.name scope="col" { "State" }
                th scope="col" { "Games" } th scope="col" { "Submitted" } @if own { th.name scope="col" { "" } } } }
            tbody { @for version in versions {
                tr class=[(active == Some(version.number)).then_some("own")] {
                    th scope="row" { (version.number) }
                    td.name { (version.language) }
                    td.name class=[(version.state == CheckState::Failed).then_some("bad")] {
                        @if active == Some(version.number) { "plays" } @else { (version.state.name()) }
                    }
                    td { (version.games) }
                    td { (ago(version.submitted)) }
                    @if own { td.name {
                        a href={ "/version/" (version.id) } { "Source and check" }
                        @if version.state == CheckState::Passed && active != Some(version.number) {
                            form.inline method="post" action={ "/program/" (program.id) "/activate" } {
                                input type="hidden" name="number" value=(version.number);
                                button.small { "Let it play" }
                            }
                        }
                    } }
                }
            } }
        } }
    }
}

fn meeting_table(program: i64, meetings: &[Meeting]) -> Markup {
    html! {
        div.scroll { table.wide {
            thead {
                tr {
                    th.name scope="col" { "Opponent" } th scope="col" { "Elo" } th scope="col" { "Games" }
                    th scope="col" { "Won" } th scope="col" { "Drawn" } th scope="col" { "Lost" }
                    th scope="col" { "Score" }
                }
            }
            tbody { @for meeting in meetings { tr {
                th.name scope="row" { a href={ "/versus/" (program) "/" (meeting.opponent) } { (meeting.name) } }
                td { (format!("{:.0}", meeting.rating)) }
                td { (meeting.games) } td { (meeting.wins) } td { (meeting.draws) }
                td { (meeting.games - meeting.wins - meeting.draws) }
                td {
                    (format!(
                        "{:.0} %",
                        100.0 * (f64::from(meeting.wins) + f64::from(meeting.draws) / 2.0)
                            / f64::from(meeting.games.max(1))
                    ))
                }
            } } }
        } }
    }
}

/// The rating over the last games, the newest at the right.
fn chart(program: &SiteProgram, ratings: &[f64]) -> Markup {
    const WIDTH: f64 = 640.0;
    const HEIGHT: f64 = 180.0;
    const LEFT: f64 = 44.0;
    const BELOW: f64 = 22.0;
    let ratings: Vec<f64> = ratings.iter().rev().copied().collect();
    if ratings.len() < 2 {
        return html! {};
    }
    let [low, high] = ratings.iter().fold([f64::MAX, f64::MIN], |[low, high], r| [low.min(*r), high.max(*r)]);
    let [low, high] = [(low / 50.0).floor() * 50.0, (high / 50.0).ceil() * 50.0 + 1.0];
    let x = |at: usize| LEFT + (WIDTH - LEFT - 8.0) * at as f64 / (ratings.len() - 1) as f64;
    let y = |rating: f64| 8.0 + (HEIGHT - BELOW - 8.0) * (high - rating) / (high - low);
    let points: Vec<String> =
        ratings.iter().enumerate().map(|(at, rating)| format!("{:.1},{:.1}", x(at), y(*rating))).collect();
    let step = if high - low > 400.0 { 200.0 } else { 50.0 };
    let lines = (0..20).map(|n| low + step * f64::from(n)).take_while(|rating| *rating <= high);
    let label =
        format!("rating over the last {} games, from {:.0} to {:.0}", ratings.len(), ratings[0], program.rating);
    html! {
        figure.curve {
            svg.chart viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(label) {
                @for rating in lines {
                    line x1=(LEFT) x2=(WIDTH - 8.0) y1=(y(rating)) y2=(y(rating)) {}
                    text x="4" y=(y(rating) + 4.0) { (format!("{rating:.0}")) }
                }
                polyline.rating points=(points.join(" ")) {}
                text x=(LEFT) y=(HEIGHT - 4.0) { "last " (ratings.len()) " games" }
            }
        }
    }
}

#[derive(Deserialize)]
pub struct ActivateForm {
    number: u32,
}

/// Makes another version the active one.
pub async fn activate(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(id): Path<i64>,
    Form(form): Form<ActivateForm>,
) -> SiteResult<Response> {
    site.activate(&member.visitor, id, form.number).await?;
    Ok(Redirect::to(&format!("/program/{id}")).into_response())
}

#[derive(Deserialize)]
pub struct AskForm {
    games: u32,
}

pub async fn ask(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path((one, other)): Path<(i64, i64)>,
    Form(form): Form<AskForm>,
) -> SiteResult<Response> {
    site.ask_for_games(&member.visitor, member.account.id, [one, other], form.games).await?;
    Ok(Redirect::to(&format!("/versus/{one}/{other}")).into_response())
}

/// Two programs against each other.
pub async fn versus(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path((one, other)): Path<(i64, i64)>,
) -> SiteResult<Response> {
    let (first, second, meeting, bouts) = site.consult(move |store| meeting(store, one, other)).await?;
    let body = html! {
        h1 { (first.name) " – " (second.name) }
        p { (parts::program(&first)) " " span.strong { (format!("{:.0}", first.rating)) } ", "
            (parts::program(&second)) " " span.strong { (format!("{:.0}", second.rating)) } }
        @if let Some(meeting) = &meeting {
            p { (meeting.games) " rated games: " (meeting.wins) " won, " (meeting.draws) " drawn, "
                (meeting.games - meeting.wins - meeting.draws) " lost by " (first.name) "." }
        }
        @if may_ask(&visitor, [&first, &second]) {
            form.row method="post" action={ "/versus/" (one) "/" (other) "/ask" } {
                label {
                    "Games to play, not rated "
                    input type="number" name="games" value="2" min="1" max=(MAX_ASKED_GAMES) required;
                }
                button { "Play them" }
            }
        }
        @if bouts.is_empty() {
            p { "They have not met yet." }
        } @else {
            (parts::games(&site, &bouts, Some(one), false))
        }
    };
    Ok(Page::new(format!("{} – {}", first.name, second.name), body).show(&visitor))
}
