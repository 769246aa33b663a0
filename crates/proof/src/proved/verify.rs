//! Proving the claims of a book.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use agon_engines::renju::book::{FourthStatus, LEAF_NODES, Opening, ProvedBook};
use agon_jobs::{Progress, Stop, pool};
use agon_rules::renju::Stones;

use crate::threat_win::{ProvedWin, prove_by_threats};
use crate::verifier::certificate::{self, CertificateError, ProvedLemmas};
use crate::verifier::{ProofError, RelevanceZone, WinPlan, ZoneProver};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verification {
    /// Number of positions that the book claims to be won for Black.
    pub claims: usize,
    /// Number of proved positions below them that are won by threats only.
    pub leaves: usize,
    /// `Ok(true)` when every claim was proved, `Ok(false)` when it was stopped before.
    pub result: Result<bool, ProofError>,
}

/// Proves all claims of a book, or of one opening, until `stop` is raised or a proof fails. Wins by threats are
/// searched again.
pub fn verify(
    book: &ProvedBook,
    opening: Option<&Opening>,
    threads: usize,
    stop: &Stop,
    progress: &dyn Progress,
) -> Verification {
    certify(book, opening, ProvedLemmas::default(), threads, stop, progress, &mut io::sink())
        .unwrap_or_else(|error| unreachable!("nothing is written, but: {error}"))
}

/// Like [`verify`], and writes the proofs as the lemmas of a certificate ([`certificate`]), uncompressed, with each
/// write consisting of whole lemmas. Positions proved `before`, by the certificate that these lemmas continue, are not
/// proved again.
///
/// # Errors
/// If they cannot be written.
pub fn certify(
    book: &ProvedBook,
    opening: Option<&Opening>,
    before: ProvedLemmas,
    threads: usize,
    stop: &Stop,
    progress: &dyn Progress,
    out: &mut dyn Write,
) -> io::Result<Verification> {
    let verifier = BookVerifier::going_on(book, before);
    let claims = claims(book, opening);
    progress.start(claims.len() as u64, 0);
    let (mut proved, mut written) = (0, Ok(()));
    let worker = || |at: usize| verifier.verify(&claims[at]);
    let result = pool::map(claims.len(), threads, stop, worker, |()| {
        proved += 1;
        progress.set_position(proved);
        if written.is_ok() {
            written = out.write_all(&verifier.take_lemmas()).inspect_err(|_| stop.raise());
        }
    });
    written?;
    out.write_all(&verifier.take_lemmas())?;
    let leaves = verifier.proved().saturating_sub(claims.len());
    Ok(Verification { claims: claims.len(), leaves, result: result.map(|all| all.is_some()) })
}

/// Checks by the rules alone that a decompressed certificate proves everything in a book, or everything about one
/// opening.
///
/// # Errors
/// [`CertificateError`] if it is not one.
pub fn check(
    book: &ProvedBook,
    opening: Option<&Opening>,
    certificate: &mut impl io::Read,
    stop: &Stop,
    progress: &dyn Progress,
) -> Result<CheckedCertificate, CertificateError> {
    let claims = claims(book, opening);
    let lemmas = ProvedLemmas::check(certificate, |lemmas| {
        progress.set_position(lemmas as u64);
        !stop.is_raised()
    })?;
    let missing = claims.iter().find(|stones| !lemmas.has(stones)).copied();
    Ok(CheckedCertificate { claims: claims.len(), lemmas: lemmas.len(), checked: lemmas.checked, missing })
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckedCertificate {
    /// Number of positions that the book claims to be won for Black.
    pub claims: usize,
    pub lemmas: usize,
    /// Black's stones that were checked.
    pub checked: u64,
    /// A position of the book that it does not prove.
    pub missing: Option<Stones>,
}

/// Returns every position that the book claims to be won for Black, or those of one opening: those with a move in the
/// book and those after refuted fourth moves, in descending order of stones, because the others build on them.
pub fn claims(book: &ProvedBook, opening: Option<&Opening>) -> Vec<Stones> {
    let refuted = book.openings.iter().flat_map(|opening| {
        let refuted = opening.fourths.iter().filter(|fourth| fourth.status == FourthStatus::Refuted);
        refuted.map(|fourth| opening.after(fourth))
    });
    let mut claims: Vec<Stones> = book.moves().iter().map(|(stones, _)| *stones).chain(refuted).collect();
    // A position is of the opening whose stones it has.
    claims.retain(|stones| opening.is_none_or(|opening| stones.has(&opening.stones)));
    claims.sort_unstable_by_key(|stones| (std::cmp::Reverse(stones.len()), *stones));
    claims.dedup();
    claims
}

/// Proves positions of a book, on several threads.
#[derive(Debug)]
pub struct BookVerifier<'a> {
    book: &'a ProvedBook,
    known: Mutex<KnownWins>,
}

#[derive(Debug, Default)]
struct KnownWins {
    /// The zones; most come up many times.
    zones: HashMap<Stones, RelevanceZone>,
    /// The proofs as lemmas, each after the ones that it relies on.
    lemmas: Vec<u8>,
}

impl<'a> BookVerifier<'a> {
    pub fn new(book: &'a ProvedBook) -> Self {
        Self::going_on(book, ProvedLemmas::default())
    }

    /// Creates a verifier that uses the lemmas of a certificate.
    fn going_on(book: &'a ProvedBook, before: ProvedLemmas) -> Self {
        let known = KnownWins { zones: before.into_zones(), lemmas: Vec::new() };
        Self { book, known: Mutex::new(known) }
    }

    /// Proves that Black, to move, wins with the moves of the book and, where it ends, with threats found within
    /// [`LEAF_NODES`] nodes. Every answer of White's that could matter is tried ([`crate::verifier::relevance_zone`]).
    ///
    /// # Errors
    /// [`ProofError`] with the first position that cannot be proved.
    pub fn verify(&self, stones: &Stones) -> Result<(), ProofError> {
        let mut prover =
            ZoneProver::new(usize::MAX, |stones: &Stones| match (self.known(stones), self.book.exact(stones)) {
                (Some(known), _) => Some(WinPlan::Proved(known)),
                (None, Some(cell)) => Some(WinPlan::Stone(cell)),
                (None, None) => {
                    let win = prove_by_threats(stones, LEAF_NODES).ok()?;
                    Some(WinPlan::Proved(self.insert(stones, &win)))
                }
            });
        let zone = prover.prove(stones)?;
        let script = prover.into_script();
        self.insert(stones, &ProvedWin { zone, script });
        Ok(())
    }

    /// Returns the number of proved positions, including those at the end of the book.
    pub fn proved(&self) -> usize {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).zones.len()
    }

    /// The lemmas since the last call.
    fn take_lemmas(&self) -> Vec<u8> {
        std::mem::take(&mut self.known.lock().unwrap_or_else(PoisonError::into_inner).lemmas)
    }

    fn known(&self, stones: &Stones) -> Option<RelevanceZone> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).zones.get(stones).copied()
    }

    /// Enters a win, unless another thread has done so, and returns its current zone.
    fn insert(&self, stones: &Stones, win: &ProvedWin) -> RelevanceZone {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let KnownWins { zones, lemmas } = &mut *known;
        *zones.entry(*stones).or_insert_with(|| {
            lemmas.extend(certificate::lemma(stones, &win.script));
            win.zone
        })
    }
}
