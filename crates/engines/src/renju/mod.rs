//! Players of renju.

pub mod bench;
pub mod book;
pub mod champion;
pub mod class;
pub mod evaluation;
pub mod fours;
pub mod greedy;
pub mod kinds;
pub mod lines;
pub mod network;
pub mod pattern_board;
pub mod search;
pub mod shape;
pub mod threats;
pub mod tuning;

pub use champion::Champion;
pub use class::{Class, Trait};
pub use fours::Fours;
pub use greedy::Greedy;
pub use kinds::{Kinds, Pairs};
pub use network::{Evaluation, NetworkEvaluation};
pub use pattern_board::PatternBoard;
pub use shape::Shape;
pub use threats::Threats;
pub use tuning::Tuning;
