//! What searches are made of, whatever the game.
//!
//! [`Meter`] counts nodes and ends a search at its [`Limits`]; [`Table`] remembers what was found out about positions;
//! an [`Analyst`] is asked about positions and tells what it finds; [`Evaluate`] says what a
//! position seems to be worth. Nothing here knows a game or prints.

pub mod analysis;
pub mod evaluate;
pub mod limits;
pub mod table;

pub use analysis::{Analyst, Clock, Info, Stop, Task, Value};
pub use evaluate::Evaluate;
pub use limits::{Limits, Meter, Stopped};
pub use table::Table;
