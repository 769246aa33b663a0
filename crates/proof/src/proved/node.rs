//! The parts of the proof tree: positions with Black to move, Black's moves in them, White's fourth moves above them.

use agon_rules::renju::Stones;

use super::finding::Effort;

/// A proof number that means: cannot be proved.
pub(super) const NEVER: u32 = u32::MAX / 4;

/// What the proof number of a move not tried yet is taken to be: of the first, and for each one more.
const FIRST_GUESS: u32 = 3;
const NEXT_GUESS: u32 = 4;

/// A position with Black to move that the first search for threats has not won.
#[derive(Debug)]
pub(super) struct ProofNode {
    /// How many positions must be won at least to win this one; 0: it is won.
    pub proof: u32,
    /// Whether a second search for threats wins it.
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
    /// The positions after White's answers that were not won at once; while it is quiet, after the PASS alone.
    pub children: Vec<Stones>,
    /// White's answers that no search has looked at.
    pub unsearched: Vec<u8>,
    /// The sum of the children's proof numbers, and a guess for what was not searched.
    pub proof: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveStatus {
    /// It is forbidden, or White wins at once.
    Lost,
    /// Whether Black wins after a PASS is not known yet.
    Quiet,
    /// Black does, and the answers that matter are known.
    Answered,
}

#[derive(Debug)]
pub(super) struct FourthNode {
    /// The number of its opening.
    pub opening: usize,
    /// Where; `None` is a PASS.
    pub cell: Option<u8>,
    pub stones: Stones,
    /// How many positions were searched for it, those that were known among them.
    pub work: u64,
    /// Milliseconds that were spent on it.
    pub time: u64,
    /// What was last recorded of it.
    pub recorded: Effort,
}

impl ProofNode {
    pub(super) const fn new() -> Self {
        Self { proof: 1, is_leaf: false, tried: Vec::new(), moves: None }
    }

    /// The proof number that the next move, not tried yet, is taken to have.
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
