//! What is found out about a position, and how it is written: `agon analyze`, the boards of a site and engines in a
//! browser write the same.
//!
//! Nothing here reads a file, opens a socket or starts a thread, so all of it runs in a browser, too.

pub mod board;
pub mod considered;
pub mod dish;
pub mod ending;
pub mod game_log;
pub mod judge;
pub mod known;
pub mod lines;
pub mod puzzles;
pub mod renju;
pub mod study;
