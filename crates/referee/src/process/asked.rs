//! When a question was written, and how long its answer took.

use std::time::{Duration, Instant};

use super::times::notable;

/// When a question was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// Before the first byte was written. The agent's clock runs from here.
    pub from: Instant,
    /// Before the call that wrote the last byte: later than `from` only when the pipe was full.
    pub last: Instant,
    /// After the last byte was written.
    pub written: Instant,
}

impl Asked {
    /// A question that took no time.
    pub fn now() -> Self {
        let now = Instant::now();
        Self { from: now, last: now, written: now }
    }

    /// The wall time of an answer seen at `when`, which the judge may have seen too late by `judge_delay`; and by how
    /// much the true time may be less, since the judge may have been kept from a processor before the question was
    /// written as well. Less than a millisecond of either is the normal latency of a machine, and counts as none.
    pub fn until(&self, when: Instant, judge_delay: Duration) -> (Duration, Duration) {
        let wall = when.saturating_duration_since(self.from);
        let writing = self.written.saturating_duration_since(self.last);
        (wall, (notable(writing) + notable(judge_delay)).min(wall))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_true_time_is_bounded_on_both_sides() {
        let ms = Duration::from_millis;
        let check = |last, written, seen, judge_delay, wanted| {
            let from = Instant::now();
            let asked = Asked { from, last: from + ms(last), written: from + ms(written) };
            assert_eq!(asked.until(from + ms(seen), judge_delay), wanted);
        };
        check(0, 0, 10, ms(0), (ms(10), ms(0)));
        check(0, 0, 10, Duration::from_micros(900), (ms(10), ms(0)));
        check(0, 0, 10, ms(4), (ms(10), ms(4)));
        // Stopped while it wrote: the agent may have read the question then, or only afterwards.
        check(0, 7, 10, ms(0), (ms(10), ms(7)));
        check(0, 7, 10, ms(2), (ms(10), ms(9)));
        check(0, 7, 10, ms(5), (ms(10), ms(10)));
        // A pipe that was full for 7 ms is the agent's doing.
        check(7, 7, 10, ms(0), (ms(10), ms(0)));
    }
}
