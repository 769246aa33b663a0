//! Stops a run.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use agon_referee::process;

/// Stops a run from another thread.
#[derive(Clone, Debug, Default)]
pub struct RunStop(Arc<AtomicBool>);

impl RunStop {
    /// Finishes and stores the bouts that are being played; no other begins.
    pub fn finish(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Kills every program; bouts in progress are lost. This process cannot referee afterwards.
    pub fn cancel(&self) {
        self.finish();
        process::interrupt();
    }

    /// Whether no further bout may begin.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::SeqCst) || process::interrupted()
    }
}
