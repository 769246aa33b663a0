//! What the host does with competitions: makes them, changes them, closes them, and invites into them.

use std::sync::Arc;

use agon_catalog::Game;
use agon_site::clock::now;
use agon_site::error::FieldError;
use agon_site::finals::FinalForm;
use agon_site::store::{Competition, CompetitionPhase, EntryRule, SiteInvitation};
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::competition_form::CompetitionDraft;
use super::finals::final_form;
use super::parts;
use crate::auth::Host;
use crate::error::SiteError;
use crate::layout::{Page, problem};
use crate::site::{Site, SiteResult};

pub async fn list(State(site): State<Arc<Site>>, host: Host) -> Response {
    let contests = site.contests();
    let body = html! {
        h1 { "Competitions" }
        p { "A new competition of " @for (at, game) in Game::all().into_iter().enumerate() {
            @if at > 0 { ", " } a href={ "/host/contests/new?game=" (game.name()) } { (game.title()) }
        } "." }
        div.scroll { table.wide {
            thead {
                tr {
                    th.name scope="col" { "Competition" } th.name scope="col" { "Game" } th.name scope="col" { "When" }
                    th.name scope="col" { "Entry" }
                }
            }
            tbody { @for contest in contests.iter() { tr {
                th.name scope="row" {
                    a href={ "/host/contests/" (contest.id) } { (contest.title) } " "
                    a.faint href={ "/ladder/" (contest.slug) } { "/ladder/" (contest.slug) }
                }
                td.name { (contest.game.title()) }
                td.name { (parts::when(contest)) }
                td.name { @if contest.entry == EntryRule::Open { "open" } @else { "by invitation" } }
            } } }
        } }
    };
    Page::new("Competitions", body).show(&host.0.visitor)
}

#[derive(Deserialize)]
pub struct GameQuery {
    game: String,
}

/// The form of a new competition.
pub async fn new(State(site): State<Arc<Site>>, host: Host, Query(query): Query<GameQuery>) -> SiteResult<Response> {
    let game = Game::by_name(&query.game).ok_or(SiteError::NotFound)?;
    Ok(new_page(&site, &host, &CompetitionDraft::new(game), game, None))
}

fn new_page(site: &Site, host: &Host, draft: &CompetitionDraft, game: Game, wrong: Option<&FieldError>) -> Response {
    let body = html! {
        h1 { "A new competition of " (game.title()) }
        p.faint { "An empty field takes the value of its placeholder. " a href="/host/contests" { "All competitions" } }
        (draft.show(wrong, &site.options))
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Page::new("A new competition", body).with_status(status).show(&host.0.visitor)
}

pub async fn make(
    State(site): State<Arc<Site>>,
    host: Host,
    Form(form): Form<Vec<(String, String)>>,
) -> SiteResult<Response> {
    let game = form.iter().find(|(name, _)| name == "game").and_then(|(_, value)| Game::by_name(value));
    let game = game.ok_or_else(|| SiteError::Bad("The competition has no game.".to_owned()))?;
    let draft = CompetitionDraft::new(game).typed(form);
    match site.put_competition(draft.check()).await {
        Ok(id) => Ok(Redirect::to(&format!("/host/contests/{id}")).into_response()),
        Err(error) => Ok(new_page(&site, &host, &draft, game, Some(&error.on_form()?))),
    }
}

fn find(site: &Site, id: i64) -> SiteResult<Competition> {
    site.contest(id).ok_or(SiteError::NotFound)
}

/// A competition, as its host sees it.
pub async fn show(State(site): State<Arc<Site>>, host: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    let contest = find(&site, id)?;
    let notes = Notes::default();
    page(&site, &host, &contest, &CompetitionDraft::of(&contest), notes).await
}

/// What the page of a competition says besides: what is wrong with its form, with the others, and a new link.
#[derive(Default)]
struct Notes<'a> {
    wrong: Option<&'a FieldError>,
    problem: Option<&'a str>,
    link: Option<&'a str>,
    asked: Option<&'a FinalForm>,
}

async fn page(
    site: &Arc<Site>,
    host: &Host,
    contest: &Competition,
    draft: &CompetitionDraft,
    notes: Notes<'_>,
) -> SiteResult<Response> {
    let id = contest.id;
    let read = site.read(move |store| {
        let mut invitations = store.invitations(now())?;
        invitations.retain(|invitation| invitation.contest == Some(id));
        Ok((invitations, store.count_entrants(id)?, store.count_programs(id)?))
    });
    let (invitations, entrants, programs) = read.await?;
    let body = html! {
        h1 { (contest.title) }
        p {
            a href={ "/ladder/" (contest.slug) } { "Its page" } " · " (parts::when(contest)) " · " (programs)
            " programs of users · "
            a href="/host/contests" { "All competitions" }
        }
        (problem(notes.problem))
        h2 { "Final" }
        @if contest.phase(now()) == CompetitionPhase::Closed {
            p { "The competition has closed: its programs are ready for the final." }
        }
        (final_form(&format!("/host/contests/{id}/finals"), contest, notes.asked))
        h2 { "Invitations" }
        p {
            @if contest.entry == EntryRule::Invited {
                (entrants) " accounts have been let in."
            } @else {
                "Anyone with an account may enter. A link lets people sign up and enter this competition."
            }
        }
        (invitation_part(id, notes.link, &invitations))
        h2 { "Settings" }
        (draft.show(notes.wrong, &site.options))
        p.faint { "A change of parameters or limits holds from the next game on." }
        @if contest.phase(now()) == CompetitionPhase::Running {
            form.row method="post" action={ "/host/contests/" (id) "/close" } { button { "Close it now" } }
        }
        @if programs == 0 && contest.slug != contest.game.name() {
            form.row method="post" action={ "/host/contests/" (id) "/delete" } {
                button.danger { "Delete it" } span.faint { "No entrants yet." }
            }
        }
    };
    let wrong = notes.wrong.is_some() || notes.problem.is_some();
    let status = if wrong { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(Page::new(contest.title.clone(), body).with_status(status).show(&host.0.visitor))
}

fn invitation_part(id: i64, link: Option<&str>, invitations: &[SiteInvitation]) -> Markup {
    html! {
        @if let Some(link) = link { p.notice { "The new link, shown this once: " br; code.secret { (link) } } }
        form.row method="post" action={ "/host/contests/" (id) "/invitations" } {
            input name="note" required maxlength="60" placeholder="whom it is for"
                aria-label="Whom the invitation is for";
            label { "people " input type="number" name="uses" value="30" min="1" max="1000" required; }
            button { "Make a link" }
        }
        ul.plain { @for invitation in invitations { li {
            (invitation.note) span.faint { " · for " (invitation.uses) " more" } " "
            form.inline method="post" action={ "/host/invitations/" (invitation.id) "/delete" } {
                button.small { "Take back" }
            }
        } } }
    }
}

pub async fn change(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(form): Form<Vec<(String, String)>>,
) -> SiteResult<Response> {
    let contest = find(&site, id)?;
    let draft = CompetitionDraft::of(&contest).typed(form);
    match site.put_competition(draft.check()).await {
        Ok(id) => Ok(Redirect::to(&format!("/host/contests/{id}")).into_response()),
        Err(error) => {
            let notes = Notes { wrong: Some(&error.on_form()?), ..Notes::default() };
            page(&site, &host, &contest, &draft, notes).await
        }
    }
}

pub async fn close(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.close_competition(find(&site, id)?).await?;
    Ok(Redirect::to(&format!("/host/contests/{id}")).into_response())
}

/// Deletes a competition without entrants.
pub async fn delete(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.delete_competition(&find(&site, id)?).await?;
    Ok(Redirect::to("/host/contests").into_response())
}

#[derive(Deserialize)]
pub struct EntrantForm {
    note: String,
    uses: u32,
}

/// Makes a link that lets people into a competition, and shows it once.
pub async fn invite(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(form): Form<EntrantForm>,
) -> SiteResult<Response> {
    let contest = find(&site, id)?;
    let draft = CompetitionDraft::of(&contest);
    match site.invite(form.note, form.uses, false, Some(id), host.origin()).await {
        Ok(link) => page(&site, &host, &contest, &draft, Notes { link: Some(&link), ..Notes::default() }).await,
        Err(error) => {
            let notes = Notes { problem: Some(&error.on_form()?.text), ..Notes::default() };
            page(&site, &host, &contest, &draft, notes).await
        }
    }
}

/// Begins a final between the best programs of a competition, as they are now.
pub async fn begin_final(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(form): Form<FinalForm>,
) -> SiteResult<Response> {
    let contest = find(&site, id)?;
    match site.begin_final(contest.clone(), form.clone()).await {
        Ok(begun) => Ok(Redirect::to(&format!("/final/{begun}")).into_response()),
        Err(error) => {
            let notes = Notes { problem: Some(&error.on_form()?.text), asked: Some(&form), ..Notes::default() };
            page(&site, &host, &contest, &CompetitionDraft::of(&contest), notes).await
        }
    }
}
