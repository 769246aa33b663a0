//! What the host does with competitions: makes them, changes them, closes them, and invites into them.

use std::sync::Arc;

use agon_catalog::Game;
use agon_site::clock::now;
use agon_site::error::FieldError;
use agon_site::finals::FinalForm;
use agon_site::secret;
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
use super::parts::SavedQuery;
use super::roster;
use crate::auth::Host;
use crate::error::SiteError;
use crate::layout::{Page, competition_title, problem};
use crate::once::FIELD;
use crate::site::{Site, SiteResult};
use crate::text::{rich, said, t};

pub(crate) async fn list(State(site): State<Arc<Site>>, host: Host) -> Response {
    let competitions = site.competitions();
    let body = html! {
        h1 { (t!("competitions-title")) }
        p { (t!("competitions-new")) " " @for (at, game) in Game::all().into_iter().enumerate() {
            @if at > 0 { ", " } a href={ "/host/contests/new?game=" (game.name()) } { (said(game.title())) }
        } }
        div.scroll { table.wide {
            thead {
                tr {
                    th.name scope="col" { (t!("competitions-name")) }
                    th.name scope="col" { (t!("competitions-game")) }
                    th.name scope="col" { (t!("competitions-when")) }
                    th.name scope="col" { (t!("competitions-entry")) }
                }
            }
            tbody { @for competition in competitions.iter() { tr {
                th.name scope="row" {
                    a href={ "/host/contests/" (competition.id) } { (competition_title(competition)) } " "
                    a.faint href={ "/ladder/" (competition.slug) } { "/ladder/" (competition.slug) }
                }
                td.name { (said(competition.game.title())) }
                td.name { (parts::when(competition)) }
                td.name {
                    @match competition.entry {
                        EntryRule::Open => (t!("competitions-open")),
                        EntryRule::Invited => (t!("competitions-invited")),
                        EntryRule::Private => (t!("competitions-private")),
                    }
                }
            } } }
        } }
    };
    Page::new(t!("competitions-title"), body).show(&host.0.visitor)
}

#[derive(Deserialize)]
pub(crate) struct GameQuery {
    #[serde(default)]
    game: String,
    /// The number of the competition whose settings it takes over.
    #[serde(default)]
    like: Option<i64>,
}

/// The form of a new competition.
pub(crate) async fn new(
    State(site): State<Arc<Site>>,
    host: Host,
    Query(query): Query<GameQuery>,
) -> SiteResult<Response> {
    if let Some(competition) = query.like.and_then(|id| site.competition(id)) {
        return Ok(new_page(&site, &host, &CompetitionDraft::like(&competition), competition.game, None));
    }
    // An address that someone has shortened leads to the choice of a game.
    let Some(game) = Game::by_name(&query.game) else { return Ok(Redirect::to("/host/contests").into_response()) };
    Ok(new_page(&site, &host, &CompetitionDraft::new(game), game, None))
}

fn new_page(site: &Site, host: &Host, draft: &CompetitionDraft, game: Game, wrong: Option<&FieldError>) -> Response {
    let body = html! {
        h1 { (t!("competitions-new-of", game = said(game.title()))) }
        p.faint { (t!("competitions-placeholder")) " " a href="/host/contests" { (t!("competitions-all")) } }
        (draft.show(wrong, &site.options))
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Page::new(t!("competitions-new-title"), body).with_status(status).show(&host.0.visitor)
}

pub(crate) async fn make(
    State(site): State<Arc<Site>>,
    host: Host,
    Form(form): Form<Vec<(String, String)>>,
) -> SiteResult<Response> {
    let game = form.iter().find(|(name, _)| name == "game").and_then(|(_, value)| Game::by_name(value));
    let game = game.ok_or_else(|| SiteError::Bad(t!("competitions-no-game")))?;
    let word = form.iter().find(|(name, _)| name == FIELD).map_or_else(String::new, |(_, word)| word.clone());
    let draft = CompetitionDraft::new(game).typed(form.clone());
    let (maker, checked) = (Arc::clone(&site), draft.check());
    let made = async move { Ok(format!("/host/contests/{}", maker.put_competition(checked).await?)) };
    match site.forms.answer(&word, &form, made).await {
        Ok(path) => Ok(Redirect::to(&path).into_response()),
        Err(error) => Ok(new_page(&site, &host, &draft, game, Some(&error.on_form()?))),
    }
}

fn find(site: &Site, id: i64) -> SiteResult<Competition> {
    site.competition(id).ok_or(SiteError::NotFound)
}

/// A competition, as its host sees it.
pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Query(query): Query<SavedQuery>,
) -> SiteResult<Response> {
    let competition = find(&site, id)?;
    let notes = Notes { saved: query.saved.is_some(), ..Notes::default() };
    page(&site, &host, &competition, &CompetitionDraft::of(&competition), notes).await
}

/// What the page of a competition says besides: what is wrong with its form, with the others, and a new link.
#[derive(Default)]
struct Notes<'a> {
    wrong: Option<&'a FieldError>,
    problem: Option<&'a str>,
    link: Option<&'a str>,
    asked: Option<&'a FinalForm>,
    saved: bool,
}

async fn page(
    site: &Arc<Site>,
    host: &Host,
    competition: &Competition,
    draft: &CompetitionDraft,
    notes: Notes<'_>,
) -> SiteResult<Response> {
    let id = competition.id;
    let read = site.read(move |store| {
        let mut invitations = store.invitations(now())?;
        invitations.retain(|invitation| invitation.competition == Some(id));
        Ok((invitations, store.count_entrants(id)?, store.count_programs(id)?))
    });
    let (invitations, entrants, programs) = read.await?;
    let body = html! {
        h1 { (competition_title(competition)) }
        p {
            a href={ "/ladder/" (competition.slug) } { (t!("competitions-page")) }
            " · " (parts::when(competition)) " · "
            (t!("competitions-programs", count = programs))
            " · "
            a href="/host/contests" { (t!("competitions-all")) }
        }
        (problem(notes.problem))
        @if notes.saved { p.notice role="status" { (t!("competitions-saved")) } }
        nav.actions aria-label=(t!("competitions-parts")) {
            a.button href="#people" { (t!("competitions-invitations")) }
            a.button href={ "/host/contests/" (id) "/people" } { (t!("roster-people")) }
            a.button href="#final" { (t!("competitions-final")) }
            a.button href="#settings" { (t!("competitions-settings")) }
        }
        h2 id="people" { (t!("competitions-invitations")) }
        p {
            @if competition.entry.is_by_invitation() {
                (t!("competitions-entrants", count = entrants))
            } @else {
                (t!("competitions-anyone"))
            }
        }
        (invitation_part(id, notes.link, &invitations))
        h2 { (t!("roster-title")) }
        (roster::form(id, ""))
        h2 id="final" { (t!("competitions-final")) }
        @if competition.phase(now()) == CompetitionPhase::Closed {
            p { (t!("competitions-closed")) }
        }
        (final_form(&format!("/host/contests/{id}/finals"), competition, notes.asked))
        h2 id="settings" { (t!("competitions-settings")) }
        (draft.show(notes.wrong, &site.options))
        p.faint { (t!("competitions-change-hint")) }
        p {
            a.button href={ "/host/contests/new?like=" (id) } { (t!("competitions-clone")) } " "
            (t!("competitions-clone-hint"))
        }
        @let paused = site.is_paused(id);
        form.row method="post" action={ "/host/contests/" (id) "/pause" } {
            input type="hidden" name="yes" value=(if paused { "no" } else { "yes" });
            button { @if paused { (t!("competitions-go-on")) } @else { (t!("competitions-pause")) } }
            span.faint { (t!("competitions-pause-hint")) }
        }
        @if competition.phase(now()) == CompetitionPhase::Running {
            @let form = html! {
                form method="post" action={ "/host/contests/" (id) "/close" } {
                    button.danger { (t!("competitions-close")) }
                }
            };
            (parts::confirmed(&t!("competitions-close"), &t!("competitions-close-sure"), &form))
        }
        @if competition.phase(now()) == CompetitionPhase::Closed {
            form.row method="post" action={ "/host/contests/" (id) "/reopen" } {
                button { (t!("competitions-reopen")) } span.faint { (t!("competitions-reopen-hint")) }
            }
        }
        @if programs == 0 && competition.slug != competition.game.name() {
            form.row method="post" action={ "/host/contests/" (id) "/delete" } {
                button.danger { (t!("competitions-delete")) } span.faint { (t!("competitions-no-entrants")) }
            }
        }
    };
    let wrong = notes.wrong.is_some() || notes.problem.is_some();
    let status = if wrong { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(Page::new(competition_title(competition), body).with_status(status).show(&host.0.visitor))
}

fn invitation_part(id: i64, link: Option<&str>, invitations: &[SiteInvitation]) -> Markup {
    html! {
        @if let Some(link) = link {
            @let code = secret::in_halves(link.rsplit('/').next().unwrap_or_default());
            p.notice {
                (t!("invitation-fresh")) br; code.secret { (link) } br;
                @let code = html! { strong { code { (code) } } };
                (rich!("invitation-code", code = code, page = html! { code { "/join" } }))
            }
        }
        form.row method="post" action={ "/host/contests/" (id) "/invitations" } {
            input name="note" required maxlength="60" placeholder=(t!("invitation-whom"))
                aria-label=(t!("invitation-whom-label"));
            label { (t!("invitation-people")) input type="number" name="uses" value="30" min="1" max="1000" required; }
            button { (t!("invitation-make")) }
        }
        ul.plain { @for invitation in invitations { li {
            (invitation.note) span.faint { " · " (t!("invitation-left", count = invitation.uses)) } " "
            form.inline method="post" action={ "/host/invitations/" (invitation.id) "/delete" } {
                button.small { (t!("invitation-take-back")) }
            }
        } } }
    }
}

pub(crate) async fn change(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(form): Form<Vec<(String, String)>>,
) -> SiteResult<Response> {
    let competition = find(&site, id)?;
    let draft = CompetitionDraft::of(&competition).typed(form);
    match site.put_competition(draft.check()).await {
        Ok(id) => Ok(Redirect::to(&format!("/host/contests/{id}?saved=yes")).into_response()),
        Err(error) => {
            let notes = Notes { wrong: Some(&error.on_form()?), ..Notes::default() };
            page(&site, &host, &competition, &draft, notes).await
        }
    }
}

pub(crate) async fn close(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.close_competition(find(&site, id)?).await?;
    Ok(Redirect::to(&format!("/host/contests/{id}")).into_response())
}

/// Opens a closed competition again, without an end.
pub(crate) async fn reopen(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.reopen_competition(find(&site, id)?).await?;
    Ok(Redirect::to(&format!("/host/contests/{id}?saved=yes")).into_response())
}

#[derive(Deserialize)]
pub(crate) struct PauseForm {
    yes: String,
}

/// Lets the ladder of a competition rest, or go on.
pub(crate) async fn pause(
    State(site): State<Arc<Site>>,
    _: Host,
    Path(id): Path<i64>,
    Form(form): Form<PauseForm>,
) -> SiteResult<Response> {
    let competition = find(&site, id)?;
    site.set_paused(competition.id, form.yes == "yes").await?;
    Ok(Redirect::to(&format!("/host/contests/{id}?saved=yes")).into_response())
}

/// Deletes a competition without entrants.
pub(crate) async fn delete(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.delete_competition(&find(&site, id)?).await?;
    Ok(Redirect::to("/host/contests").into_response())
}

#[derive(Deserialize)]
pub(crate) struct EntrantForm {
    note: String,
    uses: u32,
}

/// Makes a link that lets people into a competition, and shows it once.
pub(crate) async fn invite(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(form): Form<EntrantForm>,
) -> SiteResult<Response> {
    let competition = find(&site, id)?;
    let draft = CompetitionDraft::of(&competition);
    match site.invite(form.note, form.uses, false, Some(id), host.origin()).await {
        Ok(link) => page(&site, &host, &competition, &draft, Notes { link: Some(&link), ..Notes::default() }).await,
        Err(error) => {
            let notes = Notes { problem: Some(&said(&error.on_form()?.text)), ..Notes::default() };
            page(&site, &host, &competition, &draft, notes).await
        }
    }
}

/// Begins a final between the best programs of a competition, as they are now.
pub(crate) async fn begin_final(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(form): Form<FinalForm>,
) -> SiteResult<Response> {
    let competition = find(&site, id)?;
    let (maker, of, asked) = (Arc::clone(&site), competition.clone(), form.clone());
    let begun = async move { Ok(format!("/final/{}", maker.begin_final(of, asked).await?)) };
    match site.forms.answer(&form.form, &(id, &form), begun).await {
        Ok(path) => Ok(Redirect::to(&path).into_response()),
        Err(error) => {
            let notes = Notes { problem: Some(&said(&error.on_form()?.text)), asked: Some(&form), ..Notes::default() };
            page(&site, &host, &competition, &CompetitionDraft::of(&competition), notes).await
        }
    }
}
