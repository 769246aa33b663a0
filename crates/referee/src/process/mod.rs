//! Programs: connected by pipes, waited for, and ended with all their descendants.
//!
//! - [`Process`] is one program with its pipes and its exit.
//! - [`Invocable`] is a program that is run in a fresh process for every input.
//! - [`wait_for_event`] waits for an answer, the end or the deadline of one or two of them.
//!
//! Programs are started and ended, and their memory is limited, by [`agon_jail::Keeper`].

mod asked;
mod environment;
mod interrupt;
mod invocable;
mod log;
mod look;
mod meter;
mod path;
mod pipes;
mod poll;
mod processors;
mod program;
mod remains;
mod state;
mod tap;
mod times;
mod tools;
mod wait;

pub use agon_jail::{MemoryUser, MemoryUsers, ProcessExit, disown};
pub use asked::Asked;
pub use environment::inherited as inherited_environment;
pub use interrupt::{interrupt, interrupted};
pub use invocable::{End, Invocable, Invocation};
pub use log::keep as keep_log;
pub use meter::Delays;
pub use path::find_program;
pub(crate) use pipes::STDERR_KEPT;
pub use processors::ProcessorSet;
pub(crate) use program::STOP_TIME;
pub use program::{LOST, Process, ProgramSpec, SpawnError};
pub use remains::Remains;
pub use state::{ProcessSnapshot, ProgramState};
pub use tap::{StandardStream, StderrTap, Tap, TapListener, TappedPiece};
pub use times::{Moment, NORMAL_LATENCY, simulate_delay};
pub use tools::{installation, linked_tools, manager_folders, path_folders};
pub use wait::{ProcessEvent, Seen, wait_for_event};
