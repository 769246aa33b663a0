//! Networks for Bacteria War.

pub mod duel;
pub mod opening;
pub mod record;
pub mod selfplay;

pub use duel::{Duel, Pace};
pub use record::BacteriaRecord;
pub use selfplay::Selfplay;
