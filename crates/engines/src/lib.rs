//! Agon's own players: what answers for a seat from within the program.
//!
//! One module a game, [`random`] for all of them, and [`catalog`], which finds a player by its name.

pub mod analysts;
pub mod bacteria;
pub mod catalog;
pub mod domineering;
pub mod petri;
pub mod random;
pub mod renju;
pub mod seated;

pub use seated::{Chooser, Seated};
