//! Moves as people write them, after the fashion of Ataxx programs.
//!
//! A cell is a letter for its column, `a` to `g` from the left, and a number for its row, 1 to 7 from the *bottom*. So
//! the judge's row x is row 8 − x here, and O begins on a7 and g1. A move is its source and its destination, `g1f2`, or
//! PASS. Of a division the destination is enough to read it, as all its sources lead to the same position.

use super::board::{Cells, WIDTH, neighbours};
use super::{Bacteria, Move};
use agon_game::Position as _;

/// A PASS.
const PASS: &str = "PASS";

/// The name of a cell from 0 to 48.
///
/// ```
/// use agon_rules::bacteria::letters::{cell, name};
/// assert_eq!((name(0).as_str(), name(48).as_str()), ("a7", "g1"));
/// assert_eq!((cell("a7"), cell("G1"), cell("h1")), (Some(0), Some(48), None));
/// ```
pub fn name(cell: usize) -> String {
    format!("{}{}", char::from(b'a' + (cell % WIDTH) as u8), WIDTH - cell / WIDTH)
}

/// The cell of this name, in small or capital letters.
pub fn cell(name: &str) -> Option<usize> {
    let &[letter, digit] = name.as_bytes() else { return None };
    let within = |n: u8| (usize::from(n) < WIDTH).then_some(usize::from(n));
    let column = within(letter.to_ascii_lowercase().checked_sub(b'a')?)?;
    let row = within(digit.checked_sub(b'1')?)?;
    Some((WIDTH - 1 - row) * WIDTH + column)
}

/// A move as people read it.
///
/// ```
/// use agon_rules::bacteria::{Move, letters};
/// assert_eq!(letters::write(Move::new(48, 40)), "g1f2");
/// assert_eq!(letters::write(Move::PASS), "PASS");
/// ```
pub fn write(m: Move) -> String {
    if m.is_pass() { PASS.to_owned() } else { name(m.from()) + &name(m.to()) }
}

/// The move that a text means here, legal or not; `None` if it is none. A destination alone is a division from the first
/// source that there is.
///
/// ```
/// use agon_rules::bacteria::{Bacteria, letters};
/// let read = |text| letters::read(&Bacteria::start(), text).map(|m| m.to_string());
/// assert_eq!(read("g1f3").as_deref(), Some("7 7 5 6"));
/// assert_eq!(read("B7").as_deref(), Some("1 1 1 2"));
/// assert_eq!(read("pass").as_deref(), Some("-1 -1 -1 -1"));
/// assert_eq!(read("d4"), None);
/// ```
pub fn read(position: &Bacteria, text: &str) -> Option<Move> {
    if text.eq_ignore_ascii_case(PASS) {
        return Some(Move::PASS);
    }
    let named = |at: usize| cell(text.get(at..at + 2)?);
    match text.len() {
        4 => Some(Move::new(named(0)?, named(2)?)),
        2 => {
            let to = named(0)?;
            let from = Cells(neighbours(to) & position.cells(position.turn())).next()?;
            Some(Move::new(from, to))
        }
        _ => None,
    }
}
