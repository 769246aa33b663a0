//! Players of renju.

pub mod board;
pub mod cells;
pub mod class;
pub mod evaluation;
pub mod greedy;
pub mod shape;

pub use board::Board;
pub use cells::Cells;
pub use class::{Class, Trait};
pub use greedy::Greedy;
pub use shape::Shape;
