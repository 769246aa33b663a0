//! Agon's own players: what answers for a seat from within the program.
//!
//! One module a game, [`random`] for all of them, and [`registry`], which finds a player by its name.

pub mod bacteria;
pub mod data;
pub mod domineering;
pub mod petri;
pub mod random;
pub mod registry;
pub mod renju;
pub mod seated;
pub mod timed;

pub use seated::Seated;
pub use timed::TimedEngine;
