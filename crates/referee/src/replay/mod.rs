//! Proving a record: playing it again by the rules.

mod claims;
mod error;
mod moves;
mod per_action;
mod session;
mod times;

use agon_game::{GameState, Interaction};

pub use error::ReplayError;
pub use moves::moves;

use crate::record::Record;
use crate::report::Played;

/// Takes a game from its start to its first move. In a session nothing happens; per action the programs' answers to
/// BEGIN belong to the game. A record in which they do not suffice has no moves.
pub fn begin(record: &Record, state: &mut dyn GameState) {
    if state.interaction() == Interaction::PerAction {
        per_action::begin(record, state);
    }
}

/// Replays a record from the start of its game and returns its moves.
///
/// # Errors
/// As [`examine`].
pub fn prove(record: &Record, state: &mut dyn GameState) -> Result<Vec<Played>, ReplayError> {
    examine(record, state).map(|proof| proof.moves)
}

/// What the rules say about a record: its moves, and which parts of it they prove.
#[derive(Clone, PartialEq, Debug)]
pub struct Proof {
    pub moves: Vec<Played>,
    /// What follows from the moves and the lines by the rules, under the names that `docs/records.md` explains.
    pub proved: Vec<&'static str>,
    /// What only the judge knew. The seal covers it, but anyone can change it and make a new seal; a signature excludes
    /// that.
    pub sealed: Vec<&'static str>,
}

/// Replays a record from the start of its game.
///
/// Every question must be what the judge would have asked, every answer except a failing one legal, every time that was
/// sent the one that follows from the measured times, and the result the one that follows from it all, including the
/// verdict if an answer has lost the game. The measured times must be compatible with the times of the lines.
///
/// # Errors
/// [`ReplayError`] names the first thing that does not hold.
pub fn examine(record: &Record, state: &mut dyn GameState) -> Result<Proof, ReplayError> {
    let interaction = state.interaction();
    let (moves, believed) = match interaction {
        Interaction::Session => session::prove(record, state)?,
        Interaction::PerAction => per_action::prove(record, state)?,
    };
    times::check(record, interaction)?;
    let (mut proved, mut sealed) = match interaction {
        Interaction::Session => (vec!["questions", "moves", "score", "plies", "time_ms", "disturbed"], vec![]),
        Interaction::PerAction => {
            (vec!["moves", "score", "plies", "time_ms", "disturbed"], vec!["remark", "cut", "invocations"])
        }
    };
    let decided = if believed { &mut sealed } else { &mut proved };
    decided.extend(["winner", "verdicts"]);
    if believed || !claims::worded_here(record) {
        sealed.push("reason");
    } else {
        proved.push("reason");
    }
    sealed.extend(["agents", "limits", "agon", "started", "at_us", "wall_us", "cpu_us", "delay_us", "machine_us"]);
    sealed.extend(["judge_us", "opponent_cpu_us", "peak_mb", "stderr"]);
    if record.header.opening.is_some() {
        sealed.push("opening");
    }
    if record.entries.iter().any(|entry| entry.evaluation.is_some()) {
        sealed.push("eval");
    }
    if record.entries.iter().any(|entry| entry.messages.is_some()) {
        sealed.push("messages");
    }
    Ok(Proof { moves, proved, sealed })
}
