//! Infrastructure for long-running jobs.
//!
//! - [`pool`] hands tasks to worker threads and takes their results on the calling thread.
//! - [`Instant`] is a moment by the clock, which in a browser the page hands in.
//! - [`Stop`] is the flag that ends a job, [`Progress`] is where it reports how far it is. The command line raises the
//!   one on Ctrl-C and draws the other.
//! - [`write_atomically`], [`WorkFile`] and [`ResultFile`] keep what was computed: a job that is stopped, or killed
//!   at any moment, goes on from its last finished task.

pub mod clock;
pub mod file;
pub mod pool;
pub mod progress;
pub mod stop;
pub mod work;

pub use clock::Instant;
pub use file::{FileError, write_atomically};
pub use progress::Progress;
pub use stop::{Pause, Stop};
pub use work::{ResultFile, WorkFile};
