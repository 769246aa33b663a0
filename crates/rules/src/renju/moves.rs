//! A turn: a stone or a PASS.

use std::fmt;

use super::{LettersError, Point};

/// A move: a stone or a PASS.
///
/// `Display` is the judge's notation, the arguments of MOVE: row and column, or `-1 -1` for a PASS.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Move {
    /// Puts a stone on a point.
    Stone(Point),
    /// Passes; written PASS.
    Pass,
}

impl Move {
    /// Returns the point of the stone, or `None` for a PASS.
    pub const fn point(self) -> Option<Point> {
        match self {
            Self::Stone(point) => Some(point),
            Self::Pass => None,
        }
    }

    /// Returns the players' notation: `H8` (see [`Point::letters`]), or `PASS`.
    pub fn letters(self) -> String {
        self.point().map_or_else(|| "PASS".to_owned(), Point::letters)
    }

    /// Reads the players' notation, in capital or small letters.
    ///
    /// # Errors
    /// If the text is neither PASS nor a point.
    ///
    /// ```
    /// use agon_rules::renju::{Move, Point};
    /// assert_eq!(Move::from_letters("h8"), Ok(Move::Stone(Point::CENTRE)));
    /// assert_eq!(Move::from_letters("PASS"), Ok(Move::Pass));
    /// assert!(Move::from_letters("P1").is_err());
    /// ```
    pub fn from_letters(text: &str) -> Result<Self, MoveTextError> {
        if text.eq_ignore_ascii_case("pass") { Ok(Self::Pass) } else { Ok(Self::Stone(Point::from_letters(text)?)) }
    }
}

impl From<Point> for Move {
    fn from(point: Point) -> Self {
        Self::Stone(point)
    }
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stone(point) => write!(f, "{} {}", point.row(), point.column()),
            Self::Pass => f.write_str("-1 -1"),
        }
    }
}

/// Error for a text that is not a move in the players' notation.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("neither PASS nor a point: {0}")]
pub struct MoveTextError(#[from] pub LettersError);
