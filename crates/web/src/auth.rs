//! Who sends a request, and whether it may change anything.
//!
//! A browser identifies itself with a cookie, a program with a token (`Authorization: Bearer …`), which is valid only
//! below `/api/` and for its purposes. A change that is authorised by a cookie must come from a page of this site: the
//! browser says so in `Origin` or `Sec-Fetch-Site`.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;

use agon_boards::analysis::{self, SearcherAddress};
use agon_boards::board;
use agon_boards::headers::{self, from_elsewhere};
use agon_boards::limits::LimitedActor;
use agon_site::clock::now;
use agon_site::identity::Notices;
use agon_site::secret::{self, SecretDigest};
use agon_site::store::{Origin, SEEN_INTERVAL, SiteAccount};
use axum::extract::{ConnectInfo, FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::{RequestError, SiteError};
use crate::rate::LimitedAction;
use crate::site::{Site, SiteResult};
use crate::visitor::Visitor;

/// The cookie of a session.
pub(crate) const COOKIE: &str = "agon_session";

/// How long a browser keeps it, in seconds.
const KEPT: u32 = 30 * 86_400;

/// Seconds within which the use of a token is noted once.
const NOTED: i64 = 60;

/// The header that sets the cookie of a session; an empty word deletes it.
pub(crate) fn cookie(word: &str, secure: bool) -> String {
    let age = if word.is_empty() { 0 } else { KEPT };
    let secure = if secure { "; Secure" } else { "" };
    format!("{COOKIE}={word}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}")
}

fn cookie_of(headers: &HeaderMap) -> Option<&str> {
    headers::cookie(headers, COOKIE)
}

/// The word after `Bearer`, of a request to the programs' interface.
fn token_of(parts: &Parts) -> Option<&str> {
    let sent = parts.headers.get(header::AUTHORIZATION).filter(|_| parts.uri.path().starts_with("/api/"))?;
    sent.to_str().ok()?.strip_prefix("Bearer ").map(str::trim)
}

/// The origin of a request: the other end of the connection, or the client named by the proxy.
pub(crate) fn address(parts: &Parts, behind_proxy: bool) -> IpAddr {
    let forwarded = || {
        // The last one is what our own proxy has seen; anyone can write the earlier ones.
        let last = parts.headers.get_all("x-forwarded-for").into_iter().next_back()?.to_str().ok()?;
        last.rsplit(',').next()?.trim().parse().ok()
    };
    let connected = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|connected| connected.0.ip());
    behind_proxy.then(forwarded).flatten().or(connected).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST))
}

impl FromRequestParts<Arc<Site>> for Visitor {
    type Rejection = SiteError;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, SiteError> {
        if let Some(known) = parts.extensions.get::<Self>() {
            return Ok(known.clone());
        }
        let visitor = identified(parts, site).await?;
        if let Some(account) = &visitor.account {
            tracing::Span::current().record("account", account.id);
        }
        parts.extensions.insert(visitor.clone());
        Ok(visitor)
    }
}

/// Who sends a request, according to its cookie or its token.
///
/// # Errors
/// [`SiteError::UnknownToken`], or the error of the store.
pub(crate) async fn identified(parts: &Parts, site: &Arc<Site>) -> SiteResult<Visitor> {
    let address = address(parts, site.options.behind_proxy);
    let mut visitor = Visitor {
        read_only: site.queue.maintenance.is_read_only(),
        host: host_of(&parts.headers),
        ..Visitor::anonymous(address, site.competitions())
    };
    if let Some(token) = token_of(parts) {
        let digest = secret::digest(token);
        let found = site.read(move |store| {
            let Some(bearer) = store.bearer(&digest, now())? else { return Ok(None) };
            let (teams, totp) = (store.teams_of(bearer.account.id)?, store.has_totp(bearer.account.id)?);
            let seen = store.seen(bearer.account.id)?;
            Ok(Some((bearer, teams, totp, seen)))
        });
        // A token that is sent must be known.
        let (bearer, teams, totp, seen) = found.await?.ok_or(SiteError::UnknownToken)?;
        if bearer.used.is_none_or(|used| now() - used >= NOTED) && !site.queue.maintenance.is_read_only() {
            // A failure to record it, for example on a full disk, is logged and refuses nothing.
            let _ = site.write(move |store| store.note_token_use(bearer.token, now())).await;
        }
        visitor.sign_in(bearer.account, teams, !totp && site.options.require_totp);
        visitor.token = Some(bearer.scopes);
        note_seen(site, &visitor, seen).await;
    } else if let Some(word) = cookie_of(&parts.headers) {
        let digest = secret::digest(word);
        let found = site.read(move |store| {
            let Some(account) = store.session(&digest, now())? else { return Ok(None) };
            let (teams, notices) = (store.teams_of(account.id)?, Notices::read(store, account.id)?);
            let mut entered = store.entered_competitions(account.id)?;
            for team in &teams {
                entered.extend(store.entered_competitions(team.id)?);
            }
            let totp = store.has_totp(account.id)?;
            let seen = store.seen(account.id)?;
            Ok(Some((account, teams, (notices, entered), totp, seen)))
        });
        if let Some((account, teams, (notices, mut entered), totp, seen)) = found.await? {
            visitor.sign_in(account, teams, !totp && site.options.require_totp);
            entered.sort_unstable_by(|one, other| other.cmp(one));
            entered.dedup();
            visitor.entered = entered;
            (visitor.notices, visitor.session) = (notices.into(), Some(digest));
            note_seen(site, &visitor, seen).await;
        }
    }
    if visitor.account.is_none() || visitor.hidden.is_empty() {
        return Ok(visitor);
    }
    // A private competition is visible to its members and to the host.
    let (host, owners) = (visitor.is_host(), visitor.owners().collect::<Vec<_>>());
    let hidden = site.read(move |store| if host { Ok(Vec::new()) } else { store.hidden_competitions(&owners) }).await?;
    Ok(visitor.seeing(site.competitions(), hidden))
}

/// Notes about when an account was last here, for the hosts of its competitions.
async fn note_seen(site: &Arc<Site>, visitor: &Visitor, seen: Option<i64>) {
    let Some(id) = visitor.account.as_ref().map(|account| account.id) else { return };
    if seen.is_none_or(|seen| now() - seen >= SEEN_INTERVAL) && !site.queue.maintenance.is_read_only() {
        // A failure to record it refuses nothing.
        let _ = site.write(move |store| store.note_seen(id, now())).await;
    }
}

/// A visitor who has signed in; others are sent to sign in first.
pub(crate) struct SignedIn {
    pub account: SiteAccount,
    /// The digest of the session's word; `None` for a program.
    pub session: Option<SecretDigest>,
    /// The same as a visitor.
    pub visitor: Visitor,
}

impl FromRequestParts<Arc<Site>> for SignedIn {
    type Rejection = SiteError;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, SiteError> {
        let visitor = Visitor::from_request_parts(parts, site).await?;
        let back = match parts.method {
            Method::GET => parts.uri.path_and_query().map_or("/", |path| path.as_str()).to_owned(),
            _ => "/".to_owned(),
        };
        let account = visitor.account.clone().ok_or(SiteError::SignIn { back })?;
        Ok(Self { account, session: visitor.session, visitor })
    }
}

/// For actions that only a browser may do: a leaked token must not create others.
///
/// # Errors
/// [`SiteError::Forbidden`] of a token.
pub(crate) fn by_browser(member: &SignedIn) -> SiteResult<SecretDigest> {
    member.session.ok_or_else(|| SiteError::forbidden(RequestError::BrowserOnly))
}

/// A visitor who administers the site, signed in with a browser. For others the page does not exist.
pub(crate) struct Host(pub SignedIn);

impl Host {
    /// Who makes the request, and from where.
    pub(crate) fn origin(&self) -> Origin {
        self.0.visitor.origin()
    }
}

impl FromRequestParts<Arc<Site>> for Host {
    type Rejection = SiteError;

    async fn from_request_parts(parts: &mut Parts, site: &Arc<Site>) -> Result<Self, SiteError> {
        let member = SignedIn::from_request_parts(parts, site).await?;
        if member.visitor.needs_totp {
            return Err(SiteError::forbidden(RequestError::TotpRequired));
        }
        if member.account.host && member.session.is_some() { Ok(Self(member)) } else { Err(SiteError::NotFound) }
    }
}

/// What a read-only site still accepts: people must sign in to read what is theirs, and the host ends the state.
const ALWAYS: [&str; 6] =
    ["/signin", "/signin/code", "/signout", "/language", "/host/read-only", "/api/v1/host/read-only"];

/// Refuses changes that do not come from a page of this site, too many changes, and any while the site is read-only. A
/// board also asks by POST, but changes nothing and asks more often.
pub(crate) async fn guard(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    if matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS) {
        return next.run(request).await;
    }
    let (parts, body) = request.into_parts();
    // A token is not a cookie: no other site can make a browser send it.
    if token_of(&parts).is_none() && !is_own(&parts.headers, site.options.base_url.as_deref()) {
        return SiteError::forbidden(RequestError::OtherSite).into_response();
    }
    let path = parts.uri.path();
    let asks = analysis::QUESTIONS.contains(&path) || board::QUESTIONS.contains(&path);
    if site.queue.maintenance.is_read_only() && !asks && !ALWAYS.contains(&path) {
        return SiteError::ReadOnly.into_response();
    }
    let actor = LimitedActor::at(address(&parts, site.options.behind_proxy));
    // Moves come as often as questions.
    let action = if asks || path.starts_with(board::GAMES) { LimitedAction::Board } else { LimitedAction::Change };
    match site.limits.take(action, actor) {
        Ok(()) => next.run(Request::from_parts(parts, body)).await,
        Err(wait) => SiteError::TooMany(action, wait).into_response(),
    }
}

/// Passes the address of a request for a search on to the engines; too many at once are refused.
pub(crate) async fn searcher(State(site): State<Arc<Site>>, request: Request, next: Next) -> Response {
    let (mut parts, body) = request.into_parts();
    let address = address(&parts, site.options.behind_proxy);
    if from_elsewhere(&parts.headers) && token_of(&parts).is_none() {
        return SiteError::forbidden(RequestError::OtherSite).into_response();
    }
    if parts.method == Method::GET
        && let Err(wait) = site.limits.take(LimitedAction::Board, LimitedActor::at(address))
    {
        return SiteError::TooMany(LimitedAction::Board, wait).into_response();
    }
    parts.extensions.insert(SearcherAddress(address));
    next.run(Request::from_parts(parts, body)).await
}

/// The host that a request names, with its port, if that can be part of an address.
fn host_of(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().ok()?;
    let legal = |c: char| c.is_ascii_alphanumeric() || ".-:[]".contains(c);
    (!host.is_empty() && host.len() <= 255 && host.chars().all(legal)).then(|| host.to_owned())
}

/// Whether a browser says that a request comes from a page of this site. A browser that does not say is not trusted.
fn is_own(headers: &HeaderMap, base_url: Option<&str>) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    if let Some(origin) = text(header::ORIGIN) {
        return match base_url {
            Some(base) => origin.eq_ignore_ascii_case(base.trim_end_matches('/')),
            None => text(header::HOST).is_some_and(|host| origin.split_once("://").is_some_and(|(_, own)| own == host)),
        };
    }
    text(header::HeaderName::from_static("sec-fetch-site")) == Some("same-origin")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(all: &[(&'static str, &str)]) -> HeaderMap {
        all.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect::<HeaderMap>()
    }

    #[test]
    fn a_request_from_elsewhere_is_not_own() {
        let check = |all: &[(&'static str, &str)], base: Option<&str>, wanted| {
            assert_eq!(is_own(&headers(all), base), wanted, "{all:?} {base:?}");
        };
        check(&[("host", "a.org"), ("origin", "http://a.org")], None, true);
        check(&[("host", "a.org"), ("origin", "http://b.org")], None, false);
        check(&[("host", "a.org"), ("origin", "null")], None, false);
        check(&[("host", "a.org")], None, false);
        check(&[("host", "inner"), ("origin", "https://a.org")], Some("https://a.org/"), true);
        check(&[("host", "a.org"), ("origin", "http://a.org")], Some("https://a.org"), false);
        check(&[("host", "a.org"), ("sec-fetch-site", "same-origin")], None, true);
        check(&[("host", "a.org"), ("sec-fetch-site", "same-site")], None, false);
        check(&[("origin", "http://b.org"), ("host", "a.org"), ("sec-fetch-site", "same-origin")], None, false);
    }

    #[test]
    fn cookies_and_tokens_are_found() {
        assert_eq!(cookie_of(&headers(&[("cookie", "a=b; agon_session=w; c=d")])), Some("w"));
        assert_eq!(cookie_of(&headers(&[("cookie", "xagon_session=w; agon_sessionx=v")])), None);
        let token = |path: &str, sent: &str| {
            let request = Request::builder().uri(path).header("authorization", sent);
            token_of(&request.body(()).unwrap().into_parts().0).map(str::to_owned)
        };
        assert_eq!(token("/api/v1/me", "Bearer  t").as_deref(), Some("t"));
        assert_eq!(token("/api/v1/me", "Basic t"), None);
        assert_eq!(token("/me", "Bearer t"), None, "pages are for browsers");
        assert!(cookie("w", true).ends_with("HttpOnly; SameSite=Lax; Secure"));
        assert!(cookie("", false).contains("Max-Age=0"));
    }
}
