//! Terminal styles, and readable forms of durations and numbers.

use std::io::IsTerminal as _;
use std::path::Path;
use std::time::Duration;

use agon_game::Side;
pub(crate) use agon_jobs::progress::count;
pub(crate) use agon_referee::agent::quoted;
use anstyle::{AnsiColor, Style};

pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default();

pub(crate) const fn side(side: Side) -> Style {
    match side {
        Side::First => AnsiColor::BrightCyan.on_default().bold(),
        Side::Second => AnsiColor::BrightMagenta.on_default().bold(),
    }
}

pub(crate) fn paint(style: Style, text: impl std::fmt::Display) -> String {
    format!("{style}{text}{style:#}")
}

/// A path as a word that can be pasted into a shell.
pub(crate) fn pasted(path: &Path) -> String {
    quoted(&path.display().to_string())
}

/// The width for tables and lists: COLUMNS, else that of the terminal; `None` in a pipe.
pub(crate) fn columns() -> Option<usize> {
    let said = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).filter(|&columns| columns > 0);
    said.or_else(|| {
        let terminal = std::io::stdout().is_terminal();
        let size = if terminal { crossterm::terminal::size().ok() } else { None };
        size.map(|(columns, _)| usize::from(columns)).filter(|&columns| columns > 0)
    })
}

/// Columns of folded text.
const LINE: usize = 80;

/// A text after its heading, folded at blanks into lines of 80 characters, the later ones indented below the first.
pub(crate) fn folded(heading: &str, text: &str) -> String {
    folded_to(LINE, heading, text)
}

/// The same in lines of `columns` characters.
pub(crate) fn folded_to(columns: usize, heading: &str, text: &str) -> String {
    let indent = heading.chars().count();
    let (mut folded, mut width) = (heading.to_owned(), indent);
    for (at, word) in text.split(' ').enumerate() {
        let length = word.chars().count();
        if at > 0 && width + 1 + length > columns {
            folded += &format!("\n{}", " ".repeat(indent));
            width = indent;
        } else if at > 0 {
            folded.push(' ');
            width += 1;
        }
        folded += word;
        width += length;
    }
    folded
}

/// A duration with as many digits as matter: `12 µs`, `0.21 ms`, `35 ms`, `4.07 s`.
pub(crate) fn time(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1000.0;
    match ms {
        ms if ms < 0.1 => format!("{:.0} µs", ms * 1000.0),
        ms if ms < 10.0 => format!("{ms:.2} ms"),
        ms if ms < 1000.0 => format!("{ms:.0} ms"),
        ms => format!("{:.2} s", ms / 1000.0),
    }
}

/// A long time, in seconds, for people.
pub(crate) fn span(seconds: f64) -> String {
    let seconds = seconds.min(1e9) as u64;
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, s) => format!("{s} s"),
        (0, m, s) => format!("{m} min {s:02} s"),
        (h, m, _) => format!("{h} h {m:02} min"),
    }
}

/// Returns a number with its noun: `1 game`, `20 games`.
pub(crate) fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// Returns the cost of a search, as a line of its own.
pub(crate) fn spent(nodes: u64, time: Duration) -> String {
    format!("{}\n", paint(FAINT, format!("{} nodes in {}", count(nodes), self::time(time))))
}

/// A number with its sign and `digits` digits after the point: `+1.25`, `−0.5`, with a typographic minus sign.
pub(crate) fn signed(value: f64, digits: usize) -> String {
    format!("{value:+.digits$}").replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_folded_at_blanks() {
        assert_eq!(folded("a  ", "b c"), "a  b c");
        let words = ["word"; 20].join(" ");
        let text = folded("heading  ", &words);
        assert_eq!(text.lines().count(), 2, "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.lines().nth(1).unwrap().starts_with("         word"), "{text}");
        // A word that is too long gets a line of its own.
        assert_eq!(folded("x ", &format!("a {} b", "y".repeat(90))), format!("x a\n  {}\n  b", "y".repeat(90)));
    }

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
