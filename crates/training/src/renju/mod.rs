//! Networks for renju.

pub mod opening;
pub mod record;
pub mod selfplay;

pub use record::RenjuRecord;
pub use selfplay::{Beginning, Selfplay};
