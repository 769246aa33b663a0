//! Finals: their standings, their games, and how the host begins one.

use std::sync::Arc;

use agon_arena::Standings;
use agon_arena::plan::Kind;
use agon_site::finals::{self, FinalForm, MAX_PROGRAMS};
use agon_site::store::{Competition, FinalState, SiteStore};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

use super::parts;
use crate::auth::Host;
use crate::layout::Page;
use crate::site::{Site, SiteResult};
use crate::text::{ago, t};
use crate::visitor::Visitor;

/// Games on the page of a final.
const GAMES_SHOWN: usize = 200;

/// All finals.
pub async fn list(State(site): State<Arc<Site>>, visitor: Visitor) -> SiteResult<Response> {
    let all = site.read(SiteStore::finals).await?;
    let body = html! {
        h1 { (t!("finals-title")) }
        @if all.is_empty() { p { (t!("finals-none")) } }
        ul.plain { @for one in &all { li {
            a href={ "/final/" (one.id) } { (one.title) }
            span.faint {
                " · " (site.contest(one.contest).map_or(String::new(), |contest| contest.title)) " · "
                (t!("finals-programs", count = one.plan.agents.len())) " · " (state_words(one.state)) " · "
                (ago(one.created))
            }
        } } }
    };
    Ok(Page::new(t!("finals-title"), body).show(&visitor))
}

/// How a final stands, in a word.
fn state_words(state: FinalState) -> String {
    match state {
        FinalState::Running => t!("finals-state-running"),
        FinalState::Complete => t!("finals-state-complete"),
        FinalState::Stopped => t!("finals-state-stopped"),
    }
}

/// A final.
pub async fn show(State(site): State<Arc<Site>>, visitor: Visitor, Path(id): Path<i64>) -> SiteResult<Response> {
    let (one, bouts, tally) = site.consult(move |store| finals::find(store, id)).await?;
    let standings = Standings::new(&one.plan, &tally);
    let swiss = matches!(one.plan.kind, Kind::Swiss { .. });
    let mut games: Vec<_> = bouts.iter().rev().map(|played| played.bout.clone()).collect();
    games.truncate(GAMES_SHOWN);
    let body = html! {
        h1 { (one.title) }
        p {
            @if let Some(contest) = site.contest(one.contest) {
                a href={ "/ladder/" (contest.slug) } { (contest.title) } " · "
            }
            @if let Kind::Swiss { rounds } = one.plan.kind {
                (t!("finals-swiss-rounds", count = rounds))
            } @else {
                (t!("finals-round-robin"))
            }
            " · " (t!("finals-terms", games = one.plan.games, seed = one.plan.seed.to_string())) " · "
            (ago(one.created))
        }
        p {
            (t!("finals-played", played = tally.bouts(), all = one.plan.bouts())) " "
            @match one.state {
                FinalState::Running => (t!("finals-running")),
                FinalState::Complete => (t!("finals-complete")),
                FinalState::Stopped => (t!("finals-stopped")),
            }
            " " a href={ "/final/" (id) "/standings.csv" } { (t!("finals-csv")) } }
        @if visitor.is_host() && one.state == FinalState::Running {
            form method="post" action={ "/final/" (id) "/stop" } { button.danger { (t!("finals-stop")) } }
        }
        div.scroll { table.wide {
            thead {
                tr {
                    th scope="col" { "#" }
                    th.name scope="col" { (t!("finals-program")) }
                    th scope="col" { (t!("finals-points")) }
                    th scope="col" { (t!("finals-possible")) }
                    th scope="col" { (t!("finals-won")) }
                    th scope="col" { (t!("finals-drawn")) }
                    th scope="col" { (t!("finals-lost")) }
                    th scope="col" { @if swiss { (t!("finals-buchholz")) } @else { (t!("finals-sonneborn")) } }
                }
            }
            tbody { @for (place, row) in standings.rows.iter().enumerate() { tr {
                td { (place + 1) }
                th.name scope="row" { (one.plan.agents[row.agent].name) }
                td.strong { (row.points) } td { (row.possible) }
                td { (row.bouts.wins) } td { (row.bouts.draws) } td { (row.bouts.losses) }
                td { @if swiss { (row.buchholz) } @else { (row.sonneborn) } }
            } } }
        } }
        @if !games.is_empty() { h2 { (t!("finals-games")) } (parts::games(&site, &games, None, false)) }
    };
    let mut page = Page::new(one.title.clone(), body);
    page.refresh = (one.state == FinalState::Running).then_some(30);
    Ok(page.show(&visitor))
}

/// The standings as a file.
pub async fn csv(State(site): State<Arc<Site>>, Path(id): Path<i64>) -> SiteResult<Response> {
    let (one, bouts, _) = site.consult(move |store| finals::find(store, id)).await?;
    let name = format!("attachment; filename=\"final-{id}.csv\"");
    let headers = [(header::CONTENT_TYPE, "text/csv; charset=utf-8"), (header::CONTENT_DISPOSITION, name.as_str())];
    Ok((headers, finals::standings(&one, &bouts)).into_response())
}

/// The form by which a host begins a final, with what was typed.
pub fn final_form(action: &str, contest: &Competition, typed: Option<&FinalForm>) -> Markup {
    let title = typed.map_or_else(|| t!("finals-of", title = &contest.title), |typed| typed.title.clone());
    let (rounds, games, seed) = typed.map_or((5, 2, ""), |typed| (typed.rounds, typed.games, &typed.seed));
    let swiss = typed.is_some_and(|typed| typed.kind == "swiss");
    html! {
        form.row method="post" action=(action) {
            input name="title" required maxlength="60" value=(title) aria-label=(t!("finals-form-title"));
            select name="kind" aria-label=(t!("finals-system")) {
                option value="round-robin" { (t!("finals-round-robin")) }
                option value="swiss" selected[swiss] { (t!("finals-swiss")) }
            }
            label { (t!("finals-rounds")) input type="number" name="rounds" value=(rounds) min="1" max="50" required; }
            label {
                (t!("finals-pairing"))
                input type="number" name="games" value=(games) min="2" max="100" step="2" required;
            }
            input name="seed" inputmode="numeric" placeholder=(t!("finals-seed-usual")) value=(seed)
                aria-label=(t!("finals-seed"))
                maxlength="18";
            button { (t!("finals-begin")) }
        }
        p.faint {
            (t!("finals-hint", most = MAX_PROGRAMS))
        }
    }
}

/// Stops a final.
pub async fn stop(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.write(move |store| store.end_final(id, FinalState::Stopped)).await?;
    Ok(Redirect::to(&format!("/final/{id}")).into_response())
}
