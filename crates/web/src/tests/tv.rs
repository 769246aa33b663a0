//! The broadcast of the last games.

use agon_catalog::Game;
use axum::http::StatusCode;

use super::evaluations::played;
use super::{TestSite, Who};

/// The number of the game that a page shows, and the address of the next.
async fn on_air(site: &TestSite, path: &str) -> (i64, String) {
    let page = site.get(path, &Who::Guest).await;
    assert_eq!(page.status, StatusCode::OK, "{path}");
    let after = |start: &str| page.text.split(start).nth(1).unwrap_or_else(|| panic!("`{start}` is not in {path}"));
    let until = |text: &str, end| text.split(end).next().unwrap().to_owned();
    let number = until(after("data-events=\"/game/"), '/').parse().unwrap();
    (number, until(after("data-next=\""), '"').replace("&amp;", "&"))
}

#[tokio::test]
async fn a_broadcast_goes_from_game_to_game() {
    let site = TestSite::new();
    let empty = site.get("/tv", &Who::Guest).await.text;
    assert!(empty.contains("No game has been played yet") && !empty.contains("data-next"), "{empty}");
    let names = Game::BACTERIA.builtin_names();
    let games = [[names[1], names[0]], [names[2], names[1]], [names[2], names[0]]];
    let all_played: Vec<i64> = games.iter().map(|&players| played(&site, Game::BACTERIA, players, &[]).0).collect();
    site.site.featured.forget();
    let mut seen = Vec::new();
    let mut path = "/tv".to_owned();
    for _ in &all_played {
        let (id, next) = on_air(&site, &path).await;
        seen.push(id);
        path = next;
    }
    let mut all = seen.clone();
    all.sort_unstable();
    assert_eq!(all, all_played, "each once");
    // Then they are shown again, but the last one not at once.
    let (again, _) = on_air(&site, &path).await;
    assert!(all_played.contains(&again) && again != seen[2], "{again} after {seen:?}");
    // The last games are read again after a while, not at every request.
    let (another, _) = played(&site, Game::BACTERIA, games[0], &[]);
    assert!(all_played.contains(&on_air(&site, &path).await.0));
    site.site.featured.forget();
    assert_eq!(on_air(&site, &path).await.0, another);
    // From one competition.
    let (_, next) = on_air(&site, "/tv?competition=bacteria").await;
    assert!(next.ends_with("&competition=bacteria"), "{next}");
    assert!(!site.get("/tv?competition=renju", &Who::Guest).await.text.contains("data-next"));
}
