//! The answer to a request that is not a game.

use agon_message::messages;
use axum::extract::rejection::JsonRejection;
use axum::http::StatusCode;

use super::bounds::FileBounds;
use crate::analysis::QuestionError;

messages! {
    /// Why a file is not read at all.
    pub enum FileSizeProblem {
        TooLarge { kib: usize, mib: usize } =
            "file is too large; the limit is {kib} KiB (`agon board` on your machine takes {mib} MiB, and `agon \
             convert FILE PART.sgf --game N` extracts a game)",
    }
}

pub(super) fn unreadable(refused: &JsonRejection, bounds: &FileBounds) -> QuestionError {
    if refused.status() == StatusCode::PAYLOAD_TOO_LARGE {
        let (kib, mib) = (bounds.file >> 10, FileBounds::LOCAL.file >> 20);
        let why = FileSizeProblem::TooLarge { kib, mib };
        return QuestionError { status: StatusCode::PAYLOAD_TOO_LARGE, ..QuestionError::from_message(why) };
    }
    QuestionError::new(&refused.body_text())
}
