//! Codes of an authenticator app in addition to the password, for administrators.

use std::sync::Arc;

use agon_boards::layout::{Page, problem};
use agon_boards::limits::LimitedActor;
use agon_boards::text::{ago, localized, t};
use agon_site::clock::now;
use agon_site::error::Refusal;
use agon_site::store::{SiteStore, SiteTotp};
use agon_site::totp::{self, MAX_TYPED_CHARS};
use axum::Form;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, PreEscaped, html};
use qrcode::QrCode;
use qrcode::render::svg::Color;
use serde::Deserialize;

use crate::auth::{SignedIn, by_browser};
use crate::error::SiteError;
use crate::layout::ShowPage as _;
use crate::passwords::is_own;
use crate::rate::LimitedAction;
use crate::site::{Site, SiteResult};

/// The part of an administrator's own page.
pub(crate) fn section(member: &SignedIn, totp: Option<&SiteTotp>) -> Markup {
    html! { @if member.account.host || member.visitor.needs_totp {
        h3 id="two-factor" { (t!("totp-title")) }
        @if member.visitor.needs_totp {
            p.problem role="alert" {
                (t!("totp-needed"))
            }
        }
        @match totp.and_then(|totp| Some((totp.confirmed?, totp.codes))) {
            Some((since, codes)) => {
                p {
                    (t!("totp-state", ago = ago(since), codes = codes))
                }
                form.stack.narrow method="post" action="/me/totp/codes" {
                    (code_field(&t!("totp-code")))
                    p { button { (t!("totp-renew")) } }
                }
                form.stack.narrow method="post" action="/me/totp/remove" {
                    (password_field())
                    (code_field(&t!("totp-any-code")))
                    p { button.danger { (t!("totp-off")) } }
                }
            }
            None => {
                p {
                    (t!("totp-hint"))
                }
                form.stack.narrow method="post" action="/me/totp" {
                    (password_field())
                    p { button { (t!("totp-set-up")) } }
                }
            }
        }
    } }
}

fn password_field() -> Markup {
    html! { label {
        (t!("totp-password")) input type="password" name="password" required autocomplete="current-password";
    } }
}

fn code_field(label: &str) -> Markup {
    html! { label {
        (label)
        input name="code" required maxlength=(MAX_TYPED_CHARS) autocomplete="one-time-code" autocapitalize="off"
            spellcheck="false";
    } }
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct TotpForm {
    password: String,
    code: String,
}

/// One whom this is for: an administrator, with a browser.
fn administrator(member: &SignedIn) -> SiteResult<i64> {
    by_browser(member)?;
    if member.account.host || member.visitor.needs_totp { Ok(member.account.id) } else { Err(SiteError::NotFound) }
}

/// A page that reports a mistake, and leads back.
fn refused(wrong: &str, member: &SignedIn) -> Response {
    let body = html! {
        h1 { (t!("totp-title")) }
        (problem(Some(wrong)))
        p { a href="/me#two-factor" { (t!("totp-back")) } }
    };
    Page::new(t!("totp-title"), body).with_status(StatusCode::UNPROCESSABLE_ENTITY).show(&member.visitor)
}

/// The secret as a picture and as text, and the form for a first code.
fn set_up_page(site: &Site, secret: &[u8], wrong: Option<&str>, member: &SignedIn) -> SiteResult<Response> {
    let address = site.options.address("");
    let host = address.split_once("://").map_or(address.as_str(), |(_, host)| host);
    let link = totp::link(secret, &member.account.name, host);
    let drawn = QrCode::new(&link).map_err(SiteError::internal)?;
    let drawn = drawn.render::<Color>().min_dimensions(200, 200).build();
    // Inside a page it is an element, not a document.
    let picture = drawn.split_once("?>").map_or(drawn.as_str(), |(_, picture)| picture).to_owned();
    let body = html! {
        h1 { (t!("totp-title")) }
        (problem(wrong))
        p { (t!("totp-photograph")) }
        div role="img" aria-label=(t!("totp-picture")) { (PreEscaped(picture)) }
        p { (t!("totp-secret")) " " code.secret { (totp::readable(secret)) } }
        p { a href=(link) { (t!("totp-open")) } }
        form.stack.narrow method="post" action="/me/totp/confirm" {
            (code_field(&t!("totp-first")))
            p { button.primary { (t!("totp-on")) } }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(Page::new(t!("totp-title"), body).with_status(status).show(&member.visitor))
}

fn codes_page(codes: &[String], member: &SignedIn) -> Response {
    let body = html! {
        h1 { (t!("totp-title")) }
        p.notice role="status" { (t!("totp-done")) }
        p { (t!("totp-codes")) }
        ul.plain { @for code in codes { li { code.secret { (code) } } } }
        p { a href="/me#two-factor" { (t!("totp-back")) } }
    };
    Page::new(t!("totp-title"), body).show(&member.visitor)
}

/// Begins to set up an app, and shows the secret.
pub(crate) async fn begin(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Form(form): Form<TotpForm>,
) -> SiteResult<Response> {
    let id = administrator(&member)?;
    if !is_own(&site, id, form.password).await? {
        return Ok(refused(&t!("totp-wrong-password"), &member));
    }
    match site.change(move |store| totp::begin(store, id)).await {
        Ok(secret) => set_up_page(&site, &secret, None, &member),
        Err(error) => Ok(refused(&localized(&*error.on_form()?.reason), &member)),
    }
}

/// Tries a code within the account's allowance; `job` says whether it was right.
async fn with_code<T: Send + 'static>(
    site: &Arc<Site>,
    id: i64,
    job: impl FnOnce(&mut SiteStore) -> Result<Option<T>, Refusal> + Send + 'static,
) -> SiteResult<Option<T>> {
    let actor = LimitedActor::Account(id);
    site.take(LimitedAction::Code, actor)?;
    let done = site.change(job).await?;
    if done.is_some() {
        site.limits.give_back(LimitedAction::Code, actor);
    }
    Ok(done)
}

/// Completes the setup with a first code, and shows the recovery codes.
pub(crate) async fn confirm(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Form(form): Form<TotpForm>,
) -> SiteResult<Response> {
    let (id, origin) = (administrator(&member)?, member.visitor.origin());
    let confirm = move |store: &mut SiteStore| totp::confirm(store, id, &form.code, &origin, now());
    if let Some(codes) = with_code(&site, id, confirm).await? {
        return Ok(codes_page(&codes, &member));
    }
    let begun = site.read(move |store| store.totp(id)).await?.ok_or(SiteError::NotFound)?;
    set_up_page(&site, &begun.secret, Some(&t!("totp-wrong-code")), &member)
}

/// Makes new recovery codes, and shows them.
pub(crate) async fn renew(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Form(form): Form<TotpForm>,
) -> SiteResult<Response> {
    let (id, origin) = (administrator(&member)?, member.visitor.origin());
    let renew = move |store: &mut SiteStore| match totp::prove(store, id, &form.code, now())? {
        Some(_) => totp::renew(store, id, &origin, now()).map(Some),
        None => Ok(None),
    };
    let codes = with_code(&site, id, renew).await?;
    Ok(codes.map_or_else(|| refused(&t!("totp-wrong-code"), &member), |codes| codes_page(&codes, &member)))
}

/// Stops requiring codes.
pub(crate) async fn remove(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Form(form): Form<TotpForm>,
) -> SiteResult<Response> {
    let (id, origin) = (administrator(&member)?, member.visitor.origin());
    if !is_own(&site, id, form.password).await? {
        return Ok(refused(&t!("totp-wrong-password"), &member));
    }
    let remove = move |store: &mut SiteStore| match totp::prove(store, id, &form.code, now())? {
        Some(_) => totp::remove(store, id, &origin, now()).map(Some),
        None => Ok(None),
    };
    match with_code(&site, id, remove).await? {
        Some(_) => Ok(Redirect::to("/me#two-factor").into_response()),
        None => Ok(refused(&t!("totp-wrong-code"), &member)),
    }
}
