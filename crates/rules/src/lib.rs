//! The rules of Agon's games, and nothing else: no input or output, no clock, no threads.
//!
//! One module a game, and [`catalog`], the closed list of them.

pub mod bacteria;
pub mod catalog;
pub mod domineering;
pub mod petri;
pub mod renju;
