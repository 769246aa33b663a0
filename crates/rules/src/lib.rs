//! The rules of Agon's games, and nothing else: no input or output, no clock, no threads.
//!
//! One module per game, and [`catalog`], the list of all games. Bacteria War, Domineering and Renju are problems of the
//! programming contest ALPHANO ("the contest", see `docs/judge.md`); the petri dish has a contest of its own.

#![deny(missing_docs)]

pub mod bacteria;
pub mod catalog;
pub mod domineering;
pub mod petri;
pub mod renju;
