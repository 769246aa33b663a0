//! Exceptions.

use std::fmt::Display;

use agon_catalog::SetupError;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyType};
use pyo3::{PyErr, create_exception};

create_exception!(agon_arena, AgonError, PyValueError, "What Agon refuses, and why.");
create_exception!(agon_arena, IllegalMoveError, AgonError, "A move that is none, or that the rules refuse.");

/// An exception with the message of an error.
pub(crate) fn refused(error: impl Display) -> PyErr {
    AgonError::new_err(error.to_string())
}

/// The same for a move.
pub(crate) fn illegal(text: &str, error: impl Display) -> PyErr {
    IllegalMoveError::new_err(format!("`{text}`: {error}"))
}

/// The same for a set-up: an unknown parameter is a `TypeError`, in Python's words for unknown arguments. Libraries
/// depend on them: `GymEnv` of `TorchRL` tries `frameskip=`, and continues without it.
pub(crate) fn setup_refused(error: SetupError) -> PyErr {
    let SetupError::Unknown { game, name, known } = error else { return refused(error) };
    let message = format!("{game} got an unexpected keyword argument '{name}'; it has {known}");
    Python::attach(|py| {
        unknown_parameter(py).map_or_else(|error| error, |class| PyErr::from_type(class.clone(), message))
    })
}

/// `UnknownParameterError`, which is both an [`AgonError`] and a `TypeError`.
///
/// # Errors
/// The errors of creating a class.
pub(crate) fn unknown_parameter(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let made = CLASS.get_or_try_init(py, || {
        let bases = (py.get_type::<AgonError>(), py.get_type::<PyTypeError>());
        let names = PyDict::new(py);
        names.set_item("__module__", "agon_arena")?;
        names.set_item("__doc__", "A keyword argument that is no parameter of the game.")?;
        let class = py.get_type::<PyType>().call1(("UnknownParameterError", bases, names))?;
        PyResult::Ok(class.cast_into::<PyType>()?.unbind())
    })?;
    Ok(made.bind(py))
}
