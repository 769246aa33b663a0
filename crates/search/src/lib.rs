//! Building blocks of searches, independent of the game.
//!
//! An [`Engine`] searches positions and reports its findings. [`Meter`] counts nodes and ends a search at its
//! [`SearchLimits`]; [`time`] converts the clock of a game to limits for a move.
//!
//! - For proofs: [`ProofTable`] stores exact keys.
//! - For play: [`mod@iterate`] is the loop over depths, [`Evaluate`] a static evaluation (by a network: [`nnue`]),
//!   [`TranspositionTable`] and [`History`] what the search learns, and [`mod@parameters`] what tuners change.
//!
//! This crate depends on no game and never prints.

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
