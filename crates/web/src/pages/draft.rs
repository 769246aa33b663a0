//! The form of a submission.

use std::path::Path as FilePath;
use std::sync::Arc;

use agon_boards::layout::{Page, problem};
use agon_boards::text::{localized, rich, t};
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
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// The programs of a visitor and of the visitor's teams.
pub(crate) async fn own_programs(site: &Arc<Site>, visitor: &Visitor) -> SiteResult<Vec<SiteProgram>> {
    let who = visitor.who.clone();
    site.read(move |store| programs::own_programs(store, &who)).await
}

/// The form with the input kept for a user who has just signed in to submit it.
pub(crate) fn kept(draft: &SubmissionDraft, own: &[SiteProgram], visitor: &Visitor, offered: &[Language]) -> Response {
    let mut draft = draft.clone();
    if draft.language.is_empty()
        && let Some(language) = Language::by_extension(FilePath::new(&draft.file))
    {
        // A file cannot be chosen by a page: its text is in the form, and its name gave the language.
        language.name().clone_into(&mut draft.language);
    }
    let note = html! { p.notice role="status" {
        (t!("submit-kept"))
    } };
    form(&draft, own, None, Some(&note), visitor, offered)
}

/// The form with the input.
pub(crate) fn page(
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
    let open = |competition: &&Competition| {
        competition.slug == draft.competition || competition.phase(now()) != CompetitionPhase::Closed
    };
    let competitions: Vec<&Competition> = visitor.competitions.iter().filter(open).collect();
    let game = competitions
        .iter()
        .find(|competition| competition.slug == draft.competition)
        .map_or("", |competition| competition.game.name());
    let body = html! {
        h1 { (t!("submit-heading")) }
        p {
            (rich!("submit-intro", link = html! { a href={ "/rules/" (game) } { (t!("submit-rules")) } }))
        }
        @if visitor.account.is_none() {
            p.notice {
                (rich!(
                    "submit-signed-out",
                    sign_in = html! { a href="/signin?next=/submit" { (t!("submit-sign-in")) } },
                    sign_up = html! { a href="/signup?next=/submit" { (t!("submit-sign-up")) } },
                ))
            }
        }
        @if let Some(note) = kept { (note) }
        (problem(wrong.map(|wrong| localized(&*wrong.reason)).as_deref()))
        form.stack method="post" action="/submit" enctype="multipart/form-data" data-submit=""
            data-large=(t!("submit-large", kib = "{}")) data-named[wrong.is_some() || kept.is_some()] {
            div.fields {
                label {
                    (t!("submit-competition"))
                    select name="contest" required aria-invalid=[bad("contest")] {
                        @for competition in competitions {
                            @let taken = competition.languages.as_ref().map(|taken| {
                                taken.iter().map(|language| language.name()).collect::<Vec<_>>().join(" ")
                            });
                            option value=(competition.slug) selected[draft.competition == competition.slug]
                                data-languages=[taken] {
                                (competition_title(competition))
                            }
                        }
                    }
                }
                label {
                    (t!("submit-program"))
                    input name="name" value=(draft.name) required aria-invalid=[bad("name")]
                        maxlength=(MAX_NAME_CHARS) list="programs" autocomplete="off";
                }
                label {
                    (t!("submit-language"))
                    select name="language" aria-invalid=[bad("language")] {
                        option value="" selected[draft.language.is_empty()] { (t!("submit-by-file")) }
                        @for language in offered {
                            option value=(language.name()) selected[draft.language == language.name()] {
                                (language.title())
                            }
                        }
                    }
                }
                @if let Some(account) =
                    visitor.account.as_ref().filter(|_| !visitor.teams.is_empty() || !draft.team.is_empty())
                {
                    label {
                        (t!("submit-owner"))
                        select name="team" {
                            option value="" { (account.name) }
                            @for team in &visitor.teams {
                                option value=(team.name) selected[draft.team == team.name] {
                                    (t!("submit-team", name = &team.name))
                                }
                            }
                        }
                    }
                }
            }
            datalist id="programs" { @for program in own { option value=(program.name) {} } }
            label.drop {
                span { (t!("submit-file")) }
                input type="file" name="file" aria-invalid=[bad("file").or(bad("files"))]
                    accept=".c,.cc,.cpp,.cxx,.py,.java,.rs,.js,.rb,.zip,.tar.gz,.tgz,text/plain";
            }
            label {
                (t!("submit-paste"))
                textarea name="source" rows="16" data-lines="" aria-invalid=[bad("source")] spellcheck="false"
                    autocomplete="off" autocapitalize="off" {
                    "\n" (draft.source)
                }
            }
            p.faint {
                (t!("submit-hint")) " "
                @let code = |name: &'static str| html! { code { (name) } };
                (rich!("submit-folder", zip = code(".zip"), tar = code(".tar.gz"), main = code("main")))
            }
            p { button.primary autofocus[kept.is_some()] { (t!("submit-button")) } }
        }
    };
    let status = wrong.map_or(StatusCode::OK, field_status);
    Page::new(t!("submit-button"), body).with_script("submit.js").with_status(status).show(visitor)
}
