//! The host's actions.

use std::sync::Arc;

use agon_boards::layout::{Page, problem, sentence};
use agon_boards::text::{ago, localized, t};
use agon_site::accounts::{self, check_announcement, is_open};
use agon_site::clock::now;
use agon_site::programs::set_barred;
use agon_site::store::{SiteAccount, SiteCounts, SiteInvitation};
use axum::Form;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::{parts, teams};
use crate::auth::Host;
use crate::error::SiteError;
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};

/// Removes the games by link that wait for the other player.
pub(crate) async fn clear_shared(State(site): State<Arc<Site>>, _host: Host) -> SiteResult<Redirect> {
    site.clear_unjoined_games().await?;
    Ok(Redirect::to("/host"))
}

/// The page of the host.
pub(crate) async fn show(State(site): State<Arc<Site>>, host: Host) -> SiteResult<Response> {
    page(&site, &host, None, None).await
}

async fn page(site: &Arc<Site>, host: &Host, fresh: Option<&str>, wrong: Option<&str>) -> SiteResult<Response> {
    let read = site.read(|store| {
        Ok((
            is_open(store)?,
            store.counts()?,
            store.accounts()?,
            store.invitations(now())?,
            store.announcements(20)?,
            store.waiting(None)?,
            store.open_shared_games()?,
        ))
    });
    let (open, counts, accounts, invitations, announcements, waiting, (open_games, unjoined)) = read.await?;
    let storage = site.queue.maintenance.storage();
    let body = html! {
        h1 { (t!("host-title")) }
        (problem(wrong))
        (glance(site, &counts, waiting))
        @if let Some(shortage) = storage.shortage { p.problem role="alert" { (sentence(&localized(&shortage))) } }
        (jobs(site))
        h2 { (t!("host-people")) }
        section.card {
            h3 { (t!("host-sign-up")) }
            form.row method="post" action="/host/open" {
                p { @if open { (t!("host-sign-up-open")) } @else { (t!("host-sign-up-invited")) } }
                input type="hidden" name="open" value=(if open { "no" } else { "yes" });
                button { @if open { (t!("host-close-sign-up")) } @else { (t!("host-open-sign-up")) } }
            }
            (invitation_part(site, &invitations, fresh))
        }
        section.card {
            h3 { (t!("host-announcements")) }
            form.row method="post" action="/host/announcements" {
                input.long name="text" required maxlength="300" aria-label=(t!("host-announcement"));
                button { (t!("host-announce")) }
            }
            ul.plain { @for (id, text, created) in &announcements { li {
                (text) span.faint { " · " (ago(*created)) } " "
                form.inline method="post" action={ "/host/announcements/" (id) "/delete" } {
                    button.small { (t!("host-delete")) }
                }
            } } }
        }
        h3 { (t!("host-accounts")) }
        (account_table(&accounts))
        h2 { (t!("host-maintenance")) }
        section.card {
            h3 { (t!("host-shared")) }
            form.row method="post" action="/host/shared/clear" {
                p { (t!("host-shared-hint", open = open_games, waiting = unjoined)) }
                button { (t!("host-shared-clear")) }
            }
        }
        (maintenance(site))
    };
    Ok(Page::new(t!("host-title"), body).show(&host.0.visitor))
}

/// The pages of the host, each with what it is for.
fn jobs(site: &Site) -> Markup {
    let job = |path: &str, name: &str, hint: &str| {
        html! { a.card.job href=(path) { strong { (name) } span.faint { (hint) } } }
    };
    html! {
        nav.jobs aria-label=(t!("host-title")) {
            (job("/host/today", &t!("today-title"), &t!("host-today-hint")))
            (job("/host/competitions", &t!("host-competitions"), &t!("host-competitions-hint")))
            (job("/host/messages", &t!("messages-title"), &t!("host-messages-hint")))
            (job("/host/games", &t!("own-games-title"), &t!("host-own-games-hint")))
            @if site.options.fleet.is_some() {
                @let idle = site.queue.fleet.idle().map(|idle| t!("host-fleet-idle", why = idle));
                (job("/host/fleet", &t!("host-machines"), &idle.unwrap_or_else(|| t!("host-machines-hint"))))
            }
            (job("/host/similarity", &t!("host-alike"), &t!("host-alike-hint")))
            (job("/host/unlikely", &t!("host-unlikely"), &t!("host-unlikely-hint")))
            (job("/host/events", &t!("host-events"), &t!("host-events-hint")))
            a.card.job href="/host/export" download="agon-site.tar.gz" {
                strong { (t!("host-export")) } span.faint { (t!("host-export-hint")) }
            }
        }
    }
}

/// How large the site is.
fn glance(site: &Site, counts: &SiteCounts, waiting: u32) -> Markup {
    let storage = site.queue.maintenance.storage();
    html! {
        dl.facts {
            div { dt { (t!("host-accounts")) } dd { (counts.accounts) } }
            div { dt { (t!("host-programs")) } dd { (counts.programs) } }
            div { dt { (t!("host-versions")) } dd { (counts.versions) } }
            div { dt { (t!("host-games")) } dd { (counts.games) } }
            div { dt { (t!("host-waiting")) } dd { (waiting) } }
            div {
                dt { (t!("host-data")) }
                dd {
                    (size(storage.data))
                    @if let Some(quota) = site.options.disk_quota { span.faint { " / " (size(quota)) } }
                }
            }
            div {
                dt { (t!("host-records")) }
                dd {
                    (size(storage.records))
                    @if let Some(most) = site.options.retention.size { span.faint { " / " (size(most)) } }
                }
            }
            div {
                dt { (t!("host-compiled")) }
                dd { (size(storage.builds)) span.faint { " / " (size(site.options.builds_size)) } }
            }
            div { dt { (t!("host-free")) } dd { (size(storage.free)) } }
        }
    }
}

/// What stops games and submissions for a while.
fn maintenance(site: &Site) -> Markup {
    html! {
        section.card {
        h3 { (t!("host-read-only-title")) }
        form.row method="post" action="/host/read-only" {
            @if site.options.read_only {
                p { (t!("host-read-only-option")) }
            }
            @else {
                p {
                    @if site.queue.maintenance.is_read_only() {
                        (t!("host-read-only-now"))
                    } @else {
                        (t!("host-read-only-hint"))
                    }
                }
                input type="hidden" name="yes" value=(if site.queue.maintenance.is_read_only() { "no" } else { "yes" });
                @if site.queue.maintenance.is_read_only() {
                    button { (t!("host-go-on")) }
                } @else {
                    (parts::confirmed(
                        &t!("host-read-only"),
                        &t!("host-read-only-sure"),
                        &html! { button.danger { (t!("host-read-only")) } },
                    ))
                }
            }
        }
        }
    }
}

/// The links that create accounts, `fresh` the one that was just made.
fn invitation_part(site: &Site, invitations: &[SiteInvitation], fresh: Option<&str>) -> Markup {
    html! {
        h3 { (t!("host-invitations")) }
        @if let Some(link) = fresh { p.notice { (t!("host-fresh")) br; code.secret { (link) } } }
        form.row method="post" action="/host/invitations" {
            input name="note" required maxlength="60" placeholder=(t!("host-whom"))
                aria-label=(t!("host-whom-label"));
            label { (t!("host-uses")) input type="number" name="uses" value="1" min="1" max="1000" required; }
            label.check { input type="checkbox" name="host" value="yes"; (t!("host-administrators")) }
            button { (t!("host-make-link")) }
        }
        ul.plain { @for invitation in invitations { li {
            (invitation.note)
            @if let Some(competition) = invitation.competition.and_then(|id| site.competition(id)) {
                " · " a href={ "/host/competitions/" (competition.id) } { (competition_title(&competition)) }
            }
            span.faint {
                " · "
                @if invitation.host { (t!("host-left-administrators", count = invitation.uses)) }
                @else { (t!("host-left", count = invitation.uses)) }
            } " "
            form.inline method="post" action={ "/host/invitations/" (invitation.id) "/delete" } {
                button.small { (t!("host-take-back")) }
            }
        } } }
    }
}

fn account_table(accounts: &[SiteAccount]) -> Markup {
    html! {
        div.scroll.tall tabindex="0" role="region" aria-label=(t!("host-accounts")) { table.wide {
            thead { tr {
                th.name scope="col" { (t!("host-name")) } th scope="col" { (t!("host-since")) }
                td {}
            } }
            tbody { @for account in accounts { tr {
                th.name scope="row" { a href={ "/host/accounts/" (account.id) } { (account.name) } }
                td { (ago(account.created)) }
                td.name {
                    @if account.host { (t!("host-is-administrator")) " " } @if account.team { (t!("host-is-team")) " " }
                    @if account.frozen { span.verdict { (t!("host-frozen")) } }
                }
            } } }
        } }
    }
}

/// A number of bytes in a few words.
fn size(bytes: u64) -> String {
    let unit = (0..4).rev().find(|unit| bytes >> (10 * unit) > 0).unwrap_or(0);
    let number = bytes as f64 / f64::from(1_u32 << (10 * unit));
    let digits = usize::from(unit > 0 && number < 10.0);
    format!("{number:.digits$} {}", ["B", "KiB", "MiB", "GiB"][unit as usize])
}

#[derive(Deserialize)]
pub(crate) struct OpenForm {
    open: String,
}

/// Sets who may sign up.
pub(crate) async fn set_open(
    State(site): State<Arc<Site>>,
    host: Host,
    Form(form): Form<OpenForm>,
) -> SiteResult<Response> {
    let origin = host.origin();
    site.write(move |store| accounts::set_open(store, form.open == "yes", &origin)).await?;
    Ok(Redirect::to("/host").into_response())
}

/// Makes the site read-only, or ends that.
pub(crate) async fn set_read_only(
    State(site): State<Arc<Site>>,
    host: Host,
    Form(form): Form<YesForm>,
) -> SiteResult<Response> {
    site.set_read_only(form.yes == "yes", host.origin()).await?;
    Ok(Redirect::to("/host").into_response())
}

#[derive(Deserialize)]
pub(crate) struct InvitationForm {
    note: String,
    uses: u32,
    host: Option<String>,
}

/// Makes a link to sign up by, and shows it once.
pub(crate) async fn invite(
    State(site): State<Arc<Site>>,
    host: Host,
    Form(form): Form<InvitationForm>,
) -> SiteResult<Response> {
    match site.invite(form.note, form.uses, form.host.is_some(), None, &host.0.visitor).await {
        Ok(link) => page(&site, &host, Some(&link), None).await,
        Err(error) => page(&site, &host, None, Some(&localized(&*error.on_form()?.reason))).await,
    }
}

pub(crate) async fn uninvite(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.write(move |store| store.delete_invitation(id)).await?;
    Ok(Redirect::to("/host").into_response())
}

#[derive(Deserialize)]
pub(crate) struct AnnouncementForm {
    text: String,
}

pub(crate) async fn announce(
    State(site): State<Arc<Site>>,
    host: Host,
    Form(form): Form<AnnouncementForm>,
) -> SiteResult<Response> {
    let text = match check_announcement(&form.text) {
        Ok(text) => text,
        Err(wrong) => return page(&site, &host, None, Some(&localized(&*wrong.reason))).await,
    };
    site.write(move |store| store.announce(&text, now())).await?;
    Ok(Redirect::to("/host").into_response())
}

pub(crate) async fn unannounce(State(site): State<Arc<Site>>, _: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    site.write(move |store| store.delete_announcement(id)).await?;
    Ok(Redirect::to("/host").into_response())
}

/// An account, and the host's actions on it.
pub(crate) async fn account(State(site): State<Arc<Site>>, host: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    account_page(&site, &host, id, None).await
}

/// Creates a link with which the owner of an account sets a new password, and shows it once.
pub(crate) async fn recover(State(site): State<Arc<Site>>, host: Host, Path(id): Path<i64>) -> SiteResult<Response> {
    let origin = host.origin();
    let word = site.change(move |store| accounts::make_recovery(store, id, &origin)).await?;
    account_page(
        &site,
        &host,
        id,
        Some(&site.options.address_from(host.0.visitor.host.as_deref(), &format!("/recover/{word}"))),
    )
    .await
}

async fn account_page(site: &Arc<Site>, host: &Host, id: i64, fresh: Option<&str>) -> SiteResult<Response> {
    let read = site
        .read(move |store| Ok((store.account(id)?, store.programs_of(id)?, store.teams_of(id)?, store.members(id)?)));
    let (found, programs, teams, members) = read.await?;
    let (account, _) = found.ok_or(SiteError::NotFound)?;
    let own = host.0.account.id == account.id;
    let body = html! {
        h1 { (account.name) }
        p.faint {
            (t!("host-since-ago", ago = ago(account.created)))
            @if account.host { " · " (t!("host-is-administrator")) } @if account.team { " · " (t!("host-is-team")) }
            @if account.frozen { " · " (t!("host-frozen")) }
        }
        h2 { (t!("host-programs")) }
        ul.plain { @for program in &programs { li {
            a href={ "/program/" (program.id) } { (program.name) }
            span.faint {
                " · " @if let Some(own) = site.competition(program.competition) { (competition_title(&own)) } " · "
                (t!("host-program-games", count = program.games))
            }
            " "
            form.inline method="post" action={ "/host/programs/" (program.id) "/bar" } {
                input type="hidden" name="yes" value=(if program.barred { "no" } else { "yes" });
                @if program.barred {
                    button.small { (t!("host-unbar")) }
                } @else {
                    (parts::confirmed(
                        &t!("host-bar"),
                        &t!("host-bar-sure"),
                        &html! { button.small.danger { (t!("host-bar")) } },
                    ))
                }
            }
        } } }
        @if !teams.is_empty() {
            h2 { (t!("host-teams")) }
            (teams::links(&teams))
        }
        @if account.team {
            h2 { (t!("host-members")) }
            ul.plain { @for member in &members { li {
                a href={ "/host/accounts/" (member.account) } { (member.name) }
                @if member.joined.is_none() { span.faint { (t!("host-asked")) } }
            } } }
            p { a href={ "/team/" (id) } { (t!("host-team-page")) } }
        }
        @if let Some(link) = fresh {
            p.notice { (t!("host-recover-fresh")) br; code.secret { (link) } }
        }
        @if !account.team && !account.frozen {
            h2 { (t!("host-password")) }
            form.row method="post" action={ "/host/accounts/" (id) "/recover" } {
                p { (t!("host-recover")) }
                button { (t!("host-recover-make")) }
            }
        }
        @if !own {
            h2 { (t!("host-account")) }
            form.row method="post" action={ "/host/accounts/" (id) "/freeze" } {
                p {
                    @if account.team {
                        (t!("host-freeze-team"))
                    } @else {
                        (t!("host-freeze-account"))
                    }
                }
                input type="hidden" name="yes" value=(if account.frozen { "no" } else { "yes" });
                button { @if account.frozen { (t!("host-go-on")) } @else { (t!("host-freeze")) } }
            }
            form.row method="post" action={ "/host/accounts/" (id) "/delete" } {
                p {
                    @if account.team { (t!("host-delete-team")) } @else { (t!("host-delete-account")) }
                }
                label { (t!("host-confirm")) input name="name" required autocomplete="off"; }
                button.danger { (t!("host-delete")) }
            }
        }
    };
    Ok(Page::new(account.name.clone(), body).show(&host.0.visitor))
}

#[derive(Deserialize)]
pub(crate) struct YesForm {
    pub yes: String,
}

/// Freezes or unfreezes an account.
pub(crate) async fn freeze(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(form): Form<YesForm>,
) -> SiteResult<Response> {
    let origin = host.origin();
    site.change(move |store| accounts::set_frozen(store, id, form.yes == "yes", &origin)).await?;
    Ok(Redirect::to(&format!("/host/accounts/{id}")).into_response())
}

#[derive(Deserialize)]
pub(crate) struct DeleteForm {
    name: String,
}

/// Deletes an account with everything that belongs to it.
pub(crate) async fn delete(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(form): Form<DeleteForm>,
) -> SiteResult<Response> {
    let origin = host.origin();
    site.change(move |store| accounts::delete(store, id, &form.name, &origin)).await?;
    Ok(Redirect::to("/host").into_response())
}

/// Disqualifies a program, or readmits it.
pub(crate) async fn bar(
    State(site): State<Arc<Site>>,
    host: Host,
    Path(id): Path<i64>,
    Form(form): Form<YesForm>,
) -> SiteResult<Response> {
    let origin = host.origin();
    let program = site.change(move |store| set_barred(store, id, form.yes == "yes", &origin)).await?;
    site.queue.announce_change();
    let back = program.account.map_or("/host".to_owned(), |account| format!("/host/accounts/{account}"));
    Ok(Redirect::to(&back).into_response())
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_their_unit() {
        let all = [0, 1023, 1024, 15 << 20, 3 << 29, 5000 << 30].map(size);
        assert_eq!(all, ["0 B", "1023 B", "1.0 KiB", "15 MiB", "1.5 GiB", "5000 GiB"]);
    }
}
