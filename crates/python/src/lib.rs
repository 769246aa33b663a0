//! The module `agon_arena._native`: Python's interface to Agon.
//!
//! Everything here accepts and returns text, numbers and arrays; the parts that are easier to write in Python
//! (environments, agents, progress, data classes) are in the package `agon_arena` beside it. Errors are exceptions with
//! Agon's messages; long operations let other Python threads run and check for Ctrl-C.

#![allow(clippy::needless_pass_by_value, reason = "what Python passes is made for the call")]

mod analysis;
mod batch;
mod data;
mod encoding;
mod engine;
mod failure;
mod forks;
mod interrupt;
mod knowledge;
mod lanes;
mod limits;
mod net;
mod numbers;
mod paint;
mod player;
mod position;
mod reduced;
mod restore;
mod series;
mod store;
mod threads;
mod typed;
mod way;

#[pyo3::pymodule(gil_used = true)]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::analysis::Analysis;
    #[pymodule_export]
    use crate::batch::{Batch, restore_batch};
    #[pymodule_export]
    use crate::data::{read_positions, record_arrays, record_summary, write_positions};
    #[pymodule_export]
    use crate::engine::{Engine, restore_engine};
    #[pymodule_export]
    use crate::failure::{AgonError, IllegalMoveError};
    #[pymodule_export]
    use crate::knowledge::{games, load_rules, renju_proof};
    #[pymodule_export]
    use crate::net::{Net, net_features, restore_net};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::restore::{restore_game, restore_position};
    #[pymodule_export]
    use crate::series::Series;
    #[pymodule_export]
    use crate::store::Store;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("UnknownParameterError", crate::failure::unknown_parameter(py)?)?;
        crate::forks::watch(py)
    }
}
