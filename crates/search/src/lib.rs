//! What searches are made of, whatever the game.
//!
//! [`Meter`] counts nodes and ends a search at its [`Limits`]; [`Table`] remembers what was found out about positions;
//! an [`Analyst`] is asked about positions and tells what it finds. Nothing here knows a game or prints.

pub mod analysis;
pub mod evolution;
pub mod limits;
pub mod table;

pub use analysis::{Analyst, Clock, Info, Stop, Task, Value};
pub use evolution::Evolution;
pub use limits::{Limits, Meter, Stopped};
pub use table::Table;
