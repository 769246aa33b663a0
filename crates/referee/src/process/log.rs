//! Whether programs' complete error streams are kept, with times.

use std::sync::atomic::{AtomicBool, Ordering};

static KEPT: AtomicBool = AtomicBool::new(false);

/// The variable that asks a bridge to write down its conversation with its engine.
pub(super) const VARIABLE: &str = "AGON_LOG";

/// From now on the error stream of every program is kept with its times, for [`crate::report::Report::messages`].
pub fn keep() {
    KEPT.store(true, Ordering::Relaxed);
}

pub(super) fn is_kept() -> bool {
    KEPT.load(Ordering::Relaxed)
}
