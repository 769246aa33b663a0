//! When and under which limits games were played, in words.

use std::time::Duration;

use agon_game::Interaction;
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

/// `10 s a game for each side, 1024 MiB`.
pub fn limits(limits: &GameLimits, interaction: Interaction) -> String {
    let time = match interaction {
        Interaction::Session if limits.is_plain() => format!("{} a game for each side", span(limits.clock())),
        Interaction::Session => format!("clock {}", limits.clock_text()),
        Interaction::PerAction => format!("{} an action", span(limits.invocation())),
    };
    let adjudication = match limits.adjudication {
        Adjudication::OFF => String::new(),
        rules => format!("; {rules}"),
    };
    format!("{time}, {} MiB{adjudication}", limits.memory_mib)
}

/// `10 s`, `1.5 s`, `100 ms`.
fn span(time: Duration) -> String {
    let millis = time.as_millis();
    if millis < 1000 { format!("{millis} ms") } else { format!("{} s", millis as f64 / 1000.0) }
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
        let standard = GameLimits::default();
        assert_eq!(limits(&standard, Interaction::Session), "10 s a game for each side, 1024 MiB");
        let added = standard.with_clock("40/60+0.5".parse().unwrap());
        assert_eq!(limits(&added, Interaction::Session), "clock 40/1m+500ms, 1024 MiB");
        let short = GameLimits { clock_ms: 1500, invocation_ms: 100, ..standard };
        assert_eq!(limits(&short, Interaction::Session), "1.5 s a game for each side, 1024 MiB");
        assert_eq!(limits(&short, Interaction::PerAction), "100 ms an action, 1024 MiB");
    }
}
