//! The module `agon_arena._native`: what Python asks of Agon.
//!
//! Everything here takes and gives texts, numbers and arrays; what is nicer to write in Python (environments, agents,
//! progress, data classes) stands in the package `agon_arena` beside it. Errors are exceptions with Agon's messages;
//! whatever takes long lets other Python threads run and looks for Ctrl-C.

#![allow(clippy::needless_pass_by_value, reason = "what Python passes is made for the call")]

mod analysis;
mod batch;
mod data;
mod encoding;
mod engine;
mod failure;
mod interrupt;
mod knowledge;
mod lanes;
mod limits;
mod net;
mod numbers;
mod paint;
mod player;
mod position;
mod series;
mod store;
mod typed;

#[pyo3::pymodule(gil_used = true)]
mod _native {
    #[pymodule_export]
    use crate::analysis::Analysis;
    #[pymodule_export]
    use crate::batch::Batch;
    #[pymodule_export]
    use crate::data::{read_positions, record_arrays, record_summary, write_positions};
    #[pymodule_export]
    use crate::engine::Engine;
    #[pymodule_export]
    use crate::failure::{AgonError, IllegalMoveError};
    #[pymodule_export]
    use crate::knowledge::{games, load_rules, renju_proof};
    #[pymodule_export]
    use crate::net::{Net, net_features};
    #[pymodule_export]
    use crate::position::Position;
    #[pymodule_export]
    use crate::series::Series;
    #[pymodule_export]
    use crate::store::Store;

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
