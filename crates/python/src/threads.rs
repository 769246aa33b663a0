//! The threads of a batch.

use std::mem;
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::forks::ProcessId;

/// Threads that start when first needed, and again in a forked process.
pub(crate) struct Threads {
    count: usize,
    /// Locked while the interpreter lock is held, and never for long: no fork comes between.
    pool: Mutex<Option<(ProcessId, Arc<ThreadPool>)>>,
}

impl Threads {
    pub(crate) const fn new(count: usize) -> Self {
        Self { count, pool: Mutex::new(None) }
    }

    pub(crate) const fn count(&self) -> usize {
        self.count
    }

    /// Works on these threads while other threads of Python run.
    ///
    /// # Errors
    /// If the system cannot start more threads.
    pub(crate) fn run<T: Send>(&self, py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
        if self.count < 2 {
            return Ok(py.detach(work));
        }
        let pool = self.started()?;
        Ok(py.detach(|| pool.install(work)))
    }

    fn started(&self) -> PyResult<Arc<ThreadPool>> {
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((process, pool)) = &*pool
            && !process.is_gone()
        {
            return Ok(Arc::clone(pool));
        }
        let threads = ThreadPoolBuilder::new().num_threads(self.count).thread_name(|_| "agon".to_owned()).build();
        let threads = threads.map_err(|error| PyRuntimeError::new_err(format!("{} threads: {error}", self.count)))?;
        let threads = Arc::new(threads);
        // Dropping the parent's pool would wait for its threads.
        mem::forget(pool.replace((ProcessId::current(), Arc::clone(&threads))));
        Ok(threads)
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        let pool = self.pool.get_mut().unwrap_or_else(PoisonError::into_inner);
        if pool.as_ref().is_some_and(|(process, _)| process.is_gone()) {
            mem::forget(pool.take());
        }
    }
}
