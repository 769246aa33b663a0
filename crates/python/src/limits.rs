//! Limits of a search, as given in Python.

use std::time::Duration;

use agon_search::SearchLimits;
use pyo3::prelude::*;

use crate::failure::refused;

/// Default duration of a search, in seconds.
const USUAL_SECONDS: f64 = 1.0;

/// The longest search, in seconds.
pub(crate) const MAX_SECONDS: f64 = 86_400.0;

/// A time in seconds.
///
/// # Errors
/// If it is invalid, or too long.
fn seconds(name: &str, seconds: f64) -> PyResult<Duration> {
    // Written so that NaN fails.
    if seconds > 0.0 && seconds <= MAX_SECONDS {
        Ok(Duration::from_secs_f64(seconds))
    } else {
        Err(refused(format!("{name}={seconds}: seconds above 0, at most {MAX_SECONDS}, expected")))
    }
}

/// Returns the limits of a search: by default one second.
///
/// # Errors
/// If one is out of range.
pub(crate) fn limits(time: Option<f64>, nodes: Option<u64>, depth: Option<u32>) -> PyResult<SearchLimits> {
    let usual = (time.is_none() && nodes.is_none() && depth.is_none()).then_some(USUAL_SECONDS);
    let time = time.or(usual).map(|time| seconds("time", time)).transpose()?;
    if nodes == Some(0) || depth == Some(0) {
        return Err(refused("nodes and depth: 1 or more expected"));
    }
    Ok(SearchLimits { time, soft: None, nodes, depth })
}
