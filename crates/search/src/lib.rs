//! What searches are made of, whatever the game.
//!
//! An [`Analyst`] is asked about positions and tells what it finds. [`Meter`] counts nodes and ends a search at its
//! [`Limits`], [`clock`] turns the clock of a game into those of a move.
//!
//! - For games that are proved: [`ProofTable`] remembers exact keys.
//! - For games that are estimated: [`pvs`] searches, [`Evaluate`] says what a position seems to be worth, [`shared`]
//!   remembers, [`History`] learns which moves are good; [`mod@parameters`] are what all of them are tuned by.
//!   [`nnue`] is an evaluation by a network.
//!
//! Nothing here knows a game or prints.

pub mod analysis;
pub mod clock;
pub mod evaluate;
pub mod history;
pub mod limits;
pub mod nnue;
pub mod parameters;
pub mod proof_table;
pub mod pvs;
pub mod transposition;

pub use analysis::{Analyst, Clock, Info, Stop, Task, Value};
pub use evaluate::Evaluate;
pub use history::History;
pub use limits::{Limits, Meter, Stopped};
pub use proof_table::ProofTable;
pub use transposition::TranspositionTable;
