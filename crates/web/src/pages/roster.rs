//! Lists of people: accounts for a class, with a link for each by which the person sets a password.

use std::sync::Arc;

use agon_site::accounts::{self, MAX_GROUP_CHARS, MAX_ROSTER, RosterEntry, make_roster};
use agon_site::secret;
use agon_site::store::{RosterBefore, SiteEntrant};
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use qrcode::QrCode;
use qrcode::render::svg::Color;
use serde::Deserialize;

use super::host::YesForm;
use super::parts::{SavedQuery, confirmed};
use crate::auth::Host;
use crate::error::SiteError;
use crate::layout::{Page, competition_title, problem};
use crate::site::{Site, SiteResult};
use crate::text::{ago, rich, said, t};

/// The least width of the pictures of links, in pixels.
const PICTURE_PX: u32 = 110;

#[derive(Deserialize, Default)]
pub(crate) struct RosterForm {
    #[serde(default)]
    names: String,
}

/// The form, for the page of a competition.
pub(crate) fn form(competition: i64, typed: &str) -> Markup {
    html! {
        form.stack method="post" action={ "/host/contests/" (competition) "/roster" } {
            label {
                (t!("roster-names"))
                textarea name="names" rows="6" required placeholder=(t!("roster-example")) { "\n" (typed) }
            }
            p.faint { (t!("roster-hint", most = MAX_ROSTER)) }
            p { button { (t!("roster-make")) } }
        }
    }
}

/// Who is in a competition, and the groups into which its host puts them.
pub(crate) async fn people(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Query(query): Query<SavedQuery>,
) -> SiteResult<Response> {
    people_page(&site, &host, id, query.saved.is_some(), None).await
}

async fn people_page(site: &Arc<Site>, host: &Host, id: i64, saved: bool, wrong: Option<&str>) -> SiteResult<Response> {
    let competition = site.competition(id).ok_or(SiteError::NotFound)?;
    let people = site.read(move |store| store.entrants(id)).await?;
    let body = html! {
        h1 { (t!("roster-people")) }
        p { a href={ "/host/contests/" (id) } { (competition_title(&competition)) } }
        (problem(wrong))
        @if saved { p.notice role="status" { (t!("competitions-saved")) } }
        @if people.is_empty() { p.empty { (t!("roster-none")) } } @else {
            form method="post" action={ "/host/contests/" (id) "/people" } {
                div.scroll tabindex="0" role="region" aria-label=(t!("roster-people")) { table.wide.cards {
                    thead { tr {
                        th.name scope="col" { (t!("roster-name")) }
                        th.name scope="col" { (t!("roster-group")) }
                        th scope="col" { (t!("roster-programs")) }
                        th.name scope="col" { (t!("roster-since")) }
                        td {}
                    } }
                    tbody { @for one in &people { tr class=[one.removed.then_some("faint")] {
                        th.name scope="row" {
                            a href={ "/host/accounts/" (one.account) } { (one.name) }
                            @if one.removed { " " span.verdict { (t!("roster-removed")) } }
                        }
                        td.name {
                            input name={ "group-" (one.account) } value=(one.group) maxlength=(MAX_GROUP_CHARS)
                                aria-label=(t!("roster-group-of", name = &one.name));
                        }
                        td data-label=(t!("roster-programs")) { (one.programs) }
                        td.name data-label=(t!("roster-since")) { (ago(one.since)) }
                        td.name { (remove_button(one)) }
                    } } }
                } }
                p { button { (t!("roster-save")) } }
            }
            // Their buttons stand in the table, in the form of the groups.
            @for one in &people {
                form id={ "remove-" (one.account) } method="post"
                    action={ "/host/contests/" (id) "/people/" (one.account) } {
                    input type="hidden" name="yes" value=(if one.removed { "no" } else { "yes" });
                }
            }
        }
        p.faint { (t!("roster-groups-hint")) }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(Page::new(t!("roster-people"), body).with_status(status).show(&host.0.visitor))
}

/// Takes someone out, or lets him in again.
fn remove_button(one: &SiteEntrant) -> Markup {
    let form = format!("remove-{}", one.account);
    if one.removed {
        return html! { button.small form=(form) { (t!("roster-let-in")) } };
    }
    let button = html! { button.small.danger form=(form) { (t!("roster-remove")) } };
    confirmed(&t!("roster-remove"), &t!("roster-remove-sure"), &button)
}

/// Takes a person or a team out of a competition, or lets it in again.
pub(crate) async fn remove(
    State(site): State<Arc<Site>>,
    host: Host,
    Path((id, account)): Path<(i64, i64)>,
    Form(form): Form<YesForm>,
) -> SiteResult<Response> {
    let competition = site.competition(id).ok_or(SiteError::NotFound)?;
    let origin = host.origin();
    let removed = form.yes == "yes";
    site.change(move |store| accounts::set_removed(store, &competition, account, removed, &origin)).await?;
    site.announce_change();
    Ok(Redirect::to(&format!("/host/contests/{id}/people?saved=yes")).into_response())
}

/// Puts people into groups.
pub(crate) async fn set_groups(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(form): Form<Vec<(String, String)>>,
) -> SiteResult<Response> {
    let competition = site.competition(id).ok_or(SiteError::NotFound)?;
    let group = |(name, group): (String, String)| Some((name.strip_prefix("group-")?.parse().ok()?, group));
    let groups: Vec<(i64, String)> = form.into_iter().filter_map(group).collect();
    match site.change(move |store| accounts::set_groups(store, competition.id, &groups)).await {
        Ok(()) => Ok(Redirect::to(&format!("/host/contests/{id}/people?saved=yes")).into_response()),
        Err(error) => people_page(&site, &host, id, false, Some(&said(&error.on_form()?.text))).await,
    }
}

/// Makes the accounts of a list, and shows their links once, to be printed and cut.
pub(crate) async fn make(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(typed): Form<RosterForm>,
) -> SiteResult<Response> {
    let competition = site.competition(id).ok_or(SiteError::NotFound)?;
    let (origin, names) = (host.origin(), typed.names.clone());
    let made = site.change(move |store| make_roster(store, &names, Some(id), &origin)).await;
    let page = match made {
        Ok(entries) => {
            let body = html! {
                h1 { (competition_title(&competition)) }
                p.notice role="status" {
                    (t!("roster-made", count = entries.len()))
                    @let known = named(&entries, RosterBefore::Password);
                    @let listed = named(&entries, RosterBefore::Link);
                    @if !known.is_empty() { " " (t!("roster-known", names = known)) }
                    @if !listed.is_empty() { " " (t!("roster-again", names = listed)) }
                }
                (links(&site, &entries)?)
                p { a href={ "/host/contests/" (id) } { (t!("roster-back")) } }
            };
            Page::new(t!("roster-title"), body)
        }
        Err(error) => {
            let wrong = said(&error.on_form()?.text);
            let body =
                html! { h1 { (competition_title(&competition)) } (problem(Some(&wrong))) (form(id, &typed.names)) };
            Page::new(t!("roster-title"), body).with_status(StatusCode::UNPROCESSABLE_ENTITY)
        }
    };
    Ok(page.show(&host.0.visitor))
}

/// The names of those of whom there was this before.
fn named(entries: &[RosterEntry], before: RosterBefore) -> String {
    let names = entries.iter().filter(|entry| entry.before == before).map(|entry| entry.name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

/// The name, the link and its picture of each; whoever has a password has no link.
fn links(site: &Site, entries: &[RosterEntry]) -> SiteResult<Markup> {
    let mut slips = Vec::new();
    for entry in entries {
        let Some(word) = &entry.word else {
            slips.push((entry.name.as_str(), None));
            continue;
        };
        let link = site.options.address(&format!("/recover/{word}"));
        let drawn = QrCode::new(&link).map_err(SiteError::internal)?;
        let drawn = drawn.render::<Color>().min_dimensions(PICTURE_PX, PICTURE_PX).build();
        // Inside a page it is an element, not a document.
        let picture = drawn.split_once("?>").map_or(drawn.as_str(), |(_, picture)| picture).to_owned();
        slips.push((entry.name.as_str(), Some((link, secret::in_halves(word), picture))));
    }
    let [join, sign_in] = ["/join", "/signin"].map(|path| site.options.address(path));
    Ok(html! { ul.slips { @for (name, link) in slips { li {
        @if let Some((link, code, picture)) = link {
            span aria-hidden="true" { (PreEscaped(picture)) }
            span {
                strong { (name) } br;
                code.secret { (link) } br;
                (rich!("roster-code", code = html! { strong { code { (code) } } }, page = html! { code { (join) } }))
            }
        } @else {
            span { strong { (name) } br; (rich!("roster-has-password", page = html! { code { (sign_in) } })) }
        }
    } } } })
}
