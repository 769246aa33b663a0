//! Trying a source without submitting it: the check, and a game against a level.

use std::sync::Arc;

use agon_arena::bot_check::{BotCheck, StepOutcome};
use agon_arena::transcript::without_cache;
use agon_boards::layout::{Page, coded, data, problem};
use agon_boards::limits::LimitedActor;
use agon_boards::text::{localized, stated, t};
use agon_boards::viewer;
use agon_message::Stated;
use agon_queue::trials::{OWN_NAME, TrialFound, TrialRefusal, TrialSource, TrialState};
use agon_referee::agent::Language;
use agon_site::competition::CompetitionError;
use agon_site::store::Competition;
use agon_site::submission::check_source;
use axum::Form;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;
use serde_json::Value;

use super::parts::{numbered, offered};
use crate::auth::SignedIn;
use crate::error::SiteError;
use crate::layout::{ShowPage as _, competition_title};
use crate::rate::LimitedAction;
use crate::site::{Site, SiteResult};

/// How often the page of a trial reloads, in seconds.
const AGAIN_SECONDS: u32 = 2;

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct TrialForm {
    language: String,
    source: String,
    /// The built-in player of the game; empty for none.
    rival: String,
}

/// The form, for the rules of a competition.
pub(crate) fn form(competition: &Competition, offered: &[Language], typed: &TrialForm) -> Markup {
    html! {
        form.stack method="post" action={ "/try/" (competition.slug) } {
            div.fields {
                label {
                    (t!("submit-language"))
                    select name="language" {
                        @for language in offered {
                            option value=(language.name()) selected[typed.language == language.name()] {
                                (language.title())
                            }
                        }
                    }
                }
                label {
                    (t!("trial-rival"))
                    select name="rival" {
                        option value="" { (t!("trial-no-rival")) }
                        @for name in competition.game.builtin_names() {
                            option value=(name) selected[typed.rival == name] { (name) }
                        }
                    }
                }
            }
            label {
                (t!("trial-source"))
                textarea name="source" rows="12" required spellcheck="false" autocomplete="off" autocapitalize="off"
                    data-lines="" { "\n" (typed.source) }
            }
            p.faint { (t!("trial-hint")) }
            p { button { (t!("trial-button")) } }
        }
    }
}

/// Accepts a source for a trial.
pub(crate) async fn begin(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(slug): Path<String>,
    Form(typed): Form<TrialForm>,
) -> SiteResult<Response> {
    let competition = member.visitor.competitions.iter().find(|competition| competition.slug == slug).cloned();
    let competition = competition.ok_or(SiteError::NotFound)?;
    let offered = offered(&site, Some(&competition));
    let again = |wrong: &str| {
        let body = html! {
            h1 { (t!("trial-title")) } (problem(Some(wrong))) (form(&competition, &offered, &typed))
        };
        let page = Page::new(t!("trial-title"), body).with_script("lines.js");
        page.with_status(StatusCode::UNPROCESSABLE_ENTITY).show(&member.visitor)
    };
    let source = match checked(&typed, member.account.id, &competition, &offered) {
        Ok(source) => source,
        Err(wrong) => return Ok(again(&wrong)),
    };
    if site.options.workers == 0 {
        return Ok(again(&t!("trial-not-here")));
    }
    site.take(LimitedAction::Submit, LimitedActor::Account(member.account.id))?;
    match site.queue.trials.begin(source) {
        Ok(word) => {
            site.queue.announce_change();
            Ok(Redirect::to(&format!("/trial/{word}")).into_response())
        }
        Err(TrialRefusal::Own) => Ok(again(&t!("trial-pending"))),
        Err(TrialRefusal::Full) => Ok(again(&t!("trial-full"))),
    }
}

fn checked(
    typed: &TrialForm,
    account: i64,
    competition: &Competition,
    offered: &[Language],
) -> Result<TrialSource, String> {
    let source = check_source(&typed.source).map_err(|wrong| localized(&*wrong.reason))?;
    let language = Language::by_name(&typed.language).filter(|language| offered.contains(language));
    let language = language.ok_or_else(|| localized(&CompetitionError::UnknownLanguage))?;
    let rival = Some(typed.rival.clone()).filter(|rival| !rival.is_empty());
    if rival.as_ref().is_some_and(|rival| !competition.game.builtin_names().contains(&rival.as_str())) {
        return Err(t!("trial-no-such-rival"));
    }
    Ok(TrialSource { account, competition: competition.id, language, source, rival })
}

/// The progress of the user's own trial, and its findings.
pub(crate) async fn show(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(word): Path<String>,
) -> SiteResult<Response> {
    let (source, state) = site.queue.trials.find(&word, member.account.id).ok_or(SiteError::NotFound)?;
    let competition = site.competition(source.competition).ok_or(SiteError::NotFound)?;
    let open = !matches!(state, TrialState::Done(_));
    let found = if let TrialState::Done(found) = &state { Some(found.as_ref()) } else { None };
    let game = match found {
        Some(TrialFound::Checked { game, .. }) => game.as_deref(),
        _ => None,
    };
    let message = match found {
        Some(TrialFound::Refused(why)) => why.text.as_str(),
        _ => "",
    };
    let body = html! {
        h1 { (t!("trial-title")) }
        p.faint { (competition_title(&competition)) " · " (source.language.title()) }
        div data-again=[open.then_some(AGAIN_SECONDS)] {
            @match &state {
                TrialState::Waiting => { p role="status" { (t!("trial-waiting")) } }
                TrialState::Running => { p role="status" { (t!("trial-running")) } }
                TrialState::Done(_) => {}
            }
        }
        @match found {
            Some(TrialFound::Refused(why)) => {
                div.failure { h2 { (t!("check-why")) } pre { (coded(&stated(why))) } }
            }
            Some(TrialFound::Checked { check, .. }) => { (report(check)) }
            None => {}
        }
        @if let Some(game) = game {
            h2 { (t!("trial-game")) }
            p { (coded(&stated(&game.reason))) }
            section.game id="game" tabindex="0" data-words=(viewer::words()) {}
            (data(&viewer::spoken(with_own_name(game.drawn.clone()))))
        }
        @if found.is_some() {
            form method="post" action="/submit" enctype="multipart/form-data" {
                input type="hidden" name="contest" value=(competition.slug);
                input type="hidden" name="language" value=(source.language.name());
                textarea hidden name="source" { "\n" (source.source) }
                label { (t!("submit-program")) " " input name="name" value="bot" required maxlength="24"; } " "
                button.primary { (t!("submit-button")) }
            }
        }
        details open { summary { (t!("check-source")) } (numbered(&source.source, message)) }
        p { a href={ "/rules/" (competition.slug) } { (t!("trial-back")) } }
    };
    let script = match (open, game) {
        (true, _) => Some("again.js"),
        (false, Some(_)) => Some("viewer.js"),
        (false, None) => None,
    };
    let mut page = Page::new(t!("trial-title"), body);
    page.script = script;
    page.refresh = open.then_some(AGAIN_SECONDS);
    Ok(page.show(&member.visitor))
}

/// The game with the author's program called as the language of the request calls it.
pub(crate) fn with_own_name(mut drawn: Value) -> Value {
    fn rename(value: &mut Value, name: &str) {
        match value {
            Value::String(text) => *text = text.replace(OWN_NAME, name),
            Value::Array(all) => all.iter_mut().for_each(|one| rename(one, name)),
            _ => {}
        }
    }
    let name = t!("trial-own");
    for part in ["names", "result", "title"] {
        if let Some(part) = drawn.get_mut(part) {
            rename(part, &name);
        }
    }
    if let Some(winner) = drawn.pointer_mut("/result_message/arguments/name") {
        rename(winner, &name);
    }
    for failure in drawn["failures"].as_array_mut().into_iter().flatten() {
        rename(&mut failure["title"], &name);
    }
    drawn
}

/// Lines of a finding; the output of programs is indented, and stays as it is.
fn details(lines: &[Stated]) -> String {
    lines.iter().map(|line| stated(&line.map_texts(&without_cache))).collect::<Vec<_>>().join("\n")
}

/// The findings of a check, step by step.
fn report(check: &BotCheck) -> Markup {
    html! {
        p.notice role="status" {
            @if check.is_ready() { (t!("trial-ready")) } @else { (t!("trial-not-ready")) }
        }
        ul.plain { @for step in &check.steps {
            li {
                @match step.outcome {
                    StepOutcome::Passed => "✓ ",
                    StepOutcome::Failed => "✗ ",
                    StepOutcome::Skipped => "– ",
                }
                (stated(&step.name))
                @if !step.detail.text.is_empty() { span.faint { " · " (coded(&stated(&step.detail))) } }
            }
        } }
        @for finding in &check.findings {
            div.failure {
                h2 { (coded(&stated(&finding.problem))) }
                ul.faint { @for step in &finding.steps { li { (coded(&stated(step))) } } }
                @if !finding.details.is_empty() { pre { (details(&finding.details)) } }
                p { (coded(&localized(&finding.remedy))) }
            }
        }
        @if !check.notes.is_empty() { ul { @for note in &check.notes { li { (coded(&stated(note))) } } } }
        p.faint {
            (t!(
                "trial-measures",
                games = check.measures.games,
                ready = check.measures.ready_ms,
                slowest = check.measures.slowest_move_ms,
                game = check.measures.game_ms,
                memory = check.measures.peak_memory_mib,
            ))
        }
    }
}
