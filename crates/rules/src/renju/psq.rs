//! The moves of a game as the Piskvork manager and the Gomocup tournaments store them, `.psq`.
//!
//! The first line names the program and the size of the board, `Piskvorky 15x15, 11:11, 0`. Then each line is a move,
//! `x,y,time`, in the order of play: x is the *column* from the left and y the row from the top, both from 1, so the
//! judge's (row, column) comes the other way round; the time is in milliseconds. Whatever follows (the players' names,
//! the result) is passed over.
//!
//! Gomocup knows no PASS. Agon writes one as a move on `-1,-1` and reads it back; other programs will refuse such a
//! game.
//!
//! Neither direction looks at the rules: play the moves with [`super::Renju::after`] to check them.

use std::fmt::Write;

use super::{Move, Point, SIZE};

/// Writes a game by two players; the times, which Agon keeps elsewhere, are 0.
///
/// ```
/// use agon_rules::renju::{Move, Point, psq};
/// let moves = [Move::Stone(Point::CENTRE), Move::Stone(Point::new(7, 9).unwrap())];
/// let text = psq::write(&moves, ["one", "two"]);
/// assert_eq!(text, "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,0\none\ntwo\n");
/// assert_eq!(psq::read(&text), Ok(moves.to_vec()));
/// ```
pub fn write(moves: &[Move], players: [&str; 2]) -> String {
    let mut text = format!("Piskvorky {SIZE}x{SIZE}, 11:11, 0\n");
    for m in moves {
        // Writing to a string cannot fail.
        let _ = match m {
            Move::Stone(point) => writeln!(text, "{},{},0", point.column(), point.row()),
            Move::Pass => writeln!(text, "-1,-1,0"),
        };
    }
    for player in players {
        // A name must not look like another line, least of all like a move.
        let name: String = player.chars().map(|c| if c.is_control() || c == ',' { ' ' } else { c }).collect();
        text += &name;
        text.push('\n');
    }
    text
}

/// Reads the moves of a game: the lines after the first, until one is not two numbers and a third field.
///
/// # Errors
/// [`PsqError`] when the first line that is not blank does not name a board of 15 × 15, or a move is outside the board.
pub fn read(text: &str) -> Result<Vec<Move>, PsqError> {
    let mut lines = text.lines().map(str::trim).enumerate().filter(|(_, line)| !line.is_empty());
    let header = lines.next().map_or("", |(_, line)| line);
    let size = header.strip_prefix("Piskvorky").ok_or_else(|| PsqError::Header { text: header.to_owned() })?;
    let size = size.split(',').next().unwrap_or_default().trim();
    if size.split_once('x').map(|(width, height)| (width.trim(), height.trim())) != Some(("15", "15")) {
        return Err(PsqError::Size { text: size.to_owned() });
    }
    lines
        .map_while(|(number, line)| fields(line).map(|point| (number + 1, line, point)))
        .map(|(number, line, (x, y))| {
            if (x, y) == (-1, -1) {
                return Ok(Move::Pass);
            }
            let point = Point::new(y, x).map(Move::Stone);
            point.ok_or_else(|| PsqError::Point { line: number, text: line.to_owned() })
        })
        .collect()
}

/// x and y of a line `x,y,time`; `None` if it is something else.
fn fields(line: &str) -> Option<(i64, i64)> {
    let mut fields = line.split(',').map(str::trim);
    let (x, y, time) = (fields.next()?, fields.next()?, fields.next()?);
    let shaped = fields.next().is_none() && time.parse::<i64>().is_ok();
    if shaped { Some((x.parse().ok()?, y.parse().ok()?)) } else { None }
}

/// A text from which no game can be read.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PsqError {
    #[error("the first line must begin with `Piskvorky`, not `{text}`")]
    Header { text: String },
    #[error("`{text}` is not a board of 15x15")]
    Size { text: String },
    #[error("line {line}, `{text}`, is no point of the board")]
    Point { line: usize, text: String },
}
