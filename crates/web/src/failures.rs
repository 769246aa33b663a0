//! Signing in with wrong passwords: each costs the address that sends it, and delays its next attempt at that name. So
//! guessing is slow, and no one keeps another one out.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_boards::limits::LimitedActor;

/// Wrong passwords for a name from an address before there is a delay.
pub(crate) const FREE_FAILURES: u32 = 5;

/// The delay grows up to this.
pub(crate) const MAX_DELAY: Duration = Duration::from_mins(15);

/// For how long failures are remembered.
const MEMORY: Duration = Duration::from_hours(1);

/// Pairs of names and addresses that are kept before forgotten ones are dropped.
const MAX_PAIRS: usize = 100_000;

#[derive(Clone, Copy)]
struct Failed {
    count: u32,
    last: Instant,
}

impl Failed {
    /// When the next attempt is allowed.
    fn due(self) -> Instant {
        let doublings = self.count.checked_sub(FREE_FAILURES);
        let delay = doublings.map_or(Duration::ZERO, |doublings| Duration::from_secs(1 << doublings.min(10)));
        self.last + delay.min(MAX_DELAY)
    }
}

/// Failures by the digest of a name and by the address.
#[derive(Default)]
pub(crate) struct SignInFailures(Mutex<HashMap<(u64, LimitedActor), Failed>>);

impl SignInFailures {
    /// Counts an attempt as failed; [`Self::succeeded`] takes that back.
    ///
    /// # Errors
    /// How long it takes until the next attempt is allowed.
    pub(crate) fn attempt(&self, name: u64, from: LimitedActor) -> Result<(), Duration> {
        self.attempt_at(name, from, Instant::now())
    }

    pub(crate) fn succeeded(&self, name: u64, from: LimitedActor) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&(name, from));
    }

    fn attempt_at(&self, name: u64, from: LimitedActor, now: Instant) -> Result<(), Duration> {
        let mut pairs = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |failed: &Failed| now.saturating_duration_since(failed.last) < MEMORY;
        if pairs.len() >= MAX_PAIRS {
            pairs.retain(|_, failed| known(failed));
        }
        let before = pairs.get(&(name, from)).copied().filter(known);
        if let Some(failed) = before
            && failed.due() > now
        {
            return Err(failed.due() - now);
        }
        let count = before.map_or(0, |failed| failed.count) + 1;
        pairs.insert((name, from), Failed { count, last: now });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_grows_for_a_name_from_an_address() {
        let (failures, start) = (SignInFailures::default(), Instant::now());
        let at = |address: [u8; 4]| LimitedActor::at(address.into());
        let (one, other) = (at([192, 0, 2, 1]), at([192, 0, 2, 2]));
        for _ in 0..FREE_FAILURES {
            assert_eq!(failures.attempt_at(7, one, start), Ok(()));
        }
        let mut now = start;
        for delay in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
            let delay = Duration::from_secs(delay);
            assert_eq!(failures.attempt_at(7, one, now), Err(delay));
            now += delay;
            assert_eq!(failures.attempt_at(7, one, now), Ok(()), "{delay:?}");
        }
        assert_eq!(failures.attempt_at(7, other, now), Ok(()), "another address is not kept out");
        assert_eq!(failures.attempt_at(8, one, now), Ok(()), "nor is another name");
        failures.succeeded(7, one);
        assert_eq!(failures.attempt_at(7, one, now), Ok(()), "the right password ends it");
        for _ in 1..FREE_FAILURES {
            failures.attempt_at(7, one, now).unwrap();
        }
        assert!(failures.attempt_at(7, one, now).is_err());
        assert_eq!(failures.attempt_at(7, one, now + MEMORY), Ok(()), "so does an hour");
    }
}
