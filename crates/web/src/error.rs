//! What a request can fail with, and what is then told: of faults of the visitor all that helps, of our own a number that
//! stands in the log. Browsers get a page, programs a problem (RFC 9457), by the path alone: see [`told`].

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use agon_arena::store::StoreError;
use axum::body::to_bytes;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;

use crate::layout::Page;
use crate::problem::{self, ApiProblem, ProblemKind};
use crate::rate::LimitedAction;
use crate::secret;
use crate::visitor::Visitor;

/// When it makes sense to ask again for what a read-only site refuses.
const READ_ONLY_RETRY: Duration = Duration::from_mins(5);
/// Below this, all is for programs.
const API: &str = "/api/";

/// Bytes of a refusal by the web framework; they are short.
const REFUSAL: usize = 4096;

/// What is wrong with something that somebody has sent, and in which field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FieldError {
    /// The field, as forms and JSON name it.
    pub field: Cow<'static, str>,
    /// What is wrong, for the one who typed it.
    pub text: String,
    /// Whether it is just too large.
    pub too_large: bool,
}

impl FieldError {
    /// What is wrong with the content of a field.
    pub fn new(field: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self { field: field.into(), text: text.into(), too_large: false }
    }

    /// How a field is too large.
    pub fn too_large(field: impl Into<Cow<'static, str>>, text: impl Into<String>) -> Self {
        Self { too_large: true, ..Self::new(field, text) }
    }

    /// The status of the answer.
    pub const fn status(&self) -> StatusCode {
        if self.too_large { StatusCode::PAYLOAD_TOO_LARGE } else { StatusCode::UNPROCESSABLE_ENTITY }
    }
}

/// Why a request gets no answer.
#[derive(Clone, Debug)]
pub enum SiteError {
    /// There is no such page.
    NotFound,
    /// It was there, and is not kept any more.
    Gone(&'static str),
    /// One must sign in, and comes back here.
    SignIn {
        /// Where to.
        back: String,
    },
    /// A token that nobody has, or that was revoked.
    UnknownToken,
    /// It may not be done.
    Forbidden(&'static str),
    /// A token is not for this; the scopes of which it would need one.
    Scope(&'static str),
    /// What was sent cannot be read.
    Bad(String),
    /// A field of what was sent is wrong.
    Field(FieldError),
    /// It does not go with what there is: a quota is used up, for one thing.
    Conflict(String),
    /// There were too many of these.
    TooMany(LimitedAction, Duration),
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

    fn kind(&self) -> &'static ProblemKind {
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
            Self::TooMany(..) => problem::TOO_MANY_REQUESTS,
            Self::ReadOnly => problem::UNAVAILABLE,
            Self::Internal(_) => problem::INTERNAL,
            Self::Refused(status, _) => problem::of_status(*status),
        }
    }

    fn detail(&self) -> String {
        match self {
            Self::NotFound => "There is nothing here.".to_owned(),
            Self::SignIn { .. } => "Sign in first.".to_owned(),
            Self::UnknownToken => "There is no such token: it was revoked, or not copied whole.".to_owned(),
            Self::Forbidden(why) | Self::Gone(why) => (*why).to_owned(),
            Self::Scope(scopes) => format!("This token is not for that: it needs the scope {scopes}."),
            Self::Bad(why) | Self::Conflict(why) => why.clone(),
            Self::Field(wrong) => wrong.text.clone(),
            Self::TooMany(action, wait) => {
                format!("Too many {}. Try again in {} s.", action.words(), wait.as_secs() + 1)
            }
            Self::ReadOnly => {
                "The site is being looked after: everything can be read, and nothing changed. Try again later."
                    .to_owned()
            }
            Self::Internal(number) => {
                format!("Something broke on our side. Tell the host this number: {number:08}.")
            }
            Self::Refused(_, why) if !why.is_empty() => why.clone(),
            Self::Refused(..) => self.kind().meaning.to_owned(),
        }
    }

    /// The same for programs.
    pub fn problem(&self) -> ApiProblem {
        let field = if let Self::Field(wrong) = self { Some(wrong.field.to_string()) } else { None };
        self.kind().tell(self.detail(), field)
    }

    /// Headers that say more.
    fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        let wait = match self {
            Self::TooMany(_, wait) => wait.as_secs() + 1,
            Self::ReadOnly => READ_ONLY_RETRY.as_secs(),
            _ => return headers,
        };
        headers.insert(header::RETRY_AFTER, wait.into());
        headers
    }

    /// Leaves a note in the answer for those who count refusals.
    fn mark(&self, mut response: Response) -> Response {
        if let Self::TooMany(action, _) = self {
            response.extensions_mut().insert(*action);
        }
        response
    }

    fn as_problem(&self) -> Response {
        let problem = self.problem();
        let text = serde_json::to_string(&problem).unwrap_or_default();
        let head = [(header::CONTENT_TYPE, "application/problem+json"), (header::CACHE_CONTROL, "no-store")];
        let mut response = (self.kind().status, head, self.headers(), text).into_response();
        if matches!(self, Self::SignIn { .. } | Self::UnknownToken) {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, header::HeaderValue::from_static("Bearer"));
        }
        self.mark(response)
    }

    fn as_page(&self) -> Response {
        if let Self::SignIn { back } = self {
            return Redirect::to(&format!("/signin?next={}", query_escaped(back))).into_response();
        }
        let nobody = Visitor::nobody(IpAddr::V4(Ipv4Addr::UNSPECIFIED), Arc::default());
        let title = self.kind().title;
        let body = html! { h1 { (title) } p { (self.detail()) } p { a href="/" { "To the start" } } };
        let mut response = Page::new(title, body).with_status(self.kind().status).show(&nobody);
        response.headers_mut().extend(self.headers());
        self.mark(response)
    }
}

impl From<StoreError> for SiteError {
    fn from(error: StoreError) -> Self {
        Self::internal(error)
    }
}

impl From<FieldError> for SiteError {
    fn from(wrong: FieldError) -> Self {
        Self::Field(wrong)
    }
}

impl IntoResponse for SiteError {
    fn into_response(self) -> Response {
        let mut response = self.as_page();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

/// Tells errors in the words of who asks: to programs as problems, to browsers as pages; those of the framework, too, which come
/// as plain text.
pub async fn told(request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with(API);
    let response = next.run(request).await;
    if let Some(error) = response.extensions().get::<Arc<SiteError>>() {
        return if api { error.as_problem() } else { response };
    }
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let ours = kind.starts_with("text/html") || kind.starts_with("application/problem+json");
    if !(status.is_client_error() || status.is_server_error()) || ours {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let text = to_bytes(body, REFUSAL).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&text).trim().to_owned();
    let error = match status {
        // An address with a number that is none.
        StatusCode::BAD_REQUEST if text.starts_with("Invalid URL") => SiteError::NotFound,
        _ if status.is_server_error() => SiteError::internal(format!("{status}: {text}")),
        _ => SiteError::Refused(status, text),
    };
    let mut response = if api { error.as_problem() } else { error.as_page() };
    // `Allow`, for one.
    for gone in [header::CONTENT_TYPE, header::CONTENT_LENGTH] {
        parts.headers.remove(gone);
    }
    response.headers_mut().extend(parts.headers);
    response
}

/// A text inside the query of an address.
pub fn query_escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for &byte in text.as_bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' | b'/' => escaped.push(byte as char),
            _ => escaped += &format!("%{byte:02X}"),
        }
    }
    escaped
}
