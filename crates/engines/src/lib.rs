//! Agon's own players: built-in engines that play a seat.
//!
//! One module per game, and [`random`] for all of them.

pub mod bacteria;
pub mod data;
pub mod domineering;
pub mod files;
pub mod petri;
pub mod random;
pub mod renju;
pub mod seated;
pub mod timed;

pub use seated::Seated;
pub use timed::TimedEngine;
