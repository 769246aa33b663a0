//! Whole numbers among the arguments, rejected by name if they are too small or too large.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;

use crate::failure::refused;

fn within<'py, T>(value: &Bound<'py, PyAny>, name: &str, largest: impl Into<u64>) -> PyResult<T>
where
    T: FromPyObjectOwned<'py>,
{
    value.extract::<T>().map_err(|error| {
        let error: PyErr = error.into();
        if error.is_instance_of::<PyOverflowError>(value.py()) {
            refused(format!("{name}={value}: a whole number from 0 to {} expected", largest.into()))
        } else {
            error
        }
    })
}

/// Functions for `from_py_with`, one for each argument, named like it.
macro_rules! numbers {
    ($($name:ident $text:literal: $type:ty, $largest:expr;)*) => {$(
        pub(crate) fn $name(value: &Bound<'_, PyAny>) -> PyResult<$type> {
            within(value, $text, $largest)
        }
    )*};
}

numbers! {
    seed "seed": u64, u64::MAX;
    seed_or_none "seed": Option<u64>, u64::MAX;
    n "n": usize, u64::MAX;
    plies "plies": usize, u64::MAX;
    row "row": usize, u64::MAX;
    threads "threads": usize, u64::MAX;
    threads_or_all "threads": Option<usize>, u64::MAX;
    games "games": u32, u32::MAX;
    openings "openings": Option<u32>, u32::MAX;
    level "level": Option<u8>, u8::MAX;
    memory_mib "memory_mib": Option<usize>, u64::MAX;
    nodes "nodes": Option<u64>, u64::MAX;
    depth "depth": Option<u32>, u32::MAX;
    lines "lines": usize, u64::MAX;
    cell "cell": usize, u64::MAX;
}
