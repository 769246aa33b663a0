//! Verdicts on a solver's move.

use agon_catalog::TextMove;
use agon_game::Show;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The puzzle is solved: nothing can go wrong any more.
    Solved,
    /// The move is correct, and the other side continues.
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

/// Verdict on a move, and the other side's reply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    pub verdict: Verdict,
    /// After a correct move the toughest answer; after a wrong one its refutation; otherwise a possible refutation.
    pub line: Vec<TextMove>,
}

impl Answer {
    pub(super) fn new<P: Show>(verdict: Verdict, line: &[P::Move]) -> Self {
        Self { verdict, line: line.iter().map(|&m| TextMove::new::<P>(m)).collect() }
    }
}
