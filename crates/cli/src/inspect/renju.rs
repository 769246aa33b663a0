//! Renju: the legal moves of a position, Black's forbidden points, and the cells that win at once.

use agon_game::{Position, Side};
use agon_rules::renju::{Point, Renju};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::json_lines;

#[derive(Deserialize)]
struct Question {
    black: Vec<[i64; 2]>,
    white: Vec<[i64; 2]>,
    #[serde(alias = "to_move")]
    turn: Turn,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Turn {
    Black,
    White,
}

/// The position that a line describes.
pub fn position(line: &[u8]) -> Result<Renju, String> {
    let question: Question = json_lines::parse(line)?;
    let turn = match question.turn {
        Turn::Black => Side::First,
        Turn::White => Side::Second,
    };
    Renju::from_stones(&points(&question.black)?, &points(&question.white)?, turn).map_err(|error| error.to_string())
}

pub fn answer(line: &[u8]) -> Result<Value, String> {
    let position = position(line)?;
    let listed = |points: Vec<Point>| points.into_iter().map(|point| [point.row(), point.column()]).collect::<Vec<_>>();
    Ok(json!({
        "legal": position.stone_moves().count(),
        "forbidden": listed(position.forbidden_points().iter().collect()),
        "outcome": json_lines::outcome(position.outcome()),
        "wins": listed(position.wins().iter().collect()),
    }))
}

fn points(cells: &[[i64; 2]]) -> Result<Vec<Point>, String> {
    let point = |&[row, column]: &[i64; 2]| {
        let on_board = |n: i64| usize::try_from(n).ok();
        let place = on_board(row).zip(on_board(column));
        place.and_then(|(row, column)| Point::new(row, column)).ok_or(format!("[{row},{column}] is outside the board"))
    };
    cells.iter().map(point).collect()
}
