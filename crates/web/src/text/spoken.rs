//! The language of the request that is answered.

use std::cell::Cell;

use agon_site::locale::Locale;
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::headers::cookie;

/// The cookie of a language that was chosen.
pub const LANGUAGE_COOKIE: &str = "agon_language";

tokio::task_local! {
    static LOCALE: Cell<Locale>;
}

/// The language of the request.
pub fn locale() -> Locale {
    LOCALE.try_with(Cell::get).unwrap_or_default()
}

/// From here on the request is answered in this language.
pub fn speak(locale: Locale) {
    // Outside a request there is none to be set.
    let _ = LOCALE.try_with(|current| current.set(locale));
}

/// Makes texts in a language outside the request that asks for them: in a stream of events, for one thing.
pub fn within<T>(locale: Locale, make: impl FnOnce() -> T) -> T {
    LOCALE.sync_scope(Cell::new(locale), make)
}

/// The language that a browser asks for: the one that was chosen in it, or else the one that it prefers.
pub fn asked(headers: &HeaderMap) -> Locale {
    let accepted = || headers.get(header::ACCEPT_LANGUAGE).and_then(|list| Locale::accepted(list.to_str().ok()?));
    cookie(headers, LANGUAGE_COOKIE).and_then(Locale::parse).or_else(accepted).unwrap_or_default()
}

/// Answers a request in the language that it asks for.
pub async fn speaking(request: Request, next: Next) -> Response {
    let locale = asked(request.headers());
    let mut response = LOCALE.scope(Cell::new(locale), next.run(request)).await;
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("text/html") {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-language, cookie"));
    }
    response
}
