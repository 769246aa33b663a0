//! Lists of people: accounts for a class, with a link for each by which the person sets a password.

use std::sync::Arc;

use agon_site::accounts::{MAX_ROSTER, RosterEntry, make_roster};
use axum::Form;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use maud::{Markup, PreEscaped, html};
use qrcode::QrCode;
use qrcode::render::svg::Color;
use serde::Deserialize;

use crate::auth::Host;
use crate::error::SiteError;
use crate::layout::{Page, contest_title, problem};
use crate::site::{Site, SiteResult};
use crate::text::{said, t};

/// The least width of the pictures of links, in pixels.
const PICTURE_PX: u32 = 110;

#[derive(Deserialize, Default)]
pub struct RosterForm {
    #[serde(default)]
    names: String,
}

/// The form, for the page of a competition.
pub fn form(contest: i64, typed: &str) -> Markup {
    html! {
        form.stack method="post" action={ "/host/contests/" (contest) "/roster" } {
            label {
                (t!("roster-names"))
                textarea name="names" rows="6" required placeholder=(t!("roster-example")) { "\n" (typed) }
            }
            p.faint { (t!("roster-hint", most = MAX_ROSTER)) }
            p { button { (t!("roster-make")) } }
        }
    }
}

/// Makes the accounts of a list, and shows their links once, to be printed and cut.
pub async fn make(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(typed): Form<RosterForm>,
) -> SiteResult<Response> {
    let contest = site.contest(id).ok_or(SiteError::NotFound)?;
    let (origin, names) = (host.origin(), typed.names.clone());
    let made = site.change(move |store| make_roster(store, &names, Some(id), &origin)).await;
    let page = match made {
        Ok(entries) => {
            let body = html! {
                h1 { (contest_title(&contest)) }
                p.notice role="status" { (t!("roster-made", count = entries.len())) }
                (links(&site, &entries)?)
                p { a href={ "/host/contests/" (id) } { (t!("roster-back")) } }
            };
            Page::new(t!("roster-title"), body)
        }
        Err(error) => {
            let wrong = said(&error.on_form()?.text);
            let body = html! { h1 { (contest_title(&contest)) } (problem(Some(&wrong))) (form(id, &typed.names)) };
            Page::new(t!("roster-title"), body).with_status(StatusCode::UNPROCESSABLE_ENTITY)
        }
    };
    Ok(page.show(&host.0.visitor))
}

/// The name, the link and its picture of each.
fn links(site: &Site, entries: &[RosterEntry]) -> SiteResult<Markup> {
    let mut slips = Vec::new();
    for entry in entries {
        let link = site.options.address(&format!("/recover/{}", entry.word));
        let drawn = QrCode::new(&link).map_err(SiteError::internal)?;
        let drawn = drawn.render::<Color>().min_dimensions(PICTURE_PX, PICTURE_PX).build();
        // Inside a page it is an element, not a document.
        let picture = drawn.split_once("?>").map_or(drawn.as_str(), |(_, picture)| picture).to_owned();
        slips.push((entry.name.as_str(), link, picture));
    }
    Ok(html! { ul.slips { @for (name, link, picture) in slips { li {
        span aria-hidden="true" { (PreEscaped(picture)) }
        span { strong { (name) } br; code.secret { (link) } }
    } } } })
}
