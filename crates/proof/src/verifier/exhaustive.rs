//! Wins proved by trying every legal answer.

use std::collections::HashSet;

use agon_game::{Outcome, Position, Side};
use agon_rules::renju::{Move, Renju};

use super::line::fives;

/// Proves a win, whatever the other side does, using only the rules: `attack` provides the winner's move in each
/// position, and every legal answer to it is tried, including PASS. The only restriction needs no search: if the winner
/// threatens a five, and its opponent cannot win immediately, only stones on the points of those fives are tried.
///
/// Returns how many of the winner's moves were checked.
///
/// # Errors
/// [`ExhaustiveError`] with the first position in which the winner has no winning move, or after `limit` moves.
pub fn verify(
    position: &Renju,
    limit: u64,
    attack: &mut impl FnMut(&Renju) -> Option<Move>,
) -> Result<u64, ExhaustiveError> {
    let mut verifier = AllAnswers { winner: position.turn(), proved: HashSet::new(), checked: 0, limit, attack };
    verifier.prove(position)?;
    Ok(verifier.checked)
}

struct AllAnswers<'a, A> {
    winner: Side,
    /// Keys of proved positions: only stones count, because passes do not matter to a winner that never passes.
    proved: HashSet<String>,
    checked: u64,
    limit: u64,
    attack: &'a mut A,
}

impl<A: FnMut(&Renju) -> Option<Move>> AllAnswers<'_, A> {
    fn prove(&mut self, position: &Renju) -> Result<(), ExhaustiveError> {
        let stones = position.to_string().split(' ').next().unwrap_or_default().to_owned();
        if self.proved.contains(&stones) {
            return Ok(());
        }
        if self.checked == self.limit {
            return Err(ExhaustiveError::Limit { limit: self.limit });
        }
        self.checked += 1;
        let stuck = || ExhaustiveError::NoMove { position: position.to_string() };
        let m = (self.attack)(position).filter(|&m| position.check(m).is_ok()).ok_or_else(stuck)?;
        let mut next = position.clone();
        next.play_unchecked(m, &mut ());
        match next.outcome() {
            Some(Outcome::Win(side)) if side == self.winner => {}
            Some(_) => return Err(stuck()),
            None => self.answer(&next)?,
        }
        self.proved.insert(stones);
        Ok(())
    }

    fn answer(&mut self, position: &Renju) -> Result<(), ExhaustiveError> {
        if !position.wins().is_empty() {
            return Err(ExhaustiveError::NoMove { position: position.to_string() });
        }
        let fives = fives(position, self.winner);
        let mut answers = Vec::new();
        position.legal_moves(&mut answers);
        if !fives.is_empty() {
            // Any answer that leaves one of these points open loses immediately.
            answers.retain(|answer| fives.len() == 1 && fives.contains(answer));
        }
        for answer in answers {
            let mut next = position.clone();
            next.play_unchecked(answer, &mut ());
            self.prove(&next)?;
        }
        Ok(())
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ExhaustiveError {
    #[error("no winning move is known in {position}")]
    NoMove { position: String },
    #[error("the proof has more than {limit} moves of the winner")]
    Limit { limit: u64 },
}
