//! Renders failed requests: a page for browsers, a problem (RFC 9457) for programs, depending only on the path.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use agon_boards::json;
use agon_boards::layout::{Page, sentence};
use agon_boards::text::{localized, named, rich, t};
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use maud::html;

use crate::auth::identified;
use crate::error::{SiteError, query_escaped};
use crate::layout::ShowPage as _;
use crate::site::Site;
use crate::visitor::Visitor;

/// Below this, all is for programs.
const API: &str = "/api/";

/// Bytes of a refusal by the web framework; they are short.
const REFUSAL: usize = 4096;

/// Renders errors, including the framework's, which come as plain text.
pub(crate) async fn rendered(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let path = request.uri().path().to_owned();
    // A form leads back to no page.
    let back = (request.method() == Method::GET)
        .then(|| request.uri().path_and_query().map_or_else(|| path.clone(), ToString::to_string));
    let api = path.starts_with(API);
    let cookies: Vec<HeaderValue> = request.headers().get_all(header::COOKIE).iter().cloned().collect();
    let (error, kept) = match refused(next.run(request).await).await {
        Ok(response) => return response,
        Err(refused) => refused,
    };
    let mut response = if api { as_problem(&error) } else { as_page(&site, &path, back, cookies, &error).await };
    response.headers_mut().extend(kept);
    if let SiteError::TooMany(action, _) = &*error {
        // For counting refusals.
        response.extensions_mut().insert(*action);
    }
    response
}

/// Why a response is an error, and which of its headers stay.
async fn refused(response: Response) -> Result<Response, (Arc<SiteError>, HeaderMap)> {
    if let Some(error) = response.extensions().get::<Arc<SiteError>>() {
        return Err((Arc::clone(error), error.headers()));
    }
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let ours = kind.starts_with("text/html") || kind.starts_with("application/problem+json");
    if !(status.is_client_error() || status.is_server_error()) || ours {
        return Ok(response);
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
    // `Allow` stays, for one.
    for gone in [header::CONTENT_TYPE, header::CONTENT_LENGTH] {
        parts.headers.remove(gone);
    }
    Err((error.into(), parts.headers))
}

fn as_problem(error: &SiteError) -> Response {
    let text = json::bytes(&error.problem()).unwrap_or_default();
    let head = [(header::CONTENT_TYPE, "application/problem+json"), (header::CACHE_CONTROL, "no-store")];
    let mut response = (error.kind().status, head, text).into_response();
    if matches!(error, SiteError::SignIn { .. } | SiteError::UnknownToken) {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

/// The paths of competitions' pages, before the competition's address.
const OF_COMPETITIONS: [&str; 2] = ["/ladder/", "/rules/"];

/// The page of a competition whose address has changed.
async fn moved(site: &Arc<Site>, path: &str) -> Option<(&'static str, String)> {
    let (folder, slug) = OF_COMPETITIONS.iter().find_map(|folder| Some((*folder, path.strip_prefix(folder)?)))?;
    let slug = slug.to_owned();
    let now = site.read(move |store| store.moved_competition(&slug)).await.ok().flatten()?;
    Some((folder, now))
}

async fn as_page(
    site: &Arc<Site>,
    path: &str,
    back: Option<String>,
    cookies: Vec<HeaderValue>,
    error: &SiteError,
) -> Response {
    if let SiteError::NotFound = error
        && let Some((folder, slug)) = moved(site, path).await
        && visitor(site, cookies.clone(), error).await.competition_at(&slug).is_some()
    {
        return Redirect::permanent(&format!("{folder}{slug}")).into_response();
    }
    if let SiteError::SignIn { back } = error {
        return Redirect::to(&format!("/signin?next={}", query_escaped(back))).into_response();
    }
    let kind = error.kind();
    let visitor = visitor(site, cookies, error).await;
    let title = named(&format!("problem-{}", kind.slug), kind.title);
    // The same for everything that a guest does not find: it does not give away what exists.
    let way = back.filter(|_| matches!(error, SiteError::NotFound) && visitor.account.is_none());
    let body = html! {
        h1 { (title) }
        p { (sentence(&detail(error))) }
        @if let Some(back) = way {
            @let address = format!("/signin?next={}", query_escaped(&back));
            p { (rich!("refused-guest", link = html! { a href=(address) { (t!("refused-guest-link")) } })) }
        }
        p { a href="/" { (t!("layout-start")) } }
    };
    Page::new(title, body).with_status(kind.status).show(&visitor)
}

/// What is wrong, for people: the framework's messages about types and fields are for programs.
fn detail(error: &SiteError) -> String {
    match error {
        SiteError::Refused(_, why) if why.starts_with("Failed to deserialize") => t!("refused-address"),
        error => localized(&*error.reason()),
    }
}

/// The visitor, as far as an error page needs it: the name in its header, and which ladders there are.
async fn visitor(site: &Arc<Site>, cookies: Vec<HeaderValue>, error: &SiteError) -> Visitor {
    // If the site itself has failed or is late, nothing more is asked of it.
    let failed = matches!(
        error,
        SiteError::Internal(_) | SiteError::SlowBody | SiteError::Refused(StatusCode::REQUEST_TIMEOUT, _)
    );
    if !cookies.is_empty() && !failed {
        let mut parts = Request::new(Body::empty()).into_parts().0;
        for cookie in cookies {
            parts.headers.append(header::COOKIE, cookie);
        }
        // The log has the account already.
        if let Ok(visitor) = identified(&parts, site).await {
            return visitor;
        }
    }
    let anonymous = Visitor::anonymous(IpAddr::V4(Ipv4Addr::UNSPECIFIED), site.competitions());
    Visitor { read_only: site.queue.maintenance.is_read_only(), ..anonymous }
}
