//! Nothing: what this crate is for stands in its `Cargo.toml`.
