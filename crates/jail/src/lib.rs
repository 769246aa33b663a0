//! Running other people's programs.
//!
//! Every program runs under a *keeper*, a small process of ours that ends the program and its descendants when the
//! judge asks or is gone. A keeper belongs to one [`Jail`] and serves one program after another. At [`Level::Full`] it
//! is process 1 of new namespaces, in a root of its own; below that it is the child subreaper of everything its program
//! starts. It is inside the memory control group of its program, so that the program starts in it.
//!
//! ```text
//! judge ── spawner ─┬─ keeper ── program ── what it starts
//!                   └─ keeper ── program
//! ```
//!
//! The *spawner* is a fork of the judge that is made before the judge grows, because a fork copies the page tables; it
//! makes the keepers. Judge and keeper communicate over a socket, with the messages in `message.rs`; when it closes,
//! the keeper knows that the judge is gone.
//!
//! - [`Keeper`] starts and ends the program of one keeper; [`retire_all`] ends the keepers that wait for a next one.
//! - [`probe`] says which levels of the jail this machine gives, and why not more.
//! - [`cgroup`] makes memory control groups and freezers; where the system has none, [`memory`] measures instead.

pub mod cgroup;
mod exit;
mod failure;
pub mod filter;
mod hierarchy;
mod jail;
mod keeper;
mod kernel;
pub mod memory;
mod message;
mod probe;
mod root;
mod service;
pub mod space;
mod spawner;
mod system;
mod system_paths;
mod tree;
mod users;
pub mod walls;

pub use exit::{ProcessExit, signal_name};
pub use failure::{Facility, JailError};
pub use jail::{Jail, Level, Writes};
pub use keeper::{Keeper, disown, retire_all};
pub use memory::{MemoryUser, MemoryUsers};
pub use message::Program;
pub use probe::{Lack, Obstacle, Probe, choose, chosen, probe, try_level};
pub use spawner::prepare;
pub use system_paths::{configuration_of, is_configuration, is_private, public_parts, system_paths};
pub use tree::kill_all;

/// Makes this process return large blocks of memory to the system when they are freed, whatever the sizes of others.
/// For a process that runs for months with busy hours.
pub fn return_large_blocks() {
    system::return_large_blocks();
}

/// Runs the calling thread only when no other thread wants to. Returns false if the system refuses.
pub fn run_in_background() -> bool {
    system::set_background(0, true)
}
