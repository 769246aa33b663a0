//! The Universal Ataxx Interface: what programs for Ataxx speak, and so for Bacteria War.
//!
//! It is chess's UCI with an A for every C, moves and positions of Ataxx in it, and nothing written down but examples:
//! <https://www.ataxx.org/>, and what the manager cuteataxx and the engine tiktaxx say to each other,
//! <https://github.com/kz04px/cuteataxx>. Where UCI is silent about Ataxx, the manager's usage counts:
//!
//! - `x` moves first; it is called black, so `btime` and `binc` are the clock of `x` and `wtime` and `winc` that of
//!   `o`.
//! - `g1` divides (or clones) to g1, `g1f3` leaps from g1 to f3, `0000` passes ([`notation`]).
//! - Positions are FENs as in [`agon_rules::bacteria::notation`].
//!
//! [`serve`] makes an engine of ours speak it, [`UaiClient`] speaks it to an engine of others.

pub mod bench;
pub mod client;
pub mod command;
mod info;
pub mod notation;
pub mod session;

pub use client::UaiClient;
pub use command::{Go, UaiCommand, UaiCommandError};
pub use session::serve;
