//! Who may do what: every route, for everybody.

use axum::body::Body;
use axum::http::{Request, StatusCode};

use super::{TestSite, Who};

/// Routes by method and path, and what they answer nobody, another user, the owner, and the host. `{p}` is the owner's program, `{v}`
/// its version, `{o}` the owner's account, `{t}` a team of which the owner is the only member.
/// its version, `{o}` the owner's account.
const ROUTES: &[(&str, &str, [u16; 4])] = &[
    ("GET", "/", [200, 200, 200, 200]),
    ("GET", "/ladder/renju", [200, 200, 200, 200]),
    ("GET", "/ladder/chess", [404, 404, 404, 404]),
    ("GET", "/games", [200, 200, 200, 200]),
    ("GET", "/games?game=petri", [200, 200, 200, 200]),
    ("GET", "/game/1", [404, 404, 404, 404]),
    ("GET", "/game/1/record", [404, 404, 404, 404]),
    ("GET", "/program/{p}", [200, 200, 200, 200]),
    ("GET", "/program/99999", [404, 404, 404, 404]),
    ("GET", "/versus/{p}/1", [200, 200, 200, 200]),
    ("GET", "/search?q=a", [200, 200, 200, 200]),
    ("GET", "/finals", [200, 200, 200, 200]),
    ("GET", "/final/1", [404, 404, 404, 404]),
    ("GET", "/final/1/standings.csv", [404, 404, 404, 404]),
    ("POST", "/final/1/stop", [303, 404, 404, 303]),
    ("POST", "/host/finals", [303, 404, 404, 400]),
    ("GET", "/queue", [200, 200, 200, 200]),
    ("GET", "/rules", [200, 200, 200, 200]),
    ("GET", "/rules/petri", [200, 200, 200, 200]),
    ("GET", "/submit", [200, 200, 200, 200]),
    ("GET", "/signin", [200, 200, 200, 200]),
    ("GET", "/signup", [200, 200, 200, 200]),
    ("GET", "/api", [200, 200, 200, 200]),
    ("GET", "/healthz", [200, 200, 200, 200]),
    ("GET", "/metrics", [200, 200, 200, 200]),
    ("GET", "/nowhere", [404, 404, 404, 404]),
    ("GET", "/api/v1/ladder/renju", [200, 200, 200, 200]),
    ("GET", "/api/v1/programs/{p}", [200, 200, 200, 200]),
    ("GET", "/api/v1/games/1", [404, 404, 404, 404]),
    ("GET", "/game/1/evaluation", [404, 404, 404, 404]),
    ("POST", "/api/v1/position", [400, 400, 400, 400]),
    ("POST", "/api/v1/move", [400, 400, 400, 400]),
    ("GET", "/api/v1/analysis", [400, 400, 400, 400]),
    ("GET", "/me", [303, 200, 200, 200]),
    // What is another's does not exist. The host sees no sources.
    ("GET", "/version/{v}", [303, 404, 200, 404]),
    ("GET", "/version/{v}/events", [303, 404, 200, 404]),
    ("GET", "/api/v1/versions/{v}", [404, 404, 200, 404]),
    ("POST", "/versus/{p}/27/ask", [303, 403, 303, 403]),
    ("POST", "/program/{p}/activate", [303, 403, 303, 403]),
    ("POST", "/me/tokens/1/delete", [303, 303, 303, 303]),
    ("GET", "/teams", [303, 200, 200, 200]),
    ("POST", "/teams", [303, 303, 422, 422]),
    ("GET", "/team/{t}", [200, 200, 200, 200]),
    ("GET", "/team/{o}", [404, 404, 404, 404]),
    ("POST", "/team/{t}/members", [303, 403, 422, 403]),
    ("POST", "/team/{t}/members/{o}/remove", [303, 403, 403, 303]),
    ("POST", "/team/{t}/join", [303, 403, 403, 403]),
    ("POST", "/team/{t}/leave", [303, 403, 303, 403]),
    ("POST", "/team/{o}/leave", [303, 403, 403, 403]),
    ("POST", "/host/accounts/{t}/delete", [303, 404, 404, 400]),
    ("GET", "/host", [303, 404, 404, 200]),
    ("GET", "/host/accounts/{o}", [303, 404, 404, 200]),
    ("POST", "/host/open", [303, 404, 404, 303]),
    ("POST", "/host/read-only", [303, 404, 404, 303]),
    ("POST", "/host/invitations/1/delete", [303, 404, 404, 303]),
    ("POST", "/host/announcements/1/delete", [303, 404, 404, 303]),
    ("POST", "/host/programs/{p}/bar", [303, 404, 404, 303]),
    ("POST", "/host/accounts/{o}/freeze", [303, 404, 404, 303]),
    ("POST", "/host/accounts/{o}/delete", [303, 404, 404, 400]),
];

#[tokio::test]
async fn every_route_asks_who_it_is() {
    for &(method, path, wanted) in ROUTES {
        let site = TestSite::new();
        let ((_, user), (owner_id, owner), (_, host)) =
            (site.member("user", false), site.member("owner", false), site.member("host", true));
        let (program, version) = site.program(owner_id, "bot");
        let team = site.post("/teams", &owner, &[("name", "Stones")]).await;
        let team = team.header("location").strip_prefix("/team/").unwrap();
        let path = path.replace("{p}", &program.to_string()).replace("{v}", &version.to_string());
        let path = path.replace("{o}", &owner_id.to_string()).replace("{t}", team);
        for (who, wanted) in [Who::Nobody, user, owner, host].iter().zip(wanted) {
            let answer = match method {
                "GET" => site.get(&path, who).await,
                _ => {
                    let form = [
                        ("yes", "no"),
                        ("open", "yes"),
                        ("number", "1"),
                        ("name", "another"),
                        ("game", "renju"),
                        ("title", "Friday"),
                        ("kind", "swiss"),
                        ("games", "2"),
                        ("rounds", "3"),
                        ("seed", ""),
                    ];
                    site.post(&path, who, &form).await
                }
            };
            assert_eq!(answer.status.as_u16(), wanted, "{method} {path} by {who:?}: {}", answer.text);
            assert!(answer.header("content-security-policy").starts_with("default-src 'none'; script-src 'self';"));
            if wanted == 303 && method == "GET" {
                assert!(answer.header("location").starts_with("/signin?next=/"), "{}", answer.header("location"));
            }
        }
    }
}

#[tokio::test]
async fn nothing_is_changed_from_another_site() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let Who::Cookie(cookie) = &host else { unreachable!() };
    let paths = ["/signin", "/signup", "/signout", "/submit", "/host/open", "/me/password", "/api/v1/submissions"];
    for path in paths {
        for origin in [Some("http://evil.example"), Some("null"), None] {
            let mut request = Request::builder().method("POST").uri(path).header("host", "127.0.0.1:8080");
            request = request.header("cookie", cookie).header("content-type", "application/x-www-form-urlencoded");
            if let Some(origin) = origin {
                request = request.header("origin", origin);
            }
            let answer = site.send(request.body(Body::from("open=no&name=a&password=b")).unwrap()).await;
            assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path} {origin:?}");
        }
    }
    // A token that nobody has opens nothing.
    assert_eq!(site.post("/host/open", &Who::Token("x".into()), &[("open", "no")]).await.status, StatusCode::SEE_OTHER);
    assert_eq!(site.site.writer().setting("sign_up_open").unwrap(), None);
}

#[tokio::test]
async fn a_token_does_not_make_a_host() {
    let site = TestSite::new();
    let (id, _) = site.member("host", true);
    assert_eq!(site.get("/host", &site.token(id)).await.status, StatusCode::NOT_FOUND);
}
