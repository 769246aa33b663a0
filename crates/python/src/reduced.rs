//! Return values of `__reduce__`.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A function of the native module that recreates a value, and its arguments.
pub(crate) type Reduced<'py> = (Bound<'py, PyAny>, Bound<'py, PyTuple>);

/// The function of this name with its arguments.
///
/// # Errors
/// The errors of creating the tuple.
pub(crate) fn reduced<'py, A>(py: Python<'py>, function: &str, arguments: A) -> PyResult<Reduced<'py>>
where
    A: IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
{
    Ok((py.import("agon_arena._native")?.getattr(function)?, arguments.into_pyobject(py)?))
}
