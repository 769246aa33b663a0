//! What boards ask.

use std::time::{Duration, Instant};

use agon_rules::catalog::{Game, Setup};
use axum::http::StatusCode;
use serde_json::{Value, json};

use super::{TestSite, Who};

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
    assert_eq!(answer["moves"][1], json!({ "move": "1 7 3 5", "letters": "g7e5", "side": 1 }));
    assert_eq!((answer["cells"].as_array().unwrap().len(), &answer["letter"]), (49, &json!("a")));
    let legal = answer["legal"].as_array().unwrap();
    let at = |row: u64, column: u64| (row - 1) * 7 + column - 1;
    // A division to (2,3) comes from (2,2) alone; one to (1,2) from either own cell, and is one move.
    let to =
        |place: u64| legal.iter().find(|m| m["to"] == json!([place]) && m["effect"].as_array().unwrap().len() == 1);
    assert_eq!(to(at(1, 2)).unwrap()["from"], json!([at(1, 1), at(2, 2)]));
    assert_eq!(to(at(2, 3)).unwrap()["from"], json!([at(2, 2)]));
    // A leap to (3,4) empties its source and infects the cell beside.
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
    for game in [Game::Bacteria, Game::Domineering, Game::Renju] {
        let start = game.contest(&Setup { seed: 7, ..Setup::default() }).unwrap();
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
    let (_, over) = position(
        &site,
        json!({ "game": "domineering", "position": "12/31 ../.. H 0 2.5 0", "moves": ["pass", "pass"] }),
    )
    .await;
    assert_eq!((&over["result"]["winner"], &over["turn"], &over["legal"]), (&json!(1), &Value::Null, &json!([])));
    assert_eq!(over["result"]["reason"], "both players passed one after the other");
}

#[tokio::test]
async fn what_is_wrong_with_a_question_is_told() {
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
    check(json!({ "game": "bacteria", "position": "7/7 x" }), Value::Null, "`7/7 x` is no position of bacteria").await;
    check(json!({ "game": "renju", "parameters": { "size": "9" } }), Value::Null, "renju has no parameter `size`")
        .await;
    let both = json!({ "game": "domineering", "position": "1/1 ./. H 2 0 0", "parameters": { "rows": "3" } });
    check(both, Value::Null, "`rows` is given together with a position").await;
    check(json!({ "game": "renju", "moves": vec!["H8"; 1_001] }), Value::Null, "more than 1000 moves").await;
    check(json!({ "game": "renju", "level": 3 }), Value::Null, "unknown field `level`").await;
}

#[tokio::test]
async fn a_position_is_answered_at_once() {
    let site = TestSite::new();
    // The slowest: many legal moves, after each of which every point is looked at for what is forbidden.
    let moves = ["H8", "H9", "J8", "O1", "I9", "O15", "I10", "A15", "G7"];
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let begun = Instant::now();
        let (status, _) = position(&site, json!({ "game": "renju", "moves": moves })).await;
        assert_eq!(status, StatusCode::OK);
        best = best.min(begun.elapsed());
    }
    assert!(best < Duration::from_millis(30), "{best:?}");
}
