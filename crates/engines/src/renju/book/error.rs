//! Errors of books.

/// A text that is no book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookError {
    /// It does not begin as a book of this version does.
    #[error("`{line}` is not the first line of a book, `{header}`")]
    Header {
        /// What should stand there.
        header: &'static str,
        /// What stands there.
        line: String,
    },
    /// It was changed or cut off.
    #[error("the book is damaged: its last line is not `sum {expected:016x}`")]
    Sum {
        /// The sum of what is above the last line.
        expected: u64,
    },
    /// A line that means nothing.
    #[error("line {number}, `{line}`, has no place in a book")]
    Line {
        /// Which, from 1.
        number: usize,
        /// The refused line.
        line: String,
    },
}
