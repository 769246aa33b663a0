//! Why a record does not replay.

use agon_game::{MoveError, Side};

/// Why a record is not the account of a bout under the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// A line that the judge or an agent could not have written there.
    #[error("line {line}: {problem}")]
    Line {
        /// Its number in the file, from 1.
        line: usize,
        /// Why it cannot stand there.
        problem: String,
    },
    /// A move that the rules refuse, after which the bout goes on all the same.
    #[error("line {line}: the rules refuse {side}'s `{text}`: {error}")]
    Illegal {
        /// Its number in the file, from 1.
        line: usize,
        /// Who played it.
        side: Side,
        /// The answer as the record has it.
        text: String,
        /// The rule it breaks.
        error: MoveError,
    },
    /// The result does not follow from the game.
    #[error("the result says {what} {claimed}, but the game gives {found}")]
    Result {
        /// Which part of the result.
        what: &'static str,
        /// What the record says.
        claimed: String,
        /// What follows from the lines.
        found: String,
    },
}

impl ReplayError {
    /// Refuses a part of the result that the game does not give.
    pub(super) fn unless_same(what: &'static str, claimed: String, found: String) -> Result<(), Self> {
        if claimed == found { Ok(()) } else { Err(Self::Result { what, claimed, found }) }
    }
}
