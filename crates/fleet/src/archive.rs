//! The sources of a program on their way to workers.

use agon_game::hash::hex;
use sha2::{Digest, Sha256};

/// The sources of a program as workers fetch them.
#[derive(Debug)]
pub(crate) struct ProgramArchive {
    /// Digest of the content.
    pub sha256: String,
    pub content: Vec<u8>,
}

impl ProgramArchive {
    pub(crate) fn new(content: Vec<u8>) -> Self {
        Self { sha256: hex(&Sha256::digest(&content)), content }
    }
}
