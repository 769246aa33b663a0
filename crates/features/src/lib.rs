//! Empty: `Cargo.toml` explains this crate's purpose.
