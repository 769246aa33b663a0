//! What searches are made of, whatever the game.
//!
//! An [`Engine`] searches positions and reports what it finds. [`Meter`] counts nodes and ends a search at its
//! [`SearchLimits`], [`time`] turns the clock of a game into those of a move.
//!
//! - For games that are proved: [`ProofTable`] remembers exact keys.
//! - For games that are estimated: [`pvs`] searches, [`Evaluate`] says what a position seems to be worth, the
//!   [`TranspositionTable`] remembers, [`History`] learns which moves are good; [`mod@parameters`] are what all of them are tuned by.
//!   [`nnue`] is an evaluation by a network.
//!
//! Nothing here knows a game or prints.

pub mod deepening;
pub mod engine;
pub mod evaluate;
pub mod history;
pub mod limits;
pub mod nnue;
pub mod parameters;
pub mod proof_table;
pub mod pvs;
pub mod time;
pub mod transposition;
pub mod value;

pub use engine::{Engine, Info, Score, Stop, Task, TimeControl};
pub use evaluate::Evaluate;
pub use history::History;
pub use limits::{Meter, SearchLimits, Stopped};
pub use proof_table::ProofTable;
pub use transposition::TranspositionTable;
