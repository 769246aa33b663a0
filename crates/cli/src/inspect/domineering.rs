//! Domineering: the legal moves of a position.

use agon_game::{Position, Side};
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::json_lines;

#[derive(Deserialize)]
struct Question {
    board: Vec<Vec<u8>>,
    occupied: Vec<(usize, usize)>,
    to_move: Turn,
    #[serde(default)]
    last_pass: bool,
    /// By how many points the first side leads, the bonus included.
    #[serde(default)]
    lead: Option<f64>,
}

#[derive(Deserialize)]
enum Turn {
    H,
    V,
}

/// The position that a line describes.
pub fn position(line: &[u8]) -> Result<Domineering, String> {
    let question: Question = json_lines::parse(line)?;
    let rows: Vec<&[u8]> = question.board.iter().map(Vec::as_slice).collect();
    let board = WeightedBoard::new(&rows).map_err(|error| error.to_string())?;
    let turn = match question.to_move {
        Turn::H => Side::First,
        Turn::V => Side::Second,
    };
    let bonus = question.lead.map_or(Ok(Bonus::default()), |lead| (-lead).to_string().parse());
    let bonus: Bonus = bonus.map_err(|_| "lead: a number of points in steps of one half expected")?;
    Domineering::bare(board, bonus, question.occupied, turn, question.last_pass).map_err(|error| error.to_string())
}

pub fn answer(line: &[u8]) -> Result<Value, String> {
    let position = position(line)?;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let moves: Vec<Vec<i32>> = moves.iter().map(json_lines::numbers).collect();
    Ok(json!({ "moves": moves, "outcome": json_lines::outcome(position.outcome()) }))
}
