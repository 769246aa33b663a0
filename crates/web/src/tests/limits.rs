//! Every bound is met by one visitor, while another one is served.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use agon_boards::limits::{Bound, MAX_GAME_BYTES, MAX_WAITING_JOBS, SEND_TIMEOUT};
use agon_boards::listen::{self, Crowd};
use agon_referee::agent::Language;
use agon_referee::record::Record;
use agon_referee::verdict::Verdict;
use agon_site::clock::now;
use agon_site::store::Submission;
use axum::body::{Body, Bytes};
use axum::http::{Request, Response, StatusCode};
use http_body_util::BodyExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;

use super::{TestSite, Who, request};
use crate::limits::{ACCOUNT_STREAMS, ANSWER_BYTES, BODY_BYTES, EXPORTS, STREAMS};
use crate::router::router;

/// How long a test waits for what must come.
pub(super) const TEST_TIMEOUT: Duration = Duration::from_mins(2);

/// A visitor with too much, and one who only looks.
pub(super) const GREEDY: &str = "192.0.2.1";
pub(super) const OTHER: &str = "198.51.100.7";

pub(super) fn site() -> TestSite {
    TestSite::with(|options| options.behind_proxy = true)
}

pub(super) fn from(address: &str, method: &str, path: &str, who: &Who) -> axum::http::request::Builder {
    request(method, path, who).header("x-forwarded-for", address)
}

pub(super) async fn get(site: &TestSite, address: &str, path: &str, who: &Who) -> Response<Body> {
    site.send(from(address, "GET", path, who).body(Body::empty()).unwrap()).await
}

/// Another visitor is served all the while.
pub(super) async fn served(site: &TestSite) {
    for path in ["/healthz", "/", "/queue", "/board/renju", "/ladder/renju?from=1"] {
        let whole = async {
            let answer = get(site, OTHER, path, &Who::Guest).await;
            (answer.status(), answer.into_body().collect().await.unwrap().to_bytes())
        };
        let (status, bytes) = tokio::time::timeout(TEST_TIMEOUT, whole).await.expect(path);
        assert!(status == StatusCode::OK && !bytes.is_empty(), "{path}: {status}");
    }
}

pub(super) fn refused(answer: &Response<Body>, wanted: StatusCode) {
    assert_eq!(answer.status(), wanted);
    let retry = answer.headers().get("retry-after").expect("it says when to try again");
    assert!(retry.to_str().unwrap().parse::<u64>().is_ok_and(|seconds| (1..=3600).contains(&seconds)), "{retry:?}");
}

pub(super) async fn until(what: &str, mut done: impl AsyncFnMut() -> bool) {
    let begun = Instant::now();
    while !done().await {
        assert!(begun.elapsed() < TEST_TIMEOUT, "{what} takes too long");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn waiting_version(site: &TestSite, account: i64) -> i64 {
    let competition = site.competition("renju");
    let submission = Submission { account, competition, name: "bot", language: Language::Python3, source: "1" };
    site.site.writer().submit(&submission, &site.site.options.submissions, now()).unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_of_an_address() {
    let site = site();
    let names = ["a".to_owned(), "b".to_owned()];
    let _show = site.site.queue.live.begin(7, agon_catalog::Game::RENJU, names, Vec::new());
    let mut open = Vec::new();
    for _ in 0..STREAMS.each {
        let answer = get(&site, GREEDY, "/game/7/events", &Who::Guest).await;
        assert_eq!(answer.status(), StatusCode::OK);
        open.push(answer);
    }
    refused(&get(&site, GREEDY, "/game/7/events", &Who::Guest).await, StatusCode::TOO_MANY_REQUESTS);
    served(&site).await;
    assert_eq!(get(&site, OTHER, "/game/7/events", &Who::Guest).await.status(), StatusCode::OK);
    drop(open);
    assert_eq!(get(&site, GREEDY, "/game/7/events", &Who::Guest).await.status(), StatusCode::OK, "they are free again");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn streams_of_an_account_share_one_reader() {
    let site = site();
    let (ada, member) = site.member("ada", false);
    let version = waiting_version(&site, ada);
    let path = format!("/version/{version}/events");
    let mut open = Vec::new();
    for number in 0..ACCOUNT_STREAMS.each {
        let answer = get(&site, &format!("192.0.2.{number}"), &path, &member).await;
        assert_eq!(answer.status(), StatusCode::OK);
        open.push(answer.into_body());
    }
    refused(&get(&site, GREEDY, &path, &member).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(site.site.queue.check_followers.count(), 1, "one reads for all");
    for stream in &mut open {
        let event = tokio::time::timeout(TEST_TIMEOUT, stream.frame()).await.unwrap().unwrap().unwrap();
        assert!(event.into_data().unwrap().starts_with(b"event: progress"));
    }
    for _ in 0..50 {
        site.site.queue.announce_change();
    }
    served(&site).await;
    site.site.writer().take_submission().unwrap().unwrap();
    site.site.writer().settle_submission(version, Err("it fails".into()), None, now()).unwrap();
    site.site.queue.announce_change();
    for stream in open {
        let rest = tokio::time::timeout(TEST_TIMEOUT, stream.collect()).await.unwrap().unwrap().to_bytes();
        assert!(String::from_utf8_lossy(&rest).contains("event: settled"));
    }
    until("the reader's end", async || site.site.queue.check_followers.count() == 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exports_that_no_one_reads() {
    let site = site();
    let members: Vec<(i64, Who)> =
        (0..=EXPORTS.all).map(|number| site.member(&format!("member{number}"), false)).collect();
    let mut open = Vec::new();
    for (_, who) in &members[..EXPORTS.all] {
        let answer = get(&site, GREEDY, "/me/export", who).await;
        assert_eq!(answer.status(), StatusCode::OK);
        assert!(answer.headers().contains_key("content-length"), "the file is there");
        open.push(answer);
        refused(&get(&site, GREEDY, "/me/export", who).await, StatusCode::TOO_MANY_REQUESTS);
    }
    refused(&get(&site, GREEDY, "/me/export", &members[EXPORTS.all].1).await, StatusCode::SERVICE_UNAVAILABLE);
    served(&site).await;
    // No connection reads: the journal can be emptied.
    assert!(site.site.writer().checkpoint().unwrap());
    let folder = site.site.options.data.join("exports");
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), 0, "the files have no names");
    for answer in open {
        let length: usize = answer.headers()["content-length"].to_str().unwrap().parse().unwrap();
        assert_eq!(answer.into_body().collect().await.unwrap().to_bytes().len(), length);
    }
    assert_eq!(get(&site, GREEDY, "/me/export", &members[EXPORTS.all].1).await.status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_that_stall() {
    let site = Arc::new(site());
    let part = Bytes::from(vec![b'a'; 3 << 20]);
    let mut stalled = Vec::new();
    let mut senders = Vec::new();
    let post = |senders: &mut Vec<mpsc::Sender<Result<Bytes, io::Error>>>| {
        let (sender, receiver) = mpsc::channel(2);
        sender.try_send(Ok(part.clone())).unwrap();
        senders.push(sender);
        let request = from(GREEDY, "POST", "/signin", &Who::Guest)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(Body::from_stream(ReceiverStream::new(receiver)))
            .unwrap();
        let site = Arc::clone(&site);
        tokio::spawn(async move { site.send(request).await })
    };
    for number in 1..=BODY_BYTES.each / part.len() {
        stalled.push(post(&mut senders));
        until("a body", async || site.site.traffic.bodies.count() == number * part.len()).await;
    }
    refused(&post(&mut senders).await.unwrap(), StatusCode::TOO_MANY_REQUESTS);
    served(&site).await;
    for one in &stalled {
        one.abort();
    }
    drop(senders);
    until("their end", async || site.site.traffic.bodies.count() == 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn large_answers_that_no_one_reads() {
    let site = site();
    let (ada, _) = site.member("ada", false);
    let (program, _) = site.program(ada, "bot");
    let game = site.rated([program, site.builtin("random")], &super::lost(Verdict::Ok, large_record()));
    let path = format!("/game/{game}/record");
    let size = get(&site, OTHER, &path, &Who::Guest).await.into_body().collect().await.unwrap().to_bytes().len();
    assert!(size > 10 << 20, "{size}");
    let mut open = Vec::new();
    for _ in 0..ANSWER_BYTES.each / size {
        let answer = get(&site, GREEDY, &path, &Who::Guest).await;
        assert_eq!(
            (answer.status(), answer.headers()["content-length"].to_str().unwrap()),
            (StatusCode::OK, &*size.to_string())
        );
        open.push(answer.into_body());
    }
    refused(&get(&site, GREEDY, &path, &Who::Guest).await, StatusCode::TOO_MANY_REQUESTS);
    served(&site).await;
    let whole = open.pop().unwrap().collect().await.unwrap().to_bytes();
    assert_eq!(whole.len(), size, "what is read is whole");
    assert_eq!(get(&site, GREEDY, &path, &Who::Guest).await.status(), StatusCode::OK, "and makes room");
}

/// A record whose agents have written much to their error streams.
pub(super) fn large_record() -> String {
    let mut record = Record::read(&super::pages::failed_record()).unwrap();
    record.header.agents[0].agent = "x".repeat(12 << 20);
    record.write()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_that_are_read() {
    let site = Arc::new(site());
    let ask = |address: &'static str, text: String| {
        let json = serde_json::json!({ "text": text, "game": "renju" }).to_string();
        let request = from(address, "POST", "/board/read", &Who::Guest).header("content-type", "application/json");
        let (site, request) = (Arc::clone(&site), request.body(Body::from(json)).unwrap());
        async move { site.send(request).await }
    };
    let line: String = (0..20_000).map(|number| [";B[]", ";W[]"][number % 2]).collect();
    let attack = format!("({line}{})", "(;B[hh])".repeat(399));
    let answers: Vec<_> = (0..20).map(|_| tokio::spawn(ask(GREEDY, attack.clone()))).collect();
    served(&site).await;
    for answer in answers {
        assert_eq!(answer.await.unwrap().status(), StatusCode::BAD_REQUEST);
    }
    let large = ask(GREEDY, "H8 ".repeat(MAX_GAME_BYTES / 3)).await;
    assert_eq!(large.status(), StatusCode::PAYLOAD_TOO_LARGE);
    // With the room full of slow jobs the next one is refused, and pages are served.
    let slow = || {
        let rooms = Arc::clone(&site.site.rooms);
        let job = |effort: &agon_boards::limits::Effort| {
            while !effort.is_over() {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        tokio::spawn(async move { rooms.boards.texts.run(job).await })
    };
    let room = &site.site.rooms.boards.texts;
    let jobs: Vec<_> = (0..room.threads + MAX_WAITING_JOBS).map(|_| slow()).collect();
    until("the jobs", async || room.waiting() == MAX_WAITING_JOBS).await;
    refused(&ask(OTHER, "H8 H9".to_owned()).await, StatusCode::SERVICE_UNAVAILABLE);
    served(&site).await;
    for job in &jobs {
        job.abort();
    }
    until("their end", async || room.running() == 0 && room.waiting() == 0).await;
    assert_eq!(ask(OTHER, "H8 H9".to_owned()).await.status(), StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_of_an_address() {
    let site = TestSite::new();
    let listener = listen::bind(([127, 0, 0, 1], 0).into()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let crowd = Crowd::new(Bound { each: 4, all: 100 }, Bound { each: 6, all: 100 }, SEND_TIMEOUT);
    let serving =
        tokio::spawn(listen::serve(site.site.queue.signals.stopping.subscribe(), listener, router(&site.site), crowd));
    let ask = async |mut stream: tokio::net::TcpStream| {
        let _ = stream.write_all(format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\n\r\n").as_bytes()).await;
        let mut head = vec![0; 300];
        let read = tokio::time::timeout(TEST_TIMEOUT, stream.read(&mut head)).await.unwrap().unwrap_or(0);
        (stream, String::from_utf8_lossy(&head[..read]).into_owned())
    };
    let connect = async |last: u8| {
        let socket = tokio::net::TcpSocket::new_v4().unwrap();
        socket.bind(([127, 0, 0, last], 0).into()).unwrap();
        socket.connect(address).await.unwrap()
    };
    let mut open = Vec::new();
    for _ in 0..4 {
        let (stream, head) = ask(connect(2).await).await;
        assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
        open.push(stream);
    }
    // The fifth is closed, with the reason unless its request was sent before that was read.
    let (_, head) = ask(connect(2).await).await;
    assert!(head.is_empty() || head.starts_with("HTTP/1.1 429 "), "{head}");
    for last in [3, 4] {
        let (stream, head) = ask(connect(last).await).await;
        assert!(head.starts_with("HTTP/1.1 200 OK"), "{head}");
        open.push(stream);
    }
    let (_, head) = ask(connect(5).await).await;
    assert!(head.is_empty() || head.starts_with("HTTP/1.1 429 "), "their network has six: {head}");
    drop(open);
    let again = async || ask(connect(2).await).await.1.starts_with("HTTP/1.1 200 OK");
    until("a free connection", again).await;
    site.site.stop();
    serving.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_by_link_of_a_network() {
    let site = site();
    let (_, host) = site.member("host", true);
    let open = async |address: &str| {
        let request = from(address, "POST", "/board/invite", &Who::Guest)
            .header("content-type", "application/x-www-form-urlencoded");
        site.send(request.body(Body::from("game=renju")).unwrap()).await
    };
    let mut opened = 0;
    let last = 'all: loop {
        for number in 1..=200 {
            let answer = open(&format!("203.0.113.{number}")).await;
            if answer.status() != StatusCode::SEE_OTHER {
                break 'all answer;
            }
            opened += 1;
        }
    };
    refused(&last, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(opened, 120);
    assert_eq!(open(OTHER).await.status(), StatusCode::SEE_OTHER, "another network is not held up");
    served(&site).await;
    // Games that no one joins within an hour are removed, and the host can remove them at once.
    let counts = || site.site.writer().open_shared_games().unwrap();
    assert_eq!(counts(), (121, 121));
    let soon = (now() + 3500) * 1000;
    crate::shared::tidy(&mut site.site.writer(), &site.site.shared, soon).unwrap();
    assert_eq!(counts(), (121, 121));
    let page = site.get("/host", &host).await.text;
    assert!(page.contains("121 are open, 121 of them wait"), "{page}");
    assert_eq!(site.post("/host/shared/clear", &host, &[]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(counts(), (0, 0));
    open(OTHER).await;
    crate::shared::tidy(&mut site.site.writer(), &site.site.shared, (now() + 3700) * 1000).unwrap();
    assert_eq!(counts(), (0, 0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn tokens_of_an_account_that_are_made_at_once() {
    let site = Arc::new(TestSite::new());
    let (ada, member) = site.member("ada", false);
    let make = |number: usize| {
        let (site, member) = (Arc::clone(&site), member.clone());
        tokio::spawn(async move {
            site.post("/me/tokens", &member, &[("name", &number.to_string()), ("days", ""), ("read", "yes")]).await
        })
    };
    let all: Vec<_> = (0..40).map(make).collect();
    for answer in all {
        answer.await.unwrap();
    }
    assert_eq!(site.site.writer().tokens(ada).unwrap().len(), agon_site::accounts::MAX_TOKENS);
}

#[tokio::test]
async fn searches_are_not_started_by_pages_of_others() {
    let site = TestSite::new();
    for (from, wanted) in [("cross-site", 403), ("same-site", 403), ("same-origin", 400), ("none", 400)] {
        let request = Request::builder().uri("/api/v1/puzzles/chess").header("host", "127.0.0.1:8080");
        let answer = site.send(request.header("sec-fetch-site", from).body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status().as_u16(), wanted, "{from}");
    }
}
