//! Why a request is refused.

use std::borrow::Cow;
use std::sync::Arc;

use agon_arena::store::StoreError;
use agon_message::Message;

/// What is wrong, as a message.
pub type Reason = Arc<dyn Message>;

/// What is wrong with one field of a request.
#[derive(Clone, Debug)]
pub struct FieldError {
    /// The field, as forms and JSON name it; empty for the whole.
    pub field: Cow<'static, str>,
    pub reason: Reason,
    /// Whether the field is merely too large.
    pub too_large: bool,
}

impl FieldError {
    pub fn new(field: impl Into<Cow<'static, str>>, reason: impl Message + 'static) -> Self {
        Self { field: field.into(), reason: Arc::new(reason), too_large: false }
    }

    pub fn too_large(field: impl Into<Cow<'static, str>>, reason: impl Message + 'static) -> Self {
        Self { too_large: true, ..Self::new(field, reason) }
    }
}

/// Why a use of the site fails.
#[derive(Debug)]
pub enum Refusal {
    NotFound,
    /// Only others may do it.
    Forbidden(Reason),
    Field(FieldError),
    /// It conflicts with what exists: a quota is used up, for example.
    Conflict(Reason),
    Store(StoreError),
}

impl Refusal {
    pub fn forbidden(reason: impl Message + 'static) -> Self {
        Self::Forbidden(Arc::new(reason))
    }

    pub fn conflict(reason: impl Message + 'static) -> Self {
        Self::Conflict(Arc::new(reason))
    }
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
