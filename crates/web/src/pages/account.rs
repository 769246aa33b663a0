//! What an account can do with itself.

use std::collections::HashMap;
use std::sync::Arc;

use agon_boards::layout::{Page, problem};
use agon_boards::text::{ago, game_title, localized, rich, t, time};
use agon_message::Stated;
use agon_site::accounts::{self, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, check_password};
use agon_site::clock::now;
use agon_site::identity::Identity;
use agon_site::secret;
use agon_site::secret::SecretDigest;
use agon_site::store::{AskedGames, Competition, EventDetail, Origin, SiteAccount, SiteToken, TokenScope, TokenScopes};
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::parts::SavedQuery;
use super::sign_in::begin_session;
use super::{cards, following, notices, parts, teams, two_factor};
use crate::auth::{SignedIn, by_browser, cookie};
use crate::error::SiteError;
use crate::layout::{ShowPage as _, competition_title};
use crate::passwords::{hashed, is_own};
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// Questions for games that are listed, the newest ones.
const MAX_ASKED_SHOWN: u32 = 20;

const DAY_SECONDS: i64 = 86_400;

/// For how many days a token may be created, as the form offers it.
const LIFETIMES: [&str; 5] = ["", "7", "30", "90", "365"];

fn lifetime(days: &str) -> String {
    match days {
        "7" => t!("token-week"),
        "30" => t!("token-30"),
        "90" => t!("token-90"),
        "365" => t!("token-year"),
        _ => t!("token-for-ever"),
    }
}

pub(crate) async fn me(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Query(query): Query<SavedQuery>,
) -> SiteResult<Response> {
    let done = query.saved.and_then(|saved| match saved.as_str() {
        "password" => Some(t!("account-saved")),
        "program-deleted" => Some(t!("account-program-deleted")),
        _ => None,
    });
    own_page(&site, &member, done.as_deref().map(Fresh::Done), None).await
}

/// What a page says that has just been done.
#[derive(Clone, Copy)]
enum Fresh<'a> {
    Token(&'a str),
    Done(&'a str),
}

async fn own_page(
    site: &Arc<Site>,
    member: &SignedIn,
    fresh: Option<Fresh<'_>>,
    wrong: Option<&str>,
) -> SiteResult<Response> {
    let id = member.account.id;
    let session = member.session.unwrap_or_default();
    let read = site.read(move |store| {
        Ok((store.programs_of(id)?, store.tokens(id)?, store.sessions(id, &session, now())?, store.totp(id)?))
    });
    let (programs, tokens, sessions, totp) = read.await?;
    let read = site.read(move |store| {
        Ok((
            store.asked_of(id, MAX_ASKED_SHOWN)?,
            store.submitted_by(id, now() - DAY_SECONDS)?,
            store.entered_competitions(id)?,
        ))
    });
    let (asked, submitted, entered) = read.await?;
    let entered: Vec<Competition> = entered.iter().filter_map(|id| site.competition(*id)).collect();
    let news = following::since_last_visit(site, &member.visitor, false).await?;
    let body = html! {
        h1 { (member.account.name) }
        (problem(wrong))
        @if let Some(Fresh::Done(done)) = fresh { p.notice role="status" { (done) } }
        (notices::list(&member.visitor))
        (notices::removals(&member.visitor, None))
        p.actions {
            a href="/me/messages" { (t!("account-messages")) }
            a href="/following" { (t!("following-all")) }
        }
        (entered_list(&entered))
        (news)
        h2 { (t!("account-programs")) }
        @if programs.is_empty() {
            p.empty { (rich!("account-no-program", link = html! { a href="/submit" { (t!("account-submit-link")) } })) }
        }
        (cards::of(site, &programs))
        p.faint { (t!("account-quota", used = submitted, most = site.options.submissions.daily)) }
        @if !asked.is_empty() { h2 { (t!("account-asked")) } (asked_list(&asked)) }
        h2 { (t!("account-teams")) }
        (teams::links(&member.visitor.teams))
        p { (rich!("account-team-make", link = html! { a href="/teams" { (t!("account-team-link")) } })) }
        h2 { (t!("account-settings")) }
        div.tops.settings-cards {
            section.card { (token_part(site, member, &tokens, &entered, fresh)) }
            section.card {
                h3 { (t!("account-sessions")) }
                ul.plain { @for session in &sessions { li {
                    (t!("account-session-begun", ago = ago(session.begun)))
                    @if session.own { span.faint { (t!("account-session-own")) } } @else {
                        " "
                        form.inline method="post" action={ "/me/sessions/" (session.id) "/end" } {
                            button.small { (t!("account-session-end")) }
                        }
                    }
                } } }
            }
            section.card {
                h3 { (t!("account-export-title")) }
                p {
                    a.button href="/me/export" download="agon-my-programs.tar.gz" { (t!("account-export")) }
                    (t!("account-export-hint"))
                }
            }
            section.card {
                h3 { (t!("account-password")) }
                form.stack.narrow method="post" action="/me/password" {
                    label {
                        (t!("account-password-now"))
                        input type="password" name="password" required autocomplete="current-password";
                    }
                    label {
                        (t!("account-password-new"))
                        input type="password" name="new" required minlength=(MIN_PASSWORD_CHARS)
                            maxlength=(MAX_PASSWORD_CHARS) autocomplete="new-password";
                    }
                    p.faint { (t!("account-password-hint")) }
                    p { button { (t!("account-password-change")) } }
                }
            }
            @if member.account.host || member.visitor.needs_totp {
                section.card { (two_factor::section(member, totp.as_ref())) }
            }
            section.danger-zone {
                h3 { (t!("account-delete")) }
                form.stack.narrow method="post" action="/me/delete" {
                    p { (t!("account-delete-hint")) }
                    label { (t!("account-delete-name")) input name="name" required autocomplete="off"; }
                    label {
                        (t!("account-password-now"))
                        input type="password" name="password" required autocomplete="current-password";
                    }
                    p { button.danger { (t!("account-delete")) } }
                }
            }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(Page::new(member.account.name.clone(), body).with_status(status).show(&member.visitor))
}

/// The competitions that the account has entered.
fn entered_list(entered: &[Competition]) -> Markup {
    html! { @if !entered.is_empty() {
        h2 { (t!("front-own")) }
        ul.plain { @for competition in entered { li {
            a href={ "/ladder/" (competition.slug) } { (competition_title(competition)) }
            span.faint { " · " (game_title(competition.game)) " · " (parts::when(competition)) }
        } } }
    } }
}

/// The tokens, the one that was just made, and the form for another.
fn token_part(
    site: &Site,
    member: &SignedIn,
    tokens: &[SiteToken],
    entered: &[Competition],
    fresh: Option<Fresh<'_>>,
) -> Markup {
    // What someone has entered is what the command is for.
    let wanted = entered.first().map_or_else(
        || "--game renju".to_owned(),
        |one| {
            let own = one.title == one.game.title();
            format!("{} {}", if own { "--game" } else { "--competition" }, one.slug)
        },
    );
    html! {
        h3 { (t!("account-tokens")) }
        p {
            (t!("account-token-intro"))
            code {
                "agon submit bot.py " (wanted) " --server "
                (site.options.address(""))
            }
        }
        @if entered.is_empty() { p.faint {
            (rich!(
                "account-token-names",
                game = html! { code { "--game renju" } },
                competition = html! { code { "--competition friday" } },
                address = html! { code { "/ladder/friday" } },
            ))
        } }
        @if let Some(Fresh::Token(word)) = fresh { p.notice { (t!("account-token-fresh")) br; code.secret { (word) } } }
        (token_list(tokens))
        form.stack.narrow method="post" action="/me/tokens" {
            label {
                (t!("account-token-name"))
                input name="name" required maxlength="40" placeholder=(t!("account-token-example")) autocomplete="off";
            }
            @for scope in TokenScope::ALL
                .into_iter()
                .filter(|scope| *scope != TokenScope::Host || member.account.host)
            {
                label.check {
                    input type="checkbox" name=(scope.name()) value="yes" checked[TokenScopes::default().has(scope)];
                    (scope.name()) ": " (localized(&scope))
                }
            }
            label {
                (t!("account-token-days"))
                select name="days" { @for days in LIFETIMES { option value=(days) { (lifetime(days)) } } }
            }
            p { button { (t!("account-token-make")) } }
        }
    }
}

/// The games that the account has requested, and how many of them have been played.
fn asked_list(asked: &[AskedGames]) -> Markup {
    html! {
        ul.plain { @for one in asked { li {
            a href={ "/versus/" (one.programs[0]) "/" (one.programs[1]) } { (one.names[0]) " – " (one.names[1]) }
            span.faint {
                " · " (t!("account-asked-state", played = one.played, games = one.games)) " · " (ago(one.created))
            }
        } } }
    }
}

fn token_list(tokens: &[SiteToken]) -> Markup {
    html! { ul.plain { @for token in tokens { li {
        (token.name)
        span.faint {
            " · " (token.scopes.iter().map(TokenScope::name).collect::<Vec<_>>().join(", "))
            " · " (t!("account-token-made", ago = ago(token.created)))
            @match token.used {
                Some(used) => { " · " (t!("account-token-used", ago = ago(used))) },
                None => { (t!("account-token-unused")) }
            }
            @if let Some(expires) = token.expires {
                " · "
                @if expires > now() { (rich!("account-token-expires", at = time(expires))) }
                @else { (rich!("account-token-expired", at = time(expires))) }
            }
        }
        " "
        form.inline method="post" action={ "/me/tokens/" (token.id) "/delete" } {
            button.small { (t!("account-token-revoke")) }
        }
    } } } }
}

#[derive(Deserialize)]
pub(crate) struct TokenForm {
    name: String,
    /// For how many days it counts.
    #[serde(default)]
    days: String,
    /// The scopes that are ticked.
    #[serde(flatten)]
    ticked: HashMap<String, String>,
}

/// Makes a token and shows it once.
pub(crate) async fn add_token(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Form(form): Form<TokenForm>,
) -> SiteResult<Response> {
    by_browser(&member)?;
    let ticked = |scope: &TokenScope| form.ticked.contains_key(scope.name());
    let scopes = TokenScopes::new(TokenScope::ALL.into_iter().filter(ticked));
    if !LIFETIMES.contains(&form.days.as_str()) {
        return own_page(&site, &member, None, Some(&t!("account-token-choose"))).await;
    }
    let expires = form.days.parse::<i64>().ok().map(|days| now() + days * 86_400);
    let (account, origin) = (member.account.clone(), member.visitor.origin());
    let made = site.change(move |store| accounts::make_token(store, &account, &form.name, scopes, expires, &origin));
    match made.await {
        Ok((_, word)) => own_page(&site, &member, Some(Fresh::Token(&word)), None).await,
        Err(error) => own_page(&site, &member, None, Some(&localized(&*error.on_form()?.reason))).await,
    }
}

pub(crate) async fn delete_token(
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
pub(crate) struct PasswordForm {
    password: String,
    new: String,
}

/// Ends one of the user's own sessions.
pub(crate) async fn end_session(
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
pub(crate) async fn recover_form(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(word): Path<String>,
) -> SiteResult<Response> {
    let digest = secret::digest(&word);
    let Some((account, new)) = recovered(&site, digest).await? else { return Ok(used_link(&visitor)) };
    Ok(recover_page(&word, (&account.name, new), None, &visitor))
}

/// The account of a link to a new password, and whether it has had none yet.
async fn recovered(site: &Arc<Site>, digest: SecretDigest) -> SiteResult<Option<(SiteAccount, bool)>> {
    let found = site.read(move |store| {
        let Some(account) = store.recovered(&digest, now())? else { return Ok(None) };
        let hash = store.account(account.id)?.map(|(_, hash)| hash);
        Ok(Some((account, hash.is_some_and(|hash| hash.is_empty()))))
    });
    found.await
}

/// A link that leads nowhere: as a rule it was used.
fn used_link(visitor: &Visitor) -> Response {
    let body = html! {
        h1 { (t!("recover-used-title")) }
        p { (t!("recover-used")) }
        p { a.button.primary href="/signin" { (t!("layout-sign-in")) } }
    };
    Page::new(t!("recover-used-title"), body).with_status(StatusCode::NOT_FOUND).show(visitor)
}

fn recover_page(word: &str, (name, new): (&str, bool), wrong: Option<&str>, visitor: &Visitor) -> Response {
    let title = if new { t!("recover-title-first") } else { t!("account-password-new") };
    let body = html! {
        h1 { (title) }
        p {
            @let name = html! { span.strong { (name) } };
            @if new { (rich!("recover-first", name = name)) } @else { (rich!("recover-account", name = name)) }
        }
        (problem(wrong))
        form.stack.narrow method="post" action={ "/recover/" (word) } {
            label {
                @if new { (t!("sign-in-password")) } @else { (t!("account-password-new")) }
                input type="password" name="password" required minlength=(MIN_PASSWORD_CHARS)
                    maxlength=(MAX_PASSWORD_CHARS) autocomplete="new-password";
            }
            p { button.primary { (t!("account-password-set")) } }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Page::new(title, body).with_status(status).show(visitor)
}

#[derive(Deserialize)]
pub(crate) struct RecoverForm {
    password: String,
}

/// Sets a new password by a link, once.
pub(crate) async fn recover(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(word): Path<String>,
    Form(form): Form<RecoverForm>,
) -> SiteResult<Response> {
    let digest = secret::digest(&word);
    let Some((account, new)) = recovered(&site, digest).await? else { return Ok(used_link(&visitor)) };
    if let Err(wrong) = check_password(&form.password, &account.name) {
        return Ok(recover_page(&word, (&account.name, new), Some(&localized(&wrong)), &visitor));
    }
    let hash = hashed(&site, form.password).await?;
    let origin = Origin::request(None, visitor.address);
    if !site.write(move |store| accounts::recover(store, &digest, &hash, &origin)).await? {
        return Ok(used_link(&visitor));
    }
    if new {
        // It has no password yet, and no app asks for a code.
        let id = account.id;
        let visitor = Visitor { who: Identity { account: Some(account), teams: Vec::new() }, ..visitor };
        // Someone with a slip comes for the competition of its list.
        let entered = site.read(move |store| store.entered_competitions(id)).await?;
        let first = entered.first().and_then(|id| site.competition(*id));
        let next = first.map_or_else(|| "/".to_owned(), |competition| format!("/ladder/{}", competition.slug));
        return begin_session(&site, id, &next, None, Stated::from(&EventDetail::ByLink), &visitor).await;
    }
    Ok(Redirect::to("/signin").into_response())
}

#[derive(Deserialize)]
pub(crate) struct DeleteForm {
    #[serde(default)]
    name: String,
    #[serde(default)]
    password: String,
}

/// Deletes the user's own account with everything that belongs to it.
pub(crate) async fn delete(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Form(form): Form<DeleteForm>,
) -> SiteResult<Response> {
    by_browser(&member)?;
    let (id, origin) = (member.account.id, member.visitor.origin());
    if !is_own(&site, id, form.password).await? {
        return own_page(&site, &member, None, Some(&t!("account-password-wrong"))).await;
    }
    match site.change(move |store| accounts::delete_own(store, id, &form.name, &origin)).await {
        Ok(()) => {
            site.queue.announce_change();
            let body = html! { h1 { (t!("account-deleted")) } p { a href="/" { (t!("layout-start")) } } };
            let visitor = Visitor { who: Identity::default(), ..member.visitor };
            let cookie = [(header::SET_COOKIE, cookie("", site.options.is_secure()))];
            Ok((cookie, Page::new(t!("account-deleted"), body).show(&visitor)).into_response())
        }
        Err(SiteError::Forbidden(why)) => own_page(&site, &member, None, Some(&localized(&*why))).await,
        Err(error) => own_page(&site, &member, None, Some(&localized(&*error.on_form()?.reason))).await,
    }
}

/// Changes the password, and ends all other sessions and all tokens.
pub(crate) async fn change_password(
    State(site): State<Arc<Site>>,
    member: SignedIn,
    Form(form): Form<PasswordForm>,
) -> SiteResult<Response> {
    let session = by_browser(&member)?;
    let id = member.account.id;
    if let Err(wrong) = check_password(&form.new, &member.account.name) {
        return own_page(&site, &member, None, Some(&localized(&wrong))).await;
    }
    if !is_own(&site, id, form.password).await? {
        return own_page(&site, &member, None, Some(&t!("account-password-wrong"))).await;
    }
    let (hash, origin) = (hashed(&site, form.new).await?, member.visitor.origin());
    site.write(move |store| accounts::change_password(store, id, &hash, &session, &origin)).await?;
    Ok(Redirect::to("/me?saved=password").into_response())
}
