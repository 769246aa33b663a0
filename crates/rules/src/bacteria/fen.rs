//! Positions as text: the FEN of Ataxx programs, `x5o/7/7/7/7/7/o5x x 0 1`.
//!
//! - Seven rows from the top, separated by `/`: `x` is a cell of the first side, whose seat is called O; `o` is one of
//!   the second, whose seat is called X; a digit from 1 to 7 is that many empty cells.
//! - The side to move, `x` or `o`.
//! - The half-move clock. This game has no rule that needs it: it is written 0, and any whole number is read and
//!   ignored.
//! - The number of the full move, from 1 on; it goes up after each move of the second side. Together with the side to
//!   move it says how many plies have been played, of which a game has [`PLY_LIMIT`].
//!
//! The two counters may be left out, both or none; they are then `0 1`. Blocked cells, `-`, are no part of this game.
//!
//! A position in which the game is already over reads like any other.

use std::fmt;
use std::str::FromStr;

use agon_game::{Position, Side};

use super::board::{WIDTH, bit};
use super::{Bacteria, PLY_LIMIT};

/// Why a text is no position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum FenError {
    #[error("7 rows expected instead of {rows} in `{text}`")]
    Rows { text: String, rows: usize },
    #[error("7 cells expected instead of {cells} in row {row}, `{text}`")]
    Width { text: String, row: usize, cells: usize },
    #[error("a blocked cell, `-`, in row {row}, `{text}`: they are no part of this game")]
    Blocked { text: String, row: usize },
    #[error("`{character}` in row {row} is neither `x`, `o` nor a digit from 1 to 7")]
    Character { character: char, row: usize },
    #[error("side to move `x` or `o` expected instead of `{0}`")]
    Turn(String),
    #[error("half-move clock expected instead of `{0}`")]
    Clock(String),
    #[error("full-move number from 1 to {last} expected instead of `{text}`")]
    FullMove { text: String, last: u16 },
    #[error("nothing more expected after the full-move number, not `{0}`")]
    Trailing(String),
}

/// Writes the FEN.
impl fmt::Display for Bacteria {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::with_capacity(48);
        for row in 0..WIDTH {
            if row > 0 {
                text.push('/');
            }
            let mut gap = 0;
            for cell in row * WIDTH..(row + 1) * WIDTH {
                let Some(side) = Side::BOTH.into_iter().find(|&side| self.cells(side) & bit(cell) != 0) else {
                    gap += 1;
                    continue;
                };
                push_gap(&mut text, std::mem::take(&mut gap));
                text.push(letter(side));
            }
            push_gap(&mut text, gap);
        }
        f.pad(&format!("{text} {} 0 {}", letter(self.turn()), self.ply() / 2 + 1))
    }
}

fn push_gap(text: &mut String, gap: u8) {
    if gap > 0 {
        text.push(char::from(b'0' + gap));
    }
}

/// Reads a FEN.
impl FromStr for Bacteria {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        let mut words = text.split_ascii_whitespace();
        let cells = read_board(words.next().unwrap_or_default())?;
        let turn = match words.next().unwrap_or_default() {
            "x" => Side::First,
            "o" => Side::Second,
            other => return Err(FenError::Turn(other.to_owned())),
        };
        let ply = match words.next() {
            None => turn as u16,
            Some(clock) => {
                clock.parse::<u16>().map_err(|_| FenError::Clock(clock.to_owned()))?;
                read_ply(words.next().unwrap_or_default(), turn)?
            }
        };
        if let Some(more) = words.next() {
            return Err(FenError::Trailing(more.to_owned()));
        }
        Ok(Self::hashed(cells, ply))
    }
}

fn read_board(text: &str) -> Result<[u64; 2], FenError> {
    let rows = text.split('/').count();
    if rows != WIDTH {
        return Err(FenError::Rows { text: text.to_owned(), rows });
    }
    let mut cells = [0; 2];
    for (index, line) in text.split('/').enumerate() {
        let row = index + 1;
        let mut column = 0;
        for character in line.chars() {
            match character {
                'x' | 'o' => {
                    let side = if character == letter(Side::First) { Side::First } else { Side::Second };
                    // Past the edge the bit is wrong; the row is then refused below.
                    cells[side.index()] |= bit(index * WIDTH + column);
                    column += 1;
                }
                '1'..='7' => column += character as usize - '0' as usize,
                '-' => return Err(FenError::Blocked { text: line.to_owned(), row }),
                _ => return Err(FenError::Character { character, row }),
            }
        }
        if column != WIDTH {
            return Err(FenError::Width { text: line.to_owned(), row, cells: column });
        }
    }
    Ok(cells)
}

/// The number of plies played when `turn` is to move in this full move.
fn read_ply(text: &str, turn: Side) -> Result<u16, FenError> {
    // After the last ply the first side would be to move, in a full move that the second never sees.
    let last = (PLY_LIMIT - turn as u16) / 2 + 1;
    match text.parse::<u16>() {
        Ok(number) if (1..=last).contains(&number) => Ok((number - 1) * 2 + turn as u16),
        _ => Err(FenError::FullMove { text: text.to_owned(), last }),
    }
}

/// The letter of a side in a FEN.
const fn letter(side: Side) -> char {
    match side {
        Side::First => 'x',
        Side::Second => 'o',
    }
}
