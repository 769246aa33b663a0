//! Games that are being played, as logs of events that anybody may follow from any event on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_analysis::game_log::GameLog;
use agon_arena::transcript::logged;
use agon_catalog::Game;
use agon_game::public::HIDDEN;
use agon_game::{GameState, Public, View};
use agon_message::{Locale, Stated};
use agon_referee::bout::{Played, Spectator};
use agon_site::clock::now_ms;
use bytes::Bytes;
use serde_json::{Value, json};
use tokio::sync::watch;

/// How long a stream is silent at most: proxies close those that are silent for longer.
const SILENCE: Duration = Duration::from_secs(15);

/// What a silent stream sends.
const ALIVE: &[u8] = b":\n\n";

/// An event with its number, and its data as JSON in one line; in the order of the languages.
pub type EventTexts = [Bytes; Locale::ALL.len()];

/// Writes the event of this name and number with this data: a site says it in each language.
pub type WriteEvent = fn(&str, usize, &Value) -> EventTexts;

/// An event as it is sent.
pub fn event_text(name: &str, id: usize, data: &Value) -> Bytes {
    Bytes::from(format!("event: {name}\nid: {id}\ndata: {data}\n\n"))
}

/// An event in its final form: written once for all who follow the game in a language.
#[derive(Clone, Debug)]
pub struct LiveEvent {
    /// `start`, `step`, `end`, or `gone` for an aborted game.
    pub name: &'static str,
    texts: EventTexts,
}

impl LiveEvent {
    /// Its text for readers of this language.
    pub fn text(&self, locale: Locale) -> &Bytes {
        &self.texts[usize::from(locale != Locale::ALL[0])]
    }
}

/// A game that is being played.
pub struct LiveGame {
    events: Mutex<Vec<LiveEvent>>,
    /// Its position, and after how many moves.
    stands: Mutex<Option<(View, u32)>>,
    count: watch::Sender<usize>,
    write: WriteEvent,
}

impl LiveGame {
    /// The event of this number, if it has happened.
    fn event(&self, number: usize) -> Option<LiveEvent> {
        self.events.lock().unwrap_or_else(PoisonError::into_inner).get(number).cloned()
    }

    /// Its position, and after how many moves; `None` before its programs are ready.
    pub fn stands(&self) -> Option<(View, u32)> {
        self.stands.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn note(&self, view: View, moves: u32) {
        *self.stands.lock().unwrap_or_else(PoisonError::into_inner) = Some((view, moves));
    }

    /// The events from the `from`th on.
    pub fn events(&self, from: usize) -> Vec<LiveEvent> {
        (from..).map_while(|number| self.event(number)).collect()
    }

    /// The game from an event on, until it ends or the site stops. A browser that reads nothing holds up no other:
    /// whatever it has not received yet stays here.
    pub fn follow(self: Arc<Self>, from: usize, locale: Locale, stopping: watch::Receiver<bool>) -> LiveFollower {
        let count = self.count.subscribe();
        // What has not happened has not been seen.
        let next = from.min(*count.borrow());
        LiveFollower { live: self, count, locale, stopping, next, over: false }
    }

    fn push(&self, name: &'static str, data: &Value) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let id = events.len();
        let texts = (self.write)(name, id, data);
        events.push(LiveEvent { name, texts });
        let count = events.len();
        drop(events);
        self.count.send_replace(count);
    }
}

/// A follower of a game.
pub struct LiveFollower {
    live: Arc<LiveGame>,
    count: watch::Receiver<usize>,
    locale: Locale,
    stopping: watch::Receiver<bool>,
    next: usize,
    over: bool,
}

impl LiveFollower {
    /// The next event in the follower's language, or a sign of life after a while; `None` at the end.
    pub async fn next(&mut self) -> Option<Bytes> {
        while !self.over {
            if let Some(event) = self.live.event(self.next) {
                self.next += 1;
                self.over = matches!(event.name, "end" | "gone");
                return Some(event.text(self.locale).clone());
            }
            let silent = tokio::select! {
                changed = self.count.changed() => changed.map_or(None, |()| Some(false)),
                _ = self.stopping.wait_for(|stopping| *stopping) => None,
                () = tokio::time::sleep(SILENCE) => Some(true),
            };
            if silent? {
                return Some(Bytes::from_static(ALIVE));
            }
        }
        None
    }
}

/// All live games, by their numbers.
pub struct LiveGames {
    games: Mutex<HashMap<i64, Arc<LiveGame>>>,
    write: WriteEvent,
}

/// Games whose events are the same in every language.
impl Default for LiveGames {
    fn default() -> Self {
        Self::new(|name, id, data| [event_text(name, id, data), event_text(name, id, data)])
    }
}

impl LiveGames {
    pub fn new(write: WriteEvent) -> Self {
        Self { games: Mutex::default(), write }
    }

    /// A game that is being played.
    pub fn find(&self, id: i64) -> Option<Arc<LiveGame>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    pub fn count(&self) -> usize {
        self.games.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Begins to show a game between programs of these names.
    pub fn begin(&self, id: i64, game: Game, names: [String; 2], facts: Vec<Stated>) -> LiveShow {
        let (events, stands, count) = (Mutex::default(), Mutex::default(), watch::Sender::new(0));
        let live = Arc::new(LiveGame { events, stands, count, write: self.write });
        let before = self.games.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&live));
        // A game that is played again starts over for its followers.
        if let Some(before) = before {
            before.push("gone", &Value::Null);
        }
        LiveShow { live, log: None, names, facts, game }
    }

    /// Ends it: with its result, or with `None` if it was aborted. Its followers still have the events.
    pub fn end(&self, id: i64, outcome: Option<&Value>) {
        let live = self.games.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        if let Some(live) = live {
            match outcome {
                Some(outcome) => live.push("end", outcome),
                None => live.push("gone", &Value::Null),
            }
        }
    }
}

/// Shows a game while it is played.
pub struct LiveShow {
    live: Arc<LiveGame>,
    log: Option<GameLog>,
    names: [String; 2],
    facts: Vec<Stated>,
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
        // The first bid lies face down, as do all cards in hands.
        let hands = events[1]["hands"].as_array().unwrap();
        let cards = |owner: usize, name: &str| {
            hands.iter().find(|hand| hand["owner"] == json!(owner) && hand["name"] == name).unwrap()["cards"].clone()
        };
        assert_eq!(
            (cards(0, "bids"), cards(0, ""), cards(1, "")),
            (json!(["?"]), json!(["?", "?"]), json!(["?", "?", "?"]))
        );
        assert_eq!(events[2]["hands"][1]["cards"], json!(["3"]), "both have bid");
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
        let follow = |from| Arc::clone(&live).follow(from, Locale::English, stopping.subscribe());
        let (mut first, mut second) = (follow(0), follow(0));
        let starts = [first.next().await.unwrap(), second.next().await.unwrap()];
        assert!(starts[0].starts_with(b"event: start\nid: 0\ndata: {"), "{starts:?}");
        assert_eq!(starts[0].as_ptr(), starts[1].as_ptr(), "written once");
        // A client that claims to have seen what has not happened still gets the end.
        let mut late = follow(usize::MAX);
        games.end(7, Some(&json!({ "result": "a draw" })));
        for stream in [&mut first, &mut second, &mut late] {
            let end = stream.next().await.unwrap();
            assert_eq!(&end[..], b"event: end\nid: 1\ndata: {\"result\":\"a draw\"}\n\n");
            assert!(stream.next().await.is_none());
        }
        let (mut whole, mut all) = (follow(0), Vec::new());
        while let Some(event) = whole.next().await {
            all.extend(event);
        }
        assert!(all.starts_with(b"event: start") && all.ends_with(b"a draw\"}\n\n"), "{all:?}");
        let mut waiting = follow(1);
        stopping.send_replace(true);
        assert!(waiting.next().await.is_some() && waiting.next().await.is_none());
    }

    #[tokio::test(start_paused = true)]
    async fn a_silent_stream_shows_that_it_lives() {
        let games = LiveGames::default();
        let _show = games.begin(7, Game::RENJU, ["a".into(), "b".into()], Vec::new());
        let stopping = watch::Sender::new(false);
        let mut stream = games.find(7).unwrap().follow(0, Locale::English, stopping.subscribe());
        assert_eq!(&stream.next().await.unwrap()[..], b":\n\n");
        stopping.send_replace(true);
        assert!(stream.next().await.is_none(), "the site stops");
    }
}
