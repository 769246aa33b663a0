//! Players of Bacteria War.

pub mod greedy;

pub use greedy::Greedy;
