//! Bacteria War: every MOVE that the judge accepts in a position.

use agon_game::Position;
use agon_rules::bacteria::Bacteria;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::json_lines;

#[derive(Deserialize)]
struct Question {
    position: String,
}

pub fn answer(line: &[u8]) -> Result<Value, String> {
    let question: Question = json_lines::parse(line)?;
    let dish: Bacteria = question.position.parse().map_err(|error| format!("{error}"))?;
    let mut moves = Vec::new();
    dish.all_sources(&mut moves);
    let moves: Vec<Vec<i32>> = moves.iter().map(json_lines::numbers).collect();
    Ok(json!({ "turn": dish.turn().to_string(), "moves": moves, "outcome": json_lines::outcome(dish.outcome()) }))
}
