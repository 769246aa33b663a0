//! What a request can fail with, and what is then told: of faults of the visitor all that helps, of our own a number that
//! stands in the log.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use agon_arena::store::StoreError;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;
use serde_json::json;

use crate::layout::Page;
use crate::rate::LimitedAction;
use crate::secret;
use crate::visitor::Visitor;

/// When it makes sense to ask again for what a read-only site refuses.
const READ_ONLY_RETRY: Duration = Duration::from_mins(5);

/// Why a request gets no answer.
#[derive(Debug)]
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
    /// It may not be done.
    Forbidden(&'static str),
    /// What was sent is wrong.
    Bad(String),
    /// There were too many of these.
    TooMany(LimitedAction, Duration),
    /// Nothing may be changed for a while.
    ReadOnly,
    /// It is our fault; the number stands in the log.
    Internal(u64),
}

impl SiteError {
    /// Logs a fault of ours, under a number.
    pub fn internal(what: impl std::fmt::Display) -> Self {
        // Short enough to be read out over a telephone.
        let number = secret::number() % 100_000_000;
        tracing::error!(number, "{what}");
        Self::Internal(number)
    }

    fn told(&self) -> (StatusCode, &'static str, String) {
        match self {
            Self::NotFound => (StatusCode::NOT_FOUND, "Not found", "There is nothing here.".to_owned()),
            Self::Gone(why) => (StatusCode::GONE, "No longer kept", (*why).to_owned()),
            Self::SignIn { .. } => (StatusCode::UNAUTHORIZED, "Not signed in", "Sign in first.".to_owned()),
            Self::Forbidden(why) => (StatusCode::FORBIDDEN, "Not allowed", (*why).to_owned()),
            Self::Bad(why) => (StatusCode::BAD_REQUEST, "Bad request", why.clone()),
            Self::TooMany(action, wait) => {
                let text = format!("Too many {}. Try again in {} s.", action.words(), wait.as_secs() + 1);
                (StatusCode::TOO_MANY_REQUESTS, "Too many requests", text)
            }
            Self::ReadOnly => {
                let text =
                    "The site is being looked after: everything can be read, and nothing changed. Try again later.";
                (StatusCode::SERVICE_UNAVAILABLE, "Read-only", text.to_owned())
            }
            Self::Internal(number) => {
                let text = format!("Something broke on our side. Tell the host this number: {number:08}.");
                (StatusCode::INTERNAL_SERVER_ERROR, "Internal error", text)
            }
        }
    }

    /// Leaves a note in the answer for those who count refusals.
    fn mark(&self, response: &mut Response) {
        if let Self::TooMany(action, _) = self {
            response.extensions_mut().insert(*action);
        }
    }

    fn retry_after(&self) -> Option<String> {
        match self {
            Self::TooMany(_, wait) => Some((wait.as_secs() + 1).to_string()),
            Self::ReadOnly => Some(READ_ONLY_RETRY.as_secs().to_string()),
            _ => None,
        }
    }
}

impl From<StoreError> for SiteError {
    fn from(error: StoreError) -> Self {
        Self::internal(error)
    }
}

impl IntoResponse for SiteError {
    fn into_response(self) -> Response {
        if let Self::SignIn { back } = &self {
            return Redirect::to(&format!("/signin?next={}", query_escaped(back))).into_response();
        }
        let (status, title, text) = self.told();
        let nobody = Visitor::nobody(IpAddr::V4(Ipv4Addr::UNSPECIFIED), Arc::default());
        let body = html! { h1 { (title) } p { (text) } p { a href="/" { "To the start" } } };
        let mut response = Page::new(title, body).with_status(status).show(&nobody);
        self.mark(&mut response);
        if let Some(seconds) = self.retry_after().and_then(|seconds| seconds.parse().ok()) {
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
}

/// The same for programs: problem details (RFC 9457).
pub struct ApiError(pub SiteError);

impl<E: Into<SiteError>> From<E> for ApiError {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, title, detail) = self.0.told();
        let body = json!({ "type": "about:blank", "title": title, "status": status.as_u16(), "detail": detail });
        let mut response =
            (status, [(header::CONTENT_TYPE, "application/problem+json")], body.to_string()).into_response();
        self.0.mark(&mut response);
        if let Some(seconds) = self.0.retry_after().and_then(|seconds| seconds.parse().ok()) {
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }
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
