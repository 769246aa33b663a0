//! Programs' requests. Every answer here is compared with the document, see `contract`.

use agon_boards::text::typed_time;
use agon_catalog::Game;
use agon_referee::agent::Language;
use agon_referee::verdict::Verdict;
use agon_site::builtins;
use agon_site::clock::now;
use agon_site::store::{BoutKind, Submission, TokenScope, TokenScopes};
use axum::body::Body;
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::pages::failed_record;
use super::{PageAnswer, TestSite, Who, lost, request};
use crate::problem;

/// The JSON of an answer.
pub(super) fn read(answer: &PageAnswer) -> Value {
    serde_json::from_str(&answer.text).unwrap_or_else(|_| panic!("no JSON: {}", answer.text))
}

/// Holds an answer to be a problem of this kind, with these words in it, and of this field.
pub(super) fn is_problem(answer: &PageAnswer, kind: &problem::ProblemKind, expected: &str, field: Option<&str>) {
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (kind.status, "application/problem+json"),
        "{}",
        answer.text
    );
    let problem = read(answer);
    assert_eq!(problem["type"], format!("/api#{}", kind.slug), "{problem}");
    assert!(problem["detail"].as_str().unwrap().contains(expected), "`{expected}` is not in {problem}");
    assert_eq!(problem["field"].as_str(), field, "{problem}");
}

#[tokio::test]
async fn errors_are_problems() {
    let site = TestSite::new();
    let (id, _) = site.member("ada", false);
    let token = site.token(id);
    let submit = async |who: &Who, body: &str| site.json("/api/v1/submissions", who, body).await;
    let good = r#"{"game":"renju","name":"b","language":"PYTHON3","source":"print(1)"}"#;
    is_problem(&submit(&Who::Guest, good).await, problem::NOT_SIGNED_IN, "sign in", None);
    is_problem(&submit(&Who::Token("x".into()), good).await, problem::UNKNOWN_TOKEN, "unknown token", None);
    is_problem(&submit(&token, "{").await, problem::BAD_REQUEST, "JSON", None);
    is_problem(&submit(&token, "{}").await, problem::INVALID_FIELD, "missing field `contest`", None);
    let unknown = good.replace("source", "sauce");
    is_problem(&submit(&token, &unknown).await, problem::INVALID_FIELD, "unknown field `sauce`", None);
    let wrong = async |from: &str, to: &str, expected: &str, field: &str| {
        let answer = submit(&token, &good.replace(from, to)).await;
        is_problem(&answer, problem::INVALID_FIELD, expected, Some(field));
    };
    wrong("renju", "chess", "no such competition: `chess`; its name is the end of its address", "contest").await;
    wrong("renju", "Renju", "`Renju` is a game, not a competition; its permanent competition is `renju`", "contest")
        .await;
    wrong("print(1)", "", "source is empty", "source").await;
    wrong("print(1)", "x\\u0000", "NUL byte", "source").await;
    wrong("PYTHON3", "COBOL", "unknown language: `COBOL`", "language").await;
    wrong("\"b\"", "\"a\\u202eb\"", "name contains", "name").await;
    let large = good.replace("print(1)", &"x".repeat((1 << 20) + 1));
    is_problem(&submit(&token, &large).await, problem::TOO_LARGE, "1025 KiB", Some("source"));
    let larger = good.replace("print(1)", &"x".repeat(5 << 20));
    is_problem(&submit(&token, &larger).await, problem::TOO_LARGE, "", None);
    let plain = request("POST", "/api/v1/submissions", &token).header("content-type", "text/plain");
    is_problem(
        &site.answer(plain.body(Body::from(good)).unwrap()).await,
        problem::WRONG_MEDIA_TYPE,
        "Content-Type",
        None,
    );
    let raw = request("POST", "/api/v1/submissions", &token).header("content-type", "application/json");
    is_problem(
        &site.answer(raw.body(Body::from(&b"{\"game\":\"\xff\"}"[..])).unwrap()).await,
        problem::BAD_REQUEST,
        "JSON",
        None,
    );
    for path in [
        "/api/v1/nothing",
        "/api/v2/ladder/renju",
        "/api/v1/",
        "/api/v1/programs/x",
        "/api/v1/programs/99999999999999999999",
    ] {
        is_problem(&site.get(path, &Who::Guest).await, problem::NOT_FOUND, "nothing here", None);
    }
    let answer = site.ask("DELETE", "/api/v1/games/1", &token, "").await;
    is_problem(&answer, problem::WRONG_METHOD, "", None);
    assert_eq!(answer.header("allow"), "GET,HEAD");
    is_problem(&site.get("/api/v1/ladder/renju?from=-1", &Who::Guest).await, problem::BAD_REQUEST, "from", None);
    is_problem(&site.get("/api/v1/games?kind=odd", &Who::Guest).await, problem::BAD_REQUEST, "odd", None);
    is_problem(
        &site.get("/api/v1/games?contest=chess", &Who::Guest).await,
        problem::INVALID_FIELD,
        "chess",
        Some("contest"),
    );
    // Another site's page makes the browser send the cookie, and is refused in the same words.
    let (_, cookie) = site.member("eve", false);
    let Who::Cookie(cookie) = cookie else { unreachable!() };
    let forged = axum::http::Request::builder().method("POST").uri("/api/v1/submissions").header("cookie", cookie);
    let forged = forged.header("host", "127.0.0.1:8080").header("origin", "http://evil.example").body(Body::from(good));
    is_problem(&site.answer(forged.unwrap()).await, problem::NOT_ALLOWED, "does not come from a page", None);
}

#[tokio::test]
async fn pages_have_pages_for_errors() {
    let site = TestSite::new();
    let check = async |path: &str, status: u16, expected: &str| {
        let answer = site.get(path, &Who::Guest).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-type")),
            (status, "text/html; charset=utf-8"),
            "{path}"
        );
        assert!(answer.text.contains(expected) && answer.text.contains("<nav"), "{path}: {}", answer.text);
    };
    check("/game/x", 404, "There is nothing here").await;
    check("/program/99999999999999999999", 404, "There is nothing here").await;
    check("/ladder/renju?from=-1", 400, "has something in it that cannot be read").await;
    check("/assets/0/none.js", 404, "Not found").await;
    let answer = site.post("/queue", &Who::Guest, &[]).await;
    assert_eq!((answer.status, answer.header("allow")), (StatusCode::METHOD_NOT_ALLOWED, "GET,HEAD"));
    assert!(answer.text.contains("Wrong method"), "{}", answer.text);
}

#[tokio::test]
async fn too_many_requests_are_asked_to_come_back_later() {
    let site = TestSite::new();
    let mut answer = site.get("/api/v1/queue", &Who::Guest).await;
    // The bucket refills while a slow machine asks.
    for _ in 0..2000 {
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            break;
        }
        answer = site.get("/api/v1/queue", &Who::Guest).await;
    }
    is_problem(&answer, problem::TOO_MANY_REQUESTS, "too many requests", None);
    assert_eq!(answer.header("retry-after"), "1");
}

/// A rated game of a program against the weakest built-in player, which it lost on time.
fn lost_game(site: &TestSite, program: i64) -> i64 {
    let opponent = site.builtin(builtins::weakest(Game::RENJU));
    site.rated([program, opponent], &lost(Verdict::Tle, failed_record()))
}

#[tokio::test]
async fn a_participant_needs_no_browser() {
    let site = TestSite::new();
    let (ada, _) = site.member("ada", false);
    let token = site.token(ada);
    let sent = r#"{"game":"renju","name":"bot","file":"bot.py","source":"print(1)"}"#;
    let taken = site.json("/api/v1/submissions", &token, sent).await;
    assert_eq!(taken.status, StatusCode::CREATED);
    let version = read(&taken)["version"].as_i64().unwrap();
    let path = format!("/api/v1/versions/{version}");
    let submitted = read(&site.get(&path, &token).await);
    assert_eq!(
        (&submitted["state"], &submitted["number"], &submitted["words"]),
        (&json!("queued"), &json!(1), &json!("is next in the queue"))
    );
    assert_eq!(site.get(&format!("{path}/source"), &token).await.text, "print(1)");
    {
        let mut store = site.site.writer();
        store.take_submission().unwrap();
        store.settle_submission(version, Ok(()), None, now()).unwrap();
    }
    let program = submitted["program"].as_i64().unwrap();
    let again = site.json("/api/v1/submissions", &token, sent).await;
    is_problem(&again, problem::CONFLICT, "identical to version 1", None);
    let game = lost_game(&site, program);
    let me = read(&site.get("/api/v1/me", &token).await);
    assert_eq!((&me["account"]["name"], &me["programs"][0]["id"]), (&json!("ada"), &json!(program)));
    assert_eq!(me["notices"], json!([{ "program": program, "name": "bot", "verdict": "TLE", "games": 1 }]));
    let shown = read(&site.get(&format!("/api/v1/programs/{program}"), &Who::Guest).await);
    assert_eq!((&shown["losses"], &shown["last_games"][0]["id"]), (&json!(1), &json!(game)));
    assert_eq!(shown["place"], 1, "among the programs of users: {shown}");
    assert!(shown["ratings"].as_array().unwrap().len() == 1 && shown["ratings"][0] == shown["rating"], "{shown}");
    let opponents = read(&site.get(&format!("/api/v1/programs/{program}/opponents"), &Who::Guest).await);
    let opponent = opponents["opponents"][0]["program"].as_i64().unwrap();
    let versus = format!("/api/v1/programs/{program}/versus/{opponent}");
    let met = read(&site.get(&versus, &Who::Guest).await);
    assert_eq!((&met["rated"]["losses"], &met["games"][0]["winner"]), (&json!(1), &json!("second")));
    let asked = site.json(&format!("{versus}/games"), &token, r#"{"games":10}"#).await;
    assert_eq!(asked.status, StatusCode::ACCEPTED);
    is_problem(
        &site.json(&format!("{versus}/games"), &token, r#"{"games":1}"#).await,
        problem::CONFLICT,
        "at most 10",
        None,
    );
    let many = site.json(&format!("{versus}/games"), &token, r#"{"games":11}"#).await;
    is_problem(&many, problem::INVALID_FIELD, "1 to 10", Some("games"));
    let active = site.ask("PUT", &format!("/api/v1/programs/{program}/active"), &token, r#"{"number":1}"#).await;
    assert_eq!(read(&active)["version"], 1);
    let failed = site.ask("PUT", &format!("/api/v1/programs/{program}/active"), &token, r#"{"number":9}"#).await;
    is_problem(&failed, problem::INVALID_FIELD, "no version with this number", Some("number"));
    // Its author's token reads the error stream, one without that scope does not.
    let record = format!("/api/v1/games/{game}/record");
    assert!(site.get(&record, &token).await.text.contains("my secret plan"));
    let weak = site.token_for(ada, TokenScopes::new([TokenScope::Submit]));
    assert!(!site.get(&record, &weak).await.text.contains("my secret plan"));
    is_problem(&site.get("/api/v1/me", &weak).await, problem::MISSING_SCOPE, "`read`", None);
    let strong = site.token_for(ada, TokenScopes::new([TokenScope::Read]));
    is_problem(&site.json("/api/v1/submissions", &strong, sent).await, problem::MISSING_SCOPE, "`submit`", None);
}

#[tokio::test]
async fn lists_are_paged() {
    let site = TestSite::new();
    let (ada, _) = site.member("ada", false);
    let (program, _) = site.program(ada, "bot");
    let games: Vec<i64> = (0..3).map(|_| lost_game(&site, program)).collect();
    let ids = |answer: &Value| -> Vec<i64> {
        answer["games"].as_array().unwrap().iter().map(|game| game["id"].as_i64().unwrap()).collect()
    };
    let first = read(&site.get("/api/v1/games?contest=renju&limit=2", &Who::Guest).await);
    assert_eq!((ids(&first), &first["next_before"]), (vec![games[2], games[1]], &json!(games[1])));
    let next = read(&site.get(&format!("/api/v1/games?contest=renju&limit=2&before={}", games[1]), &Who::Guest).await);
    assert_eq!((ids(&next), &next["next_before"]), (vec![games[0]], &Value::Null));
    for (query, count) in [
        (format!("program={program}"), 3),
        (format!("program={program}&opponent={program}"), 3),
        (format!("program={program}&opponent=99999"), 0),
        ("contest=petri".to_owned(), 0),
        ("kind=ladder".to_owned(), 3),
        ("kind=final".to_owned(), 0),
        ("running=true".to_owned(), 0),
    ] {
        let answer = site.get(&format!("/api/v1/games?{query}"), &Who::Guest).await;
        assert_eq!(ids(&read(&answer)).len(), count, "{query}");
    }
    let all = read(&site.get("/api/v1/ladder/renju", &Who::Guest).await);
    let size = all["size"].as_u64().unwrap();
    assert_eq!(all["programs"].as_array().unwrap().len() as u64, size);
    let rest = read(&site.get("/api/v1/ladder/renju?from=1&limit=2", &Who::Guest).await);
    assert_eq!((&rest["programs"][0], &rest["programs"][1]), (&all["programs"][1], &all["programs"][2]));
    assert_eq!((rest["programs"].as_array().unwrap().len(), &rest["size"]), (2, &all["size"]));
    let found = read(&site.get("/api/v1/search?q=AD", &Who::Guest).await);
    assert_eq!(found["programs"][0]["owner"], "ada");
}

#[tokio::test]
async fn a_host_takes_people_out_of_a_competition() {
    let site = TestSite::new();
    let ((host, _), (zoe, _), (other, _)) =
        (site.member("host", true), site.member("zoe", false), site.member("other", false));
    site.program(zoe, "bot");
    let token = site.token_for(host, TokenScopes::new([TokenScope::Host]));
    let people = "/api/v1/host/contests/renju/people";
    for on in [true, false] {
        let body = json!({ "on": on }).to_string();
        let answer = site.ask("PUT", &format!("{people}/{zoe}/removed"), &token, &body).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{}", answer.text);
        let listed = read(&site.get(people, &token).await);
        assert_eq!(listed["people"][0]["removed"], on, "{listed}");
    }
    let outsider = site.ask("PUT", &format!("{people}/{other}/removed"), &token, r#"{"on":true}"#).await;
    is_problem(&outsider, problem::NOT_FOUND, "", None);
}

#[tokio::test]
async fn a_final_may_begin_later() {
    let site = TestSite::new();
    let token = site.token_for(site.member("host", true).0, TokenScopes::new([TokenScope::Host]));
    let post = async |begins: &str| {
        let body =
            json!({ "title": "Friday", "game": "renju", "kind": "swiss", "games": 2, "rounds": 3, "begins": begins });
        site.json("/api/v1/finals", &token, &body.to_string()).await
    };
    is_problem(&post("2000-01-01T00:00:00Z").await, problem::INVALID_FIELD, "to come", Some("begins"));
    let (begins, at) = (typed_time(now() + 7200), now() + 7200);
    let scheduled = post(&begins).await;
    assert_eq!(scheduled.status, StatusCode::ACCEPTED);
    let listed = read(&site.get("/api/v1/finals", &Who::Guest).await);
    assert_eq!((&listed["scheduled"], &listed["finals"]), (&json!([read(&scheduled)]), &json!([])));
    let one = &listed["scheduled"][0];
    assert_eq!((&one["id"], &one["title"], &one["contest"]), (&json!(1), &json!("Friday"), &json!("renju")));
    // Typed to the minute.
    assert!((0..60).contains(&(at - one["begins"].as_i64().unwrap())), "{one}");
}

#[tokio::test]
async fn a_host_needs_no_browser() {
    let site = TestSite::new();
    let ((host, _), (ada, cookie)) = (site.member("host", true), site.member("ada", false));
    let (program, _) = site.program(ada, "bot");
    let token = site.token_for(host, TokenScopes::new([TokenScope::Host]));
    let of_ada = site.token(ada);
    let made = site.json("/api/v1/announcements", &token, r#"{"text":" Hello "}"#).await;
    assert_eq!((made.status, &read(&made)["text"]), (StatusCode::CREATED, &json!("Hello")));
    let listed = read(&site.get("/api/v1/announcements", &Who::Guest).await);
    assert_eq!(listed["announcements"][0], read(&made));
    let long = json!({ "text": "x".repeat(301) }).to_string();
    is_problem(&site.json("/api/v1/announcements", &token, &long).await, problem::INVALID_FIELD, "300", Some("text"));
    assert_eq!(site.ask("PUT", "/api/v1/host/sign-up", &token, r#"{"on":false}"#).await.status, StatusCode::NO_CONTENT);
    assert_eq!(read(&site.get("/api/v1/site", &Who::Guest).await)["open"], false);
    let link = read(&site.json("/api/v1/host/invitations", &token, r#"{"note":"class"}"#).await)["link"].clone();
    let path = link.as_str().unwrap().strip_prefix("http://127.0.0.1:8080").unwrap().to_owned();
    assert_eq!(site.get(&path, &Who::Guest).await.status, StatusCode::OK);
    let invitations = read(&site.get("/api/v1/host/invitations", &token).await);
    let id = &invitations["invitations"][0]["id"];
    site.ask("DELETE", &format!("/api/v1/host/invitations/{id}"), &token, "").await;
    assert_eq!(site.get(&path, &Who::Guest).await.status, StatusCode::NOT_FOUND);
    let into = read(&site.json("/api/v1/host/contests/renju/invitations", &token, r#"{"note":"class"}"#).await);
    let listed = read(&site.get("/api/v1/host/invitations", &token).await);
    assert_eq!(listed["invitations"][0]["contest"], "renju");
    let entered = site.json("/api/v1/me/contests", &of_ada, &json!({ "invitation": into["link"] }).to_string()).await;
    assert_eq!(read(&entered)["slug"], "renju");
    assert_eq!(read(&site.get("/api/v1/host/contests/renju", &token).await)["entrants"], 1);
    // The participants with their groups; the ladder of that group.
    let renju = site.site.competition_at("renju").unwrap().id;
    let (zoe, _) = site.member("zoe", false);
    site.program(zoe, "other");
    site.site.writer().set_groups(renju, &[(ada, "A".to_owned())]).unwrap();
    let people = read(&site.get("/api/v1/host/contests/renju/people", &token).await);
    let people = people["people"].as_array().unwrap();
    let named: Vec<_> = people.iter().map(|one| (&one["name"], &one["group"], &one["programs"])).collect();
    assert_eq!(named, [(&json!("ada"), &json!("A"), &json!(1)), (&json!("zoe"), &Value::Null, &json!(1))]);
    let group = read(&site.get("/api/v1/ladder/renju?group=A", &Who::Guest).await);
    let names: Vec<_> = group["programs"].as_array().unwrap().iter().map(|one| one["name"].clone()).collect();
    assert_eq!((names, &group["groups"]), (vec![json!("bot")], &json!(["A"])));
    let rest = read(&site.get("/api/v1/ladder/renju?group=A&from=1", &Who::Guest).await);
    assert_eq!(rest["programs"], json!([]));
    let again = site.json("/api/v1/me/contests", &site.token(host), r#"{"invitation":"none"}"#).await;
    is_problem(&again, problem::NOT_FOUND, "", None);
    let state = read(&site.get("/api/v1/host/state", &token).await);
    assert_eq!((&state["accounts"], &state["programs"], &state["read_only"]), (&json!(3), &json!(2), &json!(false)));
    let read_only = async |on: bool| {
        let body = json!({ "on": on }).to_string();
        site.ask("PUT", "/api/v1/host/read-only", &token, &body).await.status
    };
    assert_eq!(read_only(true).await, StatusCode::NO_CONTENT);
    is_problem(
        &site.json("/api/v1/announcements", &token, r#"{"text":"x"}"#).await,
        problem::UNAVAILABLE,
        "under maintenance",
        None,
    );
    assert_eq!(read(&site.get("/api/v1/host/state", &token).await)["read_only"], true);
    assert_eq!(read_only(false).await, StatusCode::NO_CONTENT, "that alone can be changed");
    let barred = site.ask("PUT", &format!("/api/v1/host/programs/{program}/barred"), &token, r#"{"on":true}"#).await;
    assert_eq!(read(&barred)["barred"], true);
    let accounts = read(&site.get("/api/v1/host/accounts?limit=1", &token).await);
    assert_eq!((&accounts["size"], &accounts["accounts"][0]["name"]), (&json!(3), &json!("zoe")));
    let one = format!("/api/v1/host/accounts/{ada}");
    let frozen = site.ask("PUT", &format!("{one}/frozen"), &token, r#"{"on":true}"#).await;
    assert_eq!(read(&frozen)["account"]["frozen"], true);
    assert_eq!(site.get("/me", &cookie).await.status, StatusCode::SEE_OTHER, "her session has ended");
    is_problem(&site.get("/api/v1/me", &of_ada).await, problem::UNKNOWN_TOKEN, "", None);
    is_problem(
        &site.ask("DELETE", &format!("{one}?name=eve"), &token, "").await,
        problem::INVALID_FIELD,
        "names don't match",
        Some("name"),
    );
    assert_eq!(site.ask("DELETE", &format!("{one}?name=ada"), &token, "").await.status, StatusCode::NO_CONTENT);
    is_problem(&site.get(&one, &token).await, problem::NOT_FOUND, "", None);
    let own = site.ask("DELETE", &format!("/api/v1/host/accounts/{host}?name=host"), &token, "").await;
    is_problem(&own, problem::NOT_ALLOWED, "own account", None);
    let body = r#"{"title":"Friday","game":"renju","kind":"swiss","games":2,"rounds":3}"#;
    is_problem(
        &site.json("/api/v1/finals", &token, body).await,
        problem::INVALID_FIELD,
        "at least two",
        Some("contest"),
    );
    for name in ["eve", "bob"] {
        let (id, _) = site.member(name, false);
        site.program(id, "bot");
    }
    let odd = body.replace("swiss", "odd");
    is_problem(&site.json("/api/v1/finals", &token, &odd).await, problem::INVALID_FIELD, "`odd`", Some("kind"));
    let begun = read(&site.json("/api/v1/finals", &token, body).await);
    assert_eq!((&begun["of"], &begun["rounds"], &begun["standings"][1]["place"]), (&json!(6), &json!(3), &Value::Null));
    let path = format!("/api/v1/finals/{}", begun["id"]);
    assert_eq!(read(&site.json(&format!("{path}/stop"), &token, "").await)["state"], "stopped");
    assert_eq!(read(&site.get("/api/v1/finals", &Who::Guest).await)["finals"][0]["title"], "Friday");
    // The scope alone makes no host.
    let false_host = site.token_for(site.member("mal", false).0, TokenScopes::new([TokenScope::Host]));
    is_problem(&site.get("/api/v1/host/accounts", &false_host).await, problem::NOT_ALLOWED, "only the host", None);
    let participant = site.token(host);
    is_problem(&site.get("/api/v1/host/accounts", &participant).await, problem::MISSING_SCOPE, "`host`", None);
}

#[tokio::test]
async fn tokens_are_made_and_revoked_by_a_browser() {
    let site = TestSite::new();
    let (_, ada) = site.member("ada", false);
    let made = read(&site.json("/api/v1/me/tokens", &ada, r#"{"name":"laptop"}"#).await);
    let token = Who::Token(made["token"].as_str().unwrap().to_owned());
    assert_eq!(read(&site.get("/api/v1/me", &token).await)["scopes"], json!(["read", "submit"]));
    is_problem(&site.get("/api/v1/me/tokens", &token).await, problem::NOT_ALLOWED, "only in a browser", None);
    let listed = read(&site.get("/api/v1/me/tokens", &ada).await);
    assert_eq!((&listed["tokens"][0]["name"], &listed["tokens"][0]["id"]), (&json!("laptop"), &made["id"]));
    let none = site.json("/api/v1/me/tokens", &ada, r#"{"name":"x","scopes":[]}"#).await;
    is_problem(&none, problem::INVALID_FIELD, "at least one scope", Some("scopes"));
    let path = format!("/api/v1/me/tokens/{}", made["id"]);
    assert_eq!(site.ask("DELETE", &path, &ada, "").await.status, StatusCode::NO_CONTENT);
    is_problem(&site.ask("DELETE", &path, &ada, "").await, problem::NOT_FOUND, "", None);
}

#[tokio::test]
async fn the_document_and_its_page_are_served() {
    let site = TestSite::new();
    let served = site.get("/api/v1/openapi.json", &Who::Guest).await;
    assert_eq!(read(&served), super::contract::document());
    let page = site.get("/api", &Who::Guest).await.text;
    for (_, path) in super::contract::operations() {
        assert!(page.contains(&format!(" {path}</code>")), "{path}");
    }
    for kind in problem::ALL {
        assert!(page.contains(&format!("<dt id=\"{}\">", kind.slug)), "{}", kind.slug);
    }
    assert!(page.contains("submissions: 10 at once, then 6 a minute, by account"), "{page}");
    let rules = read(&site.get("/api/v1/rules/petri", &Who::Guest).await);
    assert!(rules["sample"].as_str().unwrap().contains("import"), "{rules}");
}

/// The files in an archive, by name.
fn unpack(bytes: &[u8]) -> std::collections::BTreeMap<String, String> {
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes));
    let files = archive.entries().unwrap().map(|entry| {
        let mut entry = entry.unwrap();
        let name = entry.path().unwrap().to_str().unwrap().to_owned();
        let mut text = String::new();
        std::io::Read::read_to_string(&mut entry, &mut text).unwrap();
        (name, text)
    });
    files.collect()
}

#[tokio::test]
async fn a_failure_can_be_taken_home() {
    let site = TestSite::new();
    let (ada, cookie) = site.member("ada", false);
    let token = site.token(ada);
    // A version that has not compiled has no game.
    let id = site.failed_version(ada, "my bot");
    let bundle = site.get(&format!("/version/{id}/failure.tar.gz"), &cookie).await;
    assert_eq!(bundle.header("content-disposition"), "attachment; filename=\"my-bot-v1.tar.gz\"");
    let files = unpack(&bundle.bytes);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, ["my-bot-v1/README.txt", "my-bot-v1/message.txt", "my-bot-v1/program.py"]);
    let command = "agon play renju --first PYTHON3:program.py --second random\n";
    let read_me = &files["my-bot-v1/README.txt"];
    assert!(read_me.contains("CE: it does not compile") && read_me.contains(command), "{read_me}");
    // One that has failed its game has all of it.
    let (bout, id) = {
        let mut store = site.site.writer();
        let competition = site.competition("renju");
        let submission =
            Submission { account: ada, competition, name: "my bot", language: Language::Python3, source: "#" };
        let id = store.submit(&submission, &site.site.options.submissions, now()).unwrap().unwrap();
        store.take_submission().unwrap();
        let program = store.version(id).unwrap().unwrap().program;
        drop(store);
        let bout = site.begun(BoutKind::Check, [program, site.builtin(builtins::weakest(Game::RENJU))]);
        assert!(site.site.writer().end_bout(bout, &lost(Verdict::Re, failed_record()), now()).unwrap());
        site.site.writer().settle_submission(id, Err("RE: it exits".into()), Some(bout), now()).unwrap();
        (bout, id)
    };
    let files = unpack(&site.get(&format!("/api/v1/versions/{id}/failure"), &token).await.bytes);
    assert!(files["my-bot-v2/stderr.txt"].contains("my secret plan"), "{files:?}");
    assert!(files["my-bot-v2/conversation.txt"].contains("> READY FIRST"), "{files:?}");
    assert_eq!(files["my-bot-v2/game.jsonl"], site.get(&format!("/api/v1/games/{bout}/record"), &token).await.text);
    let read_me = &files["my-bot-v2/README.txt"];
    let command = "agon play renju --first PYTHON3:program.py --second random --seed ";
    assert!(read_me.contains(command) && read_me.contains(" --clock 10000ms --memory "), "{read_me}");
    for command in ["agon ask game.jsonl PYTHON3:program.py\n", "agon check PYTHON3:program.py --game renju\n"] {
        assert!(read_me.contains(command), "{read_me}");
    }
    let page = site.get(&format!("/version/{id}"), &cookie).await.text;
    assert!(page.contains(&format!("href=\"/version/{id}/failure.tar.gz\"")), "{page}");
}
