//! Progress of long jobs: a bar on a terminal, occasional lines elsewhere.

use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use agon_jobs::Progress;
use indicatif::{ProgressBar, ProgressStyle};

use crate::show;

/// Interval between lines without a terminal.
const LINE_PERIOD: Duration = Duration::from_secs(30);

/// A bar on standard error, drawn only on a terminal and cleared when it is dropped. If standard error is not a
/// terminal, as in a log, a line reports the progress every half minute, unless `AGON_PROGRESS=off` is set.
pub(crate) struct Bar {
    bar: ProgressBar,
    /// Template of the lines, and the time of the last one; `None` without lines.
    lines: Option<(String, Mutex<Instant>)>,
}

impl Bar {
    /// A bar of this style, as [`ProgressStyle::with_template`] reads it.
    pub(crate) fn new(template: &str) -> anyhow::Result<Self> {
        let bar = ProgressBar::new(0).with_style(ProgressStyle::with_template(template)?);
        let off = std::env::var_os("AGON_PROGRESS").is_some_and(|value| value == "off");
        let lines =
            (!off && !std::io::stderr().is_terminal()).then(|| (template.to_owned(), Mutex::new(Instant::now())));
        Ok(Self { bar, lines })
    }

    /// Says how long the job is by now.
    pub(crate) fn set_length(&self, length: u64) {
        self.bar.set_length(length);
    }

    /// Writes something else to the terminal while the bar is cleared.
    pub(crate) fn suspend<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    fn print_line(&self) {
        let Some((template, last)) = &self.lines else { return };
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() < LINE_PERIOD {
            return;
        }
        *last = Instant::now();
        let value = |name: &str| match name {
            "pos" | "human_pos" => show::count(self.bar.position()),
            "len" | "human_len" => show::count(self.bar.length().unwrap_or(0)),
            "per_sec" => format!("{:.0} a second", self.bar.per_sec()),
            "eta" => show::span(self.bar.eta().as_secs_f64()),
            "elapsed" => show::span(self.bar.elapsed().as_secs_f64()),
            "msg" => self.bar.message(),
            "percent" => (self.bar.position() * 100 / self.bar.length().unwrap_or(0).max(1)).to_string(),
            _ => String::new(),
        };
        anstream::eprintln!("{}", filled(template, value));
    }
}

/// A template whose places, `{pos}` or `{pos:>3}`, have values.
fn filled(template: &str, value: impl Fn(&str) -> String) -> String {
    let mut parts = template.split('{');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (place, rest) = part.split_once('}').unwrap_or((part, ""));
        text += &value(place.split(':').next().unwrap_or_default());
        text += rest;
    }
    text.trim().to_owned()
}

impl Progress for Bar {
    fn start(&self, length: u64, done: u64) {
        self.bar.set_length(length);
        self.bar.set_position(done);
        self.bar.reset_eta();
    }

    fn set_position(&self, position: u64) {
        self.bar.set_position(position);
        self.print_line();
    }

    fn set_message(&self, message: String) {
        self.bar.set_message(message);
        self.print_line();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_the_words_of_the_bar() {
        let value = |name: &str| match name {
            "pos" => "3".to_owned(),
            "len" => "100".to_owned(),
            "eta" => "2 min 05 s".to_owned(),
            _ => String::new(),
        };
        assert_eq!(filled("{wide_bar} {pos}/{len} games, {eta} left", value), "3/100 games, 2 min 05 s left");
        assert_eq!(filled("{spinner} {pos:>4} {bar:40.cyan}", value), "3");
    }
}
