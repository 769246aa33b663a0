//! The findings of a check, as a site stores them and shows them to the author.

use agon_message::{Keyed, Stated};
use rusqlite::types::Type;
use rusqlite::{Error, Row};

/// The findings of a check, line by line; empty for a version that has passed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CheckMessage {
    pub lines: Vec<Stated>,
}

impl CheckMessage {
    /// In English.
    pub fn text(&self) -> String {
        self.lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n")
    }

    /// Keys and arguments of the lines as JSON; `None` if no line has any.
    pub(crate) fn keyed(&self) -> Result<Option<String>, Error> {
        let keyed: Vec<&Option<Box<Keyed>>> = self.lines.iter().map(|line| &line.keyed).collect();
        if keyed.iter().all(|keyed| keyed.is_none()) {
            return Ok(None);
        }
        serde_json::to_string(&keyed).map(Some).map_err(|error| Error::ToSqlConversionFailure(error.into()))
    }

    /// Read from a row, by the positions of the text and of [`Self::keyed`].
    pub(crate) fn of_row(row: &Row, text_at: usize, keyed_at: usize) -> Result<Self, Error> {
        let (text, keyed): (String, Option<String>) = (row.get(text_at)?, row.get(keyed_at)?);
        let mut message = Self::from(text.as_str());
        if let Some(keyed) = keyed {
            let keyed: Vec<Option<Box<Keyed>>> = serde_json::from_str(&keyed)
                .map_err(|error| Error::FromSqlConversionFailure(keyed_at, Type::Text, error.into()))?;
            for (line, keyed) in message.lines.iter_mut().zip(keyed) {
                line.keyed = keyed;
            }
        }
        Ok(message)
    }
}

/// A text whose lines have no keys.
impl From<&str> for CheckMessage {
    fn from(text: &str) -> Self {
        Self { lines: text.lines().map(Stated::from).collect() }
    }
}

/// Statements of one line each.
impl FromIterator<Stated> for CheckMessage {
    fn from_iter<T: IntoIterator<Item = Stated>>(lines: T) -> Self {
        let one_line = |line: Stated| Stated { text: line.text.replace('\n', " "), ..line };
        Self { lines: lines.into_iter().map(one_line).collect() }
    }
}
