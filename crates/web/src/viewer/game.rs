//! A game as the viewer wants it: recorded, or while it is played.

use std::time::Duration;

use agon_analysis::board::place;
use agon_catalog::Game;
use agon_game::{Cell, GameState, GridStyle, Interaction, MoveError, Score, Side, View};
use agon_referee::bout::Played;
use agon_referee::record::{Record, Winner};
use agon_referee::text::{line, plain};
use serde_json::{Value, json};

use super::facts::{date, limits};
use super::failing::failing;
use super::transcript::{actions, by_own_names, ends_turn};
use crate::text::{game_title, said, t};

/// Remarks of a step that are kept.
const REMARKS: usize = 3;

/// What has happened in a game so far, step by step: a step is a move, or where many act in a turn, a turn.
///
/// The viewer has the first position, and of each step what it changes. Every kind of place that looks different has a
/// number, so that a position is a list of numbers.
pub struct GameLog {
    view: View,
    places: Vec<Cell>,
    /// How many places the viewer has.
    sent: usize,
    /// The moves of the turn that is not over.
    turn: Vec<Played>,
    ply: u32,
}

impl GameLog {
    /// A game at its start.
    pub fn new(start: &dyn GameState) -> Self {
        Self { view: start.view(), places: Vec::new(), sent: 0, turn: Vec::new(), ply: 0 }
    }

    /// The board, the names and the first position. To be taken once, before any step.
    pub fn head(&mut self, start: &dyn GameState, names: [&str; 2], facts: &[String]) -> Value {
        let cells: Vec<usize> = self.view.cells.clone().iter().map(|cell| self.number(cell)).collect();
        let view = &self.view;
        json!({
            "seats": view.seats, "names": names.map(line),
            "rows": view.rows, "columns": view.columns, "origin": view.origin,
            "letter": view.first_letter, "crossings": view.grid == GridStyle::Crossings,
            "unit": if start.interaction() == Interaction::Session { "move" } else { "turn" },
            "facts": facts.iter().filter(|fact| !fact.is_empty()).collect::<Vec<_>>(),
            "cells": cells,
            "gauges": view.gauges.iter().map(|gauge| gauge.name).collect::<Vec<_>>(), "amounts": amounts(view),
        })
    }

    /// The step that a move completes, if it does; `state` is the game after the move.
    pub fn played(&mut self, state: &dyn GameState, played: &Played) -> Option<Value> {
        self.turn.push(played.clone());
        // A colony can have hundreds of cells: one step for all that they do in a turn.
        ends_turn(state, played).then(|| self.step(state)).flatten()
    }

    /// The step of a turn that was broken off, at the end of a game.
    pub fn step(&mut self, state: &dyn GameState) -> Option<Value> {
        let turn = std::mem::take(&mut self.turn);
        let played = turn.last()?;
        self.ply += turn.len() as u32;
        let next = state.view();
        let changed: Vec<usize> = (0..next.cells.len()).filter(|&at| next.cells[at] != self.view.cells[at]).collect();
        let changed: Vec<usize> = changed.into_iter().flat_map(|at| [at, self.number(&next.cells[at])]).collect();
        let refused = turn.iter().filter_map(|played| played.remark.as_deref());
        let mut step = json!({
            "side": played.side.index(),
            "ply": self.ply,
            "move": match turn.as_slice() {
                [only] => state.letters().unwrap_or_else(|| only.arguments.clone()),
                many => actions(many),
            },
            "ms": ms(turn.iter().map(|played| played.moment.wall).sum()),
            "cells": changed,
            "gauges": amounts(&next),
            "clocks": played.clocks.map(ms),
        });
        if refused.clone().next().is_some() {
            step["refused"] = refused.clone().count().into();
            step["remarks"] = refused.take(REMARKS).map(line).collect();
        }
        let said: Vec<String> = turn.iter().filter_map(|played| played.messages.clone()).collect();
        if !said.is_empty() {
            step["stderr"] = plain(said.join("\n").trim_end()).into();
        }
        if let [Played { side, evaluation: Some(evaluation), .. }] = turn.as_slice() {
            step["eval"] = json!({ "text": evaluation.to_string(), "share": share(evaluation.score, *side) });
        }
        self.view = next;
        Some(step)
    }

    /// How the game stands after the last step.
    pub const fn view(&self) -> &View {
        &self.view
    }

    /// How many moves it has had.
    pub const fn moves(&self) -> u32 {
        self.ply
    }

    /// The places that the viewer does not have yet.
    pub fn new_places(&mut self) -> Value {
        let new = self.places[self.sent..].iter().map(place).collect();
        self.sent = self.places.len();
        new
    }

    fn number(&mut self, cell: &Cell) -> usize {
        self.places.iter().position(|known| known == cell).unwrap_or_else(|| {
            self.places.push(*cell);
            self.places.len() - 1
        })
    }
}

/// A recorded game, with these explanations of what has failed in it. What programs thought and wrote is shown of the
/// sides that `open` names.
///
/// # Errors
/// [`MoveError`] when the moves are not those of the game.
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
    let names = header.agents.each_ref().map(agon_referee::record::AgentNote::shown);
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
        steps.extend(log.played(state.as_ref(), &played));
    }
    steps.extend(log.step(state.as_ref()));
    game["result"] = result(record, start.seats()).into();
    game["failures"] = failures.into();
    if let Some(failing) = failing(record, start, moves, open) {
        game["failing"] = failing;
    }
    game["places"] = log.new_places();
    game["steps"] = steps.into();
    Ok(game)
}

/// When and under which limits a game was played.
fn facts(record: &Record, interaction: Interaction) -> [String; 5] {
    let header = &record.header;
    [
        date(header.started),
        limits(&header.limits, interaction),
        record.jail().map_or_else(String::new, |level| format!("jail {level}")),
        format!("seed {}", header.seed),
        format!("Agon {}", line(&header.agon)),
    ]
}

/// Texts from below in the language of the request.
fn speak(value: &mut Value) {
    match value {
        Value::String(text) => *text = said(text),
        Value::Array(all) => all.iter_mut().for_each(speak),
        _ => {}
    }
}

/// A step of a game, in the language of the request: what is remarked on it.
pub fn spoken_step(mut step: Value) -> Value {
    if let Some(remarks) = step.get_mut("remarks") {
        speak(remarks);
    }
    step
}

/// A game as the viewer wants it, in the language of the request.
pub fn spoken(mut game: Value) -> Value {
    for part in ["seats", "facts", "result", "gauges"] {
        if let Some(part) = game.get_mut(part) {
            speak(part);
        }
    }
    if let Some(named) = game["game"].as_str().and_then(Game::by_name) {
        game["title"] = game_title(named).into();
    }
    for step in game["steps"].as_array_mut().into_iter().flatten() {
        *step = spoken_step(step.take());
    }
    for failure in game["failures"].as_array_mut().into_iter().flatten() {
        speak(&mut failure["reason"]);
        let title = failure["title"].as_str().unwrap_or_default();
        let words = title.split_once(' ').and_then(|(seat, rest)| Some((seat, rest.rsplit_once(" failed: ")?)));
        failure["title"] = match words {
            Some((seat, (name, verdict))) => t!("game-failed", seat = said(seat), name = name, verdict = verdict),
            None => said(title),
        }
        .into();
        for part in failure["parts"].as_array_mut().into_iter().flatten() {
            speak(&mut part["title"]);
        }
    }
    game
}

/// The words of the viewer; what stands in braces is put in by it.
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

/// Who won, and why, in a sentence.
pub fn result(record: &Record, seats: [&str; 2]) -> String {
    let reason = line(&record.result.reason);
    let wins = |at: usize| format!("{} {} wins: {reason}", seats[at], line(record.header.agents[at].shown()));
    match record.result.winner {
        Winner::First => wins(0),
        Winner::Second => wins(1),
        Winner::Draw => format!("A draw: {reason}"),
        Winner::Void => format!("No result: {reason}"),
    }
}

/// A score for the first seat on a scale from -1 to 1, half of it for three of the game's units.
fn share(score: Score, side: Side) -> f64 {
    const HALF: f64 = 3.0;
    let mine = match score {
        Score::Centi(value) => {
            let units = f64::from(value) / 100.0;
            units / (units.abs() + HALF)
        }
        Score::Win(_) => 1.0,
        Score::Loss(_) => -1.0,
    };
    let share = if side == Side::First { mine } else { -mine };
    (share * 1000.0).round() / 1000.0
}

fn ms(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e5).round() / 100.0
}

fn amounts(view: &View) -> Value {
    view.gauges.iter().map(|gauge| gauge.amounts.map(agon_game::GameScore::as_f64)).map(|pair| json!(pair)).collect()
}
