//! Players of renju.

pub mod greedy;

pub use greedy::Greedy;
