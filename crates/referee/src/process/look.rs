//! How late the judge may notice something.

use std::time::{Duration, Instant};

use super::times::{self, NORMAL_LATENCY};

/// How long the judge sleeps between looks. If it or the machine is stopped, it can account for all but this much, and
/// it soon notices that it must end.
pub(super) const MAX_SLEEP: Duration = Duration::from_millis(50);

/// The judge's last look that found nothing: whatever it sees now came after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastLook {
    at: Instant,
    /// How long the judge's thread had waited for processors until then. Not queried in the first millisecond, when
    /// only the clock is known.
    run_delay: Option<Duration>,
}

impl LastLook {
    /// A look that knows only the time.
    pub(super) const fn at_clock(at: Instant) -> Self {
        Self { at, run_delay: None }
    }

    pub(super) fn now() -> Self {
        Self { at: Instant::now(), run_delay: Some(times::own_run_delay()) }
    }

    pub(super) const fn at(self) -> Instant {
        self.at
    }

    /// How much earlier than `when` something may have happened, after it was waited for until `wake` at the latest:
    /// the time that the judge's thread has waited for a processor since the last look. If it woke later than that
    /// explains, something stopped it, and nothing is known.
    pub(super) fn lateness(self, wake: Instant, when: Instant) -> Duration {
        let most = when.saturating_duration_since(self.at);
        match self.run_delay {
            None => most,
            // The thread has not waited for that long in any case.
            Some(_) if most < NORMAL_LATENCY => Duration::ZERO,
            Some(before) => explained(most, times::own_run_delay().saturating_sub(before), when, wake),
        }
    }
}

fn explained(most: Duration, waited: Duration, when: Instant, wake: Instant) -> Duration {
    let overslept = when.saturating_duration_since(wake);
    if overslept > waited + NORMAL_LATENCY { most } else { waited.min(most) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_wait_for_the_processor_explains_a_late_wake() {
        let check = |most, waited, overslept, wanted| {
            let [most, waited, overslept, wanted] = [most, waited, overslept, wanted].map(Duration::from_millis);
            let wake = Instant::now();
            assert_eq!(explained(most, waited, wake + overslept, wake), wanted);
        };
        check(50, 0, 0, 0);
        check(30, 7, 0, 7);
        check(55, 5, 5, 5);
        check(51, 0, 1, 0);
        check(650, 0, 600, 650);
        check(650, 5, 600, 650);
        check(8, 9, 0, 8);
    }

    #[test]
    fn in_the_first_millisecond_only_the_clock_is_known() {
        let at = Instant::now();
        let when = at + Duration::from_millis(3);
        assert_eq!(LastLook::at_clock(at).lateness(when, when), Duration::from_millis(3));
    }
}
