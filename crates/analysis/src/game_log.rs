//! A game as a viewer draws it, step by step.

use std::time::Duration;

use agon_game::text::{line, plain};
use agon_game::{Cell, Evaluation, GameScore, GameState, GridStyle, Interaction, Outcome, Score, SeatName, Side, View};
use agon_message::{Message, Stated, messages};
use agon_rules::renju::Opening;
use serde_json::{Value, json};

use crate::board::{card_hands, graph_shape, place, triangle_tip};

/// A move as a log takes it.
#[derive(Clone, Debug)]
pub struct LoggedMove {
    pub side: Side,
    /// The move in the judge's notation.
    pub arguments: String,
    /// Duration.
    pub wall: Duration,
    /// Both clocks after it.
    pub clocks: [Duration; 2],
    /// For an action: reason why the actor did not do what its program said.
    pub remark: Option<Stated>,
    /// The agent's evaluation of the position before its move, if reported.
    pub evaluation: Option<Evaluation>,
    /// Its output to standard error meanwhile.
    pub messages: Option<String>,
}

/// Remarks of a step that are kept.
const REMARKS: usize = 3;

/// Log of a game, step by step: a step is a move or, if many act in a turn, a turn.
///
/// The viewer gets the first position, and the changes of each step. Every kind of place that looks different has a
/// number, so a position is a list of numbers.
pub struct GameLog {
    view: View,
    places: Vec<Cell>,
    /// Number of places sent to the viewer.
    sent: usize,
    /// The moves of the turn that is not over.
    turn: Vec<LoggedMove>,
    ply: u32,
}

impl GameLog {
    /// A game at its start.
    pub fn new(start: &dyn GameState) -> Self {
        Self { view: start.view(), places: Vec::new(), sent: 0, turn: Vec::new(), ply: 0 }
    }

    /// Returns the board, the names and the first position. Call this once, before any step.
    pub fn head(&mut self, start: &dyn GameState, names: [&str; 2], facts: &[Stated]) -> Value {
        let cells: Vec<usize> = self.view.cells.clone().iter().map(|cell| self.number(cell)).collect();
        let view = &self.view;
        let session = start.interaction() == Interaction::Session;
        let mut head = json!({
            "seats": view.seats, "names": names.map(line),
            "rows": view.rows, "columns": view.columns, "origin": view.origin,
            "letter": view.first_letter, "crossings": view.grid == GridStyle::Crossings,
            "hexagons": view.grid == GridStyle::Hexagons, "holes": view.holes(),
            "triangles": triangle_tip(view), "graph": graph_shape(view), "hands": card_hands(view),
            "unit": if session { "move" } else { "turn" },
            "opening": if session { start.ply() } else { 0 },
            "cells": cells,
            "gauges": view.gauges.iter().map(|gauge| gauge.name).collect::<Vec<_>>(), "amounts": amounts(view),
        });
        write_messages(&mut head, "facts", facts);
        head
    }

    /// The step that a move completes, if it does; `state` is the game after the move.
    pub fn played(&mut self, state: &dyn GameState, played: LoggedMove) -> Option<Value> {
        let side = played.side;
        self.turn.push(played);
        // A colony can have hundreds of cells: one step covers everything they do in a turn.
        ends_turn(state, side).then(|| self.step(state)).flatten()
    }

    /// The step of a turn that was broken off, at the end of a game.
    pub fn step(&mut self, state: &dyn GameState) -> Option<Value> {
        let turn = std::mem::take(&mut self.turn);
        let played = turn.last()?;
        self.ply += turn.len() as u32;
        let next = within(&self.view, state.view());
        let changed: Vec<usize> = (0..next.cells.len()).filter(|&at| next.cells[at] != self.view.cells[at]).collect();
        let changed: Vec<usize> = changed.into_iter().flat_map(|at| [at, self.number(&next.cells[at])]).collect();
        let hands = (next.hands != self.view.hands).then(|| card_hands(&next));
        let refused = turn.iter().filter_map(|played| played.remark.as_ref());
        let mut step = json!({
            "side": played.side.index(),
            "ply": self.ply,
            "move": match turn.as_slice() {
                [only] => state.letters().unwrap_or_else(|| only.arguments.clone()),
                many => actions(many.iter().map(|played| &*played.arguments)),
            },
            "ms": ms(turn.iter().map(|played| played.wall).sum()),
            "cells": changed,
            "gauges": amounts(&next),
            "clocks": played.clocks.map(ms),
        });
        if let Some(hands) = hands {
            step["hands"] = json!(hands);
        }
        if refused.clone().next().is_some() {
            step["refused"] = refused.clone().count().into();
            let remarks: Vec<Stated> = refused.take(REMARKS).map(|remark| remark.map_texts(&line)).collect();
            write_messages(&mut step, "remarks", &remarks);
        }
        let said: Vec<String> = turn.iter().filter_map(|played| played.messages.clone()).collect();
        if !said.is_empty() {
            step["stderr"] = plain(said.join("\n").trim_end()).into();
        }
        if let [LoggedMove { side, evaluation: Some(evaluation), .. }] = turn.as_slice() {
            step["eval"] = json!({ "text": evaluation.to_string(), "share": share(evaluation.score, *side) });
        }
        self.view = next;
        Some(step)
    }

    /// Returns the view after the last step.
    pub const fn view(&self) -> &View {
        &self.view
    }

    /// Returns the number of moves so far.
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

/// The next board on the places of a board that has been sent: what it has elsewhere is left out, and places that it
/// lacks are empty.
fn within(sent: &View, next: View) -> View {
    if (next.rows, next.columns) == (sent.rows, sent.columns) {
        return next;
    }
    let cell = |at: usize| {
        let (row, column) = (at / sent.columns, at % sent.columns);
        let inside = row < next.rows && column < next.columns;
        if inside { next.cells[row * next.columns + column] } else { Cell { glyph: '.', ..Cell::default() } }
    };
    let cells = (0..sent.cells.len()).map(cell).collect();
    View { cells, hands: next.hands, gauges: next.gauges, ..sent.clone() }
}

/// `REST 6, DIVIDE 2, MOVE 1`: how often each thing was done in a turn of many actions.
pub fn actions<'a>(turn: impl Iterator<Item = &'a str>) -> String {
    let mut verbs: Vec<(&str, u32)> = Vec::new();
    for arguments in turn {
        let verb = arguments.split(' ').next().unwrap_or_default();
        match verbs.iter_mut().find(|(known, _)| *known == verb) {
            Some((_, count)) => *count += 1,
            None => verbs.push((verb, 1)),
        }
    }
    verbs.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let verbs: Vec<String> = verbs.into_iter().map(|(verb, count)| format!("{verb} {count}")).collect();
    verbs.join(", ")
}

/// Returns true if a turn ends with a move of this side: always in a session; with many actors per turn, if the other
/// side is next.
pub fn ends_turn(state: &dyn GameState, side: Side) -> bool {
    state.interaction() == Interaction::Session || state.turn() != Some(side)
}

/// Returns who won, and why, as a sentence; `None` for a game without an outcome.
pub fn result(outcome: Option<Outcome>, seats: [&str; 2], names: [&str; 2], mut reason: Stated) -> GameResult {
    reason.text = line(&reason.text);
    match outcome {
        Some(Outcome::Win(side)) => {
            GameResult::Won { seat: seats[side.index()].into(), name: line(names[side.index()]), reason }
        }
        Some(Outcome::Draw) => GameResult::Drawn { reason },
        None => GameResult::Unfinished { reason },
    }
}

messages! {
    /// Winner of a game, and the reason.
    pub enum GameResult {
        Won { seat: SeatName, name: String, reason: Stated } = "{seat} {name} wins: {reason}",
        Drawn { reason: Stated } = "A draw: {reason}",
        Unfinished { reason: Stated } = "No result: {reason}",
    }
}

messages! {
    /// Something that a page says of a whole game.
    pub enum GameFact {
        OpeningName { name: Opening, code: String } = "opening {name} ({code})",
        Seed { seed: String } = "seed {seed}",
        Agon { version: String } = "Agon {version}",
        JailFull = "jail full",
        JailLandlock = "jail landlock",
        JailNone = "jail none",
        Memory { seat: SeatName, mib: String } = "{seat} used up to {mib} MiB of memory",
    }
}

/// Writes a message to a field of the viewer's data: its text, and beside it its key and arguments, for translation.
pub fn write_message(into: &mut Value, name: &str, message: &dyn Message) {
    let stated = Stated::from(message);
    into[name] = stated.text.into();
    into[format!("{name}_message")] = json!(stated.keyed);
}

/// Writes messages into a field of the viewer's data: their texts, and in another field their keys and arguments.
pub fn write_messages(into: &mut Value, name: &str, messages: &[Stated]) {
    into[name] = messages.iter().map(|message| message.text.as_str()).collect();
    into[format!("{name}_message")] = json!(messages.iter().map(|message| &message.keyed).collect::<Vec<_>>());
}

/// A score for the first seat on a scale from -1 to 1, where three of the game's units give one half.
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
    view.gauges.iter().map(|gauge| gauge.amounts.map(GameScore::as_f64)).map(|pair| json!(pair)).collect()
}
