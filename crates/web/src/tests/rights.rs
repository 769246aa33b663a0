//! Who may do what: every route, for every kind of user.

use std::collections::BTreeSet;

use agon_site::store::{TokenScope, TokenScopes};
use axum::body::Body;
use axum::http::{Request, StatusCode};

use super::contract::{operations, route_of};
use super::{TestSite, Who, request};
use crate::router::pages;

/// Pages by method and path, and their answers to a guest, another user, the owner, and the host. `{p}` is the owner's
/// program, `{v}` its version, `{f}` a failed one, `{o}` the owner's account, `{t}` a team with the owner as its only
/// member, `{s}` a game of two people in progress.
const PAGES: &[(&str, &str, [u16; 4])] = &[
    ("GET", "/", [200, 200, 200, 200]),
    ("GET", "/ladder/renju", [200, 200, 200, 200]),
    ("GET", "/ladder/chess", [404, 404, 404, 404]),
    ("GET", "/ladder/renju/league", [404, 404, 404, 404]),
    ("GET", "/games", [200, 200, 200, 200]),
    ("GET", "/games?game=petri", [200, 200, 200, 200]),
    ("GET", "/game/1", [404, 404, 404, 404]),
    ("GET", "/game/1/record", [404, 404, 404, 404]),
    ("GET", "/game/1/steps", [404, 404, 404, 404]),
    ("GET", "/game/1/events", [200, 200, 200, 200]),
    ("GET", "/game/1/embed", [404, 404, 404, 404]),
    ("GET", "/game/1/picture.png", [404, 404, 404, 404]),
    ("GET", "/game/1/card.png", [404, 404, 404, 404]),
    ("GET", "/watch", [307, 307, 307, 307]),
    ("GET", "/tv", [200, 200, 200, 200]),
    ("GET", "/tv/wall", [200, 200, 200, 200]),
    ("GET", "/tv?competition=chess", [404, 404, 404, 404]),
    // The stream itself continues forever.
    ("GET", "/changes?game=x", [400, 400, 400, 400]),
    ("GET", "/design", [200, 200, 200, 200]),
    ("GET", "/person/{o}", [200, 200, 200, 200]),
    ("GET", "/person/99999", [404, 404, 404, 404]),
    ("GET", "/following", [200, 200, 200, 200]),
    ("GET", "/program/{p}", [200, 200, 200, 200]),
    ("GET", "/program/99999", [404, 404, 404, 404]),
    ("GET", "/versus/{p}/1", [200, 200, 200, 200]),
    ("GET", "/search?q=a", [200, 200, 200, 200]),
    ("GET", "/finals", [200, 200, 200, 200]),
    ("GET", "/final/1", [404, 404, 404, 404]),
    ("GET", "/final/1/standings.csv", [404, 404, 404, 404]),
    ("GET", "/final/1/pairings.csv", [404, 404, 404, 404]),
    ("POST", "/final/1/stop", [303, 404, 404, 303]),
    ("GET", "/final/1/screen", [404, 404, 404, 404]),
    ("POST", "/final/1/out", [303, 404, 404, 404]),
    ("GET", "/host/contests", [308, 308, 308, 308]),
    ("GET", "/host/contests/new?game=renju", [308, 308, 308, 308]),
    ("GET", "/host/competitions", [303, 404, 404, 200]),
    ("POST", "/host/competitions", [303, 404, 404, 422]),
    ("GET", "/host/competitions/new?game=renju", [303, 404, 404, 200]),
    ("GET", "/host/competitions/3", [303, 404, 404, 200]),
    ("GET", "/host/competitions/3/settings", [303, 404, 404, 200]),
    ("GET", "/host/competitions/3/final", [303, 404, 404, 200]),
    ("POST", "/host/competitions/3", [303, 404, 404, 422]),
    ("POST", "/host/competitions/3/close", [303, 404, 404, 303]),
    ("POST", "/host/competitions/3/reopen", [303, 404, 404, 303]),
    ("POST", "/host/competitions/3/pause", [303, 404, 404, 303]),
    ("POST", "/host/competitions/3/league", [303, 404, 404, 303]),
    ("POST", "/host/competitions/3/delete", [303, 404, 404, 403]),
    ("POST", "/host/competitions/3/invitations", [303, 404, 404, 200]),
    ("POST", "/host/competitions/3/finals", [303, 404, 404, 422]),
    ("POST", "/host/competitions/3/finals/cancel", [303, 404, 404, 303]),
    ("GET", "/queue", [200, 200, 200, 200]),
    ("GET", "/rules", [200, 200, 200, 200]),
    ("GET", "/rules/petri", [200, 200, 200, 200]),
    ("GET", "/rules/petri/picture.png", [200, 200, 200, 200]),
    ("GET", "/rules/petri/pictures/start.svg", [200, 200, 200, 200]),
    ("GET", "/rules/petri/files/rules.py", [404, 404, 404, 404]),
    ("GET", "/board/game/{s}/picture.png", [200, 200, 200, 200]),
    ("GET", "/submit", [200, 200, 200, 200]),
    ("GET", "/signin", [200, 200, 200, 200]),
    ("GET", "/signup", [200, 200, 200, 200]),
    ("GET", "/api", [200, 200, 200, 200]),
    ("GET", "/assets/0/viewer.js", [404, 404, 404, 404]),
    ("GET", "/healthz", [200, 200, 200, 200]),
    ("GET", "/metrics", [200, 200, 200, 200]),
    ("GET", "/nowhere", [404, 404, 404, 404]),
    ("GET", "/game/1/evaluation", [404, 404, 404, 404]),
    ("GET", "/join", [200, 200, 200, 200]),
    ("GET", "/join/word", [404, 404, 404, 404]),
    ("POST", "/join/word", [422, 422, 422, 422]),
    ("POST", "/signin", [422, 422, 422, 422]),
    // No sign-in waits for a code.
    ("POST", "/signin/code", [422, 422, 422, 422]),
    ("POST", "/signup", [422, 422, 422, 422]),
    // A signed-out user is a guest.
    ("POST", "/signout", [303, 303, 303, 303]),
    ("POST", "/language", [303, 303, 303, 303]),
    // No form with a file: there is no input to keep.
    ("POST", "/submit", [400, 400, 400, 400]),
    ("GET", "/board", [200, 200, 200, 200]),
    ("GET", "/board/renju", [200, 200, 200, 200]),
    ("GET", "/board/analysis", [200, 200, 200, 200]),
    ("GET", "/board/petri", [200, 200, 200, 200]),
    ("GET", "/board/chess", [404, 404, 404, 404]),
    ("POST", "/board/petri", [422, 422, 422, 422]),
    ("GET", "/board/invite", [200, 200, 200, 200]),
    // A game of two people needs no account.
    ("POST", "/board/invite", [303, 303, 303, 303]),
    ("GET", "/board/game/{s}", [200, 200, 200, 200]),
    ("GET", "/board/game/none", [404, 404, 404, 404]),
    ("GET", "/board/game/none/events", [404, 404, 404, 404]),
    // It is not over.
    ("GET", "/board/game/{s}/record", [404, 404, 404, 404]),
    // No JSON; with it, it is the key that counts: see the tests of shared games.
    ("POST", "/board/game/{s}/join", [400, 400, 400, 400]),
    ("POST", "/board/game/{s}/move", [400, 400, 400, 400]),
    ("POST", "/board/game/{s}/resign", [400, 400, 400, 400]),
    ("POST", "/board/game/{s}/draw", [400, 400, 400, 400]),
    ("POST", "/board/game/{s}/takeback", [400, 400, 400, 400]),
    ("POST", "/board/game/{s}/answer", [400, 400, 400, 400]),
    ("POST", "/board/game/{s}/again", [400, 400, 400, 400]),
    ("POST", "/board/read", [400, 400, 400, 400]),
    ("POST", "/board/write", [400, 400, 400, 400]),
    ("GET", "/me", [303, 200, 200, 200]),
    ("POST", "/me/tokens", [303, 200, 200, 200]),
    ("POST", "/me/sessions/99/end", [303, 303, 303, 303]),
    ("GET", "/recover/word", [404, 404, 404, 404]),
    ("POST", "/recover/word", [404, 404, 404, 404]),
    ("POST", "/host/accounts/{o}/recover", [303, 404, 404, 200]),
    // The password of now is another one.
    ("POST", "/me/password", [303, 422, 422, 422]),
    // For administrators only; the password and the code are wrong, and no setup was begun.
    ("POST", "/me/totp", [303, 404, 404, 422]),
    ("POST", "/me/totp/confirm", [303, 404, 404, 404]),
    ("POST", "/me/totp/codes", [303, 404, 404, 422]),
    ("POST", "/me/totp/remove", [303, 404, 404, 422]),
    // Other users' versions are not found, except for the host.
    ("GET", "/version/{v}", [303, 404, 200, 200]),
    ("GET", "/version/{v}/events", [303, 404, 200, 200]),
    // It has not been abandoned; the host may repeat any check.
    ("POST", "/version/{v}/check", [303, 404, 409, 303]),
    ("GET", "/version/{f}/failure.tar.gz", [303, 404, 200, 200]),
    ("POST", "/versus/{p}/27/ask", [303, 403, 303, 403]),
    ("POST", "/program/{p}/activate", [303, 403, 303, 403]),
    ("POST", "/program/{p}/by-hand", [303, 403, 303, 403]),
    ("POST", "/program/{p}/follow", [303, 303, 303, 303]),
    ("POST", "/program/{p}/unfollow", [303, 303, 303, 303]),
    ("POST", "/person/{o}/follow", [303, 303, 303, 303]),
    ("POST", "/person/{o}/unfollow", [303, 303, 303, 303]),
    ("POST", "/program/{p}/withdraw", [303, 403, 303, 403]),
    ("POST", "/program/{p}/return", [303, 403, 303, 403]),
    ("POST", "/program/{p}/rename", [303, 403, 303, 403]),
    // The host comes after its owner.
    ("POST", "/program/{p}/delete", [303, 403, 303, 404]),
    // No JSON; with it, it is the program that counts: see the tests of playing by hand.
    ("POST", "/board/agent", [400, 400, 400, 400]),
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
    ("POST", "/host/accounts/{t}/delete", [303, 404, 404, 422]),
    ("GET", "/me/export", [303, 200, 200, 200]),
    ("POST", "/me/notices/dismiss", [303, 303, 303, 303]),
    // The password is another one.
    ("POST", "/me/delete", [303, 422, 422, 422]),
    ("GET", "/me/messages", [303, 200, 200, 200]),
    // No source was sent for a trial.
    ("POST", "/try/renju", [303, 422, 422, 422]),
    ("POST", "/try/chess", [303, 404, 404, 404]),
    ("GET", "/trial/word", [303, 404, 404, 404]),
    ("GET", "/host/messages", [303, 404, 404, 200]),
    ("POST", "/host/messages", [303, 404, 404, 303]),
    ("GET", "/host/today", [303, 404, 404, 200]),
    ("GET", "/host/games", [303, 404, 404, 200]),
    // The request is no form with a file.
    ("POST", "/host/games", [303, 404, 404, 400]),
    // No names were sent, and no file.
    ("POST", "/host/competitions/3/roster", [303, 404, 404, 422]),
    ("POST", "/host/competitions/3/roster/file", [303, 404, 404, 400]),
    ("POST", "/host/competitions/3/people/{o}/link", [303, 404, 404, 200]),
    ("GET", "/host/competitions/3/rules", [303, 404, 404, 200]),
    ("GET", "/host/competitions/3/people", [303, 404, 404, 200]),
    ("POST", "/host/competitions/3/people", [303, 404, 404, 303]),
    ("POST", "/host/competitions/3/people/{o}", [303, 404, 404, 303]),
    // Someone who is not in it.
    ("POST", "/host/competitions/2/people/{o}", [303, 404, 404, 404]),
    ("GET", "/host/similarity", [303, 404, 404, 200]),
    ("GET", "/host/unlikely", [303, 404, 404, 200]),
    ("POST", "/host/similarity", [303, 404, 404, 303]),
    ("GET", "/host/similarity/{v}/{v}", [303, 404, 404, 200]),
    ("GET", "/host/events", [303, 404, 404, 200]),
    ("GET", "/host/events?kind=none", [303, 404, 404, 400]),
    ("GET", "/host/events.csv", [303, 404, 404, 200]),
    ("GET", "/host/export", [303, 404, 404, 200]),
    // It has none.
    ("GET", "/host/fleet", [303, 404, 404, 404]),
    ("GET", "/host", [303, 404, 404, 200]),
    ("GET", "/host/accounts/{o}", [303, 404, 404, 200]),
    ("POST", "/host/open", [303, 404, 404, 303]),
    ("POST", "/host/read-only", [303, 404, 404, 303]),
    ("POST", "/host/shared/clear", [303, 404, 404, 303]),
    ("POST", "/host/invitations", [303, 404, 404, 200]),
    ("POST", "/host/announcements", [303, 404, 404, 303]),
    ("POST", "/host/invitations/1/delete", [303, 404, 404, 303]),
    ("POST", "/host/announcements/1/delete", [303, 404, 404, 303]),
    ("POST", "/host/programs/{p}/bar", [303, 404, 404, 303]),
    ("POST", "/host/accounts/{o}/freeze", [303, 404, 404, 303]),
    ("POST", "/host/accounts/{o}/delete", [303, 404, 404, 422]),
];

/// The programs' interface: method, path, body; and the answers to a guest, another user, the owner and the host, each
/// with a browser; then the owner with a token to read, the owner with one to submit, and the host with one for hosts.
const INTERFACE: &[(&str, &str, &str, [u16; 7])] = &[
    ("GET", "/openapi.json", "", [200; 7]),
    ("GET", "/site", "", [200; 7]),
    ("GET", "/rules/renju", "", [200; 7]),
    ("GET", "/queue", "", [200; 7]),
    ("GET", "/search?q=a", "", [200; 7]),
    ("GET", "/announcements", "", [200; 7]),
    ("POST", "/position", r#"{"game":"chess"}"#, [400; 7]),
    ("POST", "/move", r#"{"game":"chess"}"#, [400; 7]),
    ("GET", "/analysis?request=x", "", [400; 7]),
    ("GET", "/puzzles/chess", "", [400; 7]),
    ("GET", "/puzzles/chess/list", "", [400; 7]),
    ("POST", "/puzzle-move", r#"{"game":"chess"}"#, [400; 7]),
    ("POST", "/missed", r#"{"game":"chess"}"#, [400; 7]),
    ("POST", "/known", r#"{"game":"chess"}"#, [400; 7]),
    ("POST", "/played", r#"{"game":"chess"}"#, [400; 7]),
    ("POST", "/opening", r#"{"game":"chess","rule":"rif"}"#, [400; 7]),
    ("GET", "/contests", "", [200; 7]),
    ("GET", "/contests/renju", "", [200; 7]),
    ("GET", "/contests/chess", "", [404; 7]),
    ("GET", "/ladder/renju", "", [200; 7]),
    ("GET", "/ladder/chess", "", [404; 7]),
    ("GET", "/ladder/renju/league", "", [404; 7]),
    ("GET", "/programs/{p}", "", [200; 7]),
    ("GET", "/programs/{p}/opponents", "", [200; 7]),
    ("GET", "/programs/{p}/versus/1", "", [200; 7]),
    ("GET", "/games", "", [200; 7]),
    ("GET", "/games/1", "", [404; 7]),
    ("GET", "/games/1/record", "", [404; 7]),
    ("GET", "/games/1/events", "", [200; 7]),
    ("GET", "/games/1/evaluation", "", [404; 7]),
    ("GET", "/finals", "", [200; 7]),
    ("GET", "/finals/1", "", [404; 7]),
    ("GET", "/teams/{t}", "", [200; 7]),
    // An account that is none of a team.
    ("GET", "/teams/{o}", "", [404; 7]),
    ("PUT", "/programs/{p}/active", r#"{"number":1}"#, [401, 403, 200, 403, 403, 200, 403]),
    ("PUT", "/programs/{p}/by-hand", r#"{"on":false}"#, [401, 403, 200, 403, 403, 200, 403]),
    ("PUT", "/programs/{p}/withdrawn", r#"{"on":true}"#, [401, 403, 200, 403, 403, 200, 403]),
    ("PUT", "/programs/{p}/name", r#"{"name":"another"}"#, [401, 403, 200, 403, 403, 200, 403]),
    // Its owner has deleted it.
    ("DELETE", "/programs/{p}", "", [401, 403, 204, 404, 403, 404, 403]),
    ("POST", "/programs/{p}/versus/27/games", r#"{"games":1}"#, [401, 403, 202, 403, 403, 202, 403]),
    (
        "POST",
        "/submissions",
        r#"{"game":"renju","name":"x","language":"PYTHON3","source":"1"}"#,
        [401, 201, 201, 201, 403, 201, 403],
    ),
    // Other users' versions are not found, except for the host with a browser.
    ("GET", "/versions/{v}", "", [401, 404, 200, 200, 200, 200, 403]),
    ("POST", "/versions/{v}/check", "", [401, 404, 409, 202, 403, 409, 403]),
    ("GET", "/versions/{v}/source", "", [401, 404, 200, 200, 200, 403, 403]),
    ("GET", "/versions/{v}/failure", "", [401, 404, 404, 404, 404, 403, 403]),
    ("GET", "/versions/{f}/failure", "", [401, 404, 200, 200, 200, 403, 403]),
    ("GET", "/versions/{v}/events", "", [401, 404, 200, 200, 200, 200, 403]),
    ("GET", "/me", "", [401, 200, 200, 200, 200, 403, 403]),
    ("DELETE", "/me/notices", "", [401, 204, 204, 204, 204, 403, 403]),
    ("GET", "/me/tokens", "", [401, 200, 200, 200, 403, 403, 403]),
    ("POST", "/me/tokens", r#"{"name":"x"}"#, [401, 201, 201, 201, 403, 403, 403]),
    ("POST", "/me/tokens", r#"{"name":"x","scopes":["host"]}"#, [401, 403, 403, 201, 403, 403, 403]),
    ("DELETE", "/me/tokens/99", "", [401, 404, 404, 404, 403, 403, 403]),
    ("GET", "/me/export", "", [401, 200, 200, 200, 200, 403, 403]),
    ("POST", "/me/contests", r#"{"invitation":"x"}"#, [401, 404, 404, 404, 403, 404, 403]),
    ("GET", "/me/teams", "", [401, 200, 200, 200, 200, 403, 403]),
    // The tokens here are not for teams.
    ("POST", "/teams", r#"{"name":"1"}"#, [401, 201, 201, 201, 403, 403, 403]),
    ("POST", "/teams/{t}/members", r#"{"name":"zoe"}"#, [401, 403, 422, 403, 403, 403, 403]),
    ("DELETE", "/teams/{t}/members/{o}", "", [401, 403, 403, 204, 403, 403, 403]),
    ("POST", "/teams/{t}/join", "", [401, 403, 403, 403, 403, 403, 403]),
    ("POST", "/teams/{t}/leave", "", [401, 403, 204, 403, 403, 403, 403]),
    (
        "POST",
        "/finals",
        r#"{"title":"x","game":"renju","kind":"swiss","games":2,"rounds":2}"#,
        [401, 403, 403, 422, 403, 403, 422],
    ),
    ("POST", "/finals/1/stop", "", [401, 403, 403, 404, 403, 403, 404]),
    ("GET", "/host/state", "", [401, 403, 403, 200, 403, 403, 200]),
    // A site that plays all games itself has none.
    ("GET", "/host/fleet", "", [401, 403, 403, 404, 403, 403, 404]),
    ("GET", "/host/events", "", [401, 403, 403, 200, 403, 403, 200]),
    ("GET", "/host/export", "", [401, 403, 403, 200, 403, 403, 200]),
    ("GET", "/host/similarity", "", [401, 403, 403, 200, 403, 403, 200]),
    ("GET", "/host/unlikely", "", [401, 403, 403, 200, 403, 403, 200]),
    ("POST", "/host/similarity", "", [401, 403, 403, 200, 403, 403, 200]),
    ("GET", "/host/similarity/{v}/{v}", "", [401, 403, 403, 200, 403, 403, 200]),
    ("PUT", "/host/read-only", r#"{"on":false}"#, [401, 403, 403, 204, 403, 403, 204]),
    ("DELETE", "/host/waiting-games", "", [401, 403, 403, 204, 403, 403, 204]),
    ("POST", "/host/contests", r#"{"game":"renju","title":"1"}"#, [401, 403, 403, 201, 403, 403, 201]),
    ("GET", "/host/contests/renju/people", "", [401, 403, 403, 200, 403, 403, 200]),
    ("PUT", "/host/contests/renju/people/{o}/removed", r#"{"on":false}"#, [401, 403, 403, 204, 403, 403, 204]),
    ("GET", "/host/contests/renju", "", [401, 403, 403, 200, 403, 403, 200]),
    ("PUT", "/host/contests/renju/league", r#"{"on":false}"#, [401, 403, 403, 204, 403, 403, 204]),
    ("PATCH", "/host/contests/renju", r#"{"title":"1"}"#, [401, 403, 403, 200, 403, 403, 200]),
    // A game's own competition stays.
    ("DELETE", "/host/contests/renju", "", [401, 403, 403, 403, 403, 403, 403]),
    ("POST", "/host/contests/renju/close", "", [401, 403, 403, 200, 403, 403, 200]),
    ("POST", "/host/contests/renju/invitations", r#"{"note":"x"}"#, [401, 403, 403, 201, 403, 403, 201]),
    ("PUT", "/host/sign-up", r#"{"on":true}"#, [401, 403, 403, 204, 403, 403, 204]),
    ("POST", "/announcements", r#"{"text":"x"}"#, [401, 403, 403, 201, 403, 403, 201]),
    ("DELETE", "/announcements/1", "", [401, 403, 403, 204, 403, 403, 204]),
    ("GET", "/host/invitations", "", [401, 403, 403, 200, 403, 403, 200]),
    ("POST", "/host/invitations", r#"{"note":"x"}"#, [401, 403, 403, 201, 403, 403, 201]),
    ("DELETE", "/host/invitations/1", "", [401, 403, 403, 204, 403, 403, 204]),
    ("GET", "/host/accounts", "", [401, 403, 403, 200, 403, 403, 200]),
    ("GET", "/host/accounts/{o}", "", [401, 403, 403, 200, 403, 403, 200]),
    ("DELETE", "/host/accounts/{o}?name=x", "", [401, 403, 403, 422, 403, 403, 422]),
    // The owner's tokens are no longer valid.
    ("PUT", "/host/accounts/{o}/frozen", r#"{"on":true}"#, [401, 403, 403, 200, 401, 401, 200]),
    ("PUT", "/host/programs/{p}/barred", r#"{"on":true}"#, [401, 403, 403, 200, 403, 403, 200]),
];

/// The methods of a route, as its answer to another method lists them.
async fn methods(site: &TestSite, path: &str) -> Vec<String> {
    // No request is refused because of those before it.
    site.site.limits.forget();
    let answer = site.answer(request("TRACE", path, &Who::Guest).body(Body::empty()).unwrap()).await;
    assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
    answer.header("allow").split(',').filter(|method| *method != "HEAD").map(str::to_owned).collect()
}

#[tokio::test]
async fn no_route_is_left_out() {
    let site = TestSite::new();
    let paths = pages().into_parts().1;
    let mut routes = BTreeSet::new();
    for path in &paths {
        for method in methods(&site, path).await {
            routes.insert((method, (*path).to_owned()));
        }
    }
    let route = |path: &str| route_of(paths.iter().copied(), path).map(str::to_owned);
    let tried: BTreeSet<(String, String)> =
        PAGES.iter().filter_map(|(method, path, _)| Some(((*method).to_owned(), route(path)?))).collect();
    assert_eq!(routes.difference(&tried).collect::<Vec<_>>(), [] as [&(String, String); 0], "without a row in PAGES");
    let all = operations();
    let route =
        |path: &str| route_of(all.iter().map(|(_, path)| path.as_str()), &format!("/api/v1{path}")).map(str::to_owned);
    let tried: BTreeSet<(String, String)> =
        INTERFACE.iter().filter_map(|(method, path, ..)| Some(((*method).to_owned(), route(path)?))).collect();
    assert_eq!(all.difference(&tried).collect::<Vec<_>>(), [] as [&(String, String); 0], "without a row in INTERFACE");
}

#[tokio::test]
async fn no_parameter_breaks_a_route() {
    let paths = pages().into_parts().1;
    let pages = paths.iter().map(|path| (String::new(), (*path).to_owned()));
    let site = TestSite::new();
    for (at, (method, path)) in pages.chain(operations()).filter(|(_, path)| path.contains('{')).enumerate() {
        // No request is refused because of those before it.
        site.site.limits.forget();
        let (_, host) = site.member(&format!("host{at}"), true);
        let methods = if method.is_empty() { methods(&site, &path).await } else { vec![method] };
        for value in
            ["-1", "0", "9223372036854775807", "9223372036854775808", "x", "%00", "%FF", "%2e%2e%2f", "a%0d%0ab", "'"]
        {
            let filled: Vec<&str> =
                path.split('/').map(|part| if part.starts_with('{') { value } else { part }).collect();
            for method in &methods {
                let answer = site.ask(method, &filled.join("/"), &host, "").await;
                assert!(!answer.status.is_server_error(), "{method} {}: {}", filled.join("/"), answer.text);
            }
        }
    }
}

/// A site with a user, an owner with a program, and a host.
struct Rights {
    site: TestSite,
    accounts: [i64; 3],
    all: [Who; 4],
    program: i64,
    version: i64,
    failed: i64,
    team: String,
    shared: String,
}

impl Rights {
    async fn new() -> Self {
        let site = TestSite::new();
        let ((user_id, user), (owner_id, owner), (host_id, host)) =
            (site.member("user", false), site.member("owner", false), site.member("host", true));
        let (program, version) = site.program(owner_id, "bot");
        let team = site.post("/teams", &owner, &[("name", "Stones")]).await;
        let team = team.header("location").strip_prefix("/team/").unwrap().to_owned();
        let failed = site.failed_version(owner_id, "failing");
        let shared = site.post("/board/invite", &owner, &[("game", "renju")]).await;
        let shared = shared.header("location").strip_prefix("/board/game/").unwrap();
        let shared = shared.split_once('#').unwrap().0.to_owned();
        let all = [Who::Guest, user, owner, host];
        Self { site, accounts: [user_id, owner_id, host_id], all, program, version, failed, team, shared }
    }

    /// Tokens of the owner to read and to submit, and one of the host for hosts.
    fn tokens(&self) -> [Who; 3] {
        let [_, owner, host] = self.accounts;
        [(owner, TokenScope::Read), (owner, TokenScope::Submit), (host, TokenScope::Host)]
            .map(|(account, scope)| self.site.token_for(account, TokenScopes::new([scope])))
    }

    fn path(&self, path: &str) -> String {
        let path = path.replace("{p}", &self.program.to_string()).replace("{v}", &self.version.to_string());
        path.replace("{o}", &self.accounts[1].to_string())
            .replace("{t}", &self.team)
            .replace("{f}", &self.failed.to_string())
            .replace("{s}", &self.shared)
    }
}

#[tokio::test]
async fn every_page_asks_who_it_is() {
    let unchanged = Rights::new().await;
    for (method, path, wanted) in PAGES {
        let changed = if *method == "GET" { None } else { Some(Rights::new().await) };
        let rights = changed.as_ref().unwrap_or(&unchanged);
        rights.site.site.limits.forget();
        let (site, path) = (&rights.site, rights.path(path));
        for (who, wanted) in rights.all.iter().zip(*wanted) {
            let answer = match *method {
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
                        ("note", "class"),
                        ("uses", "1"),
                        ("text", "Hello"),
                        ("read", "yes"),
                        ("password", "short"),
                        ("new", "long enough"),
                        ("language", "ko"),
                        ("agent", "0"),
                        ("out", "yes"),
                    ];
                    site.post(&path, who, &form).await
                }
            };
            assert_eq!(answer.status.as_u16(), wanted, "{method} {path} by {who:?}: {}", answer.text);
            assert!(answer.header("content-security-policy").starts_with("default-src 'none'; script-src 'self';"));
            if wanted == 303 && *method == "GET" {
                assert!(answer.header("location").starts_with("/signin?next=/"), "{}", answer.header("location"));
            }
        }
    }
}

#[tokio::test]
async fn every_route_of_the_interface_asks_who_it_is() {
    let unchanged = Rights::new().await;
    let unchanged = (unchanged.tokens(), unchanged);
    for (method, path, body, wanted) in INTERFACE {
        let changed = if *method == "GET" { None } else { Some(Rights::new().await) };
        let changed = changed.map(|rights| (rights.tokens(), rights));
        let (tokens, rights) = changed.as_ref().unwrap_or(&unchanged);
        rights.site.site.limits.forget();
        let (site, path) = (&rights.site, rights.path(path));
        for (at, (who, wanted)) in rights.all.iter().chain(tokens).zip(*wanted).enumerate() {
            // Everybody submits something of his own.
            let body = body.replace("\"1\"", &format!("\"{at}\""));
            let answer = site.ask(method, &format!("/api/v1{path}"), who, &body).await;
            assert_eq!(answer.status.as_u16(), wanted, "{method} {path} by the {at}th: {}", answer.text);
        }
    }
}

#[tokio::test]
async fn nothing_is_changed_from_another_site() {
    let site = TestSite::new();
    let (_, host) = site.member("host", true);
    let Who::Cookie(cookie) = &host else { unreachable!() };
    let paths = [
        "/signin",
        "/signin/code",
        "/signup",
        "/signout",
        "/submit",
        "/host/open",
        "/me/password",
        "/me/totp",
        "/me/totp/confirm",
        "/me/totp/codes",
        "/me/totp/remove",
        "/api/v1/submissions",
    ];
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
    // Nor does a token make a page's request its own.
    assert_eq!(site.post("/host/open", &Who::Token("x".into()), &[("open", "no")]).await.status, StatusCode::FORBIDDEN);
    assert_eq!(site.site.writer().setting("sign_up_open").unwrap(), None);
}
