//! Moves that held in practice, found by the drop-out expansion of `agon-proof` and played by the champion.
//!
//! Nothing here is proved. The file is text:
//!
//! ```text
//! agon renju practised book 1
//! moves 2                    how many lines follow
//! H8H9/I9 G7                 Black's stones and White's, and the move of the side whose turn it is
//! H8H9/G7I9 I10
//! sum 0123456789abcdef       FNV-1a, 64 bits, of all that is above
//! ```

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use agon_game::Position;
use agon_rules::renju::{Move, Point, Renju, Stones};

use super::lines::{BookLines, summed};
use super::{BookError, BookMoves};
use crate::data::{DataFile, data_file};

const HEADER: &str = "agon renju practised book 1";

/// The book that comes with the program.
pub(crate) static FILE: DataFile = data_file!("books/renju.practised");

static OWN: LazyLock<Result<PractisedBook, BookError>> = LazyLock::new(|| FILE.text().parse());

/// A move of the side whose turn it is in each of many positions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PractisedBook(BookMoves);

impl PractisedBook {
    /// The book that comes with the program.
    ///
    /// # Errors
    /// [`BookError`] if it was spoilt before the program was built.
    pub fn own() -> Result<&'static Self, &'static BookError> {
        OWN.as_ref()
    }

    pub fn new(moves: HashMap<Stones, u8>) -> Self {
        Self(BookMoves::new(moves))
    }

    pub const fn moves(&self) -> &BookMoves {
        &self.0
    }

    /// The move in a position, however it is turned. Positions after a PASS are not in the book.
    pub fn reply(&self, position: &Renju) -> Option<Move> {
        let stones = Stones::from_board(position.board());
        if stones.turn() != Some(position.turn()) || position.passes() > 0 || !position.rules().forbids() {
            return None;
        }
        let found = self.0.turned(&stones)?;
        Point::from_index(found.into()).map(Move::Stone).filter(|&m| position.check(m).is_ok())
    }
}

impl fmt::Display for PractisedBook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&summed(&format!("{HEADER}\n{}", self.0.text())))
    }
}

impl FromStr for PractisedBook {
    type Err = BookError;

    fn from_str(text: &str) -> Result<Self, BookError> {
        let mut lines = BookLines::new(text, HEADER)?;
        let count = lines.next(|line| line.strip_prefix("moves ")?.parse().ok())?;
        let moves = BookMoves::read(&mut lines, count)?;
        lines.end().map(|()| Self(moves))
    }
}
