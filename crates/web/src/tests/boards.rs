//! The questions of boards.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use agon_analysis::lines;
use agon_catalog::{Game, Setup, TextMove, text_info};
use agon_rules::bacteria::Bacteria;
use agon_search::{SearchLimits, Task};
use axum::http::StatusCode;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

use super::{TestSite, Who, request};
use crate::error::query_escaped;

/// The answer to a question about a position.
async fn position(site: &TestSite, question: Value) -> (StatusCode, Value) {
    let answer = site.json("/api/v1/position", &Who::Cookie(String::new()), &question.to_string()).await;
    (answer.status, serde_json::from_str(&answer.text).unwrap_or_else(|_| panic!("{}", answer.text)))
}

#[tokio::test]
async fn a_position_has_its_moves_and_what_they_do() {
    let site = TestSite::new();
    let (status, answer) = position(&site, json!({ "game": "bacteria", "moves": ["b6", "1 7 3 5"] })).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!((&answer["ply"], &answer["turn"], &answer["result"]), (&json!(2), &json!(0), &Value::Null));
    let made = json!({ "move": "1 7 3 5", "letters": "g7e5", "side": 1, "key": answer["key"] });
    assert_eq!(answer["moves"][1], made);
    assert_eq!((answer["cells"].as_array().unwrap().len(), &answer["letter"]), (49, &json!("a")));
    let legal = answer["legal"].as_array().unwrap();
    let at = |row: u64, column: u64| (row - 1) * 7 + column - 1;
    // A division to (2,3) comes only from (2,2); one to (1,2) from either own cell, and is one move.
    let to =
        |place: u64| legal.iter().find(|m| m["to"] == json!([place]) && m["effect"].as_array().unwrap().len() == 1);
    assert_eq!(to(at(1, 2)).unwrap()["from"], json!([at(1, 1), at(2, 2)]));
    assert_eq!(to(at(2, 3)).unwrap()["from"], json!([at(2, 2)]));
    // A leap to (3,4) empties its source and infects the cell next to it.
    let leap = legal.iter().find(|m| m["move"] == "2 2 3 4").unwrap();
    assert_eq!((&leap["from"], &leap["to"]), (&json!([at(2, 2)]), &json!([at(3, 4)])));
    let marks: Vec<(u64, &Value, &Value)> =
        leap["effect"].as_array().unwrap().iter().map(|e| (e[0].as_u64().unwrap(), &e[1][0], &e[1][4])).collect();
    let (first, none) = (json!(1), json!(0));
    let wanted = [
        (at(2, 2), &none, &json!("vacated")),
        (at(3, 4), &first, &json!("placed")),
        (at(3, 5), &first, &json!("captured")),
    ];
    assert_eq!(marks, wanted);
}

#[tokio::test]
async fn every_legal_move_is_listed_once_whatever_the_game() {
    let site = TestSite::new();
    for game in [Game::BACTERIA, Game::DOMINEERING, Game::RENJU] {
        let start = game.initial_state(&Setup { seed: 7, ..Setup::default() }).unwrap();
        let (_, answer) = position(&site, json!({ "game": game.name(), "seed": 7 })).await;
        let listed: Vec<&str> =
            answer["legal"].as_array().unwrap().iter().map(|m| m["move"].as_str().unwrap()).collect();
        assert_eq!(listed, start.legal(), "{game}");
        // The position's own text leads to the same.
        let (status, again) = position(&site, json!({ "game": game.name(), "position": answer["position"] })).await;
        assert_eq!((status, &again["legal"]), (StatusCode::OK, &answer["legal"]), "{game}");
    }
    let (_, answer) = position(&site, json!({ "game": "domineering", "seed": 7 })).await;
    let legal = answer["legal"].as_array().unwrap();
    assert_eq!((&legal[0]["from"], &legal[0]["to"]), (&json!([]), &json!([0, 1])));
    let pass = legal.last().unwrap();
    assert_eq!((&pass["letters"], &pass["to"], &pass["effect"]), (&json!("PASS"), &json!([]), &json!([])));
}

#[tokio::test]
async fn forbidden_points_have_reasons_and_ends_winners() {
    let site = TestSite::new();
    let double_three = ["H8", "H9", "J8", "O1", "I9", "O15", "I10", "A15"];
    let (status, answer) = position(&site, json!({ "game": "renju", "moves": double_three })).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let found = &answer["forbidden"][0];
    assert_eq!((&found["letters"], &found["move"], &found["at"]), (&json!("I8"), &json!("8 9"), &json!(7 * 15 + 8)));
    assert!(found["reason"].as_str().unwrap().contains("double three"), "{found}");
    assert!(answer["legal"].as_array().unwrap().iter().all(|m| m["letters"] != "I8"));
    // It stays forbidden to Black while White is to move.
    let moves = [&double_three[..], &["O8"]].concat();
    let (_, white) = position(&site, json!({ "game": "renju", "moves": moves })).await;
    let found = &white["forbidden"][0];
    assert_eq!((&white["turn"], &found["letters"], &found["side"]), (&json!(1), &json!("I8"), &json!(0)));
    assert!(found["reason"].as_str().unwrap().contains("double three"), "{found}");
    assert!(white["legal"].as_array().unwrap().iter().any(|m| m["letters"] == "I8"));
    let (_, over) = position(
        &site,
        json!({ "game": "domineering", "position": "12/31 ../.. H 0 2.5 0", "moves": ["pass", "pass"] }),
    )
    .await;
    assert_eq!((&over["result"]["winner"], &over["turn"], &over["legal"]), (&json!(1), &Value::Null, &json!([])));
    assert_eq!(over["result"]["reason"], "both players passed one after the other");
}

#[tokio::test]
async fn a_position_has_one_key_however_it_was_reached() {
    let site = TestSite::new();
    let keys = async |moves: [&str; 6]| {
        let (_, answer) = position(&site, json!({ "game": "renju", "moves": moves })).await;
        let keys: Vec<Value> = answer["moves"].as_array().unwrap().iter().map(|made| made["key"].clone()).collect();
        assert_eq!(keys.last(), Some(&answer["key"]));
        keys
    };
    let one = keys(["H8", "H9", "I9", "A1", "O15", "B1"]).await;
    let other = keys(["H8", "H9", "I9", "B1", "O15", "A1"]).await;
    assert_eq!(one[5], other[5]);
    assert_ne!(one[3], other[3]);
    assert_eq!(one[5].as_str().map(str::len), Some(16));
}

#[tokio::test]
async fn what_is_wrong_with_a_question_is_named() {
    let site = TestSite::new();
    let check = async |question: Value, at: Value, detail: &str| {
        let (status, answer) = position(&site, question.clone()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{question}");
        assert_eq!(answer["at"], at, "{answer}");
        assert!(answer["detail"].as_str().unwrap().contains(detail), "{answer}");
    };
    check(json!({ "game": "chess" }), Value::Null, "there is no game `chess`; there are bacteria, ").await;
    check(json!({ "game": "petri" }), Value::Null, "petri is played by programs").await;
    let taken = json!({ "game": "renju", "moves": ["H8", "H9", "h8"] });
    check(taken, json!(2), "move 3, h8: H8 (8,8) is taken by Black").await;
    let over = json!({ "game": "domineering", "position": "1/1 ./. H 2 0 0", "moves": ["1 1"] });
    check(over, json!(0), "the game is over").await;
    check(json!({ "game": "bacteria", "position": "7/7 x" }), Value::Null, "`7/7 x` is not a position of bacteria")
        .await;
    check(json!({ "game": "renju", "parameters": { "size": "9" } }), Value::Null, "renju has no parameter `size`")
        .await;
    let both = json!({ "game": "domineering", "position": "1/1 ./. H 2 0 0", "parameters": { "rows": "3" } });
    check(both, Value::Null, "`rows` is given together with a position").await;
    check(json!({ "game": "renju", "moves": vec!["H8"; 1_001] }), Value::Null, "more than 1000 moves").await;
    check(json!({ "game": "renju", "level": 3 }), Value::Null, "unknown field `level`").await;
}

/// It prints how long it takes: `cargo test -p agon-web --lib slowest -- --nocapture`.
#[tokio::test]
async fn the_slowest_position_is_answered() {
    let site = TestSite::new();
    // Many legal moves; after each one, every point is checked for forbidden moves.
    let moves = ["H8", "H9", "J8", "O1", "I9", "O15", "I10", "A15", "G7"];
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let begun = Instant::now();
        let (status, answer) = position(&site, json!({ "game": "renju", "moves": moves })).await;
        assert_eq!(status, StatusCode::OK);
        assert!(answer["legal"].as_array().is_some_and(|legal| legal.len() > 200), "{answer}");
        best = best.min(begun.elapsed());
    }
    println!("answered within {best:?}");
}

/// The events of an analysis, to its end.
async fn analysis(site: &TestSite, question: Value) -> Vec<(String, Value)> {
    let path = format!("/api/v1/analysis?request={}", query_escaped(&question.to_string()));
    let answer = site.get(&path, &Who::Guest).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let blocks = answer.text.split("\n\n").filter(|block| !block.starts_with(':') && !block.is_empty());
    let event = |block: &str| {
        let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ")).unwrap();
        (field("event").to_owned(), serde_json::from_str(field("data")).unwrap())
    };
    blocks.map(event).collect()
}

#[tokio::test]
async fn an_analysis_has_the_lines_of_the_engine() {
    let site = TestSite::new();
    let asked = json!({ "game": "bacteria", "moves": ["b6"], "nodes": 20_000, "lines": 2 });
    let events = analysis(&site, asked).await;
    let mut position = Bacteria::start();
    let m = agon_game::Show::read_any(&position, "b6").unwrap();
    agon_game::Position::play_unchecked(&mut position, m, &mut ());
    let task = Task { multipv: 2, ..Task::from(SearchLimits::nodes(20_000)) };
    let mut wanted = Vec::new();
    let mut engine = agon_catalog::engine::<Bacteria>("champion", 0).unwrap();
    engine.set_memory(8 << 20);
    let best = engine.search(&position, &task, &mut |info| wanted.push(lines::line(&text_info::<Bacteria>(info))));
    let mut found: Vec<Value> =
        events.iter().filter(|(name, _)| name == "line").map(|(_, line)| line.clone()).collect();
    for (line, wanted) in found.iter_mut().zip(&mut wanted) {
        let line = line.as_object_mut().unwrap();
        // X is to move, and the first side is O.
        assert_eq!(line.remove("side"), Some(json!(1)));
        assert!(line.remove("text").unwrap().as_str().unwrap().starts_with(['+', '−', 'w', 'l']));
        let first = line.remove("first").unwrap();
        assert_eq!(first.as_f64().map(|value| -value), line["value"].as_f64());
        line.remove("ms");
        wanted.as_object_mut().unwrap().remove("ms");
    }
    assert!(found.len() > 4, "{found:?}");
    assert_eq!(found, wanted);
    let tail: Vec<&(String, Value)> = events.iter().rev().take(2).collect();
    assert_eq!(tail[1], &("best".to_owned(), lines::best(best.map(TextMove::new::<Bacteria>).as_ref())));
    assert_eq!(tail[0], &("end".to_owned(), json!({ "reason": "done" })));
}

#[tokio::test]
async fn a_win_by_threats_is_shown_to_its_end() {
    let site = TestSite::new();
    let moves = ["H8", "G9", "G8", "A1", "F8", "A15"];
    let events = analysis(&site, json!({ "game": "renju", "moves": moves, "nodes": 50_000 })).await;
    let (name, win) = &events[events.len() - 2];
    assert_eq!(name, "win");
    assert_eq!(win["win"].as_array().unwrap().len(), win["letters"].as_array().unwrap().len());
    assert_eq!((&events[0].1["wins_in"], &events[0].1["letters"]), (&json!(3), &win["letters"]));
    let best = events.iter().find(|(name, _)| name == "best").unwrap();
    assert_eq!(best.1["letters"], win["letters"][0]);
}

#[tokio::test]
async fn every_move_of_domineering_gets_its_exact_value() {
    let site = TestSite::new();
    let asked = json!({ "game": "domineering", "parameters": { "rows": "4", "columns": "5" }, "seed": 3 });
    let events = analysis(&site, asked.clone()).await;
    let (name, values) = &events[events.len() - 2];
    assert_eq!((name.as_str(), &values["proved"]), ("values", &json!(true)));
    let (_, position) = position(&site, asked).await;
    let legal: Vec<&Value> = position["legal"].as_array().unwrap().iter().map(|m| &m["letters"]).collect();
    let valued = values["moves"].as_array().unwrap();
    assert_eq!(valued.iter().map(|m| &m["letters"]).collect::<Vec<_>>(), legal);
    let highest = valued.iter().map(|m| m["value"].as_i64().unwrap()).max();
    assert_eq!(highest, values["value"].as_i64());
    assert!(valued.iter().all(|m| m["best"].as_bool().unwrap() == (m["value"].as_i64() == highest)));
}

#[tokio::test]
async fn players_of_every_game_answer_at_once() {
    let site = TestSite::new();
    let guest = Who::Cookie(String::new());
    for (game, engine) in [("bacteria", "champion:1"), ("domineering", "greedy"), ("renju", "champion:2")] {
        let asked = json!({ "game": game, "engine": engine, "engine_seed": 5, "ms": 50 });
        let answer = site.json("/api/v1/move", &guest, &asked.to_string()).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        let reply: Value = serde_json::from_str(&answer.text).unwrap();
        let (_, position) = position(&site, json!({ "game": game })).await;
        assert!(position["legal"].as_array().unwrap().iter().any(|m| m["move"] == reply["move"]), "{reply}");
        assert!(reply["ms"].as_f64().unwrap() < 60_000.0);
    }
    let check = async |asked: Value, detail: &str| {
        let answer = site.json("/api/v1/move", &guest, &asked.to_string()).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text);
        assert!(answer.text.contains(detail), "{}", answer.text);
    };
    check(json!({ "game": "renju", "engine": "champoin" }), "did you mean `champion`?").await;
    check(json!({ "game": "renju", "ms": 60_000 }), "`ms` is 60000; 1 to 10000 expected").await;
    let over = json!({ "game": "domineering", "position": "1/1 ./. H 2 0 0" });
    check(over, "the game is over").await;
    // The champion sees at once that it wins.
    let asked =
        json!({ "game": "renju", "moves": ["H8", "G9", "G8", "A1", "F8", "A15", "E8", "A14"], "clock": [60_000, 0] });
    let answer = site.json("/api/v1/move", &guest, &asked.to_string()).await;
    let reply: Value = serde_json::from_str(&answer.text).unwrap();
    assert!(["D8", "I8"].contains(&reply["letters"].as_str().unwrap()), "{reply}");
    assert_eq!(reply["score"], "wins in 1");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_ends_with_its_last_listener() {
    let site = TestSite::new();
    let asked = json!({ "game": "bacteria", "seconds": 300 });
    let path = format!("/api/v1/analysis?request={}", query_escaped(&asked.to_string()));
    let stream = site.send(request("GET", &path, &Who::Guest).body("".into()).unwrap()).await;
    let mut body = stream.into_body();
    assert!(body.frame().await.unwrap().is_ok());
    assert_eq!(site.site.boards.engines.running(), 1);
    drop(body);
    let begun = Instant::now();
    while site.site.boards.engines.running() > 0 {
        assert!(begun.elapsed() < Duration::from_mins(1), "the search goes on");
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // And when the site stops, with the reason.
    let stream = site.send(request("GET", &path, &Who::Guest).body("".into()).unwrap()).await;
    site.site.stop();
    let rest = stream.into_body().collect().await.unwrap().to_bytes();
    assert!(String::from_utf8_lossy(&rest).contains("{\"reason\":\"stopping\"}"));
    let refused = site.get(&path, &Who::Guest).await;
    assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{}", refused.text);
}

#[tokio::test]
async fn a_seed_has_its_puzzle() {
    let site = TestSite::new();
    let ask = async |path: &str| site.get(path, &Who::Guest).await;
    // A busy machine may need more time than an answer has.
    let found = async || loop {
        let answer = ask("/api/v1/puzzles/renju?seed=14").await;
        if answer.status != StatusCode::REQUEST_TIMEOUT {
            return answer;
        }
    };
    let answer = found().await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    assert_eq!(found().await.text, answer.text);
    let puzzle: Value = serde_json::from_str(&answer.text).unwrap();
    assert_eq!((&puzzle["seed"], &puzzle["game"]), (&json!(14), &json!("renju")));
    // Its solution can be played on a board.
    let asked = json!({ "game": "renju", "position": puzzle["position"], "moves": puzzle["letters"] });
    let (_, end) = position(&site, asked).await;
    assert!(puzzle["kind"] == "defence" || end["result"]["winner"] == puzzle["turn"], "{puzzle}");
    assert_eq!(ask("/api/v1/puzzles/renju?kind=exact").await.status, StatusCode::BAD_REQUEST);
    assert_eq!(ask("/api/v1/puzzles/petri").await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn moves_are_named_left_out_and_balanced() {
    let site = TestSite::new();
    let firsts = async |more: Value| {
        let mut asked = json!({ "game": "bacteria", "nodes": 4_000, "lines": 2 });
        asked.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let events = analysis(&site, asked).await;
        let lines = events.into_iter().filter(|(name, _)| name == "line").map(|(_, line)| line["letters"][0].clone());
        lines.collect::<HashSet<Value>>()
    };
    let (b6, c5) = (json!("a7b6"), json!("a7c5"));
    assert_eq!(firsts(json!({ "only": ["b6", "a7c5"] })).await, HashSet::from([b6.clone(), c5]));
    assert!(!firsts(json!({ "without": ["b6"] })).await.contains(&b6));
    assert!(!firsts(json!({ "balance": true })).await.is_empty());
    let refused = async |asked: Value, part: &str| {
        let path = format!("/api/v1/analysis?request={}", query_escaped(&asked.to_string()));
        let answer = site.get(&path, &Who::Guest).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.text);
        assert!(answer.text.contains(part), "{}", answer.text);
    };
    refused(json!({ "game": "bacteria", "only": ["d4"] }), "d4").await;
    refused(json!({ "game": "domineering", "balance": true }), "has the value of every move already").await;
    // On a site the memory of tables is that of all.
    refused(json!({ "game": "renju", "hash": 64 }), "`hash` is 64; 1 to 8 expected").await;
}

/// Proved opening moves are answered without a search; for other games nothing is known.
#[tokio::test]
async fn proved_positions_are_known() {
    let site = TestSite::new();
    let ask = async |asked: Value| {
        let answer = site.json("/api/v1/known", &Who::Cookie(String::new()), &asked.to_string()).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
        serde_json::from_str::<Value>(&answer.text).unwrap()
    };
    let opening = ask(json!({ "game": "renju", "moves": ["H8", "I9", "I7"] })).await;
    let moves = opening["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 223);
    assert!(moves.iter().filter(|one| one["by"] == "proved" && one["winner"] == 0).count() > 3, "{opening}");
    assert_eq!(ask(json!({ "game": "bacteria" })).await["moves"], json!([]));
}
