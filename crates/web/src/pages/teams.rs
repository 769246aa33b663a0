//! Teams: anyone creates them, and invited accounts join.

use std::sync::Arc;

use agon_boards::layout::{Page, problem};
use agon_boards::text::{ago, localized, rich, t};
use agon_site::store::{Followed, SiteTeam, TeamMember};
use agon_site::teams::{self, LIMITS, MAX_NAME_CHARS, may_remove};
use axum::Form;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::{cards, following};
use crate::auth::SignedIn;
use crate::error::SiteError;
use crate::layout::ShowPage as _;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

#[derive(Deserialize)]
pub(crate) struct NameForm {
    name: String,
}

/// The teams of a visitor, and the form that creates one.
pub(crate) async fn list(member: SignedIn) -> Response {
    list_page(&member, "", None)
}

fn list_page(member: &SignedIn, typed: &str, wrong: Option<&str>) -> Response {
    let body = html! {
        h1 { (t!("teams-title")) }
        (problem(wrong))
        (invitations(&member.visitor.notices.asking))
        (links(&member.visitor.teams))
        @if member.visitor.teams.is_empty() { p.empty { (t!("teams-none")) } }
        h2 { (t!("teams-make")) }
        p {
            (t!("teams-hint"))
        }
        form.row method="post" action="/teams" {
            label {
                (t!("teams-name"))
                input name="name" value=(typed) required maxlength=(MAX_NAME_CHARS) autocomplete="off";
            }
            button { (t!("teams-make")) }
        }
        p.faint {
            (t!("teams-limits", teams = LIMITS.teams, members = LIMITS.members))
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Page::new(t!("teams-title"), body).with_status(status).show(&member.visitor)
}

pub(crate) fn links(teams: &[SiteTeam]) -> Markup {
    html! {
        @if !teams.is_empty() {
            ul.plain { @for team in teams { li { a href={ "/team/" (team.id) } { (team.name) } } } }
        }
    }
}

/// The teams that have invited the visitor, with buttons to answer.
pub(crate) fn invitations(asking: &[SiteTeam]) -> Markup {
    html! { @for team in asking {
        div.notice {
            (rich!("teams-asking", team = html! { a href={ "/team/" (team.id) } { (team.name) } })) " "
            form.inline method="post" action={ "/team/" (team.id) "/join" } { button.small { (t!("teams-join")) } }
            form.inline method="post" action={ "/team/" (team.id) "/leave" } { button.small { (t!("teams-decline")) } }
        }
    } }
}

pub(crate) async fn create(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Form(form): Form<NameForm>,
) -> SiteResult<Response> {
    let (account, name) = (member.account.id, form.name.clone());
    let made = site.change(move |store| teams::create(store, account, &name));
    match made.await {
        Ok(team) => Ok(Redirect::to(&format!("/team/{team}")).into_response()),
        Err(error) => Ok(list_page(&member, &form.name, Some(&localized(&*error.on_form()?.reason)))),
    }
}

pub(crate) async fn show(State(site): State<Arc<Site>>, visitor: Visitor, Path(id): Path<i64>) -> SiteResult<Response> {
    page(&site, &visitor, id, "", None).await
}

async fn page(site: &Arc<Site>, visitor: &Visitor, id: i64, typed: &str, wrong: Option<&str>) -> SiteResult<Response> {
    let read = site.read(move |store| Ok((store.account(id)?, store.members(id)?, store.programs_of(id)?)));
    let (found, members, mut programs) = read.await?;
    programs.retain(|program| visitor.sees(program.competition));
    let (team, _) = found.filter(|(account, _)| account.team).ok_or(SiteError::NotFound)?;
    let inside = visitor.is(Some(id));
    let followed = following::is_followed(site, visitor, Followed::Person(id)).await?;
    let own = visitor.account.as_ref().and_then(|own| members.iter().find(|member| member.account == own.id));
    let asked = own.is_some_and(|own| own.joined.is_none());
    let body = html! {
        h1 { (team.name) }
        p.faint { (t!("teams-made", ago = ago(team.created))) @if team.frozen { " · " (t!("teams-frozen")) } }
        @if !inside { p.actions { (following::button(visitor, Followed::Person(id), followed)) } }
        (problem(wrong))
        @if asked { (invitations(&[SiteTeam { id, name: team.name.clone() }])) }
        h2 { (t!("teams-programs")) }
        @if programs.is_empty() {
            p.empty {
                (t!("teams-no-program"))
                @if inside { " " a href={ "/submit?team=" (id) } { (t!("teams-submit")) } }
            }
        }
        (cards::of(site, &programs))
        h2 { (t!("teams-members")) }
        (member_list(id, &members, visitor))
        @if inside {
            form.row method="post" action={ "/team/" (id) "/members" } {
                label {
                    (t!("teams-account"))
                    input name="name" value=(typed) required maxlength=(MAX_NAME_CHARS) autocomplete="off"
                        autocapitalize="off" spellcheck="false";
                }
                button { (t!("teams-ask")) }
            }
            form.row method="post" action={ "/team/" (id) "/leave" } { button { (t!("teams-leave")) } }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(Page::new(team.name, body).with_script("follow.js").with_status(status).show(visitor))
}

fn member_list(team: i64, members: &[TeamMember], visitor: &Visitor) -> Markup {
    html! { ul.plain { @for member in members {
        @if member.joined.is_some() || teams::sees_asked(visitor, team) { li {
            a href={ "/person/" (member.account) } { (member.name) }
            span.faint {
                @if let Some(joined) = member.joined {
                    " · " (t!("teams-joined", ago = ago(joined)))
                } @else {
                    (t!("teams-asked"))
                }
            }
            " "
            @if may_remove(members, member, visitor) {
                form.inline method="post" action={ "/team/" (team) "/members/" (member.account) "/remove" } {
                    button.small {
                        @if member.joined.is_some() { (t!("teams-remove")) } @else { (t!("teams-take-back")) }
                    }
                }
            }
        } }
    } } }
}

/// Leads back to a team, or reports a mistake on its page.
async fn back(site: &Arc<Site>, visitor: &Visitor, id: i64, typed: &str, done: SiteResult<()>) -> SiteResult<Response> {
    match done {
        Ok(()) => Ok(Redirect::to(&format!("/team/{id}")).into_response()),
        Err(error) => page(site, visitor, id, typed, Some(&localized(&*error.on_form()?.reason))).await,
    }
}

pub(crate) async fn ask(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(id): Path<i64>,
    Form(form): Form<NameForm>,
) -> SiteResult<Response> {
    let (who, name) = (member.visitor.who.clone(), form.name.clone());
    let asked = site.change(move |store| teams::ask(store, &who, id, &name)).await;
    back(&site, &member.visitor, id, &form.name, asked).await
}

/// Joins a team that has asked.
pub(crate) async fn join(State(site): State<Arc<Site>>, member: SignedIn, Path(id): Path<i64>) -> SiteResult<Response> {
    let account = member.account.id;
    let joined = site.change(move |store| teams::join(store, account, id)).await;
    back(&site, &member.visitor, id, "", joined).await
}

/// Leaves a team, or declines to join it.
pub(crate) async fn leave(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    let account = member.account.id;
    match site.change(move |store| teams::leave(store, account, id)).await {
        Ok(()) => Ok(Redirect::to("/teams").into_response()),
        refused => back(&site, &member.visitor, id, "", refused).await,
    }
}

/// Takes a member out of a team, or takes a question back.
pub(crate) async fn remove(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path((id, other)): Path<(i64, i64)>,
) -> SiteResult<Response> {
    let who = member.visitor.who.clone();
    let removed = site.change(move |store| teams::remove(store, &who, id, other)).await;
    back(&site, &member.visitor, id, "", removed).await
}
