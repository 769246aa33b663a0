//! The questions of boards: to the rules about positions, and to the engines about moves.
//!
//! Nothing here belongs to a site: a board opened on one's own machine asks the same questions.

mod asker;
mod chance;
mod curve;
mod curves;
mod error;
mod known;
mod opening;
mod played;
mod puzzles;
mod service;
mod turns;

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Instant;

use agon_analysis::board::{AnalysedPosition, MoveAnswer, MoveWish, PositionAnswer, analysis_wish, position};
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Router};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::mpsc;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::UnboundedReceiverStream;
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::json::Json;
use crate::limits::Rooms;
use crate::text::stated;

use asker::searcher;
use service::searched;

pub use agon_analysis::board::{BoardGame, BoardMove, BoardQuestion};
pub use asker::SearcherAddress;
pub use curve::{CurvePoint, CurveText, Lead, curve};
pub use curves::{CurveProgress, Curves};
pub use error::{QuestionError, Unanswered};
pub use service::{EndedBy, EngineService, SearchPriority, SearchTicket, Searcher};

/// Questions sent by POST, although they change nothing: a game may be longer than an address.
pub const QUESTIONS: [&str; 7] = [
    "/api/v1/position",
    "/api/v1/move",
    known::QUESTION,
    opening::QUESTION,
    played::QUESTION,
    puzzles::QUESTIONS[0],
    puzzles::QUESTIONS[1],
];

/// The stream of an analysis.
pub const STREAM: &str = "/api/v1/analysis";

/// The routes of boards.
pub fn routes<S: Clone + Send + Sync + 'static>(service: &Arc<EngineService>) -> Router<S> {
    described(service).split_for_parts().0
}

/// The same with the descriptions for the interface's document.
pub fn described<S: Clone + Send + Sync + 'static>(service: &Arc<EngineService>) -> OpenApiRouter<S> {
    let routes = OpenApiRouter::new().routes(routes!(show)).routes(routes!(reply)).routes(routes!(analyse));
    let routes = routes.with_state(Arc::clone(service)).merge(opening::described(service));
    let routes = routes.merge(played::described());
    routes.merge(puzzles::described(service)).merge(known::described(service))
}

/// The game of a question, played on a thread that may take its time.
async fn played(rooms: &Rooms, question: BoardQuestion) -> Result<(BoardQuestion, BoardGame), QuestionError> {
    Ok(rooms.positions.run(move |_| question.play().map(|game| (question, game))).await??)
}

/// A position and the possible moves
///
/// Whole enough to draw it and to play on: boards know no rules. Names and reasons are in the language of
/// `Accept-Language`, English or Korean.
#[utoipa::path(post, path = "/api/v1/position", operation_id = "position", tag = "boards", security(()),
    request_body = BoardQuestion,
    responses((status = 200, body = PositionAnswer),
        (status = 400, description = "No such game, or a move that is not legal: `at` is its number, from 0"),
        (status = 413, description = "A question of more than 16 KiB"),
        (status = 503, description = "No room for another question")))]
async fn show(
    Extension(rooms): Extension<Arc<Rooms>>,
    question: Result<Json<BoardQuestion>, JsonRejection>,
) -> Result<Response, QuestionError> {
    let Json(question) = question?;
    let answer = rooms.positions.run(move |_| question.play().map(|game| position(&game))).await??;
    Ok(Json(answer.spoken(stated)).into_response())
}

/// The move of a built-in player
///
/// The search ends when its stream is dropped.
#[utoipa::path(post, path = "/api/v1/move", operation_id = "engine_move", tag = "boards", security(()),
    request_body = BoardQuestion,
    responses((status = 200, body = MoveAnswer),
        (status = 400, description = "No such position or player, or the game is over"),
        (status = 413, description = "A question of more than 16 KiB"),
        (status = 503, description = "No room for another search")))]
async fn reply(
    State(service): State<Arc<EngineService>>,
    Extension(rooms): Extension<Arc<Rooms>>,
    address: Option<Extension<SearcherAddress>>,
    question: Result<Json<BoardQuestion>, JsonRejection>,
) -> Result<Response, QuestionError> {
    let Json(question) = question?;
    MoveWish::check(&question)?;
    let (question, game) = played(&rooms, question).await?;
    let wish = MoveWish::new(&question, &game, chance::number)?;
    let asker = searcher(address, &question.client);
    let reply = searched(&service, asker, Unanswered::NoReply, move |stop| wish.run(stop)).await??;
    Ok(Json(reply.spoken(stated)).into_response())
}

/// The question of a stream, as JSON in the address.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
struct StreamQuery {
    /// A `BoardQuestion` as JSON.
    request: String,
}

/// An analysis as events
///
/// Server-sent events with what `agon analyze --format json` prints: `line`, `best` and `win`, or `values` in
/// domineering; at the end, `end`. It ends with the stream.
#[utoipa::path(get, path = "/api/v1/analysis", operation_id = "analysis", tag = "boards", security(()),
    params(StreamQuery),
    responses((status = 200, body = String, content_type = "text/event-stream"),
        (status = 400, description = "No such position"),
        (status = 503, description = "No room for another search")))]
async fn analyse(
    State(service): State<Arc<EngineService>>,
    Extension(rooms): Extension<Arc<Rooms>>,
    address: Option<Extension<SearcherAddress>>,
    query: Result<Query<StreamQuery>, QueryRejection>,
) -> Result<Response, QuestionError> {
    let Query(query) = query.map_err(|refused| QuestionError::new(&refused.body_text()))?;
    let question: BoardQuestion = serde_json::from_str(&query.request)
        .map_err(|error| QuestionError::new(&format!("`request` is no question: {error}")))?;
    let bounds = service.bounds();
    bounds.time(question.seconds)?;
    let (question, game) = played(&rooms, question).await?;
    let wish = analysis_wish(&question, &game, &bounds)?;
    let time = wish.limits.time;
    let position = AnalysedPosition::from_state(game.game, game.state.as_ref())?;
    // A search reports some lines for each depth: there are never many that wait.
    let (send, receive) = mpsc::unbounded_channel();
    let ticket =
        service.begin(searcher(address, &question.client), SearchPriority::Background, move |stop, ended| {
            let begun = Instant::now();
            let mut send = |name: &'static str, data: serde_json::Value| {
                let _ = send.send(Event::default().event(name).data(data.to_string()));
            };
            if let Err(error) = position.analyse(&wish, stop, &mut send) {
                tracing::error!("an analysis failed: {error}");
            }
            let reason = match ended() {
                Some(EndedBy::Replaced) => "replaced",
                Some(EndedBy::Crowded) => "crowded",
                Some(EndedBy::Stopping) => "stopping",
                Some(EndedBy::Gone) => return,
                None if time.is_some_and(|time| begun.elapsed() >= time) => "time",
                None => "done",
            };
            send("end", json!({ "reason": reason }));
        })?;
    let events = UnboundedReceiverStream::new(receive).map(move |event| {
        // The search ends with the stream.
        let _ticket = &ticket;
        Ok::<_, Infallible>(event)
    });
    let events = Sse::new(events).keep_alive(KeepAlive::default());
    Ok(([("x-accel-buffering", "no")], events).into_response())
}
