//! Pages that everyone requests, kept for a moment for visitors who have not signed in: a ladder changes with every
//! game, but a delay of two seconds goes unnoticed, and a class that looks at it at once costs one page.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use agon_boards::headers::cookie;
use agon_boards::text;
use axum::body::{Bytes, HttpBody as _, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::auth::COOKIE;
use crate::error::SiteError;

/// For how long a page is kept.
const FRESH: Duration = Duration::from_secs(2);

/// How many pages are kept, and how large they may be.
const MAX_PAGES: usize = 512;
const MAX_PAGE_BYTES: usize = 1 << 20;

/// A page, and its compressed form once a browser has requested that: compressing takes longer than everything else.
#[derive(Clone)]
struct KeptPage {
    body: Bytes,
    packed: Arc<OnceLock<Bytes>>,
}

impl KeptPage {
    fn new(body: Bytes) -> Self {
        Self { body, packed: Arc::default() }
    }

    fn show(&self, packed: bool) -> Response {
        let headers = [
            (header::CONTENT_TYPE, "text/html; charset=utf-8"),
            (header::CACHE_CONTROL, "no-store"),
            (header::VARY, "accept-encoding"),
        ];
        if packed {
            let body = self.packed.get_or_init(|| pack(&self.body)).clone();
            return (headers, [(header::CONTENT_ENCODING, "gzip")], body).into_response();
        }
        (headers, self.body.clone()).into_response()
    }
}

fn pack(body: &[u8]) -> Bytes {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    packer.write_all(body).and_then(|()| packer.finish()).expect("memory takes all").into()
}

/// Whether a browser accepts gzip.
fn takes_packed(headers: &HeaderMap) -> bool {
    let lists = headers.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|list| list.to_str().ok());
    lists.flat_map(|list| list.split(',')).any(|coding| {
        let mut words = coding.split(';').map(str::trim);
        words.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"))
            && words.next().and_then(|weight| weight.strip_prefix("q=")?.parse().ok()).unwrap_or(1.0_f32) > 0.0
    })
}

/// The pages, by language, path and query.
#[derive(Clone, Default)]
pub(crate) struct PageCache(Arc<Mutex<HashMap<String, (Instant, KeptPage)>>>);

impl PageCache {
    /// A page if it is fresh. If it is not, the first to ask gets none, and the others get the old one until the new
    /// one is there.
    fn find(&self, key: &str, now: Instant) -> Option<KeptPage> {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (at, page) = pages.get_mut(key)?;
        if now.saturating_duration_since(*at) < FRESH {
            return Some(page.clone());
        }
        *at = now;
        None
    }

    fn keep(&self, key: String, page: KeptPage, now: Instant) {
        let mut pages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if pages.len() >= MAX_PAGES {
            pages.retain(|_, (at, _)| now.saturating_duration_since(*at) < FRESH);
        }
        if pages.len() < MAX_PAGES {
            pages.insert(key, (now, page));
        }
    }
}

/// Answers from the cache if possible.
pub(crate) async fn cached(State(cache): State<PageCache>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let known = cookie(headers, COOKIE).is_some() || headers.contains_key(header::AUTHORIZATION);
    if known || request.method() != Method::GET {
        return next.run(request).await;
    }
    let packed = takes_packed(headers);
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let key = format!("{}{path}", text::locale().code());
    if let Some(page) = cache.find(&key, Instant::now()) {
        return page.show(packed);
    }
    let response = next.run(request).await;
    let small = response.body().size_hint().exact().is_some_and(|size| size <= MAX_PAGE_BYTES as u64);
    if response.status() != StatusCode::OK || !small {
        return response;
    }
    match to_bytes(response.into_body(), MAX_PAGE_BYTES).await {
        Ok(body) => {
            let page = KeptPage::new(body);
            cache.keep(key, page.clone(), Instant::now());
            page.show(packed)
        }
        Err(error) => SiteError::internal(error).into_response(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_page_is_made_anew_by_one() {
        let (cache, start) = (PageCache::default(), Instant::now());
        let find = |key: &str, now| cache.find(key, now).map(|page| page.body);
        assert_eq!(find("/", start), None);
        cache.keep("/".to_owned(), KeptPage::new(Bytes::from("page")), start);
        assert_eq!(find("/", start + FRESH / 2).as_deref(), Some(&b"page"[..]));
        assert_eq!(find("/", start + FRESH), None, "the first makes it");
        assert_eq!(find("/", start + FRESH).as_deref(), Some(&b"page"[..]), "the others do not wait");
        assert_eq!(find("/?from=1", start), None);
    }

    #[test]
    fn a_browser_says_what_it_takes() {
        let check = |list: &'static str, wanted| {
            let headers = HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(list))]);
            assert_eq!(takes_packed(&headers), wanted, "{list}");
        };
        check("gzip, deflate, br", true);
        check("br;q=1.0, GZIP;q=0.5", true);
        check("br, gzip;q=0", false);
        check("identity", false);
        check("xgzip", false);
    }

    #[test]
    fn a_page_is_packed_once() {
        let page = KeptPage::new(Bytes::from("page ".repeat(1000)));
        assert_eq!(page.show(true).headers()["content-encoding"], "gzip");
        let packed = page.packed.get().unwrap().clone();
        let mut text = String::new();
        flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text).unwrap();
        assert!(text == "page ".repeat(1000) && packed.len() < 100);
        page.clone().show(true);
        assert_eq!(page.packed.get().unwrap().as_ptr(), packed.as_ptr());
        assert!(!page.show(false).headers().contains_key("content-encoding"));
    }
}
