//! Lists of people: accounts for a class, each with a link for setting a password.

use std::fmt::Write as _;
use std::sync::Arc;

use agon_arena::export::csv_field;
use agon_boards::layout::{Page, problem};
use agon_boards::text::{ago, localized, rich, t, time};
use agon_site::accounts::{self, MAX_GROUP_CHARS, MAX_ROSTER, ROSTER_SECONDS, RosterEntry, make_roster};
use agon_site::clock::now;
use agon_site::secret;
use agon_site::store::{Competition, DeskEntrant, EntrantStage, RosterBefore, SiteEntrant, SiteInvitation};
use axum::Form;
use axum::extract::multipart::MultipartRejection;
use axum::extract::{Multipart, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use encoding_rs::{EUC_KR, Encoding, UTF_8};
use maud::{Markup, PreEscaped, html};
use qrcode::QrCode;
use qrcode::render::svg::Color;
use serde::Deserialize;

use super::desk::{self, DeskTab, stage_words};
use super::host::YesForm;
use super::notices;
use super::parts::confirmed_over;
use crate::auth::Host;
use crate::error::{SiteError, query_escaped};
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};

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
        form.stack method="post" action={ "/host/competitions/" (competition) "/roster" } {
            label {
                (t!("roster-names"))
                textarea name="names" rows="6" required placeholder=(t!("roster-example")) { "\n" (typed) }
            }
            p.faint { (t!("roster-hint", most = MAX_ROSTER)) }
            p { button { (t!("roster-make")) } }
        }
        form.row method="post" action={ "/host/competitions/" (competition) "/roster/file" }
            enctype="multipart/form-data" {
            label {
                (t!("roster-file")) " "
                input type="file" name="file" required accept=".csv,.txt,text/csv,text/plain";
            }
            button { (t!("roster-import")) }
        }
    }
}

/// Creates the accounts of a list in a file.
pub(crate) async fn import(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    form: Result<Multipart, MultipartRejection>,
) -> SiteResult<Response> {
    let mut form = form.map_err(|error| SiteError::unreadable(error.body_text()))?;
    let mut text = Some((String::new(), None));
    while let Some(field) = form.next_field().await.map_err(|error| SiteError::unreadable(error.body_text()))? {
        if field.name() == Some("file") {
            let bytes = field.bytes().await.map_err(|error| SiteError::unreadable(error.body_text()))?;
            text = text_of(&bytes);
        }
    }
    match text {
        Some((names, encoding)) => made(&site, &host, id, names, encoding).await,
        None => {
            let wrong = t!("roster-no-text");
            people_page(&site, &host, id, PeopleNotes { wrong: Some(&wrong), ..PeopleNotes::default() }).await
        }
    }
}

/// The text of a file, and the name of its encoding if it is not UTF-8: spreadsheets in Korea save CSV as CP949, and
/// their "Unicode text" is UTF-16.
fn text_of(bytes: &[u8]) -> Option<(String, Option<&'static str>)> {
    let (encoding, from) = match Encoding::for_bom(bytes) {
        Some(found) => found,
        None if std::str::from_utf8(bytes).is_ok() => (UTF_8, 0),
        None => (EUC_KR, 0),
    };
    let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[from..])?;
    let name = match encoding.name() {
        "UTF-8" => None,
        // The Web's name for what Windows calls CP949.
        "EUC-KR" => Some("CP949"),
        _ => Some("UTF-16"),
    };
    // A file that is no text at all has zeros.
    (!text.contains('\0')).then(|| (text.into_owned(), name))
}

#[derive(Deserialize)]
pub(crate) struct PeopleQuery {
    saved: Option<String>,
    /// The name of a stage: only those who have come that far.
    stage: Option<String>,
}

/// Additional notes on the page of people.
#[derive(Default)]
pub(super) struct PeopleNotes<'a> {
    pub saved: bool,
    pub wrong: Option<&'a str>,
    /// A new invitation.
    pub link: Option<&'a str>,
    /// Only those at this stage.
    pub stage: Option<EntrantStage>,
}

/// The participants of a competition, how far each has come, and the groups into which its host puts them.
pub(crate) async fn people(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Query(query): Query<PeopleQuery>,
) -> SiteResult<Response> {
    let stage = query.stage.and_then(|name| EntrantStage::ALL.into_iter().find(|stage| stage.name() == name));
    let notes = PeopleNotes { saved: query.saved.is_some(), stage, ..PeopleNotes::default() };
    people_page(&site, &host, id, notes).await
}

pub(super) async fn people_page(
    site: &Arc<Site>,
    host: &Host,
    id: i64,
    notes: PeopleNotes<'_>,
) -> SiteResult<Response> {
    let competition = site.competition(id).ok_or(SiteError::NotFound)?;
    let read = site.read(move |store| {
        let mut invitations = store.invitations(now())?;
        invitations.retain(|invitation| invitation.competition == Some(id));
        Ok((store.desk(id, now())?, invitations))
    });
    let (people, invitations) = read.await?;
    let body = html! {
        (desk::head(&competition, DeskTab::People))
        (problem(notes.wrong))
        @if notes.saved { p.notice role="status" { (t!("competitions-saved")) } }
        @if people.is_empty() { p.empty { (t!("roster-none")) } } @else {
            (stages(id, &people, notes.stage))
            (table(id, &people, notes.stage))
        }
        h2 { (t!("roster-title")) }
        (form(id, ""))
        h2 { (t!("competitions-invitations")) }
        @if !competition.entry.is_by_invitation() { p { (t!("competitions-anyone")) } }
        (invitation_part(id, notes.link, &invitations))
    };
    let status = if notes.wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(Page::new(competition_title(&competition), body).with_status(status).show(&host.0.visitor))
}

/// Links to the people at each stage, with their number.
fn stages(competition: i64, people: &[DeskEntrant], chosen: Option<EntrantStage>) -> Markup {
    let address = DeskTab::People.address(competition);
    let mark = |is_chosen: bool| is_chosen.then_some("page");
    html! {
        nav aria-label=(t!("desk-stages")) { ul.tabs {
            li { a href=(address) aria-current=[mark(chosen.is_none())] { (t!("desk-all")) " " (people.len()) } }
            @for stage in EntrantStage::ALL {
                @let count = people.iter().filter(|one| one.stage == stage).count();
                @if count > 0 || chosen == Some(stage) { li {
                    a href={ (address) "?stage=" (stage.name()) } aria-current=[mark(chosen == Some(stage))] {
                        (stage_words(stage)) " " (count)
                    }
                } }
            }
        } }
    }
}

fn table(competition: i64, people: &[DeskEntrant], chosen: Option<EntrantStage>) -> Markup {
    let shown: Vec<&DeskEntrant> = people.iter().filter(|one| chosen.is_none_or(|stage| one.stage == stage)).collect();
    html! {
        form.people-form method="post" action=(DeskTab::People.address(competition)) {
            // On a telephone a row is two lines until the host asks for what changes something.
            label.check.edit { input type="checkbox"; (t!("roster-edit")) }
            div.scroll tabindex="0" role="region" aria-label=(t!("roster-people")) { table.wide.cards.people {
                thead { tr {
                    th.name scope="col" { (t!("roster-name")) }
                    th.name scope="col" { (t!("desk-stage")) }
                    th.name scope="col" { (t!("desk-version")) }
                    th.name scope="col" { (t!("desk-seen")) }
                    th.name scope="col" { (t!("roster-since")) }
                    th.name scope="col" { (t!("roster-group")) }
                    td {}
                } }
                tbody { @for one in &shown {
                    @let entrant = &one.entrant;
                    tr class=[entrant.removed.then_some("faint")] {
                        th.name scope="row" { a href={ "/host/accounts/" (entrant.account) } { (entrant.name) } }
                        td.name {
                            span data-reached=(one.stage.name()) { (stage_words(one.stage)) }
                            @if let Some(plays) = &one.plays {
                                span.faint { "; " (t!("desk-plays", version = plays)) }
                            }
                        }
                        td.name data-label=(t!("desk-version")) {
                            @if let Some(version) = &one.version {
                                a href={ "/version/" (version.id) } { (version.label) }
                                span.faint { " · " (ago(version.submitted)) }
                            }
                        }
                        td.name.changes data-label=(t!("desk-seen")) {
                            @if let Some(at) = entrant.seen { (ago(at)) } @else { "–" }
                        }
                        td.name data-label=(t!("roster-since")) { (ago(entrant.since)) }
                        td.group { (entrant.group) }
                        td.name.changes {
                            input name={ "group-" (entrant.account) } value=(entrant.group) maxlength=(MAX_GROUP_CHARS)
                                aria-label=(t!("roster-group-of", name = &entrant.name));
                        }
                        td.name.changes { div.actions { (reissue_button(entrant)) (remove_button(entrant)) } }
                    }
                } }
            } }
            p.changes { button { (t!("roster-save")) } " " span.faint { (t!("roster-groups-hint")) } }
        }
        // Their buttons are in the table, in the form of the groups.
        @for one in &shown {
            form id={ "remove-" (one.entrant.account) } method="post"
                action={ (DeskTab::People.address(competition)) "/" (one.entrant.account) } {
                input type="hidden" name="yes" value=(if one.entrant.removed { "no" } else { "yes" });
            }
            form id={ "link-" (one.entrant.account) } method="post"
                action={ (DeskTab::People.address(competition)) "/" (one.entrant.account) "/link" } {}
        }
    }
}

/// The invitations into a competition, the new one with its link.
fn invitation_part(id: i64, link: Option<&str>, invitations: &[SiteInvitation]) -> Markup {
    html! {
        @if let Some(link) = link {
            @let code = secret::in_halves(link.rsplit('/').next().unwrap_or_default());
            p.notice {
                (t!("invitation-fresh")) br; code.secret { (link) } br;
                @let code = html! { strong { code { (code) } } };
                (rich!("invitation-code", code = code, page = html! { code { "/join" } }))
            }
        }
        form.row method="post" action={ "/host/competitions/" (id) "/invitations" } {
            input name="note" required maxlength="60" placeholder=(t!("invitation-whom"))
                aria-label=(t!("invitation-whom-label"));
            label { (t!("invitation-people")) input type="number" name="uses" value="30" min="1" max="1000" required; }
            button { (t!("invitation-make")) }
        }
        ul.plain { @for invitation in invitations { li {
            (invitation.note) span.faint { " · " (t!("invitation-left", count = invitation.uses)) } " "
            form.inline method="post" action={ "/host/invitations/" (invitation.id) "/delete" } {
                button.small { (t!("invitation-take-back")) }
            }
        } } }
    }
}

#[derive(Deserialize)]
pub(crate) struct InvitationForm {
    note: String,
    uses: u32,
}

/// Makes a link that lets people into a competition, and shows it once.
pub(crate) async fn invite(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(form): Form<InvitationForm>,
) -> SiteResult<Response> {
    site.competition(id).ok_or(SiteError::NotFound)?;
    match site.invite(form.note, form.uses, false, Some(id), &host.0.visitor).await {
        Ok(link) => people_page(&site, &host, id, PeopleNotes { link: Some(&link), ..PeopleNotes::default() }).await,
        Err(error) => {
            let wrong = localized(&*error.on_form()?.reason);
            people_page(&site, &host, id, PeopleNotes { wrong: Some(&wrong), ..PeopleNotes::default() }).await
        }
    }
}

/// Makes a new link to a password; for someone who has one, after a question.
fn reissue_button(one: &SiteEntrant) -> Markup {
    if one.team || one.removed {
        return html! {};
    }
    let (form, name) = (format!("link-{}", one.account), t!("roster-reissue"));
    if !one.has_password {
        return html! { button.small form=(form) { (name) } };
    }
    let button = html! { button.danger form=(form) { (name) } };
    confirmed_over(&format!("ask-{form}"), &name, &one.name, &t!("roster-reissue-sure"), &button)
}

/// Makes a new link with which a participant sets a password, and shows its slip once.
pub(crate) async fn reissue(
    State(site): State<Arc<Site>>,
    host: Host,
    Path((id, account)): Path<(i64, i64)>,
) -> SiteResult<Response> {
    let competition = site.competition(id).ok_or(SiteError::NotFound)?;
    let origin = host.origin();
    let entry = site.change(move |store| accounts::reissue(store, id, account, &origin)).await?;
    let body = html! {
        h1 { (competition_title(&competition)) }
        p.notice role="status" { (t!("roster-reissued", name = &entry.name)) }
        (links(&site, &host, &competition, &[entry])?)
        p { a href=(DeskTab::People.address(id)) { (t!("roster-back")) } }
    };
    Ok(Page::new(t!("roster-title"), body).with_script("slips.js").show(&host.0.visitor))
}

/// Removes a participant, or readmits one.
fn remove_button(one: &SiteEntrant) -> Markup {
    let form = format!("remove-{}", one.account);
    if one.removed {
        return html! { button.small form=(form) { (t!("roster-let-in")) } };
    }
    let (name, question) = (t!("roster-remove"), t!("roster-remove-sure"));
    let button = html! { button.danger form=(form) { (name) } };
    confirmed_over(&format!("ask-{form}"), &name, &one.name, &question, &button)
}

/// Removes a person or a team from a competition, or readmits it.
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
    site.queue.announce_change();
    Ok(Redirect::to(&format!("/host/competitions/{id}/people?saved=yes")).into_response())
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
        Ok(()) => Ok(Redirect::to(&format!("/host/competitions/{id}/people?saved=yes")).into_response()),
        Err(error) => {
            let wrong = localized(&*error.on_form()?.reason);
            people_page(&site, &host, id, PeopleNotes { wrong: Some(&wrong), ..PeopleNotes::default() }).await
        }
    }
}

/// Creates the accounts of a list, and shows their links once, for printing and cutting.
pub(crate) async fn make(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(typed): Form<RosterForm>,
) -> SiteResult<Response> {
    made(&site, &host, id, typed.names, None).await
}

/// The accounts of a list, which is a text or a file in this encoding.
async fn made(site: &Arc<Site>, host: &Host, id: i64, typed: String, encoding: Option<&str>) -> SiteResult<Response> {
    let competition = site.competition(id).ok_or(SiteError::NotFound)?;
    let (origin, names) = (host.origin(), typed.clone());
    let made = site.change(move |store| make_roster(store, &names, Some(id), &origin)).await;
    let read_as = encoding.map(|encoding| t!("roster-read-as", encoding = encoding));
    let page = match made {
        Ok(entries) => {
            let count = |before| entries.iter().filter(|entry| entry.before == before).count();
            let [new, known, listed] = [RosterBefore::Nothing, RosterBefore::Password, RosterBefore::Link].map(count);
            let body = html! {
                h1 { (competition_title(&competition)) }
                p.notice role="status" {
                    @if let Some(read_as) = &read_as { (read_as) " " }
                    (t!("roster-made", count = new))
                    @if new + listed > 0 { " " (t!("roster-once")) }
                    @if known > 0 {
                        " " (t!("roster-known", count = known, names = named(&entries, RosterBefore::Password)))
                    }
                    @if listed > 0 {
                        " " (t!("roster-again", count = listed, names = named(&entries, RosterBefore::Link)))
                    }
                }
                (links(site, host, &competition, &entries)?)
                p { a href=(DeskTab::People.address(id)) { (t!("roster-back")) } }
            };
            Page::new(t!("roster-title"), body).with_script("slips.js")
        }
        Err(error) => {
            let wrong = localized(&*error.on_form()?.reason);
            let body = html! {
                h1 { (competition_title(&competition)) }
                (problem(Some(&wrong)))
                @if let Some(read_as) = &read_as { p { (read_as) } }
                (form(id, &typed))
            };
            Page::new(t!("roster-title"), body).with_status(StatusCode::UNPROCESSABLE_ENTITY)
        }
    };
    Ok(page.show(&host.0.visitor))
}

/// The names in the list whose accounts were in this state before.
fn named(entries: &[RosterEntry], before: RosterBefore) -> String {
    let names = entries.iter().filter(|entry| entry.before == before).map(|entry| entry.name.as_str());
    names.collect::<Vec<_>>().join(", ")
}

/// The name, the link and its QR code for each; a person with a password has no link.
fn links(site: &Site, host: &Host, competition: &Competition, entries: &[RosterEntry]) -> SiteResult<Markup> {
    let address = |path: &str| site.options.address_from(host.0.visitor.host.as_deref(), path);
    let mut slips = Vec::new();
    for entry in entries {
        let Some(word) = &entry.word else {
            slips.push((entry.name.as_str(), None));
            continue;
        };
        let link = address(&format!("/recover/{word}"));
        let drawn = QrCode::new(&link).map_err(SiteError::internal)?;
        let drawn = drawn.render::<Color>().min_dimensions(PICTURE_PX, PICTURE_PX).build();
        // Inside a page it is an element, not a document.
        let picture = drawn.split_once("?>").map_or(drawn.as_str(), |(_, picture)| picture).to_owned();
        slips.push((entry.name.as_str(), Some((link, secret::in_halves(word), picture))));
    }
    let [join, sign_in] = ["/join", "/signin"].map(address);
    let mut rows = format!("{}\r\n", t!("roster-csv-head"));
    for (name, link) in &slips {
        let (link, code) = link.as_ref().map_or(("", ""), |(link, code, _)| (link.as_str(), code.as_str()));
        let _ = write!(rows, "{},{},{}\r\n", csv_field(name), csv_field(link), csv_field(code));
    }
    // The site keeps only digests of the links, so the page itself is the file.
    let file = format!("data:text/csv;charset=utf-8,%EF%BB%BF{}", query_escaped(&rows).replace('/', "%2F"));
    Ok(html! {
        (notices::unreachable(&site.options, &join))
        p.actions {
            button.primary type="button" hidden data-print { (t!("roster-print-now")) }
            a.button href=(file) download="links.csv" { (t!("roster-csv")) }
            span.faint { (t!("roster-print")) }
        }
        ul.slips { @for (name, link) in slips { li {
            @if let Some((link, code, picture)) = link {
                span aria-hidden="true" { (PreEscaped(picture)) }
                span {
                    strong { (name) } br;
                    (competition_title(competition)) br;
                    code.secret { (link) } br;
                    @let code = html! { strong { code { (code) } } };
                    (rich!("roster-code", code = code, page = html! { code { (join) } })) br;
                    (rich!("roster-until", day = time(now() + ROSTER_SECONDS)))
                }
            } @else {
                span {
                    strong { (name) } br; (competition_title(competition)) br;
                    (rich!("roster-has-password", page = html! { code { (sign_in) } }))
                }
            }
        } } }
    })
}
