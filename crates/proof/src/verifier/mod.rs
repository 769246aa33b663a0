//! The independent verifier: claimed wins, checked by the rules alone.
//!
//! Nothing below this module imports an engine or a search, and a test holds it to that. Whoever names a winning move
//! is not trusted: every move is played by [`agon_rules::renju`], and what the other side could answer is asked of it.

pub mod certificate;
pub mod exhaustive;
pub mod line;
pub mod relevance_zone;
pub mod script;

pub use certificate::{CertificateError, ProvedLemmas};
pub use line::{LineError, check_fours, check_line};
pub use relevance_zone::{ProofError, RelevanceZone, WinPlan, ZoneProver};
