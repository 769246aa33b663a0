//! The host's actions on competitions: creating, changing and closing them, and inviting people.

use std::sync::Arc;

use agon_boards::layout::Page;
use agon_boards::text::{game_title, localized, read_time, t};
use agon_catalog::Game;
use agon_site::clock::now;
use agon_site::error::{FieldError, Refusal};
use agon_site::finals::{self, FinalForm};
use agon_site::league;
use agon_site::store::{Competition, EntryRule, SiteStore};
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::uri::PathAndQuery;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use serde::Deserialize;

use super::competition_form::{CompetitionDraft, FormPart};
use super::desk::{self, DeskTab, KnownFinals};
use super::finals::final_form;
use super::parts;
use super::parts::SavedQuery;
use crate::auth::Host;
use crate::error::{RequestError, SiteError};
use crate::layout::{ShowPage as _, competition_title};
use crate::once::FIELD;
use crate::site::{Site, SiteResult};

pub(crate) async fn list(State(site): State<Arc<Site>>, host: Host) -> Response {
    let competitions = site.competitions();
    let body = html! {
        h1 { (t!("competitions-title")) }
        p { (t!("competitions-new")) " " @for (at, game) in Game::all().into_iter().enumerate() {
            @if at > 0 { ", " } a href={ "/host/competitions/new?game=" (game.name()) } { (game_title(game)) }
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
                    a href={ "/host/competitions/" (competition.id) } { (competition_title(competition)) } " "
                    a.faint href={ "/ladder/" (competition.slug) } { "/ladder/" (competition.slug) }
                }
                td.name { (game_title(competition.game)) }
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
    /// The number of the competition whose settings it copies.
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
    let Some(game) = Game::by_name(&query.game) else { return Ok(Redirect::to("/host/competitions").into_response()) };
    Ok(new_page(&site, &host, &CompetitionDraft::new(game), game, None))
}

fn new_page(site: &Site, host: &Host, draft: &CompetitionDraft, game: Game, wrong: Option<&FieldError>) -> Response {
    let body = html! {
        h1 { (t!("competitions-new-of", game = game_title(game))) }
        p.faint { (t!("competitions-placeholder")) " " a href="/host/competitions" { (t!("competitions-all")) } }
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
    let game = game.ok_or_else(|| SiteError::bad(RequestError::UnknownGame))?;
    let word = form.iter().find(|(name, _)| name == FIELD).map_or_else(String::new, |(_, word)| word.clone());
    let draft = CompetitionDraft::new(game).typed(form.clone());
    let (maker, checked) = (Arc::clone(&site), draft.check());
    let made = async move { Ok(format!("/host/competitions/{}", maker.put_competition(checked).await?)) };
    match site.forms.answer(&word, &form, made).await {
        Ok(path) => Ok(Redirect::to(&path).into_response()),
        Err(error) => Ok(new_page(&site, &host, &draft, game, Some(&error.on_form()?))),
    }
}

fn find(site: &Site, id: i64) -> SiteResult<Competition> {
    site.competition(id).ok_or(SiteError::NotFound)
}

/// The settings of a competition.
pub(crate) async fn settings(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Query(query): Query<SavedQuery>,
) -> SiteResult<Response> {
    let competition = find(&site, id)?;
    let draft = CompetitionDraft::from_competition(&competition);
    settings_page(&site, &host, &competition, &draft, query.saved.is_some(), None).await
}

/// How the games of a competition are played.
pub(crate) async fn rules(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Query(query): Query<SavedQuery>,
) -> SiteResult<Response> {
    let competition = find(&site, id)?;
    let draft = CompetitionDraft::from_competition(&competition);
    Ok(rules_page(&site, &host, &competition, &draft, query.saved.is_some(), None))
}

fn rules_page(
    site: &Site,
    host: &Host,
    competition: &Competition,
    draft: &CompetitionDraft,
    saved: bool,
    wrong: Option<&FieldError>,
) -> Response {
    let body = html! {
        (desk::head(competition, DeskTab::Rules))
        @if saved { p.notice role="status" { (t!("competitions-saved")) } }
        p.links {
            a href={ "/rules/" (competition.slug) } { (t!("desk-rules-page")) } " · "
            a href={ "/games?competition=" (competition.slug) } { (t!("layout-games")) } " · "
            a href="/host/games" { (t!("own-games-title")) }
        }
        p.faint { (t!("competitions-change-hint")) }
        (draft.show_part(Some(FormPart::Rules), wrong, &site.options))
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Page::new(competition_title(competition), body).with_status(status).show(&host.0.visitor)
}

async fn settings_page(
    site: &Arc<Site>,
    host: &Host,
    competition: &Competition,
    draft: &CompetitionDraft,
    saved: bool,
    wrong: Option<&FieldError>,
) -> SiteResult<Response> {
    let id = competition.id;
    let programs = site.read(move |store| store.count_programs(id)).await?;
    let deletable = programs == 0 && competition.slug != competition.game.name();
    let body = html! {
        (desk::head(competition, DeskTab::Settings))
        @if saved { p.notice role="status" { (t!("competitions-saved")) } }
        (draft.show_part(Some(FormPart::Settings), wrong, &site.options))
        h2 { (t!("desk-more-settings")) }
        p {
            a.button href={ "/host/competitions/new?like=" (id) } { (t!("competitions-clone")) } " "
            (t!("competitions-clone-hint"))
        }
        @if deletable {
            section.danger-zone aria-label=(t!("desk-danger")) {
                h2 { (t!("desk-danger")) }
                form.row method="post" action={ "/host/competitions/" (id) "/delete" } {
                    button.danger { (t!("competitions-delete")) } span.faint { (t!("competitions-no-entrants")) }
                }
            }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(Page::new(competition_title(competition), body).with_status(status).show(&host.0.visitor))
}

/// The finals of a competition, and the form of a new one.
pub(crate) async fn finals(State(site): State<Arc<Site>>, host: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    let competition = find(&site, id)?;
    let known = known_finals(&site, &competition).await?;
    let usual = FinalForm {
        title: known.next_title(&competition),
        kind: "round-robin".to_owned(),
        rounds: 7,
        games: 4,
        one_each: true,
        ..FinalForm::default()
    };
    let form = final_form(&format!("/host/competitions/{id}/finals"), &usual);
    Ok(desk::final_page(&competition, &known, &form, false, None).show(&host.0.visitor))
}

/// The finals that the page of a competition's finals shows next to the form.
async fn known_finals(site: &Arc<Site>, competition: &Competition) -> SiteResult<KnownFinals> {
    let (of, limits) = (competition.clone(), site.options.limits);
    let read = move |store: &SiteStore| {
        let to_come = store.finals_to_come()?.into_iter().find(|coming| coming.competition == of.id);
        let failed = to_come.as_ref().filter(|coming| coming.failed);
        let wrong = failed.and_then(|coming| match finals::plans(store, &of, &coming.form, limits) {
            Err(Refusal::Field(wrong)) => Some(wrong),
            _ => None,
        });
        Ok(KnownFinals { begun: store.finals_of(of.id)?, to_come, wrong })
    };
    site.read(read).await
}

/// A final that was to begin by itself does not.
pub(crate) async fn cancel_final(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    find(&site, id)?;
    site.write(move |store| store.remove_final_to_come(id)).await?;
    site.queue.note_change();
    Ok(Redirect::to(&DeskTab::Final.address(id)).into_response())
}

pub(crate) async fn change(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(form): Form<Vec<(String, String)>>,
) -> SiteResult<Response> {
    let competition = find(&site, id)?;
    let part = FormPart::of_form(&form);
    let known = CompetitionDraft::from_competition(&competition);
    let draft = match part {
        Some(part) => known.typed_part(part, form),
        None => known.typed(form),
    };
    let tab = if part == Some(FormPart::Rules) { DeskTab::Rules } else { DeskTab::Settings };
    match site.put_competition(draft.check()).await {
        Ok(id) => Ok(Redirect::to(&format!("{}?saved=yes", tab.address(id))).into_response()),
        Err(error) if tab == DeskTab::Rules => {
            Ok(rules_page(&site, &host, &competition, &draft, false, Some(&error.on_form()?)))
        }
        Err(error) => settings_page(&site, &host, &competition, &draft, false, Some(&error.on_form()?)).await,
    }
}

pub(crate) async fn close(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.close_competition(find(&site, id)?).await?;
    Ok(Redirect::to(&format!("/host/competitions/{id}")).into_response())
}

/// Reopens a closed competition, without an end.
pub(crate) async fn reopen(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.reopen_competition(find(&site, id)?).await?;
    Ok(Redirect::to(&format!("/host/competitions/{id}?saved=yes")).into_response())
}

#[derive(Deserialize)]
pub(crate) struct PauseForm {
    yes: String,
}

/// Pauses the ladder of a competition, or resumes it.
pub(crate) async fn pause(
    State(site): State<Arc<Site>>,
    _: Host,
    Path(id): Path<i64>,
    Form(form): Form<PauseForm>,
) -> SiteResult<Response> {
    let competition = find(&site, id)?;
    site.set_paused(competition.id, form.yes == "yes").await?;
    Ok(Redirect::to(&format!("/host/competitions/{id}?saved=yes")).into_response())
}

/// Gives a competition a weekly league, or ends it.
pub(crate) async fn set_league(
    State(site): State<Arc<Site>>,
    _: Host,
    Path(id): Path<i64>,
    Form(form): Form<PauseForm>,
) -> SiteResult<Response> {
    let competition = find(&site, id)?;
    site.write(move |store| league::set(store, &competition, form.yes == "yes", now())).await?;
    site.queue.announce_change();
    Ok(Redirect::to(&format!("/host/competitions/{id}?saved=yes")).into_response())
}

/// Deletes a competition without entrants.
pub(crate) async fn delete(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.delete_competition(&find(&site, id)?).await?;
    Ok(Redirect::to("/host/competitions").into_response())
}

/// Begins a final between the best programs of a competition, as they are now.
pub(crate) async fn begin_final(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(form): Form<FinalForm>,
) -> SiteResult<Response> {
    let competition = find(&site, id)?;
    match form.sure.as_str() {
        "" => return confirm_final(&site, &host, &competition, form).await,
        // Back from the preview.
        "no" => return Ok(typed_final(&site, &competition, &form, None).await?.show(&host.0.visitor)),
        _ => {}
    }
    let (maker, of, asked) = (Arc::clone(&site), competition.clone(), form.clone());
    let begun = async move {
        let begun = maker.begin_final(of, asked).await?;
        Ok(begun.map_or_else(|| DeskTab::Final.address(id), |begun| format!("/final/{begun}")))
    };
    match site.forms.answer(&form.form, &(id, &form), begun).await {
        Ok(path) => Ok(Redirect::to(&path).into_response()),
        Err(error) => refused_final(&site, &host, &competition, &form, &localized(&*error.on_form()?.reason)).await,
    }
}

/// Shows a preview of a final, and begins it once its host confirms.
async fn confirm_final(
    site: &Arc<Site>,
    host: &Host,
    competition: &Competition,
    form: FinalForm,
) -> SiteResult<Response> {
    if !form.begins.is_empty()
        && let Err(wrong) = finals::check_begins(read_time(&form.begins).unwrap_or_default())
    {
        return refused_final(site, host, competition, &form, &localized(&*wrong.reason)).await;
    }
    let (of, asked, limits) = (competition.clone(), form.clone(), site.options.limits);
    let planned =
        site.consult(move |store| Ok((finals::plans(store, &of, &asked, limits)?, store.recent_times()?))).await;
    match planned {
        Ok((plans, times)) => {
            let games = plans.iter().map(|(_, plan)| plan.bouts()).sum();
            let seconds = times.seconds_for(games, site.queue.capacity());
            Ok(desk::sure_page(competition, &form, &plans, seconds).show(&host.0.visitor))
        }
        Err(error) => refused_final(site, host, competition, &form, &localized(&*error.on_form()?.reason)).await,
    }
}

/// The form of a final as it was typed.
async fn typed_final(
    site: &Arc<Site>,
    competition: &Competition,
    form: &FinalForm,
    wrong: Option<&str>,
) -> SiteResult<Page> {
    let known = known_finals(site, competition).await?;
    let again = final_form(&format!("/host/competitions/{}/finals", competition.id), form);
    Ok(desk::final_page(competition, &known, &again, true, wrong))
}

async fn refused_final(
    site: &Arc<Site>,
    host: &Host,
    competition: &Competition,
    form: &FinalForm,
    wrong: &str,
) -> SiteResult<Response> {
    let page = typed_final(site, competition, form, Some(wrong)).await?;
    Ok(page.with_status(StatusCode::UNPROCESSABLE_ENTITY).show(&host.0.visitor))
}

/// The address of a host's page before competitions had their name.
pub(crate) async fn moved(uri: Uri) -> Redirect {
    let path = uri.path_and_query().map_or("/", PathAndQuery::as_str);
    Redirect::permanent(&path.replacen("/host/contests", "/host/competitions", 1))
}
