//! The parts of the proof tree: positions with Black to move, Black's moves in them, White's fourth moves above them.

use agon_rules::renju::Stones;

use super::finding::Effort;

/// A proof number that means: cannot be proved.
pub(super) const NEVER: u32 = u32::MAX / 4;

/// Estimated proof number of a move not tried yet: for the first, and the increment for each further one.
const FIRST_GUESS: u32 = 3;
const NEXT_GUESS: u32 = 4;

/// A position with Black to move that the first search for threats has not won.
#[derive(Debug)]
pub(super) struct ProofNode {
    /// Minimum number of positions that must be won to win this one; 0 if it is won.
    pub proof: u32,
    /// True if a second search for threats wins it.
    pub is_leaf: bool,
    /// Black's moves that were tried, in the order of `moves`.
    pub tried: Vec<BlackMove>,
    /// Black's moves to try, once they were searched for.
    pub moves: Option<Vec<u8>>,
}

#[derive(Debug)]
pub(super) struct BlackMove {
    pub cell: u8,
    pub status: MoveStatus,
    /// Positions after White's answers that were not won immediately; while it is quiet, only the one after the PASS.
    pub children: Vec<Stones>,
    /// White's answers that no search has looked at.
    pub unsearched: Vec<u8>,
    /// Sum of the children's proof numbers, plus an estimate for answers not searched yet.
    pub proof: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveStatus {
    /// It is forbidden, or White wins immediately.
    Lost,
    /// It is not known yet whether Black wins after a PASS.
    Quiet,
    /// Black does, and the answers that matter are known.
    Answered,
}

#[derive(Debug)]
pub(super) struct FourthNode {
    /// The number of its opening.
    pub opening: usize,
    /// Point; `None` is a PASS.
    pub cell: Option<u8>,
    pub stones: Stones,
    /// Number of positions searched for it, including known ones.
    pub work: u64,
    /// Milliseconds that were spent on it.
    pub time: u64,
    /// Effort last recorded.
    pub recorded: Effort,
}

impl ProofNode {
    pub(super) const fn new() -> Self {
        Self { proof: 1, is_leaf: false, tried: Vec::new(), moves: None }
    }

    /// Returns the estimated proof number of the next untried move.
    fn guess(&self) -> u32 {
        match &self.moves {
            None => 1,
            Some(moves) if self.tried.len() < moves.len() => FIRST_GUESS + NEXT_GUESS * self.tried.len() as u32,
            Some(_) => NEVER,
        }
    }

    /// The most promising move, unless the next one is more promising.
    pub(super) fn best(&self) -> Option<usize> {
        let guess = self.guess();
        let (number, tried) = self.tried.iter().enumerate().min_by_key(|(_, tried)| tried.proof)?;
        (tried.proof <= guess).then_some(number)
    }

    /// Computes the proof number afresh from those of the moves.
    pub(super) fn update(&mut self) {
        let least = self.tried.iter().map(|tried| tried.proof).min().unwrap_or(NEVER);
        self.proof = least.min(self.guess());
    }
}
