//! The champion's evaluation of the games of a site.

use agon_arena::agents::PreparedAgent;
use agon_arena::game::Bout;
use agon_boards::analysis::CurvePoint;
use agon_catalog::{Game, Setup};
use agon_game::Side;
use agon_referee::agent::AgentSpec;
use agon_referee::bout::Afterwards;
use agon_referee::limits::GameLimits;
use agon_site::store::{BoutKind, NewBout, PlayedBout};
use axum::http::StatusCode;
use serde_json::Value;

use super::{TestSite, Who};

/// A game between built-in players that has been played on a site, and how many moves it had.
pub(super) fn played(site: &TestSite, game: Game, players: [&str; 2], parameters: &[(&str, &str)]) -> (i64, u32) {
    let limits = GameLimits::default();
    let ready = |name: &str| PreparedAgent::prepare(game, AgentSpec::builtin(name), &limits).unwrap();
    let [first, second] = players.map(ready);
    let parameters = parameters.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let mut bout = Bout::new(game, Setup { seed: 3, parameters }, limits).unwrap();
    let mut seats = bout.seats([&first, &second], None).unwrap();
    let record = bout.play([&first, &second], &mut seats, Afterwards::Exit, &mut ());
    let plies = bout.state().ply();
    let competition = site.site.competition_at(game.name()).unwrap().id;
    let mut store = site.site.writer();
    let programs = players.map(|name| {
        let all = store.ladder(competition, 0, 100).unwrap();
        (all.iter().find(|row| row.program.name == name).map_or(all[0].program.id, |row| row.program.id), None)
    });
    let id = store.begin_bout(&NewBout { competition, kind: BoutKind::Ladder, seed: 3, seats: programs }, 1).unwrap();
    let ended = PlayedBout {
        winner: record.result.winner,
        reason: record.result.reason.clone(),
        verdicts: Side::BOTH.map(|side| record.result.verdicts[side.index()].verdict),
        plies,
        time_ms: [1.0; 2],
        record: record.write(),
        worker: None,
        game_digest: None,
    };
    assert!(store.end_bout(id, &ended, 2).unwrap());
    (id, plies)
}

/// The meaning of a curve, and its points.
async fn curve(site: &TestSite, id: i64) -> (String, Vec<CurvePoint>) {
    let answer = site.get(&format!("/game/{id}/evaluation"), &Who::Guest).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text);
    let mut events = Vec::new();
    for block in answer.text.split("\n\n").filter(|block| block.starts_with("event")) {
        let (name, data) = block.split_once('\n').unwrap();
        events.push((name.to_owned(), data.strip_prefix("data: ").unwrap().to_owned()));
    }
    assert_eq!(events.last().unwrap().0, "event: end");
    let meaning: Value = serde_json::from_str(&events[0].1).unwrap();
    let points = events[1..events.len() - 1].iter().map(|(_, data)| serde_json::from_str(data).unwrap());
    (meaning["meaning"].as_str().unwrap().to_owned(), points.collect())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_position_of_a_game_is_evaluated_once() {
    let site = TestSite::new();
    let (id, plies) = played(&site, Game::DOMINEERING, ["greedy", "random"], &[("rows", "4"), ("columns", "4")]);
    assert_eq!(site.site.writer().evaluation(id).unwrap(), None);
    // Two simultaneous requests make the champion think once.
    let ((meaning, points), (_, others)) = tokio::join!(curve(&site, id), curve(&site, id));
    assert_eq!(points, others);
    assert!(meaning.starts_with("Who ends ahead") && meaning.contains("above the middle H is ahead"), "{meaning}");
    let known: Vec<u32> = points.iter().map(|point| point.ply).collect();
    assert_eq!(known, (0..=plies).rev().collect::<Vec<_>>(), "from the end, where most is known");
    // On such a small board everything is proved: a point is never better for the side that has just moved than the one
    // before.
    assert!(points[1..].iter().all(|point| point.text.text.ends_with(", proved")), "{points:?}");
    for pair in points.windows(2) {
        let [after, before] = [pair[0].value.unwrap(), pair[1].value.unwrap()];
        let first_moved = pair[1].ply.is_multiple_of(2);
        assert!(if first_moved { after <= before } else { after >= before }, "{pair:?}");
    }
    let kept: Vec<CurvePoint> = serde_json::from_str(&site.site.writer().evaluation(id).unwrap().unwrap()).unwrap();
    // What is kept has keys as well; pages get texts in the language of the visitor.
    assert!(kept.iter().all(|point| point.text.keyed.is_some()), "{kept:?}");
    let texts = kept.into_iter().map(|point| CurvePoint { text: point.text.text.as_str().into(), ..point });
    assert_eq!(texts.collect::<Vec<_>>(), points);
    // The stored curve is the answer: it is not computed again.
    site.site.writer().keep_evaluation(id, "[]").unwrap();
    assert_eq!(curve(&site, id).await.1, []);
    let page = site.get(&format!("/game/{id}"), &Who::Guest).await.text;
    assert!(
        page.contains(&format!("data-events=\"/game/{id}/evaluation\"")) && page.contains("evaluation.js"),
        "{page}"
    );
    assert_eq!(site.get("/game/99/evaluation", &Who::Guest).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_win_is_seen_before_it_is_there() {
    let site = TestSite::new();
    let (id, plies) = played(&site, Game::RENJU, ["greedy", "random"], &[]);
    let (_, points) = curve(&site, id).await;
    assert_eq!((points[0].ply, points[0].text.text.as_str()), (plies, "Black has won"));
    assert_eq!((points[0].wins, points[1].wins, points[1].text.text.as_str()), (Some(0), Some(0), "Black wins in 1"));
    assert_eq!(points.last().unwrap().text.text, "a known opening");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_a_dish_cells_are_counted() {
    let site = TestSite::new();
    let species = Game::PETRI.builtin_names();
    let (id, _) = played(&site, Game::PETRI, [species[8], species[7]], &[("turns", "20")]);
    let (meaning, points) = curve(&site, id).await;
    assert!(meaning.contains("evaluates no position"), "{meaning}");
    assert_eq!(points.last().unwrap().text.text, "cells 1 to 1");
    assert!(points.len() > 10 && points.iter().all(|point| point.value.is_some()), "{points:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bacteria_are_weighed_in_cells() {
    let site = TestSite::new();
    let (id, plies) = played(&site, Game::BACTERIA, ["greedy", "random"], &[]);
    let (meaning, points) = curve(&site, id).await;
    assert!(meaning.contains("in cells"), "{meaning}");
    assert_eq!((points.len() as u32, points[0].text.text.as_str()), (plies + 1, "O has won"));
    let late = &points[points.len() / 4];
    assert!(late.wins == Some(0) || late.value.unwrap() > 0.0, "{late:?}");
}
