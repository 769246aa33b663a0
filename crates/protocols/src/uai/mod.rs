//! The Universal Ataxx Interface, spoken by Ataxx programs and so for Bacteria War.
//!
//! It is chess's UCI with an A for every C, with moves and positions of Ataxx, and documented only by examples:
//! <https://www.ataxx.org/>, and the conversations of the manager cuteataxx and the engine tiktaxx,
//! <https://github.com/kz04px/cuteataxx>. Where UCI does not apply to Ataxx, the manager's usage counts:
//!
//! - `x` moves first; it is called black, so `btime` and `binc` are the clock of `x` and `wtime` and `winc` that of
//!   `o`.
//! - `g1` divides (or clones) to g1, `g1f3` leaps from g1 to f3, `0000` passes ([`notation`]).
//! - Positions are FENs as in [`agon_rules::bacteria::notation`].
//!
//! [`serve`] makes one of our engines speak it, [`UaiClient`] speaks it to a third-party engine.

pub mod bench;
pub mod client;
pub mod command;
mod info;
pub mod notation;
pub mod session;

pub use client::UaiClient;
pub use command::{Go, UaiCommand, UaiCommandError};
pub use session::serve;
