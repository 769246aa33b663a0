//! A game as the viewer wants it: recorded, or while it is played.

use agon_analysis::game_log::{self, GameFact, GameLog, GameResult, LoggedMove, write_message};
use agon_catalog::Game;
use agon_game::{GameState, GaugeName, Interaction, MoveError, Outcome, SeatName, Side};
use agon_jail::Level;
use agon_message::{Message, Stated};
use agon_referee::bout::Played;
use agon_referee::record::{AgentNote, Record, Winner};
use agon_referee::text::line;
use serde_json::{Value, json};

use super::facts::{date, limits};
use super::failing::failing;
use super::transcript::by_own_names;
use crate::text::{game_title, localized, stated, t};

/// A recorded game with explanations of what failed in it. Programs' thoughts and output are shown for the sides in
/// `open`.
///
/// # Errors
/// [`MoveError`] when the moves do not belong to the game.
pub fn game(
    record: &Record,
    start: &dyn GameState,
    moves: &[Played],
    failures: &[Value],
    open: [bool; 2],
) -> Result<Value, MoveError> {
    let mut state = start.boxed_clone();
    let mut log = GameLog::new(start);
    let header = &record.header;
    let names = header.agents.each_ref().map(AgentNote::shown);
    let mut game = log.head(start, names, &facts(record, start.interaction()));
    let mut steps = Vec::new();
    for played in moves {
        state.answer(&played.arguments)?;
        let mut played = played.clone();
        if !open[played.side.index()] {
            (played.evaluation, played.messages) = (None, None);
        }
        let agent = &header.agents[played.side.index()];
        played.messages = played.messages.map(|said| by_own_names(&said, agent));
        steps.extend(log.played(state.as_ref(), logged(played)));
    }
    steps.extend(log.step(state.as_ref()));
    write_message(&mut game, "result", &result(record, start.seats()));
    game["failures"] = failures.into();
    if let Some(failing) = failing(record, start, moves, open) {
        game["failing"] = failing;
    }
    game["places"] = log.new_places();
    game["steps"] = steps.into();
    Ok(game)
}

/// When and under which limits a game was played.
fn facts(record: &Record, interaction: Interaction) -> Vec<Stated> {
    let header = &record.header;
    let jail = record.jail().map(|level| match level {
        Level::Full => GameFact::JailFull,
        Level::Landlock => GameFact::JailLandlock,
        Level::None => GameFact::JailNone,
    });
    let facts = [
        Some(date(header.started).into()),
        Some(Stated::from(&limits(&header.limits, interaction))),
        jail.as_ref().map(Stated::from),
        Some(Stated::from(&GameFact::Seed { seed: header.seed.to_string() })),
        Some(Stated::from(&GameFact::Agon { version: line(&header.agon) })),
    ];
    facts.into_iter().flatten().filter(|fact| !fact.text.is_empty()).collect()
}

/// Adds to what is said of a whole game.
pub(crate) fn add_fact(game: &mut Value, fact: &GameFact) {
    let Stated { text, keyed } = Stated::from(fact);
    for (part, value) in [("facts", json!(text)), ("facts_message", json!(keyed))] {
        if let Some(all) = game[part].as_array_mut() {
            all.push(value);
        }
    }
}

/// Names in the language of the request.
fn speak_names<N: Message + for<'a> From<&'a str>>(game: &mut Value, part: &str) {
    for name in game[part].as_array_mut().into_iter().flatten() {
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
    for text in of[name].as_array_mut().into_iter().flatten() {
        if let Value::String(text) = text {
            *text = stated(&Stated { text: text.clone(), keyed: keyed.next().flatten() });
        }
    }
}

/// A step of a game with its remarks in the language of the request.
pub fn spoken_step(mut step: Value) -> Value {
    if step.get("remarks").is_some() {
        speak_messages(&mut step, "remarks");
    }
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
    for step in game["steps"].as_array_mut().into_iter().flatten() {
        *step = spoken_step(step.take());
    }
    if let Some(failing) = game.get_mut("failing") {
        speak_message(failing, "answer");
    }
    for failure in game["failures"].as_array_mut().into_iter().flatten() {
        speak_messages(failure, "reason");
        speak_message(failure, "remedy");
        speak_message(failure, "title");
        for part in failure["parts"].as_array_mut().into_iter().flatten() {
            speak_message(part, "title");
            speak_messages(part, "lines");
        }
    }
    game
}

/// The texts of the viewer, which fills in the braces.
pub fn words() -> String {
    let words = json!({
        "start": t!("viewer-start"),
        "whole": t!("viewer-whole", count = "{count}"),
        "step": t!("viewer-step", at = "{at}", last = "{last}", seat = "{seat}", played = "{move}", ms = "{ms}"),
        "score": t!("viewer-score", text = "{text}"),
        "clocks": t!("viewer-clocks", first = "{first}", second = "{second}"),
        "used": t!("viewer-used", first = "{first}", second = "{second}"),
        "refused": t!("viewer-refused", count = "{count}", remarks = "{remarks}"),
        "silent": t!("viewer-silent", seat = "{seat}"),
        "answered": t!("viewer-answered", seat = "{seat}", answer = "{answer}"),
        "board": t!("viewer-board", words = "{words}"),
        "against": t!("viewer-against", first = "{first}", second = "{second}"),
        "first": t!("viewer-first"),
        "back": t!("viewer-back"),
        "on": t!("viewer-on"),
        "last": t!("viewer-last"),
        "play": t!("viewer-play"),
        "pause": t!("viewer-pause"),
        "pace": t!("viewer-pace"),
        "played": t!("viewer-played"),
        "broadcast": t!("viewer-broadcast"),
        "turning": t!("viewer-turning"),
        "stderr": t!("viewer-stderr"),
        "move": t!("viewer-move"),
        "moves": t!("viewer-moves", count = "{count}"),
        "turn": t!("viewer-turn"),
        "turns": t!("viewer-turns", count = "{count}"),
        "slider": t!("viewer-slider"),
        "list": t!("viewer-list"),
        "scores": t!("viewer-scores"),
        "judged": t!("viewer-judged"),
        "places": t!("viewer-places"),
        "place": t!("viewer-place", row = "{row}", column = "{column}"),
        "empty": t!("viewer-empty"),
        "points": t!("viewer-points", count = "{count}"),
        "placed": t!("viewer-placed"),
        "captured": t!("viewer-captured"),
        "vacated": t!("viewer-vacated"),
        "forbidden": t!("shared-forbidden"),
        "corpse": t!("viewer-corpse"),
        "burst": t!("viewer-burst"),
        "won": t!("viewer-won"),
    });
    words.to_string()
}

/// Who won, and why, in one sentence.
pub fn result(record: &Record, seats: [&str; 2]) -> GameResult {
    let outcome = match record.result.winner {
        Winner::First => Some(Outcome::Win(Side::First)),
        Winner::Second => Some(Outcome::Win(Side::Second)),
        Winner::Draw => Some(Outcome::Draw),
        Winner::Void => None,
    };
    let names = record.header.agents.each_ref().map(AgentNote::shown);
    game_log::result(outcome, seats, names, record.result.reason.clone())
}

/// A move of a bout, for a log.
pub(crate) fn logged(played: Played) -> LoggedMove {
    let Played { side, arguments, moment, clocks, remark, evaluation, messages } = played;
    LoggedMove { side, arguments, wall: moment.wall, clocks, remark, evaluation, messages }
}
