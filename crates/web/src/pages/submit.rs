//! Submitting a program, and watching it being checked.

use std::sync::Arc;

use agon_referee::agent::Language;
use agon_site::clock::ago;
use agon_site::error::FieldError;
use agon_site::store::CheckState;
use agon_site::submission::SubmissionDraft;
use axum::extract::multipart::{MultipartError, MultipartRejection};
use axum::extract::{Multipart, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::draft::{own_programs, page};
use crate::auth::SignedIn;
use crate::error::SiteError;
use crate::layout::Page;
use crate::site::{Site, SiteResult};
use crate::submissions::{self, QueuePlace, archive, bundle, enter, follow, own_version, progress};
use crate::visitor::Visitor;

#[derive(Deserialize)]
pub struct SubmitQuery {
    #[serde(alias = "game")]
    contest: Option<String>,
    sample: Option<String>,
    /// The number of the team whose program it is.
    team: Option<i64>,
}

pub async fn form(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<SubmitQuery>,
) -> SiteResult<Response> {
    let contest = query.contest.as_deref().and_then(|slug| site.competition_at(slug));
    let contest = contest.or_else(|| visitor.standing().next().cloned());
    let own = own_programs(&site, &visitor).await?;
    let team = visitor.teams.iter().find(|team| Some(team.id) == query.team);
    let shelf = team.map(|team| team.id).or_else(|| visitor.shelf(""));
    let mut draft = SubmissionDraft { name: "bot".to_owned(), ..SubmissionDraft::default() };
    draft.team = team.map(|team| team.name.clone()).unwrap_or_default();
    if let Some(contest) = contest {
        if let Some(known) = own.iter().find(|program| program.contest == contest.id && program.account == shelf) {
            draft.name.clone_from(&known.name);
        }
        if query.sample.is_some() {
            Language::Python3.name().clone_into(&mut draft.language);
            contest.game.sample().clone_into(&mut draft.source);
        }
        draft.contest = contest.slug;
    }
    Ok(page(&draft, &own, None, &visitor, &site.languages()))
}

/// Reads the form. A file goes before what was pasted.
async fn read(mut form: Multipart) -> Result<SubmissionDraft, (SubmissionDraft, FieldError)> {
    let mut draft = SubmissionDraft::default();
    loop {
        let field = match form.next_field().await {
            Ok(Some(field)) => field,
            Ok(None) => return Ok(draft),
            Err(error) => return Err((draft, unread(&error))),
        };
        let (name, file) = (field.name().unwrap_or_default().to_owned(), field.file_name().map(str::to_owned));
        let bytes = match field.bytes().await {
            Ok(bytes) => bytes,
            Err(error) => return Err((draft, unread(&error))),
        };
        let text = match String::from_utf8(bytes.into()) {
            Ok(text) => text,
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let wrong = format!("the source is no UTF-8 text: byte {} does not belong there", at + 1);
                return Err((draft, FieldError::new(if name == "file" { "file" } else { "source" }, wrong)));
            }
        };
        match name.as_str() {
            "contest" | "game" => draft.contest = text,
            "name" => draft.name = text,
            "language" => draft.language = text,
            "team" => draft.team = text,
            "file" if !text.is_empty() => (draft.source, draft.file) = (text, file.unwrap_or_default()),
            "source" if draft.file.is_empty() => draft.source = text,
            _ => {}
        }
    }
}

/// Why a form cannot be read to its end: as a rule, for the source in it is too large.
fn unread(error: &MultipartError) -> FieldError {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => FieldError::too_large("source", "the source has more than 1024 KiB"),
        _ => FieldError::new("source", error.body_text()),
    }
}

pub async fn submit(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    form: Result<Multipart, MultipartRejection>,
) -> SiteResult<Response> {
    let form = form.map_err(|error| SiteError::Bad(error.body_text()))?;
    let read = read(form).await;
    if visitor.account.is_none() {
        // Signed out meanwhile, or never signed in: nothing that was typed is lost.
        let draft = read.unwrap_or_else(|(draft, _)| draft);
        return Ok(super::sign_in::sign_in_page("", "/submit", Some(&draft), None, &visitor));
    }
    let own = own_programs(&site, &visitor).await?;
    let draft = match read {
        Ok(draft) => draft,
        Err((draft, wrong)) => return Ok(page(&draft, &own, Some(&wrong), &visitor, &site.languages())),
    };
    let entered = match draft.clone().check(&site.contests(), &site.languages()) {
        Ok(checked) => enter(&site, &visitor, checked).await?.map_err(|refused| FieldError::new("", refused)),
        Err(wrong) => Err(wrong),
    };
    match entered {
        Ok(version) => Ok(Redirect::to(&format!("/version/{version}")).into_response()),
        Err(wrong) => Ok(page(&draft, &own, Some(&wrong), &visitor, &site.languages())),
    }
}

/// A version: how its check goes, why it failed, its source.
pub async fn version(State(site): State<Arc<Site>>, member: SignedIn, Path(id): Path<i64>) -> SiteResult<Response> {
    let (version, program, source) = own_version(&site, &member.visitor, id).await?;
    let place = site.read(move |store| QueuePlace::read(store, id)).await?;
    let (words, bout) = progress(&site, &version, place);
    let settled = version.state.is_settled();
    let contest = site.contest(program.contest).ok_or(SiteError::NotFound)?;
    let slug = &contest.slug;
    let body = html! {
        h1 { a href={ "/program/" (program.id) } { (program.name) } " v" (version.number) }
        p.faint { (contest.title) " · " (version.language) " · submitted " (ago(version.submitted)) }
        section.check id="check" data-events=[(!settled).then(|| format!("/version/{id}/events"))] {
            ol.stages {
                (stage("Queued", version.state != CheckState::Queued, version.state == CheckState::Queued))
                (stage(
                    "Compiled",
                    bout.is_some() || version.state == CheckState::Passed,
                    version.state == CheckState::Checking && bout.is_none()
                ))
                (stage(
                    "Check game", settled && bout.is_some(), version.state == CheckState::Checking && bout.is_some()
                ))
                (stage("On the ladder", version.state == CheckState::Passed, false))
            }
            p.status role="status" { "Version " (version.number) " " span.words { (words) } "." }
            @if version.state == CheckState::Failed {
                div.failure { h3 { "Why" } pre { (version.message) } }
                @if version.given_up {
                    form method="post" action={ "/version/" (id) "/check" } {
                        p { "Its machines ended before the check did; the cause may be the program or not." }
                        button { "Check it again" }
                    }
                }
                p {
                    a href={ "/version/" (id) "/failure.tar.gz" } { "The failure bundle" }
                    ": source, conversation, error stream and record of the check game, "
                    "with the command that plays it again."
                }
                @if program.active.is_some() { p { "The version before plays on." } }
            }
            p.links {
                @if let Some(bout) = bout {
                    a href={ "/game/" (bout) } {
                        @if settled { "The check game, move by move" } @else { "Watch the check game" }
                    }
                    " · "
                }
                @if version.state == CheckState::Passed {
                    a href={ "/program/" (program.id) } { "Its games" } " · " a href={ "/ladder/" (slug) } { "Ladder" }
                    " · "
                }
                a href={ "/submit?contest=" (slug) } { "Submit another version" }
            }
        }
        details open[settled && version.state == CheckState::Failed] { summary { "Source" } pre.card { (source) } }
    };
    let mut page = Page::new(format!("{} v{}", program.name, version.number), body);
    if !settled {
        page = page.with_script("check.js");
        page.refresh = Some(3);
    }
    Ok(page.show(&member.visitor))
}

/// The same by a button.
pub async fn check_again(State(site): State<Arc<Site>>, member: SignedIn, Path(id): Path<i64>) -> SiteResult<Redirect> {
    submissions::check_again(&site, &member.visitor, id).await?;
    Ok(Redirect::to(&format!("/version/{id}")))
}

fn stage(name: &str, done: bool, now: bool) -> Markup {
    let class = if done {
        "done"
    } else if now {
        "now"
    } else {
        ""
    };
    html! { li class=(class) aria-current=[now.then_some("step")] { (name) } }
}

/// The failure bundle of an own version.
pub async fn failure(State(site): State<Arc<Site>>, member: SignedIn, Path(id): Path<i64>) -> SiteResult<Response> {
    Ok(archive(bundle(&site, &member.visitor, id).await?))
}

/// How the check of a version goes, as events.
pub async fn events(State(site): State<Arc<Site>>, member: SignedIn, Path(id): Path<i64>) -> SiteResult<Response> {
    follow(&site, &member.visitor, id).await
}
