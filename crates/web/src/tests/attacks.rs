//! Attackers' requests: each must end in a plain answer.

use agon_site::secret;
use axum::body::{Body, Bytes};
use axum::http::{Request, StatusCode};
use futures_util::stream;

use super::{TestSite, Who, request};

const PASSWORD: &str = "correct horse";

#[tokio::test]
async fn signing_in_leads_to_no_other_site() {
    let site = TestSite::new();
    site.site.writer().create_account("ada", &secret::hash(PASSWORD), false, 1).unwrap();
    // Browsers drop tabs and line ends from addresses, and take a backslash for a slash.
    for next in [
        "//evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "/\n/evil.example",
        "\t//evil.example",
        " //evil.example",
        "https://evil.example",
        "javascript:alert(1)",
        "evil.example",
        "/\u{0}/evil.example",
        "/x\r\nset-cookie: a=b",
    ] {
        let form = [("name", "ada"), ("password", PASSWORD), ("next", next)];
        let answer = site.post("/signin", &Who::Guest, &form).await;
        assert_eq!((answer.status, answer.header("location")), (StatusCode::SEE_OTHER, "/"), "{next:?}");
        assert!(answer.header("set-cookie").starts_with("agon_session="), "{next:?}");
        // This many would be too many for one name.
        site.site.limits.forget();
    }
}

#[tokio::test]
async fn no_line_of_a_request_becomes_a_header() {
    let site = TestSite::new();
    let (_, ada) = site.member("ada", false);
    let paths = [
        "/join/a%0d%0ax-evil:%201",
        "/me?a=%0d%0ax-evil:%201",
        "/ladder/a%0d%0ax-evil:%201",
        "/submit?game=%0d%0ax-evil:%201",
    ];
    for path in paths {
        for who in [&Who::Guest, &ada] {
            let answer = site.get(path, who).await;
            assert!(!answer.status.is_server_error(), "{path}");
            assert!(answer.headers.get("x-evil").is_none(), "{path}: {:?}", answer.headers);
            assert!(answer.headers.values().all(|value| !value.as_bytes().contains(&b'\n')), "{path}");
        }
    }
}

#[tokio::test]
async fn links_do_not_follow_the_host_header() {
    let site = TestSite::new();
    let (id, Who::Cookie(cookie)) = site.member("host", true) else { unreachable!() };
    let token = site.token(id);
    for path in ["/", "/me", "/host", "/ladder/renju", "/signin", "/api/v1/openapi.json"] {
        let request = Request::builder().uri(path).header("host", "evil.example").header("cookie", &cookie);
        let request = request.header("x-forwarded-host", "evil.example").header("x-forwarded-proto", "https");
        let answer = site.answer(request.body(Body::empty()).unwrap()).await;
        assert!(!answer.text.contains("evil.example") && !answer.header("location").contains("evil"), "{path}");
    }
    // A link that the host makes to be passed on leads to where the host's own browser reached the site.
    let request = Request::builder().method("POST").uri("/host/invitations").header("cookie", &cookie);
    let request = request.header("host", "10.1.2.3:8080").header("origin", "http://10.1.2.3:8080");
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let answer = site.answer(request.body(Body::from("note=class&uses=3")).unwrap()).await;
    assert!(answer.text.contains("http://10.1.2.3:8080/join/"), "{}", answer.text);
    let Who::Token(token) = token else { unreachable!() };
    let request = Request::builder().method("POST").uri("/api/v1/submissions").header("host", "evil.example");
    let request = request.header("authorization", format!("Bearer {token}")).header("content-type", "application/json");
    let sent = r#"{"contest":"renju","name":"b","language":"PYTHON3","source":"print(1)"}"#;
    let answer = site.answer(request.body(Body::from(sent)).unwrap()).await;
    assert!(answer.text.contains("http://127.0.0.1:8080/version/"), "{}", answer.text);
}

#[tokio::test]
async fn long_and_many_parameters_are_nothing_special() {
    let site = TestSite::new();
    let long = "a".repeat(60_000);
    let wild = "%25".repeat(15_000);
    let many = "x=1&".repeat(8_000);
    for path in [
        "/search",
        "/games",
        "/ladder/renju",
        "/submit",
        "/signin",
        "/api/v1/games",
        "/api/v1/search",
        "/api/v1/ladder/renju",
    ] {
        for query in [
            format!("q={long}"),
            format!("q={wild}"),
            format!("game={long}"),
            format!("next={long}"),
            many.clone(),
            "q=1&q=2".to_owned(),
        ] {
            let answer = site.get(&format!("{path}?{query}"), &Who::Guest).await;
            assert!(!answer.status.is_server_error(), "{path}?{}: {}", &query[..20.min(query.len())], answer.status);
        }
    }
    let (id, _) = site.member("ada", false);
    let deep = format!("{{\"contest\":{}", "[".repeat(12_000));
    let answer = site.json("/api/v1/submissions", &site.token(id), &deep).await;
    assert!(answer.status.is_client_error(), "{}", answer.text);
}

/// A body that begins and never ends.
fn endless() -> Body {
    let first = stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"name=ada&"))]);
    Body::from_stream(futures_util::StreamExt::chain(first, stream::pending()))
}

#[tokio::test(start_paused = true)]
async fn a_body_that_does_not_end_is_cut_off() {
    let site = TestSite::new();
    for (path, kind) in [
        ("/signin", "application/x-www-form-urlencoded"),
        ("/submit", "multipart/form-data; boundary=B"),
        ("/api/v1/position", "application/json"),
    ] {
        let request = request("POST", path, &Who::Guest).header("content-type", kind);
        let answer = site.answer(request.body(endless()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::REQUEST_TIMEOUT, "{path}: {}", answer.text);
    }
}
