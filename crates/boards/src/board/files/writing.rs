//! Writing games as files.

use std::sync::Arc;

use agon_catalog::Setup;
use agon_files::{GameEnd, RECORD, UnwrittenGame, WritingError};
use axum::Extension;
use axum::extract::rejection::JsonRejection;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use super::super::written;
use super::bounds::FileBounds;
use super::refusal::unreadable;
use crate::analysis::{BoardQuestion, QuestionError, Unanswered};
use crate::json::Json;
use crate::limits::{Effort, Rooms};

///
/// # Errors
/// [`QuestionError`] that says what cannot be read or written.
pub async fn write(
    Extension(rooms): Extension<Arc<Rooms>>,
    Extension(bounds): Extension<FileBounds>,
    asked: Result<Json<UnwrittenGame>, JsonRejection>,
) -> Result<Response, QuestionError> {
    let Json(asked) = asked.map_err(|refused| unreadable(&refused, &bounds))?;
    let (kind, bytes) = rooms.texts.run(move |effort| in_format(&asked, effort)).await??;
    Ok(([(header::CONTENT_TYPE, kind)], bytes).into_response())
}

/// The record of a game from its start.
///
/// # Errors
/// [`QuestionError`] for a game that cannot be played so.
pub fn record_of(
    question: &BoardQuestion,
    names: &[String; 2],
    engines: [bool; 2],
    end: Option<GameEnd>,
) -> Result<String, QuestionError> {
    let played = question.play()?;
    let setup = Setup { seed: question.seed, parameters: question.parameters.clone() };
    let mut start = played.game.initial_state(&setup).map_err(|error| QuestionError::new(&error))?;
    let moves: Vec<_> = played.moves.into_iter().map(|made| (made.side, made.judged)).collect();
    Ok(written::record(played.game, &setup, start.as_mut(), &moves, names, engines, end).write())
}

pub(super) fn in_format(asked: &UnwrittenGame, effort: &Effort) -> Result<(&'static str, Vec<u8>), QuestionError> {
    if asked.format == RECORD {
        let checked = asked.check()?;
        let record = record_of(&asked.question, &checked.names, asked.engines, checked.end)?;
        return Ok((checked.kind, record.into_bytes()));
    }
    asked.write(&|| effort.is_over()).map_err(|error| match error {
        WritingError::Refused(refusal) => refusal.into(),
        WritingError::TooLong => QuestionError::busy(Unanswered::WritingSlow),
    })
}
