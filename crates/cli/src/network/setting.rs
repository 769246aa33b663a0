//! Parameters of a search, as the command line sets them.

use agon_search::parameters::{ParameterError, Tunable};
use agon_search::pvs::Tuning;

/// One parameter and its value, both known to be allowed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setting {
    /// The parameter's name.
    pub name: String,
    /// What it is to be.
    pub value: i32,
}

impl Setting {
    /// Reads `NAME=VALUE`.
    ///
    /// # Errors
    /// A line that says what is wrong, and what the names are where one is wrong.
    pub fn read(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("NAME=VALUE expected")?;
        let value = value.parse().map_err(|_| format!("`{value}` is no whole number"))?;
        Tuning::default().set(name, value).map_err(|error| match error {
            ParameterError::Unknown(_) => {
                let names: Vec<&str> = Tuning::table().iter().map(|parameter| parameter.name).collect();
                format!("{error}; there are {}", names.join(", "))
            }
            ParameterError::Range { .. } => error.to_string(),
        })?;
        Ok(Self { name: name.to_owned(), value })
    }

    /// The usual parameters but for these; of two values of one parameter the last holds.
    pub fn tuning(settings: &[Self]) -> Result<Tuning, ParameterError> {
        let mut tuning = Tuning::default();
        for Self { name, value } in settings {
            tuning.set(name, *value)?;
        }
        Ok(tuning)
    }
}
