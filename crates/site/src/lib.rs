//! A site of competitions, without HTTP: its [`store`] and what may be done to it.
//!
//! [`ladder`] rates all programs of a competition together.

pub mod ladder;
pub mod store;
