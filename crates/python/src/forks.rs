//! Forks: threads, locks held by them and open connections stay behind in the parent.

use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use pyo3::prelude::*;

static FORKS: AtomicU64 = AtomicU64::new(0);

/// Identifies a process, to recognise objects created in a parent. The number of forks distinguishes processes with the
/// same id in different namespaces; the id distinguishes those forked without Python's knowledge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProcessId {
    forks: u64,
    id: u32,
}

impl ProcessId {
    pub(crate) fn current() -> Self {
        Self { forks: FORKS.load(Ordering::Relaxed), id: process::id() }
    }

    /// Returns true if this is a different process now.
    pub(crate) fn is_gone(self) -> bool {
        self != Self::current()
    }
}

#[pyfunction]
fn forked() {
    FORKS.fetch_add(1, Ordering::Relaxed);
    agon_external::disown();
    agon_referee::process::disown();
}

/// Registers a hook so that every later child of this process is recognised as one.
///
/// # Errors
/// If Python has no `os.register_at_fork`.
pub(crate) fn watch(py: Python<'_>) -> PyResult<()> {
    let arguments = pyo3::types::PyDict::new(py);
    arguments.set_item("after_in_child", pyo3::wrap_pyfunction!(forked, py)?)?;
    py.import("os")?.call_method("register_at_fork", (), Some(&arguments)).map(drop)
}
