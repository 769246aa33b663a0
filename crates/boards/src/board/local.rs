//! The server of `agon board`: the pages of boards, for one person, without accounts and without a store.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use agon_analysis::dish::DishQuestion;
use agon_message::Locale;
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Form, Router};
use maud::html;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};
use tower_http::compression::CompressionLayer;
use tower_http::timeout::TimeoutLayer;

use super::agents::{self, LocalAgents};
use super::dish;
use super::files::FileBounds;
use super::host::BoardHost;
use super::pages;
use crate::analysis::EngineService;
use crate::headers::{from_elsewhere, headers};
use crate::layout::{LANGUAGE, LanguageForm, Page, came_from, own_path};
use crate::limits::{ANSWER_TIMEOUT, Rooms};
use crate::listen::ListenError;
use crate::text::{language_cookie, speaking, t};
use crate::{analysis, assets, listen};

#[derive(Clone, Debug)]
pub struct BoardOptions {
    pub listen: SocketAddr,
    /// The agents of the user that can be chosen, as the command line names them.
    pub agents: Vec<String>,
}

/// Why boards are not served.
#[derive(Debug, thiserror::Error)]
pub enum BoardError {
    #[error(transparent)]
    Listen(#[from] ListenError),
    #[error("cannot start: {0}")]
    System(#[from] io::Error),
    /// An agent of the user that cannot play on boards.
    #[error("{0}")]
    Agent(String),
}

/// Serves the pages of boards until SIGINT, SIGTERM or SIGHUP. `started` gets the address.
///
/// # Errors
/// [`BoardError`] when it cannot start.
pub fn serve_board(options: &BoardOptions, started: impl FnOnce(&str)) -> Result<(), BoardError> {
    // Before there are threads: a program is started by a copy of this process.
    let agents = Arc::new(LocalAgents::new(&options.agents).map_err(BoardError::Agent)?);
    let runtime = Runtime::new()?;
    runtime.block_on(async {
        let address = options.listen;
        let listener = listen::bind(address).await?;
        // Port 0 is any free one.
        let address = listener.local_addr()?;
        let stop = stopped()?;
        started(&format!("http://{address}/board"));
        let engines = Arc::new(EngineService::default());
        let ending = Arc::clone(&engines);
        // A stream of an analysis would hold up the end for ever.
        let stop = async move {
            stop.await;
            ending.stop();
        };
        let router = router(address, &engines, &agents);
        axum::serve(listener, router).with_graceful_shutdown(stop).await?;
        agents.stop();
        Ok(())
    })
}

/// Ends when the process should stop.
fn stopped() -> io::Result<impl Future<Output = ()>> {
    let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
    let [mut interrupt, mut terminate, mut hangup] = [signal(kinds[0])?, signal(kinds[1])?, signal(kinds[2])?];
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    })
}

/// All pages, for everyone who reaches this address.
pub(super) fn router(address: SocketAddr, engines: &Arc<EngineService>, agents: &Arc<LocalAgents>) -> Router {
    Router::new()
        .route("/", get(async || Redirect::to("/board")))
        .route("/board", get(async || pages::start(BoardHost::Machine).show_alone()))
        .route("/board/petri", get(page_of_dish).post(run_dish))
        .route("/board/{name}", get(page))
        .route(LANGUAGE, post(choose_language))
        .route("/assets/{digest}/{file}", get(assets::serve))
        .merge(analysis::routes(engines))
        .merge(super::routes())
        .layer(DefaultBodyLimit::max(FileBounds::LOCAL.request))
        .layer(Extension(FileBounds::LOCAL))
        .layer(Extension(Arc::new(Rooms::default())))
        .layer(TimeoutLayer::with_status_code(StatusCode::REQUEST_TIMEOUT, ANSWER_TIMEOUT))
        // The clock of the agent alone limits its answer.
        .route("/board/agent", post(agents::reply))
        .layer(Extension(Arc::clone(agents)))
        .fallback(nowhere)
        .layer(CompressionLayer::new())
        .layer(middleware::from_fn_with_state(address, guard))
        .layer(middleware::from_fn_with_state(false, speaking))
        .layer(middleware::from_fn(headers))
}

async fn page(Extension(agents): Extension<Arc<LocalAgents>>, Path(name): Path<String>) -> Response {
    pages::titled(&name, BoardHost::Machine, |game| pages::Offered::first_of(agents.of_game(game)))
        .map_or_else(missing, Page::show_alone)
}

async fn page_of_dish() -> Response {
    dish::form(BoardHost::Machine).show_alone()
}

async fn run_dish(rooms: Extension<Arc<Rooms>>, form: Form<DishQuestion>) -> Response {
    dish::run(rooms, form).await.show_alone()
}

/// Chooses a language of this browser, and leads back to the page.
async fn choose_language(headers: HeaderMap, Form(form): Form<LanguageForm>) -> Response {
    let Some(language) = Locale::parse(&form.language) else { return missing() };
    let back = own_path(came_from(&headers).unwrap_or("/board"));
    ([(header::SET_COOKIE, language_cookie(language, false))], Redirect::to(back)).into_response()
}

async fn nowhere() -> Response {
    missing()
}

fn missing() -> Response {
    let title = t!("boards-missing");
    let body = html! { h1 { (title) } p { a href="/board" { (t!("boards-title")) } } };
    Page::new(title, body).with_status(StatusCode::NOT_FOUND).show_alone()
}

/// A page of another site can send requests to this machine, and even read the answers through a domain name of its
/// own. So the requested name must be ours while only this machine reaches this address, and posts must come from a
/// page of ours.
async fn guard(State(address): State<SocketAddr>, request: Request, next: Next) -> Response {
    if !is_ours(address, request.method(), request.uri().path(), request.headers()) {
        return (StatusCode::FORBIDDEN, "This server answers its own pages alone.\n").into_response();
    }
    next.run(request).await
}

fn is_ours(address: SocketAddr, method: &Method, path: &str, headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST).unwrap_or_default();
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let literal = name.trim_matches(['[', ']']).parse::<IpAddr>();
    let known = !address.ip().is_loopback() || name == "localhost" || literal.is_ok_and(|ip| ip.is_loopback());
    let own = text(header::ORIGIN).is_none_or(|origin| origin.split_once("://").is_some_and(|(_, from)| from == host));
    // Asking costs a search.
    let asks = path.starts_with("/api/") && from_elsewhere(headers);
    known && (*method == Method::GET || own) && !asks
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use http_body_util::BodyExt as _;
    use tower::ServiceExt as _;

    use super::*;
    use crate::engines;

    async fn answer(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (StatusCode, String) {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body.to_owned())).unwrap();
        let response = router(SocketAddr::from(([127, 0, 0, 1], 7000)), &Arc::default(), &agents())
            .oneshot(request)
            .await
            .unwrap();
        let status = response.status();
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8(bytes.to_vec()).unwrap())
    }

    fn agents() -> Arc<LocalAgents> {
        Arc::new(LocalAgents::new(&["sh -c 'echo a bot'".to_owned()]).unwrap())
    }

    /// The browser's language, until one is chosen.
    #[tokio::test]
    async fn pages_speak_the_language_of_the_browser() {
        let korean = ("accept-language", "ko-KR,ko;q=0.9");
        for path in ["/board", "/board/renju", "/board/analysis", "/board/petri", "/board/puzzles", "/board/chess"] {
            let (_, text) = answer("GET", path, &[HERE, korean], "").await;
            assert!(text.contains("<html lang=\"ko\">") && text.contains("action=\"/language\""), "{path}: {text}");
            let (_, text) = answer("GET", path, &[HERE, korean, ("cookie", "agon_language=en")], "").await;
            assert!(text.contains("<html lang=\"en\">"), "{path}");
        }
        let form = ("content-type", "application/x-www-form-urlencoded");
        let ours = ("origin", "http://127.0.0.1:7000");
        assert_eq!(answer("POST", LANGUAGE, &[HERE, form, ours], "language=ko").await.0, StatusCode::SEE_OTHER);
        assert_eq!(answer("POST", LANGUAGE, &[HERE, form, ours], "language=tlh").await.0, StatusCode::NOT_FOUND);
    }

    const HERE: (&str, &str) = ("host", "127.0.0.1:7000");

    #[tokio::test]
    async fn every_page_is_shown_without_an_account() {
        for (path, part) in [
            ("/board", "Play and analyse"),
            ("/board/renju", "Forbidden"),
            ("/board/domineering", "name=\"rows\""),
            ("/board/bacteria", "champion, level 10"),
            ("/board/renju", "<option value=\"agent:0\">sh -c"),
            ("/board/analysis", "Mark mistakes"),
            ("/board/petri", "How a rule is written"),
            ("/board/puzzles", "Next puzzle"),
        ] {
            let (status, text) = answer("GET", path, &[HERE], "").await;
            assert!(status == StatusCode::OK && text.contains(part), "{path}: {text}");
            assert!(!text.contains("Sign in"), "{path}");
        }
        for path in ["/board/chess", "/me", "/ladder/renju"] {
            assert_eq!(answer("GET", path, &[HERE], "").await.0, StatusCode::NOT_FOUND, "{path}");
        }
    }

    /// Pages never compile WebAssembly; the worker does.
    #[tokio::test]
    async fn only_the_worker_may_compile_webassembly() {
        let policy = async |path: &str| {
            let request = Request::builder().uri(path).header(HERE.0, HERE.1).body(Body::empty()).unwrap();
            let router = router(SocketAddr::from(([127, 0, 0, 1], 7000)), &Arc::default(), &agents());
            let response = router.oneshot(request).await.unwrap();
            assert_eq!(response.status(), StatusCode::OK, "{path}");
            response.headers()[header::CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned()
        };
        let permission = "script-src 'self' 'wasm-unsafe-eval';";
        assert!(policy(&assets::address(engines::WORKER)).await.contains(permission));
        for path in ["/board/renju", "/board/analysis", &assets::address("agon.js"), &assets::address("here.js")] {
            assert!(!policy(path).await.contains("wasm-unsafe-eval"), "{path}");
        }
    }

    /// Every page with a board says where its engine runs.
    #[tokio::test]
    async fn boards_name_the_place_of_the_engine() {
        let part = if engines::files().is_empty() { "This build has no engine" } else { "id=\"engine-place\"" };
        for path in ["/board/renju", "/board/analysis", "/board/puzzles"] {
            let (_, text) = answer("GET", path, &[HERE], "").await;
            assert!(text.contains(part), "{path}");
        }
        for file in engines::files() {
            let (status, _) = answer("HEAD", &file.address(), &[HERE], "").await;
            assert_eq!(status, StatusCode::OK, "{}", file.file);
        }
    }

    #[tokio::test]
    async fn pages_of_others_get_nothing() {
        let check = async |method: &str, headers: &[(&str, &str)], wanted: StatusCode| {
            let path = if method == "GET" { "/board" } else { "/board/read" };
            let json = [headers, &[("content-type", "application/json")]].concat();
            assert_eq!(answer(method, path, &json, "{\"text\":\"H8\"}").await.0, wanted, "{method} {headers:?}");
        };
        check("GET", &[("host", "evil.example:7000")], StatusCode::FORBIDDEN).await;
        check("GET", &[("host", "localhost:7000")], StatusCode::OK).await;
        check("GET", &[("host", "[::1]:7000")], StatusCode::OK).await;
        check("POST", &[HERE, ("origin", "http://evil.example")], StatusCode::FORBIDDEN).await;
        check("POST", &[HERE, ("origin", "http://127.0.0.1:7000")], StatusCode::OK).await;
        // A search costs something, also by GET; a link to a page does not.
        let puzzle = async |from| answer("GET", "/api/v1/puzzles/chess", &[HERE, ("sec-fetch-site", from)], "").await.0;
        for (from, wanted) in [
            ("cross-site", StatusCode::FORBIDDEN),
            ("same-site", StatusCode::FORBIDDEN),
            ("same-origin", StatusCode::BAD_REQUEST),
            ("none", StatusCode::BAD_REQUEST),
        ] {
            assert_eq!(puzzle(from).await, wanted, "{from}");
        }
        check("GET", &[HERE, ("sec-fetch-site", "cross-site")], StatusCode::OK).await;
    }
}
