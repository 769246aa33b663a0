//! Analysis of positions, and its output: `agon analyze`, the boards of a site and engines in a browser write the same.
//!
//! This crate never reads a file, opens a socket or starts a thread, so all of it also runs in a browser.

pub mod board;
pub mod considered;
pub mod dish;
pub mod ending;
pub mod game_log;
pub mod judge;
pub mod known;
pub mod lines;
pub mod played;
pub mod puzzles;
pub mod renju;
pub mod study;
