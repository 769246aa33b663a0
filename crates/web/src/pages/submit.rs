//! Submitting a program, and watching its check.

use std::sync::Arc;

use agon_boards::layout::{Page, coded};
use agon_boards::text::{ago, localized, rich, stated, t};
use agon_queue::progress::{QueuePlace, progress};
use agon_referee::agent::{Language, PackedFolder};
use agon_site::archives::{is_archive, unpack};
use agon_site::check_message::CheckMessage;
use agon_site::clock::now;
use agon_site::error::FieldError;
use agon_site::store::CheckState;
use agon_site::submission::{DraftError, MAX_SOURCE_BYTES, SubmissionDraft};
use axum::extract::multipart::{MultipartError, MultipartRejection};
use axum::extract::{Multipart, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::draft::{own_programs, page};
use super::parts::{numbered, numbered_in};
use super::rules::samples;
use crate::auth::SignedIn;
use crate::error::{RequestError, SiteError};
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};
use crate::submissions::{self, archive, bundle, enter, follow, own_version};
use crate::visitor::Visitor;

/// The findings of a check, in the language of the request; what a compiler or a program wrote stays as it is.
fn check_message(message: &CheckMessage) -> Markup {
    html! {
        @for line in &message.lines {
            @if line.keyed.is_some() { (coded(&stated(line))) } @else { (line.text) }
            "\n"
        }
    }
}

#[derive(Deserialize)]
pub(crate) struct SubmitQuery {
    #[serde(alias = "contest", alias = "game")]
    competition: Option<String>,
    sample: Option<String>,
    /// The number of the team whose program it is.
    team: Option<i64>,
}

pub(crate) async fn form(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<SubmitQuery>,
) -> SiteResult<Response> {
    let competition = query.competition.as_deref().and_then(|slug| visitor.competition_at(slug));
    // If the address names none, the user's latest competition.
    let last = match visitor.account.as_ref().map(|account| account.id) {
        Some(id) if competition.is_none() => site.read(move |store| store.last_competition(id, now())).await?,
        _ => None,
    };
    let competition = competition.or_else(|| site.competition(last?)).or_else(|| visitor.standing().next().cloned());
    let own = own_programs(&site, &visitor).await?;
    let team = visitor.teams.iter().find(|team| Some(team.id) == query.team);
    let owner = team.map(|team| team.id).or_else(|| visitor.owner_id(""));
    let mut draft = SubmissionDraft { name: "bot".to_owned(), ..SubmissionDraft::default() };
    draft.team = team.map(|team| team.name.clone()).unwrap_or_default();
    if let Some(competition) = competition {
        if let Some(known) =
            own.iter().find(|program| program.competition == competition.id && program.account == owner)
        {
            draft.name.clone_from(&known.name);
        }
        if let Some(wanted) = &query.sample {
            // An older link says 1 and means Python.
            let wanted = Language::by_name(wanted).unwrap_or(Language::Python3);
            if let Some((language, text)) = samples(competition.game, &[wanted]).first() {
                language.name().clone_into(&mut draft.language);
                (*text).clone_into(&mut draft.source);
            }
        }
        draft.competition = competition.slug;
    }
    Ok(page(&draft, &own, None, &visitor, &site.queue.languages()))
}

/// Reads the form. A file takes precedence over pasted text.
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
        if name == "file" && is_archive(&bytes) {
            match unpack(file.as_deref().unwrap_or_default(), &bytes) {
                Ok(folder) => draft.put_folder(&folder),
                Err(wrong) => return Err((draft, FieldError::new("file", wrong))),
            }
            continue;
        }
        let text = match String::from_utf8(bytes.into()) {
            Ok(text) => text,
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                let wrong = DraftError::SourceNotUtf8 { byte: at + 1 };
                return Err((draft, FieldError::new(if name == "file" { "file" } else { "source" }, wrong)));
            }
        };
        match name.as_str() {
            "contest" | "game" => draft.competition = text,
            "name" => draft.name = text,
            "language" => draft.language = text,
            "team" => draft.team = text,
            "file" if !text.is_empty() => (draft.source, draft.file) = (text, file.unwrap_or_default()),
            "source" if draft.file.is_empty() => draft.source = text,
            _ => {}
        }
    }
}

/// Why a form cannot be read to its end: usually because the source in it is too large.
fn unread(error: &MultipartError) -> FieldError {
    match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => {
            FieldError::too_large("source", DraftError::SourceOverLimit { limit_kib: MAX_SOURCE_BYTES >> 10 })
        }
        _ => FieldError::new("source", RequestError::Unreadable { problem: error.body_text() }),
    }
}

pub(crate) async fn submit(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    form: Result<Multipart, MultipartRejection>,
) -> SiteResult<Response> {
    let form = form.map_err(|error| SiteError::unreadable(error.body_text()))?;
    let read = read(form).await;
    if visitor.account.is_none() {
        // Signed out meanwhile, or never signed in: no input is lost.
        let draft = read.unwrap_or_else(|(draft, _)| draft);
        return Ok(super::sign_in::sign_in_page("", "/submit", Some(&draft), None, &visitor));
    }
    let own = own_programs(&site, &visitor).await?;
    let draft = match read {
        Ok(draft) => draft,
        Err((draft, wrong)) => return Ok(page(&draft, &own, Some(&wrong), &visitor, &site.queue.languages())),
    };
    let entered = match draft.clone().check(&visitor.competitions, &site.queue.languages()) {
        Ok(checked) => {
            let entered = enter(&site, &visitor, checked).await?;
            entered.map_err(|reason| FieldError { field: "".into(), reason, too_large: false })
        }
        Err(wrong) => Err(wrong),
    };
    match entered {
        Ok(version) => Ok(Redirect::to(&format!("/version/{version}")).into_response()),
        Err(wrong) => Ok(page(&draft, &own, Some(&wrong), &visitor, &site.queue.languages())),
    }
}

/// A version: how its check goes, why it failed, its source.
pub(crate) async fn version(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    let (version, program, source) = own_version(&site, &member.visitor, id).await?;
    let place = site.read(move |store| QueuePlace::read(store, id)).await?;
    let (words, bout) = progress(&site.queue, &version, place);
    let settled = version.state.is_settled();
    let competition = site.competition(program.competition).ok_or(SiteError::NotFound)?;
    let slug = &competition.slug;
    let body = html! {
        h1 { a href={ "/program/" (program.id) } { (program.name) } " v" (version.number) }
        p.faint {
            (competition_title(&competition)) " · " (version.language.title()) " · "
            (t!("check-submitted", ago = ago(version.submitted)))
        }
        section.check id="check" data-events=[(!settled).then(|| format!("/version/{id}/events"))]
            data-watch=(t!("check-watch")) {
            ol.stages {
                @let passed = version.state == CheckState::Passed;
                @let failed = version.state == CheckState::Failed;
                @let checking = version.state == CheckState::Checking;
                @let queued = version.state == CheckState::Queued;
                (stage(&t!("check-queued"), Stage::new(!queued, queued, false)))
                (stage(
                    &t!("check-compiled"),
                    Stage::new(bout.is_some() || passed, checking && bout.is_none(), failed && bout.is_none())
                ))
                (stage(
                    &t!("check-game"),
                    Stage::new(passed, checking && bout.is_some(), failed && bout.is_some())
                ))
                (stage(&t!("check-ladder"), Stage::new(passed, false, false)))
            }
            p.status role="status" {
                (rich!("check-state", number = version.number, words = html! { span.words { (localized(&words)) } }))
            }
            @if version.state == CheckState::Failed {
                div.failure { h2 { (t!("check-why")) } pre { (check_message(&version.message)) } }
                @if version.given_up {
                    form method="post" action={ "/version/" (id) "/check" } {
                        p { (t!("check-given-up")) }
                        button { (t!("check-again")) }
                    }
                }
                p {
                    (rich!(
                        "check-bundle",
                        link = html! {
                            a href={ "/version/" (id) "/failure.tar.gz" } { (t!("check-bundle-link")) }
                        },
                    ))
                }
                @if program.active.is_some() { p { (t!("check-before")) } }
            }
            @if settled && member.account.host && !version.given_up {
                form method="post" action={ "/version/" (id) "/check" } { button { (t!("check-again")) } }
            }
            p.links {
                @if let Some(bout) = bout {
                    a href={ "/game/" (bout) } {
                        @if settled { (t!("check-moves")) } @else { (t!("check-watch")) }
                    }
                }
                @if version.state == CheckState::Passed {
                    a href={ "/program/" (program.id) } { (t!("check-games")) }
                    a href={ "/ladder/" (slug) } { (t!("check-to-ladder")) }
                }
                a href={ "/submit?competition=" (slug) } { (t!("check-another")) }
            }
        }
        details open[settled && version.state == CheckState::Failed] {
            summary { (t!("check-source")) }
            @if let Some(folder) = PackedFolder::unpack(&source) {
                @for (at, (file, text)) in (1..).zip(folder.files()) {
                    h3 { (file) }
                    (numbered_in(Some(at), text, &naming(&version.message.text(), file)))
                }
            } @else {
                (numbered(&source, &version.message.text()))
            }
        }
    };
    let mut page = Page::new(format!("{} v{}", program.name, version.number), body);
    if !settled {
        page = page.with_script("check.js");
        page.refresh = Some(3);
    }
    Ok(page.show(&member.visitor))
}

/// The lines of a message that name a file of a folder.
fn naming(message: &str, file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    let ends = |line: &str, at: usize| line[at + name.len()..].starts_with([':', '"', '\'', '(']);
    let begins =
        |line: &str, at: usize| line[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric() && c != '_');
    let named = |line: &&str| line.match_indices(name).any(|(at, _)| begins(line, at) && ends(line, at));
    message.lines().filter(named).fold(String::new(), |lines, line| lines + line + "\n")
}

/// The same through a button.
pub(crate) async fn check_again(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(id): Path<i64>,
) -> SiteResult<Redirect> {
    submissions::check_again(&site, &member.visitor, id).await?;
    Ok(Redirect::to(&format!("/version/{id}")))
}

/// How far a stage of a check has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Ahead,
    Now,
    Done,
    Failed,
}

impl Stage {
    const fn new(done: bool, now: bool, failed: bool) -> Self {
        if failed {
            Self::Failed
        } else if done {
            Self::Done
        } else if now {
            Self::Now
        } else {
            Self::Ahead
        }
    }
}

fn stage(name: &str, stage: Stage) -> Markup {
    let class = match stage {
        Stage::Ahead => None,
        Stage::Now => Some("now"),
        Stage::Done => Some("done"),
        Stage::Failed => Some("failed"),
    };
    html! { li class=[class] aria-current=[(stage == Stage::Now).then_some("step")] { (name) } }
}

/// The failure bundle of an own version.
pub(crate) async fn failure(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    Ok(archive(bundle(&site, &member.visitor, id).await?))
}

/// The progress of a version's check, as events.
pub(crate) async fn events(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    follow(&site, &member.visitor, id).await
}
