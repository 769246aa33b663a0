//! Proving what a book says.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use agon_engines::renju::book::{FourthStatus, LEAF_NODES, ProvedBook};
use agon_rules::renju::Stones;

use crate::leaf::examine;
use crate::relevance_zone::{ProofError, Prover, RelevanceZone, WinPlan};

/// Proves positions of a book; several threads may use it at once.
#[derive(Debug)]
pub struct BookVerifier<'a> {
    book: &'a ProvedBook,
    /// What was proved already, since most of it comes up many times.
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
    /// [`LEAF_NODES`] nodes. Every answer of White's that could matter is tried ([`crate::relevance_zone`]).
    ///
    /// # Errors
    /// [`ProofError`] with the first position in which that fails.
    pub fn verify(&self, stones: &Stones) -> Result<(), ProofError> {
        let mut prover =
            Prover::new(usize::MAX, |stones: &Stones| match (self.known(stones), self.book.exact(stones)) {
                (Some(known), _) => Some(WinPlan::Proved(known)),
                (None, Some(cell)) => Some(WinPlan::Stone(cell)),
                (None, None) => {
                    let found = examine(stones, LEAF_NODES).ok()?;
                    self.keep(stones, found);
                    Some(WinPlan::Proved(found))
                }
            });
        let found = prover.prove(stones)?;
        self.keep(stones, found);
        Ok(())
    }

    /// How many positions were proved, those at the end of the book among them.
    pub fn proved(&self) -> usize {
        self.proved.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    fn known(&self, stones: &Stones) -> Option<RelevanceZone> {
        self.proved.lock().unwrap_or_else(PoisonError::into_inner).get(stones).copied()
    }

    fn keep(&self, stones: &Stones, zone: RelevanceZone) {
        self.proved.lock().unwrap_or_else(PoisonError::into_inner).insert(*stones, zone);
    }
}
