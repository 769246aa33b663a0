//! Openings of renju with swaps, and the champion's decisions in them.

use std::sync::Arc;

use agon_analysis::board::{OpeningAnswer, OpeningQuestion};
use agon_search::Stop;
use axum::Extension;
use axum::extract::State;
use axum::extract::rejection::JsonRejection;
use axum::response::{IntoResponse, Response};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::json::Json;
use crate::limits::Rooms;
use crate::text::stated;

use super::asker::{SearcherAddress, searcher};
use super::error::{QuestionError, Unanswered};
use super::service::{EngineService, searched};

/// A question sent by POST, although it changes nothing.
pub(super) const QUESTION: &str = "/api/v1/opening";

pub(super) fn described<S: Clone + Send + Sync + 'static>(service: &Arc<EngineService>) -> OpenApiRouter<S> {
    OpenApiRouter::new().routes(routes!(open)).with_state(Arc::clone(service))
}

/// An opening by an opening rule
///
/// Who decides what next, which decisions are legal, and, if `decide` is true, what the champion decides. Texts are in
/// the language of `Accept-Language`, English or Korean.
#[utoipa::path(post, path = "/api/v1/opening", operation_id = "opening", tag = "boards", security(()),
    request_body = OpeningQuestion,
    responses((status = 200, body = OpeningAnswer),
        (status = 400, description = "No such rule, or a decision that is not legal: `at` is its number, from 0"),
        (status = 413, description = "A question of more than 16 KiB"),
        (status = 503, description = "No room for another search")))]
async fn open(
    State(service): State<Arc<EngineService>>,
    Extension(rooms): Extension<Arc<Rooms>>,
    address: Option<Extension<SearcherAddress>>,
    question: Result<Json<OpeningQuestion>, JsonRejection>,
) -> Result<Response, QuestionError> {
    let Json(question) = question?;
    if !question.decide {
        let answer = rooms.positions.run(move |_| question.answer(&Stop::default())).await??;
        return Ok(Json(answer.spoken(stated)).into_response());
    }
    question.play()?;
    let asker = searcher(address, &question.client);
    let answer = searched(&service, asker, Unanswered::NoReply, move |stop| question.answer(&stop)).await??;
    Ok(Json(answer.spoken(stated)).into_response())
}
