//! What is found out about a position, and how it is written: `agon analyze` and the boards of a site write the same.

pub mod considered;
pub mod ending;
pub mod judge;
pub mod known;
pub mod lines;
pub mod losses;
pub mod renju;
pub mod study;
