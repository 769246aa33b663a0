//! Domineering: the legal moves of a position.

use agon_game::{Position, Side};
use agon_rules::domineering::{Board, Bonus, Domineering};
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct Question {
    board: Vec<Vec<u8>>,
    occupied: Vec<(usize, usize)>,
    to_move: Turn,
    #[serde(default)]
    last_pass: bool,
}

#[derive(Deserialize)]
enum Turn {
    H,
    V,
}

pub fn answer(line: &[u8]) -> Result<Value, String> {
    let question: Question = super::parse(line)?;
    let rows: Vec<&[u8]> = question.board.iter().map(Vec::as_slice).collect();
    let board = Board::new(&rows).map_err(|error| error.to_string())?;
    let turn = match question.to_move {
        Turn::H => Side::First,
        Turn::V => Side::Second,
    };
    let position = Domineering::bare(board, Bonus::default(), question.occupied, turn, question.last_pass)
        .map_err(|error| error.to_string())?;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let moves: Vec<Vec<i32>> = moves.iter().map(super::numbers).collect();
    Ok(json!({ "moves": moves, "outcome": super::outcome(position.outcome()) }))
}
