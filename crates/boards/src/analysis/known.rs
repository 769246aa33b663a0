//! What is known about a position without a search.

use std::sync::Arc;

use agon_analysis::board::{BoardQuestion, KnownAnswer, known_of};
use axum::Extension;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::json::Json;

use super::asker::{SearcherAddress, searcher};
use super::error::{QuestionError, Unanswered};
use super::service::{EngineService, searched};

/// Questions sent by POST, although they change nothing.
pub(super) const QUESTION: &str = "/api/v1/known";

pub(super) fn described<S: Clone + Send + Sync + 'static>(service: &Arc<EngineService>) -> OpenApiRouter<S> {
    OpenApiRouter::new().routes(routes!(answer)).with_state(Arc::clone(service))
}

/// What is known about a position
///
/// Without a search: for renju, what the opening books prove, with a line to the end, and what has held in practice.
/// For other games, nothing.
#[utoipa::path(post, path = "/api/v1/known", operation_id = "known", tag = "boards", security(()),
    request_body = BoardQuestion,
    responses((status = 200, body = KnownAnswer),
        (status = 400, description = "No such position, or a move is not legal"),
        (status = 413, description = "A question of more than 16 KiB"),
        (status = 503, description = "No room for another search")))]
async fn answer(
    State(service): State<Arc<EngineService>>,
    address: Option<Extension<SearcherAddress>>,
    question: Result<Json<BoardQuestion>, JsonRejection>,
) -> Result<Json<KnownAnswer>, QuestionError> {
    let Json(question) = question?;
    // It runs beside the analysis of the page.
    let asker = searcher(address, &format!("{} known", question.client));
    let found = searched(&service, asker, Unanswered::Stopped, move |stop| known_of(&question, &stop)).await??;
    Ok(Json(found))
}
