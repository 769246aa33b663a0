//! Pages that everybody asks for, kept for a moment for those who have not signed in: a ladder changes with every game, but
//! nobody sees the difference within two seconds, and a class that looks at it at once costs one page.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::SiteError;

/// For how long a page is kept.
const FRESH: Duration = Duration::from_secs(2);

/// How many pages are kept, and how large they may be.
const MOST: usize = 512;
const LARGEST: usize = 1 << 20;

/// What was answered, and when.
struct KeptPage {
    at: Instant,
    body: Bytes,
}

/// The pages, by path and query.
#[derive(Clone, Default)]
pub struct PageCache(Arc<Mutex<HashMap<String, KeptPage>>>);

impl PageCache {
    /// A page that is fresh. Of one that is not, the first who asks is told that there is none, and the others get it until
    /// the new one is there.
    fn find(&self, key: &str, now: Instant) -> Option<Bytes> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let page = pages.get_mut(key)?;
        if now.saturating_duration_since(page.at) < FRESH {
            return Some(page.body.clone());
        }
        page.at = now;
        None
    }

    fn keep(&self, key: String, body: Bytes, now: Instant) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if pages.len() >= MOST {
            pages.retain(|_, page| now.saturating_duration_since(page.at) < FRESH);
        }
        if pages.len() < MOST {
            pages.insert(key, KeptPage { at: now, body });
        }
    }
}

fn shown(body: impl Into<Body>) -> Response {
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
    (headers, body.into()).into_response()
}

/// Answers from the cache where that is possible.
pub async fn cached(State(cache): State<PageCache>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let known = headers.contains_key(header::COOKIE) || headers.contains_key(header::AUTHORIZATION);
    if known || request.method() != Method::GET {
        return next.run(request).await;
    }
    let key = request.uri().path_and_query().map_or("/", |path| path.as_str()).to_owned();
    if let Some(body) = cache.find(&key, Instant::now()) {
        return shown(body);
    }
    let response = next.run(request).await;
    if response.status() != StatusCode::OK {
        return response;
    }
    match to_bytes(response.into_body(), LARGEST).await {
        Ok(body) => {
            cache.keep(key, body.clone(), Instant::now());
            shown(body)
        }
        Err(error) => SiteError::internal(error).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_made_anew_by_one() {
        let (cache, start) = (PageCache::default(), Instant::now());
        assert_eq!(cache.find("/", start), None);
        cache.keep("/".to_owned(), Bytes::from("page"), start);
        assert_eq!(cache.find("/", start + FRESH / 2).as_deref(), Some(&b"page"[..]));
        assert_eq!(cache.find("/", start + FRESH), None, "the first makes it");
        assert_eq!(cache.find("/", start + FRESH).as_deref(), Some(&b"page"[..]), "the others do not wait");
        assert_eq!(cache.find("/?from=1", start), None);
    }
}
