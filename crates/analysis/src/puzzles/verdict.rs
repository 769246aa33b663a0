//! What a move of a solver is worth.

use agon_catalog::TextMove;
use agon_game::Show;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The puzzle is solved: nothing is left that could go wrong.
    Solved,
    /// The move is right, and the other side goes on.
    Right,
    /// The move is proved to be wrong.
    Wrong,
    /// Within the limits it is neither proved to be right nor to be wrong.
    Unshown,
}

impl Verdict {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Solved => "solved",
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Unshown => "unshown",
        }
    }
}

/// What a move is worth, and what the other side does about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub verdict: Verdict,
    /// After a right move the toughest answer; after a wrong one how it is refuted; else what may refute it.
    pub line: Vec<TextMove>,
}

impl Answer {
    pub(super) fn new<P: Show>(verdict: Verdict, line: &[P::Move]) -> Self {
        Self { verdict, line: line.iter().map(|&m| TextMove::new::<P>(m)).collect() }
    }
}
