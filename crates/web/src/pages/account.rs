//! Signing up, signing in, and what an account can do with itself.

use std::collections::HashMap;
use std::sync::Arc;

use agon_game::hash::fnv1a;
use agon_site::accounts::{self, MAX_NAME_CHARS, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, check_password, is_open};
use agon_site::clock::{ago, now};
use agon_site::identity::Identity;
use agon_site::names::{check_account_name, composed, skeleton};
use agon_site::secret;
use agon_site::store::{SiteProgram, SiteStore, SiteToken, TokenScope, TokenScopes};
use agon_site::submission::SubmissionDraft;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::{draft, notices, parts, teams};
use crate::auth::{BROWSER_ONLY, SignedIn, cookie};
use crate::error::SiteError;
use crate::layout::{Page, problem};
use crate::limits::Effort;
use crate::rate::{LimitedAction, LimitedActor};
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

#[derive(Deserialize, Default)]
#[serde(default)]
pub struct SignInForm {
    name: String,
    password: String,
    next: String,
    draft: String,
    /// Of a draft that was to be submitted.
    #[serde(alias = "game")]
    contest: String,
    program: String,
    language: String,
    source: String,
    file: String,
    team: String,
}

impl SignInForm {
    fn draft(&self) -> Option<SubmissionDraft> {
        (!self.draft.is_empty()).then(|| SubmissionDraft {
            contest: self.contest.clone(),
            name: self.program.clone(),
            language: self.language.clone(),
            source: self.source.clone(),
            file: self.file.clone(),
            team: self.team.clone(),
        })
    }
}

#[derive(Deserialize)]
pub struct NextQuery {
    #[serde(default)]
    next: String,
}

/// A path of this site: nothing else is led to.
fn own_path(next: &str) -> &str {
    // Browsers drop tabs and line ends from an address, and take a backslash for a slash.
    let own = next.starts_with('/') && !next.starts_with("//") && !next.contains(|c: char| c == '\\' || c.is_control());
    if own { next } else { "/" }
}

/// The form to sign in.
pub async fn sign_in_form(visitor: Visitor, Query(query): Query<NextQuery>) -> Response {
    sign_in_page("", &query.next, None, None, &visitor)
}

/// The form, with what was typed, and with the draft that was to be submitted.
pub fn sign_in_page(
    name: &str,
    next: &str,
    draft: Option<&SubmissionDraft>,
    wrong: Option<&str>,
    visitor: &Visitor,
) -> Response {
    let body = html! {
        h1 { "Sign in" }
        @if draft.is_some() { p.notice { "Sign in to submit your program: it is kept meanwhile." } }
        (problem(wrong))
        form.stack.narrow method="post" action="/signin" {
            (credentials(name, "current-password"))
            input type="hidden" name="next" value=(next);
            (hidden(draft))
            p { button.primary { "Sign in" } }
        }
        @if draft.is_some() {
            form.stack.narrow method="post" action="/signup" {
                h2 { "Or sign up" }
                (credentials("", "new-password"))
                (hidden(draft))
                p { button { "Sign up" } }
            }
        } @else {
            p { "No account yet? " a href={ "/signup?next=" (crate::error::query_escaped(next)) } { "Sign up" } }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Page::new("Sign in", body).with_status(status).show(visitor)
}

fn credentials(name: &str, password: &str) -> Markup {
    html! {
        label {
            "Name"
            input name="name" value=(name) required maxlength=(MAX_NAME_CHARS) autocomplete="username"
                autocapitalize="off" spellcheck="false";
        }
        label {
            "Password"
            input type="password" name="password" required
                minlength=[(password == "new-password").then_some(MIN_PASSWORD_CHARS)] maxlength=(MAX_PASSWORD_CHARS)
                autocomplete=(password);
        }
    }
}

fn hidden(draft: Option<&SubmissionDraft>) -> Markup {
    html! { @if let Some(draft) = draft {
        input type="hidden" name="draft" value="1";
        input type="hidden" name="contest" value=(draft.contest); input type="hidden" name="program" value=(draft.name);
        input type="hidden" name="language" value=(draft.language); input type="hidden" name="file" value=(draft.file);
        input type="hidden" name="team" value=(draft.team);
        textarea hidden name="source" { "\n" (draft.source) }
    } }
}

pub async fn sign_in(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Form(form): Form<SignInForm>,
) -> SiteResult<Response> {
    let name = form.name.trim().to_owned();
    // No name is longer.
    let start: String = name.chars().take(MAX_NAME_CHARS + 1).collect();
    let (digest, actor) = (fnv1a(&skeleton(&start)), LimitedActor::at(visitor.address));
    // Each attempt counts as a failure until it is known to be none.
    site.take(LimitedAction::SignIn, actor)?;
    if let Err(wait) = site.failures.attempt(digest, actor) {
        site.limits.give_back(LimitedAction::SignIn, actor);
        return Err(SiteError::TooMany(LimitedAction::SignIn, wait));
    }
    let asked = name.clone();
    let find = move |store: &SiteStore| match store.account_by_name(&asked)? {
        None => store.account_by_name(&composed(&asked)),
        found => Ok(found),
    };
    let found = site.read(find).await?;
    let password = form.password.clone();
    let account = site.rooms.passwords.run(move |_| {
        let fits = secret::verify(&password, found.as_ref().map(|(_, hash)| hash.as_str()));
        found.filter(|_| fits).map(|(account, _)| account)
    });
    let Some(account) = account.await? else {
        // The answer does not reveal which names exist.
        let wrong = "There is no such name with this password.";
        return Ok(sign_in_page(&name, &form.next, form.draft().as_ref(), Some(wrong), &visitor));
    };
    site.failures.succeeded(digest, actor);
    site.limits.give_back(LimitedAction::SignIn, actor);
    if account.frozen {
        let wrong = "This account has been frozen by the host.";
        return Ok(sign_in_page(&name, &form.next, None, Some(wrong), &visitor));
    }
    let visitor = Visitor { who: Identity { account: Some(account.clone()), teams: Vec::new() }, ..visitor };
    begin_session(&site, account.id, &form.next, form.draft(), &visitor).await
}

/// Begins a session, and leads on; to the form that was filled in before, if there is one.
async fn begin_session(
    site: &Arc<Site>,
    account: i64,
    next: &str,
    typed: Option<SubmissionDraft>,
    visitor: &Visitor,
) -> SiteResult<Response> {
    let word = secret::word();
    let digest = secret::digest(&word);
    site.write(move |store| store.begin_session(account, &digest, now())).await?;
    let cookie = [(header::SET_COOKIE, cookie(&word, site.options.is_secure()))];
    let Some(typed) = typed else { return Ok((cookie, Redirect::to(own_path(next))).into_response()) };
    let teams = site.read(move |store| store.teams_of(account)).await?;
    let who = Identity { teams, ..visitor.who.clone() };
    let visitor = Visitor { who, ..visitor.clone() };
    let own = draft::own_programs(site, &visitor).await?;
    let mut response = draft::kept(&typed, &own, &visitor, &site.languages());
    let [(name, value)] = cookie;
    response.headers_mut().insert(name, value.parse().map_err(SiteError::internal)?);
    Ok(response)
}

pub async fn sign_out(State(site): State<Arc<Site>>, visitor: Visitor) -> SiteResult<Response> {
    if let Some(session) = visitor.session {
        site.write(move |store| store.end_session(&session)).await?;
    }
    let cookie = [(header::SET_COOKIE, cookie("", site.options.is_secure()))];
    Ok((cookie, Redirect::to("/")).into_response())
}

/// The form to sign up.
pub async fn sign_up_form(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<NextQuery>,
) -> SiteResult<Response> {
    if !site.read(is_open).await? {
        let body = html! {
            h1 { "Sign up" }
            p { "This site is open by invitation: use the link that its host has sent you." }
        };
        return Ok(Page::new("Sign up", body).show(&visitor));
    }
    Ok(sign_up_page("/signup", "", &query.next, None, None, &visitor))
}

fn sign_up_page(
    action: &str,
    name: &str,
    next: &str,
    note: Option<&str>,
    wrong: Option<&str>,
    visitor: &Visitor,
) -> Response {
    let body = html! {
        h1 { "Sign up" }
        @if let Some(note) = note {
            p.notice {
                (note) " "
                @if action.starts_with("/join/") {
                    "If you have an account, " a href={ "/signin?next=" (action) } { "sign in" } " first."
                }
            }
        }
        (problem(wrong))
        form.stack.narrow method="post" action=(action) {
            (credentials(name, "new-password"))
            input type="hidden" name="next" value=(next);
            p.faint { "Everybody sees the name. The password has at least " (MIN_PASSWORD_CHARS) " characters." }
            p { button.primary { "Sign up" } }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Page::new("Sign up", body).with_status(status).show(visitor)
}

/// The hash of a new password, when its turn has come.
async fn hashed(site: &Arc<Site>, password: String) -> SiteResult<String> {
    Ok(site.rooms.passwords.run(move |_| secret::hash(&password)).await?)
}

pub async fn sign_up(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Form(form): Form<SignInForm>,
) -> SiteResult<Response> {
    if !site.read(is_open).await? {
        return Err(SiteError::Forbidden("This site is open by invitation."));
    }
    create(&site, form, None, visitor).await
}

/// The form that an invitation leads to.
pub async fn join_form(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(word): Path<String>,
) -> SiteResult<Response> {
    let digest = secret::digest(&word);
    let invitation = site.read(move |store| store.invitation(&digest, now())).await?.ok_or(SiteError::NotFound)?;
    let action = format!("/join/{word}");
    let contest = invitation.contest.and_then(|id| site.contest(id));
    if let (Some(contest), Some(account)) = (&contest, &visitor.account) {
        let body = html! {
            h1 { (contest.title) }
            p { "This link lets you into the competition: " (contest.game.title()) ", " (parts::when(contest)) "." }
            form method="post" action=(action) { button.primary { "Enter as " (account.name) } }
        };
        return Ok(Page::new(contest.title.clone(), body).show(&visitor));
    }
    let (note, next) = match &contest {
        _ if invitation.host => ("This link makes you the administrator of this site.".to_owned(), "/".to_owned()),
        Some(contest) => {
            (format!("You are invited to the competition {}.", contest.title), format!("/ladder/{}", contest.slug))
        }
        None => ("You are invited.".to_owned(), "/".to_owned()),
    };
    Ok(sign_up_page(&action, "", &next, Some(&note), None, &visitor))
}

/// Signs up by an invitation; who has signed in is let into its competition.
pub async fn join(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(word): Path<String>,
    Form(form): Form<SignInForm>,
) -> SiteResult<Response> {
    if let Some(account) = &visitor.account
        && let Some(contest) = site.enter_competition(account.id, &word).await?
    {
        return Ok(Redirect::to(&format!("/ladder/{}", contest.slug)).into_response());
    }
    create(&site, form, Some(word), visitor).await
}

async fn create(site: &Arc<Site>, form: SignInForm, word: Option<String>, visitor: Visitor) -> SiteResult<Response> {
    let typed = form.name.trim();
    let checked = check_account_name(typed, MAX_NAME_CHARS, "the name")
        .and_then(|name| check_password(&form.password, &name).map(|()| name));
    let name = checked.as_deref().unwrap_or(typed).to_owned();
    let action = word.as_ref().map_or_else(|| "/signup".to_owned(), |word| format!("/join/{word}"));
    let draft = form.draft();
    let again = |wrong: &str| match &draft {
        Some(draft) => sign_in_page(&name, "/submit", Some(draft), Some(wrong), &visitor),
        None => sign_up_page(&action, &name, &form.next, None, Some(wrong), &visitor),
    };
    if let Err(wrong) = checked {
        return Ok(again(&wrong));
    }
    let actor = LimitedActor::at(visitor.address);
    site.take(LimitedAction::SignUp, actor)?;
    site.take(LimitedAction::SignUpNetwork, LimitedActor::network_of(visitor.address))?;
    let hash = hashed(site, form.password.clone()).await?;
    let (digest, wanted) = (word.as_deref().map(secret::digest), name.clone());
    let made = site.write(move |store| match digest {
        Some(digest) => store.accept_invitation(&digest, &wanted, &hash, now()),
        None => Ok(Some(store.create_account(&wanted, &hash, false, now())?)),
    });
    match made.await? {
        None => Err(SiteError::NotFound),
        Some(None) => Ok(again("This name is taken, or looks like one that is; choose another one.")),
        Some(Some(id)) => {
            let account = site.read(move |store| store.account(id)).await?.map(|(account, _)| account);
            let visitor = Visitor { who: Identity { account, teams: Vec::new() }, ..visitor };
            begin_session(site, id, &form.next, form.draft(), &visitor).await
        }
    }
}

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
    let read =
        site.read(move |store| Ok((store.programs_of(id)?, store.tokens(id)?, store.sessions(id, &session, now())?)));
    let (programs, tokens, sessions) = read.await?;
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

/// What only a browser may do: a token that has leaked must not make others.
fn by_browser(member: &SignedIn) -> SiteResult<[u8; 32]> {
    member.session.ok_or(SiteError::Forbidden(BROWSER_ONLY))
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
    let account = member.account.clone();
    let made = site.change(move |store| accounts::make_token(store, &account, &form.name, scopes, expires));
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
    let id = member.account.id;
    site.write(move |store| store.delete_token(id, token)).await?;
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
    if !site.write(move |store| store.use_recovery(&digest, &hash, now())).await? {
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
    let actor = LimitedActor::Account(id);
    site.take(LimitedAction::SignIn, actor)?;
    if let Err(wrong) = check_password(&form.new, &member.account.name) {
        return own_page(&site, &member, None, Some(&wrong)).await;
    }
    let found = site.read(move |store| store.account(id)).await?;
    let verify = move |_: &Effort| secret::verify(&form.password, found.as_ref().map(|(_, hash)| hash.as_str()));
    let fits = site.rooms.passwords.run(verify).await?;
    if !fits {
        return own_page(&site, &member, None, Some("The current password is wrong.")).await;
    }
    let hash = hashed(&site, form.new).await?;
    site.write(move |store| store.set_password(id, &hash, &session)).await?;
    Ok(Redirect::to("/me").into_response())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_paths_are_followed() {
        for (next, wanted) in [
            ("/submit?game=renju", "/submit?game=renju"),
            ("//evil.example", "/"),
            ("/\t/evil.example", "/"),
            ("/\\evil.example", "/"),
            ("https://evil.example", "/"),
            ("", "/"),
        ] {
            assert_eq!(own_path(next), wanted);
        }
    }
}
