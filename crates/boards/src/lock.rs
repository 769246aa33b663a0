//! Uses a lock that another thread's panic has poisoned.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks a value, even if a thread that held it has panicked.
pub fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}
