//! Stores of series, read while others write them.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, TryLockError};

use agon_arena::Store as Stored;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::failure::refused;

/// A store of series, open for reading; `agon_arena.read` reads its games.
#[pyclass(frozen, module = "agon_arena")]
pub struct Store(Mutex<Stored>);

impl Store {
    fn stored(&self) -> PyResult<MutexGuard<'_, Stored>> {
        match self.0.try_lock() {
            Ok(stored) => Ok(stored),
            Err(TryLockError::Poisoned(stored)) => Ok(stored.into_inner()),
            Err(TryLockError::WouldBlock) => Err(PyRuntimeError::new_err("this store is in use by another thread")),
        }
    }
}

#[pymethods]
impl Store {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        Ok(Self(Mutex::new(Stored::read(&path).map_err(refused)?)))
    }

    fn runs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let runs = PyList::empty(py);
        let stored = self.stored()?;
        for run in stored.runs().map_err(refused)?.0 {
            let row = PyDict::new(py);
            row.set_item("id", run.id)?;
            row.set_item("game", run.plan.game.name())?;
            row.set_item("kind", run.plan.title())?;
            row.set_item("agents", run.plan.agents.iter().map(|agent| agent.name.clone()).collect::<Vec<_>>())?;
            row.set_item("games", stored.count(run.id).map_err(refused)?)?;
            runs.append(row)?;
        }
        Ok(runs)
    }

    /// The numbers of the games of a run that have been played.
    fn games(&self, run: i64) -> PyResult<Vec<u32>> {
        let (games, _) = self.stored()?.readable(run).map_err(refused)?;
        Ok(games.iter().map(|game| game.slot).collect())
    }

    fn record(&self, run: i64, game: u32) -> PyResult<Option<String>> {
        self.stored()?.record(run, game).map_err(refused)
    }
}
