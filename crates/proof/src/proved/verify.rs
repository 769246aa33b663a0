//! Proving what a book says.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use agon_engines::renju::book::{FourthStatus, LEAF_NODES, Opening, ProvedBook};
use agon_jobs::{Progress, Stop, pool};
use agon_rules::renju::Stones;

use crate::threat_win::prove_by_threats;
use crate::verifier::{ProofError, RelevanceZone, WinPlan, ZoneProver};

/// What came of verifying a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verification {
    /// Positions in which the book says that Black wins.
    pub claims: usize,
    /// Proved positions behind them that are won by threats alone.
    pub leaves: usize,
    /// `Ok(true)` when every claim was proved, `Ok(false)` when it was stopped before.
    pub result: Result<bool, ProofError>,
}

/// Proves everything that a book says, or everything of one opening, until `stop` is raised or a proof fails.
pub fn verify(
    book: &ProvedBook,
    opening: Option<&Opening>,
    threads: usize,
    stop: &Stop,
    progress: &dyn Progress,
) -> Verification {
    let verifier = BookVerifier::new(book);
    let mut claims = verifier.claims();
    // A position is of the opening whose stones it has.
    claims.retain(|stones| opening.is_none_or(|opening| stones.has(&opening.stones)));
    progress.start(claims.len() as u64, 0);
    let mut proved = 0;
    let worker = || |at: usize| verifier.verify(&claims[at]);
    let result = pool::map(claims.len(), threads, stop, worker, |()| {
        proved += 1;
        progress.set_position(proved);
    });
    let leaves = verifier.proved().saturating_sub(claims.len());
    Verification { claims: claims.len(), leaves, result: result.map(|all| all.is_some()) }
}

/// Proves positions of a book, on several threads at once.
#[derive(Debug)]
pub struct BookVerifier<'a> {
    book: &'a ProvedBook,
    /// The zones of proved positions; most come up many times.
    proved: Mutex<HashMap<Stones, RelevanceZone>>,
}

impl<'a> BookVerifier<'a> {
    /// A verifier that has proved nothing.
    pub fn new(book: &'a ProvedBook) -> Self {
        Self { book, proved: Mutex::default() }
    }

    /// Every position in which the book says that Black wins: those that it has a move for and those after the fourth
    /// moves that it calls refuted, the ones with most stones first, as the others build on them.
    pub fn claims(&self) -> Vec<Stones> {
        let refuted = self.book.openings.iter().flat_map(|opening| {
            let refuted = opening.fourths.iter().filter(|fourth| fourth.status == FourthStatus::Refuted);
            refuted.map(|fourth| opening.after(fourth))
        });
        let mut claims: Vec<Stones> = self.book.moves().iter().map(|(stones, _)| *stones).chain(refuted).collect();
        claims.sort_unstable_by_key(|stones| (std::cmp::Reverse(stones.len()), *stones));
        claims.dedup();
        claims
    }

    /// Proves that Black, to move, wins by the moves of the book and, where it ends, by threats that are found with
    /// [`LEAF_NODES`] nodes. Every answer of White's that could matter is tried ([`crate::verifier::relevance_zone`]).
    ///
    /// # Errors
    /// [`ProofError`] with the first position in which that fails.
    pub fn verify(&self, stones: &Stones) -> Result<(), ProofError> {
        let mut prover =
            ZoneProver::new(usize::MAX, |stones: &Stones| match (self.known(stones), self.book.exact(stones)) {
                (Some(known), _) => Some(WinPlan::Proved(known)),
                (None, Some(cell)) => Some(WinPlan::Stone(cell)),
                (None, None) => {
                    let found = prove_by_threats(stones, LEAF_NODES).ok()?;
                    self.insert(stones, found);
                    Some(WinPlan::Proved(found))
                }
            });
        let found = prover.prove(stones)?;
        self.insert(stones, found);
        Ok(())
    }

    /// How many positions were proved, those at the end of the book among them.
    pub fn proved(&self) -> usize {
        self.proved.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn known(&self, stones: &Stones) -> Option<RelevanceZone> {
        self.proved.lock().unwrap_or_else(PoisonError::into_inner).get(stones).copied()
    }

    fn insert(&self, stones: &Stones, zone: RelevanceZone) {
        self.proved.lock().unwrap_or_else(PoisonError::into_inner).insert(*stones, zone);
    }
}
