//! Why a request fails: faults of the visitor are explained, our own have a number that stands in the log.

use std::sync::Arc;
use std::time::Duration;

use agon_arena::store::StoreError;
use agon_site::error::{FieldError, Refusal};
use agon_site::secret;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::limits::{BUSY_RETRY, CROWDED_RETRY, Full, RoomError};
use crate::problem::{self, ApiProblem, ProblemKind};
use crate::rate::LimitedAction;

/// When it makes sense to ask again for what a read-only site refuses.
const READ_ONLY_RETRY: Duration = Duration::from_mins(5);

/// The status of an answer to a wrong field.
pub(crate) const fn field_status(wrong: &FieldError) -> StatusCode {
    if wrong.too_large { StatusCode::PAYLOAD_TOO_LARGE } else { StatusCode::UNPROCESSABLE_ENTITY }
}

/// Why a request gets no answer.
#[derive(Clone, Debug)]
pub enum SiteError {
    /// There is no such page.
    NotFound,
    /// It was there, and is not kept any more.
    Gone(&'static str),
    /// One must sign in, and comes back here.
    SignIn { back: String },
    /// A token that does not exist, or was revoked.
    UnknownToken,
    /// It may not be done.
    Forbidden(&'static str),
    /// A token is not for this; the scopes that would do.
    Scope(&'static str),
    /// What was sent cannot be read.
    Bad(String),
    /// A field of what was sent is wrong.
    Field(FieldError),
    /// It does not go with what there is: a quota is used up, for one thing.
    Conflict(String),
    /// There were too many of these.
    TooMany(LimitedAction, Duration),
    /// An address or an account has too much of this open.
    Crowded(&'static str),
    /// The site has no room for more of this.
    Busy(&'static str),
    /// Nothing may be changed for a while.
    ReadOnly,
    /// It is our fault; the number stands in the log.
    Internal(u64),
    /// The framework has refused the request, with this status and these words.
    Refused(StatusCode, String),
}

impl SiteError {
    /// Logs a fault of ours, under a number.
    pub fn internal(what: impl std::fmt::Display) -> Self {
        // Short enough to be read out over a telephone.
        let number = secret::number() % 100_000_000;
        tracing::error!(number, "{what}");
        Self::Internal(number)
    }

    /// There is no place for more of these.
    pub const fn full(full: Full, what: &'static str) -> Self {
        match full {
            Full::Own => Self::Crowded(what),
            Full::All => Self::Busy(what),
        }
    }

    /// What stands above the form again, of what is wrong with what was typed.
    ///
    /// # Errors
    /// What has a page of its own.
    pub fn on_form(self) -> Result<FieldError, Self> {
        match self {
            Self::Field(wrong) => Ok(wrong),
            Self::Conflict(text) => Ok(FieldError::new("", text)),
            other => Err(other),
        }
    }

    /// The kind of problem that it is.
    pub fn kind(&self) -> &'static ProblemKind {
        match self {
            Self::NotFound => problem::NOT_FOUND,
            Self::Gone(_) => problem::GONE,
            Self::SignIn { .. } => problem::NOT_SIGNED_IN,
            Self::UnknownToken => problem::UNKNOWN_TOKEN,
            Self::Forbidden(_) => problem::NOT_ALLOWED,
            Self::Scope(_) => problem::MISSING_SCOPE,
            Self::Bad(_) => problem::BAD_REQUEST,
            Self::Field(wrong) if wrong.too_large => problem::TOO_LARGE,
            Self::Field(_) => problem::INVALID_FIELD,
            Self::Conflict(_) => problem::CONFLICT,
            Self::TooMany(..) | Self::Crowded(_) => problem::TOO_MANY_REQUESTS,
            Self::Busy(_) | Self::ReadOnly => problem::UNAVAILABLE,
            Self::Internal(_) => problem::INTERNAL,
            Self::Refused(status, _) => problem::of_status(*status),
        }
    }

    /// What is wrong, for people.
    pub fn detail(&self) -> String {
        match self {
            Self::NotFound => "There is nothing here.".to_owned(),
            Self::SignIn { .. } => "Sign in first.".to_owned(),
            Self::UnknownToken => {
                "There is no such token: it was revoked, has expired, or was not copied whole.".to_owned()
            }
            Self::Forbidden(why) | Self::Gone(why) => (*why).to_owned(),
            Self::Scope(scopes) => format!("This token is not for that: it needs the scope {scopes}."),
            Self::Bad(why) | Self::Conflict(why) => why.clone(),
            Self::Field(wrong) => wrong.text.clone(),
            Self::TooMany(action, wait) => {
                format!("Too many {}. Try again in {} s.", action.words(), wait.as_secs() + 1)
            }
            Self::Crowded(what) => {
                format!(
                    "Too many {what} from your address or account at once. Try again in {} s.",
                    CROWDED_RETRY.as_secs()
                )
            }
            Self::Busy(what) => {
                format!("The site has too many {what} at the moment. Try again in {} s.", BUSY_RETRY.as_secs())
            }
            Self::ReadOnly => {
                "The site is under maintenance: pages can be read, but nothing can be changed. Try again later."
                    .to_owned()
            }
            Self::Internal(number) => {
                format!("Something broke on our side. Report this number to the host: {number:08}.")
            }
            Self::Refused(_, why) if !why.is_empty() => why.clone(),
            Self::Refused(..) => self.kind().meaning.to_owned(),
        }
    }

    pub fn problem(&self) -> ApiProblem {
        let field = if let Self::Field(wrong) = self { Some(wrong.field.to_string()) } else { None };
        self.kind().problem(self.detail(), field)
    }

    pub fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let wait = match self {
            Self::TooMany(_, wait) => wait.as_secs() + 1,
            Self::Crowded(_) => CROWDED_RETRY.as_secs(),
            Self::Busy(_) => BUSY_RETRY.as_secs(),
            Self::ReadOnly => READ_ONLY_RETRY.as_secs(),
            _ => return headers,
        };
        headers.insert(header::RETRY_AFTER, wait.into());
        headers
    }
}

impl From<StoreError> for SiteError {
    fn from(error: StoreError) -> Self {
        Self::internal(error)
    }
}

impl From<RoomError> for SiteError {
    fn from(error: RoomError) -> Self {
        match error {
            RoomError::Full => Self::Busy("requests of this kind"),
            RoomError::Failed(why) => Self::internal(why),
        }
    }
}

impl From<FieldError> for SiteError {
    fn from(wrong: FieldError) -> Self {
        Self::Field(wrong)
    }
}

impl From<Refusal> for SiteError {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::NotFound => Self::NotFound,
            Refusal::Forbidden(why) => Self::Forbidden(why),
            Refusal::Field(wrong) => Self::Field(wrong),
            Refusal::Conflict(why) => Self::Conflict(why),
            Refusal::Store(error) => error.into(),
        }
    }
}

impl IntoResponse for SiteError {
    /// What is wrong, in plain words; a middleware renders it as a page or a problem.
    fn into_response(self) -> Response {
        let mut response = (self.kind().status, self.headers(), self.detail()).into_response();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

/// A text inside the query of an address.
pub(crate) fn query_escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for &byte in text.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => escaped.push(byte as char),
            _ => escaped += &format!("%{byte:02X}"),
        }
    }
    escaped
}
