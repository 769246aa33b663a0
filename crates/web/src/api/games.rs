//! Games.

use std::sync::Arc;

use agon_boards::json::Json;
use agon_message::Locale;
use agon_site::competition::CompetitionError;
use agon_site::error::FieldError;
use agon_site::store::BoutFilter;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::IntoParams;

use super::answers::{ApiGame, ApiGames, ApiKind};
use super::visitor::ApiVisitor;
use crate::error::{RequestError, SiteError};
use crate::evaluation::evaluate;
use crate::games::{follow, record_text};
use crate::site::{Site, SiteResult};

/// Games in an answer, unless fewer are requested.
const MAX_GAMES: u32 = 100;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct GamesParams {
    /// Only games of this competition.
    #[serde(rename = "contest")]
    competition: Option<String>,
    /// Only games of this program.
    program: Option<i64>,
    /// Only its games against this one.
    opponent: Option<i64>,
    /// Only games of this kind. Without it, all except those that check a version.
    #[param(inline)]
    kind: Option<ApiKind>,
    /// Only games of this final.
    #[serde(rename = "final")]
    #[param(rename = "final")]
    of_final: Option<i64>,
    /// Games in progress instead of finished ones.
    #[serde(default)]
    running: bool,
    /// Only games with smaller numbers: `next_before` of the previous answer.
    before: Option<i64>,
    /// The most games in the answer.
    #[serde(default = "max_games")]
    #[param(minimum = 1, maximum = 100, default = 100)]
    limit: u32,
}

const fn max_games() -> u32 {
    MAX_GAMES
}

/// Games, the newest first
#[utoipa::path(
    get, path = "/api/v1/games", tag = "games", security(()),
    params(GamesParams),
    responses(
        (status = 200, body = ApiGames),
        (status = 422, description = "No such competition, or an opponent without a program")
    )
)]
pub(super) async fn games(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Query(query): Query<GamesParams>,
) -> SiteResult<Json<ApiGames>> {
    let unknown = |slug: &String| CompetitionError::unknown(slug);
    let competitions = visitor.competitions();
    let find =
        |slug: &String| competitions.iter().find(|competition| competition.slug == *slug).ok_or_else(|| unknown(slug));
    let competition = query.competition.as_ref().map(find).transpose()?;
    if query.opponent.is_some() && query.program.is_none() {
        return Err(FieldError::new("opponent", RequestError::OpponentAlone).into());
    }
    let limit = query.limit.clamp(1, MAX_GAMES);
    let filter = BoutFilter {
        competition: competition.map(|competition| competition.id),
        program: query.program,
        opponent: query.opponent,
        kind: query.kind.map(ApiKind::name),
        of_final: query.of_final,
        running: query.running,
    };
    let before = query.before.unwrap_or(i64::MAX);
    let bouts = site.read(move |store| store.find_bouts(&filter, before, limit)).await?;
    let next_before = bouts.last().filter(|_| bouts.len() == limit as usize).map(|bout| bout.id);
    let seen = bouts.iter().filter(|bout| visitor.sees(bout.competition));
    Ok(Json(ApiGames { games: seen.map(|bout| ApiGame::new(&site, bout)).collect(), next_before }))
}

/// A game
#[utoipa::path(
    get, path = "/api/v1/games/{id}", tag = "games", security(()),
    params(("id" = i64, Path, description = "The game's number")),
    responses((status = 200, body = ApiGame), (status = 404, description = "No such game"))
)]
pub(super) async fn game(
    State(site): State<Arc<Site>>,
    _: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Json<ApiGame>> {
    let bout = site.read(move |store| store.bout(id)).await?.ok_or(SiteError::NotFound)?;
    Ok(Json(ApiGame::new(&site, &bout)))
}

/// The record of a game
///
/// JSON Lines, as read by `agon replay`. It contains the error streams of programs only for their authors (scope
/// `read`) and for the host.
#[utoipa::path(
    get, path = "/api/v1/games/{id}/record", operation_id = "record", tag = "games",
    security((), ("token" = ["read"]), ("cookie" = [])),
    params(("id" = i64, Path, description = "The game's number")),
    responses(
        (status = 200, body = String, content_type = "application/x-ndjson"),
        (status = 403, description = "Its moves are shown when its competition has closed"),
        (status = 404, description = "No such game, or it is being played, or its record is no longer kept")
    )
)]
pub(super) async fn record(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    let text = record_text(&site, &visitor.viewer(), id).await?;
    Ok(([(header::CONTENT_TYPE, "application/x-ndjson")], text).into_response())
}

/// A running game as events
///
/// Server-sent events: `start` with the board, `step` for each move, `end` with the result, or `gone` if the game is
/// not being played. The identifier of an event is its number; a reconnecting client sends the last one as
/// `Last-Event-ID`.
#[utoipa::path(
    get, path = "/api/v1/games/{id}/events", operation_id = "game_events", tag = "games", security(()),
    params(("id" = i64, Path, description = "The game's number")),
    responses((status = 200, body = String, content_type = "text/event-stream"))
)]
pub(super) async fn events(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
    headers: HeaderMap,
) -> SiteResult<Response> {
    follow(&site, &visitor.viewer(), id, &headers, Locale::English).await
}

/// The champion's evaluation of a game as events
///
/// Server-sent events: `meaning`, a `point` for each position from the last to the first, and `end`. The first request
/// makes the champion think, which takes a while; then the result is kept. If everyone may see the moves, no `read`
/// scope is needed.
#[utoipa::path(
    get, path = "/api/v1/games/{id}/evaluation", operation_id = "game_evaluation", tag = "games",
    security((), ("token" = ["read"]), ("cookie" = [])),
    params(("id" = i64, Path, description = "The game's number")),
    responses(
        (status = 200, body = String, content_type = "text/event-stream"),
        (status = 403, description = "Its moves are shown when its competition has closed"),
        (status = 404, description = "No such game, or it is being played, or its record is no longer kept")
    )
)]
pub(super) async fn evaluation(
    State(site): State<Arc<Site>>,
    visitor: ApiVisitor,
    Path(id): Path<i64>,
) -> SiteResult<Response> {
    evaluate(&site, &visitor.viewer(), id, Locale::English).await
}
