//! Reading what a visitor pastes or drops.

use std::sync::Arc;

use agon_files::{GameText, ReadGames};
use axum::Extension;
use axum::extract::rejection::JsonRejection;

use super::bounds::FileBounds;
use super::refusal::unreadable;
use crate::analysis::QuestionError;
use crate::json::Json;
use crate::limits::Rooms;
use crate::text::localized;

/// Reads games in any format: records, SGF, `.psq`, `.pos`, `.lib`, RIF's database, positions, or moves.
///
/// # Errors
/// [`QuestionError`] that says what cannot be read or written.
pub async fn read(
    Extension(rooms): Extension<Arc<Rooms>>,
    Extension(bounds): Extension<FileBounds>,
    asked: Result<Json<GameText>, JsonRejection>,
) -> Result<Json<ReadGames>, QuestionError> {
    let Json(asked) = asked.map_err(|refused| unreadable(&refused, &bounds))?;
    let mut games = rooms.texts.run(move |_| asked.read(&bounds.limits)).await??;
    games.remarks().for_each(|remark| remark.text = localized(&remark.remark));
    Ok(Json(games))
}
