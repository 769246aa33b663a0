//! What searches are made of, whatever the game.
//!
//! An [`Engine`] searches positions and reports what it finds. [`Meter`] counts nodes and ends a search at its
//! [`SearchLimits`], [`time`] turns the clock of a game into those of a move.
//!
//! - For proofs: [`ProofTable`] stores exact keys.
//! - For play: [`mod@iterate`] is the loop over depths, [`Evaluate`] a static evaluation (by a network: [`nnue`]),
//!   [`TranspositionTable`] and [`History`] what the search learns, and [`mod@parameters`] what tuners change.
//!
//! Nothing here knows a game or prints.

pub mod correction;
pub mod engine;
pub mod evaluate;
pub mod history;
pub mod iterate;
pub mod limits;
pub mod nnue;
pub mod node_counts;
mod pages;
pub mod parameters;
pub mod proof_table;
pub mod time;
pub mod transposition;
pub mod value;

pub use agon_jobs::Instant;
pub use engine::{Engine, Info, Score, Stop, Task, TimeControl};
pub use evaluate::Evaluate;
pub use history::History;
pub use limits::{Meter, SearchLimits, Stopped};
pub use node_counts::NodeCounts;
pub use proof_table::{ProofKey, ProofTable};
pub use transposition::TranspositionTable;
