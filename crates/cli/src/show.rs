//! Terminal styles, and readable forms of durations and numbers.

use std::time::Duration;

use agon_game::Side;
pub use agon_jobs::progress::count;
use anstyle::{AnsiColor, Style};

/// Errors and failures.
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Emphasis.
pub const STRONG: Style = Style::new().bold();
/// Secondary text.
pub const FAINT: Style = Style::new().dimmed();
/// Success.
pub const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Warnings.
pub const WARN: Style = AnsiColor::Yellow.on_default();

/// The colour of a side.
pub const fn side(side: Side) -> Style {
    match side {
        Side::First => AnsiColor::BrightCyan.on_default().bold(),
        Side::Second => AnsiColor::BrightMagenta.on_default().bold(),
    }
}

/// A text in a style.
pub fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// A text as a shell reads it.
pub fn quoted(text: &str) -> String {
    if text.is_empty() || text.contains(|c: char| c.is_whitespace() || "'\"\\$`".contains(c)) {
        format!("'{}'", text.replace('\'', "'\\''"))
    } else {
        text.to_owned()
    }
}

/// A duration with as many digits as matter: `12 µs`, `0.21 ms`, `35 ms`, `4.07 s`.
pub fn time(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    match ms {
        ms if ms < 0.1 => format!("{:.0} µs", ms * 1000.0),
        ms if ms < 10.0 => format!("{ms:.2} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.2} s", ms / 1000.0),
    }
}

/// A number and what is counted: `1 game`, `20 games`.
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A number with its sign, and so many digits after the point: `+1.25`, `−0.5`. People read the minus sign of print;
/// JSON has the other.
pub fn signed(value: f64, digits: usize) -> String {
    format!("{value:+.digits$}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_readable() {
        assert_eq!(count(0), "0");
        assert_eq!(count(999), "999");
        assert_eq!(count(5_023_479_496), "5 023 479 496");
        assert_eq!([0, 1, 2000].map(|games| counted(games, "game")), ["0 games", "1 game", "2 000 games"]);
        assert_eq!([1.25, -0.5, -1234.0].map(|value| signed(value, 1)), ["+1.2", "−0.5", "−1234.0"]);
        assert_eq!(time(Duration::from_micros(12)), "12 µs");
        assert_eq!(time(Duration::from_micros(214)), "0.21 ms");
        assert_eq!(time(Duration::from_millis(35)), "35 ms");
        assert_eq!(time(Duration::from_millis(4_071)), "4.07 s");
    }
}
