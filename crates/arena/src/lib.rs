//! Matches, sequential tests and tournaments.

pub mod stats;
