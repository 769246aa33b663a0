//! Why a request fails: the visitor's mistakes are explained, our own have a number that is in the log.

use std::sync::Arc;
use std::time::Duration;

use agon_arena::store::StoreError;
use agon_boards::analysis::QuestionError;
use agon_boards::limits::{BUSY_RETRY, CROWDED_RETRY, Full, RoomError};
use agon_message::messages;
use agon_site::error::{FieldError, Reason, Refusal};
use agon_site::secret;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::problem::{self, ApiProblem, ProblemKind};
use crate::rate::LimitedAction;

/// When it makes sense to repeat a request that a read-only site refuses.
const READ_ONLY_RETRY: Duration = Duration::from_mins(5);

/// The status of an answer to a wrong field.
pub(crate) const fn field_status(wrong: &FieldError) -> StatusCode {
    if wrong.too_large { StatusCode::PAYLOAD_TOO_LARGE } else { StatusCode::UNPROCESSABLE_ENTITY }
}

messages! {
    /// Why a request is refused.
    pub enum RequestError {
        NotFound = "there is nothing here",
        SignIn = "sign in first",
        UnknownToken = "unknown token: it was revoked, has expired, or was not copied whole",
        Scope { scopes: &'static str } = "this token lacks the scope {scopes}",
        TooMany { what: LimitedAction, seconds: u64 } = "too many {what}; try again in {seconds} s",
        Crowded { what: Scarce, seconds: u64 } =
            "too many {what} from your address or account at once; try again in {seconds} s",
        Busy { what: Scarce, seconds: u64 } = "the site has too many {what} right now; try again in {seconds} s",
        ReadOnly = "the site is under maintenance: you can read pages but change nothing; try again later",
        StartedReadOnly = "the site was started with --read-only; restart it without that option",
        Internal { number: String } = "internal error; report this number to the host: {number}",
        BrowserOnly = "this works only in a browser, not with a token",
        TotpRequired = "this site requires two-factor sign-in of administrators; turn it on on your own page",
        OtherSite = "this request does not come from a page of this site; go back, reload the page, and try again",
        HostOnly = "only the host can do this",
        SignUpClosed = "sign-up is by invitation only",
        RecordGone = "the record of this game is no longer kept (the site drops the oldest); result and ratings stay",
        NotPlayed = "this game was not played: a program was disqualified or its author removed",
        UnknownKind = "unknown kind of event",
        UnknownLocale = "unknown language",
        UnknownGame = "unknown game",
        SharedFull = "too many games between people are open; try again later",
        OpponentAlone = "`opponent` needs `program`",
        SlowBody = "the request body arrived too slowly and was not read to its end",
        /// The framework's words.
        Unreadable { problem: String } = "{problem}",
    }

    /// What a site has a limited number of.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Scarce {
        Exports = "exports",
        Streams = "event streams",
        LargeAnswers = "large answers",
        Bodies = "request bodies",
        Jobs = "requests of this kind",
    }
}

/// Why a request gets no answer.
#[derive(Clone, Debug)]
pub enum SiteError {
    /// There is no such page.
    NotFound,
    /// It existed, but is no longer kept.
    Gone(Reason),
    /// One must sign in, and comes back here.
    SignIn { back: String },
    /// A token that does not exist, or was revoked.
    UnknownToken,
    /// It is not allowed.
    Forbidden(Reason),
    /// A token is not for this; the scopes that would do.
    Scope(&'static str),
    /// The request cannot be read.
    Bad(Reason),
    /// A field of the request is wrong.
    Field(FieldError),
    /// It conflicts with what exists: a quota is used up, for example.
    Conflict(Reason),
    /// There were too many of these.
    TooMany(LimitedAction, Duration),
    /// An address or an account has too much of this open.
    Crowded(Scarce),
    /// The site has no room for more of this.
    Busy(Scarce),
    /// Nothing may be changed for a while.
    ReadOnly,
    /// It is our fault; the number is in the log.
    Internal(u64),
    /// The body did not come in time.
    SlowBody,
    /// The framework has refused the request, with this status and these words.
    Refused(StatusCode, String),
}

impl SiteError {
    /// Logs a fault of ours, under a number.
    pub fn internal(what: impl std::fmt::Display) -> Self {
        // Short enough to be read out over the phone.
        let number = secret::number() % 100_000_000;
        tracing::error!(number, "{what}");
        Self::Internal(number)
    }

    /// There is no place for more of these.
    pub const fn full(full: Full, what: Scarce) -> Self {
        match full {
            Full::Own => Self::Crowded(what),
            Full::All => Self::Busy(what),
        }
    }

    pub fn forbidden(reason: RequestError) -> Self {
        Self::Forbidden(Arc::new(reason))
    }

    pub fn bad(reason: RequestError) -> Self {
        Self::Bad(Arc::new(reason))
    }

    /// The framework's message about a body that it cannot read.
    pub fn unreadable(problem: String) -> Self {
        Self::bad(RequestError::Unreadable { problem })
    }

    /// The mistake to show above the form again.
    ///
    /// # Errors
    /// Errors with a page of their own.
    pub fn on_form(self) -> Result<FieldError, Self> {
        match self {
            Self::Field(wrong) => Ok(wrong),
            Self::Conflict(reason) => Ok(FieldError { field: "".into(), reason, too_large: false }),
            other => Err(other),
        }
    }

    /// The kind of problem.
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
            Self::SlowBody => problem::TIMEOUT,
            Self::Refused(status, _) => problem::of_status(*status),
        }
    }

    /// What is wrong, for people.
    pub fn reason(&self) -> Reason {
        let (crowded, busy) = (CROWDED_RETRY.as_secs(), BUSY_RETRY.as_secs());
        Arc::new(match self {
            Self::Forbidden(reason) | Self::Gone(reason) | Self::Bad(reason) | Self::Conflict(reason) => {
                return Arc::clone(reason);
            }
            Self::Field(wrong) => return Arc::clone(&wrong.reason),
            Self::NotFound => RequestError::NotFound,
            Self::SignIn { .. } => RequestError::SignIn,
            Self::UnknownToken => RequestError::UnknownToken,
            Self::Scope(scopes) => RequestError::Scope { scopes },
            Self::TooMany(what, wait) => RequestError::TooMany { what: *what, seconds: wait.as_secs() + 1 },
            Self::Crowded(what) => RequestError::Crowded { what: *what, seconds: crowded },
            Self::Busy(what) => RequestError::Busy { what: *what, seconds: busy },
            Self::ReadOnly => RequestError::ReadOnly,
            Self::SlowBody => RequestError::SlowBody,
            Self::Internal(number) => RequestError::Internal { number: format!("{number:08}") },
            Self::Refused(_, why) if why.is_empty() => {
                RequestError::Unreadable { problem: self.kind().meaning.to_owned() }
            }
            Self::Refused(_, why) => RequestError::Unreadable { problem: why.clone() },
        })
    }

    pub fn problem(&self) -> ApiProblem {
        let field = if let Self::Field(wrong) = self { Some(wrong.field.to_string()) } else { None };
        self.kind().problem(&*self.reason(), field)
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
            RoomError::Full => Self::Busy(Scarce::Jobs),
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

impl From<SiteError> for QuestionError {
    /// An error of the site in the words of boards.
    fn from(error: SiteError) -> Self {
        Self { status: error.kind().status, ..Self::from_message(error.reason()) }
    }
}

impl IntoResponse for SiteError {
    /// What is wrong, in plain words; a middleware renders it as a page or a problem.
    fn into_response(self) -> Response {
        let mut response = (self.kind().status, self.headers(), self.reason().to_string()).into_response();
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
