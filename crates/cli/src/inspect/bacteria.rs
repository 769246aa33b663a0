//! Bacteria War: every MOVE that the judge accepts in a position.

use agon_game::Position;
use agon_rules::bacteria::Bacteria;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Question {
    position: String,
}

pub fn answer(line: &[u8]) -> Result<Value, String> {
    let question: Question = super::parse(line)?;
    let dish: Bacteria = question.position.parse().map_err(|error| format!("{error}"))?;
    let mut moves = Vec::new();
    dish.all_sources(&mut moves);
    let moves: Vec<Vec<i32>> = moves.iter().map(super::numbers).collect();
    Ok(json!({ "turn": dish.turn().to_string(), "moves": moves, "outcome": super::outcome(dish.outcome()) }))
}
