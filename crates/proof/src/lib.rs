//! Proofs of renju, and the making of its opening books.
//!
//! Three layers, the lower ones ignorant of the upper:
//!
//! 1. The checkers, which trust nobody and import the rules alone: [`line`] plays a claimed line, [`exhaustive`] tries every
//!    answer, [`relevance_zone`] tries the answers that could matter.
//! 2. Wins that the engine's searches find and a checker confirms: [`solution`] of a single position, [`leaf`] at the end of a
//!    book's lines.
//! 3. The books: [`tree`] grows the proved one and [`verify`] proves it again, [`practice`] expands the practised one.
//!
//! Reading a book at the board belongs to [`agon_engines::renju::book`].

pub mod exhaustive;
pub mod finding;
pub mod leaf;
pub mod line;
pub mod practice;
pub mod relevance_zone;
pub mod solution;
pub mod tree;
pub mod verify;
