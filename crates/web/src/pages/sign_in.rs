//! Signing up, in and out.

use std::sync::Arc;

use agon_boards::layout::{Page, own_path, problem};
use agon_boards::limits::LimitedActor;
use agon_boards::text::{game_title, localized, rich, t};
use agon_game::hash::fnv1a;
use agon_message::Stated;
use agon_site::accounts::{self, MAX_NAME_CHARS, MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, check_password, is_open};
use agon_site::clock::now;
use agon_site::identity::Identity;
use agon_site::names::{Named, check_account_name, skeleton};
use agon_site::secret;
use agon_site::store::{EventDetail, EventKind, Origin, SiteStore};
use agon_site::submission::SubmissionDraft;
use agon_site::totp::{self, MAX_TYPED_CHARS};
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};
use serde::Deserialize;

use super::preview::{Preview, game_picture, site_picture};
use super::{draft, parts};
use crate::auth::cookie;
use crate::error::{RequestError, SiteError};
use crate::layout::{ShowPage as _, competition_title};
use crate::passwords::hashed;
use crate::rate::LimitedAction;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

#[derive(Deserialize, Default)]
#[serde(default)]
pub(crate) struct SignInForm {
    name: String,
    password: String,
    next: String,
    /// For a sign-in that waits for the code of an app.
    word: String,
    code: String,
    draft: String,
    /// For a draft that was about to be submitted.
    #[serde(rename = "contest", alias = "game")]
    competition: String,
    program: String,
    language: String,
    source: String,
    file: String,
    team: String,
}

impl SignInForm {
    fn draft(&self) -> Option<SubmissionDraft> {
        (!self.draft.is_empty()).then(|| SubmissionDraft {
            competition: self.competition.clone(),
            name: self.program.clone(),
            language: self.language.clone(),
            source: self.source.clone(),
            file: self.file.clone(),
            team: self.team.clone(),
            ..SubmissionDraft::default()
        })
    }
}

#[derive(Deserialize)]
pub(crate) struct NextQuery {
    #[serde(default)]
    next: String,
}

/// The form to sign in.
pub(crate) async fn sign_in_form(visitor: Visitor, Query(query): Query<NextQuery>) -> Response {
    sign_in_page("", &query.next, None, None, &visitor)
}

/// The form, with the input, and with the draft that was about to be submitted.
pub(crate) fn sign_in_page(
    name: &str,
    next: &str,
    draft: Option<&SubmissionDraft>,
    wrong: Option<&str>,
    visitor: &Visitor,
) -> Response {
    let body = html! {
        h1 { (t!("sign-in-title")) }
        @if draft.is_some() { p.notice { (t!("sign-in-draft")) } }
        (problem(wrong))
        form.stack.narrow method="post" action="/signin" {
            (credentials(name, "current-password"))
            input type="hidden" name="next" value=(next);
            (hidden(draft))
            p { button.primary { (t!("sign-in-title")) } }
        }
        @if draft.is_some() {
            form.stack.narrow method="post" action="/signup" {
                h2 { (t!("sign-in-or-sign-up")) }
                (credentials("", "new-password"))
                (hidden(draft))
                p { button { (t!("sign-up-title")) } }
            }
        } @else {
            p {
                (rich!(
                    "sign-in-no-account",
                    link = html! {
                        a href={ "/signup?next=" (crate::error::query_escaped(next)) } { (t!("sign-up-title")) }
                    },
                ))
            }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Page::new(t!("sign-in-title"), body).with_status(status).show(visitor)
}

fn credentials(name: &str, password: &str) -> Markup {
    html! {
        label {
            (t!("sign-in-name"))
            input name="name" value=(name) required maxlength=(MAX_NAME_CHARS) autocomplete="username"
                autocapitalize="off" spellcheck="false";
        }
        label {
            (t!("sign-in-password"))
            input type="password" name="password" required
                minlength=[(password == "new-password").then_some(MIN_PASSWORD_CHARS)] maxlength=(MAX_PASSWORD_CHARS)
                autocomplete=(password);
        }
    }
}

fn hidden(draft: Option<&SubmissionDraft>) -> Markup {
    html! { @if let Some(draft) = draft {
        input type="hidden" name="draft" value="1";
        input type="hidden" name="contest" value=(draft.competition);
        input type="hidden" name="program" value=(draft.name);
        input type="hidden" name="language" value=(draft.language); input type="hidden" name="file" value=(draft.file);
        input type="hidden" name="team" value=(draft.team);
        textarea hidden name="source" { "\n" (draft.source) }
    } }
}

pub(crate) async fn sign_in(
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
    if let Err(wait) = site.sign_ins.failures.attempt(digest, actor) {
        site.limits.give_back(LimitedAction::SignIn, actor);
        return Err(SiteError::TooMany(LimitedAction::SignIn, wait));
    }
    let asked = name.clone();
    let found = site.read(move |store| accounts::named(store, &asked)).await?;
    let password = form.password.clone();
    // The account with the name if the password fits, and its number in any case.
    let account = site.rooms.passwords.run(move |_| {
        let fits = secret::verify(&password, found.as_ref().map(|(_, hash)| hash.as_str()));
        let known = found.as_ref().map(|(account, _)| account.id);
        (found.filter(|_| fits), known)
    });
    let (fitting, known) = account.await?;
    let origin = Origin::request(None, visitor.address);
    let Some((account, hash)) = fitting else {
        note_refused(
            &site,
            known,
            origin,
            if known.is_some() { EventDetail::WrongPassword } else { EventDetail::NoSuchName },
        )
        .await;
        // The answer does not reveal which names exist.
        let wrong = t!("sign-in-wrong");
        return Ok(sign_in_page(&name, &form.next, form.draft().as_ref(), Some(&wrong), &visitor));
    };
    site.sign_ins.failures.succeeded(digest, actor);
    site.limits.give_back(LimitedAction::SignIn, actor);
    if account.frozen {
        note_refused(&site, Some(account.id), origin, EventDetail::Frozen).await;
        let wrong = t!("sign-in-frozen");
        return Ok(sign_in_page(&name, &form.next, None, Some(&wrong), &visitor));
    }
    let id = account.id;
    if site.read(move |store| store.has_totp(id)).await? {
        let word = secret::word();
        site.sign_ins.pending.begin(secret::digest(&word), id, hash);
        return Ok(code_page(&word, &form.next, form.draft().as_ref(), None, &visitor));
    }
    let visitor = Visitor { who: Identity { account: Some(account), teams: Vec::new() }, ..visitor };
    begin_session(&site, id, &form.next, form.draft(), Stated::default(), &visitor).await
}

/// Records that a sign-in was refused. A failure to record it, for example on a full disk, is logged.
async fn note_refused(site: &Arc<Site>, account: Option<i64>, origin: Origin, why: EventDetail) {
    let note = move |store: &mut SiteStore| store.note_event(EventKind::SignInRefused, account, &origin, &why, now());
    let _ = site.write(note).await;
}

/// The form for the code of an app, after the password.
fn code_page(
    word: &str,
    next: &str,
    draft: Option<&SubmissionDraft>,
    wrong: Option<&str>,
    visitor: &Visitor,
) -> Response {
    let body = html! {
        h1 { (t!("sign-in-title")) }
        p { (t!("sign-in-code-asked")) }
        (problem(wrong))
        form.stack.narrow method="post" action="/signin/code" {
            label {
                (t!("sign-in-code"))
                input name="code" required maxlength=(MAX_TYPED_CHARS) autocomplete="one-time-code"
                    autocapitalize="off" spellcheck="false" autofocus;
            }
            input type="hidden" name="word" value=(word);
            input type="hidden" name="next" value=(next);
            (hidden(draft))
            p { button.primary { (t!("sign-in-title")) } }
        }
        p.faint { (rich!("sign-in-no-code", command = html! { code { "agon serve remove-totp" } })) }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Page::new(t!("sign-in-title"), body).with_status(status).show(visitor)
}

/// Completes a sign-in with the code of an app, or with a recovery code.
pub(crate) async fn sign_in_with_code(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Form(form): Form<SignInForm>,
) -> SiteResult<Response> {
    let (digest, draft) = (secret::digest(&form.word), form.draft());
    let again = t!("sign-in-again");
    let Some((id, hash)) = site.sign_ins.pending.try_code(&digest) else {
        return Ok(sign_in_page("", &form.next, draft.as_ref(), Some(&again), &visitor));
    };
    let actor = LimitedActor::Account(id);
    site.take(LimitedAction::Code, actor)?;
    let typed = form.code.clone();
    let proof = site.write(move |store| totp::prove(store, id, &typed, now())).await?;
    let Some(proof) = proof else {
        note_refused(&site, Some(id), Origin::request(None, visitor.address), EventDetail::WrongCode).await;
        let wrong = t!("sign-in-wrong-code");
        return Ok(code_page(&form.word, &form.next, draft.as_ref(), Some(&wrong), &visitor));
    };
    site.sign_ins.pending.end(&digest);
    site.limits.give_back(LimitedAction::Code, actor);
    // It may have been frozen meanwhile, or have another password.
    let found = site.read(move |store| store.account(id)).await?;
    let Some((account, _)) = found.filter(|(account, known)| !account.frozen && *known == hash) else {
        return Ok(sign_in_page("", &form.next, draft.as_ref(), Some(&again), &visitor));
    };
    let visitor = Visitor { who: Identity { account: Some(account), teams: Vec::new() }, ..visitor };
    begin_session(&site, id, &form.next, draft, Stated::from(&proof), &visitor).await
}

/// Begins a session, and leads on; to the form that was filled in before, if there is one.
pub(crate) async fn begin_session(
    site: &Arc<Site>,
    account: i64,
    next: &str,
    typed: Option<SubmissionDraft>,
    how: Stated,
    visitor: &Visitor,
) -> SiteResult<Response> {
    let word = secret::word();
    let digest = secret::digest(&word);
    let origin = Origin::request(Some(account), visitor.address);
    let begin = move |store: &mut SiteStore| {
        store.begin_session(account, &digest, now())?;
        store.note_event(EventKind::SignedIn, Some(account), &origin, how, now())
    };
    site.write(begin).await?;
    let cookie = [(header::SET_COOKIE, cookie(&word, site.options.is_secure()))];
    let Some(typed) = typed else { return Ok((cookie, Redirect::to(own_path(next))).into_response()) };
    let teams = site.read(move |store| store.teams_of(account)).await?;
    let who = Identity { teams, ..visitor.who.clone() };
    let visitor = Visitor { who, ..visitor.clone() };
    let own = draft::own_programs(site, &visitor).await?;
    let mut response = draft::kept(&typed, &own, &visitor, &site.queue.languages());
    let [(name, value)] = cookie;
    response.headers_mut().insert(name, value.parse().map_err(SiteError::internal)?);
    Ok(response)
}

pub(crate) async fn sign_out(State(site): State<Arc<Site>>, visitor: Visitor) -> SiteResult<Response> {
    if let Some(session) = visitor.session {
        site.write(move |store| store.end_session(&session)).await?;
    }
    let cookie = [(header::SET_COOKIE, cookie("", site.options.is_secure()))];
    Ok((cookie, Redirect::to("/")).into_response())
}

/// The form to sign up.
pub(crate) async fn sign_up_form(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<NextQuery>,
) -> SiteResult<Response> {
    if !site.read(is_open).await? {
        let body = html! {
            h1 { (t!("sign-up-title")) }
            p { (t!("sign-up-closed")) }
        };
        return Ok(Page::new(t!("sign-up-title"), body).show(&visitor));
    }
    Ok(sign_up_page("/signup", "", &query.next, None, None).show(&visitor))
}

fn sign_up_page(action: &str, name: &str, next: &str, note: Option<&str>, wrong: Option<&str>) -> Page {
    let body = html! {
        h1 { (t!("sign-up-title")) }
        @if let Some(note) = note {
            p.notice {
                (note) " "
                @if action.starts_with("/join/") {
                    (rich!(
                        "sign-up-known",
                        link = html! { a href={ "/signin?next=" (action) } { (t!("sign-up-known-link")) } },
                    ))
                }
            }
        }
        (problem(wrong))
        form.stack.narrow method="post" action=(action) {
            (credentials(name, "new-password"))
            input type="hidden" name="next" value=(next);
            p.faint { (t!("sign-up-hint", least = MIN_PASSWORD_CHARS)) }
            p { button.primary { (t!("sign-up-title")) } }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Page::new(t!("sign-up-title"), body).with_status(status)
}

pub(crate) async fn sign_up(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Form(form): Form<SignInForm>,
) -> SiteResult<Response> {
    if !site.read(is_open).await? {
        return Err(SiteError::forbidden(RequestError::SignUpClosed));
    }
    create(&site, form, None, visitor).await
}

#[derive(Deserialize)]
pub(crate) struct CodeQuery {
    #[serde(default)]
    code: String,
}

/// The form for typing the code of a competition.
pub(crate) async fn code_form(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Query(query): Query<CodeQuery>,
) -> SiteResult<Response> {
    let word = secret::typed(&query.code);
    let digest = secret::digest(&word);
    if !word.is_empty() {
        let read = site.read(move |store| {
            Ok((store.invitation(&digest, now())?.is_some(), store.recovered(&digest, now())?.is_some()))
        });
        match read.await? {
            (true, _) => return Ok(Redirect::to(&format!("/join/{word}")).into_response()),
            // The code of a slip of paper, with which a person of a list sets a password.
            (false, true) => return Ok(Redirect::to(&format!("/recover/{word}")).into_response()),
            (false, false) => {}
        }
    }
    let wrong = (!word.is_empty()).then(|| t!("code-unknown"));
    let body = html! {
        h1 { (t!("code-title")) }
        p { (t!("code-hint")) }
        (problem(wrong.as_deref()))
        form.row action="/join" {
            label {
                (t!("code-label"))
                input name="code" value=(query.code) required maxlength="200" autocomplete="off" autocapitalize="off"
                    spellcheck="false" aria-invalid=[wrong.is_some().then_some("true")];
            }
            button.primary { (t!("code-go")) }
        }
    };
    let status = if wrong.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(Page::new(t!("code-title"), body).with_status(status).show(&visitor))
}

/// The form that an invitation leads to.
pub(crate) async fn join_form(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(word): Path<String>,
) -> SiteResult<Response> {
    let digest = secret::digest(&word);
    let Some(invitation) = site.read(move |store| store.invitation(&digest, now())).await? else {
        return Ok(used_invitation(&visitor));
    };
    let action = format!("/join/{word}");
    let competition = invitation.competition.and_then(|id| site.competition(id));
    if let (Some(competition), Some(account)) = (&competition, &visitor.account) {
        let body = html! {
            h1 { (competition_title(competition)) }
            p {
                (rich!("join-competition", game = game_title(competition.game), when = parts::when(competition)))
            }
            form method="post" action=(action) {
                button.primary { (t!("join-as", name = &account.name)) }
            }
        };
        return Ok(Page::new(competition_title(competition), body).show(&visitor));
    }
    let (note, next) = match &competition {
        _ if invitation.host => (t!("sign-up-host"), "/".to_owned()),
        Some(competition) => {
            (t!("sign-up-competition", title = competition_title(competition)), format!("/ladder/{}", competition.slug))
        }
        None => (t!("sign-up-invited"), "/".to_owned()),
    };
    let title = competition.as_ref().map_or_else(|| t!("front-heading"), competition_title);
    let preview = Preview {
        title: &title,
        text: &note,
        path: &action,
        picture: &competition.as_ref().map_or_else(site_picture, |competition| game_picture(competition.game)),
    };
    let head = preview.head(&site);
    Ok(sign_up_page(&action, "", &next, Some(&note), None).with_head(head).show(&visitor))
}

/// An invitation that leads nowhere: as a rule it was used up or has expired.
fn used_invitation(visitor: &Visitor) -> Response {
    let body = html! {
        h1 { (t!("recover-used-title")) }
        p { (t!("join-used")) }
        @if visitor.account.is_none() { p { a.button.primary href="/signin" { (t!("layout-sign-in")) } } }
    };
    Page::new(t!("recover-used-title"), body).with_status(StatusCode::NOT_FOUND).show(visitor)
}

/// Signs up by an invitation; a signed-in user is admitted to its competition.
pub(crate) async fn join(
    State(site): State<Arc<Site>>,
    visitor: Visitor,
    Path(word): Path<String>,
    Form(form): Form<SignInForm>,
) -> SiteResult<Response> {
    if let Some(account) = &visitor.account
        && let Some(competition) = site.enter_competition(account.id, &word).await?
    {
        return Ok(Redirect::to(&format!("/ladder/{}", competition.slug)).into_response());
    }
    create(&site, form, Some(word), visitor).await
}

async fn create(site: &Arc<Site>, form: SignInForm, word: Option<String>, visitor: Visitor) -> SiteResult<Response> {
    let typed = form.name.trim();
    let checked = check_account_name(typed, MAX_NAME_CHARS, Named::Account).map_err(|wrong| localized(&wrong));
    let checked = checked.and_then(|name| match check_password(&form.password, &name) {
        Ok(()) => Ok(name),
        Err(wrong) => Err(localized(&wrong)),
    });
    let name = checked.as_deref().unwrap_or(typed).to_owned();
    let action = word.as_ref().map_or_else(|| "/signup".to_owned(), |word| format!("/join/{word}"));
    let draft = form.draft();
    let again = |wrong: &str| match &draft {
        Some(draft) => sign_in_page(&name, "/submit", Some(draft), Some(wrong), &visitor),
        None => sign_up_page(&action, &name, &form.next, None, Some(wrong)).show(&visitor),
    };
    if let Err(wrong) = checked {
        return Ok(again(&wrong));
    }
    let actor = LimitedActor::at(visitor.address);
    site.take(LimitedAction::SignUp, actor)?;
    site.take(LimitedAction::SignUpNetwork, LimitedActor::network_of(visitor.address))?;
    let hash = hashed(site, form.password.clone()).await?;
    let (digest, wanted) = (word.as_deref().map(secret::digest), name.clone());
    let origin = Origin::request(None, visitor.address);
    let made = site.write(move |store| {
        let digest = digest.as_ref().map(<[u8; 32]>::as_slice);
        accounts::sign_up(store, &wanted, &hash, digest, &origin)
    });
    match made.await? {
        None => Ok(used_invitation(&visitor)),
        Some(None) => Ok(again(&t!("sign-up-taken"))),
        Some(Some(id)) => {
            let account = site.read(move |store| store.account(id)).await?.map(|(account, _)| account);
            let visitor = Visitor { who: Identity { account, teams: Vec::new() }, ..visitor };
            begin_session(site, id, &form.next, form.draft(), Stated::from(&EventDetail::SignedUp), &visitor).await
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_boards::layout::own_path;

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
