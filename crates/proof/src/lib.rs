//! Proofs of renju, and the making of its opening books.
//!
//! From the bottom up:
//!
//! 1. [`verifier`] checks claimed wins by the rules alone.
//! 2. [`solution`] and [`threat_win`] let the engine's searches find wins, and the verifier confirm them.
//! 3. [`proved`] grows the book of proved wins and verifies it; [`practised`] expands the book of moves that held in
//!    practice. Both are jobs that can be stopped and resumed ([`BookJob`]).
//!
//! Reading a book at the board belongs to [`agon_engines::renju::book`].

pub mod book_job;
pub mod practised;
pub mod proved;
pub mod solution;
pub mod threat_win;
pub mod verifier;

pub use book_job::{BookJob, BookJobError, read_book};
