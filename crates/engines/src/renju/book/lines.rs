//! Book files: a header line, lines, and a checksum.

use agon_game::hash::fnv1a;

use super::BookError;

/// The lines between the first and the sum, read one by one.
pub(super) struct BookLines<'a> {
    lines: std::str::Lines<'a>,
    number: usize,
}

impl<'a> BookLines<'a> {
    /// Returns the lines of a file that starts with `header`.
    ///
    /// # Errors
    /// [`BookError::Header`] if it does not, [`BookError::Sum`] when it was changed or cut off.
    pub(super) fn new(text: &'a str, header: &'static str) -> Result<Self, BookError> {
        let first = text.lines().next().unwrap_or_default();
        if first != header {
            return Err(BookError::Header { line: first.chars().take(60).collect(), header });
        }
        let body = text.rfind("sum ").map_or(text, |at| &text[..at]);
        if text[body.len()..] != format!("sum {:016x}\n", fnv1a(body)) {
            return Err(BookError::Sum { expected: fnv1a(body) });
        }
        let mut lines = body.lines();
        lines.next();
        Ok(Self { lines, number: 1 })
    }

    /// Parses the next line.
    ///
    /// # Errors
    /// [`BookError::Line`] if it is invalid.
    pub(super) fn next<T>(&mut self, read: impl FnOnce(&'a str) -> Option<T>) -> Result<T, BookError> {
        self.number += 1;
        let line = self.lines.next().unwrap_or_default();
        read(line).ok_or_else(|| BookError::Line { number: self.number, line: line.chars().take(60).collect() })
    }

    /// Checks that no line follows.
    ///
    /// # Errors
    /// [`BookError::Line`] with the first that does.
    pub(super) fn end(mut self) -> Result<(), BookError> {
        match self.lines.next() {
            None => Ok(()),
            Some(line) => Err(BookError::Line { number: self.number + 1, line: line.chars().take(60).collect() }),
        }
    }
}

/// A whole file: all but the sum, and the sum.
pub(super) fn summed(text: &str) -> String {
    format!("{text}sum {:016x}\n", fnv1a(text))
}
