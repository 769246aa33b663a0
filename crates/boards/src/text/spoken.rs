//! The language of the request that is answered.

use std::cell::Cell;

use agon_message::Locale;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

use crate::headers::cookie;

/// The cookie of a language that was chosen.
const LANGUAGE_COOKIE: &str = "agon_language";

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

/// Makes texts in a language outside a request, for example in a stream of events.
pub fn within<T>(locale: Locale, make: impl FnOnce() -> T) -> T {
    LOCALE.sync_scope(Cell::new(locale), make)
}

/// The language of a browser: the one that was chosen in it, or else the one that it prefers.
pub(super) fn asked(headers: &HeaderMap) -> Locale {
    let accepted = || headers.get(header::ACCEPT_LANGUAGE).and_then(|list| Locale::accepted(list.to_str().ok()?));
    cookie(headers, LANGUAGE_COOKIE).and_then(Locale::parse).or_else(accepted).unwrap_or_default()
}

/// How long a browser keeps a choice, in seconds: a year.
const KEPT_SECONDS: u32 = 365 * 86_400;

/// The cookie in which a browser keeps a language.
pub fn language_cookie(language: Locale, is_secure: bool) -> String {
    let (code, secure) = (language.code(), if is_secure { "; Secure" } else { "" });
    format!("{LANGUAGE_COOKIE}={code}; Path=/; Max-Age={KEPT_SECONDS}; HttpOnly; SameSite=Lax{secure}")
}

/// Answers a request in its language, on a site that is secure or not.
pub async fn speaking(State(is_secure): State<bool>, request: Request, next: Next) -> Response {
    let wanted = asked(request.headers());
    let answer = async {
        let response = next.run(request).await;
        (response, locale())
    };
    let (mut response, spoken) = LOCALE.scope(Cell::new(wanted), answer).await;
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("text/html") {
        response.headers_mut().append(header::VARY, HeaderValue::from_static("accept-language, cookie"));
        // The account has chosen another language than the browser: the requests of the page's scripts follow the page.
        if spoken != wanted
            && let Ok(cookie) = HeaderValue::from_str(&language_cookie(spoken, is_secure))
        {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    response
}
