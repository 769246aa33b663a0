//! What was played in the games that come with Agon.

use std::sync::Arc;

use agon_analysis::board::BoardQuestion;
use agon_analysis::played::{PlayedAnswer, played_in};
use axum::Extension;
use axum::extract::rejection::JsonRejection;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::error::QuestionError;
use crate::json::Json;
use crate::limits::Rooms;

/// A question sent by POST, although it changes nothing.
pub(super) const QUESTION: &str = "/api/v1/played";

pub(super) fn described<S: Clone + Send + Sync + 'static>() -> OpenApiRouter<S> {
    OpenApiRouter::new().routes(routes!(answer))
}

/// What was played from a position
///
/// In the games between levels of the champion that come with Agon, however the board is turned: each move with the
/// results of its games, and some games. Nothing for games that have none.
#[utoipa::path(post, path = "/api/v1/played", operation_id = "played", tag = "boards", security(()),
    request_body = BoardQuestion,
    responses((status = 200, body = PlayedAnswer),
        (status = 400, description = "No such position, or a move is not legal"),
        (status = 413, description = "A question of more than 16 KiB"),
        (status = 503, description = "No room for another question")))]
async fn answer(
    Extension(rooms): Extension<Arc<Rooms>>,
    question: Result<Json<BoardQuestion>, JsonRejection>,
) -> Result<Json<PlayedAnswer>, QuestionError> {
    let Json(question) = question?;
    Ok(Json(rooms.positions.run(move |_| played_in(&question)).await??))
}
