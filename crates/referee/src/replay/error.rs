//! Why a record does not replay.

use agon_game::{MoveError, Side};

/// Why a record does not describe a bout under the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("line {line}: {problem}")]
    Line { line: usize, problem: String },
    #[error("line {line}: the rules refuse {side}'s `{text}`: {error}")]
    Illegal { line: usize, side: Side, text: String, error: MoveError },
    #[error("the rules cannot prove it: {reason}")]
    Rules { reason: String },
    #[error("the result says {what} {claimed}, but the game gives {found}")]
    Result { what: &'static str, claimed: String, found: String },
}

impl ReplayError {
    /// Refuses a part of the result that the game does not give.
    pub(super) fn unless_same(what: &'static str, claimed: String, found: String) -> Result<(), Self> {
        if claimed == found { Ok(()) } else { Err(Self::Result { what, claimed, found }) }
    }
}
