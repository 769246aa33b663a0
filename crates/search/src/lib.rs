//! What searches are made of, whatever the game.
//!
//! [`Meter`] counts nodes and ends a search at its [`Limits`]; [`Table`] remembers what was found out about positions.
//! Nothing here knows a game, prints, or starts a thread.

pub mod limits;
pub mod table;

pub use limits::{Limits, Meter, Stopped};
pub use table::Table;
