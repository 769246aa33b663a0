//! Child processes: started without a fork, spoken to over pipes, watched, and ended for certain.
//!
//! - [`Process`] is one program with its pipes and its exit.
//! - [`Invocable`] is a program that is run anew for every question.
//! - [`wait_for_event`] waits for an answer of one or two of them at once.
//! - [`registry`] knows every process that was started here and finds what they leave behind.
//! - [`cgroup`] and [`memory`] hold the memory limit.
//!
//! A process that referees programs has no other children: whatever else turns up below it is taken for something an
//! agent left behind, and killed.

pub mod cgroup;
mod exit;
mod interrupt;
mod invocable;
mod kernel;
pub mod memory;
mod path;
mod pipes;
mod program;
pub mod registry;
mod times;
mod wait;

pub use exit::ProcessExit;
pub use interrupt::{interrupt, interrupted};
pub use invocable::{End, Invocable, Invocation};
pub use path::find_program;
pub use program::{Process, ProgramSpec, SpawnError};
pub use times::Moment;
pub use wait::{ProcessEvent, wait_for_event};
