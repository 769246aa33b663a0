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

/// The folder of an example.
fn example(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/games").join(name);
    path.to_str().unwrap().to_owned()
}

/// Points and edges: the pointer, the keys, and the way from one point to another.
#[test]
fn graphs_are_played_by_pointer_and_keys() {
    let served = ServedBoard::start_with(&["--rules", &example("morris")]);
    let position = served.ask("/api/v1/position", &json!({ "game": "morris" }));
    assert_eq!(position["graph"]["names"].as_array().unwrap().len(), 24);
    let late = json!({ "game": "morris", "position": "111100000000000000002220 1 0 0 0 40" });
    let steps = served.ask("/api/v1/position", &late)["legal"].clone();
    let names: Vec<String> = serde_json::from_value(position["graph"]["names"].clone()).unwrap();
    let step = steps.as_array().unwrap().iter().find(|step| step["move"] == "b2 d2").unwrap();
    let at = |name: &str| names.iter().position(|known| known == name).unwrap();
    assert_eq!((&step["from"], &step["to"]), (&json!([at("b2")]), &json!([at("d2")])));
    let browser = Browser::new();
    let name = position["game"].as_str().unwrap();
    browser.visit(&served.address(&format!("/board/{name}#first=human&second=human&moves=")));
    browser.until("document.querySelectorAll('#board .grid .point').length", &json!(24));
    let middle = format!(
        "(() => {{ const box = document.querySelectorAll('#board .grid .point')[{}].getBoundingClientRect(); \
         return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)] }})()",
        at("d7")
    );
    let place: Vec<i64> = serde_json::from_value(browser.of(&middle)).unwrap();
    browser.click_at([place[0], place[1]]);
    browser.until("document.getElementById('moves').textContent.includes('d7')", &json!(true));
    // To the right of a7 is d7, and below that d6.
    browser.run(&format!("document.querySelector('#board [role=grid] [data-at=\"{}\"]').focus()", at("a7")));
    browser.type_keys("\u{E014}");
    let focused = "Number(document.activeElement.dataset.at)";
    browser.until(focused, &json!(at("d7")));
    browser.type_keys("\u{E015}\u{E007}");
    browser.until("document.getElementById('moves').textContent.includes('d6')", &json!(true));
    let turns = "[...document.querySelectorAll('#turn, #mirror')].every((button) => button.hidden)";
    browser.until(turns, &json!(true));
}

/// Until the end the page of a game with secrets shows what the person's side may see, and no more.
#[test]
fn cards_are_played_and_secrets_kept() {
    let served = ServedBoard::start_with(&["--rules", &example("goofspiel")]);
    let question = |seat: Option<usize>, moves: &[&str]| {
        let mut question = json!({ "game": "goofspiel", "parameters": { "cards": "3" }, "moves": moves });
        if let Some(seat) = seat {
            question["seat"] = seat.into();
        }
        served.ask("/api/v1/position", &question)
    };
    let cards = |position: &serde_json::Value, owner: usize, name: &str| {
        let hands = position["hands"].as_array().unwrap();
        hands.iter().find(|hand| hand["owner"] == owner && hand["name"] == name).unwrap()["cards"].clone()
    };
    // By default, it is the board of the side to move.
    for seat in [None, Some(1)] {
        let seen = question(seat, &["3"]);
        assert_eq!((cards(&seen, 0, "bids"), cards(&seen, 0, "")), (json!(["?"]), json!(["?", "?"])));
        assert_eq!((&seen["moves"][0]["letters"], &seen["position"]), (&json!("(hidden)"), &json!("(hidden)")));
        assert_eq!(seen["legal"].as_array().unwrap().len(), 3);
    }
    let own = question(Some(0), &["3"]);
    assert_eq!((cards(&own, 0, "bids"), &own["legal"]), (json!(["3"]), &json!([])));
    let over = question(Some(0), &["3", "1", "1", "2", "2", "3"]);
    assert_eq!((cards(&over, 1, "bids"), &over["moves"][1]["letters"]), (json!(["1", "2", "3"]), &json!("1")));
    // A player replies; an analysis would show what is hidden.
    let request = json!({ "game": "goofspiel", "moves": ["3"], "seconds": 1 });
    assert_eq!(served.ask("/api/v1/move", &request)["letters"].as_str().map(str::is_empty), Some(false));
    let analysis = ureq::get(served.address("/api/v1/analysis")).query("request", request.to_string()).call();
    assert!(matches!(analysis, Err(ureq::Error::StatusCode(400))), "{analysis:?}");
    let browser = Browser::new();
    let name = own["game"].as_str().unwrap().to_owned();
    browser.visit(&served.address(&format!("/board/{name}#cards=3&first=random&second=human&moves=")));
    let playable = "document.querySelectorAll('#board .hand button.card').length";
    for left in [3, 2, 1] {
        browser.until(playable, &json!(left));
        // Neither the address nor the list has the bid of the other side.
        assert_eq!(browser.of("location.hash"), json!(""));
        assert_eq!(
            browser.of("document.querySelector('#moves li:last-child').textContent.includes('hidden')"),
            json!(true)
        );
        assert_eq!(browser.of("document.getElementById('link').hidden"), json!(true));
        browser.run("document.querySelector('#board .hand button.card').click()");
    }
    browser.until("document.getElementById('status').textContent.includes('all cards are played')", &json!(true));
    assert_eq!(browser.of("document.getElementById('moves').textContent.includes('hidden')"), json!(false));
    browser.until("document.getElementById('link').hidden", &json!(false));
}

/// An agent on a board reads the lines that it would read before the judge, in the order of the moves.
#[test]
fn agents_are_sent_what_the_judge_would_send() {
    let scripted = |moves: &str| {
        format!(
            "sh -c 'set -- {moves}; while read line; do echo \"$line\" >&2; case $line in READY*) echo OK;; TURN*) \
             echo MOVE $1; shift;; esac; done'"
        )
    };
    let asked = |served: &ServedBoard, game: &str, moves: &[&str]| {
        let question = json!({ "game": game, "engine": "agent:0", "client": "a page", "moves": moves });
        let answer = served.ask("/board/agent", &question);
        assert_eq!(answer["fault"], json!(null), "{answer}");
        let lines: Vec<String> = answer["stderr"].as_str().unwrap().lines().map(str::to_owned).collect();
        (answer["move"].as_str().unwrap().to_owned(), lines)
    };
    // A bid is kept from it until both have bid; then come both, and the next prize.
    let served = ServedBoard::start_with(&["--rules", &example("goofspiel"), "--agent", &scripted("7 8")]);
    let (played, lines) = asked(&served, "goofspiel", &["5"]);
    assert_eq!(played, "7");
    assert!(lines.iter().all(|line| !line.starts_with("OPP") && !line.contains("bids")), "{lines:?}");
    let (played, lines) = asked(&served, "goofspiel", &["5", "7", "3"]);
    assert_eq!((played.as_str(), lines[0].as_str(), lines.len()), ("8", "INFO bids 5 7", 3), "one process: {lines:?}");
    assert!(lines[1].starts_with("INFO prize ") && lines[2].starts_with("TURN "), "{lines:?}");
    // After its own move, if it is its turn again, there is nothing to say.
    let moves = "a1 a4 a7 \"take d2\"";
    let served = ServedBoard::start_with(&["--rules", &example("morris"), "--agent", &scripted(moves)]);
    asked(&served, "morris", &[]);
    asked(&served, "morris", &["a1", "b2"]);
    assert_eq!(asked(&served, "morris", &["a1", "b2", "a4", "d2"]).0, "a7");
    let (played, lines) = asked(&served, "morris", &["a1", "b2", "a4", "d2", "a7"]);
    assert_eq!((played.as_str(), lines.len()), ("take d2", 1), "{lines:?}");
}
