//! Games that are being played, as logs of events that anybody may follow from any event on.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_analysis::game_log::GameLog;
use agon_arena::transcript::logged;
use agon_boards::text::within;
use agon_boards::viewer::{spoken, spoken_step};
use agon_catalog::Game;
use agon_game::public::HIDDEN;
use agon_game::{GameState, Public, View};
use agon_message::Locale;
use agon_referee::bout::{Played, Spectator};
use agon_site::clock::now_ms;
use axum::body::{Body, Bytes};
use futures_util::stream;
use serde_json::{Value, json};
use tokio::sync::watch;

/// How long a stream is silent at most: proxies close those that are silent for longer.
const SILENCE: Duration = Duration::from_secs(15);

/// The answer to a browser that follows a game not in progress.
const GONE: &str = "event: gone\ndata: null\n\n";

/// An event in its final form: written once for all who follow the game in a language.
#[derive(Clone, Debug)]
pub(crate) struct LiveEvent {
    /// `start`, `step`, `end`, or `gone` for an aborted game.
    pub name: &'static str,
    /// With its number, and its data as JSON in one line; in the order of the languages.
    texts: [Bytes; Locale::ALL.len()],
}

impl LiveEvent {
    /// Its text for readers of this language.
    pub(crate) fn text(&self, locale: Locale) -> &Bytes {
        &self.texts[usize::from(locale != Locale::ALL[0])]
    }
}

/// A game that is being played.
pub(crate) struct LiveGame {
    events: Mutex<Vec<LiveEvent>>,
    /// Its position, and after how many moves.
    stands: Mutex<Option<(View, u32)>>,
    count: watch::Sender<usize>,
}

impl LiveGame {
    /// The event of this number, if it has happened.
    fn event(&self, number: usize) -> Option<LiveEvent> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).get(number).cloned()
    }

    /// Its position, and after how many moves; `None` before its programs are ready.
    pub(crate) fn stands(&self) -> Option<(View, u32)> {
        self.stands.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, view: View, moves: u32) {
        *self.stands.lock().unwrap_or_else(PoisonError::into_inner) = Some((view, moves));
    }

    /// The events from the `from`th on.
    #[cfg(test)]
    pub(crate) fn events(&self, from: usize) -> Vec<LiveEvent> {
        (from..).map_while(|number| self.event(number)).collect()
    }

    /// The game from an event on, as a stream that ends with the game, or when the site stops. A browser that reads
    /// nothing holds up no other: whatever it has not received yet stays here.
    pub(crate) fn follow(self: Arc<Self>, from: usize, locale: Locale, stopping: watch::Receiver<bool>) -> Body {
        let count = self.count.subscribe();
        // What has not happened has not been seen.
        let next = from.min(*count.borrow());
        let follower = Follower { live: self, count, locale, stopping, next, over: false };
        Body::from_stream(stream::unfold(follower, Follower::next))
    }

    fn push(&self, name: &'static str, data: &Value) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let id = events.len();
        let written = |data: &Value| Bytes::from(format!("event: {name}\nid: {id}\ndata: {data}\n\n"));
        let plain = written(data);
        // Moves are the same in every language, remarks about them are not.
        let same = name == "step" && data["remarks"].as_array().is_none_or(Vec::is_empty);
        let texts = Locale::ALL.map(|locale| match (name, locale) {
            (_, Locale::English) => plain.clone(),
            _ if same => plain.clone(),
            ("step", _) => within(locale, || written(&spoken_step(data.clone()))),
            _ => within(locale, || written(&spoken(data.clone()))),
        });
        events.push(LiveEvent { name, texts });
        let count = events.len();
        drop(events);
        self.count.send_replace(count);
    }
}

/// A game that is not being played, as a stream.
pub(crate) fn gone() -> Body {
    Body::from(GONE)
}

/// A follower of a game.
struct Follower {
    live: Arc<LiveGame>,
    count: watch::Receiver<usize>,
    locale: Locale,
    stopping: watch::Receiver<bool>,
    next: usize,
    over: bool,
}

impl Follower {
    async fn next(mut self) -> Option<(Result<Bytes, Infallible>, Self)> {
        while !self.over {
            if let Some(event) = self.live.event(self.next) {
                self.next += 1;
                self.over = matches!(event.name, "end" | "gone");
                return Some((Ok(event.text(self.locale).clone()), self));
            }
            let silent = tokio::select! {
                changed = self.count.changed() => changed.map_or(None, |()| Some(false)),
                _ = self.stopping.wait_for(|stopping| *stopping) => None,
                () = tokio::time::sleep(SILENCE) => Some(true),
            };
            if silent? {
                return Some((Ok(Bytes::from_static(b":\n\n")), self));
            }
        }
        None
    }
}

/// All live games, by their numbers.
#[derive(Default)]
pub(crate) struct LiveGames(Mutex<HashMap<i64, Arc<LiveGame>>>);

impl LiveGames {
    /// A game that is being played.
    pub(crate) fn find(&self, id: i64) -> Option<Arc<LiveGame>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    pub(crate) fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Begins to show a game between programs of these names.
    pub(crate) fn begin(&self, id: i64, game: Game, names: [String; 2], facts: Vec<String>) -> LiveShow {
        let live =
            Arc::new(LiveGame { events: Mutex::default(), stands: Mutex::default(), count: watch::Sender::new(0) });
        let before = self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&live));
        // A game that is played again starts over for its followers.
        if let Some(before) = before {
            before.push("gone", &Value::Null);
        }
        LiveShow { live, log: None, names, facts, game }
    }

    /// Ends it: with its result, or with `None` if it was aborted. Its followers still have the events.
    pub(crate) fn end(&self, id: i64, outcome: Option<&Value>) {
        let live = self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        if let Some(live) = live {
            match outcome {
                Some(outcome) => live.push("end", outcome),
                None => live.push("gone", &Value::Null),
            }
        }
    }
}

/// Shows a game while it is played.
pub(crate) struct LiveShow {
    live: Arc<LiveGame>,
    log: Option<GameLog>,
    names: [String; 2],
    facts: Vec<String>,
    game: Game,
}

impl Spectator for LiveShow {
    fn started(&mut self, state: &dyn GameState, clocks: [Duration; 2]) {
        let public = Public::from_state(state);
        let state = public.as_ref().map_or(state, |public| public);
        let mut log = GameLog::new(state);
        let names = self.names.each_ref().map(String::as_str);
        let mut head = log.head(state, names, &self.facts);
        head["places"] = log.new_places();
        head["steps"] = json!([]);
        (head["game"], head["title"]) = (self.game.name().into(), self.game.title().into());
        head["clocks"] = clocks.map(|clock| clock.as_millis() as u64).into_iter().collect();
        self.live.note(state.view(), 0);
        self.live.push("start", &head);
        self.log = Some(log);
    }

    fn moved(&mut self, state: &dyn GameState, played: &Played) {
        let Some(log) = &mut self.log else { return };
        // Only a program's author may know what it thinks.
        let mut played = Played { evaluation: None, messages: None, ..played.clone() };
        let public = Public::from_state(state);
        if public.is_some() {
            HIDDEN.clone_into(&mut played.arguments);
        }
        let state = public.as_ref().map_or(state, |public| public);
        if let Some(mut step) = log.played(state, logged(played)) {
            step["places"] = log.new_places();
            step["at"] = now_ms().into();
            self.live.note(log.view().clone(), log.moves());
            self.live.push("step", &step);
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_catalog::Setup;
    use agon_message::Stated;
    use agon_rules::petri::Misread;
    use futures_util::StreamExt as _;

    use super::*;

    /// No event contains simultaneous bids before both are made, nor ever hands and prizes to come.
    #[test]
    fn a_game_with_secrets_shows_no_move_before_its_end() {
        // Rules stay in the list of games once loaded: a separate process hides them from other tests.
        const ALONE: &str = "AGON_TEST_SECRETS";
        if std::env::var_os(ALONE).is_none() {
            let mut alone = std::process::Command::new(std::env::current_exe().unwrap());
            alone.args(["--exact", "live::tests::a_game_with_secrets_shows_no_move_before_its_end"]).env(ALONE, "1");
            let output = alone.output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && said.contains("1 passed"), "{said}");
            return;
        }
        let rules = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/games/goofspiel");
        let game = agon_external::load(&rules).unwrap();
        let setup = Setup { seed: 1, parameters: [("cards".to_owned(), "3".to_owned())].into() };
        let mut state = game.initial_state(&setup).unwrap();
        let games = LiveGames::default();
        let mut show = games.begin(7, game, ["a".into(), "b".into()], Vec::new());
        show.started(state.as_ref(), [Duration::from_secs(10); 2]);
        for (at, text) in ["3", "2", "1", "1", "2", "3"].into_iter().enumerate() {
            state.answer(text).unwrap();
            let played = Played {
                side: agon_game::Side::BOTH[at % 2],
                arguments: text.into(),
                moment: agon_referee::process::Moment::default(),
                clocks: [Duration::from_secs(9); 2],
                remark: None,
                evaluation: None,
                messages: None,
            };
            show.moved(state.as_ref(), &played);
        }
        let live = games.find(7).unwrap();
        let events: Vec<Value> = live
            .events(0)
            .into_iter()
            .map(|event| {
                let text = String::from_utf8(event.text(Locale::English).to_vec()).unwrap();
                serde_json::from_str(text.split_once("data: ").unwrap().1).unwrap()
            })
            .collect();
        let moves: Vec<&Value> = events[1..].iter().map(|step| &step["move"]).collect();
        assert_eq!(moves[..5], [&json!(HIDDEN); 5], "until the end");
        assert_eq!(moves[5], &json!("3"), "then all is shown");
        // The first bid is a place with a question mark, and no number.
        let places = events[1]["places"].to_string();
        assert!(places.contains("\"?\"") && !places.contains('3'), "{places}");
    }

    #[test]
    fn who_comes_late_misses_nothing() {
        let games = LiveGames::default();
        let mut state = Game::RENJU.initial_state(&Setup::default()).unwrap();
        let mut show = games.begin(7, Game::RENJU, ["a".into(), "b".into()], Vec::new());
        show.started(state.as_ref(), [Duration::from_secs(10); 2]);
        state.answer("8 8").unwrap();
        let played = Played {
            side: agon_game::Side::First,
            arguments: "8 8".into(),
            moment: agon_referee::process::Moment::default(),
            clocks: [Duration::from_secs(9); 2],
            remark: None,
            evaluation: None,
            messages: None,
        };
        show.moved(state.as_ref(), &played);
        let live = games.find(7).unwrap();
        let names = |from| live.events(from).into_iter().map(|event| event.name).collect::<Vec<_>>();
        assert_eq!(names(0), ["start", "step"]);
        assert_eq!((names(1), names(9)), (vec!["step"], vec![]));
        let data = |at: usize| {
            let text = String::from_utf8(live.events(at)[0].text(Locale::English).to_vec()).unwrap();
            text.split_once("data: ").unwrap().1.to_owned()
        };
        let step: Value = serde_json::from_str(&data(1)).unwrap();
        assert_eq!((&step["move"], &step["ply"], &step["places"][0][4]), (&json!("H8"), &json!(1), &json!("placed")));
        games.end(7, Some(&json!({ "result": "a draw" })));
        assert!(games.find(7).is_none());
        assert_eq!((names(2), *live.count.borrow()), (vec!["end"], 3));
    }

    #[tokio::test]
    async fn every_stream_gets_the_same_bytes() {
        let games = LiveGames::default();
        let state = Game::RENJU.initial_state(&Setup::default()).unwrap();
        let mut show = games.begin(7, Game::RENJU, ["a".into(), "b".into()], Vec::new());
        show.started(state.as_ref(), [Duration::from_secs(10); 2]);
        let live = games.find(7).unwrap();
        let stopping = watch::Sender::new(false);
        let follow = |from| Arc::clone(&live).follow(from, Locale::English, stopping.subscribe()).into_data_stream();
        let (mut first, mut second) = (follow(0), follow(0));
        let starts = [first.next().await.unwrap().unwrap(), second.next().await.unwrap().unwrap()];
        assert!(starts[0].starts_with(b"event: start\nid: 0\ndata: {"), "{starts:?}");
        assert_eq!(starts[0].as_ptr(), starts[1].as_ptr(), "written once");
        // A client that claims to have seen what has not happened still gets the end.
        let mut late = follow(usize::MAX);
        games.end(7, Some(&json!({ "result": "a draw" })));
        for stream in [&mut first, &mut second, &mut late] {
            let end = stream.next().await.unwrap().unwrap();
            assert_eq!(&end[..], b"event: end\nid: 1\ndata: {\"result\":\"a draw\"}\n\n");
            assert!(stream.next().await.is_none());
        }
        let all: Vec<Bytes> = follow(0).map(Result::unwrap).collect().await;
        let all = all.concat();
        assert!(all.starts_with(b"event: start") && all.ends_with(b"a draw\"}\n\n"), "{all:?}");
        let mut waiting = follow(1);
        stopping.send_replace(true);
        assert!(waiting.next().await.is_some() && waiting.next().await.is_none());
    }

    #[test]
    fn a_live_game_speaks_the_language_of_who_follows_it() {
        let games = LiveGames::default();
        let state = Game::BACTERIA.initial_state(&Setup::default()).unwrap();
        let facts = vec!["10 s a game for each side, 1024 MiB".to_owned()];
        let mut show = games.begin(7, Game::BACTERIA, ["a".into(), "b".into()], facts);
        show.started(state.as_ref(), [Duration::from_secs(10); 2]);
        let live = games.find(7).unwrap();
        games.end(7, Some(&json!({ "result": "O a wins: no empty cell is left" })));
        let events = live.events(0);
        let data = |at: usize, locale| -> Value {
            let text = String::from_utf8(events[at].text(locale).to_vec()).unwrap();
            serde_json::from_str(text.split_once("data: ").unwrap().1).unwrap()
        };
        let english = data(0, Locale::English);
        assert_eq!((&english["gauges"][0], &english["title"]), (&json!("cells"), &json!("Bacteria War")));
        let korean = data(0, Locale::Korean);
        assert_eq!((&korean["gauges"][0], &korean["title"]), (&json!("칸"), &json!("세균 전쟁")));
        assert_eq!(korean["facts"][0], "경기당 각 10초, 1024 MiB");
        assert_eq!(data(1, Locale::Korean)["result"], "O a 승: 빈칸이 없음");
    }

    #[test]
    fn what_is_remarked_on_a_live_move_is_said_in_the_language_of_who_follows() {
        let games = LiveGames::default();
        let _show = games.begin(7, Game::RENJU, ["a".into(), "b".into()], Vec::new());
        let live = games.find(7).unwrap();
        live.push(
            "step",
            &json!({
                "move": "H8",
                "remarks": [Misread::Strength.to_string()],
                "remarks_message": [Stated::from(&Misread::Strength).keyed],
            }),
        );
        live.push("step", &json!({ "move": "H9" }));
        let events = live.events(0);
        let text = |at: usize, locale| String::from_utf8(events[at].text(locale).to_vec()).unwrap();
        assert!(text(0, Locale::English).contains("an attack needs"), "{}", text(0, Locale::English));
        assert!(text(0, Locale::Korean).contains("공격 세기는 1부터 3까지여야 함"), "{}", text(0, Locale::Korean));
        assert_eq!(text(1, Locale::English), text(1, Locale::Korean), "moves are the same in every language");
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_stream_shows_that_it_lives() {
        let games = LiveGames::default();
        let _show = games.begin(7, Game::RENJU, ["a".into(), "b".into()], Vec::new());
        let stopping = watch::Sender::new(false);
        let mut stream = games.find(7).unwrap().follow(0, Locale::English, stopping.subscribe()).into_data_stream();
        assert_eq!(&stream.next().await.unwrap().unwrap()[..], b":\n\n");
        stopping.send_replace(true);
        assert!(stream.next().await.is_none(), "the site stops");
    }
}
