//! Parameters of a search, as the command line sets them.

use std::fmt;

use agon_search::parameters::{ParameterError, Tunable};
use anyhow::anyhow;

/// A parameter and its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Setting {
    name: String,
    value: i32,
}

impl Setting {
    /// Reads `NAME=VALUE`.
    ///
    /// # Errors
    /// A line that describes the error.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("NAME=VALUE expected")?;
        let value = value.parse().map_err(|_| format!("`{value}` is not a whole number"))?;
        Ok(Self { name: name.to_owned(), value })
    }

    /// The usual parameters except for these; of two values of one parameter the last one counts.
    ///
    /// # Errors
    /// If there is no such parameter, with the names of all, or its value is out of range.
    pub(crate) fn tuning<T: Tunable>(settings: &[Self]) -> anyhow::Result<T> {
        let mut tuning = T::default();
        for Self { name, value } in settings {
            tuning.set(name, *value).map_err(|error| match error {
                ParameterError::Unknown(_) => {
                    let names: Vec<&str> = T::table().iter().map(|parameter| parameter.name).collect();
                    anyhow!("{error}; there are {}", names.join(", "))
                }
                ParameterError::Range { .. } => error.into(),
            })?;
        }
        Ok(tuning)
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.value)
    }
}
