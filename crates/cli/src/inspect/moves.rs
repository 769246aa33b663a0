//! Every MOVE that the judge accepts in a position, of any game of moves in turn.

use agon_catalog::Game;
use agon_game::Side;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::json_lines;

#[derive(Deserialize)]
struct Question {
    position: String,
}

pub(super) fn answer(game: Game, line: &[u8]) -> Result<Value, String> {
    let question: Question = json_lines::parse(line)?;
    let state = game.state_at(&question.position).map_err(|error| error.to_string())?;
    let turn = state.turn().unwrap_or(Side::BOTH[state.ply() as usize % 2]);
    // Not every user's game writes its moves in numbers.
    let moves: Vec<Value> = if game.is_program() {
        state.legal().into_iter().map(Value::from).collect()
    } else {
        state.legal().iter().map(|text| json!(json_lines::numbers(text))).collect()
    };
    let outcome = json_lines::outcome(state.ending().map(|ending| ending.outcome));
    Ok(json!({ "turn": turn.to_string(), "moves": moves, "outcome": outcome }))
}
