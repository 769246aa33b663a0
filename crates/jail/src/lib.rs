//! Running other people's programs.
//!
//! Every program runs below a *keeper*, a small process of ours that is its parent and the child subreaper of everything
//! below it. So whatever the program starts, however it detaches itself, remains a descendant of its keeper and of no other:
//! the keeper ends it all when it is told to, or when the judge is gone. A keeper lives inside the memory control group of its
//! program, which is therefore born in it, and serves one program after another.
//!
//! ```text
//! judge ── spawner ─┬─ keeper ── program ── what it starts
//!                   └─ keeper ── program
//! ```
//!
//! The *spawner* is a fork of the judge that is made before the judge grows, because a fork copies the page tables; it makes
//! the keepers. Judge and keeper speak over a socket, by the messages in `message.rs`; its end is what tells a keeper that the judge is gone.
//!
//! - [`Keeper`] starts and ends the program of one keeper; [`retire_all`] ends the keepers that wait for a next one.
//! - [`cgroup`] makes memory control groups and freezers; where there are none, [`memory`] measures instead.

pub mod cgroup;
mod exit;
mod keeper;
mod kernel;
pub mod memory;
mod message;
mod service;
mod spawner;
mod system;
mod tree;

pub use exit::ProcessExit;
pub use keeper::{Keeper, retire_all};
pub use memory::{MemoryUser, MemoryUsers};
pub use message::Program;
pub use spawner::prepare;
pub use tree::kill_all;
