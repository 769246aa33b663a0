//! What boards ask: the rules about positions, and the engines about moves.
//!
//! Nothing here belongs to a site: a board that one person opens on an own machine asks the same.

mod position;
mod question;

use axum::extract::rejection::JsonRejection;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use axum::{Json, Router};
use tokio::task::spawn_blocking;

pub use position::position;
pub use question::{BoardGame, BoardMove, BoardQuestion, QuestionError};

/// What is asked by POST, although it changes nothing: a game may be longer than an address.
pub const QUESTIONS: [&str; 1] = ["/api/v1/position"];

/// The routes of boards.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Router<S> {
    Router::new().route(QUESTIONS[0], post(show))
}

/// A position, and what may be done there.
async fn show(question: Result<Json<BoardQuestion>, JsonRejection>) -> Result<Response, QuestionError> {
    let Json(question) = question.map_err(|refused| QuestionError::new(&refused.body_text()))?;
    let answer = spawn_blocking(move || question.play().map(|game| position(&game))).await;
    let answer = answer.map_err(|_| QuestionError::new(&"the position could not be computed"))??;
    Ok(Json(answer).into_response())
}
