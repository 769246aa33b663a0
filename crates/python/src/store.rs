//! Stores of series, read while others write them.

use std::mem;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, TryLockError};

use agon_arena::Store as Stored;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyType};

use crate::failure::refused;
use crate::forks::ProcessId;

/// A store of series, open for reading; `agon_arena.read` reads its games. A fork or a pickle reopens it.
#[pyclass(frozen, module = "agon_arena")]
pub struct Store {
    path: PathBuf,
    opened: Mutex<(ProcessId, Stored)>,
}

impl Store {
    fn stored(&self) -> PyResult<MutexGuard<'_, (ProcessId, Stored)>> {
        let mut stored = match self.opened.try_lock() {
            Ok(stored) => stored,
            Err(TryLockError::Poisoned(stored)) => stored.into_inner(),
            Err(TryLockError::WouldBlock) => {
                return Err(PyRuntimeError::new_err("this store is in use by another thread"));
            }
        };
        if stored.0.is_gone() {
            let anew = (ProcessId::current(), Stored::read(&self.path).map_err(refused)?);
            // The connection is the parent's: to close it here would let go of its locks.
            mem::forget(mem::replace(&mut *stored, anew));
        }
        Ok(stored)
    }
}

#[pymethods]
impl Store {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let opened = Mutex::new((ProcessId::current(), Stored::read(&path).map_err(refused)?));
        Ok(Self { path: std::path::absolute(path)?, opened })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (PathBuf,)) {
        (py.get_type::<Self>(), (self.path.clone(),))
    }

    fn runs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let runs = PyList::empty(py);
        let stored = self.stored()?;
        for run in stored.1.runs().map_err(refused)?.0 {
            let row = PyDict::new(py);
            row.set_item("id", run.id)?;
            row.set_item("game", run.plan.game.name())?;
            row.set_item("kind", run.plan.title())?;
            row.set_item("agents", run.plan.agents.iter().map(|agent| agent.name.clone()).collect::<Vec<_>>())?;
            row.set_item("games", stored.1.count(run.id).map_err(refused)?)?;
            runs.append(row)?;
        }
        Ok(runs)
    }

    /// The numbers of the games of a run that have been played.
    fn games(&self, run: i64) -> PyResult<Vec<u32>> {
        let (games, _) = self.stored()?.1.readable(run).map_err(refused)?;
        Ok(games.iter().map(|game| game.slot).collect())
    }

    fn record(&self, run: i64, game: u32) -> PyResult<Option<String>> {
        self.stored()?.1.record(run, game).map_err(refused)
    }
}
