//! Submitting, and following the check.

use std::sync::Arc;

use agon_boards::json::Json;
use agon_queue::progress::{QueuePlace, progress};
use agon_site::submission::SubmissionDraft;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::answers::{ApiSubmitted, ApiVersion, ApiVersionSummary, slug};
use super::visitor::ApiVisitor;
use crate::error::SiteError;
use crate::site::{Site, SiteResult};
use crate::submissions;

/// Submit a program
///
/// It is compiled and plays a game against the weakest built-in player; once it has passed, it plays on the ladder.
/// Scope `submit`.
#[utoipa::path(
    post, path = "/api/v1/submissions", tag = "submissions", request_body = SubmissionDraft,
    responses(
        (status = 201, body = ApiSubmitted),
        (status = 409, description = "A quota is used up, or this source plays already"),
        (status = 413, description = "More than 1 MiB of source"),
        (status = 422, description = "A field is wrong: `field` names it")
    )
)]
pub(super) async fn submit(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Json(sent): Json<SubmissionDraft>,
) -> SiteResult<Response> {
    let (visitor, _) = visitor.author()?;
    let version = submissions::enter(&site, visitor, sent.check(&visitor.competitions, &site.queue.languages())?)
        .await?
        .map_err(SiteError::Conflict)?;
    let address = site.options.address(&format!("/version/{version}"));
    Ok((StatusCode::CREATED, Json(ApiSubmitted { version, address })).into_response())
}

/// The state of the check of one's own version
///
/// Scope `read` or `submit`. Other users' versions are not found.
#[utoipa::path(
    get, path = "/api/v1/versions/{id}", tag = "submissions",
    params(("id" = i64, Path, description = "The number of the version among all versions")),
    responses((status = 200, body = ApiVersion), (status = 404, description = "No such version of this account"))
)]
pub(super) async fn version(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Json<ApiVersion>> {
    let (visitor, _) = visitor.follower()?;
    let (version, program, _) = submissions::own_version(&site, visitor, id).await?;
    let place = site.read(move |store| QueuePlace::read(store, id)).await?;
    let (words, game) = progress(&site.queue, &version, place);
    Ok(Json(ApiVersion {
        summary: ApiVersionSummary::from(&version),
        program: program.id,
        name: program.name,
        competition: slug(&site, program.competition),
        words: words.to_string(),
        message: version.message.text(),
        given_up: version.given_up,
        game,
    }))
}

/// Check an own version again
///
/// One whose check was abandoned because no machine could finish it. Scope `submit`.
#[utoipa::path(
    post, path = "/api/v1/versions/{id}/check", operation_id = "check_again", tag = "submissions",
    params(("id" = i64, Path, description = "The number of the version among all versions")),
    responses(
        (status = 202, description = "It is in the queue"),
        (status = 404, description = "No such version of this account"),
        (status = 409, description = "Its check has not been given up")
    )
)]
pub(super) async fn check(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<StatusCode> {
    let (visitor, _) = visitor.author()?;
    submissions::check_again(&site, visitor, id).await?;
    Ok(StatusCode::ACCEPTED)
}

/// The source of an own version
///
/// Scope `read`.
#[utoipa::path(
    get, path = "/api/v1/versions/{id}/source", operation_id = "source", tag = "submissions",
    params(("id" = i64, Path, description = "The number of the version among all versions")),
    responses(
        (status = 200, body = String, content_type = "text/plain"),
        (status = 404, description = "No such version of this account")
    )
)]
pub(super) async fn source(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    let (visitor, _) = visitor.reader()?;
    let (.., source) = submissions::own_version(&site, visitor, id).await?;
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], source).into_response())
}

/// The failure bundle of an own version
///
/// For a version that has failed its check: a folder with the source, the message of the compiler or the judge, the
/// conversation, the error stream and the record of the check game, and the command that replays it. Scope `read`.
#[utoipa::path(
    get, path = "/api/v1/versions/{id}/failure", operation_id = "failure", tag = "submissions",
    params(("id" = i64, Path, description = "The number of the version among all versions")),
    responses(
        (status = 200, body = Vec<u8>, content_type = "application/gzip"),
        (status = 404, description = "No such version of this account, or it has not failed")
    )
)]
pub(super) async fn failure(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    let (visitor, _) = visitor.reader()?;
    Ok(submissions::archive(submissions::bundle(&site, visitor, id).await?))
}

/// The check of an own version as events
///
/// Server-sent events: `progress` whenever something changes, at last `settled`; data are JSON with `words`, `state`
/// and the check game as `bout`. Scope `read` or `submit`.
#[utoipa::path(
    get, path = "/api/v1/versions/{id}/events", operation_id = "version_events", tag = "submissions",
    params(("id" = i64, Path, description = "The number of the version among all versions")),
    responses(
        (status = 200, body = String, content_type = "text/event-stream"),
        (status = 404, description = "No such version of this account")
    )
)]
pub(super) async fn events(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    let (visitor, _) = visitor.follower()?;
    submissions::follow(&site, visitor, id).await
}
