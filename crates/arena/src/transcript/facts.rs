//! When and under which limits games were played, in words.

use std::time::Duration;

use agon_game::Interaction;
use agon_message::{Stated, messages};
use agon_referee::adjudication::Adjudication;
use agon_referee::limits::GameLimits;
use jiff::Timestamp;

/// A time in seconds since 1970 as a date, `2026-11-22 22:35 UTC`; empty if it is not one.
pub fn date(seconds: u64) -> String {
    stamp(seconds, "%Y-%m-%d %H:%M UTC")
}

/// The days from the first time to the last: `2026-11-22`, or `2026-11-22 to 2026-11-24`.
pub fn dates(times: impl IntoIterator<Item = u64>) -> String {
    let times = times.into_iter().filter(|&time| time > 0);
    let (first, last) = times.fold((u64::MAX, 0), |(first, last), time| (first.min(time), last.max(time)));
    let [first, last] = [first, last].map(|time| stamp(time, "%Y-%m-%d"));
    if first == last { first } else { format!("{first} to {last}") }
}

fn stamp(seconds: u64, format: &str) -> String {
    let time =
        i64::try_from(seconds).ok().filter(|&seconds| seconds > 0).and_then(|at| Timestamp::from_second(at).ok());
    time.map_or_else(String::new, |time| time.strftime(format).to_string())
}

messages! {
    /// The limits of a game.
    pub enum LimitsFact {
        Game { time: TimeSpan, memory: u64 } = "{time} a game for each side, {memory} MiB",
        Clock { clock: String, memory: u64 } = "clock {clock}, {memory} MiB",
        Action { time: TimeSpan, memory: u64 } = "{time} an action, {memory} MiB",
        Adjudicated { limits: Stated, rules: String } = "{limits}; {rules}",
    }

    pub enum TimeSpan {
        Millis { count: u64 } = "{count} ms",
        Seconds { count: String } = "{count} s",
    }
}

impl From<Duration> for TimeSpan {
    fn from(time: Duration) -> Self {
        match time.as_millis() as u64 {
            count @ ..1000 => Self::Millis { count },
            millis => Self::Seconds { count: (millis as f64 / 1000.0).to_string() },
        }
    }
}

/// The limits of a game: `10 s a game for each side, 1024 MiB`.
pub fn limits(limits: &GameLimits, interaction: Interaction) -> LimitsFact {
    let memory = limits.memory_mib;
    let plain = match interaction {
        Interaction::Session if limits.is_plain() => LimitsFact::Game { time: limits.clock().into(), memory },
        Interaction::Session => LimitsFact::Clock { clock: limits.clock_text(), memory },
        Interaction::PerAction => LimitsFact::Action { time: limits.invocation().into(), memory },
    };
    match limits.adjudication {
        Adjudication::OFF => plain,
        rules => LimitsFact::Adjudicated { limits: Stated::from(&plain), rules: rules.to_string() },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_limits_are_words() {
        assert_eq!(date(1_795_386_900), "2026-11-22 22:35 UTC");
        assert_eq!(date(0), "");
        assert_eq!(date(u64::MAX), "");
        let day = 86_400;
        assert_eq!(dates([10 * day, 10 * day + 5]), "1970-01-11");
        assert_eq!(dates([20 * day, 10 * day, 0]), "1970-01-11 to 1970-01-21");
        assert_eq!(dates([]), "");
        let shown = |of: &GameLimits, interaction| limits(of, interaction).to_string();
        let standard = GameLimits::default();
        assert_eq!(shown(&standard, Interaction::Session), "10 s a game for each side, 1024 MiB");
        let added = standard.with_clock("40/60+0.5".parse().unwrap());
        assert_eq!(shown(&added, Interaction::Session), "clock 40/1m+500ms, 1024 MiB");
        let short = GameLimits { clock_ms: 1500, invocation_ms: 100, ..standard };
        assert_eq!(shown(&short, Interaction::Session), "1.5 s a game for each side, 1024 MiB");
        assert_eq!(shown(&short, Interaction::PerAction), "100 ms an action, 1024 MiB");
    }
}
