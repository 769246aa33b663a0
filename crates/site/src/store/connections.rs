//! The connections of one process to a store.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use agon_arena::store::StoreError;

use super::SiteStore;

/// The one connection that writes, and any number that read.
#[derive(Debug)]
pub struct Connections {
    path: PathBuf,
    writer: Mutex<SiteStore>,
    readers: Mutex<Vec<SiteStore>>,
}

impl Connections {
    /// `writer` is a connection to the store at this path.
    pub fn new(path: PathBuf, writer: SiteStore) -> Self {
        Self { path, writer: Mutex::new(writer), readers: Mutex::default() }
    }

    /// The connection that writes; for threads that may wait.
    pub fn writer(&self) -> MutexGuard<'_, SiteStore> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads from the store; for threads that may wait. Long reads use this, not the one connection that writes.
    pub fn look<T>(&self, job: impl FnOnce(&SiteStore) -> Result<T, StoreError>) -> Result<T, StoreError> {
        let store = self.take_reader()?;
        let answer = job(&store);
        self.readers.lock().unwrap_or_else(PoisonError::into_inner).push(store);
        answer
    }

    /// A connection that reads.
    fn take_reader(&self) -> Result<SiteStore, StoreError> {
        let known = self.readers.lock().unwrap_or_else(PoisonError::into_inner).pop();
        known.map_or_else(|| SiteStore::read(&self.path), Ok)
    }
}
