//! The time of a benchmark.

use std::time::Duration;

use nix::time::ClockId;

/// What this thread has used of a processor: a busy machine makes it no longer.
pub(super) fn processor_time() -> anyhow::Result<Duration> {
    Ok(ClockId::CLOCK_THREAD_CPUTIME_ID.now()?.into())
}
