//! Players of Bacteria War.

pub mod bench;
pub mod champion;
pub mod classic;
pub mod ending;
pub mod evaluation;
pub mod game;
pub mod greedy;
pub mod level;
mod moves;
pub(crate) mod network;
pub mod noise;
pub mod opening;
pub mod picker;
pub mod search;
pub mod windows;

pub use champion::Champion;
pub use classic::Classic;
pub use ending::{Ending, Margin};
pub use evaluation::Evaluation;
pub use game::BacteriaGame;
pub use greedy::Greedy;
pub use noise::Noise;
pub use windows::Windows;
