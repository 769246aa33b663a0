//! Lengths of time on the command line: `10s`, `500ms`, `2m`.

use std::fmt;
use std::ops::RangeInclusive;
use std::time::Duration;

use agon_catalog::Game;
use agon_referee::clock::{self, Clock, ClockError};
use anyhow::bail;

/// From a millisecond to a day, in milliseconds.
pub(crate) const A_DAY: RangeInclusive<u64> = 1..=clock::MAX_CLOCK_MS;

/// A length of time in whole milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimeSpan(u64);

impl TimeSpan {
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms)
    }

    pub const fn ms(self) -> u64 {
        self.0
    }

    /// Reads a length; a number without a unit is refused.
    fn read(text: &str, range: RangeInclusive<u64>) -> Result<Self, String> {
        if clock::lacks_unit(text) {
            return Err(format!("it has no unit: {}", clock::with_units(text, '`')));
        }
        let out_of_range = || Err(format!("a time from {} to {} expected", Self(*range.start()), Self(*range.end())));
        if clock::is_below_zero(text) {
            return out_of_range();
        }
        let Some(ms) = clock::parse_ms(text, 1) else {
            return Err("a time such as `10s`, `500ms` or `2m` expected".to_owned());
        };
        if range.contains(&ms) { Ok(Self(ms)) } else { out_of_range() }
    }
}

impl From<TimeSpan> for Duration {
    fn from(span: TimeSpan) -> Self {
        Self::from_millis(span.0)
    }
}

impl fmt::Display for TimeSpan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&clock::ms_text(self.0))
    }
}

/// Reads a time within a range of milliseconds.
pub(crate) fn time(range: RangeInclusive<u64>) -> impl Fn(&str) -> Result<TimeSpan, String> + Clone {
    move |text| TimeSpan::read(text, range.clone())
}

/// A clock as given: literally, or by a name defined by the game's rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GivenClock {
    Clock(Clock),
    /// With the error if no rules know the name.
    Named(String, ClockError),
}

impl GivenClock {
    /// The clock that an option gives in this game.
    ///
    /// # Errors
    /// If none has this name.
    pub(crate) fn of(&self, game: Game, option: &str) -> anyhow::Result<Clock> {
        let (name, wrong) = match self {
            Self::Clock(clock) => return Ok(*clock),
            Self::Named(name, wrong) => (name, wrong),
        };
        if let Some(known) = game.clocks().iter().find(|known| known.name == name) {
            return Ok(known.clock.parse()?);
        }
        let names: Vec<&str> = game.clocks().iter().map(|known| known.name).collect();
        let known = if names.is_empty() { String::new() } else { format!("; {game} names {}", names.join(", ")) };
        bail!("invalid value '{name}' for '{option} <CLOCK>': {wrong}{known}")
    }
}

/// Reads a clock as engine people write it: `10s`, `10+0.1`, `40/60`, `500ms/move`, `inf`; or a name that one may have.
pub(crate) fn a_clock(text: &str) -> Result<GivenClock, ClockError> {
    let is_name = text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    match text.parse() {
        Err(wrong) if is_name => Ok(GivenClock::Named(text.to_owned(), wrong)),
        read => read.map(GivenClock::Clock),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_in_every_unit() {
        let check = |text: &str, ms: u64| assert_eq!(time(0..=u64::MAX)(text), Ok(TimeSpan(ms)), "{text}");
        check("500ms", 500);
        check("10s", 10_000);
        check("2m", 120_000);
        check("2min", 120_000);
        check("1h", 3_600_000);
        check("1.5s", 1_500);
        check("0.3s", 300);
        check(".5 s", 500);
        check("0", 0);
    }

    #[test]
    fn what_is_no_time_is_refused() {
        let check = |text: &str, expected: &str| {
            assert_eq!(time(A_DAY)(text), Err(format!("a time {expected} expected")), "{text}");
        };
        let no_time = "such as `10s`, `500ms` or `2m`";
        for text in ["", "s", "soon", "-s", "--first", "1e9", "10 sec", "1.5ms", "1.2.3s", "10s5", "NaN", "inf"] {
            check(text, no_time);
        }
        assert_eq!(time(A_DAY)("10"), Err("it has no unit: say `10s` or `10ms`".to_owned()));
        for text in ["0", "0s", "-1s", "-5", "25h", "99999999999999999999h"] {
            check(text, "from 1ms to 24h");
        }
    }

    #[test]
    fn times_are_written_as_they_are_read() {
        let check = |ms: u64, text: &str| {
            assert_eq!(TimeSpan(ms).to_string(), text);
            assert_eq!(time(0..=u64::MAX)(text), Ok(TimeSpan(ms)), "{text}");
        };
        check(0, "0s");
        check(120, "120ms");
        check(1_500, "1500ms");
        check(10_000, "10s");
        check(90_000, "90s");
        check(3_600_000, "1h");
    }
}
