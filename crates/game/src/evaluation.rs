//! Evaluations that agents report for their positions.

use std::fmt;
use std::time::Duration;

/// A score for the side to move.
///
/// ```
/// use agon_game::Score;
/// let texts = [Score::Centi(35), Score::Centi(-1200), Score::Win(5), Score::Loss(4)].map(|score| score.to_string());
/// assert_eq!(texts, ["+0.35", "-12.00", "+M5", "-M4"]);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// Hundredths of the game's unit (a cell, the value of a stone); 0 is even.
    Centi(i32),
    /// The side to move wins in this number of plies.
    Win(u32),
    /// The side to move loses in this number of plies.
    Loss(u32),
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Centi(value) => {
                let sign = if value < 0 { '-' } else { '+' };
                write!(f, "{sign}{}.{:02}", value.unsigned_abs() / 100, value.unsigned_abs() % 100)
            }
            Self::Win(plies) => write!(f, "+M{plies}"),
            Self::Loss(plies) => write!(f, "-M{plies}"),
        }
    }
}

/// An agent's score for a position before its move, with the effort of the search behind it.
///
/// ```
/// use agon_game::{Evaluation, Score};
/// let evaluation = Evaluation { depth: Some(12), ..Evaluation::new(Score::Centi(35)) };
/// assert_eq!(evaluation.to_string(), "+0.35/12");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// Score from the agent's own view.
    pub score: Score,
    /// Number of plies searched in full.
    pub depth: Option<u32>,
    /// Number of positions searched.
    pub nodes: Option<u64>,
    /// Duration of the search.
    pub time: Option<Duration>,
}

impl Evaluation {
    /// Creates an evaluation with only a score.
    pub const fn new(score: Score) -> Self {
        Self { score, depth: None, nodes: None, time: None }
    }
}

/// Writes the format of game files: the score, then a slash and the depth.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.score.fmt(f)?;
        self.depth.map_or(Ok(()), |depth| write!(f, "/{depth}"))
    }
}
