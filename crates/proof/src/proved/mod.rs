//! The proved opening book: grown by a proof-number search, verified by the rules.

mod expand;
pub mod finding;
pub mod grow;
mod node;
pub mod status;
pub mod tree;
pub mod verify;

pub use finding::Finding;
pub use grow::grow;
pub use status::ProofStatus;
pub use tree::ProofTree;
pub use verify::{BookVerifier, CheckedCertificate, Verification, certify, check, verify};
