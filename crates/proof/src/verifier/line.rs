//! Lines of play that end with a win.

use agon_game::{Outcome, Position, Side};
use agon_rules::renju::{Move, Renju};

/// Proves that a line is a win by continuous fours for the side to move: every move is legal, after each of the
/// attacker's stones but the last its opponent cannot win and must stop a five, the answers in the line are the only
/// legal ones that do, and the last stone wins. If no answer is legal or a second five remains, any answer is accepted.
///
/// # Errors
/// [`LineError`] with the number of the first move that is not part of a proof.
pub fn check_fours(position: &Renju, line: &[Move]) -> Result<(), LineError> {
    let attacker = position.turn();
    let mut position = position.clone();
    for (number, &m) in line.iter().enumerate() {
        position.check(m).map_err(|error| LineError::Illegal { number, reason: error.to_string() })?;
        if position.turn() != attacker {
            let fives = fives(&position, attacker);
            let answers = fives.iter().filter(|&&five| position.check(five).is_ok()).count();
            if !position.wins().is_empty() || fives.is_empty() {
                return Err(LineError::NoThreat { number });
            }
            if fives.len() == 1 && answers == 1 && fives[0] != m {
                return Err(LineError::OtherAnswer { number });
            }
        }
        position.play_unchecked(m, &mut ());
        if position.outcome() == Some(Outcome::Win(attacker)) {
            return if number + 1 == line.len() { Ok(()) } else { Err(LineError::TooLong { number }) };
        }
    }
    Err(LineError::NoWin)
}

/// Checks that a line of play is legal and ends with a win of the side to move; an empty line is accepted.
///
/// # Errors
/// [`LineError`] with the number of the first move that is wrong.
pub fn check_line(position: &Renju, line: &[Move]) -> Result<(), LineError> {
    let winner = position.turn();
    let mut position = position.clone();
    for (number, &m) in line.iter().enumerate() {
        position.check(m).map_err(|error| LineError::Illegal { number, reason: error.to_string() })?;
        position.play_unchecked(m, &mut ());
    }
    if line.is_empty() || position.outcome() == Some(Outcome::Win(winner)) { Ok(()) } else { Err(LineError::NoWin) }
}

/// The moves with which a side would win at once if it were its turn.
pub fn fives(position: &Renju, side: Side) -> Vec<Move> {
    position.board().empties().iter().filter(|&point| position.board().wins(side, point)).map(Move::Stone).collect()
}

/// Reason why a line does not prove a win. Moves are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    #[error("move {number} is illegal: {reason}")]
    Illegal { number: usize, reason: String },
    #[error("the answer {number} is not forced")]
    NoThreat { number: usize },
    #[error("the answer {number} is not the only one")]
    OtherAnswer { number: usize },
    #[error("the game is over after move {number}")]
    TooLong { number: usize },
    #[error("the line does not end with a win")]
    NoWin,
}
