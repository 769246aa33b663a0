//! What somebody wants to submit, and the form that it is typed into.

use std::path::Path as FilePath;
use std::sync::Arc;

use agon_referee::agent::Language;
use agon_site::store::{Competition, CompetitionPhase, SiteProgram};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};

use crate::api::answers::ApiSubmission;
use crate::clock::now;
use crate::error::FieldError;
use crate::layout::{Page, problem};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// The most bytes of a source.
pub const LARGEST: usize = 1 << 20;

/// The most characters of a program's name.
const LONGEST_NAME: usize = 32;

/// A draft that can be submitted.
pub struct Checked {
    pub contest: i64,
    pub name: String,
    /// What it is written in.
    pub language: Language,
    pub source: String,
    /// The team whose program it is; nothing of a program of one's own.
    pub team: String,
}

impl ApiSubmission {
    /// Checks what can be checked without compiling; `offered` are the languages that can be played.
    ///
    /// # Errors
    /// What is wrong, for the one who typed it.
    pub fn check(self, contests: &[Competition], offered: &[Language]) -> Result<Checked, FieldError> {
        let contest = contests.iter().find(|contest| contest.slug == self.contest);
        let unknown = || FieldError::new("contest", format!("`{}` is no contest here; choose one", self.contest));
        let contest = contest.ok_or_else(unknown)?.id;
        let name = self.name.trim().to_owned();
        check_name(&name, LONGEST_NAME, "the program's name").map_err(|wrong| FieldError::new("name", wrong))?;
        let source = |wrong: &str| FieldError::new("source", wrong);
        if self.source.trim().is_empty() {
            return Err(source("the source is empty: choose a file, or paste the program"));
        }
        if self.source.len() > LARGEST {
            let wrong = format!("the source has {} KiB, and 1024 are taken", self.source.len().div_ceil(1024));
            return Err(FieldError::too_large("source", wrong));
        }
        if self.source.contains('\0') {
            return Err(source("the source has a zero byte in it: it is no text"));
        }
        let language = |wrong: String| FieldError::new("language", wrong);
        let by_file = || Language::by_extension(FilePath::new(&self.file));
        let chosen = match self.language.as_str() {
            "" => {
                let unknown = "choose the language: it cannot be told from the file's name";
                by_file().ok_or_else(|| language(unknown.to_owned()))?
            }
            name => Language::by_name(name).ok_or_else(|| language(format!("`{name}` is no language here")))?,
        };
        if !offered.contains(&chosen) {
            return Err(language(format!("{chosen} is not offered here: `{}` is not installed", chosen.compiler())));
        }
        // Browsers send the lines of a form with CR LF.
        let source = self.source.replace("\r\n", "\n");
        Ok(Checked { contest, name, language: chosen, source, team: self.team.trim().to_owned() })
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

/// The programs of a visitor and of his teams.
pub async fn own_programs(site: &Arc<Site>, visitor: &Visitor) -> SiteResult<Vec<SiteProgram>> {
    let shelves: Vec<i64> = visitor.shelves().collect();
    let read = site.read(move |store| shelves.into_iter().map(|shelf| store.programs_of(shelf)).collect());
    let programs: Vec<Vec<SiteProgram>> = read.await?;
    Ok(programs.concat())
}

/// The form with what was typed, for the one who has just signed in to submit it.
pub fn kept(draft: &ApiSubmission, own: &[SiteProgram], visitor: &Visitor, offered: &[Language]) -> Response {
    let mut draft = draft.clone();
    if draft.language.is_empty()
        && let Some(language) = Language::by_extension(FilePath::new(&draft.file))
    {
        // A file cannot be chosen for somebody: its text is in the form, and its name told the language.
        language.name().clone_into(&mut draft.language);
    }
    let note = html! { p.notice role="status" {
        "You are signed in, and your program is not sent yet: press Submit."
    } };
    form(&draft, own, None, Some(&note), visitor, offered)
}

/// The form with what was typed.
pub fn page(
    draft: &ApiSubmission,
    own: &[SiteProgram],
    wrong: Option<&FieldError>,
    visitor: &Visitor,
    offered: &[Language],
) -> Response {
    form(draft, own, wrong, None, visitor, offered)
}

fn form(
    draft: &ApiSubmission,
    own: &[SiteProgram],
    wrong: Option<&FieldError>,
    kept: Option<&Markup>,
    visitor: &Visitor,
    offered: &[Language],
) -> Response {
    let bad = |field: &str| wrong.filter(|wrong| wrong.field == field).map(|_| "true");
    let open =
        |contest: &&Competition| contest.slug == draft.contest || contest.phase(now()) != CompetitionPhase::Closed;
    let contests: Vec<&Competition> = visitor.contests.iter().filter(open).collect();
    let game = contests.iter().find(|contest| contest.slug == draft.contest).map_or("", |contest| contest.game.name());
    let body = html! {
        h1 { "Submit a program" }
        p { "One source file that speaks the line protocol. " a href={ "/rules/" (game) } { "Rules, protocol and a sample" } ". "
            "It is compiled, plays one game against the weakest built-in player, and then stands on the ladder." }
        @if visitor.account.is_none() { p.notice { "You are not signed in. What you enter here is kept while you " a href="/signin?next=/submit" { "sign in" } " or " a href="/signup?next=/submit" { "sign up" } " after sending it." } }
        @if let Some(note) = kept { (note) }
        (problem(wrong.map(|wrong| wrong.text.as_str())))
        form.stack method="post" action="/submit" enctype="multipart/form-data" data-submit="" {
            div.fields {
                label { "Contest" select name="contest" required aria-invalid=[bad("contest")] { @for contest in contests {
                    option value=(contest.slug) selected[draft.contest == contest.slug] { (contest.title) } } } }
                label { "Program" input name="name" value=(draft.name) required aria-invalid=[bad("name")] maxlength=(LONGEST_NAME) list="programs" autocomplete="off"; }
                label { "Language" select name="language" aria-invalid=[bad("language")] {
                    option value="" selected[draft.language.is_empty()] { "by the file's name" }
                    @for language in offered { option value=(language.name()) selected[draft.language == language.name()] { (language.name()) } } } }
                @if let Some(account) = visitor.account.as_ref().filter(|_| !visitor.teams.is_empty() || !draft.team.is_empty()) {
                    label { "Whose it is" select name="team" {
                        option value="" { (account.name) }
                        @for team in &visitor.teams { option value=(team.name) selected[draft.team == team.name] { "team " (team.name) } } } }
                }
            }
            datalist id="programs" { @for program in own { option value=(program.name) {} } }
            label.drop { span { "File, or drop it here" } input type="file" name="file" aria-invalid=[bad("file")] accept=".c,.cc,.cpp,.cxx,.py,.java,.rs,.js,.rb,text/plain"; }
            label { "Or paste the source" textarea name="source" rows="16" aria-invalid=[bad("source")] spellcheck="false" autocomplete="off" autocapitalize="off" { "\n" (draft.source) } }
            p.faint { "A name that you have used makes a new version of that program; the one before plays on until the new one has passed its check. At most 1 MiB. Nobody but you, your team if it is the team's, and the host sees the source." }
            p { button.primary autofocus[kept.is_some()] { "Submit" } }
        }
    };
    let status = wrong.map_or(StatusCode::OK, FieldError::status);
    Page::new("Submit", body).with_script("submit.js").with_status(status).show(visitor)
}

#[cfg(test)]
mod tests {
    use agon_site::store::SiteStore;

    use super::*;

    #[test]
    fn what_cannot_be_submitted_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let contests = SiteStore::open(&folder.path().join("site.db")).unwrap().contests().unwrap();
        let good = ApiSubmission {
            contest: "renju".into(),
            name: "bot".into(),
            language: String::new(),
            source: "print()".into(),
            file: "bot.py".into(),
            team: String::new(),
        };
        let check = |draft: ApiSubmission, told: &str| {
            let found = draft.check(&contests, &Language::ALL).err().unwrap().text;
            assert!(found.contains(told), "`{told}` is not in `{found}`");
        };
        assert!(good.clone().check(&contests, &Language::ALL).is_ok());
        check(ApiSubmission { contest: "chess".into(), ..good.clone() }, "`chess` is no contest here");
        check(ApiSubmission { name: " ".into(), ..good.clone() }, "the program's name is missing");
        check(ApiSubmission { name: "a\u{7}".into(), ..good.clone() }, "but not '\\u{7}'");
        check(ApiSubmission { name: "a\u{202e}b".into(), ..good.clone() }, "but not '\\u{202e}'");
        check(ApiSubmission { name: "x".repeat(33), ..good.clone() }, "more than 32 characters");
        check(ApiSubmission { source: "\n ".into(), ..good.clone() }, "the source is empty");
        check(ApiSubmission { source: "x".repeat(LARGEST + 1), ..good.clone() }, "has 1025 KiB");
        check(ApiSubmission { source: "x\0".into(), ..good.clone() }, "zero byte");
        check(ApiSubmission { file: "bot.txt".into(), ..good.clone() }, "choose the language");
        check(ApiSubmission { language: "COBOL".into(), ..good.clone() }, "`COBOL` is no language here");
        assert_eq!(
            ApiSubmission { source: "a\r\nb".into(), ..good }.check(&contests, &Language::ALL).ok().unwrap().source,
            "a\nb"
        );
    }
}
