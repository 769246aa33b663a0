//! Finals: their standings, their games, and how the host begins one.

use std::sync::Arc;

use agon_arena::Standings;
use agon_arena::plan::Kind;
use agon_site::clock::ago;
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
use crate::visitor::Visitor;

/// Games on the page of a final.
const GAMES_SHOWN: usize = 200;

/// All finals.
pub async fn list(State(site): State<Arc<Site>>, visitor: Visitor) -> SiteResult<Response> {
    let all = site.read(SiteStore::finals).await?;
    let body = html! {
        h1 { "Finals" }
        @if all.is_empty() { p { "None yet." } }
        ul.plain { @for one in &all { li {
            a href={ "/final/" (one.id) } { (one.title) }
            span.faint {
                " · " (site.contest(one.contest).map_or(String::new(), |contest| contest.title)) " · "
                (one.plan.agents.len()) " programs · " (one.state.name()) " · " (ago(one.created))
            }
        } } }
    };
    Ok(Page::new("Finals", body).show(&visitor))
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
                "Swiss system, " (rounds) " rounds"
            } @else {
                "everybody against everybody"
            }
            " · " (one.plan.games) " games a pairing · seed " (one.plan.seed) " · " (ago(one.created))
        }
        p { (tally.bouts()) " of " (one.plan.bouts()) " games played; "
            @match one.state {
                FinalState::Running => "it goes on",
                FinalState::Complete => "these are the final standings",
                FinalState::Stopped => "it was stopped"
            }
            ". " a href={ "/final/" (id) "/standings.csv" } { "As CSV" } }
        @if visitor.is_host() && one.state == FinalState::Running {
            form method="post" action={ "/final/" (id) "/stop" } { button.danger { "Stop it" } }
        }
        div.scroll { table.wide {
            thead {
                tr {
                    th scope="col" { "#" } th.name scope="col" { "Program" } th scope="col" { "Points" }
                    th scope="col" { "Of" } th scope="col" { "Won" } th scope="col" { "Drawn" }
                    th scope="col" { "Lost" }
                    th scope="col" { @if swiss { "Buchholz" } @else { "Sonneborn–Berger" } }
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
        @if !games.is_empty() { h2 { "Games" } (parts::games(&site, &games, None, false)) }
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
    let title = typed.map_or_else(|| format!("Final of {}", contest.title), |typed| typed.title.clone());
    let (rounds, games, seed) = typed.map_or((5, 2, ""), |typed| (typed.rounds, typed.games, &typed.seed));
    let swiss = typed.is_some_and(|typed| typed.kind == "swiss");
    html! {
        form.row method="post" action=(action) {
            input name="title" required maxlength="60" value=(title) aria-label="Title of the final";
            select name="kind" aria-label="System" {
                option value="round-robin" { "everybody against everybody" }
                option value="swiss" selected[swiss] { "Swiss system" }
            }
            label { "rounds (Swiss) " input type="number" name="rounds" value=(rounds) min="1" max="50" required; }
            label {
                "games a pairing " input type="number" name="games" value=(games) min="2" max="100" step="2" required;
            }
            input name="seed" inputmode="numeric" placeholder="seed, or drawn" value=(seed) aria-label="Seed"
                maxlength="18";
            button { "Begin" }
        }
        p.faint {
            "Between the " (MAX_PROGRAMS)
            " best programs of users, as they are now. "
            "While it goes on, no games of the ladders are played; checks are."
        }
    }
}

/// Stops a final.
pub async fn stop(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.write(move |store| store.end_final(id, FinalState::Stopped)).await?;
    Ok(Redirect::to(&format!("/final/{id}")).into_response())
}
