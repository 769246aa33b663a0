//! Child processes: started without a fork, connected by pipes, supervised, and ended with all their descendants.
//!
//! - [`Process`] is one program with its pipes and its exit.
//! - [`Invocable`] is a program that is run in a fresh process for every input.
//! - [`wait_for_event`] waits for an answer, the end or the deadline of one or two of them.
//! - [`registry`] holds every program that was started here and finds the processes that they leave behind.
//! - [`cgroup`] and [`memory`] hold the memory limit.
//!
//! A process that referees programs has no other children: any other process below it is taken for an orphan of an
//! agent, and killed.

mod asked;
pub mod cgroup;
mod exit;
mod interrupt;
mod invocable;
mod kernel;
mod look;
pub mod memory;
mod path;
mod pipes;
mod poll;
mod program;
pub mod registry;
mod times;
mod wait;

pub use asked::Asked;
pub use exit::ProcessExit;
pub use interrupt::{interrupt, interrupted};
pub use invocable::{End, Invocable, Invocation};
pub use path::find_program;
pub use program::{Process, ProgramSpec, SpawnError};
pub use times::{Moment, NORMAL_LATENCY};
pub use wait::{ProcessEvent, Seen, wait_for_event};
