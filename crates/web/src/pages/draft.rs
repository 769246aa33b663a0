//! The form of a submission.

use std::path::Path as FilePath;
use std::sync::Arc;

use agon_referee::agent::Language;
use agon_site::clock::now;
use agon_site::error::FieldError;
use agon_site::programs;
use agon_site::store::{Competition, CompetitionPhase, SiteProgram};
use agon_site::submission::{MAX_NAME_CHARS, SubmissionDraft};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, html};

use crate::error::field_status;
use crate::layout::{Page, problem};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// The programs of a visitor and of his teams.
pub async fn own_programs(site: &Arc<Site>, visitor: &Visitor) -> SiteResult<Vec<SiteProgram>> {
    let who = visitor.who.clone();
    site.read(move |store| programs::own_programs(store, &who)).await
}

/// The form with what was typed, for the one who has just signed in to submit it.
pub fn kept(draft: &SubmissionDraft, own: &[SiteProgram], visitor: &Visitor, offered: &[Language]) -> Response {
    let mut draft = draft.clone();
    if draft.language.is_empty()
        && let Some(language) = Language::by_extension(FilePath::new(&draft.file))
    {
        // A file cannot be chosen by a page: its text is in the form, and its name gave the language.
        language.name().clone_into(&mut draft.language);
    }
    let note = html! { p.notice role="status" {
        "You are signed in, and your program is not sent yet: press Submit."
    } };
    form(&draft, own, None, Some(&note), visitor, offered)
}

/// The form with what was typed.
pub fn page(
    draft: &SubmissionDraft,
    own: &[SiteProgram],
    wrong: Option<&FieldError>,
    visitor: &Visitor,
    offered: &[Language],
) -> Response {
    form(draft, own, wrong, None, visitor, offered)
}

fn form(
    draft: &SubmissionDraft,
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
        p {
            "One source file that speaks the line protocol. "
            a href={ "/rules/" (game) } { "Rules, protocol and a sample" } ". "
            "It is compiled, plays one game against the weakest built-in player, and then stands on the ladder."
        }
        @if visitor.account.is_none() {
            p.notice {
                "You are not signed in. What you enter here is kept while you "
                a href="/signin?next=/submit" { "sign in" } " or " a href="/signup?next=/submit" { "sign up" }
                " after sending it."
            }
        }
        @if let Some(note) = kept { (note) }
        (problem(wrong.map(|wrong| wrong.text.as_str())))
        form.stack method="post" action="/submit" enctype="multipart/form-data" data-submit="" {
            div.fields {
                label {
                    "Competition"
                    select name="contest" required aria-invalid=[bad("contest")] {
                        @for contest in contests {
                            option value=(contest.slug) selected[draft.contest == contest.slug] { (contest.title) }
                        }
                    }
                }
                label {
                    "Program"
                    input name="name" value=(draft.name) required aria-invalid=[bad("name")]
                        maxlength=(MAX_NAME_CHARS) list="programs" autocomplete="off";
                }
                label {
                    "Language"
                    select name="language" aria-invalid=[bad("language")] {
                        option value="" selected[draft.language.is_empty()] { "by the file's name" }
                        @for language in offered {
                            option value=(language.name()) selected[draft.language == language.name()] {
                                (language.name())
                            }
                        }
                    }
                }
                @if let Some(account) =
                    visitor.account.as_ref().filter(|_| !visitor.teams.is_empty() || !draft.team.is_empty())
                {
                    label {
                        "Whose it is"
                        select name="team" {
                            option value="" { (account.name) }
                            @for team in &visitor.teams {
                                option value=(team.name) selected[draft.team == team.name] { "team " (team.name) }
                            }
                        }
                    }
                }
            }
            datalist id="programs" { @for program in own { option value=(program.name) {} } }
            label.drop {
                span { "File, or drop it here" }
                input type="file" name="file" aria-invalid=[bad("file")]
                    accept=".c,.cc,.cpp,.cxx,.py,.java,.rs,.js,.rb,text/plain";
            }
            label {
                "Or paste the source"
                textarea name="source" rows="16" aria-invalid=[bad("source")] spellcheck="false" autocomplete="off"
                    autocapitalize="off" {
                    "\n" (draft.source)
                }
            }
            p.faint {
                "A name that you have used makes a new version of that program; "
                "the one before plays on until the new one has passed its check. At most 1 MiB. Only you, "
                "your team if it owns the program, and the host see the source."
            }
            p { button.primary autofocus[kept.is_some()] { "Submit" } }
        }
    };
    let status = wrong.map_or(StatusCode::OK, field_status);
    Page::new("Submit", body).with_script("submit.js").with_status(status).show(visitor)
}
