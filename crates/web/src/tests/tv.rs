//! The broadcast of the last games.

use agon_catalog::Game;
use agon_site::store::EntryRule;
use axum::http::StatusCode;
use serde_json::Value;

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

#[tokio::test]
async fn a_wall_shows_four_games_that_play_themselves() {
    let site = TestSite::new();
    assert!(site.get("/tv/wall", &Who::Guest).await.text.contains("No game has been played yet"));
    let names = Game::BACTERIA.builtin_names();
    let games = [[names[1], names[0]], [names[2], names[1]], [names[2], names[0]]];
    let all: Vec<i64> = games.iter().map(|&players| played(&site, Game::BACTERIA, players, &[]).0).collect();
    site.site.featured.forget();
    let addresses = |page: &str| -> Vec<String> {
        page.split("data-steps=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let page = site.get("/tv/wall", &Who::Guest).await;
    let mut shown = addresses(&page.text);
    assert!(page.text.contains("class=\"wall of-3\"") && page.text.contains("site bare"), "three cards on a bare page");
    shown.sort();
    assert_eq!(shown, all.iter().map(|id| format!("/game/{id}/steps")).collect::<Vec<_>>(), "each once");
    for address in &shown {
        let game: Value = serde_json::from_str(&site.get(address, &Who::Guest).await.text).unwrap();
        assert!(game["steps"].as_array().unwrap().len() > 5 && game["result"].is_string(), "{game}");
    }
    // The card of a game that has ended becomes that of one that was not shown.
    let one = site.get(&format!("/tv/wall?boards=1&shown={}.{}", all[0], all[1]), &Who::Guest).await.text;
    assert_eq!(addresses(&one), [format!("/game/{}/steps", all[2])]);
    // The page of a game draws three scenes.
    let page = site.get(&format!("/game/{}", all[0]), &Who::Guest).await.text;
    let scenes = page.split("class=\"highlight\"").nth(1).unwrap().split("</section>").next().unwrap().to_owned();
    assert_eq!(scenes.matches("<svg class=\"picture\"").count(), 3, "{scenes}");
    // The front page plays the last game, too.
    assert_eq!(addresses(&site.get("/", &Who::Guest).await.text).len(), 1);
    assert_eq!(site.get("/game/999/steps", &Who::Guest).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn games_of_a_private_competition_reach_members_alone() {
    let site = TestSite::new();
    let names = Game::RENJU.builtin_names();
    let (id, _) = played(&site, Game::RENJU, [names[1], names[0]], &[]);
    let ((author, member), (_, other)) = (site.member("member", false), site.member("other", false));
    site.program(author, "bot");
    site.change(|competition| competition.entry = EntryRule::Private).await;
    site.site.featured.forget();
    for path in ["/tv", "/tv/wall", "/"] {
        let number = format!("/game/{id}");
        assert!(!site.get(path, &Who::Guest).await.text.contains(&number), "{path}");
        assert!(!site.get(path, &other).await.text.contains(&number), "{path}");
        assert!(site.get(path, &member).await.text.contains(&number), "{path}");
    }
    for who in [&Who::Guest, &other] {
        for path in ["steps", "record", "events", "picture.png", "card.png"] {
            let status = site.get(&format!("/game/{id}/{path}"), who).await.status;
            assert!(matches!(status, StatusCode::FORBIDDEN | StatusCode::NOT_FOUND), "{path}: {status}");
        }
        assert_eq!(site.get("/tv?competition=renju", who).await.status, StatusCode::NOT_FOUND);
    }
    assert_eq!(site.get(&format!("/game/{id}/steps"), &member).await.status, StatusCode::OK);
    assert_eq!(site.get("/tv?competition=renju", &member).await.status, StatusCode::OK);
}
