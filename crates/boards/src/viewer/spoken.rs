//! A game as the viewer wants it, in the language of the request.

use std::collections::BTreeMap;

use agon_catalog::Game;
use agon_game::{GaugeName, SeatName};
use agon_message::{Message, Stated};
use serde_json::{Value, json};

use crate::text::{game_title, localized, stated, t};

/// The elements of a list; none if it is absent. The end of a live game has only its result.
fn listed<'a>(of: &'a mut Value, name: &str) -> impl Iterator<Item = &'a mut Value> {
    of.get_mut(name).and_then(Value::as_array_mut).into_iter().flatten()
}

/// Names in the language of the request.
fn speak_names<N: Message + for<'a> From<&'a str>>(game: &mut Value, part: &str) {
    for name in listed(game, part) {
        if let Value::String(text) = name {
            *text = localized(&N::from(text.as_str()));
        }
    }
}

/// A text with its message next to it, in the language of the request.
fn speak_message(of: &mut Value, name: &str) {
    let keyed = of.as_object_mut().and_then(|fields| fields.remove(&format!("{name}_message")));
    if let Some(text) = of[name].as_str().map(str::to_owned) {
        let keyed = keyed.and_then(|keyed| serde_json::from_value(keyed).ok());
        of[name] = stated(&Stated { text, keyed }).into();
    }
}

/// Texts with their messages next to them, in the language of the request.
fn speak_messages(of: &mut Value, name: &str) {
    let keyed = of.as_object_mut().and_then(|fields| fields.remove(&format!("{name}_message")));
    let keyed: Vec<_> = keyed.and_then(|keyed| serde_json::from_value(keyed).ok()).unwrap_or_default();
    let mut keyed = keyed.into_iter();
    for text in listed(of, name) {
        if let Value::String(text) = text {
            *text = stated(&Stated { text: text.clone(), keyed: keyed.next().flatten() });
        }
    }
}

/// A step of a game with its remarks in the language of the request.
pub fn spoken_step(mut step: Value) -> Value {
    speak_messages(&mut step, "remarks");
    step
}

/// A game as the viewer wants it, in the language of the request.
pub fn spoken(mut game: Value) -> Value {
    speak_names::<SeatName>(&mut game, "seats");
    speak_names::<GaugeName>(&mut game, "gauges");
    speak_messages(&mut game, "facts");
    speak_message(&mut game, "result");
    if let Some(named) = game["game"].as_str().and_then(Game::by_name) {
        game["title"] = game_title(named).into();
    }
    for step in listed(&mut game, "steps") {
        *step = spoken_step(step.take());
    }
    if let Some(failing) = game.get_mut("failing") {
        speak_message(failing, "answer");
    }
    for failure in listed(&mut game, "failures") {
        speak_messages(failure, "reason");
        speak_message(failure, "remedy");
        speak_message(failure, "title");
        for part in listed(failure, "parts") {
            speak_message(part, "title");
            speak_messages(part, "lines");
        }
    }
    game
}

/// The texts of the viewer, which fills in the braces.
pub fn words() -> String {
    let words = BTreeMap::from([
        ("start", t!("viewer-start")),
        ("whole", t!("viewer-whole", count = "{count}")),
        ("step", t!("viewer-step", at = "{at}", last = "{last}", seat = "{seat}", played = "{move}", ms = "{ms}")),
        ("score", t!("viewer-score", text = "{text}")),
        ("clocks", t!("viewer-clocks", first = "{first}", second = "{second}")),
        ("used", t!("viewer-used", first = "{first}", second = "{second}")),
        ("refused", t!("viewer-refused", count = "{count}", remarks = "{remarks}")),
        ("silent", t!("viewer-silent", seat = "{seat}")),
        ("answered", t!("viewer-answered", seat = "{seat}", answer = "{answer}")),
        ("board", t!("viewer-board", words = "{words}")),
        ("against", t!("viewer-against", first = "{first}", second = "{second}")),
        ("first", t!("viewer-first")),
        ("back", t!("viewer-back")),
        ("on", t!("viewer-on")),
        ("last", t!("viewer-last")),
        ("play", t!("viewer-play")),
        ("watch", t!("viewer-watch")),
        ("pause", t!("viewer-pause")),
        ("pace", t!("viewer-pace")),
        ("played", t!("viewer-played")),
        ("broadcast", t!("viewer-broadcast")),
        ("turning", t!("viewer-turning")),
        ("stderr", t!("viewer-stderr")),
        ("move", t!("viewer-move")),
        ("moves", t!("viewer-moves", count = "{count}")),
        ("turn", t!("viewer-turn")),
        ("turns", t!("viewer-turns", count = "{count}")),
        ("slider", t!("viewer-slider")),
        ("list", t!("viewer-list")),
        ("scores", t!("viewer-scores")),
        ("judged", t!("viewer-judged")),
        ("places", t!("viewer-places")),
        ("place", t!("viewer-place", row = "{row}", column = "{column}")),
        ("empty", t!("viewer-empty")),
        ("points", t!("viewer-points", count = "{count}")),
        ("placed", t!("viewer-placed")),
        ("captured", t!("viewer-captured")),
        ("vacated", t!("viewer-vacated")),
        ("forbidden", t!("shared-forbidden")),
        ("corpse", t!("viewer-corpse")),
        ("burst", t!("viewer-burst")),
        ("won", t!("viewer-won")),
        ("stacked", t!("viewer-stacked", count = "{count}")),
        ("facedown", t!("viewer-facedown")),
    ]);
    json!(words).to_string()
}
