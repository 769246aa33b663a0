//! The bytes of a certificate's proofs, written while a win is proved.

use std::collections::{BTreeSet, HashMap};

use agon_rules::renju::{POINTS, Stones};

/// White's PASS, as an answer.
pub const PASS: u8 = POINTS as u8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// Black's stone or White's answer on a point, by its number; [`PASS`] as an answer.
    Point(u8),
    /// The following position is needed again.
    Keep,
    /// The position was proved before.
    Known,
    End,
}

impl Word {
    pub const fn byte(self) -> u8 {
        match self {
            Self::Point(point) => point,
            Self::Keep => 226,
            Self::Known => 227,
            Self::End => 255,
        }
    }

    /// The word of a byte, if it is one.
    pub const fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            0..=PASS => Some(Self::Point(byte)),
            226 => Some(Self::Keep),
            227 => Some(Self::Known),
            255 => Some(Self::End),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Script {
    words: Vec<u8>,
    begun: HashMap<Stones, usize>,
    /// Start of the proofs that are needed again.
    kept: BTreeSet<usize>,
}

impl Script {
    /// The proof of a position begins.
    pub fn begin(&mut self, stones: &Stones) {
        self.begun.insert(*stones, self.words.len());
    }

    pub fn say(&mut self, word: Word) {
        self.words.push(word.byte());
    }

    /// Records that a position whose proof has already been written is needed again.
    pub fn repeat(&mut self, stones: &Stones) {
        let begun = self.begun.get(stones).copied();
        // Positions referred to by a single word were kept where they were proved.
        self.kept.extend(begun.filter(|&at| self.words.get(at) != Some(&Word::Known.byte())));
        self.say(Word::Known);
    }

    /// Returns the proof, with a word before each position that is needed again.
    pub fn into_bytes(self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.words.len() + self.kept.len());
        for (at, word) in self.words.into_iter().enumerate() {
            if self.kept.contains(&at) {
                bytes.push(Word::Keep.byte());
            }
            bytes.push(word);
        }
        bytes
    }
}
