//! Boards of games whose rules are a program.

use std::process::Command;

use serde_json::json;

use crate::board::served::ServedBoard;

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
