//! What is said where a request is no game.

use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;

use super::bounds::FileBounds;
use crate::analysis::QuestionError;

pub(super) fn unreadable(refused: &JsonRejection, bounds: &FileBounds) -> QuestionError {
    if refused.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let (kib, local) = (bounds.file >> 10, FileBounds::LOCAL.file >> 20);
        let why = format!(
            "the file is too large: the limit is {kib} KiB; `agon board` on your machine takes {local} MiB, and \
             `agon convert FILE PART.sgf --game N` takes a game out"
        );
        return QuestionError { status: StatusCode::PAYLOAD_TOO_LARGE, ..QuestionError::new(&why) };
    }
    QuestionError::new(&refused.body_text())
}
