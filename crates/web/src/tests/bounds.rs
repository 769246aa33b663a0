//! Every limit of the table has a test that meets it; those that the other tests do not meet are met here.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use agon_boards::limits::{
    ANSWER_TIMEOUT, Bound, CONNECTIONS, Effort, HEADERS_TIMEOUT, LimitedActor, MAX_HEAD_BYTES, Place, Places,
    RoomError, SEND_TIMEOUT,
};
use agon_boards::listen::{self, Crowd};
use agon_protocols::formats;
use agon_referee::verdict::Verdict;
use agon_site::submission::MAX_SOURCE_BYTES;
use axum::body::Body;
use axum::http::{Response, StatusCode};
use http_body_util::BodyExt as _;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::limits::{GREEDY, OTHER, TEST_TIMEOUT, from, get, large_record, refused, served, site, until};
use super::{TestSite, Who, lost};
use crate::limits::{self, ANSWER_BYTES, BODY_BYTES, MAX_LARGE_BYTES, MAX_SMALL_BYTES, NETWORK_STREAMS, STREAMS};
use crate::rate::LimitedAction;
use crate::router::router;

/// Each limit by its row, and the test that meets it.
const TESTS: &[(&str, &str, &str)] = &[
    ("a form or JSON", "request", "bodies_have_sizes"),
    ("the same with a source", "request", "bodies_have_sizes"),
    ("a game that a board reads or writes", "request", "games_that_are_read"),
    ("its moves", "request", "games_that_are_read"),
    ("its lines", "request", "games_have_few_lines"),
    ("the head of a request", "request", "heads_have_a_size_and_a_time"),
    ("headers that arrive", "connection", "heads_have_a_size_and_a_time"),
    ("the same while half of all are open", "connection", "silent_connections_leave_sooner_where_there_are_many"),
    ("a body that arrives", "request", "a_body_that_does_not_end_is_cut_off"),
    ("an answer until it begins", "request", "an_answer_begins_in_time"),
    ("an answer that is not read", "connection", "a_client_that_reads_nothing_is_let_go"),
    ("an export as a file", "account", "a_file_of_an_export_has_a_size_a_time_and_a_client"),
    ("an export of the site as a file", "site", "a_file_of_an_export_has_a_size_a_time_and_a_client"),
    ("an export that is written", "request", "a_file_of_an_export_has_a_size_a_time_and_a_client"),
    ("an export that is fetched", "request", "an_export_that_is_fetched_slowly_ends"),
    ("a game by link until both are there", "game", "games_by_link_of_a_network"),
    ("bodies that arrive", "address", "bodies_that_stall"),
    ("bodies that arrive", "site", "what_all_together_have_is_bounded"),
    ("large answers that are sent", "address", "large_answers_that_no_one_reads"),
    ("large answers that are sent", "site", "what_all_together_have_is_bounded"),
    ("connections", "address", "connections_of_an_address"),
    ("connections", "network (/24, /48)", "connections_of_an_address"),
    ("connections", "site", "connections_beyond_all_wait"),
    ("streams of events", "address", "streams_of_an_address"),
    ("streams of events", "network (/24, /48)", "what_all_together_have_is_bounded"),
    ("streams of events", "account", "streams_of_an_account_share_one_reader"),
    ("streams of events", "site", "what_all_together_have_is_bounded"),
    ("searches of engines", "address", "whoever_has_most_makes_room"),
    ("searches of engines", "site", "whoever_has_most_makes_room"),
    ("an analysis of a position", "search", "an_analysis_of_a_site_ends_and_one_of_an_own_machine_goes_on"),
    ("exports", "account", "exports_that_no_one_reads"),
    ("exports", "site", "exports_that_no_one_reads"),
    ("games by link that are not over", "account or network", "all_games_cannot_be_held_by_joining_ones_own"),
    ("games by link that are not over", "site", "all_games_cannot_be_held_by_joining_ones_own"),
    ("waiting: reads of the store", "site", "rooms_that_are_full"),
    ("waiting: changes of the store", "site", "rooms_that_are_full"),
    ("waiting: passwords to be hashed", "site", "rooms_that_are_full"),
    ("waiting: files of games on boards", "site", "rooms_that_are_full"),
    ("waiting: positions and moves on boards", "site", "rooms_that_are_full"),
    ("waiting: records to be drawn", "site", "rooms_that_are_full"),
    ("waiting: dishes run by visitors", "site", "rooms_that_are_full"),
    ("waiting: exports being sent", "site", "rooms_that_are_full"),
    ("a job of a request", "request", "a_room_has_as_many_jobs_as_it_says"),
    ("sign-in attempts", "address, of wrong passwords alone", "allowances_are_used_up"),
    ("wrong two-factor codes", "account, of wrong codes alone", "codes_are_not_guessed"),
    ("new accounts from your address", "address", "allowances_are_used_up"),
    ("new accounts from your network", "network (/24, /48)", "allowances_are_used_up"),
    ("submissions", "account", "allowances_are_used_up"),
    ("changes", "address", "allowances_are_used_up"),
    ("requests", "account, or address without one", "allowances_are_used_up"),
    ("questions about positions", "address", "allowances_are_used_up"),
    ("event streams from your address", "address", "allowances_are_used_up"),
    ("exports", "account", "allowances_are_used_up"),
    ("games opened from your address", "address", "allowances_are_used_up"),
    ("games opened from your network", "network (/24, /48)", "games_by_link_of_a_network"),
    ("wrong passwords for a name", "address and name", "guessing_passwords_is_held_up"),
    ("wrong codes before the password is asked for", "sign-in", "codes_are_not_guessed"),
    ("sign-ins that wait for a code", "site", "as_many_wait_as_it_says"),
    ("a sign-in that waits for a code", "sign-in", "a_sign_in_waits_for_few_codes_and_not_for_long"),
    ("security events that are kept", "kind", "a_flood_of_one_kind_drops_its_oldest_and_no_other"),
    ("submissions within a day", "account", "submissions_of_an_account"),
    ("programs in a competition", "account", "submissions_of_an_account"),
    ("versions that wait for their check", "account", "submissions_of_an_account"),
    ("a check that begins games", "version", "a_check_begins_no_game_after_its_time"),
    ("tokens", "account", "tokens_of_an_account_that_are_made_at_once"),
    ("sources that are tried", "account", "a_trial_is_its_accounts_and_there_are_few_at_once"),
    ("sources that are tried", "site", "a_trial_is_its_accounts_and_there_are_few_at_once"),
    ("results of trials that are kept", "site", "old_trials_go"),
    ("programs that play against people", "account", "few_programs_are_asked_at_once"),
    ("programs that play against people", "site", "few_programs_are_asked_at_once"),
    ("such programs that are asked at once", "account", "who_has_many_requests_waits_behind_those_with_few"),
    ("such programs that are asked at once", "network (/24, /48)", "who_has_many_requests_waits_behind_those_with_few"),
    ("such programs that are asked at once", "site", "who_has_many_requests_waits_behind_those_with_few"),
    ("waiting: moves of such programs", "account", "who_has_many_requests_waits_behind_those_with_few"),
    ("waiting: moves of such programs", "network (/24, /48)", "who_has_many_requests_waits_behind_those_with_few"),
    ("waiting: moves of such programs", "site", "who_has_many_requests_waits_behind_those_with_few"),
    ("waiting for a move of such a program", "request", "one_who_goes_leaves_the_turn_and_no_wait_is_endless"),
    ("a move of such a program", "request", "an_answer_that_is_of_no_use_any_more_loses"),
    ("names in a list", "list", "a_list_of_names_becomes_accounts_that_set_their_passwords"),
    ("messages that are kept", "account", "old_messages_go"),
];

/// All code below a folder.
fn code(folder: &Path) -> String {
    let mut text = String::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            text += &code(&path);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text += &fs::read_to_string(&path).unwrap();
        }
    }
    text
}

#[test]
fn every_limit_has_its_test() {
    let site = TestSite::new();
    let rows = limits::table(&site.site.options);
    let rows: Vec<(&str, &str)> = rows.iter().map(|row| (row.what.as_str(), row.whose.as_str())).collect();
    let tested: Vec<(&str, &str)> = TESTS.iter().map(|(what, whose, _)| (*what, *whose)).collect();
    assert_eq!(tested, rows, "each row of the table, in its order");
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let code: String = ["src", "../boards/src", "../queue/src", "../site/src", "../arena/src", "../analysis/src"]
        .iter()
        .map(|folder| code(&root.join(folder)))
        .collect();
    for (what, _, name) in TESTS {
        assert!(code.contains(&format!("fn {name}(")), "{what}: no test is named `{name}`");
    }
}

/// Sends a form or JSON from an address.
async fn post(site: &TestSite, address: &str, path: &str, who: &Who, body: impl Into<Body>) -> Response<Body> {
    let json = path.starts_with("/api/") || path.starts_with("/board/read");
    let kind = if json { "application/json" } else { "application/x-www-form-urlencoded" };
    let request = from(address, "POST", path, who).header("content-type", kind);
    site.send(request.body(body.into()).unwrap()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_have_sizes() {
    let site = site();
    let (ada, _) = site.member("ada", false);
    let token = site.token(ada);
    let form = |bytes: usize| format!("name={}", "a".repeat(bytes - 5));
    let json = |bytes: usize| format!("{{\"game\":\"{}\"}}", "a".repeat(bytes - 11));
    for (path, who, within, beyond) in [
        ("/board/invite", &Who::Guest, form(MAX_SMALL_BYTES), form(MAX_SMALL_BYTES + 1)),
        ("/api/v1/position", &Who::Guest, json(MAX_SMALL_BYTES), json(MAX_SMALL_BYTES + 1)),
        ("/signin", &Who::Guest, form(MAX_LARGE_BYTES), form(MAX_LARGE_BYTES + 1)),
        ("/signin/code", &Who::Guest, form(MAX_LARGE_BYTES), form(MAX_LARGE_BYTES + 1)),
        ("/api/v1/submissions", &token, json(MAX_LARGE_BYTES), json(MAX_LARGE_BYTES + 1)),
    ] {
        let within = post(&site, GREEDY, path, who, within).await.status();
        assert_ne!(within, StatusCode::PAYLOAD_TOO_LARGE, "{path}");
        let beyond = post(&site, GREEDY, path, who, beyond).await.status();
        assert_eq!(beyond, StatusCode::PAYLOAD_TOO_LARGE, "{path}");
        served(&site).await;
    }
    let source = "1".repeat(MAX_SOURCE_BYTES + 1);
    let body = serde_json::json!({ "game": "renju", "name": "x", "language": "PYTHON3", "source": source });
    let large = post(&site, GREEDY, "/api/v1/submissions", &token, body.to_string()).await;
    assert_eq!(large.status(), StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn games_have_few_lines() {
    let site = site();
    let ask = async |lines: usize| {
        let text = format!("(;B[hh]{})", "(;W[ii])".repeat(lines));
        let json = serde_json::json!({ "text": text, "game": "renju" }).to_string();
        post(&site, GREEDY, "/board/read", &Who::Guest, json).await.status()
    };
    assert_eq!(ask(formats::MAX_LINES).await, StatusCode::OK);
    assert_eq!(ask(formats::MAX_LINES + 1).await, StatusCode::BAD_REQUEST);
    served(&site).await;
}

/// A site that listens, and where.
async fn listening(site: &TestSite, crowd: Crowd) -> (std::net::SocketAddr, JoinHandle<()>) {
    let listener = listen::bind(([127, 0, 0, 1], 0).into()).await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving =
        tokio::spawn(listen::serve(site.site.queue.signals.stopping.subscribe(), listener, router(&site.site), crowd));
    (address, serving)
}

/// Everything received until the other end closes.
async fn rest(mut stream: TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    String::from_utf8_lossy(&bytes).into_owned()
}

#[tokio::test(start_paused = true)]
async fn heads_have_a_size_and_a_time() {
    let site = TestSite::new();
    let (address, serving) = listening(&site, Crowd::default()).await;
    let mut long = TcpStream::connect(address).await.unwrap();
    // A single read may return slightly more.
    let more = "a".repeat(4 * MAX_HEAD_BYTES);
    let head = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\nx-long: {more}\r\n\r\n");
    let _ = long.write_all(head.as_bytes()).await;
    let answer = rest(long).await;
    // It may be closed before all was sent.
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 431 "), "{answer}");
    let mut slow = TcpStream::connect(address).await.unwrap();
    slow.write_all(format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\n").as_bytes()).await.unwrap();
    let begun = tokio::time::Instant::now();
    let answer = rest(slow).await;
    assert!(!answer.contains(" 200 ") && begun.elapsed() >= HEADERS_TIMEOUT, "{answer} {:?}", begun.elapsed());
    site.site.stop();
    serving.await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn silent_connections_leave_sooner_where_there_are_many() {
    let site = TestSite::new();
    let bound = Bound { each: 8, all: 8 };
    let (address, serving) = listening(&site, Crowd::new(bound, bound, SEND_TIMEOUT)).await;
    let begun = tokio::time::Instant::now();
    let mut few = Vec::new();
    for _ in 0..4 {
        few.push(TcpStream::connect(address).await.unwrap());
        // Taken up before the next one comes.
        tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    }
    let one_more = rest(TcpStream::connect(address).await.unwrap()).await;
    assert!(one_more.is_empty() && begun.elapsed() < HEADERS_TIMEOUT, "{one_more} {:?}", begun.elapsed());
    for stream in few {
        rest(stream).await;
    }
    assert!(begun.elapsed() >= HEADERS_TIMEOUT);
    site.site.stop();
    serving.await.unwrap();
}

#[tokio::test]
async fn an_answer_begins_in_time() {
    let site = Arc::new(site());
    let jobs = fill(&site, site.site.rooms.boards.texts.name, 0).await;
    let body = r#"{"text":"H8","game":"renju"}"#;
    let asking = {
        let site = Arc::clone(&site);
        tokio::spawn(async move { post(&site, GREEDY, "/board/read", &Who::Guest, body).await })
    };
    until("the request", async || site.site.rooms.boards.texts.waiting() == 1).await;
    served(&site).await;
    tokio::time::pause();
    tokio::time::advance(ANSWER_TIMEOUT + Duration::from_secs(1)).await;
    assert_eq!(asking.await.unwrap().status(), StatusCode::REQUEST_TIMEOUT);
    assert_eq!(site.site.rooms.boards.texts.waiting(), 0, "it waits no more");
    tokio::time::resume();
    for job in &jobs {
        job.abort();
    }
    until("their end", async || site.site.rooms.boards.texts.running() == 0).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_reads_nothing_is_let_go() {
    let site = TestSite::new();
    let (ada, _) = site.member("ada", false);
    let (program, _) = site.program(ada, "bot");
    let game = site.rated([program, site.builtin("random")], &lost(Verdict::Ok, large_record()));
    let crowd = Crowd::new(CONNECTIONS, CONNECTIONS, Duration::from_secs(1));
    let (address, serving) = listening(&site, crowd).await;
    let mut idle = TcpStream::connect(address).await.unwrap();
    let head = format!("GET /game/{game}/record HTTP/1.1\r\nhost: {address}\r\n\r\n");
    idle.write_all(head.as_bytes()).await.unwrap();
    until("a large answer", async || site.site.traffic.answers.count() > 0).await;
    served(&site).await;
    until("its end", async || site.site.traffic.answers.count() == 0).await;
    drop(idle);
    site.site.stop();
    serving.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_beyond_all_wait() {
    let site = TestSite::new();
    let bound = Bound { each: 9, all: 3 };
    let (address, serving) = listening(&site, Crowd::new(bound, bound, SEND_TIMEOUT)).await;
    let ask = async |stream: &mut TcpStream| {
        let head = format!("GET /healthz HTTP/1.1\r\nhost: {address}\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
    };
    let answered = async |stream: &mut TcpStream| {
        let mut answer = Vec::new();
        while !answer.ends_with(b"\r\n\r\nok\n") {
            let read = tokio::time::timeout(TEST_TIMEOUT, stream.read_buf(&mut answer)).await.expect("an answer");
            assert!(read.unwrap() > 0, "{}", String::from_utf8_lossy(&answer));
        }
        assert!(answer.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&answer));
    };
    let mut open = Vec::new();
    for _ in 0..bound.all {
        let mut stream = TcpStream::connect(address).await.unwrap();
        ask(&mut stream).await;
        answered(&mut stream).await;
        open.push(stream);
    }
    let mut waiting = TcpStream::connect(address).await.unwrap();
    ask(&mut waiting).await;
    // The others are answered meanwhile.
    for stream in &mut open {
        ask(stream).await;
        answered(stream).await;
    }
    let early = waiting.try_read(&mut [0]).map_err(|error| error.kind());
    assert_eq!(early, Err(io::ErrorKind::WouldBlock), "it waits in the queue of the system");
    open.pop();
    // There is room for it now.
    answered(&mut waiting).await;
    drop(waiting);
    drop(open);
    site.site.stop();
    serving.await.unwrap();
}

/// Takes all that the site has of something, in the name of others.
fn all_of(places: &Places, bound: Bound) -> Vec<Place> {
    let actor = |number: usize| LimitedActor::Account(1_000_000 + number as i64);
    let whole = (0..bound.all / bound.each).map(|number| places.take(actor(number), bound.each).unwrap());
    let mut taken: Vec<Place> = whole.collect();
    taken.extend(places.take(actor(bound.all), bound.all % bound.each));
    taken
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_all_together_have_is_bounded() {
    let site = site();
    let (ada, _) = site.member("ada", false);
    let (program, _) = site.program(ada, "bot");
    let game = site.rated([program, site.builtin("random")], &lost(Verdict::Ok, large_record()));
    let names = ["a".to_owned(), "b".to_owned()];
    let _show = site.site.queue.live.begin(9, agon_catalog::Game::RENJU, names, Vec::new());
    // The visitor has nothing yet, but there is no more for anyone.
    let taken = all_of(&site.site.traffic.answers, ANSWER_BYTES);
    let record = format!("/game/{game}/record");
    refused(&get(&site, GREEDY, &record, &Who::Guest).await, StatusCode::SERVICE_UNAVAILABLE);
    served(&site).await;
    drop(taken);
    assert_eq!(get(&site, GREEDY, &record, &Who::Guest).await.status(), StatusCode::OK);
    let taken = all_of(&site.site.traffic.bodies, BODY_BYTES);
    let form = "name=ada&password=x";
    refused(&post(&site, GREEDY, "/signin", &Who::Guest, form).await, StatusCode::SERVICE_UNAVAILABLE);
    served(&site).await;
    drop(taken);
    assert_eq!(post(&site, GREEDY, "/signin", &Who::Guest, form).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let taken = all_of(&site.site.traffic.streams, STREAMS);
    refused(&get(&site, GREEDY, "/game/9/events", &Who::Guest).await, StatusCode::SERVICE_UNAVAILABLE);
    served(&site).await;
    drop(taken);
    let network = LimitedActor::network_of(GREEDY.parse().unwrap());
    let taken = site.site.traffic.network_streams.take(network, NETWORK_STREAMS.each).unwrap();
    refused(&get(&site, "192.0.2.200", "/game/9/events", &Who::Guest).await, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(get(&site, OTHER, "/game/9/events", &Who::Guest).await.status(), StatusCode::OK, "not another network");
    served(&site).await;
    drop(taken);
    assert_eq!(get(&site, GREEDY, "/game/9/events", &Who::Guest).await.status(), StatusCode::OK);
}

/// Fills the room of a name with jobs that last until they are aborted: all its threads, and `waiting` places to wait.
async fn fill(site: &Arc<TestSite>, name: &'static str, waiting: usize) -> Vec<JoinHandle<()>> {
    let room = site.site.rooms.all().into_iter().find(|room| room.name == name).unwrap();
    let job = || {
        let rooms = Arc::clone(&site.site.rooms);
        let slow = |effort: &Effort| {
            while !effort.is_over() {
                std::thread::sleep(Duration::from_millis(1));
            }
        };
        tokio::spawn(async move {
            let room = rooms.all().into_iter().find(|room| room.name == name).unwrap();
            room.run(slow).await.unwrap_or_default();
        })
    };
    let threads: Vec<_> = (0..room.threads).map(|_| job()).collect();
    until("the threads", async || room.running() == room.threads).await;
    let jobs = threads.into_iter().chain((0..waiting).map(|_| job())).collect();
    until("the jobs", async || room.waiting() == waiting).await;
    jobs
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rooms_that_are_full() {
    let site = Arc::new(site());
    let (ada, _) = site.member("ada", false);
    let (program, _) = site.program(ada, "bot");
    let game = site.rated([program, site.builtin("random")], &lost(Verdict::Ok, super::pages::failed_record()));
    let record = format!("/game/{game}/record");
    let requests: [(&str, &str); 8] = [
        ("/queue", ""),
        ("/board/invite", "game=renju"),
        ("/signin", "name=ada&password=none"),
        ("/board/read", r#"{"text":"H8","game":"renju"}"#),
        ("/api/v1/position", r#"{"game":"renju"}"#),
        (&record, ""),
        ("/board/petri", "seed=1"),
        // At most four exports are sent, so none of their parts waits so long; see the test of exports.
        ("", ""),
    ];
    for (room, (path, body)) in site.site.rooms.all().into_iter().zip(requests) {
        let jobs = fill(&site, room.name, room.max_waiting).await;
        let ask = async || match body {
            "" => get(&site, GREEDY, path, &Who::Guest).await,
            body => post(&site, GREEDY, path, &Who::Guest, body).await,
        };
        if path.is_empty() {
            assert_eq!(room.run(|_| ()).await, Err(RoomError::Full));
        } else {
            refused(&ask().await, StatusCode::SERVICE_UNAVAILABLE);
        }
        // Pages read the store; they go on while any other room is full.
        if room.name != site.site.rooms.reads.name {
            served(&site).await;
        }
        for job in &jobs {
            job.abort();
        }
        until("their end", async || room.running() == 0 && room.waiting() == 0).await;
        if !path.is_empty() {
            let status = ask().await.status();
            assert!(!status.is_server_error(), "{}: {status}", room.name);
        }
        served(&site).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn allowances_are_used_up() {
    let site = site();
    let (ada, member) = site.member("ada", false);
    let token = site.token(ada);
    let names = ["a".to_owned(), "b".to_owned()];
    let _show = site.site.queue.live.begin(9, agon_catalog::Game::RENJU, names, Vec::new());
    let (address, network) = (GREEDY.parse().unwrap(), LimitedActor::network_of(GREEDY.parse().unwrap()));
    let (at, account) = (LimitedActor::at(address), LimitedActor::Account(ada));
    let source = r#"{"game":"renju","name":"x","language":"PYTHON3","source":"1"}"#;
    let form = "name=eve&password=correct+horse";
    let all = [
        (LimitedAction::SignIn, at, "/signin", &Who::Guest, form),
        (LimitedAction::SignUp, at, "/signup", &Who::Guest, form),
        (LimitedAction::SignUpNetwork, network, "/signup", &Who::Guest, form),
        (LimitedAction::Submit, account, "/api/v1/submissions", &token, source),
        (LimitedAction::Change, at, "/signout", &Who::Guest, "a=b"),
        (LimitedAction::Api, account, "/api/v1/me", &token, ""),
        (LimitedAction::Api, at, "/api/v1/games", &Who::Guest, ""),
        (LimitedAction::Board, at, "/api/v1/position", &Who::Guest, r#"{"game":"renju"}"#),
        (LimitedAction::Watch, at, "/game/9/events", &Who::Guest, ""),
        (LimitedAction::Export, account, "/me/export", &member, ""),
        (LimitedAction::Invite, at, "/board/invite", &Who::Guest, "game=renju"),
        (LimitedAction::InviteNetwork, network, "/board/invite", &Who::Guest, "game=renju"),
    ];
    let mut met = BTreeSet::new();
    for (action, actor, path, who, body) in all {
        site.site.limits.forget();
        let ask = async |from: &str| match body {
            "" => get(&site, from, path, who).await,
            body => post(&site, from, path, who, body).await,
        };
        let mut taken = 0;
        // Some come back while a request is on its way.
        let answer = loop {
            while site.site.limits.take(action, actor).is_ok() {
                taken += 1;
            }
            let answer = ask(GREEDY).await;
            if answer.status() == StatusCode::TOO_MANY_REQUESTS {
                break answer;
            }
            assert!(taken < 10_000, "{path} is not refused");
        };
        assert!(f64::from(taken) >= action.allowance().0, "{path}: {taken}");
        refused(&answer, StatusCode::TOO_MANY_REQUESTS);
        let text = answer.into_body().collect().await.unwrap().to_bytes();
        let text = String::from_utf8_lossy(&text);
        assert!(text.contains(&action.to_string()), "{path}: {text}");
        served(&site).await;
        // An account is held up wherever it comes from; an address holds no other one up.
        let other = ask(OTHER).await.status();
        assert_eq!(other == StatusCode::TOO_MANY_REQUESTS, actor == account, "{path}: {other}");
        met.insert(format!("{action:?}"));
    }
    // The codes of an app have a test of their own.
    assert_eq!(met.len(), LimitedAction::ALL.len() - 1);
}

#[tokio::test]
async fn submissions_of_an_account() {
    let site = TestSite::with(|options| {
        options.behind_proxy = true;
        options.submissions.daily = 4;
        options.submissions.programs = 2;
        options.submissions.waiting = 3;
    });
    let (ada, _) = site.member("ada", false);
    let token = site.token(ada);
    let submit = async |name: &str, source: u32| {
        let body = format!(r#"{{"game":"renju","name":"{name}","language":"PYTHON3","source":"{source}"}}"#);
        let answer = post(&site, GREEDY, "/api/v1/submissions", &token, body).await;
        let status = answer.status();
        let text = answer.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8_lossy(&text).into_owned())
    };
    let checked = |count: usize| {
        for _ in 0..count {
            let mut store = site.site.writer();
            let version = store.take_submission().unwrap().unwrap().id;
            store.settle_submission(version, Ok(()), None, agon_site::clock::now()).unwrap();
        }
    };
    for (name, source) in [("one", 1), ("two", 2), ("one", 3)] {
        assert_eq!(submit(name, source).await.0, StatusCode::CREATED);
    }
    let (status, text) = submit("one", 4).await;
    assert!(status == StatusCode::CONFLICT && text.contains("still being checked"), "{text}");
    checked(3);
    let (status, text) = submit("three", 5).await;
    assert!(status == StatusCode::CONFLICT && text.contains("2 programs"), "{text}");
    assert_eq!(submit("two", 6).await.0, StatusCode::CREATED);
    checked(1);
    let (status, text) = submit("two", 7).await;
    assert!(status == StatusCode::CONFLICT && text.contains("daily limit reached"), "{text}");
    served(&site).await;
}

#[tokio::test]
async fn a_stalled_body_leaves_room_for_others() {
    let site = Arc::new(site());
    let (sender, receiver) = mpsc::channel::<Result<axum::body::Bytes, io::Error>>(1);
    let body = Body::from_stream(tokio_stream::wrappers::ReceiverStream::new(receiver));
    let asking = {
        let site = Arc::clone(&site);
        tokio::spawn(async move { post(&site, GREEDY, "/signin/code", &Who::Guest, body).await.status() })
    };
    sender.send(Ok(axum::body::Bytes::from_static(b"word="))).await.unwrap();
    until("the body", async || site.site.traffic.bodies.count() > 0).await;
    served(&site).await;
    drop(sender);
    assert_eq!(asking.await.unwrap(), StatusCode::UNPROCESSABLE_ENTITY);
}
