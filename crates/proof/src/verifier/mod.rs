//! The independent verifier: checks claimed wins using only the rules.
//!
//! Nothing in this module imports an engine or a search, as a test ensures. The source of a winning move is not
//! trusted: every move is played by [`agon_rules::renju`], which also lists the other side's answers.

pub mod certificate;
pub mod exhaustive;
pub mod line;
pub mod relevance_zone;
pub mod script;

pub use certificate::{CertificateError, ProvedLemmas};
pub use line::{LineError, check_fours, check_line};
pub use relevance_zone::{ProofError, RelevanceZone, WinPlan, ZoneProver};
