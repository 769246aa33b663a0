//! How alike sources are, whatever their names, comments and order: winnowing (S. Schleimer, D. Wilkerson, A. Aiken:
//! "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003).
//!
//! A source becomes tokens without names, numbers, strings and comments; every run of [`K`] tokens becomes a hash; the
//! smallest of every [`WINDOW`] hashes in a row is a fingerprint. Two sources that share `K + WINDOW - 1` tokens in a
//! row share a fingerprint. Code from the starters, or from the programs of most owners, is no evidence and is ignored.

mod compare;
mod tokens;

pub use compare::{Likeness, SharedRegion, SourceCorpus, shared_regions};

/// Tokens of a hashed run. Shorter ones are found in any two programs: the heads of two loops in a row have 16 tokens.
pub const K: usize = 20;

/// Hashes in a row; the smallest is a fingerprint.
pub const WINDOW: usize = 12;
