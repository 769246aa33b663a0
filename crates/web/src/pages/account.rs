//! What an account can do with itself.

use std::collections::HashMap;
use std::sync::Arc;

use agon_site::accounts::{self, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, check_password};
use agon_site::clock::{ago, now};
use agon_site::secret;
use agon_site::store::{Origin, SiteProgram, SiteToken, TokenScope, TokenScopes};
use axum::Form;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::{notices, parts, teams, two_factor};
use crate::auth::{SignedIn, by_browser};
use crate::error::SiteError;
use crate::layout::{Page, problem};
use crate::passwords::{hashed, is_own};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// For how many days a token may be made, as the form offers it.
const LIFETIMES: [(&str, &str); 5] = [
    ("", "until it is revoked"),
    ("7", "for a week"),
    ("30", "for 30 days"),
    ("90", "for 90 days"),
    ("365", "for a year"),
];

pub async fn me(State(site): State<Arc<Site>>, member: SignedIn) -> SiteResult<Response> {
    own_page(&site, &member, None, None).await
}

async fn own_page(
    site: &Arc<Site>,
    member: &SignedIn,
    fresh: Option<&str>,
    wrong: Option<&str>,
) -> SiteResult<Response> {
    let id = member.account.id;
    let session = member.session.unwrap_or_default();
    let read = site.read(move |store| {
        Ok((store.programs_of(id)?, store.tokens(id)?, store.sessions(id, &session, now())?, store.totp(id)?))
    });
    let (programs, tokens, sessions, totp) = read.await?;
    let body = html! {
        h1 { (member.account.name) }
        (problem(wrong))
        (notices::list(&member.visitor))
        h2 { "Programs" }
        (program_list(site, &programs))
        h2 { "Teams" }
        (teams::links(&member.visitor.teams))
        p { a href="/teams" { "Make a team" } " whose programs belong to several people." }
        h2 { "Tokens" }
        p {
            "With a token a program submits for you: "
            code { "agon submit bot.py --game renju --server " (site.options.address("")) }
        }
        @if let Some(word) = fresh { p.notice { "The new token, shown this once: " br; code.secret { (word) } } }
        (token_list(&tokens))
        form.stack.narrow method="post" action="/me/tokens" {
            label {
                "Name of a new token" input name="name" required maxlength="40" placeholder="laptop" autocomplete="off";
            }
            @for scope in TokenScope::ALL
                .into_iter()
                .filter(|scope| *scope != TokenScope::Host || member.account.host)
            {
                label.check {
                    input type="checkbox" name=(scope.name()) value="yes" checked[TokenScopes::default().has(scope)];
                    (scope.name()) ": " (scope.words())
                }
            }
            label {
                "It counts" select name="days" { @for (days, words) in LIFETIMES { option value=(days) { (words) } } }
            }
            p { button { "Make a token" } }
        }
        h2 { "Sessions" }
        ul.plain { @for session in &sessions { li {
            "signed in " (ago(session.begun))
            @if session.own { span.faint { " · this one" } } @else {
                " "
                form.inline method="post" action={ "/me/sessions/" (session.id) "/end" } { button.small { "End" } }
            }
        } } }
        h2 { "Everything of yours" }
        p {
            a.button href="/me/export" download="agon-my-programs.tar.gz" { "Download it" }
            " Sources, versions, games and records of your programs and your teams', as one archive."
        }
        h2 { "Password" }
        form.stack.narrow method="post" action="/me/password" {
            label { "Current password" input type="password" name="password" required autocomplete="current-password"; }
            label {
                "New password"
                input type="password" name="new" required minlength=(MIN_PASSWORD_CHARS)
                    maxlength=(MAX_PASSWORD_CHARS) autocomplete="new-password";
            }
            p.faint { "All other sessions and all tokens end." }
            p { button { "Change the password" } }
        }
        (two_factor::section(member, totp.as_ref()))
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(Page::new(member.account.name.clone(), body).with_status(status).show(&member.visitor))
}

fn program_list(site: &Site, programs: &[SiteProgram]) -> Markup {
    html! {
        @if programs.is_empty() { p { "None yet. " a href="/submit" { "Submit one" } "." } }
        ul.plain { @for program in programs { li {
            a href={ "/program/" (program.id) } { (program.name) }
            span.faint { " · " @if let Some(contest) = site.contest(program.contest) { (contest.title) } " · " }
            @if program.active.is_some() {
                span.strong { (format!("{:.0}", program.rating)) } " " (parts::form(&program.form))
            } @else {
                "no version has passed its check"
            }
        } } }
    }
}

fn token_list(tokens: &[SiteToken]) -> Markup {
    html! { ul.plain { @for token in tokens { li {
        (token.name)
        span.faint {
            " · " (token.scopes.iter().map(TokenScope::name).collect::<Vec<_>>().join(", ")) " · made "
            (ago(token.created))
            @match token.used { Some(used) => { " · used " (ago(used)) }, None => { " · never used" } }
            @if let Some(expires) = token.expires {
                " · " @if expires > now() { "expires " } @else { "expired " } (parts::time(expires))
            }
        }
        " "
        form.inline method="post" action={ "/me/tokens/" (token.id) "/delete" } { button.small { "Revoke" } }
    } } } }
}

#[derive(Deserialize)]
pub struct TokenForm {
    name: String,
    /// For how many days it counts.
    #[serde(default)]
    days: String,
    /// The scopes that are ticked.
    #[serde(flatten)]
    ticked: HashMap<String, String>,
}

/// Makes a token and shows it once.
pub async fn add_token(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Form(form): Form<TokenForm>,
) -> SiteResult<Response> {
    by_browser(&member)?;
    let ticked = |scope: &TokenScope| form.ticked.contains_key(scope.name());
    let scopes = TokenScopes::new(TokenScope::ALL.into_iter().filter(ticked));
    if LIFETIMES.iter().all(|(days, _)| *days != form.days) {
        return own_page(&site, &member, None, Some("Choose for how long the token counts.")).await;
    }
    let expires = form.days.parse::<i64>().ok().map(|days| now() + days * 86_400);
    let (account, origin) = (member.account.clone(), member.visitor.origin());
    let made = site.change(move |store| accounts::make_token(store, &account, &form.name, scopes, expires, &origin));
    match made.await {
        Ok((_, word)) => own_page(&site, &member, Some(&word), None).await,
        Err(error) => own_page(&site, &member, None, Some(&error.on_form()?.text)).await,
    }
}

pub async fn delete_token(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(token): Path<i64>,
) -> SiteResult<Response> {
    by_browser(&member)?;
    let (id, origin) = (member.account.id, member.visitor.origin());
    site.write(move |store| accounts::revoke_token(store, id, token, &origin)).await?;
    Ok(Redirect::to("/me").into_response())
}

#[derive(Deserialize)]
pub struct PasswordForm {
    password: String,
    new: String,
}

/// Ends a session of one's own.
pub async fn end_session(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Path(session): Path<i64>,
) -> SiteResult<Response> {
    by_browser(&member)?;
    let id = member.account.id;
    site.write(move |store| store.end_session_of(id, session)).await?;
    Ok(Redirect::to("/me").into_response())
}

/// The form of a link to a new password.
pub async fn recover_form(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(word): Path<String>,
) -> SiteResult<Response> {
    let digest = secret::digest(&word);
    let account = site.read(move |store| store.recovered(&digest, now())).await?.ok_or(SiteError::NotFound)?;
    Ok(recover_page(&word, &account.name, None, &visitor))
}

fn recover_page(word: &str, name: &str, wrong: Option<&str>, visitor: &Visitor) -> Response {
    let body = html! {
        h1 { "New password" }
        p { "For the account " span.strong { (name) } ". All its sessions and tokens end." }
        (problem(wrong))
        form.stack.narrow method="post" action={ "/recover/" (word) } {
            label {
                "New password"
                input type="password" name="password" required minlength=(MIN_PASSWORD_CHARS)
                    maxlength=(MAX_PASSWORD_CHARS) autocomplete="new-password";
            }
            p { button.primary { "Set the password" } }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Page::new("New password", body).with_status(status).show(visitor)
}

#[derive(Deserialize)]
pub struct RecoverForm {
    password: String,
}

/// Sets a new password by a link, once.
pub async fn recover(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(word): Path<String>,
    Form(form): Form<RecoverForm>,
) -> SiteResult<Response> {
    let digest = secret::digest(&word);
    let account = site.read(move |store| store.recovered(&digest, now())).await?.ok_or(SiteError::NotFound)?;
    if let Err(wrong) = check_password(&form.password, &account.name) {
        return Ok(recover_page(&word, &account.name, Some(&wrong), &visitor));
    }
    let hash = hashed(&site, form.password).await?;
    let origin = Origin::request(None, visitor.address);
    if !site.write(move |store| accounts::recover(store, &digest, &hash, &origin)).await? {
        return Err(SiteError::NotFound);
    }
    Ok(Redirect::to("/signin").into_response())
}

/// Changes the password, and ends all other sessions and all tokens.
pub async fn change_password(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Form(form): Form<PasswordForm>,
) -> SiteResult<Response> {
    let session = by_browser(&member)?;
    let id = member.account.id;
    if let Err(wrong) = check_password(&form.new, &member.account.name) {
        return own_page(&site, &member, None, Some(&wrong)).await;
    }
    if !is_own(&site, id, form.password).await? {
        return own_page(&site, &member, None, Some("The current password is wrong.")).await;
    }
    let (hash, origin) = (hashed(&site, form.new).await?, member.visitor.origin());
    site.write(move |store| accounts::change_password(store, id, &hash, &session, &origin)).await?;
    Ok(Redirect::to("/me").into_response())
}
