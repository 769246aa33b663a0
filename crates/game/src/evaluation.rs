//! What an agent says of the position in which it moves.

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
    /// In hundredths of the game's unit (a cell, a pawn's worth of pattern), 0 being even.
    Centi(i32),
    /// The side to move wins; the plies to go.
    Win(u32),
    /// The side to move loses; the plies to go.
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

/// What an agent thinks of a position before its own move, and what it has done to find out.
///
/// ```
/// use agon_game::{Evaluation, Score};
/// let evaluation = Evaluation { depth: Some(12), ..Evaluation::new(Score::Centi(35)) };
/// assert_eq!(evaluation.to_string(), "+0.35/12");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Evaluation {
    /// For the agent itself.
    pub score: Score,
    /// Plies searched in full.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// How long it has searched.
    pub time: Option<Duration>,
}

impl Evaluation {
    /// A score alone.
    pub const fn new(score: Score) -> Self {
        Self { score, depth: None, nodes: None, time: None }
    }
}

/// As game files have it: the score, and the depth behind a stroke.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.score.fmt(f)?;
        self.depth.map_or(Ok(()), |depth| write!(f, "/{depth}"))
    }
}
