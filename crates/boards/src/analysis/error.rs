//! Why a question has no answer, in terms of HTTP.

use std::sync::Arc;

use agon_analysis::board::Refusal;
use agon_message::{English, Message, Reason, messages};
use axum::extract::rejection::JsonRejection;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::limits::{BUSY_RETRY, CROWDED_RETRY, Full, RoomError};
use crate::text::localized;

messages! {
    /// Why a question is not answered now.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Unanswered {
        NoReply = "the engine gave no answer",
        NoPuzzle = "no puzzle was found",
        Stopped = "the search was stopped",
        AnalysesFull = "too many positions are being analysed; try again in a minute",
        ProgramsFull = "too many programs are playing right now; try again in a few seconds",
        RequestsFull = "too many requests of this kind are waiting; try again in a minute",
        WritingSlow = "writing the variations takes too long",
        Failed = "it could not be computed",
    }
}

/// Why a question has no answer.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct QuestionError {
    /// What is wrong, in one line.
    pub reason: Reason,
    /// The number of the move that is wrong, from 0, if it is one.
    pub at: Option<usize>,
    /// The same for clients that do not read the text.
    pub status: StatusCode,
}

impl QuestionError {
    /// Something is wrong with the question.
    pub fn from_message(reason: impl Message + 'static) -> Self {
        Self { reason: Arc::new(reason), at: None, status: StatusCode::BAD_REQUEST }
    }

    /// A problem described in English by another crate, or in the language of the request.
    pub fn new(detail: &impl ToString) -> Self {
        Self::from_message(English(detail.to_string()))
    }

    /// There is no room now.
    pub fn busy(reason: impl Message + 'static) -> Self {
        Self { status: StatusCode::SERVICE_UNAVAILABLE, ..Self::from_message(reason) }
    }

    /// There is no room for more of this visitor, or of anyone.
    pub fn full(full: Full, reason: Unanswered) -> Self {
        match full {
            Full::Own => Self { status: StatusCode::TOO_MANY_REQUESTS, ..Self::from_message(reason) },
            Full::All => Self::busy(reason),
        }
    }
}

impl From<JsonRejection> for QuestionError {
    fn from(refused: JsonRejection) -> Self {
        let error = Self::new(&refused.body_text());
        // An unreadable question is a wrong one; one that is too large gets its own status.
        match refused.status() {
            status @ StatusCode::PAYLOAD_TOO_LARGE => Self { status, ..error },
            _ => error,
        }
    }
}

impl From<RoomError> for QuestionError {
    fn from(error: RoomError) -> Self {
        match error {
            RoomError::Full => Self::busy(Unanswered::RequestsFull),
            RoomError::Failed(why) => {
                tracing::error!("a question of a board: {why}");
                Self { status: StatusCode::INTERNAL_SERVER_ERROR, ..Self::from_message(Unanswered::Failed) }
            }
        }
    }
}

impl IntoResponse for QuestionError {
    fn into_response(self) -> Response {
        let title = self.status.canonical_reason();
        let mut body = json!({
            "type": "about:blank", "title": title, "status": self.status.as_u16(), "detail": localized(&self.reason),
            "code": self.reason.key(),
        });
        if let Some(at) = self.at {
            body["at"] = at.into();
        }
        let kind = [(header::CONTENT_TYPE, "application/problem+json")];
        let mut response = (self.status, kind, body.to_string()).into_response();
        let wait = match self.status {
            StatusCode::TOO_MANY_REQUESTS => Some(CROWDED_RETRY),
            StatusCode::SERVICE_UNAVAILABLE => Some(BUSY_RETRY),
            _ => None,
        };
        if let Some(wait) = wait {
            response.headers_mut().insert(header::RETRY_AFTER, wait.as_secs().into());
        }
        response
    }
}

impl From<Refusal> for QuestionError {
    fn from(Refusal { reason, at }: Refusal) -> Self {
        Self { at, ..Self::from_message(reason) }
    }
}
