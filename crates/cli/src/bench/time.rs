//! The time of a benchmark.

use std::time::Duration;

use nix::time::ClockId;

/// Returns the processor time used by this thread, which does not grow on a busy machine.
pub(super) fn processor_time() -> anyhow::Result<Duration> {
    Ok(ClockId::CLOCK_THREAD_CPUTIME_ID.now()?.into())
}
