//! The values of a run over its games, as rows of text.

use agon_training::tuning_run::TunedMoment;

use crate::show::{FAINT, STRONG, count, paint};

/// Rows of the table, including the start and the end.
const ROWS: usize = 11;

/// A column for each name, a row for each of some moments, including the first and the last.
pub(super) fn table(names: &[&str], history: &[TunedMoment]) -> String {
    let width = |name: &str| name.chars().count().max(8) + 2;
    let row = |cells: Vec<String>| {
        let padded = names.iter().zip(cells).map(|(name, cell)| format!("{cell:>width$}", width = width(name)));
        padded.collect::<Vec<_>>().concat()
    };
    let heading = row(names.iter().map(|&name| name.to_owned()).collect());
    let mut text = paint(STRONG, format!("{:>8}{heading}", "games")) + "\n";
    for then in spread(history, ROWS) {
        let values = row(then.values.iter().map(|value| short(*value)).collect());
        text += &format!("{}{values}\n", paint(FAINT, format!("{:>8}", count(2 * then.step))));
    }
    text
}

/// A value in at most eight characters.
fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 0.1 || size == 0.0 => format!("{value:.3}"),
        _ => format!("{value:.1e}"),
    }
}

/// At most `most`, at even distances, including the first and the last.
fn spread<T>(all: &[T], most: usize) -> impl Iterator<Item = &T> {
    let last = all.len().saturating_sub(1);
    let rows = most.min(all.len());
    (0..rows).map(move |row| &all[if rows < 2 { 0 } else { row * last / (rows - 1) }])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_run_has_few_rows() {
        let history: Vec<TunedMoment> =
            (0..=500).map(|at| TunedMoment { step: at, values: vec![at as f64, 0.5] }).collect();
        let text = table(&["depth", "a_rather_long_name"], &history);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 1 + ROWS, "{text}");
        assert!(lines[1].contains("       0") && lines[ROWS].contains("1 000"), "{text}");
        assert_eq!(table(&["x"], &history[..1]).lines().count(), 2);
        assert_eq!([0.0, 0.25, 12.34, 1234.5, -0.001].map(short), ["0.000", "0.250", "12.3", "1234", "-1.0e-3"]);
    }
}
