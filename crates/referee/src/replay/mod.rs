//! Proving a record: playing it again by the rules.

mod error;
mod per_action;
mod session;

use agon_game::{Contest, Interaction};

pub use error::ReplayError;

use crate::record::Record;
use crate::report::Played;

/// Takes a contest from its start to where the first move is asked for. In a session that is where it stands; per action
/// the programs' answers to BEGIN belong to the game. A record in which they do not suffice has no moves.
pub fn begin(record: &Record, contest: &mut dyn Contest) {
    if contest.interaction() == Interaction::PerAction {
        per_action::begin(record, contest);
    }
}

/// Replays a record from the contest's start and returns its moves.
///
/// Every question must be what the judge would have asked, every answer but a failing one legal, every time sent the
/// one that follows from the times measured, and the result the one that follows from it all.
///
/// # Errors
/// [`ReplayError`] names the first thing that does not hold.
pub fn prove(record: &Record, contest: &mut dyn Contest) -> Result<Vec<Played>, ReplayError> {
    match contest.interaction() {
        Interaction::Session => session::prove(record, contest),
        Interaction::PerAction => per_action::prove(record, contest),
    }
}
