//! Reasons in tables: the text in one column, key and arguments as JSON in another.

use agon_message::Stated;
use rusqlite::types::Type;
use rusqlite::{Error, Row};

/// The second column; `None` for a text without a key.
///
/// # Errors
/// None that is known: everything in a message can be written as JSON.
pub fn keyed(reason: &Stated) -> Result<Option<String>, Error> {
    let keyed = reason.keyed.as_ref().map(serde_json::to_string);
    keyed.transpose().map_err(|error| Error::ToSqlConversionFailure(error.into()))
}

/// The reason of a row by the positions of its columns; `None` if it has none.
///
/// # Errors
/// [`rusqlite::Error`] if they contain something else.
pub fn stated(row: &Row, text_at: usize, keyed_at: usize) -> Result<Option<Stated>, Error> {
    let (text, keyed): (Option<String>, Option<String>) = (row.get(text_at)?, row.get(keyed_at)?);
    let Some(text) = text else { return Ok(None) };
    let read = |keyed: String| {
        serde_json::from_str(&keyed)
            .map_err(|error| Error::FromSqlConversionFailure(keyed_at, Type::Text, error.into()))
    };
    Ok(Some(Stated { text, keyed: keyed.map(read).transpose()? }))
}
