//! Messages of the host: read by those they are for, sent by the host.

use std::sync::Arc;

use agon_boards::layout::{Page, problem};
use agon_boards::text::{ago, localized, t};
use agon_site::clock::now;
use agon_site::messages::{self, MAX_MESSAGE_CHARS, MessageForm};
use axum::Form;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;

use super::parts::linked;
use crate::auth::{Host, SignedIn};
use crate::layout::{ShowPage as _, competition_title};
use crate::site::{Site, SiteResult};

/// Messages on the page of the host.
const MAX_SENT: u32 = 50;

/// The user's own messages, which become read.
pub(crate) async fn own(State(site): State<Arc<Site>>, member: SignedIn) -> SiteResult<Response> {
    let id = member.account.id;
    let all = site.read(move |store| store.messages(id)).await?;
    if let Some(last) = all.first().map(|message| message.id).filter(|_| member.visitor.notices.messages > 0)
        && !site.queue.maintenance.is_read_only()
    {
        site.write(move |store| store.read_messages(id, last, now())).await?;
    }
    let body = html! {
        h1 { (t!("messages-title")) }
        @if all.is_empty() { p.empty { (t!("messages-none")) } }
        ul.plain { @for message in &all { li {
            @if message.read.is_none() { strong { (t!("messages-new")) } " " }
            span.faint { (ago(message.sent)) }
            p.description { (linked(&message.text)) }
        } } }
    };
    Ok(Page::new(t!("messages-title"), body).show(&member.visitor))
}

/// The messages sent, and the form for a new one.
pub(crate) async fn show(State(site): State<Arc<Site>>, host: Host) -> SiteResult<Response> {
    page(&site, &host, &MessageForm::default(), None).await
}

async fn page(site: &Arc<Site>, host: &Host, typed: &MessageForm, wrong: Option<&str>) -> SiteResult<Response> {
    let sent = site.read(|store| store.sent_messages(MAX_SENT)).await?;
    let competitions = site.competitions();
    let body = html! {
        h1 { (t!("messages-title")) }
        (problem(wrong))
        form.stack method="post" action="/host/messages" {
            div.fields {
                label {
                    (t!("messages-to"))
                    select name="contest" {
                        option value="" { (t!("messages-all")) }
                        @for competition in competitions.iter() {
                            option value=(competition.slug) selected[typed.competition == competition.slug] {
                                (t!("messages-of", title = competition_title(competition)))
                            }
                        }
                    }
                }
                label {
                    (t!("messages-account"))
                    input name="account" value=(typed.account) maxlength="24" autocomplete="off";
                }
            }
            label {
                (t!("messages-text"))
                textarea name="text" rows="4" required maxlength=(MAX_MESSAGE_CHARS) { "\n" (typed.text) }
            }
            p { button.primary { (t!("messages-send")) } }
        }
        h2 { (t!("messages-sent")) }
        @if sent.is_empty() { p.empty { (t!("messages-none")) } }
        ul.plain { @for (text, at, all, read) in &sent { li {
            span.faint { (ago(*at)) " · " (t!("messages-read", read = read, all = all)) }
            p.description { (linked(text)) }
        } } }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(Page::new(t!("messages-title"), body).with_status(status).show(&host.0.visitor))
}

/// Sends a message to all, to the people of a competition, or to one account.
pub(crate) async fn send(
    State(site): State<Arc<Site>>,
    host: Host,
    Form(form): Form<MessageForm>,
) -> SiteResult<Response> {
    let (competitions, typed) = (site.competitions(), form.clone());
    match site.change(move |store| messages::send(store, &competitions, &form)).await {
        Ok(_) => Ok(Redirect::to("/host/messages").into_response()),
        Err(error) => page(&site, &host, &typed, Some(&localized(&*error.on_form()?.reason))).await,
    }
}
