//! Exceptions.

use std::fmt::Display;

use pyo3::exceptions::PyValueError;
use pyo3::{PyErr, create_exception};

create_exception!(agon_arena, AgonError, PyValueError, "What Agon refuses, and why.");
create_exception!(agon_arena, IllegalMoveError, AgonError, "A move that is none, or that the rules refuse.");

/// An exception with the message of an error.
pub fn refused(error: impl Display) -> PyErr {
    AgonError::new_err(error.to_string())
}

/// The same for a move.
pub fn illegal(text: &str, error: impl Display) -> PyErr {
    IllegalMoveError::new_err(format!("`{text}`: {error}"))
}
