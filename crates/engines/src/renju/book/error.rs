//! Errors of books.

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookError {
    #[error("`{line}` is not the first line of a book, `{header}`")]
    Header { header: &'static str, line: String },
    #[error("the book is damaged: its last line is not `sum {expected:016x}`")]
    Sum { expected: u64 },
    #[error("line {number}, `{line}`, has no place in a book")]
    Line { number: usize, line: String },
}
