//! Games that are being played, as logs of events that anybody may follow from any event on.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use agon_game::Contest;
use agon_referee::bout::{Played, Spectator};
use agon_rules::catalog::Game;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::viewer::GameLog;

/// An event: its name, and its data in one line.
#[derive(Clone, Debug)]
pub struct LiveEvent {
    /// `start`, `step`, `end`, or `gone` of a game that was broken off.
    pub name: &'static str,
    /// JSON.
    pub data: Arc<str>,
}

/// A game that is being played.
pub struct LiveGame {
    events: Mutex<Vec<LiveEvent>>,
    count: watch::Sender<usize>,
}

impl LiveGame {
    /// The events from the `from`th on.
    pub fn events(&self, from: usize) -> Vec<LiveEvent> {
        let events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.get(from..).unwrap_or_default().to_vec()
    }

    /// Tells how many events there are.
    pub fn follow(&self) -> watch::Receiver<usize> {
        self.count.subscribe()
    }

    fn push(&self, name: &'static str, data: &Value) {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        events.push(LiveEvent { name, data: data.to_string().into() });
        let count = events.len();
        drop(events);
        self.count.send_replace(count);
    }
}

/// All of them, by their numbers.
#[derive(Default)]
pub struct LiveGames(Mutex<HashMap<i64, Arc<LiveGame>>>);

impl LiveGames {
    /// A game that is being played.
    pub fn find(&self, id: i64) -> Option<Arc<LiveGame>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&id).cloned()
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Begins to show a game between programs of these names.
    pub fn begin(&self, id: i64, game: Game, names: [String; 2], facts: Vec<String>) -> LiveShow {
        let live = Arc::new(LiveGame { events: Mutex::default(), count: watch::Sender::new(0) });
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(id, Arc::clone(&live));
        LiveShow { live, log: None, names, facts, title: game.title() }
    }

    /// Ends it: with its result, or with `None` when it was broken off. Who follows it has the events still.
    pub fn end(&self, id: i64, outcome: Option<&Value>) {
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
pub struct LiveShow {
    live: Arc<LiveGame>,
    log: Option<GameLog>,
    names: [String; 2],
    facts: Vec<String>,
    title: &'static str,
}

impl Spectator for LiveShow {
    fn started(&mut self, contest: &dyn Contest, clocks: [Duration; 2]) {
        let mut log = GameLog::new(contest);
        let names = self.names.each_ref().map(String::as_str);
        let mut head = log.head(contest, names, &self.facts);
        head["places"] = log.new_places();
        head["steps"] = json!([]);
        head["title"] = self.title.into();
        head["clocks"] = clocks.map(|clock| clock.as_millis() as u64).into_iter().collect();
        self.live.push("start", &head);
        self.log = Some(log);
    }

    fn moved(&mut self, contest: &dyn Contest, played: &Played) {
        let Some(log) = &mut self.log else { return };
        if let Some(mut step) = log.played(contest, played) {
            step["places"] = log.new_places();
            self.live.push("step", &step);
        }
    }
}

#[cfg(test)]
mod tests {
    use agon_rules::catalog::Setup;

    use super::*;

    #[test]
    fn who_comes_late_misses_nothing() {
        let games = LiveGames::default();
        let mut contest = Game::Renju.contest(&Setup::default()).unwrap();
        let mut show = games.begin(7, Game::Renju, ["a".into(), "b".into()], Vec::new());
        show.started(contest.as_ref(), [Duration::from_secs(10); 2]);
        contest.answer("8 8").unwrap();
        let played = Played {
            side: agon_game::Side::First,
            arguments: "8 8".into(),
            moment: agon_referee::process::Moment::default(),
            clocks: [Duration::from_secs(9); 2],
            remark: None,
        };
        show.moved(contest.as_ref(), &played);
        let live = games.find(7).unwrap();
        let names = |from| live.events(from).into_iter().map(|event| event.name).collect::<Vec<_>>();
        assert_eq!(names(0), ["start", "step"]);
        assert_eq!((names(1), names(9)), (vec!["step"], vec![]));
        let step: Value = serde_json::from_str(&live.events(1)[0].data).unwrap();
        assert_eq!((&step["move"], &step["ply"], &step["places"][0][4]), (&json!("H8"), &json!(1), &json!("placed")));
        games.end(7, Some(&json!({ "result": "a draw" })));
        assert!(games.find(7).is_none());
        assert_eq!((names(2), *live.follow().borrow()), (vec!["end"], 3));
    }
}
