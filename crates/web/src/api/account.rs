//! The account that asks, and its tokens.

use std::sync::Arc;

use agon_boards::json::Json;
use agon_site::accounts::{make_token, revoke_token};
use agon_site::clock::now;
use agon_site::identity::Notices;
use agon_site::store::{TokenScope, TokenScopes};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::answers::{ApiMe, ApiNotice, ApiProgram, ApiToken, ApiTokens};
use super::competitions::ApiCompetition;
use super::visitor::ApiVisitor;
use crate::download::download;
use crate::error::SiteError;
use crate::site::{Site, SiteResult};

/// The account that asks
///
/// With its programs, and their failures within a day. Scope `read`.
#[utoipa::path(get, path = "/api/v1/me", tag = "account", responses((status = 200, body = ApiMe)))]
pub(super) async fn me(State(site): State<Arc<Site>>, visitor: ApiVisitor) -> SiteResult<Json<ApiMe>> {
    let (visitor, account) = visitor.reader()?;
    let id = account.id;
    let read = site.read(move |store| Ok((store.programs_of(id)?, Notices::read(store, id)?)));
    let (programs, notices) = read.await?;
    let notices = notices.faults.into_iter().map(|(program, name, verdict, games)| {
        let verdict = verdict.into();
        ApiNotice { program, name, verdict, games }
    });
    Ok(Json(ApiMe {
        account: account.clone(),
        scopes: visitor.token.map(|scopes| scopes.iter().collect()),
        programs: programs.iter().map(|program| ApiProgram::new(&site, program)).collect(),
        notices: notices.collect(),
    }))
}

/// Dismiss the notices of the account
///
/// Failures up to now are not listed again. Scope `read`.
#[utoipa::path(
    delete, path = "/api/v1/me/notices", operation_id = "dismiss_notices", tag = "account",
    responses((status = 204, description = "They are not listed again"))
)]
pub(super) async fn dismiss(State(site): State<Arc<Site>>, visitor: ApiVisitor) -> SiteResult<StatusCode> {
    let (_, account) = visitor.reader()?;
    let id = account.id;
    site.write(move |store| store.dismiss_notices(id, now())).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The tokens of the account
///
/// From a browser only.
#[utoipa::path(
    get, path = "/api/v1/me/tokens", tag = "account", security(("cookie" = [])),
    responses((status = 200, body = ApiTokens), (status = 403, description = "Asked with a token"))
)]
pub(super) async fn tokens(State(site): State<Arc<Site>>, visitor: ApiVisitor) -> SiteResult<Json<ApiTokens>> {
    let id = visitor.by_browser()?.1.id;
    let tokens = site.read(move |store| store.tokens(id)).await?;
    Ok(Json(ApiTokens { tokens: tokens.iter().map(ApiToken::from).collect() }))
}

/// A token to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewToken)]
pub(super) struct NewTokenBody {
    /// Its name.
    #[schema(max_length = 40)]
    name: String,
    /// Its purposes.
    #[serde(default = "usual")]
    #[schema(default = json!(["read", "submit"]))]
    scopes: Vec<TokenScope>,
    /// When it becomes invalid; null if it is valid until it is revoked.
    #[serde(default)]
    expires: Option<i64>,
}

fn usual() -> Vec<TokenScope> {
    TokenScopes::default().iter().collect()
}

/// A token, with its word.
#[derive(Serialize, ToSchema)]
#[schema(as = MadeToken)]
pub(super) struct MadeToken {
    /// Its number.
    id: i64,
    /// The word to send as `Authorization: Bearer …`; it is shown only once.
    token: String,
}

/// Make a token
///
/// From a browser only: a leaked token must not create others.
#[utoipa::path(
    post, path = "/api/v1/me/tokens", tag = "account", security(("cookie" = [])), request_body = NewTokenBody,
    responses(
        (status = 201, body = MadeToken),
        (status = 403, description = "Asked with a token, or the scope `host` by another than the host"),
        (status = 409, description = "There are 20 tokens"),
        (status = 422, description = "A field is wrong")
    )
)]
pub(super) async fn add_token(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Json(body): Json<NewTokenBody>,
) -> SiteResult<Response> {
    let (visitor, account) = visitor.by_browser()?;
    let (scopes, origin) = (TokenScopes::new(body.scopes), visitor.origin());
    let account = account.clone();
    let made = site.change(move |store| make_token(store, &account, &body.name, scopes, body.expires, &origin));
    let (id, token) = made.await?;
    Ok((StatusCode::CREATED, Json(MadeToken { id, token })).into_response())
}

/// Revoke a token
///
/// From a browser only.
#[utoipa::path(
    delete, path = "/api/v1/me/tokens/{id}", tag = "account", security(("cookie" = [])),
    params(("id" = i64, Path, description = "The token's number")),
    responses(
        (status = 204, description = "Revoked"),
        (status = 403, description = "Asked with a token"),
        (status = 404, description = "No such token of this account")
    )
)]
pub(super) async fn delete_token(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(token): Path<i64>,
) -> SiteResult<StatusCode> {
    let (visitor, account) = visitor.by_browser()?;
    let (id, origin) = (account.id, visitor.origin());
    let gone = site.write(move |store| revoke_token(store, id, token, &origin)).await?;
    if gone { Ok(StatusCode::NO_CONTENT) } else { Err(SiteError::NotFound) }
}

/// Everything that belongs to the account
///
/// And to its teams: a `.tar.gz` with sources, versions, games and records. Scope `read`.
#[utoipa::path(
    get, path = "/api/v1/me/export", operation_id = "export_own", tag = "account",
    responses((status = 200, body = Vec<u8>, content_type = "application/gzip"))
)]
pub(super) async fn export(State(site): State<Arc<Site>>, visitor: ApiVisitor) -> SiteResult<Response> {
    let (visitor, account) = visitor.reader()?;
    download(&site, account.id, Some(visitor.owners().collect()), visitor.origin()).await
}

/// An invitation to follow.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Entry)]
pub(super) struct EntryBody {
    /// The link of the invitation, or the word at its end.
    invitation: String,
}

/// Enter a competition by an invitation
///
/// Scope `submit`. A competition that is open to everybody is entered by submitting.
#[utoipa::path(
    post, path = "/api/v1/me/contests", operation_id = "enter_contest", tag = "account", request_body = EntryBody,
    responses(
        (status = 200, body = ApiCompetition),
        (status = 404, description = "No such invitation into a competition, or it is used up, or has expired")
    )
)]
pub(super) async fn enter(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Json(body): Json<EntryBody>,
) -> SiteResult<Json<ApiCompetition>> {
    let (_, account) = visitor.author()?;
    let word = body.invitation.rsplit('/').next().unwrap_or_default().trim();
    let competition = site.enter_competition(account.id, word).await?.ok_or(SiteError::NotFound)?;
    Ok(Json(ApiCompetition::new(&site, &competition)))
}
