//! The wrapper of every request: its span in the log, its counts, and an answer if the code panics.
//!
//! The log holds the method, the path without its query, the status, the time, and the account. It never holds a body,
//! a cookie, a token, or a word that opens something: of a path with such a word the pattern is logged.

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use axum::body::Body;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt as _;
use tracing::Instrument as _;
use tracing::field::Empty;

use crate::error::SiteError;
use crate::rate::LimitedAction;
use crate::site::Site;

/// Logs and counts a request.
pub(crate) async fn observed(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let (begun, method) = (Instant::now(), request.method().clone());
    let span = tracing::info_span!("request", %method, path = logged_path(&request), account = Empty);
    let response = next.run(request).instrument(span.clone()).await;
    let (status, taken) = (response.status().as_u16(), begun.elapsed());
    if let Some(action) = response.extensions().get::<LimitedAction>() {
        site.metrics.refused(*action);
    }
    site.metrics.answered(&method, status, taken.as_secs_f64());
    let ms = (taken.as_secs_f64() * 1e4).round() / 10.0;
    span.in_scope(|| match status {
        500.. => tracing::warn!(status, ms, "answered"),
        // Reading requests only interest those who look for something.
        ..400 if matches!(method, Method::GET | Method::HEAD) => tracing::debug!(status, ms, "answered"),
        _ => tracing::info!(status, ms, "answered"),
    });
    let streams = |kind: &header::HeaderValue| kind.as_bytes().starts_with(b"text/event-stream");
    if !response.headers().get(header::CONTENT_TYPE).is_some_and(streams) {
        return response;
    }
    let watching = site.metrics.watch();
    response.map(|body| {
        Body::new(body.map_frame(move |frame| {
            // Counted while the stream is open.
            let _ = &watching;
            frame
        }))
    })
}

/// The path of a request in its form for the log.
fn logged_path(request: &Request) -> String {
    let (path, matched) = (request.uri().path(), request.extensions().get::<MatchedPath>());
    match matched.map(MatchedPath::as_str) {
        Some(pattern) if pattern.contains("{word}") => pattern.to_owned(),
        Some(_) => path.to_owned(),
        // The rest may hold anything: a link that was copied wrong, perhaps.
        None => match path.get(1..).and_then(|rest| rest.split_once('/')) {
            Some((first, _)) => format!("/{first}/…"),
            None => path.to_owned(),
        },
    }
}

/// The answer if a handler has panicked.
pub(crate) fn panicked(panic: Box<dyn Any + Send>) -> Response {
    let text = match panic.downcast::<String>() {
        Ok(text) => *text,
        Err(panic) => panic.downcast::<&str>().map_or_else(|_| "it says nothing".to_owned(), |text| (*text).to_owned()),
    };
    SiteError::internal(format!("a request has panicked: {text}")).into_response()
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;

    use super::*;

    #[tokio::test]
    async fn a_panic_shows_the_visitor_a_number_and_no_more() {
        let panics: [Box<dyn Any + Send>; 3] =
            [Box::new("at secret.rs"), Box::new("at secret.rs".to_owned()), Box::new(7)];
        for panic in panics {
            let response = panicked(panic);
            assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
            let text = response.into_body().collect().await.unwrap().to_bytes();
            let text = String::from_utf8(text.to_vec()).unwrap();
            assert!(text.contains("report this number to the host") && !text.contains("secret"), "{text}");
        }
    }
}
