//! Games of two people by link.

use std::time::Duration;

use agon_catalog::{Game, Setup};
use agon_game::Side;
use agon_referee::record::{Record, Termination, Winner};
use agon_site::clock::{now, now_ms};
use agon_site::secret;
use agon_site::store::{SharedClock, SharedGame, SharedSeat};
use axum::body::{Body, BodyDataStream};
use axum::http::StatusCode;
use futures_util::StreamExt as _;
use serde_json::{Value, json};

use super::{TestSite, Who, request};

/// A game that has been opened.
struct Opened {
    id: String,
    /// The keys of the opener and of the invited player.
    keys: [String; 2],
}

/// Opens a game as its first side.
async fn open(site: &TestSite, who: &Who, form: &[(&str, &str)]) -> Opened {
    let answer = site.post("/board/invite", who, &[form, &[("side", "first")]].concat()).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text);
    let (path, keys) = answer.header("location").split_once("#first=").unwrap();
    let (own, other) = keys.split_once("&invite=").unwrap();
    Opened { id: path.strip_prefix("/board/game/").unwrap().to_owned(), keys: [own.to_owned(), other.to_owned()] }
}

impl Opened {
    async fn send(&self, site: &TestSite, who: &Who, what: &str, body: Value) -> (StatusCode, String) {
        let answer = site.json(&format!("/board/game/{}/{what}", self.id), who, &body.to_string()).await;
        let problem: Value = serde_json::from_str(&answer.text).unwrap_or_default();
        (answer.status, problem["detail"].as_str().unwrap_or_default().to_owned())
    }

    /// Plays a side's move after `ply` moves; `refused` is a part of the refusal, `None` if the move is accepted.
    async fn play(&self, site: &TestSite, side: usize, ply: usize, text: &str, refused: Option<&str>) {
        let body = json!({ "key": self.keys[side], "ply": ply, "move": text });
        let (status, detail) = self.send(site, &Who::Guest, "move", body).await;
        match refused {
            None => assert_eq!(status, StatusCode::NO_CONTENT, "{text}: {detail}"),
            Some(words) => assert!(status.is_client_error() && detail.contains(words), "{status} {detail}"),
        }
    }

    async fn follow(&self, site: &TestSite) -> BodyDataStream {
        let path = format!("/board/game/{}/events", self.id);
        let stream = site.send(request("GET", &path, &Who::Guest).body(Body::empty()).unwrap()).await;
        assert_eq!(stream.status(), StatusCode::OK);
        stream.into_body().into_data_stream()
    }
}

/// The next event of a stream; `None` when it has ended.
async fn next_event(stream: &mut BodyDataStream) -> Option<Value> {
    loop {
        let text = stream.next().await?.unwrap();
        let text = std::str::from_utf8(&text).unwrap();
        if let Some((_, data)) = text.split_once("data: ") {
            return Some(serde_json::from_str(data).unwrap());
        }
    }
}

#[tokio::test]
async fn two_people_play_and_others_watch() {
    let site = TestSite::new();
    let (_, ada) = site.member("ada", false);
    let game = open(&site, &ada, &[("game", "domineering"), ("rows", "3"), ("columns", "3")]).await;
    let mut watcher = game.follow(&site).await;
    let start = next_event(&mut watcher).await.unwrap();
    assert_eq!(
        (&start["joined"], &start["names"], &start["left"]),
        (&json!([true, false]), &json!(["ada", null]), &Value::Null)
    );
    // The keys are nowhere but in the links.
    let page = site.get(&format!("/board/game/{}", game.id), &Who::Guest).await;
    assert!(page.text.contains("ada – a guest"), "{}", page.text);
    for key in &game.keys {
        let digest = agon_game::hash::hex(&secret::digest(key));
        assert!([key, &digest].iter().all(|word| !page.text.contains(*word) && !start.to_string().contains(*word)));
    }
    let join = |key: &str| json!({ "key": key });
    let (status, why) = game.send(&site, &Who::Guest, "join", join("another")).await;
    assert!(status == StatusCode::FORBIDDEN && why.contains("you can watch"), "{why}");
    assert_eq!(game.send(&site, &Who::Guest, "join", join(&game.keys[1])).await.0, StatusCode::NO_CONTENT);
    assert_eq!(next_event(&mut watcher).await.unwrap()["joined"], json!([true, true]));
    game.play(&site, 1, 0, "1 1", Some("not your turn")).await;
    game.play(&site, 0, 0, "3 3", Some("move 1, 3 3:")).await;
    game.play(&site, 0, 0, "1 1", None).await;
    // A move that is sent once more, as after a lost answer, is not played twice.
    game.play(&site, 0, 0, "2 1", Some("not your turn")).await;
    assert_eq!(next_event(&mut watcher).await.unwrap()["moves"], json!(["1 1"]));
    game.play(&site, 1, 1, "pass", None).await;
    game.play(&site, 0, 2, "2 1", None).await;
    let record = format!("/board/game/{}/record", game.id);
    assert_eq!(site.get(&record, &Who::Guest).await.status, StatusCode::NOT_FOUND, "it is not over");
    game.play(&site, 1, 3, "pass", None).await;
    game.play(&site, 0, 4, "pass", None).await;
    let mut end = Value::Null;
    while end["end"].is_null() {
        end = next_event(&mut watcher).await.unwrap();
    }
    assert_eq!(end["end"]["reason"], "both players passed one after the other");
    game.play(&site, 1, 5, "pass", Some("the game is over")).await;
    let answer = site.get(&record, &Who::Guest).await;
    let record = Record::read(&answer.text).unwrap();
    assert_eq!(record.header.agents.each_ref().map(|agent| &agent.agent[..]), ["ada", "a guest"]);
    let mut competition = Game::DOMINEERING
        .initial_state(&Setup { seed: record.header.seed, parameters: record.header.parameters.clone() })
        .unwrap();
    assert_eq!(agon_referee::replay::prove(&record, competition.as_mut()).unwrap().len(), 5);
}

/// The record of a game, which must replay.
async fn proved(site: &TestSite, game: &Opened) -> Record {
    let answer = site.get(&format!("/board/game/{}/record", game.id), &Who::Guest).await;
    let record = Record::read(&answer.text).unwrap();
    let known = Game::by_name(&record.header.game).unwrap();
    let setup = Setup { seed: record.header.seed, parameters: record.header.parameters.clone() };
    agon_referee::replay::prove(&record, known.initial_state(&setup).unwrap().as_mut()).unwrap();
    record
}

#[tokio::test]
async fn a_record_says_who_has_resigned() {
    let site = TestSite::new();
    let game = open(&site, &Who::Guest, &[("game", "renju")]).await;
    game.play(&site, 0, 0, "H8", None).await;
    game.play(&site, 1, 1, "H9", None).await;
    // It is the other player's turn.
    let resigned = game.send(&site, &Who::Guest, "resign", json!({ "key": game.keys[1] })).await;
    assert_eq!(resigned.0, StatusCode::NO_CONTENT);
    let record = proved(&site, &game).await;
    assert_eq!((record.result.winner, &record.result.reason.text[..]), (Winner::First, "White resigns"));
    assert_eq!(record.result.termination, Some(Termination::Resignation));
    assert!(record.is_clean() && record.result.plies == 2);
}

#[tokio::test]
async fn moves_are_taken_back_and_draws_agreed() {
    let site = TestSite::new();
    let game = open(&site, &Who::Guest, &[("game", "renju")]).await;
    let send = async |side: usize, what: &str, more: Value| {
        let mut body = json!({ "key": game.keys[side] });
        body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
        game.send(&site, &Who::Guest, what, body).await
    };
    let mut watcher = game.follow(&site).await;
    next_event(&mut watcher).await.unwrap();
    let (status, why) = send(0, "takeback", Value::Null).await;
    assert!(status == StatusCode::CONFLICT && why.contains("no move yet"), "{status} {why}");
    game.play(&site, 0, 0, "H8", None).await;
    game.play(&site, 1, 1, "H9", None).await;
    assert_eq!(send(1, "takeback", Value::Null).await.0, StatusCode::NO_CONTENT);
    let mut seen = next_event(&mut watcher).await.unwrap();
    while seen["offer"].is_null() {
        seen = next_event(&mut watcher).await.unwrap();
    }
    assert_eq!(seen["offer"], json!({ "offer": "takeback", "by": 1, "declined": false }));
    assert_eq!(send(1, "answer", json!({ "ply": 2, "accept": true })).await.0, StatusCode::CONFLICT);
    assert_eq!(send(0, "answer", json!({ "ply": 2, "accept": true })).await.0, StatusCode::NO_CONTENT);
    seen = next_event(&mut watcher).await.unwrap();
    assert_eq!((&seen["moves"], &seen["offer"]), (&json!(["8 8"]), &Value::Null));
    game.play(&site, 1, 1, "I9", None).await;
    assert_eq!(send(1, "draw", Value::Null).await.0, StatusCode::NO_CONTENT);
    assert_eq!(send(0, "answer", json!({ "ply": 2, "accept": false })).await.0, StatusCode::NO_CONTENT);
    assert!(send(1, "draw", Value::Null).await.1.contains("declined"));
    assert_eq!(send(0, "draw", Value::Null).await.0, StatusCode::NO_CONTENT);
    assert_eq!(send(1, "draw", Value::Null).await.0, StatusCode::NO_CONTENT);
    let record = proved(&site, &game).await;
    assert_eq!((record.result.winner, &record.result.reason.text[..]), (Winner::Draw, "both players agree to a draw"));
}

#[tokio::test]
async fn they_play_again_with_the_seats_swapped() {
    let site = TestSite::new();
    let game = open(&site, &Who::Guest, &[("game", "renju"), ("clock", "60+0")]).await;
    let send =
        async |side: usize, what: &str| game.send(&site, &Who::Guest, what, json!({ "key": game.keys[side] })).await.0;
    assert_eq!(send(0, "again").await, StatusCode::CONFLICT);
    assert_eq!(send(1, "resign").await, StatusCode::NO_CONTENT);
    assert_eq!(send(0, "resign").await, StatusCode::CONFLICT);
    assert_eq!((send(0, "again").await, send(1, "again").await), (StatusCode::NO_CONTENT, StatusCode::NO_CONTENT));
    let mut watcher = game.follow(&site).await;
    let over = next_event(&mut watcher).await.unwrap();
    let end = json!({ "winner": 0, "reason": "White resigns", "termination": "resignation" });
    assert_eq!(over["end"], end);
    assert!(next_event(&mut watcher).await.is_none(), "nothing more happens here");
    let keys = [game.keys[1].clone(), game.keys[0].clone()];
    let next = Opened { id: over["next"].as_str().unwrap().to_owned(), keys };
    next.play(&site, 1, 0, "H8", Some("not your turn")).await;
    next.play(&site, 0, 0, "H8", None).await;
    let begun = next_event(&mut next.follow(&site).await).await.unwrap();
    assert_eq!(
        (&begun["moves"], &begun["left"], &begun["running"]),
        (&json!(["8 8"]), &json!([60_000, 60_000]), &Value::Null)
    );
}

/// Opens a game in which the second side, to move from now on, has `left` milliseconds left.
fn hurried(site: &TestSite, id: &str, left: u64) {
    hurried_since(site, id, left, now_ms() as i64);
}

fn hurried_since(site: &TestSite, id: &str, left: u64, moved_ms: i64) {
    let seat = |key| SharedSeat { key: secret::digest(key), account: None, name: None, joined: true, again: false };
    let game = SharedGame {
        id: id.to_owned(),
        version: 1,
        game: Game::RENJU,
        setup: Setup::default(),
        seats: [seat("one"), seat("two")],
        clock: Some(SharedClock { base_ms: 60_000, increment_ms: 0, left_ms: [60_000, left] }),
        moves: ["8 8", "7 8", "7 9"].map(str::to_owned).into(),
        turn: Some(Side::Second),
        moved_ms,
        offer: None,
        end: None,
        next: None,
    };
    assert!(site.site.writer().open_shared_game(&game, 1, crate::limits::OPEN_GAMES).unwrap());
}

#[tokio::test]
async fn who_has_no_time_left_has_lost() {
    let site = TestSite::new();
    hurried(&site, "watched", 2_000);
    let watched = Opened { id: "watched".into(), keys: ["one".into(), "two".into()] };
    let mut watcher = watched.follow(&site).await;
    let begun = next_event(&mut watcher).await.unwrap();
    assert!(begun["running"] == 1 && begun["left"][1].as_u64().unwrap() <= 2_000, "{begun}");
    let lost = json!({ "winner": 0, "reason": "White has no time left", "termination": "time" });
    // No request arrives: the stream itself ends the game.
    let ended = next_event(&mut watcher).await.unwrap();
    assert_eq!((&ended["end"], &ended["left"][1]), (&lost, &json!(0)));
    let record = proved(&site, &watched).await;
    assert_eq!((record.result.winner, record.result.termination), (Winner::First, Some(Termination::Time)));
    // While the site is read-only no game is lost on time, and afterwards the clock begins where it stood.
    hurried(&site, "maintained", 1);
    site.site.set_read_only(true, agon_site::store::Origin::command_line()).await.unwrap();
    let maintained = Opened { id: "maintained".into(), keys: ["one".into(), "two".into()] };
    tokio::time::sleep(Duration::from_millis(5)).await;
    assert_eq!(next_event(&mut maintained.follow(&site).await).await.unwrap()["end"], Value::Null);
    hurried_since(&site, "resumed", 60_000, now_ms() as i64 - 70_000);
    site.site.set_read_only(false, agon_site::store::Origin::command_line()).await.unwrap();
    let resumed = site.site.writer().shared_game("resumed").unwrap().unwrap();
    assert_eq!(crate::shared::flagged(&resumed, now_ms() as i64), None);
    // Nor does a move come in time.
    hurried(&site, "late", 0);
    let late = Opened { id: "late".into(), ..watched };
    late.play(&site, 1, 3, "1 1", Some("the game is over: White has no time left")).await;
    // Upkeep ends a game without visitors.
    hurried(&site, "left", 0);
    crate::shared::tidy(&mut site.site.writer(), &site.site.shared, now_ms() as i64).unwrap();
    let left = site.site.writer().shared_game("left").unwrap().unwrap();
    assert_eq!(left.end.unwrap().reason.text, "White has no time left");
    crate::shared::tidy(&mut site.site.writer(), &site.site.shared, (now() + 40 * 86_400) * 1000).unwrap();
    assert_eq!(site.site.writer().shared_game("left").unwrap(), None, "it is kept for a while only");
}

#[tokio::test]
async fn who_comes_later_and_who_leaves_holds_up_no_one() {
    let site = TestSite::new();
    let game = open(&site, &Who::Guest, &[("game", "bacteria")]).await;
    let (mut one, gone) = (game.follow(&site).await, game.follow(&site).await);
    next_event(&mut one).await.unwrap();
    drop(gone);
    game.play(&site, 0, 0, "b7", None).await;
    let event = tokio::time::timeout(Duration::from_mins(1), next_event(&mut one)).await.expect("a move").unwrap();
    assert_eq!(event["moves"], json!(["1 1 1 2"]));
    let mut late = game.follow(&site).await;
    assert_eq!(next_event(&mut late).await.unwrap()["moves"], json!(["1 1 1 2"]));
    assert_eq!(site.site.shared.count(), 1);
    drop((one, late));
    assert_eq!(site.site.shared.count(), 0, "a game without watchers takes no memory");
    // Streams end with the site.
    let mut last = game.follow(&site).await;
    next_event(&mut last).await.unwrap();
    site.site.stop();
    assert!(next_event(&mut last).await.is_none());
}

#[tokio::test]
async fn a_refused_form_says_why_and_the_number_of_open_games_is_limited() {
    let site = TestSite::new();
    let check = async |form: &[(&str, &str)], words: &str, kept: &str| {
        let answer = site.post("/board/invite", &Who::Guest, form).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{form:?}");
        assert!(answer.text.contains(words) && answer.text.contains(kept), "{}", answer.text);
    };
    check(&[("game", "petri")], "Choose a game", "").await;
    let one = [("game", "domineering"), ("rows", "1"), ("columns", "1")];
    check(&one, "No move is possible on such a board", "value=\"1\"").await;
    check(&[("game", "renju"), ("clock", "1+1")], "Choose a clock", "value=\"renju\" selected").await;
    check(&[("game", "domineering"), ("rows", "99"), ("columns", "7")], "rows", "value=\"7\"").await;
    let mut opened = 0;
    let refused = loop {
        let answer = site.post("/board/invite", &Who::Guest, &[("game", "renju")]).await;
        if answer.status != StatusCode::SEE_OTHER {
            break answer;
        }
        opened += 1;
        assert!(opened < 100);
    };
    assert_eq!((opened, refused.status), (40, StatusCode::TOO_MANY_REQUESTS));
    assert!(refused.text.contains("Too many games opened from your address"), "{}", refused.text);
    site.site.set_read_only(true, agon_site::store::Origin::command_line()).await.unwrap();
    assert_eq!(site.post("/board/invite", &Who::Guest, &[]).await.status, StatusCode::SERVICE_UNAVAILABLE);
}
