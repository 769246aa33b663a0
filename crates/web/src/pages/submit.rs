//! Submitting a program, and watching it being checked.

use std::convert::Infallible;
use std::sync::Arc;

use agon_arena::store::StoreError;
use agon_referee::agent::Language;
use agon_site::store::{CheckState, RecentTimes, SiteProgram, SiteStore, SiteVersion, Submission, SubmissionError};
use axum::extract::multipart::{MultipartError, MultipartRejection};
use axum::extract::{Multipart, Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::sse::Event;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::draft::{Checked, own_programs, page};
use super::game::{record_text, stream};
use super::parts;
use crate::api::answers::ApiSubmission;
use crate::auth::SignedIn;
use crate::bundle::FailedVersion;
use crate::clock::{ago, now, until};
use crate::error::{FieldError, SiteError};
use crate::layout::Page;
use crate::queue::{Estimate, about};
use crate::rate::{LimitedAction, LimitedActor};
use crate::site::{CheckStage, Site, SiteResult};
use crate::storage::NO_ROOM;
use crate::visitor::Visitor;

/// Takes a checked draft into the queue.
///
/// # Errors
/// [`SiteError`]; the inner one is for the one who typed it.
pub async fn enter(site: &Arc<Site>, visitor: &Visitor, checked: Checked) -> SiteResult<Result<i64, String>> {
    let person = visitor.account.as_ref().ok_or(SiteError::SignIn { back: String::new() })?.id;
    let taken = site.limits.take(LimitedAction::Submit, LimitedActor::Account(person));
    taken.map_err(|wait| SiteError::TooMany(LimitedAction::Submit, wait))?;
    let Some(account) = visitor.shelf(&checked.team) else {
        return Ok(Err(format!("you are in no team `{}`", checked.team)));
    };
    if site.storage().shortage.is_some() {
        return Ok(Err(NO_ROOM.to_owned()));
    }
    let limits = site.options.submissions;
    let entered = site.write(move |store| {
        let Checked { contest, name, language, source, .. } = &checked;
        let submission = Submission { account, contest: *contest, name, language: *language, source };
        store.submit(&submission, &limits, now())
    });
    let entered = entered.await?;
    site.announce_change();
    Ok(entered.map_err(|refused| match refused {
        SubmissionError::Coming { opens } => format!("{refused}: it opens {}, {}", parts::time(opens), until(opens)),
        SubmissionError::Closed { closes } => format!("{refused}: it closed {}, {}", parts::time(closes), ago(closes)),
        refused => refused.to_string(),
    }))
}

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
    let contest = query.contest.as_deref().and_then(|slug| site.state_at(slug));
    let contest = contest.or_else(|| visitor.standing().next().cloned());
    let own = own_programs(&site, &visitor).await?;
    let team = visitor.teams.iter().find(|team| Some(team.id) == query.team);
    let shelf = team.map(|team| team.id).or_else(|| visitor.shelf(""));
    let mut draft = ApiSubmission { name: "bot".to_owned(), ..ApiSubmission::default() };
    draft.team = team.map(|team| team.name.clone()).unwrap_or_default();
    if let Some(contest) = contest {
        if let Some(known) = own.iter().find(|program| program.contest == contest.id && program.account == shelf) {
            draft.name.clone_from(&known.name);
        }
        if query.sample.is_some() {
            Language::Python3.name().clone_into(&mut draft.language);
            contest.game.sample.clone_into(&mut draft.source);
        }
        draft.contest = contest.slug;
    }
    Ok(page(&draft, &own, None, &visitor, &site.languages()))
}

/// Reads the form. A file goes before what was pasted.
async fn read(mut form: Multipart) -> Result<ApiSubmission, (ApiSubmission, FieldError)> {
    let mut draft = ApiSubmission::default();
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
        return Ok(super::account::sign_in_page("", "/submit", Some(&draft), None, &visitor));
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

/// A version, its program and its source, if this visitor may see them.
pub async fn own_version(
    site: &Arc<Site>,
    visitor: &Visitor,
    id: i64,
) -> SiteResult<(SiteVersion, SiteProgram, String)> {
    let read = site.read(move |store| {
        let Some(version) = store.version(id)? else { return Ok(None) };
        let program = store.program(version.program)?;
        let source = store.source(id)?;
        Ok(program.zip(source).map(|(program, source)| (version, program, source)))
    });
    let found = read.await?.ok_or(SiteError::NotFound)?;
    // To others it does not exist: the numbers of versions tell nobody anything.
    if visitor.is(found.1.account) { Ok(found) } else { Err(SiteError::NotFound) }
}

/// The place of a version in the queue, and what is known of how long that takes.
#[derive(Clone, Copy)]
pub struct QueuePlace {
    before: u32,
    running: usize,
    times: RecentTimes,
}

impl QueuePlace {
    /// The place of a version.
    pub fn of(store: &SiteStore, version: i64) -> Result<Self, StoreError> {
        let running = store.running()?.len();
        Ok(Self { before: store.waiting(Some(version))?, running, times: store.recent_times()? })
    }

    fn words(self, site: &Site) -> String {
        let place = match self.before {
            0 => "next in the queue".to_owned(),
            before => format!("in the queue, behind {before}"),
        };
        match Estimate::of(self.before, self.running, site.capacity(), self.times) {
            Some(found) => format!("{place}: {} until its check begins", about(found.wait)),
            None => place,
        }
    }
}

/// What the check of a version is doing, in words, and the game that it plays.
pub fn progress(site: &Site, version: &SiteVersion, place: QueuePlace) -> (String, Option<i64>) {
    match (version.state, site.stage(version.id)) {
        (CheckState::Queued, _) => (place.words(site), None),
        (CheckState::Checking, Some(CheckStage::Playing(bout))) => ("plays its check game".to_owned(), Some(bout)),
        (CheckState::Checking, Some(CheckStage::HandedOut)) => {
            ("waits for a machine of the fleet, or is compiled there".to_owned(), None)
        }
        (CheckState::Checking, _) => ("is being compiled".to_owned(), None),
        (CheckState::Failed, _) => ("has failed".to_owned(), version.bout),
        (CheckState::Passed, _) => ("has passed: it is on the ladder".to_owned(), version.bout),
    }
}

/// A version: how its check goes, why it failed, its source.
pub async fn version(State(site): State<Arc<Site>>, member: SignedIn, Path(id): Path<i64>) -> SiteResult<Response> {
    let (version, program, source) = own_version(&site, &member.visitor, id).await?;
    let place = site.read(move |store| QueuePlace::of(store, id)).await?;
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
                (stage("Compiled", bout.is_some() || version.state == CheckState::Passed, version.state == CheckState::Checking && bout.is_none()))
                (stage("Check game", settled && bout.is_some(), version.state == CheckState::Checking && bout.is_some()))
                (stage("On the ladder", version.state == CheckState::Passed, false))
            }
            p.status role="status" { "Version " (version.number) " " span.words { (words) } "." }
            @if version.state == CheckState::Failed {
                div.failure { h3 { "Why" } pre { (version.message) } }
                @if version.given_up {
                    form method="post" action={ "/version/" (id) "/check" } {
                        p { "Nobody knows whether the program ends its machines, or something else does." }
                        button { "Check it again" }
                    }
                }
                p { a href={ "/version/" (id) "/failure.tar.gz" } { "The failure bundle" } ": source, conversation, error stream and record of the check game, with the command that plays it again." }
                @if program.active.is_some() { p { "The version before plays on." } }
            }
            p.links { @if let Some(bout) = bout { a href={ "/game/" (bout) } { @if settled { "The check game, move by move" } @else { "Watch the check game" } } " · " }
                @if version.state == CheckState::Passed { a href={ "/program/" (program.id) } { "Its games" } " · " a href={ "/ladder/" (slug) } { "Ladder" } " · " }
                a href={ "/submit?contest=" (slug) } { "Submit another version" } }
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

/// Has the check of a version made again that was given up.
///
/// # Errors
/// [`SiteError::Conflict`] when it was not; not found of another's.
pub async fn again(site: &Arc<Site>, visitor: &Visitor, id: i64) -> SiteResult<()> {
    own_version(site, visitor, id).await?;
    if !site.write(move |store| store.check_again(id)).await? {
        return Err(SiteError::Conflict("the check of this version has not been given up".to_owned()));
    }
    site.announce_change();
    Ok(())
}

/// The same by a button.
pub async fn check_again(State(site): State<Arc<Site>>, member: SignedIn, Path(id): Path<i64>) -> SiteResult<Redirect> {
    again(&site, &member.visitor, id).await?;
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

/// The failure bundle of an own version: its name, and the archive.
pub async fn bundle(site: &Arc<Site>, visitor: &Visitor, id: i64) -> SiteResult<(String, Vec<u8>)> {
    let (version, program, source) = own_version(site, visitor, id).await?;
    if version.state != CheckState::Failed {
        return Err(SiteError::NotFound);
    }
    let record = match version.bout {
        None => None,
        Some(bout) => match record_text(site, visitor, bout).await {
            Ok(record) => Some(record),
            Err(SiteError::Gone(_) | SiteError::NotFound) => None,
            Err(other) => return Err(other),
        },
    };
    let failed = FailedVersion { program, version, source, record };
    let name = format!("{}.tar.gz", failed.name());
    let packed = spawn_blocking(move || failed.pack()).await.map_err(SiteError::internal)?;
    Ok((name, packed.map_err(SiteError::internal)?))
}

/// The archive as a file to be kept.
pub fn archive((name, packed): (String, Vec<u8>)) -> Response {
    let disposition = format!("attachment; filename=\"{name}\"");
    let headers = [(header::CONTENT_TYPE, "application/gzip"), (header::CONTENT_DISPOSITION, disposition.as_str())];
    (headers, packed).into_response()
}

/// The failure bundle of an own version.
pub async fn failure(State(site): State<Arc<Site>>, member: SignedIn, Path(id): Path<i64>) -> SiteResult<Response> {
    Ok(archive(bundle(&site, &member.visitor, id).await?))
}

/// How the check of a version goes, as events.
pub async fn events(State(site): State<Arc<Site>>, member: SignedIn, Path(id): Path<i64>) -> SiteResult<Response> {
    follow(&site, &member.visitor, id).await
}

/// How the check of a version goes, as events: one for each change, the last of them `settled`.
pub async fn follow(site: &Arc<Site>, visitor: &Visitor, id: i64) -> SiteResult<Response> {
    own_version(site, visitor, id).await?;
    let taken = site.limits.take(LimitedAction::Watch, LimitedActor::at(visitor.address));
    taken.map_err(|wait| SiteError::TooMany(LimitedAction::Watch, wait))?;
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(4);
    let mut checks = site.checks.subscribe();
    let mut stopping = site.stopping.subscribe();
    let site = Arc::clone(site);
    tokio::spawn(async move {
        let mut last = String::new();
        loop {
            let read = site.read(move |store| Ok((store.version(id)?, QueuePlace::of(store, id)?))).await;
            let Ok((Some(version), place)) = read else { return };
            let (words, bout) = progress(&site, &version, place);
            let data = json!({ "words": words, "bout": bout, "state": version.state.name() }).to_string();
            let name = if version.state.is_settled() { "settled" } else { "progress" };
            if data != last && sender.send(Ok(Event::default().event(name).data(&data))).await.is_err() {
                return;
            }
            last = data;
            if version.state.is_settled() {
                return;
            }
            tokio::select! {
                changed = checks.changed() => if changed.is_err() { return },
                _ = stopping.wait_for(|stopping| *stopping) => return,
                () = sender.closed() => return,
            }
        }
    });
    Ok(stream(receiver))
}
