//! Headers of every answer.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::middleware::Next;
use axum::response::Response;

/// Only our own script files, nothing from elsewhere, and no embedding of our pages.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Marks an answer that pages of other sites may embed: it takes nothing and changes nothing.
#[derive(Clone, Copy, Debug)]
pub struct Embeddable;

/// Marks the script of a worker that compiles WebAssembly. A worker has the policy of its own script, so no page needs
/// this permission.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RunsWasm;

/// `Cache-Control` of an answer. An answer without one is not stored, so that no cache between the site and its
/// visitors has what some of them may not see.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CachePolicy(Option<&'static str>);

impl CachePolicy {
    pub const NO_STORE: Self = Self(None);
    /// A file whose address changes with its content.
    pub(crate) const IMMUTABLE: Self = Self(Some("public, max-age=31536000, immutable"));

    /// For answers that are the same for all visitors.
    pub const ONE_DAY: Self = Self(Some("public, max-age=86400"));
    pub const MINUTES: Self = Self(Some("public, max-age=300"));

    /// Returns this policy for what everyone may see, and [`Self::NO_STORE`] for anything else.
    pub fn if_public(self, is_public: bool) -> Self {
        if is_public { self } else { Self::NO_STORE }
    }

    /// Sets the policy of an answer.
    pub fn on(self, mut response: Response) -> Response {
        response.extensions_mut().insert(self);
        response
    }
}

/// Whether a browser says that another site's page has sent a request: costly requests must come from this site.
pub fn from_elsewhere(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
    matches!(site, Some("cross-site" | "same-site"))
}

/// The value of a cookie.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).into_iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|value| value.split(';')).find_map(|pair| pair.trim().strip_prefix(name)?.strip_prefix('='))
}

pub async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
        // With both, a page is isolated: its workers may share memory, so searches in the browser have several threads.
        (header::HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (header::HeaderName::from_static("cross-origin-embedder-policy"), "require-corp"),
        (header::HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // A policy set elsewhere may be stricter for a cache, but never weaker.
    let kept = response.extensions().get::<CachePolicy>().and_then(|policy| policy.0);
    let headers = response.headers_mut();
    if let Some(kept) = kept {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(kept));
    } else if headers.get(header::CACHE_CONTROL).is_none_or(|said| said != "no-cache") {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    if response.extensions().get::<RunsWasm>().is_some() {
        let wasm = POLICY.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");
        if let Ok(wasm) = HeaderValue::from_str(&wasm) {
            response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, wasm);
        }
    }
    if response.extensions().get::<Embeddable>().is_some() {
        let headers = response.headers_mut();
        let open =
            POLICY.replace("form-action 'self'", "form-action 'none'").replace("ancestors 'none'", "ancestors *");
        if let Ok(open) = HeaderValue::from_str(&open) {
            headers.insert(header::CONTENT_SECURITY_POLICY, open);
        }
        headers.remove(header::X_FRAME_OPTIONS);
        let resource = header::HeaderName::from_static("cross-origin-resource-policy");
        headers.insert(resource, HeaderValue::from_static("cross-origin"));
    }
    response
}
