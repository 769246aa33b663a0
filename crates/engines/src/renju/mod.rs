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
pub mod opening_player;
pub mod opening_trials;
pub mod opening_values;
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
pub use opening_player::{OpeningNodes, OpeningPlayer};
pub use pattern_board::PatternBoard;
pub use shape::Shape;
pub use threats::Threats;
pub use tuning::Tuning;
