//! What is said where a request is no game.

use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;

use crate::analysis::QuestionError;
use crate::limits::MAX_GAME_BYTES;

pub fn unreadable(refused: &JsonRejection) -> QuestionError {
    if refused.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let why = format!("the game is too large: a board takes {} KiB", MAX_GAME_BYTES >> 10);
        return QuestionError { status: StatusCode::PAYLOAD_TOO_LARGE, ..QuestionError::new(&why) };
    }
    QuestionError::new(&refused.body_text())
}
