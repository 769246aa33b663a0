//! Networks for Bacteria War.

pub mod record;
pub mod selfplay;

pub use record::BacteriaRecord;
pub use selfplay::Selfplay;
