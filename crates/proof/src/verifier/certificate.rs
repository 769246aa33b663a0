//! Certificates: proofs in a file that anybody can check without a search.
//!
//! # The file
//! A zstd stream of a first line, [`HEADER`], and lemmas until the end. A *lemma* proves that Black, to move, wins a
//! position; later lemmas may rely on it. Points are bytes, row by row from the top left corner: 0 is A15, 224 is O1.
//!
//! ```text
//! lemma    = count of black stones, their points, count of white stones, their points, proof
//! proof    = 227                             this position was proved before
//!          | 226 stone                       this position will be needed again in this lemma
//!          | stone
//! stone    = point, answers                  where Black plays: no forbidden point, and then White has no five
//! answers  =                                 nothing, where the stone makes five, or two ways to make five next
//!          | proof                           where Black has one: White stops it, and the position is that after it
//!          | 225 proof (point proof)* 255    else: after a PASS, then after all answers that could matter
//! ```
//!
//! The answers that could matter follow from the proof after the PASS ([`super::relevance_zone`]): all points of rank 1
//! in its zone must be among the answers. Positions are compared by their stones only. Proofs kept within a lemma are
//! dropped at its end; the lemmas themselves remain known to the end of the file.

use std::collections::HashMap;
use std::io::{self, Read};

use agon_game::Side;
use agon_rules::renju::{POINTS, PointSet, Stones};

use super::relevance_zone::{AfterStone, ProofError, RelevanceZone, stone};
use super::script::{PASS, Word};

pub const HEADER: &[u8] = b"agon renju proof 1\n";

/// Maximum nesting depth of positions: the number of moves in a game, with a margin.
const DEEPEST: usize = 4 * POINTS;

#[derive(Debug, Default)]
pub struct ProvedLemmas {
    lemmas: HashMap<Stones, RelevanceZone>,
    /// Black's stones that were checked.
    pub checked: u64,
}

impl ProvedLemmas {
    /// Checks a whole uncompressed certificate, using only the rules. `progress` receives the number of lemmas after
    /// each, and ends the check by returning `false`.
    ///
    /// # Errors
    /// [`CertificateError`], with the first thing that is wrong.
    pub fn check(input: &mut impl Read, mut progress: impl FnMut(usize) -> bool) -> Result<Self, CertificateError> {
        let mut header = [0; HEADER.len()];
        input.read_exact(&mut header).map_err(CertificateError::Read)?;
        if header != HEADER {
            return Err(CertificateError::NoCertificate);
        }
        let mut proved = Self::default();
        while let Some(count) = next(input)? {
            let black = points(input, count)?;
            let count = byte(input)?;
            let stones = Stones { black, white: points(input, count)? };
            if !black.and(stones.white).is_empty() {
                return Err(CertificateError::NoPosition { lemma: proved.len() + 1 });
            }
            let mut lemma = Lemma { input, proved: &mut proved, kept: HashMap::new() };
            let zone = lemma.proof(&stones, 0)?;
            proved.lemmas.insert(stones, zone);
            if !progress(proved.len()) {
                break;
            }
        }
        Ok(proved)
    }

    /// The relevance zones of the wins.
    pub fn into_zones(self) -> HashMap<Stones, RelevanceZone> {
        self.lemmas
    }

    /// Returns the number of positions proved permanently.
    pub fn len(&self) -> usize {
        self.lemmas.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lemmas.is_empty()
    }

    /// Returns true if a position is proved to be won by Black, who is to move.
    pub fn has(&self, stones: &Stones) -> bool {
        self.lemmas.contains_key(stones)
    }
}

struct Lemma<'a, R> {
    input: &'a mut R,
    proved: &'a mut ProvedLemmas,
    kept: HashMap<Stones, RelevanceZone>,
}

impl<R: Read> Lemma<'_, R> {
    fn proof(&mut self, stones: &Stones, depth: usize) -> Result<RelevanceZone, CertificateError> {
        if depth > DEEPEST {
            return Err(CertificateError::Deep);
        }
        match word(self.input)? {
            Word::Known => {
                let known = self.kept.get(stones).or_else(|| self.proved.lemmas.get(stones));
                known.copied().ok_or(CertificateError::Unknown { stones: *stones })
            }
            Word::Keep => {
                let Word::Point(cell) = word(self.input)? else { return Err(CertificateError::Word) };
                let zone = self.stone(stones, cell, depth)?;
                self.kept.insert(*stones, zone);
                Ok(zone)
            }
            Word::Point(cell) => self.stone(stones, cell, depth),
            Word::End => Err(CertificateError::Word),
        }
    }

    /// Black's stone, and the proofs after White's answers.
    fn stone(&mut self, stones: &Stones, cell: u8, depth: usize) -> Result<RelevanceZone, CertificateError> {
        self.proved.checked += 1;
        let (mut zone, next) = stone(stones, cell)?;
        match next {
            AfterStone::Won => {}
            AfterStone::Forced(position) => zone.join(&self.proof(&position, depth + 1)?),
            AfterStone::Quiet(after) => {
                if word(self.input)? != Word::Point(PASS) {
                    return Err(CertificateError::Word);
                }
                let passed = self.proof(&after, depth + 1)?;
                zone.join(&passed.deeper());
                let mut open = passed.at(1).and(after.empties());
                loop {
                    match word(self.input)? {
                        Word::Point(answer) if after.empties().contains(answer) => {
                            zone.join(&self.proof(&after.with(Side::Second, answer), depth + 1)?);
                            open.remove(answer);
                        }
                        Word::End => break,
                        _ => return Err(CertificateError::Word),
                    }
                }
                if let Some(cell) = open.first() {
                    return Err(CertificateError::Unanswered { stones: after.with(Side::Second, cell) });
                }
            }
        }
        Ok(zone)
    }
}

/// The next byte; `None` at the end.
fn next(input: &mut impl Read) -> Result<Option<u8>, CertificateError> {
    let mut byte = [0];
    loop {
        match input.read(&mut byte) {
            Ok(read) => return Ok((read == 1).then_some(byte[0])),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(CertificateError::Read(error)),
        }
    }
}

fn byte(input: &mut impl Read) -> Result<u8, CertificateError> {
    next(input)?.ok_or_else(|| CertificateError::Read(io::ErrorKind::UnexpectedEof.into()))
}

fn word(input: &mut impl Read) -> Result<Word, CertificateError> {
    Word::from_byte(byte(input)?).ok_or(CertificateError::Word)
}

fn points(input: &mut impl Read, count: u8) -> Result<PointSet, CertificateError> {
    let mut points = PointSet::EMPTY;
    for _ in 0..count {
        let cell = byte(input)?;
        if usize::from(cell) >= POINTS || points.contains(cell) {
            return Err(CertificateError::Word);
        }
        points.insert(cell);
    }
    Ok(points)
}

/// A lemma as bytes: a position, and the script of its proof.
pub fn lemma(stones: &Stones, script: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(script.len() + stones.len() as usize + 2);
    for points in [stones.black, stones.white] {
        bytes.push(points.len() as u8);
        bytes.extend(points.iter());
    }
    bytes.extend_from_slice(script);
    bytes
}

#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    #[error("the certificate cannot be read: {0}")]
    Read(io::Error),
    #[error("this is no certificate: its first line is another one")]
    NoCertificate,
    #[error("the stones of lemma {lemma} are no position")]
    NoPosition { lemma: usize },
    #[error("a byte of the certificate has no meaning where it stands")]
    Word,
    #[error("positions lie too deep within each other")]
    Deep,
    #[error("it relies on {stones}, which was not proved before")]
    Unknown { stones: Stones },
    #[error("an answer that could matter is missing: {stones}")]
    Unanswered { stones: Stones },
    #[error(transparent)]
    Proof(#[from] ProofError),
}
