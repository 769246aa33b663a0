//! Gomocup's protocol, spoken by five-in-a-row programs and so for renju.
//!
//! A *manager* (Piskvork, c-gomoku-cli) speaks to an engine, which it calls a *brain*:
//! <https://plastovicka.github.io/protocl2en.htm>. Places are `x,y`, column and row from 0 at the top left, so the
//! judge's row and column come the other way round and one more ([`place`]). `INFO rule 4` is renju.
//!
//! It knows neither ALPHANO's limits for the first three stones nor its PASS. A place that a manager names is accepted
//! wherever it is; if a board has two successive stones of the same colour, the other side has passed between them.
//!
//! [`serve`] speaks it for an engine of ours, [`GomocupClient`] is the manager of an engine of others.

pub mod board;
pub mod client;
pub mod command;
mod message;
pub mod place;
pub mod session;
pub mod times;

pub use client::GomocupClient;
pub use command::{GomocupCommand, GomocupCommandError, ManagerInfo};
pub use session::serve;

/// The number of renju among the rules.
pub const RENJU: u32 = 4;
