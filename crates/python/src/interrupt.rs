//! Long work: runs on a separate thread, while the calling one checks for Ctrl-C.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use agon_jobs::Stop;
use pyo3::exceptions::PyRuntimeError;
use pyo3::{PyErr, PyResult, Python};

/// Interval at which signals are checked.
pub(crate) const SIGNAL_INTERVAL: Duration = Duration::from_millis(20);

/// Does some work. On Ctrl-C the flag is raised, which the work must obey, and the exception is returned once it has
/// ended.
///
/// # Errors
/// Exceptions of signal handlers, and `RuntimeError` if the work panics.
pub(crate) fn interruptible<T: Send + 'static>(
    py: Python<'_>,
    stop: &Stop,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = mpsc::channel();
    thread::Builder::new().name("agon".to_owned()).spawn(move || {
        // The caller is waiting for it.
        let _ = sender.send(work());
    })?;
    let mut raised: Option<PyErr> = None;
    loop {
        let said = py.detach(|| {
            let receiver = &mut receiver;
            receiver.recv_timeout(SIGNAL_INTERVAL)
        });
        match said {
            Ok(result) => return raised.map_or(Ok(result), Err),
            Err(RecvTimeoutError::Disconnected) => {
                return Err(raised.unwrap_or_else(|| PyRuntimeError::new_err("a fault of Agon: the work panicked")));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if raised.is_none()
            && let Err(error) = py.check_signals()
        {
            stop.raise();
            raised = Some(error);
        }
    }
}
