//! Domineering: the legal moves of a position.

use agon_engines::domineering::large::{LargePosition, MAX_SIDE};
use agon_game::{Position, Side};
use agon_rules::domineering::cells::SIZE;
use agon_rules::domineering::{Bonus, Domineering, WeightedBoard};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::json_lines;

/// A position as lines of JSON have it.
#[derive(Deserialize)]
pub(crate) struct Question {
    board: Vec<Vec<u8>>,
    occupied: Vec<(usize, usize)>,
    to_move: Turn,
    #[serde(default)]
    last_pass: bool,
    /// Lead of the first side in points, including the bonus.
    #[serde(default)]
    lead: Option<f64>,
}

#[derive(Deserialize)]
enum Turn {
    H,
    V,
}

impl Question {
    /// Parses the question in a line.
    pub(crate) fn read(line: &[u8]) -> Result<Self, String> {
        json_lines::parse(line)
    }

    /// Returns true if its board is larger than those of the game.
    pub(crate) fn is_large(&self) -> bool {
        self.board.len().max(self.board.first().map_or(0, Vec::len)) > SIZE
    }

    fn turn(&self) -> Side {
        match self.to_move {
            Turn::H => Side::First,
            Turn::V => Side::Second,
        }
    }

    fn bonus(&self) -> Result<Bonus, String> {
        let bonus = self.lead.map_or(Ok(Bonus::default()), |lead| (-lead).to_string().parse());
        bonus.map_err(|_| "lead: a number of points in steps of one half expected".to_owned())
    }

    pub(crate) fn position(self) -> Result<Domineering, String> {
        if self.is_large() {
            let (rows, columns) = (self.board.len(), self.board[0].len());
            return Err(format!(
                "a board has at most {SIZE} rows and columns, not {rows} × {columns}; `agon analyze domineering` takes \
                 up to {MAX_SIDE}"
            ));
        }
        let rows: Vec<&[u8]> = self.board.iter().map(Vec::as_slice).collect();
        let board = WeightedBoard::new(&rows).map_err(|error| error.to_string())?;
        let (turn, bonus) = (self.turn(), self.bonus()?);
        Domineering::bare(board, bonus, self.occupied, turn, self.last_pass).map_err(|error| error.to_string())
    }

    /// The position on a board of any size that can be analyzed.
    pub(crate) fn large(self) -> Result<LargePosition, String> {
        let (turn, bonus) = (self.turn(), self.bonus()?);
        LargePosition::new(&self.board, self.occupied, turn, self.last_pass, bonus).map_err(|error| error.to_string())
    }
}

/// The position that a line describes.
pub(crate) fn position(line: &[u8]) -> Result<Domineering, String> {
    Question::read(line)?.position()
}

pub(crate) fn answer(line: &[u8]) -> Result<Value, String> {
    let position = position(line)?;
    let mut moves = Vec::new();
    position.legal_moves(&mut moves);
    let moves: Vec<Vec<i32>> = moves.iter().map(json_lines::numbers).collect();
    Ok(json!({ "moves": moves, "outcome": json_lines::outcome(position.outcome()) }))
}
