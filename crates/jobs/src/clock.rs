//! The clock with which searches measure time: the system's or, in a browser, the page's.

#[cfg(not(target_family = "wasm"))]
pub use std::time::Instant;

#[cfg(target_family = "wasm")]
pub use given::{Instant, set_clock};

/// A clock that is handed in, with the operations of [`std::time::Instant`] that searches use.
#[cfg(any(test, target_family = "wasm"))]
#[cfg_attr(test, allow(unreachable_pub, reason = "here only tests name it"))]
mod given {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock: a function that returns the time since any fixed moment. Only the first call counts.
    pub fn set_clock(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A moment by the clock of the page.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// The present moment; without a clock always the same one.
        pub fn now() -> Self {
            Self(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        pub fn elapsed(self) -> Duration {
            Self::now().saturating_duration_since(self)
        }

        pub fn checked_add(self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }

        pub fn saturating_duration_since(self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.saturating_duration_since(earlier)
        }
    }

    #[cfg(test)]
    mod tests {
        use std::sync::atomic::{AtomicU64, Ordering};

        use super::*;

        #[test]
        fn moments_are_those_of_the_clock() {
            static NOW: AtomicU64 = AtomicU64::new(5);
            assert_eq!(Instant::now().elapsed(), Duration::ZERO, "no clock, no time");
            set_clock(|| Duration::from_millis(NOW.load(Ordering::Relaxed)));
            let begun = Instant::now();
            let end = begun.checked_add(Duration::from_millis(20)).unwrap();
            assert!(Instant::now() < end);
            NOW.store(35, Ordering::Relaxed);
            assert_eq!((begun.elapsed(), Instant::now() - end), (Duration::from_millis(30), Duration::from_millis(10)));
            assert_eq!(begun.saturating_duration_since(end), Duration::ZERO);
            assert_eq!(begun.checked_add(Duration::MAX), None);
        }
    }
}
