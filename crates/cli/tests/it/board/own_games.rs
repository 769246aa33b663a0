//! Boards of games whose rules are a program.

use std::process::Command;

use serde_json::json;

use crate::board::served::ServedBoard;
use crate::browser::Browser;

#[test]
fn a_game_of_ones_own_has_hints_parameters_and_positions() {
    let folder = tempfile::tempdir().unwrap();
    let made =
        Command::new(env!("CARGO_BIN_EXE_agon")).args(["game", "new", "heap"]).current_dir(folder.path()).output();
    assert!(made.unwrap().status.success());
    let served = ServedBoard::start_with(&["--rules", folder.path().join("heap").to_str().unwrap()]);
    let name = served.ask("/api/v1/position", &json!({ "game": "heap" }))["game"].as_str().unwrap().to_owned();

    // For a hint the page names no player.
    let at = json!({ "game": name, "parameters": { "stones": "7" }, "ms": 1000 });
    assert_eq!(served.ask("/api/v1/move", &at)["move"], "3", "it leaves four");

    // The same stones with the other side to move are another position.
    let after = |moves: &[&str]| served.ask("/api/v1/position", &json!({ "game": name, "moves": moves }));
    let (one, other) = (after(&["1", "2"]), after(&["3"]));
    assert_ne!((&one["turn"], &one["key"]), (&other["turn"], &other["key"]));
    assert_ne!(one["key"], other["key"]);

    let page =
        ureq::get(served.address(&format!("/board/{name}"))).call().unwrap().body_mut().read_to_string().unwrap();
    assert!(page.contains("data-parameter=\"stones\"") && !page.contains("data-parameter=\"opening\""), "{page}");
    assert!(page.contains("id=\"others\""), "its moves mark no place");
    assert!(page.contains("data-drawn=\"yes\""), "another seed may be another game");
    assert!(page.contains("value=\"greedy\" selected"), "{page}");
}

/// The page asks for an analysis without an end.
#[test]
fn an_analysis_shows_lines() {
    let folder = tempfile::tempdir().unwrap();
    let made =
        Command::new(env!("CARGO_BIN_EXE_agon")).args(["game", "new", "heap"]).current_dir(folder.path()).output();
    assert!(made.unwrap().status.success());
    let served = ServedBoard::start_with(&["--rules", folder.path().join("heap").to_str().unwrap()]);
    let name = served.ask("/api/v1/position", &json!({ "game": "heap" }))["game"].as_str().unwrap().to_owned();
    let question = json!({
        "game": name, "parameters": { "stones": "7" }, "seconds": 0, "nodes": 500, "lines": 2, "without": ["1"],
    });
    let events = served.analysis(&question);
    let lines: Vec<_> = events.iter().filter(|(name, _)| name == "line").map(|(_, data)| data).collect();
    assert!(lines.len() > 2, "{events:?}");
    let (_, end) = events.last().unwrap();
    assert_eq!(end["reason"], "done");
}

/// Hexagons, and places that the board does not have: the pointer and the keys find the places that are there.
#[test]
fn hexagons_are_played_by_pointer_and_keys() {
    let rules = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/games/y");
    if Command::new("lua5.4").arg("-v").output().is_err() {
        return;
    }
    let served = ServedBoard::start_with(&["--rules", rules.to_str().unwrap()]);
    let position = served.ask("/api/v1/position", &json!({ "game": "y", "parameters": { "size": "4" } }));
    assert_eq!((&position["hexagons"], &position["holes"]), (&json!(true), &json!([0, 1, 2, 4, 5, 8])));
    let browser = Browser::new();
    let name = position["game"].as_str().unwrap();
    browser.visit(&served.address(&format!("/board/{name}#moves=")));
    browser.until("document.querySelectorAll('#board .grid polygon').length", &json!(45));
    // The places in the order of the board: three of the first two rows, then the third.
    let middle = "(() => { const box = document.querySelectorAll('#board .grid polygon')[4].getBoundingClientRect(); \
                  return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)] })()";
    let at: Vec<i64> = serde_json::from_value(browser.of(middle)).unwrap();
    browser.click_at([at[0], at[1]]);
    let played = "document.getElementById('moves').textContent.includes('3,8')";
    browser.until(played, &json!(true));
    // From the top the way down leads along the column, and the way up from the first place of a row stays.
    browser.run("document.querySelector('#board [role=grid] [data-at=\"8\"]').focus()");
    let focused = "Number(document.activeElement.dataset.at)";
    browser.type_keys("\u{E015}");
    browser.until(focused, &json!(17));
    browser.type_keys("\u{E012}\u{E013}");
    browser.until(focused, &json!(16));
}
