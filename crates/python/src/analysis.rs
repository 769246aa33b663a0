//! A search's findings, as they arrive.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use agon_catalog::TextMove;
use agon_jobs::Stop;
use agon_search::{Info, Score};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::refused;
use crate::forks::ProcessId;
use crate::interrupt::SIGNAL_INTERVAL;

/// Message of a search.
pub enum Said {
    Line(Box<Info<TextMove>>),
    /// It has ended: the best move, if there is one.
    Best(Option<TextMove>),
    Failed(String),
}

/// The lines of a search as they are found. Leaving the loop stops the search.
#[pyclass(frozen, module = "agon_arena")]
pub struct Analysis {
    said: Mutex<Receiver<Said>>,
    stop: Stop,
    best: Mutex<Option<TextMove>>,
    process: ProcessId,
}

impl Analysis {
    pub fn new(said: Receiver<Said>, stop: Stop) -> Self {
        Self { said: Mutex::new(said), stop, best: Mutex::new(None), process: ProcessId::current() }
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

#[pymethods]
impl Analysis {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        if self.process.is_gone() {
            return Err(PyRuntimeError::new_err("this search runs in the process that was forked: begin one here"));
        }
        loop {
            let said = py.detach(|| match self.said.try_lock() {
                Ok(said) => said.recv_timeout(SIGNAL_INTERVAL),
                // Another thread is waiting for the next line as well.
                Err(_) => {
                    std::thread::sleep(Duration::from_millis(1));
                    Err(RecvTimeoutError::Timeout)
                }
            });
            match said {
                Ok(Said::Line(info)) => return line(py, &info).map(Some),
                Ok(Said::Best(best)) => {
                    *self.best.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = best;
                    return Ok(None);
                }
                Ok(Said::Failed(error)) => return Err(refused(error)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(error) = py.check_signals() {
                        self.stop.raise();
                        return Err(error);
                    }
                }
            }
        }
    }

    fn stop(&self) {
        self.stop.raise();
    }

    /// Best move, once all lines have arrived.
    #[getter]
    fn best(&self) -> PyResult<Option<String>> {
        let best = self.best.try_lock().map_err(|_| PyRuntimeError::new_err("the search goes on"))?;
        Ok(best.as_ref().map(|m| m.judged.clone()))
    }

    #[allow(clippy::unused_self, reason = "a method of Python")]
    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a search that runs cannot be copied or pickled: keep its lines"))
    }
}

/// A line as a dictionary.
fn line<'py>(py: Python<'py>, info: &Info<TextMove>) -> PyResult<Bound<'py, PyDict>> {
    let line = PyDict::new(py);
    let (value, wins, loses) = match info.score {
        Score::Centi(value) => (Some(f64::from(value) / 100.0), None, None),
        Score::Win(plies) => (None, Some(plies), None),
        Score::Loss(plies) => (None, None, Some(plies)),
    };
    line.set_item("rank", info.multipv.max(1))?;
    line.set_item("depth", info.depth)?;
    line.set_item("value", value)?;
    line.set_item("wins_in", wins)?;
    line.set_item("loses_in", loses)?;
    line.set_item("nodes", info.nodes)?;
    line.set_item("seconds", info.elapsed.as_secs_f64())?;
    line.set_item("moves", info.pv.iter().map(|m| m.judged.clone()).collect::<Vec<_>>())?;
    line.set_item("letters", info.pv.iter().map(|m| m.letters.clone()).collect::<Vec<_>>())?;
    Ok(line)
}
