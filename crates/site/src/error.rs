//! Why something is refused, for whoever asked for it.

use std::borrow::Cow;

use agon_arena::store::StoreError;

/// What is wrong with one field of what was sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldError {
    /// The field, as forms and JSON name it; empty for the whole.
    pub field: Cow<'static, str>,
    pub text: String,
    /// Whether the field is merely too large.
    pub too_large: bool,
}

impl FieldError {
    pub fn new(field: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self { field: field.into(), text: text.into(), too_large: false }
    }

    pub fn too_large(field: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self { too_large: true, ..Self::new(field, text) }
    }
}

/// Why a use of the site fails.
#[derive(Debug)]
pub enum Refusal {
    NotFound,
    /// Only others may do it.
    Forbidden(&'static str),
    Field(FieldError),
    /// It does not fit what is there: a quota is used up, for one thing.
    Conflict(String),
    Store(StoreError),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<FieldError> for Refusal {
    fn from(error: FieldError) -> Self {
        Self::Field(error)
    }
}
