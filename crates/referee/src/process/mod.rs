//! Child processes: started without a fork, spoken to over pipes, watched, and ended for certain.
//!
//! - [`Process`] is one program with its pipes and its exit.
//! - [`Invocable`] is a program that is run anew for every question.
//! - [`attend`] waits for an answer of one or two of them at once.
//! - [`census`] knows every process that was started here and finds what they leave behind.
//! - [`cgroup`] and [`memory`] hold the memory limit.
//!
//! A process that referees programs has no other children: whatever else turns up below it is taken for something an
//! agent left behind, and killed.

mod attend;
pub mod census;
pub mod cgroup;
mod invocable;
mod kernel;
pub mod memory;
mod pipes;
mod program;
mod times;

pub use attend::{Event, attend};
pub use invocable::{End, Invocable, Invocation};
pub use program::{Exit, Process, Program, SpawnError};
pub use times::Moment;

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Stops every bout of this process: kills all agents, whose bouts then end INTERRUPTED.
///
/// Safe to call from any thread; not from a signal handler itself.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
    census::kill_all();
}

/// Whether [`interrupt`] has been called.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}
