//! Claimed wins, checked by the rules alone.
//!
//! Nothing here uses the incremental board or its tables: a line is played on [`Renju`], and what the defender could do
//! instead is asked of the rules.

use std::collections::HashSet;

use agon_game::{Outcome, Position, Side};
use agon_rules::renju::{Move, Renju};

/// Proves that a line is a win by continuous fours for the side to move: every move is legal, after each of the
/// attacker's stones but the last its opponent cannot win and must stop a five, the answers in the line are the only
/// legal ones that do, and the last stone wins. Where no answer is legal or a second five remains, any will do.
///
/// # Errors
/// [`LineError`] with the number of the first move that proves nothing.
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
        position.play(m, &mut ());
        if position.outcome() == Some(Outcome::Win(attacker)) {
            return if number + 1 == line.len() { Ok(()) } else { Err(LineError::TooLong { number }) };
        }
    }
    Err(LineError::NoWin)
}

/// Checks that a line of play is legal and ends with a win of the side to move; an empty line is taken.
///
/// # Errors
/// [`LineError`] with the number of the first move that is wrong.
pub fn check_line(position: &Renju, line: &[Move]) -> Result<(), LineError> {
    let winner = position.turn();
    let mut position = position.clone();
    for (number, &m) in line.iter().enumerate() {
        position.check(m).map_err(|error| LineError::Illegal { number, reason: error.to_string() })?;
        position.play(m, &mut ());
    }
    if line.is_empty() || position.outcome() == Some(Outcome::Win(winner)) { Ok(()) } else { Err(LineError::NoWin) }
}

/// The moves with which a side would win at once if it were its turn.
pub fn fives(position: &Renju, side: Side) -> Vec<Move> {
    position.board().empties().iter().filter(|&point| position.board().wins(side, point)).map(Move::Stone).collect()
}

/// Why a line proves no win. Moves are numbered from 0.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LineError {
    /// A move that is against the rules.
    #[error("move {number} is illegal: {reason}")]
    Illegal {
        /// Which.
        number: usize,
        /// The rule.
        reason: String,
    },
    /// The defender is not forced to answer.
    #[error("the answer {number} is not forced")]
    NoThreat {
        /// Which answer.
        number: usize,
    },
    /// The defender's only answer is another.
    #[error("the answer {number} is not the only one")]
    OtherAnswer {
        /// Which answer.
        number: usize,
    },
    /// The win comes before the end.
    #[error("the game is over after move {number}")]
    TooLong {
        /// The last move.
        number: usize,
    },
    /// The line ends without a win.
    #[error("the line does not end with a win")]
    NoWin,
}

/// Proves a win by the rules alone, whatever the other side does: `attack` names the winner's move in each position, and
/// every legal answer to it is tried, PASS among them. The one restriction needs no search: where the winner would make a
/// five next, and its opponent cannot win at once, only stones on the points of those fives are tried.
///
/// Returns how many of the winner's moves were looked at.
///
/// # Errors
/// [`WinError`] with the first position in which the winner has no move that wins, or after `limit` moves.
pub fn verify(position: &Renju, limit: u64, attack: &mut impl FnMut(&Renju) -> Option<Move>) -> Result<u64, WinError> {
    let mut verifier = Verifier { winner: position.turn(), proved: HashSet::new(), looked_at: 0, limit, attack };
    verifier.prove(position)?;
    Ok(verifier.looked_at)
}

struct Verifier<'a, A> {
    winner: Side,
    /// The keys of proved positions: stones alone count, as passes change nothing for a winner that never passes.
    proved: HashSet<String>,
    looked_at: u64,
    limit: u64,
    attack: &'a mut A,
}

impl<A: FnMut(&Renju) -> Option<Move>> Verifier<'_, A> {
    fn prove(&mut self, position: &Renju) -> Result<(), WinError> {
        let stones = position.to_string().split(' ').next().unwrap_or_default().to_owned();
        if self.proved.contains(&stones) {
            return Ok(());
        }
        if self.looked_at == self.limit {
            return Err(WinError::Limit { limit: self.limit });
        }
        self.looked_at += 1;
        let stuck = || WinError::NoMove { position: position.to_string() };
        let m = (self.attack)(position).filter(|&m| position.check(m).is_ok()).ok_or_else(stuck)?;
        let mut next = position.clone();
        next.play(m, &mut ());
        match next.outcome() {
            Some(Outcome::Win(side)) if side == self.winner => {}
            Some(_) => return Err(stuck()),
            None => self.answer(&next)?,
        }
        self.proved.insert(stones);
        Ok(())
    }

    /// Tries every answer.
    fn answer(&mut self, position: &Renju) -> Result<(), WinError> {
        if !position.wins().is_empty() {
            return Err(WinError::NoMove { position: position.to_string() });
        }
        let fives = fives(position, self.winner);
        let mut answers = Vec::new();
        position.legal_moves(&mut answers);
        if !fives.is_empty() {
            // Whatever leaves one of these points open loses at once.
            answers.retain(|answer| fives.len() == 1 && fives.contains(answer));
        }
        for answer in answers {
            let mut next = position.clone();
            next.play(answer, &mut ());
            self.prove(&next)?;
        }
        Ok(())
    }
}

/// Why a win was not proved.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WinError {
    /// The winner has no winning move, or was shown an illegal one.
    #[error("no winning move is known in {position}")]
    NoMove {
        /// The position.
        position: String,
    },
    /// The proof is longer than it may be.
    #[error("the proof has more than {limit} moves of the winner")]
    Limit {
        /// The number of moves allowed.
        limit: u64,
    },
}
