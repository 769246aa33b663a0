//! Why a question has no answer, as HTTP says it.

use agon_analysis::board::Refusal;
use axum::extract::rejection::JsonRejection;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::error::SiteError;
use crate::limits::{BUSY_RETRY, CROWDED_RETRY, Full, RoomError};
use crate::text::said;

/// Why a question has no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{detail}")]
pub struct QuestionError {
    /// What is wrong, in a line.
    pub detail: String,
    /// The number of the move that is wrong, from 0, if it is one.
    pub at: Option<usize>,
    /// The same to a client that looks at no words.
    pub status: StatusCode,
}

impl QuestionError {
    /// Something is wrong with the question.
    pub fn new(detail: &impl ToString) -> Self {
        Self { detail: detail.to_string(), at: None, status: StatusCode::BAD_REQUEST }
    }

    /// There is no room now.
    pub fn busy(detail: &impl ToString) -> Self {
        Self { status: StatusCode::SERVICE_UNAVAILABLE, ..Self::new(detail) }
    }

    /// There is no room for more of this visitor, or of anyone.
    pub fn full(full: Full, detail: &impl ToString) -> Self {
        match full {
            Full::Own => Self { status: StatusCode::TOO_MANY_REQUESTS, ..Self::new(detail) },
            Full::All => Self::busy(detail),
        }
    }
}

impl From<JsonRejection> for QuestionError {
    fn from(refused: JsonRejection) -> Self {
        let error = Self::new(&refused.body_text());
        // What cannot be read is a question that is wrong; what is too large says so.
        match refused.status() {
            status @ StatusCode::PAYLOAD_TOO_LARGE => Self { status, ..error },
            _ => error,
        }
    }
}

impl From<SiteError> for QuestionError {
    /// An error of the site in the words of boards.
    fn from(error: SiteError) -> Self {
        let problem = error.problem();
        let status = StatusCode::from_u16(problem.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        Self { status, ..Self::new(&problem.detail) }
    }
}

impl From<RoomError> for QuestionError {
    fn from(error: RoomError) -> Self {
        match error {
            RoomError::Full => Self::busy(&error),
            RoomError::Failed(why) => {
                tracing::error!("a question of a board: {why}");
                Self { status: StatusCode::INTERNAL_SERVER_ERROR, ..Self::new(&"it could not be computed") }
            }
        }
    }
}

impl IntoResponse for QuestionError {
    fn into_response(self) -> Response {
        let title = self.status.canonical_reason();
        let mut body = json!({
            "type": "about:blank", "title": title, "status": self.status.as_u16(), "detail": said(&self.detail),
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
    fn from(Refusal { detail, at }: Refusal) -> Self {
        Self { at, ..Self::new(&detail) }
    }
}
