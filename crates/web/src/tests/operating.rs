//! Running a site: maintenance, the log, the counts, the end.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use agon_boards::listen::{self, Crowd};
use agon_catalog::Game;
use agon_referee::agent::Language;
use agon_referee::verdict::Verdict;
use agon_site::clock::now;
use agon_site::store::{PlayedBout, RECORDS_OF_EACH, Submission};
use axum::http::StatusCode;
use http_body_util::BodyExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tracing::subscriber::NoSubscriber;
use tracing_subscriber::EnvFilter;

use super::limits::TEST_TIMEOUT;
use super::{TestSite, Who, lost, request};
use crate::log;
use crate::options::{LogFormat, SiteOptions};
use crate::router::router;
use crate::upkeep;

#[tokio::test]
async fn a_read_only_site_shows_everything_and_takes_nothing() {
    let site = TestSite::new();
    let ((_, host), (ada, member)) = (site.member("host", true), site.member("ada", false));
    let (program, version) = site.program(ada, "bot");
    let token = site.token(ada);
    assert_eq!(site.post("/host/read-only", &host, &[("yes", "yes")]).await.status, StatusCode::SEE_OTHER);
    for path in ["/", "/ladder/renju", "/me", &format!("/program/{program}"), &format!("/version/{version}")] {
        let page = site.get(path, &member).await;
        assert!(page.status == StatusCode::OK && page.text.contains("read-only for a while"), "{path}");
    }
    let draft = [("game", "renju"), ("name", "bot"), ("language", "PYTHON3"), ("source", "1")];
    let json = r#"{"game":"renju","name":"bot","language":"PYTHON3","source":"1"}"#;
    let refused = [
        site.submit(&member, &draft, None).await,
        site.post("/signup", &Who::Guest, &[("name", "bob"), ("password", "correct horse")]).await,
        site.post("/me/tokens", &member, &[("name", "t")]).await,
        site.post(&format!("/program/{program}/activate"), &member, &[("number", "1")]).await,
        site.post("/host/open", &host, &[("open", "no")]).await,
        site.json("/api/v1/submissions", &token, json).await,
    ];
    for answer in &refused {
        assert_eq!((answer.status, answer.header("retry-after")), (StatusCode::SERVICE_UNAVAILABLE, "300"));
    }
    assert_eq!(refused[5].header("content-type"), "application/problem+json");
    assert!(refused[0].text.contains(">ada</a>") && refused[0].text.contains("read-only for a while"));
    let counts = site.site.writer().counts().unwrap();
    assert_eq!((counts.accounts, counts.versions), (2, 1));
    // People can sign in to read what is theirs, and the host can end it.
    assert_eq!(
        site.post("/signin", &Who::Guest, &[("name", "x"), ("password", "y"), ("next", "/")]).await.status,
        StatusCode::UNPROCESSABLE_ENTITY
    );
    assert_eq!(site.post("/signout", &member, &[]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(site.post("/host/read-only", &host, &[("yes", "no")]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(site.json("/api/v1/submissions", &token, json).await.status, StatusCode::CREATED);
    assert!(!site.get("/", &host).await.text.contains("read-only for a while"));
}

#[tokio::test]
async fn a_site_that_was_started_read_only_stays_so() {
    let site = TestSite::with(|options| options.read_only = true);
    let (_, host) = site.member("host", true);
    assert_eq!(site.post("/host/read-only", &host, &[("yes", "no")]).await.status, StatusCode::CONFLICT);
    assert_eq!(site.post("/host/open", &host, &[("open", "no")]).await.status, StatusCode::SERVICE_UNAVAILABLE);
    assert!(site.get("/host", &host).await.text.contains("started with --read-only"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_is_played_while_read_only() {
    let site = TestSite::with(|options| options.workers = 1);
    let (ada, _) = site.member("ada", false);
    site.site.set_read_only(true, agon_site::store::Origin::command_line()).await.unwrap();
    let submission = Submission {
        account: ada,
        competition: site.competition("renju"),
        name: "bot",
        language: Language::Python3,
        source: "1",
    };
    let version = site.site.writer().submit(&submission, &site.site.options.submissions, now()).unwrap().unwrap();
    let workers = agon_queue::play::start(&site.site.queue, None);
    site.site.queue.announce_change();
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!site.site.writer().version(version).unwrap().unwrap().state.is_settled());
    assert_eq!(site.site.writer().check_queue().unwrap().queued, 1, "it waits");
    assert_eq!(site.site.writer().running().unwrap(), []);
    site.site.stop();
    tokio::task::spawn_blocking(move || workers.join()).await.unwrap();
}

#[tokio::test]
async fn the_queue_says_how_long_it_takes() {
    let site = TestSite::with(|options| options.workers = 1);
    let (ada, member) = site.member("ada", false);
    assert!(site.get("/queue", &member).await.text.contains("known after the first one"));
    let (_, version) = site.program(ada, "bot");
    site.site.writer().note_check_time(version, 30_000).unwrap();
    let limits = site.site.options.submissions;
    let mut waiting = Vec::new();
    for source in ["1", "2"] {
        let submission = Submission {
            account: ada,
            competition: site.competition("renju"),
            name: "bot",
            language: Language::Python3,
            source,
        };
        waiting.push(site.site.writer().submit(&submission, &limits, now()).unwrap().unwrap());
    }
    let page = site.get("/queue", &member).await.text;
    assert!(page.contains("2 submissions are waiting, 0 being checked"), "{page}");
    assert!(page.contains("about 60 s") && page.contains("takes about 30 s"), "{page}");
    let page = site.get(&format!("/version/{}", waiting[1]), &member).await.text;
    assert!(page.contains("in the queue behind 1: about 30 s until its check begins"), "{page}");
}

#[tokio::test]
async fn a_dropped_record_leaves_its_game() {
    let site = TestSite::with(|options| options.retention.age = Some(0));
    let (ada, member) = site.member("ada", false);
    let (program, _) = site.program(ada, "bot");
    let played = PlayedBout { plies: 9, reason: "five in a row".into(), ..lost(Verdict::Ok, "no record".into()) };
    let seats = [site.builtin("random"), program];
    let ids: Vec<i64> = (0..=RECORDS_OF_EACH).map(|_| site.rated(seats, &played)).collect();
    site.site.set_read_only(true, agon_site::store::Origin::command_line()).await.unwrap();
    assert_eq!(upkeep::drop_records(&site.site).unwrap(), 0, "nothing is changed");
    site.site.set_read_only(false, agon_site::store::Origin::command_line()).await.unwrap();
    assert_eq!(upkeep::drop_records(&site.site).unwrap(), 1);
    let page = site.get(&format!("/game/{}", ids[0]), &Who::Guest).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(
        page.text.contains("no longer kept") && page.text.contains("has won after 9 moves: five in a row"),
        "{}",
        page.text
    );
    assert_eq!(site.get(&format!("/game/{}/record", ids[0]), &member).await.status, StatusCode::GONE);
    assert_eq!(site.get(&format!("/api/v1/games/{}", ids[0]), &member).await.status, StatusCode::OK);
}

#[tokio::test]
async fn without_room_nothing_is_taken() {
    let draft = [("game", "renju"), ("name", "bot"), ("language", "PYTHON3"), ("source", "print(1)")];
    let full: [fn(&mut SiteOptions); 2] =
        [|options| options.disk_quota = Some(1), |options| options.disk_free = u64::MAX];
    for change in full {
        let site = TestSite::with(change);
        let ((ada, member), (_, host)) = (site.member("ada", false), site.member("host", true));
        assert!(site.site.queue.may_play(), "nothing has been measured");
        upkeep::measure(&site.site).unwrap();
        let page = site.submit(&member, &draft, None).await;
        assert!(
            page.text.contains("This site has no disk space left") && page.text.contains("print(1)"),
            "{}",
            page.text
        );
        let json = r#"{"game":"renju","name":"bot","language":"PYTHON3","source":"print(1)"}"#;
        let answer = site.json("/api/v1/submissions", &site.token(ada), json).await;
        assert!(answer.status.is_client_error() && answer.text.contains("disk space"), "{}", answer.text);
        assert!(!site.site.queue.may_play());
        let page = site.get("/host", &host).await.text;
        assert!(page.contains("no games until there is room"), "{page}");
    }
    let site = TestSite::with(|options| options.disk_quota = Some(1 << 30));
    let (_, member) = site.member("ada", false);
    upkeep::measure(&site.site).unwrap();
    assert!(site.site.queue.maintenance.storage().data > 0);
    assert_eq!(site.submit(&member, &draft, None).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn games_are_asked_for_so_often_within_a_day() {
    let site = TestSite::with(|options| options.asked_daily = 12);
    let ((ada, one), (bob, other)) = (site.member("ada", false), site.member("bob", false));
    let ((a, _), (b, _)) = (site.program(ada, "a"), site.program(bob, "b"));
    let ask = async |who: &Who, games: &str| site.post(&format!("/versus/{a}/{b}/ask"), who, &[("games", games)]).await;
    assert_eq!(ask(&one, "8").await.status, StatusCode::SEE_OTHER);
    let refused = ask(&one, "5").await;
    assert!(refused.text.contains("Daily limit reached: 12 requested games"), "{}", refused.text);
    assert_eq!(ask(&other, "8").await.status, StatusCode::SEE_OTHER, "what one asks for is not the other's");
}

#[derive(Clone, Default)]
struct Written(Arc<Mutex<Vec<u8>>>);

impl io::Write for Written {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_log_shows_who_asked_for_what_and_no_secrets() {
    let written = Written::default();
    let own = written.clone();
    let filter = EnvFilter::new("agon_web=debug");
    let site = TestSite::new();
    // At its first use, a logging call site asks who listens. With one subscriber in the process it asks that of its
    // own thread, which may be another test's, and then stays silent; with two it asks them all.
    let _second = tracing::Dispatch::new(NoSubscriber::new());
    let _log = tracing::subscriber::set_default(log::subscriber(LogFormat::Json, filter, move || own.clone()));
    tracing::callsite::rebuild_interest_cache();
    let ((ada, member), (_, host)) = (site.member("ada", false), site.member("host", true));
    let token = site.token(ada);
    site.get("/me?next=secret0", &member).await;
    site.post("/signup", &Who::Guest, &[("name", "bob"), ("password", "secret1secret1")]).await;
    site.post("/signin", &Who::Guest, &[("name", "bob"), ("password", "secret2secret2")]).await;
    site.get("/join/secret3", &Who::Guest).await;
    site.get("/jion/secret4", &Who::Guest).await;
    let invited = site.post("/host/invitations", &host, &[("note", "x"), ("uses", "1")]).await.text;
    site.get("/api/v1/versions/1", &token).await;
    let log = String::from_utf8(written.0.lock().unwrap().clone()).unwrap();
    let lines: Vec<serde_json::Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of =
        |path: &str| lines.iter().find(|line| line["span"]["path"] == path).unwrap_or_else(|| panic!("{path}: {log}"));
    let me = of("/me");
    assert_eq!(
        (&me["span"]["method"], &me["span"]["account"], &me["status"]),
        (&"GET".into(), &ada.into(), &200.into())
    );
    assert!(me["ms"].as_f64().unwrap() > 0.0 && me["level"] == "DEBUG");
    assert_eq!((&of("/signup")["status"], &of("/signup")["level"]), (&303.into(), &"INFO".into()));
    assert_eq!((of("/join/{word}")["status"].as_u64(), of("/jion/…")["status"].as_u64()), (Some(404), Some(404)));
    assert_eq!(of("/api/v1/versions/1")["span"]["account"], ada);
    let link = invited.split("/join/").nth(1).unwrap().split('<').next().unwrap();
    let (Who::Token(token), Who::Cookie(cookie)) = (token, member) else { unreachable!() };
    let cookie = cookie.split_once('=').unwrap().1.to_owned();
    for secret in ["secret", link, &token, &cookie] {
        assert!(!log.contains(secret), "{secret} is in: {log}");
    }
}

/// Reads the text format of Prometheus as strictly as `promtool check metrics`, and returns the value of each series.
fn scraped(text: &str) -> Vec<(String, f64)> {
    let (mut helped, mut typed, mut seen) = (HashSet::new(), HashSet::new(), HashSet::new());
    let (mut kind, mut family, mut series) = (String::new(), String::new(), Vec::new());
    let is_name = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("# HELP ") {
            let (name, help) = rest.split_once(' ').expect("a help text");
            assert!(is_name(name) && !help.is_empty() && helped.insert(name.to_owned()), "{line}");
        } else if let Some(rest) = line.strip_prefix("# TYPE ") {
            let (name, of) = rest.split_once(' ').unwrap();
            assert!(helped.contains(name) && typed.insert(name.to_owned()), "{line}");
            (family, kind) = (name.to_owned(), of.to_owned());
            assert_eq!(name.ends_with("_total"), kind == "counter", "{line}");
        } else {
            let (name, value) = line.rsplit_once(' ').unwrap();
            let plain = name.split('{').next().unwrap();
            let parts = ["_bucket", "_sum", "_count"].map(|end| format!("{family}{end}"));
            assert!(
                plain == family && kind != "histogram" || kind == "histogram" && parts.contains(&plain.to_owned()),
                "{line}"
            );
            assert!(seen.insert(name.to_owned()), "twice: {line}");
            series.push((name.to_owned(), value.parse().expect("a number")));
        }
    }
    series
}

#[tokio::test]
async fn the_counts_are_as_prometheus_reads_them() {
    let site = TestSite::new();
    let (ada, member) = site.member("ada", false);
    site.program(ada, "bot");
    for _ in 0..3 {
        site.get("/rules", &member).await;
    }
    site.get("/nowhere", &member).await;
    let limited = async || loop {
        let answer = site.post("/signin", &Who::Guest, &[("name", "x"), ("password", "y"), ("next", "/")]).await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            return;
        }
    };
    limited().await;
    let open = site.send(request("GET", "/game/1/events", &member).body("".into()).unwrap()).await;
    let series = scraped(&site.get("/metrics", &Who::Guest).await.text);
    let value =
        |name: &str| series.iter().find(|(known, _)| known == name).unwrap_or_else(|| panic!("{name}: {series:?}")).1;
    let close = |name: &str, wanted: f64| assert!((value(name) - wanted).abs() < 1e-9, "{name} is {}", value(name));
    close("agon_http_requests_total{method=\"GET\",status=\"200\"}", 4.0);
    close("agon_http_requests_total{method=\"GET\",status=\"404\"}", 1.0);
    close("agon_rate_limited_total{action=\"SignIn\"}", 1.0);
    close("agon_programs", 1.0);
    close("agon_watchers", 1.0);
    close("agon_submissions_waiting{state=\"queued\"}", 0.0);
    close("agon_storage_bytes{part=\"builds\"}", 0.0);
    close("agon_games_running{kind=\"ladder\"}", 0.0);
    let buckets: Vec<f64> =
        series.iter().filter(|(name, _)| name.contains("_bucket{")).map(|(_, value)| *value).collect();
    assert!(
        buckets.is_sorted()
            && (buckets[buckets.len() - 1] - value("agon_http_request_duration_seconds_count")).abs() < 1e-9
    );
    open.into_body().collect().await.unwrap();
    let text = site.get("/metrics", &Who::Guest).await.text;
    assert!(text.contains("\nagon_watchers 0\n"), "{text}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn open_streams_do_not_hold_up_the_end() {
    let site = TestSite::new();
    let (ada, Who::Cookie(cookie)) = site.member("ada", false) else { unreachable!() };
    let submission = Submission {
        account: ada,
        competition: site.competition("renju"),
        name: "bot",
        language: Language::Python3,
        source: "1",
    };
    let version = site.site.writer().submit(&submission, &site.site.options.submissions, now()).unwrap().unwrap();
    let _show = site.site.queue.live.begin(7, Game::RENJU, ["a".into(), "b".into()], Vec::new());
    let listener = listen::bind(([127, 0, 0, 1], 0).into()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let (own, routes) = (Arc::clone(&site.site), router(&site.site));
    let served =
        tokio::spawn(listen::serve(own.queue.signals.stopping.subscribe(), listener, routes, Crowd::default()));
    let mut open = Vec::new();
    for path in ["/game/7/events", &format!("/version/{version}/events")] {
        let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
        let text = format!("GET {path} HTTP/1.1\r\nhost: {address}\r\ncookie: {cookie}\r\n\r\n");
        stream.write_all(text.as_bytes()).await.unwrap();
        let mut head = [0; 200];
        let read = stream.read(&mut head).await.unwrap();
        assert!(head[..read].starts_with(b"HTTP/1.1 200 OK"), "{path}");
        open.push(stream);
    }
    // One that has only connected, and one that sends its request slowly.
    let idle = tokio::net::TcpStream::connect(address).await.unwrap();
    let mut slow = tokio::net::TcpStream::connect(address).await.unwrap();
    slow.write_all(b"POST /signin HTTP/1.1\r\ncontent-le").await.unwrap();
    site.site.stop();
    tokio::time::timeout(TEST_TIMEOUT, served).await.expect("the site stops").unwrap();
    for mut stream in open {
        let mut rest = Vec::new();
        let ended = tokio::time::timeout(TEST_TIMEOUT, stream.read_to_end(&mut rest)).await;
        assert!(ended.is_ok(), "the stream ends");
    }
    drop((idle, slow));
}
