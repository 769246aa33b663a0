//! The site in this process: requests without sockets.

mod accounts;
mod attacks;
mod boards;
mod bounds;
mod by_hand;
mod competitions;
mod contract;
mod evaluations;
mod events;
mod export;
mod following;
mod hosting;
mod interface;
mod large;
mod limits;
mod looks;
mod operating;
mod own_programs;
mod pages;
mod playing;
mod rights;
mod shared;
mod similarity;
mod storm;
mod teams;
mod texts;
mod tv;
mod two_factor;

/// Bots that answer at once and repeat their games.
mod bots {
    pub(super) const BACTERIA: &str = include_str!("../../../cli/tests/bots/bacteria.py");
    pub(super) const DOMINEERING: &str = include_str!("../../../cli/tests/bots/domineering.py");
    pub(super) const RENJU: &str = include_str!("../../../cli/tests/bots/renju.py");
}

use std::io::Read as _;
use std::net::SocketAddr;
use std::sync::Arc;

use agon_referee::agent::Language;
use agon_referee::limits::GameLimits;
use agon_referee::record::Winner;
use agon_referee::verdict::Verdict;
use agon_site::check_message::CheckMessage;
use agon_site::clock::now;
use agon_site::secret;
use agon_site::store::{BoutKind, NewBout, PlayedBout, Submission, TokenScopes};
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderValue, Request, Response, StatusCode, header};
use http_body_util::BodyExt as _;
use tempfile::TempDir;
use tower::ServiceExt as _;

use crate::options::SiteOptions;
use crate::router::router;
use crate::site::Site;

/// A site in its own folder that plays nothing by itself.
pub(crate) struct TestSite {
    pub site: Arc<Site>,
    router: Router,
    _folder: TempDir,
}

/// An answer that has been read.
pub(crate) struct PageAnswer {
    pub status: StatusCode,
    pub headers: axum::http::HeaderMap,
    /// The text, or the readable part of anything else.
    pub text: String,
    pub bytes: axum::body::Bytes,
}

impl PageAnswer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// The value of the session's cookie.
    pub(crate) fn cookie(&self) -> String {
        let set = self.header("set-cookie");
        set.split(';').next().unwrap().to_owned()
    }
}

#[derive(Clone, Debug)]
pub(crate) enum Who {
    /// Without an account.
    Guest,
    Cookie(String),
    Token(String),
}

impl TestSite {
    pub(crate) fn new() -> Self {
        Self::with(|_| {})
    }

    pub(crate) fn with(change: impl FnOnce(&mut SiteOptions)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut options = SiteOptions::new(folder.path().join("site"), SocketAddr::from(([127, 0, 0, 1], 8080)));
        options.workers = 0;
        // A busy machine must not fail a program, which has only the site to fear here.
        options.limits = GameLimits { clock_ms: 10_000, ready_ms: 60_000, exit_ms: 60_000, ..GameLimits::default() };
        change(&mut options);
        let site = Site::open(options).unwrap();
        Self { router: router(&site), site, _folder: folder }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Response<Body> {
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// The answer to a request that accepts compressed answers, as browsers do; for the programs' interface, it matches
    /// the document.
    pub(crate) async fn answer(&self, mut request: Request<Body>) -> PageAnswer {
        request.headers_mut().entry(header::ACCEPT_ENCODING).or_insert(HeaderValue::from_static("gzip, br"));
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let response = self.send(request).await;
        let (status, headers) = (response.status(), response.headers().clone());
        let mut bytes = response.into_body().collect().await.unwrap().to_bytes();
        if headers.get(header::CONTENT_ENCODING).is_some_and(|encoding| encoding == "gzip") {
            let mut decoded = Vec::new();
            flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut decoded).unwrap();
            bytes = decoded.into();
        }
        let answer = PageAnswer { status, headers, text: String::from_utf8_lossy(&bytes).into_owned(), bytes };
        if path.starts_with("/api/v1/") {
            contract::check(&method, &path, answer.status, &answer.headers, &answer.text);
        }
        answer
    }

    pub(crate) async fn get(&self, path: &str, who: &Who) -> PageAnswer {
        self.answer(request("GET", path, who).body(Body::empty()).unwrap()).await
    }

    /// Sends a form, as a page of the site does.
    pub(crate) async fn post(&self, path: &str, who: &Who, form: &[(&str, &str)]) -> PageAnswer {
        let pairs: Vec<String> =
            form.iter().map(|(name, value)| format!("{name}={}", crate::error::query_escaped(value))).collect();
        let request = request("POST", path, who).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.answer(request.body(Body::from(pairs.join("&"))).unwrap()).await
    }

    /// Sends the form of a submission, with a file of this name and content if there is one.
    pub(crate) async fn submit(&self, who: &Who, fields: &[(&str, &str)], file: Option<(&str, &[u8])>) -> PageAnswer {
        let file = file.map(|(name, content)| ("file", name, content));
        self.send_file("/submit", who, fields, file).await
    }

    /// Sends a form with a file: its field, its name and its content.
    pub(crate) async fn send_file(
        &self,
        path: &str,
        who: &Who,
        fields: &[(&str, &str)],
        file: Option<(&str, &str, &[u8])>,
    ) -> PageAnswer {
        let mut body = Vec::new();
        for (name, value) in fields {
            body.extend(format!("--B\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n").bytes());
        }
        if let Some((field, name, content)) = file {
            let head = format!("--B\r\nContent-Disposition: form-data; name=\"{field}\"; filename=\"{name}\"\r\n\r\n");
            body.extend(head.bytes());
            body.extend(content);
            body.extend(b"\r\n");
        }
        body.extend(b"--B--\r\n");
        let request = request("POST", path, who).header(header::CONTENT_TYPE, "multipart/form-data; boundary=B");
        self.answer(request.body(Body::from(body)).unwrap()).await
    }

    pub(crate) async fn json(&self, path: &str, who: &Who, body: &str) -> PageAnswer {
        self.ask("POST", path, who, body).await
    }

    /// Sends a request with any method, with JSON if there is any.
    pub(crate) async fn ask(&self, method: &str, path: &str, who: &Who, body: &str) -> PageAnswer {
        let mut request = request(method, path, who);
        if !body.is_empty() {
            request = request.header(header::CONTENT_TYPE, "application/json");
        }
        self.answer(request.body(Body::from(body.to_owned())).unwrap()).await
    }

    /// An account that has signed in.
    pub(crate) fn member(&self, name: &str, host: bool) -> (i64, Who) {
        let mut store = self.site.writer();
        let id = store.create_account(name, "no password", host, now()).unwrap().unwrap();
        let word = secret::word();
        store.begin_session(id, &secret::digest(&word), now()).unwrap();
        (id, Who::Cookie(format!("agon_session={word}")))
    }

    /// A token of an account, as a participant creates one.
    pub(crate) fn token(&self, account: i64) -> Who {
        self.token_for(account, TokenScopes::default())
    }

    pub(crate) fn token_for(&self, account: i64, scopes: TokenScopes) -> Who {
        let word = secret::word();
        self.site.writer().add_token(account, "test", scopes, &secret::digest(&word), (now(), None)).unwrap();
        Who::Token(word)
    }

    /// The number of a competition.
    pub(crate) fn competition(&self, slug: &str) -> i64 {
        self.site.competition_at(slug).unwrap().id
    }

    /// A version of a program for renju that has not compiled.
    pub(crate) fn failed_version(&self, account: i64, name: &str) -> i64 {
        self.settled(account, name, "# the source", Err("CE: it does not compile".into())).1
    }

    /// A version of a program for renju that has passed its check; program and version.
    pub(crate) fn program(&self, account: i64, name: &str) -> (i64, i64) {
        self.program_of(account, name, "# the source")
    }

    /// The same with a source.
    pub(crate) fn program_of(&self, account: i64, name: &str, source: &str) -> (i64, i64) {
        self.settled(account, name, source, Ok(()))
    }

    /// A built-in player of renju.
    pub(crate) fn builtin(&self, name: &str) -> i64 {
        self.site.writer().builtin(self.competition("renju"), name).unwrap().unwrap().id
    }

    /// Begins a game of renju between the first versions of these programs.
    pub(crate) fn begun(&self, kind: BoutKind, seats: [i64; 2]) -> i64 {
        let mut store = self.site.writer();
        let seats = seats.map(|program| (program, store.program(program).unwrap().unwrap().account.map(|_| 1)));
        let new = NewBout { competition: self.competition("renju"), kind, seed: 1, seats };
        store.begin_bout(&new, now() - 1).unwrap()
    }

    /// A rated game of renju that has ended so.
    pub(crate) fn rated(&self, seats: [i64; 2], end: &PlayedBout) -> i64 {
        let id = self.begun(BoutKind::Ladder, seats);
        assert!(self.site.writer().end_bout(id, end, now()).unwrap());
        id
    }

    fn settled(&self, account: i64, name: &str, source: &str, found: Result<(), CheckMessage>) -> (i64, i64) {
        let mut store = self.site.writer();
        let submission =
            Submission { account, competition: self.competition("renju"), name, language: Language::Python3, source };
        let version = store.submit(&submission, &self.site.options.submissions, now()).unwrap().unwrap();
        assert_eq!(store.take_submission().unwrap().unwrap().id, version);
        store.settle_submission(version, found, None, now()).unwrap();
        (store.version(version).unwrap().unwrap().program, version)
    }
}

/// A game that the first seat has lost, with this verdict.
pub(crate) fn lost(verdict: Verdict, record: String) -> PlayedBout {
    PlayedBout {
        winner: Winner::Second,
        reason: "first failed".into(),
        verdicts: [verdict, Verdict::Ok],
        plies: 3,
        time_ms: [10_000.0, 5.0],
        record,
        worker: None,
        game_digest: None,
    }
}

fn request(method: &str, path: &str, who: &Who) -> axum::http::request::Builder {
    let request = Request::builder().method(method).uri(path).header("host", "127.0.0.1:8080");
    match who {
        Who::Guest => request.header("origin", "http://127.0.0.1:8080"),
        Who::Cookie(cookie) => request.header("origin", "http://127.0.0.1:8080").header("cookie", cookie),
        Who::Token(token) => request.header("authorization", format!("Bearer {token}")),
    }
}
