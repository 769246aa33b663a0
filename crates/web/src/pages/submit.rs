//! Submitting a program, and watching it being checked.

use std::convert::Infallible;
use std::path::Path as FilePath;
use std::sync::Arc;

use agon_arena::store::site::{CheckState, SiteProgram, SiteVersion, Submission};
use agon_referee::agent::Language;
use agon_referee::process::find_program;
use agon_rules::catalog::Game;
use axum::extract::multipart::MultipartRejection;
use axum::extract::{Multipart, Path, Query, State};
use axum::http::StatusCode;
use axum::response::sse::Event;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;

use super::game::stream;
use crate::auth::Member;
use crate::clock::{ago, now};
use crate::error::SiteError;
use crate::layout::{Page, problem};
use crate::rate::{LimitedAction, LimitedActor};
use crate::site::{CheckStage, Site, SiteResult};
use crate::visitor::Visitor;

/// The most bytes of a source.
pub const LARGEST: usize = 1 << 20;

/// The most characters of a program's name.
const LONGEST_NAME: usize = 32;

/// The program that a newcomer starts from.
pub const fn sample(game: Game) -> &'static str {
    match game {
        Game::Bacteria => include_str!("../../../../agents/bacteria/sample.py"),
        Game::Domineering => include_str!("../../../../agents/domineering/sample.py"),
        Game::Renju => include_str!("../../../../agents/renju/sample.py"),
        Game::Petri => include_str!("../../../../agents/petri/sample.py"),
    }
}

/// What somebody wants to submit, as typed.
#[derive(Clone, Default, Debug, Deserialize)]
#[serde(default)]
pub struct Draft {
    /// The game's name.
    pub game: String,
    /// The program's name.
    pub name: String,
    /// The language's name, or nothing where the file's name says it.
    pub language: String,
    /// The source.
    pub source: String,
    /// The name of the file that the source came from.
    pub file: String,
}

/// A draft that can be submitted.
pub struct Checked {
    game: Game,
    name: String,
    language: Language,
    source: String,
}

impl Draft {
    /// Checks what can be checked without compiling.
    ///
    /// # Errors
    /// What is wrong, for the one who typed it.
    pub fn check(self) -> Result<Checked, String> {
        let game = Game::by_name(&self.game).ok_or_else(|| format!("`{}` is no game here; choose one", self.game))?;
        let name = self.name.trim().to_owned();
        check_name(&name, LONGEST_NAME, "the program's name")?;
        if self.source.trim().is_empty() {
            return Err("the source is empty: choose a file, or paste the program".to_owned());
        }
        if self.source.len() > LARGEST {
            return Err(format!("the source has {} KiB, and 1024 are taken", self.source.len().div_ceil(1024)));
        }
        if self.source.contains('\0') {
            return Err("the source has a zero byte in it: it is no text".to_owned());
        }
        let by_file = || Language::by_extension(FilePath::new(&self.file));
        let language = match self.language.as_str() {
            "" => by_file().ok_or("choose the language: it cannot be told from the file's name")?,
            name => Language::by_name(name).ok_or_else(|| format!("`{name}` is no language here"))?,
        };
        if find_program(language.compiler()).is_none() {
            return Err(format!("{language} is not offered here: `{}` is not installed", language.compiler()));
        }
        // Browsers send the lines of a form with CR LF.
        let source = self.source.replace("\r\n", "\n");
        Ok(Checked { game, name, language, source })
    }
}

/// Whether a name can be shown to everybody.
///
/// # Errors
/// What is wrong with it.
pub fn check_name(name: &str, longest: usize, what: &str) -> Result<(), String> {
    let fits = |c: char| c.is_alphanumeric() || "._+- #'".contains(c);
    match name.chars().find(|c| !fits(*c)) {
        Some(c) => Err(format!("{what} may have letters, digits, blanks and ._+-#' in it, but not {c:?}")),
        None if name.is_empty() => Err(format!("{what} is missing")),
        None if name.chars().count() > longest => Err(format!("{what} has more than {longest} characters")),
        None if name.trim() != name => Err(format!("{what} begins or ends with a blank")),
        None => Ok(()),
    }
}

/// Takes a checked draft into the queue.
///
/// # Errors
/// [`SiteError`]; the inner one is for the one who typed it.
pub async fn enter(site: &Arc<Site>, account: i64, checked: Checked) -> SiteResult<Result<i64, String>> {
    let taken = site.limits.take(LimitedAction::Submit, LimitedActor::Account(account));
    taken.map_err(|wait| SiteError::TooMany(LimitedAction::Submit, wait))?;
    let limits = site.options.submissions;
    let entered = site.write(move |store| {
        let Checked { game, name, language, source } = &checked;
        let submission = Submission { account, game: *game, name, language: *language, source };
        store.submit(&submission, &limits, now())
    });
    let entered = entered.await?;
    site.announce_change();
    Ok(entered.map_err(|refused| refused.to_string()))
}

#[derive(Deserialize)]
pub struct SubmitQuery {
    game: Option<String>,
    sample: Option<String>,
}

/// The form.
pub async fn form(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<SubmitQuery>,
) -> SiteResult<Response> {
    let game = query.game.as_deref().and_then(Game::by_name).unwrap_or(Game::Bacteria);
    let account = visitor.account.as_ref().map(|account| account.id);
    let own = site.read(move |store| account.map_or(Ok(Vec::new()), |account| store.programs_of(account))).await?;
    let known = own.iter().find(|program| program.game == game).map(|program| program.name.clone());
    let mut draft = Draft { game: game.name().to_owned(), ..Draft::default() };
    draft.name = known.unwrap_or_else(|| "bot".to_owned());
    if query.sample.is_some() {
        Language::Python3.name().clone_into(&mut draft.language);
        sample(game).clone_into(&mut draft.source);
    }
    Ok(page(&draft, &own, None, &visitor))
}

/// The form with what was typed.
pub fn page(draft: &Draft, own: &[SiteProgram], wrong: Option<&str>, visitor: &Visitor) -> Response {
    let offered = Language::ALL.into_iter().filter(|language| find_program(language.compiler()).is_some());
    let body = html! {
        h1 { "Submit a program" }
        p { "One source file that speaks the line protocol. " a href={ "/rules/" (draft.game) } { "Rules, protocol and a sample" } ". "
            "It is compiled, plays one game against the weakest built-in player, and then stands on the ladder." }
        @if visitor.account.is_none() { p.notice { "You are not signed in. What you enter here is kept while you " a href="/signin?next=/submit" { "sign in" } " or " a href="/signup?next=/submit" { "sign up" } " after sending it." } }
        (problem(wrong))
        form.stack method="post" action="/submit" enctype="multipart/form-data" data-submit="" {
            div.fields {
                label { "Game" select name="game" required { @for game in Game::ALL {
                    option value=(game.name()) selected[draft.game == game.name()] { (game.title()) } } } }
                label { "Program" input name="name" value=(draft.name) required maxlength=(LONGEST_NAME) list="programs" autocomplete="off"; }
                label { "Language" select name="language" {
                    option value="" selected[draft.language.is_empty()] { "by the file's name" }
                    @for language in offered { option value=(language.name()) selected[draft.language == language.name()] { (language.name()) } } } }
            }
            datalist id="programs" { @for program in own { option value=(program.name) {} } }
            label.drop { span { "File, or drop it here" } input type="file" name="file" accept=".c,.cc,.cpp,.cxx,.py,.java,.rs,.js,.rb,text/plain"; }
            label { "Or paste the source" textarea name="source" rows="16" spellcheck="false" autocomplete="off" autocapitalize="off" { "\n" (draft.source) } }
            p.faint { "A name that you have used makes a new version of that program; the one before plays on until the new one has passed its check. At most 1 MiB. Nobody but you sees the source." }
            p { button.primary { "Submit" } }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Page::new("Submit", body).with_script("submit.js").with_status(status).show(visitor)
}

/// Reads the form. A file goes before what was pasted.
async fn read(mut form: Multipart) -> Result<Draft, (Draft, String)> {
    let mut draft = Draft::default();
    loop {
        let field = match form.next_field().await {
            Ok(Some(field)) => field,
            Ok(None) => return Ok(draft),
            Err(error) => return Err((draft, error.body_text())),
        };
        let (name, file) = (field.name().unwrap_or_default().to_owned(), field.file_name().map(str::to_owned));
        let bytes = match field.bytes().await {
            Ok(bytes) => bytes,
            Err(error) => return Err((draft, too_large(&error.body_text()))),
        };
        let text = match String::from_utf8(bytes.into()) {
            Ok(text) => text,
            Err(error) => {
                let at = error.utf8_error().valid_up_to();
                return Err((draft, format!("the source is no UTF-8 text: byte {} does not belong there", at + 1)));
            }
        };
        match name.as_str() {
            "game" => draft.game = text,
            "name" => draft.name = text,
            "language" => draft.language = text,
            "file" if !text.is_empty() => (draft.source, draft.file) = (text, file.unwrap_or_default()),
            "source" if draft.file.is_empty() => draft.source = text,
            _ => {}
        }
    }
}

fn too_large(told: &str) -> String {
    if told.contains("length limit") { "the source has more than 1024 KiB".to_owned() } else { told.to_owned() }
}

/// Takes a submission.
pub async fn submit(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    form: Result<Multipart, MultipartRejection>,
) -> SiteResult<Response> {
    let form = form.map_err(|error| SiteError::Bad(error.body_text()))?;
    let read = read(form).await;
    let Some(account) = visitor.account.clone() else {
        // Signed out meanwhile, or never signed in: nothing that was typed is lost.
        let draft = read.unwrap_or_else(|(draft, _)| draft);
        return Ok(super::account::sign_in_page("", "/submit", Some(&draft), None, &visitor));
    };
    let own = site.read(move |store| store.programs_of(account.id)).await?;
    let draft = match read {
        Ok(draft) => draft,
        Err((draft, wrong)) => return Ok(page(&draft, &own, Some(&wrong), &visitor)),
    };
    let entered = match draft.clone().check() {
        Ok(checked) => enter(&site, account.id, checked).await?,
        Err(wrong) => Err(wrong),
    };
    match entered {
        Ok(version) => Ok(Redirect::to(&format!("/version/{version}")).into_response()),
        Err(wrong) => Ok(page(&draft, &own, Some(&wrong), &visitor)),
    }
}

/// A version and its program, if this visitor may see them.
async fn own_version(site: &Arc<Site>, visitor: &Visitor, id: i64) -> SiteResult<(SiteVersion, SiteProgram, String)> {
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

/// What the check of a version is doing, in words, and the game that it plays.
fn progress(site: &Site, version: &SiteVersion, before: u32) -> (String, Option<i64>) {
    match (version.state, site.stage(version.id)) {
        (CheckState::Queued, _) if before == 0 => ("next in the queue".to_owned(), None),
        (CheckState::Queued, _) => (format!("in the queue, behind {before}"), None),
        (CheckState::Checking, Some(CheckStage::Playing(bout))) => ("plays its check game".to_owned(), Some(bout)),
        (CheckState::Checking, _) => ("is being compiled".to_owned(), None),
        (CheckState::Failed, _) => ("has failed".to_owned(), version.bout),
        (CheckState::Passed, _) => ("has passed: it is on the ladder".to_owned(), version.bout),
    }
}

/// A version: how its check goes, why it failed, its source.
pub async fn version(State(site): State<Arc<Site>>, member: Member, Path(id): Path<i64>) -> SiteResult<Response> {
    let (version, program, source) = own_version(&site, &member.visitor, id).await?;
    let before = site.read(move |store| store.waiting(Some(id))).await?;
    let (words, bout) = progress(&site, &version, before);
    let settled = version.state.is_settled();
    let body = html! {
        h1 { a href={ "/program/" (program.id) } { (program.name) } " v" (version.number) }
        p.faint { (program.game.title()) " · " (version.language) " · submitted " (ago(version.submitted)) }
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
                @if program.active.is_some() { p { "The version before plays on." } }
            }
            p.links { @if let Some(bout) = bout { a href={ "/game/" (bout) } { @if settled { "The check game, move by move" } @else { "Watch the check game" } } " · " }
                @if version.state == CheckState::Passed { a href={ "/program/" (program.id) } { "Its games" } " · " a href={ "/ladder/" (program.game.name()) } { "Ladder" } " · " }
                a href={ "/submit?game=" (program.game.name()) } { "Submit another version" } }
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

/// How the check of a version goes, as events: one for each change, the last of them `settled`.
pub async fn events(State(site): State<Arc<Site>>, member: Member, Path(id): Path<i64>) -> SiteResult<Response> {
    own_version(&site, &member.visitor, id).await?;
    let taken = site.limits.take(LimitedAction::Watch, LimitedActor::at(member.visitor.address));
    taken.map_err(|wait| SiteError::TooMany(LimitedAction::Watch, wait))?;
    let (sender, receiver) = mpsc::channel::<Result<Event, Infallible>>(4);
    let mut checks = site.checks.subscribe();
    let mut stopping = site.stopping.subscribe();
    tokio::spawn(async move {
        let mut last = String::new();
        loop {
            let read = site.read(move |store| Ok((store.version(id)?, store.waiting(Some(id))?))).await;
            let Ok((Some(version), before)) = read else { return };
            let (words, bout) = progress(&site, &version, before);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_submitted_is_told() {
        let good = Draft {
            game: "renju".into(),
            name: "bot".into(),
            language: String::new(),
            source: "print()".into(),
            file: "bot.py".into(),
        };
        let check = |draft: Draft, told: &str| {
            let found = draft.check().err().unwrap_or_default();
            assert!(found.contains(told), "`{told}` is not in `{found}`");
        };
        assert!(good.clone().check().is_ok());
        check(Draft { game: "chess".into(), ..good.clone() }, "`chess` is no game here");
        check(Draft { name: " ".into(), ..good.clone() }, "the program's name is missing");
        check(Draft { name: "a\u{7}".into(), ..good.clone() }, "but not '\\u{7}'");
        check(Draft { name: "a\u{202e}b".into(), ..good.clone() }, "but not '\\u{202e}'");
        check(Draft { name: "x".repeat(33), ..good.clone() }, "more than 32 characters");
        check(Draft { source: "\n ".into(), ..good.clone() }, "the source is empty");
        check(Draft { source: "x".repeat(LARGEST + 1), ..good.clone() }, "has 1025 KiB");
        check(Draft { source: "x\0".into(), ..good.clone() }, "zero byte");
        check(Draft { file: "bot.txt".into(), ..good.clone() }, "choose the language");
        check(Draft { language: "COBOL".into(), ..good.clone() }, "`COBOL` is no language here");
        assert_eq!(Draft { source: "a\r\nb".into(), ..good }.check().ok().unwrap().source, "a\nb");
    }
}
