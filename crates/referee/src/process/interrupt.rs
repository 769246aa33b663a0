//! Stopping every bout of this process.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Stops every bout of this process: kills all agents, whose bouts then end INTERRUPTED.
///
/// Safe to call from any thread; not from a signal handler itself.
pub fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
    agon_jail::kill_all();
}

/// Whether [`interrupt`] has been called.
pub fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}
