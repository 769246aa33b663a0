//! Puzzles: those that come with the program, fresh ones, and those that a game has missed.

use std::sync::Arc;

use agon_analysis::board::{self, BoardQuestion, PuzzleAnswer, PuzzleAttempt, PuzzleQuery, PuzzleRow, PuzzleVerdict};
use agon_search::Stop;
use axum::Extension;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Path, Query, State};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::json::Json;
use crate::text::stated;

use super::asker::{SearcherAddress, searcher};
use super::chance;
use super::error::{QuestionError, Unanswered};
use super::service::{EngineService, searched};

/// Questions sent by POST, although they change nothing.
pub(super) const QUESTIONS: [&str; 2] = ["/api/v1/puzzle-move", "/api/v1/missed"];

pub(super) fn described<S: Clone + Send + Sync + 'static>(service: &Arc<EngineService>) -> OpenApiRouter<S> {
    let routes = OpenApiRouter::new().routes(routes!(puzzle)).routes(routes!(list));
    routes.routes(routes!(judge)).routes(routes!(missed)).with_state(Arc::clone(service))
}

/// A puzzle
///
/// A position with only one right move. Without a seed it is one of the puzzles that come with Agon, available at once:
/// by number, by day, or at random.
#[utoipa::path(get, path = "/api/v1/puzzles/{game}", operation_id = "puzzle", tag = "boards", security(()),
    params(("game" = String, Path, description = "renju, domineering or bacteria"), PuzzleQuery),
    responses((status = 200, body = PuzzleAnswer),
        (status = 400, description = "The game has no puzzles, or none of this kind, grade or number"),
        (status = 503, description = "No room for another search")))]
async fn puzzle(
    State(service): State<Arc<EngineService>>,
    address: Option<Extension<SearcherAddress>>,
    Path(name): Path<String>,
    query: Result<Query<PuzzleQuery>, QueryRejection>,
) -> Result<Json<PuzzleAnswer>, QuestionError> {
    let Query(query) = query.map_err(|refused| QuestionError::new(&refused.body_text()))?;
    query.check(&name)?;
    if query.seed.is_none() {
        let found = query.find(&name, chance::number, &Stop::default())?;
        let found = found.ok_or_else(|| QuestionError::busy(Unanswered::NoPuzzle))?;
        return Ok(Json(found.spoken(stated)));
    }
    let asker = searcher(address, "a puzzle");
    let search = move |stop| query.find(&name, chance::number, &stop);
    let found = searched(&service, asker, Unanswered::NoPuzzle, search).await??;
    let found = found.ok_or_else(|| QuestionError::busy(Unanswered::Stopped))?;
    Ok(Json(found.spoken(stated)))
}

/// The puzzles that come with Agon
#[utoipa::path(get, path = "/api/v1/puzzles/{game}/list", operation_id = "puzzle_list", tag = "boards", security(()),
    params(("game" = String, Path, description = "renju, domineering or bacteria")),
    responses((status = 200, body = Vec<PuzzleRow>), (status = 400, description = "The game has no puzzles")))]
async fn list(Path(name): Path<String>) -> Result<Json<Vec<PuzzleRow>>, QuestionError> {
    Ok(Json(board::list(&name)?))
}

/// Judges a move in a puzzle
///
/// Proved, not compared with the solution: every winning move is right.
#[utoipa::path(post, path = "/api/v1/puzzle-move", operation_id = "puzzle_move", tag = "boards", security(()),
    request_body = PuzzleAttempt,
    responses((status = 200, body = PuzzleVerdict),
        (status = 400, description = "No such position, or a move that is not legal"),
        (status = 413, description = "An attempt of more than 16 KiB"),
        (status = 503, description = "No room for another search")))]
async fn judge(
    State(service): State<Arc<EngineService>>,
    address: Option<Extension<SearcherAddress>>,
    attempt: Result<Json<PuzzleAttempt>, JsonRejection>,
) -> Result<Json<PuzzleVerdict>, QuestionError> {
    let Json(attempt) = attempt?;
    attempt.check()?;
    let asker = searcher(address, &attempt.client);
    let found = searched(&service, asker, Unanswered::Stopped, move |stop| board::judge(&attempt, &stop)).await??;
    Ok(Json(found))
}

/// The puzzles that a game has missed
///
/// Positions of a game in which only one move was right and another one was played: the last three, as puzzles.
#[utoipa::path(post, path = "/api/v1/missed", operation_id = "missed", tag = "boards", security(()),
    request_body = BoardQuestion,
    responses((status = 200, body = Vec<PuzzleAnswer>),
        (status = 400, description = "The game has no puzzles, or a move is not legal"),
        (status = 413, description = "A question of more than 16 KiB"),
        (status = 503, description = "No room for another search")))]
async fn missed(
    State(service): State<Arc<EngineService>>,
    address: Option<Extension<SearcherAddress>>,
    question: Result<Json<BoardQuestion>, JsonRejection>,
) -> Result<Json<Vec<PuzzleAnswer>>, QuestionError> {
    let Json(question) = question?;
    let asker = searcher(address, &question.client);
    let found = searched(&service, asker, Unanswered::Stopped, move |stop| board::missed(&question, &stop)).await??;
    Ok(Json(found.into_iter().map(|puzzle| puzzle.spoken(stated)).collect()))
}
